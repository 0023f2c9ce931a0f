"""Masked words: ranks and rows by hand; what is refused; the model that runs again."""

import json
import struct

import numpy as np
import pytest
import torch
from traitlets import TraitError

from seqviz import data
from seqviz.view import masking
from tests.refusing import refused
from tests.views.asking import answers

VOCABULARY = ["[CLS]", "[SEP]", "[MASK]", "he", "sat", "by", "the", "bank", "river", "bed"]
VOCABULARY += ["play", "walk", "##ing", "##ed", "."]
TOKENS = ["[CLS]", "he", "sat", "by", "the", "bank", ".", "[SEP]"]
PIECES = ["[CLS]", "he", "play", "##ing", ".", "[SEP]"]
RATES = [(0.15, 0.8, 0.01), (0.05, 0.7, 0.02), (0.5, 0.79, 0.01), (0.8, 0.3, 0.01)]


def row(**chances):
    """Probabilities of some tokens, what is left spread over the others."""
    chances = {name.replace("_", "#"): p for name, p in chances.items()}
    rest = (1 - sum(chances.values())) / (len(VOCABULARY) - len(chances))
    return [chances.get(token, rest) for token in VOCABULARY]


def uniform():
    return [1 / len(VOCABULARY)] * len(VOCABULARY)


def looking(tokens, **weights):
    """A row of attention for each token, the same for all."""
    rest = (1 - sum(weights.values())) / (len(tokens) - len(weights))
    return [[weights.get(token, rest) for token in tokens]] * len(tokens)


def by_the_bank(**more):
    """Its lessons, from left to right: open, told, helps, many fit, gives away, wrong."""
    both = [
        uniform(),
        row(he=0.3, sat=0.1),
        row(sat=0.9, he=0.05),
        row(by=0.5, the=0.2),
        row(by=0.4, the=0.3),
        row(bank=0.91, bed=0.03),
        row(bank=0.7, bed=0.2),
        uniform(),
    ]
    left = [
        uniform(),
        row(he=0.05, the=0.5),
        row(sat=0.6),
        row(by=0.1),
        row(the=0.1),
        row(bank=0.03, bed=0.14),
        row(bed=0.1),
        uniform(),
    ]
    maps = {"mean": looking(TOKENS, bank=0.5), "head 1.2": looking(TOKENS, he=0.25, by=0.004)}
    return {"tokens": TOKENS, "both": both, "left": left, "attention": maps, **more}


def in_pieces(**more):
    both = [uniform(), row(he=0.8), row(play=0.7, walk=0.2), row(__ing=0.6, __ed=0.3), row(), []]
    return {"tokens": PIECES, "both": [*both[:-1], uniform()], "title": "pieces", **more}


def drawn(count, rate, tokens=TOKENS, seed=0):
    """What `mask_tokens` returns, in numpy."""
    random = np.random.default_rng(seed)
    ids = np.array([VOCABULARY.index(token) for token in tokens])
    u = random.random((count, len(tokens)))
    kind = np.where(u < 0.8 * rate, 1, np.where(u < 0.9 * rate, 2, 3))
    special = np.array([token in ("[CLS]", "[SEP]") for token in tokens])
    fates = np.where((u < rate) & ~special, kind, 0)
    other = random.integers(3, len(VOCABULARY), fates.shape)
    return {"fates": fates, "inputs": np.where(fates == 1, 2, np.where(fates == 2, other, ids))}


def draws(count=20):
    return {"tokens": TOKENS, "masked": {rate: drawn(count, rate) for rate in (0.5, 0.15)}}


class Model:
    """Stands for two models: what it says depends on what is masked, and it counts its calls."""

    def __init__(self):
        self.calls = []

    def __call__(self, tokens, positions):
        self.calls.append((tokens, positions))
        if "river" in tokens and len(positions) > 1:
            raise OSError("no weights")
        p = 0.9 if len(positions) == 1 else 0.4 / len(positions)
        both = np.full((len(positions), len(VOCABULARY)), (1 - p) / (len(VOCABULARY) - 1))
        both[np.arange(len(positions)), [VOCABULARY.index(tokens[k]) for k in positions]] = p
        maps = {name: np.full((len(positions), len(tokens)), 1 / len(tokens))
                for name in ("mean", "head 1.2")}  # fmt: skip
        return {"both": both, "left": np.roll(both, 1, axis=1), "attention": maps}


def split(text):
    return ["[CLS]", *text.split(), "[SEP]"]


def everything(**more):
    given = {"rates": RATES, "draws": draws(), "run": Model(), "tokenize": split, **more}
    return masking([by_the_bank(), in_pieces()], VOCABULARY, **given)


@pytest.fixture
def view():
    return everything()


# ---- what it holds


IN_BYTES = [  # tokens, which one is masked, it in the sentence, and what is guessed: the next one
    (["▁我", "<0xE7>", "<0x94>", "<0xB7>"], 3, "“2/3 of 男”", "“byte B7”"),
    (["▁我", "<0xE2>", "<0x80>", "<0x8B>"], 4, "“3/3 of U+200B”", "“我”"),
    (["Ġthe", "Ġcaf", "Ã", "©"], 3, "“1/2 of é” of “café”", "“byte A9”"),
    (["Ġthe", "Ġcaf", "Ã", "©"], 2, "“caf” of “café”", "“byte C3”"),
    (["Ġthe", "Ġca", "f", "Ã©"], 4, "“é” of “café”", "“the” of “cafthe”"),
]


def in_bytes(tokens, by):
    both = np.roll(np.eye(4), by, 0) * 0.6 + 0.1
    return masking([{"tokens": tokens, "both": both}], tokens)


def test_ranks_and_guesses_are_those_of_the_whole_row():
    for seed in range(9):
        random = np.random.default_rng(seed)
        V, T = int(random.integers(1, 40)), int(random.integers(1, 6))
        vocabulary = [f"w{k}" for k in range(V)]
        both = np.round(random.dirichlet(np.ones(V), T), 2)  # with equals
        both[:, 0] += 1 - both.sum(axis=1)
        both = np.abs(both) / np.abs(both).sum(axis=1, keepdims=True)
        truth = random.integers(0, V, T)
        view = masking([{"tokens": [vocabulary[k] for k in truth], "both": both}], vocabulary)
        found = view.here.guesses
        order = np.argsort(-both.astype(np.float32), axis=1, kind="stable")
        np.testing.assert_array_equal(found.ids, order[:, :5])
        ranks = [1 + list(order[t]).index(truth[t]) for t in range(T)]
        assert found.ranks[:, 0].tolist() == ranks
        for t, rank in enumerate(ranks):
            assert (truth[t] in found.ids[t]) == (rank <= 5)
        np.testing.assert_allclose(found.truth[:, 0], both[np.arange(T), truth], atol=1e-6)


def test_the_table_has_all_numbers_whatever_is_on_screen(view):
    rows = view.table()
    assert rows[0] == ["pane", "at", "item", "token", "quantity", "value"]
    value = {tuple(row[:5]): row[5] for row in rows[1:]}
    assert len(value) == len(rows) - 1
    here = "sentence 1", "6"
    for key, number in {
        (*here, "guess 1", "bank", "both sides"): 0.91,
        (*here, "guess 1", "bank", "left only"): 0.03,
        (*here, "guess 2", "bed", "left only"): 0.14,
        (*here, "true, rank 15", "bank", "left only"): 0.03,
        (*here, "best", "bed", "left only"): 0.14,
        (*here, "attention to 6", "bank", "mean"): 0.5,
        (*here, "attention to 2", "he", "head 1.2"): 0.25,
        ("sentence 2", "4", "guess 2", "##ed", "both sides"): 0.3,
        ("accuracy", "0.5", "", "", "share"): 0.79,
        ("accuracy", "0.15", "", "", "standard error"): 0.01,
    }.items():
        assert value[key] == pytest.approx(number), key
    fates = [int(row[5]) for row in rows if row[0] == "draws at 0.5"]
    assert fates == [k for k in view.draws.fates[0.5].ravel() if k]
    view.mask, view.training = 0, True
    assert view.table() == rows
    view.mask, view.second = 6, 3
    assert ["sentence 1: 3 6", "6", "guess 1", "bank", "both sides"] in [
        row[:5] for row in view.table()
    ]


def test_alt_is_one_plain_line_of_data_and_controls(view):
    start = "Masked words, sentence 1 of 2 with 8 tokens"
    assert view.alt == f"{start}; mask 6, 'bank', 'mean'"
    view.mask, view.training, view.draw = 3, True, 5
    view.second = 6
    assert view.alt == f"{start}; mask 3, 'sat' and 6, 'bank', 'mean'; 5 draws at rate 0.15"
    assert masking([in_pieces()], VOCABULARY).alt.endswith("1 of 1 with 6 tokens; mask 2, 'he'")


def test_what_a_sentence_needs_and_where_it_opens(view):
    for name, part in view.parts.items():
        (n,) = struct.unpack("<I", part[:4])
        words = json.loads(part[4 : 4 + n]).get("words", {"is": []})["is"]
        assert len(words) < len(VOCABULARY), name
    assert view.needs() == ["sentence 1"] == list(view.first)
    view.training = True
    assert view.needs() == ["sentence 1", "draws 0", "rates"]
    view.sentence = 2
    assert view.needs()[0] == "sentence 2"
    assert view._repr_mimebundle_()
    assert set(view.first) == {"sentence 2", "draws 0", "rates"}
    assert (view.mask, view.second) == (2, 0)
    view.sentence = 1
    assert view.mask == 6, "where the right side helps most"


# ---- controls


def test_a_control_outside_its_range_is_refused(view):
    before = view.controls()
    for name, value, said in (
        ("mask", 9, "mask: expected 0 to 8, came 9"),
        ("mask", 1, "mask: token 1, '\\[CLS\\]', is special and cannot be masked; expected one of"),
        ("second", 6, "second: expected another token than mask 6"),
        ("head", "sum", "head: expected one of \\['mean', 'head 1.2'\\], came 'sum'"),
        ("rate", 0.2, "rate: expected one of \\[0.15, 0.5\\], came 0.2"),
    ):
        with pytest.raises(TraitError, match=said):
            setattr(view, name, value)
        assert view.controls() == before
    shut = masking([by_the_bank()], VOCABULARY)
    with pytest.raises(TraitError, match="training: there is no second pane: hand in draws"):
        shut.training = True
    with pytest.raises(ValueError, match="text: a sentence of your own runs the model: hand in"):
        shut.text = "he sat"


# ---- the model that runs again


def test_two_masks_run_the_model_once(view):
    model = view.live._run
    view.mask, view.second = 6, 3
    assert model.calls == [(TOKENS, (2, 5))]
    with view.hold_trait_notifications():
        view.mask, view.second = 3, 6
    assert len(model.calls) == 1
    assert view.needs() == ["sentence 1", "sentence 1: 3 6"]
    assert "sentence 1: 3 6" in view.parts
    view.mask = 4
    assert view.second == 0


def test_a_sentence_of_ones_own_is_one_more(view):
    model = view.live._run
    view.text = "he sat  by the river"
    assert view.text == "he sat  by the river"
    assert (view.sentence, len(view.sentences)) == (3, 3)
    assert [k for _, k in model.calls] == [(1,), (2,), (3,), (4,), (5,)]
    assert view.facts["sentences"][2]["title"] == "he sat by the river"
    assert view.needs() == ["sentence 3"]
    with pytest.raises(TraitError, match="second: no answer: OSError: no weights"):
        view.second = 3
    assert view.second == 0


def test_a_word_that_the_tokenizer_does_not_know_is_named():
    def known(text):
        words = text.replace(",", " ").split()
        return [word if word in [*VOCABULARY, "[UNK]"] else "[UNK]" for word in words]

    def model(tokens, positions):
        return {"both": [uniform()] * len(positions)}

    given = {"tokens": TOKENS, "both": by_the_bank()["both"]}
    view = masking([given], VOCABULARY, run=model, tokenize=known)
    for text, said in {
        "he [UNK]": "",  # the reader's own
        "he fishes, by the bank": "“fishes” is not in the vocabulary",
        "fishes fishes he swims": "“fishes”, “swims” are not in the vocabulary",
    }.items():
        view.text = text
        unread = view.facts["sentences"][-1]["unread"]
        assert unread.startswith(said)
        assert bool(said) == bool(unread)
    with pytest.raises(ValueError, match=r"“fishes” is not in the vocabulary: .* Write words"):
        view.text = "fishes"


def test_a_text_that_cannot_be_read_is_refused_before_the_model_runs(view):
    for text, said in (
        ("", "expected at least one token that is not special"),
        ("he " * 70, "expected at most 64 tokens, came 72"),
        ("he fishes", "token 3 is 'fishes', which is none of the 15 tokens of the vocabulary"),
    ):
        with pytest.raises(ValueError, match=said):
            view.text = text
    assert view.live._run.calls == []
    assert len(view.sentences) == 2


def asked(view, **message):
    return [content for content, _ in answers(view, **message)]


def test_a_page_hears_that_the_model_runs_and_what_came_of_it(view):
    assert asked(view, ask=7, text="he sat") == [
        {"asked": 7, "done": 0},
        {"asked": 7, "done": 0, "of": 2},
        {"asked": 7, "done": 1, "of": 2},
        {"asked": 7, "sentence": 3},
    ]
    assert view.sentence == 1, "the page goes there, if it still waits"
    last = asked(view, ask=8, sentence=1, masks=[6, 3])[-1]
    assert last == {"asked": 8, "sentence": 3}
    assert view.second == 0
    view.set_state({"mask": 6, "second": 3})
    assert (view.mask, view.second, len(view.live._run.calls)) == (6, 3, 3)
    before = view.controls()
    for message, said in (
        ({"text": "he sat by a"}, "Token 5 is 'a', which is none of the 15 tokens"),
        ({"sentence": 9, "masks": [2, 3]}, "Sentence: expected 1 to 3, came 9"),
        ({"sentence": 1, "masks": [2, 2]}, "Second: expected another token than mask 2"),
    ):
        problem = asked(view, ask=1, **message)[-1]["problem"]
        assert problem.startswith(said)
        assert view.controls() == before


def test_an_answer_of_the_wrong_shape_is_named():
    def run(tokens, positions):
        return {"both": [row(he=1.0)], "attention": {"sum": looking(tokens)[:1]}}

    view = masking([by_the_bank()], VOCABULARY, run=run)
    with pytest.raises(TraitError, match=r"run\['both'\]: expected shape \(2, 15\), came \(1, 15"):
        view.second = 2
    labels = r"run\['attention'\]: expected the labels \['mean', 'head"
    with pytest.raises(ValueError, match=labels):
        view.text = "he"


def test_what_mask_tokens_gives_is_taken():
    ids = torch.tensor([VOCABULARY.index(token) for token in TOKENS]).repeat(50, 1)
    drawn = data.mask_tokens(
        ids, 2, range(3, 15), special=[0, 1], probability=0.15, generator=torch.Generator()
    )
    given = {"tokens": TOKENS, "masked": {0.15: drawn}}
    view = masking([by_the_bank()], VOCABULARY, draws=given)
    np.testing.assert_array_equal(view.draws.fates[0.15], drawn.fates)
    assert sum(row[0] == "draws at 0.15" for row in view.table()) == (drawn.labels != -100).sum()


# ---- what is refused


def of_sentence(**more):
    return lambda: masking([{**by_the_bank(), **more}], VOCABULARY)


def called(**more):
    return lambda: masking(**{"sentences": [by_the_bank()], "vocabulary": VOCABULARY, **more})


def of_draws(**more):
    return called(draws={"tokens": TOKENS, "masked": {0.15: {**drawn(3, 0.5), **more}}})


LOGITS = 3 * np.random.default_rng(0).normal(size=(8, 15))
CHOSEN = np.where(np.arange(8) == 0, 1, drawn(3, 0.5)["fates"])


def test_bad_input_says_what_is_wrong():
    bad = {
        r"sentences\[0\] has 'right', expected": of_sentence(right=1),
        r"\['both'\]\[0\] has -.*: take softmax of the logits": of_sentence(both=LOGITS),
        "a row for each of 8 tokens, came shape": of_sentence(both=LOGITS[:3]),
        r"expected shape \(6, 15\), came": of_sentence(both=LOGITS[:, :3]),
        r"came dict: write \[...\] around": called(sentences=by_the_bank()),
        "with 'both'": called(sentences=[{"tokens": TOKENS}]),
        "came 'he' at 3 and at 15": called(vocabulary=[*VOCABULARY, "he"]),
        r"names: expected two names, came \['one'\]": called(names=["one"]),
        "rates: expected shares .*: divide percentages": called(rates=[(15, 80, 1), (20, 80, 1)]),
        r"shape \(draws, 8\)": of_draws(fates=np.zeros((3, 5))),
        "expected 0 to 3, came 4": of_draws(fates=np.full((3, 8), 4)),
        r"inputs\[0, \d\] is '\[CLS\]', .*fate \d says": of_draws(inputs=np.zeros((3, 8))),
        r"fates\[0, 0\] is 1, but '\[CLS\]' is special": of_draws(fates=CHOSEN),
        "a rate: expected 0 to 1, came 15": called(
            draws={"tokens": TOKENS, "masked": {15: drawn(3, 0.5)}}
        ),
    }
    refused((TypeError, ValueError), bad)
