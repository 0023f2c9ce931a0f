"""How views look from a phone to a hall: nothing is small, cut, covered, or moved by a key."""

import numpy as np
import pytest
import torch

from seqviz import data, nn
from seqviz.graphs import exported
from seqviz.view import (
    beam,
    curves,
    embedding,
    gates,
    generation,
    gradients,
    machine,
    masking,
    piano_roll,
    regions,
    text,
    unroll,
)
from tests.browser.attention_shown import translation
from tests.browser.shown import HOSTILE, OVERLAPS, SMALL, Page
from tests.browser.test_beam import large
from tests.browser.test_curves import polarity
from tests.browser.test_gates import held, pair
from tests.browser.test_gradients import chunks
from tests.browser.test_machine import alone as without_model
from tests.browser.test_machine import translated, whole
from tests.browser.test_masking import alone, forty, random_sentence
from tests.browser.test_unroll import words
from tests.views.region_films import every_kind
from tests.views.test_atlas import everything as all_heads
from tests.views.test_atlas import hostile as hostile_atlas
from tests.views.test_beam import pie, random_tree
from tests.views.test_embedding import WORDS, sentences
from tests.views.test_embedding import everything as word_map
from tests.views.test_gates import read_out, recorded
from tests.views.test_generation import everything as written
from tests.views.test_piano_roll import everything as played
from tests.views.test_piano_roll import plain, tune
from tests.views.test_positions import both
from tests.views.test_race import four_lanes
from tests.views.test_unroll import weights

pytestmark = pytest.mark.browser
BAD = ["", *HOSTILE, "\u202eabc", "x" * 10_000, "\n", "<!--", "\x00\x07", "\u0301", "👩‍👩‍👧"]
BOLD = "<b>bold</b>"


def hostile_beam():
    trees = {k: random_tree(7, k, 8, 5, len(BAD), 0.4) for k in (2, 3)}
    return beam(trees, BAD, prompt="<b>" * 50, title=BOLD)


def hostile_curves():
    return curves(
        lambda at: {bad: np.ones(5) * k for k, bad in enumerate(HOSTILE)},
        over={HOSTILE[0]: HOSTILE, "n": [1, 2]},
        labels=[*HOSTILE[2:], "<b>", "\u202eabc"],
        x=HOSTILE[0],
        y=HOSTILE[1],
        marks={2: HOSTILE[1]},
        title=BOLD,
    )


def hostile_gradients():
    runs = {bad: np.where(np.arange(5) < k, 0, 0.5**k) for k, bad in enumerate(HOSTILE)}
    return gradients(runs, labels=HOSTILE, marks={2: HOSTILE[0]}, title=BOLD)


def hostile_embedding():
    bad = BAD[1:]
    names = [*bad, *WORDS[len(bad) :]]
    table = np.random.default_rng(1).normal(size=(len(names), 6))
    told = [{**one, "sentence": bad, "at": k, "sense": f"<i>{one['sense']}</i>"}
            for k, one in enumerate(sentences())]  # fmt: skip
    sums = [tuple(bad[k] for k in (0, 4, 5, 6))]
    groups = {HOSTILE[0]: names[:9], "<b>b</b>": names[9:]}
    return embedding(names, table, groups=groups, analogies=sums, senses={"<b>": told}, title=BOLD)


def hostile_gates():
    bad = [*HOSTILE, 'a,"', "\n"]
    labels = {"=cell": read_out(labels=bad)}
    return gates({"=cell": recorded("GRU")}, bad, read_out=labels)


def hostile_generation():
    p = np.linspace(1, 2, len(BAD)) / np.linspace(1, 2, len(BAD)).sum()
    return generation(lambda ids: np.roll(p, ids[-1]), BAD, [1], steps=9, title=BOLD)


def hostile_machine():
    bad = [word for word in BAD if word.split() == [word]]
    words = data.Vocabulary(["<pad>", "<unk>", *bad])
    torch.manual_seed(0)
    net = nn.BERTForMaskedLM(nn.BERT(len(words), 8, 1, 2)).eval()
    graph = exported(net, (torch.arange(2, 6)[None],))
    return without_model(machine(graph, words, " ".join(bad), title=BOLD))


def hostile_masking():
    vocabulary = ["[CLS]", *BAD, "##<b>"]
    sentence = {**random_sentence(vocabulary, vocabulary, heads=1), "title": "<i>t</i>"}
    sentence["attention"] = {"<u>": sentence["attention"]["head 0"]}
    fates = np.arange(len(BAD)) % 4
    ids = np.where(np.isin(fates, (1, 2)), 2, np.arange(1, len(BAD) + 1))
    draws = {"tokens": BAD, "masked": {0.5: {"fates": fates[None], "inputs": ids}}}
    names = ["<b>both</b>", HOSTILE[0]]
    return masking([sentence], vocabulary, names=names, draws=draws, title=BOLD)


def hostile_roll():
    motifs = {name: [[k, k + 1], [k + 9, k + 10]] for k, name in enumerate(HOSTILE[:4])}
    given = {**tune(), "head_names": HOSTILE[:2], "motifs": motifs}
    return piano_roll({HOSTILE[0]: given, HOSTILE[1]: plain(), "": plain()}, title=BOLD)


def hostile_regions():
    rng, picture = np.random.default_rng(0), np.linspace(0, 1, 81).reshape(9, 9)
    caption = {
        "picture": picture,
        "words": BAD,
        "weights": rng.dirichlet(np.full(9, 0.4), len(BAD)).reshape(-1, 3, 3),
        "boxes": {name: (k, k, k + 4, k + 4) for k, name in enumerate(HOSTILE)},
        "gold": [*HOSTILE, *[None] * (len(BAD) - 5)],
        "wrong": {0: HOSTILE[0]},
        "alternatives": [[(HOSTILE[1], 0.5), ("y" * 500, 0.3)]] * len(BAD),
        **{"question": HOSTILE[1], "note": HOSTILE[0], "title": HOSTILE[0]},
    }
    p = [[0.6, 0.1, 0.1, 0.1, 0.1], [0.1, 0.6, 0.1, 0.1, 0.1]]
    seen = {"picture": picture, "windows": [[2, 2, 3], [6, 6, 30]], "title": HOSTILE[1]}
    seen |= {"classes": HOSTILE, "probabilities": p, "label": 0}
    return regions([caption, seen], title=BOLD)


def hostile_text():
    values = (np.arange(len(BAD) * 2).reshape(-1, 2) - 9) / 128
    rows = np.full((len(BAD), len(BAD)), 1 / len(BAD))
    return text(BAD, values, probabilities=rows, vocabulary=BAD, name="<b>unit</b>")


def hostile_unroll():
    names = ["W" * 60, "supercalifragilistic" * 3, *(bad for bad in BAD if bad.split() == [bad])]
    return unroll(weights(6, len(names)), names, names, title="A heading goes on. " * 15)


def lines():
    """Large values in many units, with a field for a text of one's own."""
    letters = [*"To be, or not to be,\nthat is the question.\n" * 9]
    values = 7e9 * np.sin(np.outer(np.arange(len(letters)), np.arange(1, 257)) * 0.37)
    return text(letters, values, name="attention head", run=print)


# What makes a view, and links to states beside the one that it opens at.
CASES = [
    (all_heads, "head=1.2", "x=position&y=entropy", "kind=none of these"),
    (hostile_atlas, "head=0.1"),
    (pie, "step=2", "length_penalty=1.1"),
    (large, "step=12"),
    (hostile_beam, "step=4&length_penalty=1.1"),
    (polarity,),
    (hostile_curves,),
    (chunks,),
    (hostile_gradients,),
    (word_map, "tab=senses&layer=0", "tab=words&question=king - man %2B woman"),
    (hostile_embedding, "tab=senses"),
    (held, "show=change"),
    (pair,),
    (hostile_gates,),
    (whole, "depth=1", "depth=2"),
    (translated, "depth=1&part=1", "depth=2"),
    (hostile_machine, "depth=1", "depth=2"),
    (written, "compare=true", "compare=false&method=temperature&temperature=0.1"),
    (hostile_generation, "compare=true"),
    (forty, "training=true"),
    (hostile_masking, "training=true"),
    (alone, "training=true"),
    (played, "piece=3"),
    (hostile_roll, "piece=2"),
    (every_kind, "film=2", "film=5", "film=7"),
    (hostile_regions, "film=2"),
    (lines,),
    (hostile_text,),
    (words, "equation=true"),
    (hostile_unroll, "equation=true"),
    (both,),
    (translation,),
    (four_lanes,),
]
CUT = """root => {
    const {left, right} = root.querySelector('.stage').getBoundingClientRect();
    return [...root.querySelectorAll('.stage text')].filter(text => {
        const box = text.getBoundingClientRect();
        return box.width && (box.left < left - 4 || box.right > right + 4);
    }).map(text => text.textContent);
}"""
LOOK = f"""async (root, keys) => {{
    const stage = root.querySelector('.stage'), faults = [], heights = new Set();
    for (const key of keys) {{
        stage.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        const texts = [...stage.querySelectorAll('text')].map(text => text.textContent);
        for (const [fault, where] of Object.entries({{
            small: ({SMALL})(root), cut: ({CUT})(root), over: ({OVERLAPS})(stage),
            wide: document.documentElement.scrollWidth > innerWidth ? ['the page'] : [],
            long: texts.filter(text => text.length > 300),
        }})) if (where.length) faults.push([key, fault, where]);
        heights.add(Math.round(root.getBoundingClientRect().height));
    }}
    return [faults, [...heights]];
}}"""
KEYS = ["Home", "ArrowDown", "Enter", "End", "Escape", "Escape"]


# What stands beside the sidebar of a small screen, and what no key moves.
LOW = (all_heads, word_map, held, whole, written, played, every_kind, four_lanes)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_no_text_is_small_or_cut_or_over_another_or_markup(open_page, case):
    make, *links = case
    shown = Page(open_page(make().to_html()))
    shown.page.emulate_media(reduced_motion="reduce")
    for width in shown.at_widths(833, 480, 1400):
        for link in ("", *links):
            shown.page.evaluate("link => { location.hash = link; }", link)
            faults, heights = shown.root.evaluate(LOOK, KEYS)
            assert faults == [], (width, link)
            if width == 833 and make in LOW:
                assert len(heights) == 1, link
                assert heights[0] <= 640, link
    assert shown.root.locator(".problem").first.inner_text() == ""
    assert shown.has_no_markup()
