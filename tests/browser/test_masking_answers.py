"""Masked words in a page without Python: its worker says what Python says, in Python's bytes."""

import json
import re

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from seqviz import data
from seqviz.graphs import exported
from seqviz.nn import BERT, BERTForMaskedLM
from seqviz.running.spelling import told_of
from seqviz.running.tokenizing import reader_of
from seqviz.view import masking
from seqviz.views.masking.guesses import Vocabulary, guesses_of
from seqviz.views.masking.live import PUNCTUATION, Live
from seqviz.views.masking.values import SPECIAL, UNKNOWN
from tests.browser.page_workers import ask, same
from tests.browser.shown import save_as
from tests.browser.test_masking import Shown
from tests.views.test_masking_graphs import Before

pytestmark = pytest.mark.browser

LETTERS = ["the", "un", "##able", "é", "'", "a"]


@pytest.fixture(scope="module")
def view():
    """Notebook 17's net, beside one that reads the left side."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    lines = [paragraph.line for paragraph in data.load("facts").train]
    words = sorted({word for line in lines for word in line.split()})
    pieces = data.WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words])
    net = BERTForMaskedLM(BERT(len(pieces), 64, 2, 4, 128, 64, add_pooling_layer=False)).eval()
    saved, *_ = data.load_weights("facts_bert")
    start = "both sides."
    own = {name.removeprefix(start): w for name, w in saved.items() if name.startswith(start)}
    net.load_state_dict(own)
    tokens = pieces.encode("the guest was tired .").tokens
    ids = pieces.encode("the guest was tired .").ids[None]
    graphs = [exported(one, (ids,)) for one in (net, Before(len(pieces)))]
    even = np.full((len(tokens), len(pieces)), 1 / len(pieces))
    alike = np.full((len(tokens), len(tokens)), 1 / len(tokens))
    maps = {"layer 1, mean": alike, "layer 0, head 2": alike}
    given = {"tokens": tokens, "both": even, "left": even, "attention": maps}
    return masking([given], pieces.vocabulary.tokens, run=graphs, tokenize=pieces)


@pytest.fixture(scope="module")
def shown(open_file, view):
    return Shown(open_file(view.to_html(answers=True, precision="full")))


def field(shown):
    return shown.root.get_by_label("your own sentence")


def write(shown, text):
    """Ask for a text; return the name of its part."""
    field(shown).fill(text)
    last = int(shown["sentence"])
    field(shown).press("Enter")
    expect(shown.root).not_to_have_attribute("data-sentence", str(last))
    return f"sentence {shown['sentence']}"


# ---- the parts of the worker


PACK = """(said, truths, K, rows, T, words) => {
    const floats = row => row && Float32Array.from(row);
    const guesses = said.map(([both, left, maps], k) => guessOf(
        {both: floats(both), left: floats(left), maps: maps.map(floats)}, truths[k], K));
    return [...new Uint8Array(packedGuesses(guesses, rows, T, words))];
}"""


def test_guesses_are_packed_as_python_packs_them(script):
    """Of few numbers, many are equal."""
    random, T = np.random.default_rng(1), 4
    for V, rows, labels in ((7, [1, 3], ["a", "b"]), (3, [0, 1, 2, 3], [])):
        words = Vocabulary([f"w{k}" for k in range(V)])
        both, left = (random.integers(1, 4, (len(rows), V)).astype("f4") for _ in range(2))
        both, left = (one / one.sum(axis=1, keepdims=True) for one in (both, left))
        maps = {name: random.dirichlet(np.ones(T), len(rows)).astype("f4") for name in labels}
        given = {"both": both, "left": left if labels else None, "attention": maps or None}
        truths = random.integers(0, V, len(rows))
        python = guesses_of("run", given, truths, T, V).at(rows, T).packed(words)
        said = [
            (both[k], left[k] if labels else None, [one[k] for one in maps.values()])
            for k in range(len(rows))
        ]
        said = json.loads(json.dumps(said, default=np.ndarray.tolist))
        given = said, truths.tolist(), 5, rows, T, words.shown
        assert bytes(script("masking/answers/guesses.js", PACK, *given)) == python


READ = """(text, known, told, V) => {
    try {
        const read = readText(text, tokenizerReader(known), told, V);
        return ['title', 'tokens', 'special', 'written', 'unread'].map(name => read[name]);
    } catch ({message}) {
        return message;
    }
}"""


def test_a_text_is_read_as_python_reads_it(script):
    pieces = data.WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS])
    words, reader = Vocabulary(pieces.vocabulary.tokens), reader_of(pieces)
    even = np.full((1, len(words)), 1 / len(words))
    split = lambda text: reader.read(text).tokens  # noqa: E731
    live = Live(lambda *_: {"both": even}, split, words, [])
    told = {"mask": 4, "special": SPECIAL, "unknown": UNKNOWN, "punctuation": PUNCTUATION}
    told["most"] = {"tokens": 64, "title": 32}
    for text in (
        *("", "the unable", "[MASK]", "the [MASK] [UNK] [SEP] a", "xx", "“the” (xx), a 'yy' é!"),
        *("the\n  a\x1cthe", "the " * 62, "the " * 63, "x" * 5000, "xx " * 1000),
        *("the " * 20 + "😀" * 40, "... the", "[UNK] [UNK] a zz."),
        *(letter * 40 for letter in ("e\u0301", "👍🏽", "👩\u200d🚀", "❤\ufe0f", "ก็")),
    ):
        try:
            made = live.sentence(text, lambda done, of: None)
            lists = made.tokens, list(made.special), list(made.written)
            python = [made.title, *lists, made.unread]
        except ValueError as problem:
            python = str(problem)
        given = text, told_of(reader), told, len(words)
        assert script("masking/answers/reading.js", READ, *given) == python, text[:20]


# ---- a page, opened once


def test_held_sentences_are_answered_as_python_answers(shown, view):
    lines = sorted((paragraph.line for paragraph in data.load("facts").val), key=len)
    for line in (*lines[:2], "the [MASK] was [MASK] near the oven ."):
        name = write(shown, line)
        view.text = line
        heard = ask(shown.page, {"want": name})
        ((_, part),) = heard["answers"]
        same(view.parts[name], part, line)
        told = [one["sentences"][-1] for one in (heard["facts"], view.facts)]
        assert {**told[0], "ids": None} == {**told[1], "ids": None}


def test_a_person_hides_words_of_a_sentence_of_their_own(shown):
    assert "kernel" not in shown.root.inner_text().lower()
    assert shown.state == "● in this page"
    assert shown.told.startswith("The model is in this page. Tick the box and click a second")
    says = shown.page.locator(".seqviz-says").inner_text()
    assert re.match(r"Runs in this page: BERTForMaskedLM with 87,804 .* MB in float32", says)
    write(shown, "the guest was [MASK] and yawned near the oven .")
    assert shown["mask"] == "5"
    assert re.match("“tired” fits best: .* from both sides", shown.sentence)
    assert "No token is the true one: [MASK] is written there" in shown.drawn
    shown.root.get_by_label("Mask two tokens at once").check()
    shown.click(6)
    expect(shown.root).to_have_attribute("data-second", "7")
    assert shown.sentence.startswith("With “yawned” masked, too, “cold” fits best")
    shown.click(6)  # its guesses, beside the written mask
    assert (shown["mask"], shown["second"]) == ("7", "5")
    assert "would read the [MASK] before it" in " ".join(shown.drawn)
    shown.stage.focus()
    shown.press("Escape", "Home", "ArrowRight", "Enter")
    assert (shown["mask"], shown["second"]) == ("3", "0")
    shown.press("End", "Enter")
    expect(shown.root).to_have_attribute("data-second", "11")
    assert shown.sentence.startswith("Masking “.” too")


def test_what_cannot_be_read_is_said_and_the_picture_stays(shown, view):
    before, drawn = shown["sentence"], shown.csv
    for text in ("fishes swim", "[CLS]", "the " * 1250):
        field(shown).fill(text)
        field(shown).press("Enter")
        with pytest.raises(ValueError, match="text: ") as python:
            view.text = text
        said = str(python.value).removeprefix("text: ")
        expect(shown.root.locator(".told")).to_have_text(said[0].upper() + said[1:])
        assert shown.state == "▲ no answer"
    assert (shown["sentence"], shown.csv) == (before, drawn)
    write(shown, "the fishes swim .")
    assert shown.told.startswith("“fishes”, “swim” are not in the vocabulary")


def test_an_overtaken_question_is_not_answered(shown):
    long, short = {"ask": 901, "text": "the " * 60}, {"ask": 902, "text": "the guest"}
    heard = ask(shown.page, long, short)
    assert [one["asked"] for one in heard["said"] if "sentence" in one] == [902]
    assert {"asked": 902, "done": 1, "of": 2} in heard["said"]
    titles = [one["title"] for one in heard["facts"]["sentences"]]
    assert titles[-1] == "the guest"
    assert not any(title.startswith("the the") for title in titles)


@pytest.mark.alone
def test_a_mask_of_forty_tokens_takes_at_most_50_ms(shown):
    times = [ask(shown.page, {"ask": k, "text": "the " * 38})["time"] for k in (903, 904)]
    assert min(times) / 38 < 50


def test_a_copy_answers_for_sentences_that_were_written_here(shown, open_file):
    heard = ask(shown.page, {"ask": 905, "text": "a carrot was here ."})  # no part is looked at
    number = len(heard["facts"]["sentences"])
    name = write(shown, "a cat was near the oven .")
    with shown.page.expect_download() as download:
        save_as(shown.root, "HTML")
    copy = Shown(open_file(download.value.path().read_text(encoding="ascii")))
    assert (f"sentence {copy['sentence']}", copy.sentence) == (name, shown.sentence)
    copy.root.locator("select").select_option(str(number))
    expect(copy.root).to_have_attribute("data-sentence", str(number))
    copy.root.get_by_label("Mask two tokens at once").check()
    other = 2 if copy["mask"] == "2" else 1
    copy.click(other)
    expect(copy.root).to_have_attribute("data-second", str(other + 1))
