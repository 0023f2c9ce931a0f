"""Word vectors: neighbours, sums and senses by hand; what is refused; what a kernel adds."""

import numpy as np
import pytest

from seqviz.view import embedding
from seqviz.views.embedding.plane import plane_of, turned
from seqviz.views.embedding.values import lexicon_of
from tests.refusing import refused
from tests.views.asking import answers

# royal, male, female, young, place, French, Italian, and one that tells words apart
TABLE = {
    "king": [1, 1, 0, 0, 0, 0, 0, 0.1],
    "queen": [1, 0, 1, 0, 0, 0, 0, 0.2],
    "man": [0, 1, 0, 0, 0, 0, 0, 0.3],
    "woman": [0, 0, 1, 0, 0, 0, 0, 0.1],
    "boy": [0, 1, 0, 1, 0, 0, 0, 0.2],
    "girl": [0, 0, 1, 1, 0, 0, 0, 0.3],
    "prince": [0.9, 1, 0, 1, 0, 0, 0, 0.1],
    "princess": [1, 0, 0.9, 1, 0, 0, 0, 0],
    "paris": [0, 0, 0, 0, 1, 1, 0, 0.5],
    "france": [0, 0, 0, 0, 0, 1, 0, 0.1],
    "rome": [0, 0, 0, 0, 1, 0, 0.6, -0.4],
    "italy": [0, 0, 0, 0, 0, 0, 1, 0.2],
    "italian": [0, 0, 0, 0, 0.6, 0, 1, 0.1],
    "frog": [0, 0, 0, 0.2, 0, 0.1, 0, 1],
    "toad": [0, 0, 0, 0.1, 0, 0.2, 0, 1],
    "salt": [-1, 0.1, 0, 0, 0.2, 0, 0, 0],
}
WORDS, VECTORS = list(TABLE), np.array([*TABLE.values()], float)
SHOWN = [word for word in WORDS if word not in ("toad", "salt", "italian", "boy")]
GROUPS = {"people": SHOWN[:7], "places": ["paris", "france", "rome", "italy"]}
ANALOGIES = [("man", "king", "woman", "queen"), ("france", "paris", "italy", "rome")]


def sentences(layers=3, tie=True):
    """Three of one sense, two of another: mixed at layer 0, apart at the last."""
    states = {
        "wood": [[1, 0, 0], [1, 0, 0] if tie else [1, 0.3, 0], [0.9, 0.2, 0.4]],
        "hold": [[1, 0, 0], [0.9, 0.25, 0.4]],
    }
    ends = {
        "wood": [[1, 0, 0.1], [1, 0.15, 0], [1, 0.1, 0.12]],
        "hold": [[0, 1, 0.1], [0.1, 1, 0]],
    }
    found = []
    for sense, starts in states.items():
        for k, (start, end) in enumerate(zip(starts, ends[sense], strict=True)):
            way = np.linspace(0, 1, layers)[:, None] if layers > 1 else np.zeros((1, 1))
            states_here = (1 - way) * np.array(start) + way * np.array(end)
            found.append(
                {
                    "sentence": f"the {sense} stick number {k}",
                    "at": 2,
                    "sense": sense,
                    "states": states_here,
                }
            )
    return found


def everything(**more):
    given = {"shown": SHOWN, "groups": GROUPS, "analogies": ANALOGIES}
    given["senses"] = {"stick": sentences(), "club": sentences(tie=False)}
    return embedding(WORDS, VECTORS, **{**given, **more})


@pytest.fixture
def view():
    return everything()


UNITS = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)


# ---- neighbours, the map, sums


def test_neighbours_are_those_of_all_directions():
    for seed in range(9):
        random = np.random.default_rng(seed)
        n, d = int(random.integers(5, 300)), int(random.integers(2, 9))
        vectors = random.normal(size=(n, d))
        lexicon = lexicon_of([f"w{k}" for k in range(n)], vectors)
        k = min(10, n - 1)
        ids, found = lexicon.nearest(range(n), k)
        units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        full = units @ units.T
        np.fill_diagonal(full, -2)
        np.testing.assert_allclose(found, -np.sort(-full, axis=1)[:, :k], atol=1e-5)
        np.testing.assert_allclose(np.take_along_axis(full, ids, axis=1), found, atol=1e-5)
        assert all(len({*row, own}) == k + 1 for own, row in enumerate(ids))


def test_the_plane_keeps_most_of_the_variance_and_says_how_much(view):
    own = UNITS[[WORDS.index(word) for word in SHOWN]]
    values = np.linalg.eigvalsh(np.cov(own.T))[::-1]
    np.testing.assert_allclose(view.facts["shares"], values[:2] / values.sum(), atol=1e-5)
    spread = view.shown.points[: len(SHOWN)].var(axis=0, ddof=1)
    np.testing.assert_allclose(spread, values[:2], rtol=1e-4)
    flat = plane_of(np.ones((4, 3)))
    assert (flat.shares.tolist(), flat.at(np.ones((1, 3))).tolist()) == ([0, 0], [[0, 0]])


def test_what_is_shown_without_being_named():
    words, vectors = [f"w{k}" for k in range(300)], np.random.default_rng(0).normal(size=(300, 5))
    for more, shown, groups in (
        ({}, words[:150], []),
        ({"groups": {"a": words[7:12], "b": words[:3]}}, [*words[7:12], *words[:3]], ["a", "b"]),
        ({"shown": words[:20], "groups": {"a": words[:3]}}, words[:20], ["a", "other"]),
    ):
        view = embedding(words, vectors, **more)
        assert [words[k] for k in view.shown.ids[: view.facts["shown"]]] == shown
        assert view.facts["groups"] == groups


def test_sums_rank_all_words_but_their_inputs():
    far = ("man", "prince", "woman", "salt")
    view = everything(analogies=[*ANALOGIES, far])
    for minus, plus, added, expected in (*ANALOGIES, far):
        inputs = [WORDS.index(word) for word in (plus, minus, added)]
        total = UNITS[inputs[0]] - UNITS[inputs[1]] + UNITS[inputs[2]]
        values = UNITS @ total / np.linalg.norm(total)
        others = [k for k in np.argsort(-values) if k not in inputs]
        answer = view.answers[f"{plus} - {minus} + {added}"]
        assert answer.ids[answer.ranks > 0].tolist()[:6] == others[:6]
        assert {*inputs, WORDS.index(expected)} <= set(answer.ids.tolist())
        assert len(answer.ids) == 10
        np.testing.assert_allclose(answer.cosines, -np.sort(-values[answer.ids]), atol=1e-6)
        assert answer.rank == 1 + others.index(WORDS.index(expected))
    assert answer.rank > 7


def test_a_sum_is_read_as_it_is_written(view):
    for written, question in {
        "king-man+woman": "king - man + woman",
        "man:king::woman:?": "king - man + woman",
        "  King  −  Man + woman ": "king - man + woman",
        "man : king :: woman : queen": "king - man + woman",
        "man : king :: woman : princess": "king - man + woman = princess",
    }.items():
        view.word = "frog"
        view.ask(written)
        assert (view.question, view.word) == (question, ""), written
        assert f"sum {question}" in view.parts
        view.question = written
        assert view.question == question


def test_what_is_no_sum_says_what_is(view):
    before = view.controls()
    for written, said in {
        "kinng": "word: 'kinng' is none of the 16 words: nearest in spelling: 'king'",
        "king - man": "question: expected a sum of three words, 'king - man \\+ woman' or .*",
        "king - man + man": "question: expected three different words, came 'king - man \\+ man'",
        "man : king :: woman : king": "question: the answer 'king' equals an input",
    }.items():
        with pytest.raises(ValueError, match=said):
            view.ask(written)
        assert view.controls() == before
    flat = embedding([*"pqrs"], [[1, 0], [0.5, 0.75**0.5], [-0.5, 0.75**0.5], [0, 1]])
    with pytest.raises(ValueError, match=r"question: p - q \+ r is zero"):
        flat.ask("p - q + r")


# ---- what travels


def test_any_word_and_any_sum_become_parts():
    words = [f"w{k}" for k in range(400)]
    view = embedding(words, np.random.default_rng(0).normal(size=(400, 30)), shown=words[:6])
    other = next(word for word in reversed(words) if not view.shown.holds(words.index(word)))
    view.word = other
    assert view.needs() == ["map", f"word {other}"]
    assert answers(view, ask=3, text="w1 - w2 + w3") == [({"asked": 3}, None)]
    assert (view.question, view.word) == ("w1 - w2 + w3", "")
    for text in ("w9999", "w1 - w1 + w3", "w1 - w2 + w9999", "w1 +", ""):
        ((content, _),) = answers(view, ask=5, text=text)
        assert "Error" not in (problem := content["problem"])
        assert not problem.startswith(("word", "question")), problem
    assert view.question == "w1 - w2 + w3"


# ---- senses


def test_layers_are_turned_and_never_stretched():
    for seed in range(10):
        random = np.random.default_rng(seed)
        points, goal = random.normal(size=(2, 7, 2))
        points, goal = points - points.mean(axis=0), goal - goal.mean(axis=0)
        found = turned(points, goal)
        np.testing.assert_allclose(found @ found.T, points @ points.T, atol=1e-4)
        best = ((found - goal) ** 2).sum()
        for angle in np.linspace(0, 2 * np.pi, 72):
            c, s = np.cos(angle), np.sin(angle)
            for mirror in (1, -1):
                turn = np.array([[c, -s], [s, c]]) @ np.diag([1, mirror])
                assert ((points @ turn - goal) ** 2).sum() >= best - 1e-4


def test_sentences_stand_sense_by_sense():
    given = sentences()
    view = everything(senses={"stick": [given[k] for k in (3, 0, 4, 1, 2)]})
    one = view.senses["stick"]
    assert (one.names, one.sense) == (("hold", "wood"), (0, 0, 1, 1, 1))
    assert [tokens[1] + tokens[4] for tokens in one.sentences][:3] == ["hold0", "hold1", "wood0"]
    states = np.stack([given[k]["states"] for k in (3, 4, 0, 1, 2)], axis=1)
    units = states / np.linalg.norm(states, axis=2, keepdims=True)
    np.testing.assert_allclose(one.cosines, units @ units.transpose(0, 2, 1), atol=1e-6)


# ---- rows and controls


def test_the_table_has_all_numbers_whatever_is_on_screen(view):
    rows = view.table()
    assert rows[0] == ["kind", "layer", "item", "other", "quantity", "value"]
    value = {tuple(row[:5]): row[5] for row in rows[1:]}
    assert len(value) == len(rows) - 1
    assert value["map", "", "rome", "places", "x"] == view.shown.at(WORDS.index("rome"))[0]
    ids, cosines = view.shown.ten(WORDS.index("king"))
    assert value["nearest", "", "king", WORDS[ids[1]], "cosine"] == cosines[1]
    sum_ = "king - man + woman"
    assert value["sum", "", sum_, "queen", "cosine"] == view.answers[sum_].cosines[0]
    one = view.senses["club"]
    said = "2 the wood stick number 1", "4 the hold stick number 0"
    assert value["senses of club", "1", *said, "cosine"] == one.cosines[1, 1, 3]
    assert value["senses of club", "2", said[0], "", "y"] == one.points[2, 1, 1]
    view.question, view.tab = sum_, "senses"
    assert view.table() == rows


def test_alt_is_one_plain_line_of_data_and_controls(view):
    assert view.alt == "12 of 16 words on a map"
    view.word = "rome"
    assert view.alt == "12 of 16 words on a map; word 'rome'"
    view.question = "king - man + woman"
    assert view.alt == "12 of 16 words on a map; sum 'king - man + woman'"
    view.tab, view.sentence = "senses", 3
    assert view.alt == "'stick' in 5 sentences; layer 2 of 2, sentence 3"


def test_one_control_moves_another(view):
    view.word = "king"
    view.question = "paris - france + italy"
    assert (view.word, view.question) == ("", "paris - france + italy")
    view.word = "Frog"
    assert (view.word, view.question) == ("frog", "")
    view.set_state({"word": "", "question": "king - man + woman"})
    assert (view.word, view.question) == ("", "king - man + woman")
    view.tab, view.sense_word = "senses", "club"
    assert view.needs() == ["map", "senses club"]


# ---- what is refused


def called(words=WORDS, vectors=VECTORS, **more):
    return lambda: embedding(words, vectors, **{"shown": SHOWN, "groups": GROUPS, **more})


def of_sticks(*told):
    return called(senses={"stick": told})


def changed(k, **fields):
    told = sentences()
    return of_sticks(*told[:k], {**told[k], **fields}, *told[k + 1 :])


def test_what_is_refused_says_what_was_expected():
    told, both = sentences(), {"stick": sentences(), "club": sentences(layers=4)}
    zero = VECTORS * (np.arange(16) != 3)[:, None]
    bad = {
        "words: expected different strings, came 'king' at 0 and at 1": called(
            ["king"] * 2, np.eye(2)
        ),
        "vectors: expected a row for each of 16 words": called(vectors=np.ones(16)),
        r"vectors\[3\], of 'woman', is zero": called(vectors=zero),
        "words: expected at least 4, came 2": called(["a", "b"], np.eye(2)),
        "shown: expected 4 to 500 different words": called(shown=["king", "man"], groups=None),
        r"groups\['a'\]: 'boy' is not in shown": called(groups={"a": ["boy"]}),
        r"groups\['b'\]: 'king' is in groups": called(groups={"a": ["king"], "b": ["king"]}),
        "groups: expected at most 5, came 6": called(groups={k: ["king"] for k in "abcdef"}),
        r"groups\['a'\]: expected at least one word": called(groups={"a": []}),
        r"analogies\[0\]: expected four words": called(analogies=[("man", "king")]),
        r"'king - man \+ woman' is asked twice": called(analogies=ANALOGIES[:1] * 2),
        "senses: expected a mapping from 1 to 20 words": called(senses=[told]),
        r"expected 2 to 3 senses, came \['wood'\]": of_sticks(*told[:3]),
        "the sense 'hold' has one sentence": of_sticks(*told[:4]),
        "expected 3 to 16 sentences, came 2": of_sticks(*told[:2]),
        r"expected shape \(layers, d\), came \(3,\)": changed(0, states=[1, 2, 3]),
        r"'stick'\]: expected states of one shape": changed(0, states=np.ones((2, 3))),
        r"\[2\]\['states'\]\[1\] is zero": changed(2, states=[[1] * 3, [0] * 3, [1] * 3]),
        "senses: expected states of one shape for all words": called(senses=both),
    }
    refused((TypeError, ValueError), bad)
