"""Word vectors: neighbours, sums and senses by hand; what is refused; what a kernel adds."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from seqviz.view import embedding
from seqviz.views.embedding.plane import plane_of, turned
from seqviz.views.embedding.sentence import counted, nth
from seqviz.views.embedding.values import lexicon_of
from tests.views.test_page import scripts_end_where_the_page_ends_them

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


def cosines(vector):
    return VECTORS @ vector / np.linalg.norm(VECTORS, axis=1) / np.linalg.norm(vector)


def opened(part):
    """Numbers and words of a part."""
    (n,) = struct.unpack("<I", part[:4])
    return np.frombuffer(part[4 : 4 + 4 * n], "<f4"), json.loads(part[4 + 4 * n :])


# ---- neighbours and the map


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_neighbours_are_those_of_all_directions(seed):
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
    units = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    own = units[[WORDS.index(word) for word in SHOWN]]
    values = np.linalg.eigvalsh(np.cov(own.T))[::-1]
    np.testing.assert_allclose(view.facts["shares"], values[:2] / values.sum(), atol=1e-5)
    spread = view.shown.points[: len(SHOWN)].var(axis=0, ddof=1)
    np.testing.assert_allclose(spread, values[:2], rtol=1e-4)


def test_a_sum_is_the_fourth_corner_of_a_parallelogram(view):
    units, plane = view.lexicon.units, view.shown.plane
    a, b, c = (WORDS.index(word) for word in ("king", "man", "woman"))
    corner = plane.at((units[a] - units[b] + units[c])[None])[0]
    x, y, z = (view.shown.at(k) for k in (a, b, c))
    np.testing.assert_allclose(corner, x - y + z, atol=1e-6)


def test_the_headline_names_the_first_that_looks_far(view):
    shown = view.shown
    for word in WORDS:
        view.word = word
        place = WORDS.index(word)
        order = [k for k in np.argsort(-cosines(VECTORS[place])) if k != place][:10]
        here = shown.at(place)
        apart = np.linalg.norm(shown.points[: len(SHOWN)] - here, axis=1)
        far = []
        for rank, k in enumerate(order, 1):
            away = np.linalg.norm(shown.at(k) - here)
            among = [x not in (word, WORDS[k]) for x in SHOWN]
            nearer = int((apart[among] < away - 1e-9).sum())
            if nearer >= view.facts["far"]:
                far.append((rank, WORDS[k], nearer))
        if not far:
            said = f"“{word}”: its ten nearest words lie close on the map too."
        else:
            rank, other, nearer = far[0]
            which = "nearest" if rank == 1 else f"{nth(rank)} nearest"
            said = f"“{other}” is {which} to “{word}”; on the map {nearer} words lie nearer."
        assert view.headline == said
    assert view.alt == f"12 of 16 words as a map: {view.headline}"
    assert view._repr_mimebundle_()[0]["text/plain"] == view.alt


def test_without_a_lock_the_map_opens_where_it_misleads_most(view):
    assert view.word == ""

    def misled(word):
        place = WORDS.index(word)
        ids, _ = view.shown.ten(place)
        return max(view.shown.nearer(place, k) / r for r, k in enumerate(ids, 1))

    assert misled(view.facts["opening"]) == max(map(misled, SHOWN))
    assert view.facts["opening"] in SHOWN
    assert f"“{view.facts['opening']}”" in view.headline


def test_what_is_shown_without_being_named():
    random = np.random.default_rng(0)
    words, vectors = [f"w{k}" for k in range(300)], random.normal(size=(300, 5))
    view = embedding(words, vectors)
    assert view.facts["shown"] == 150
    assert [words[k] for k in view.shown.ids[:150]] == words[:150]
    few = embedding(words, vectors, groups={"a": words[7:12], "b": words[:3]})
    assert [words[k] for k in few.shown.ids[: few.shown.count]] == [*words[7:12], *words[:3]]
    assert few.facts["groups"] == ["a", "b"]
    rest = embedding(words, vectors, shown=words[:20], groups={"a": words[:3]})
    assert rest.facts["groups"] == ["a", "other"]


# ---- sums


def test_sums_rank_all_words_but_their_inputs(view):
    view.question = "king - man + woman"
    assert view.headline == "“king” − “man” + “woman” lands nearest to “queen”."
    view.question = "paris - france + italy"
    assert view.headline.startswith("“paris” − “france” + “italy” gives ✗ “italian”; “rome” is ")
    units = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    for plus, minus, added in (("king", "man", "woman"), ("paris", "france", "italy")):
        inputs = [WORDS.index(word) for word in (plus, minus, added)]
        total = units[inputs[0]] - units[inputs[1]] + units[inputs[2]]
        values = units @ total / np.linalg.norm(total)
        others = [k for k in np.argsort(-values) if k not in inputs]
        answer = view.answers[f"{plus} - {minus} + {added}"]
        ranked = answer.ids[answer.ranks > 0].tolist()
        assert ranked[:6] == others[:6]
        assert set(inputs) <= set(answer.ids.tolist())
        assert (np.diff(answer.cosines) <= 0).all()
        np.testing.assert_allclose(answer.cosines, values[answer.ids], atol=1e-6)
        assert answer.rank == 1 + others.index(answer.question.expected)


def test_an_expected_answer_that_is_far_is_listed_with_its_rank():
    view = everything(analogies=[("man", "king", "woman", "salt")])
    answer = view.answers["king - man + woman"]
    assert answer.rank == 13
    assert answer.ranks[answer.ids == WORDS.index("salt")] == [13]
    assert len(answer.ids) == 10
    view.question = "king - man + woman"
    assert view.headline.endswith("gives ✗ “queen”; “salt” is 13th.")


@pytest.mark.parametrize(
    ("written", "question"),
    [
        ("king - man + woman", "king - man + woman"),
        ("man : king :: woman : ?", "king - man + woman"),
        ("man:king::woman:?", "king - man + woman"),
        ("  king  −  man + woman ", "king - man + woman"),
        ("king-man+woman", "king - man + woman"),
        ("King - Man + Woman", "king - man + woman"),
        ("man : king :: woman : queen", "king - man + woman"),
        ("man : king :: woman : princess", "king - man + woman = princess"),
        ("king - man + woman = princess", "king - man + woman = princess"),
        ("boy - man + woman", "boy - man + woman"),
    ],
)
def test_a_sum_is_read_as_it_is_written(view, written, question):
    view.ask(written)
    assert (view.question, view.word) == (question, "")
    assert f"sum {question}" in view.parts
    view.question = written
    assert view.question == question


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("kinng", "word: 'kinng' is none of the 16 words: nearest in spelling: 'king'"),
        ("kinng - man + woman", "question: 'kinng' is none of the 16 words: nearest .*'king'"),
        ("king - man", "question: expected a sum of three words, 'king - man \\+ woman' or .*"),
        ("man : king", "question: expected a sum of three words"),
        ("king - man + man", "question: expected three different words, came 'king - man \\+ man'"),
        ("man : king :: woman : king", "question: the answer 'king' equals an input"),
    ],
)
def test_what_is_no_sum_says_what_is(view, written, said):
    before = view.controls()
    with pytest.raises(ValueError, match=said):
        view.ask(written)
    assert view.controls() == before


def test_a_sum_of_nothing_has_no_direction():
    view = embedding([*"pqrs"], [[1, 0], [0.5, 0.75**0.5], [-0.5, 0.75**0.5], [0, 1]])
    with pytest.raises(ValueError, match=r"question: p - q \+ r is zero"):
        view.ask("p - q + r")


# ---- the page gets what it does not have


def test_any_word_and_any_sum_become_parts(monkeypatch):
    words = [f"w{k}" for k in range(400)]
    vectors = np.random.default_rng(0).normal(size=(400, 30))
    view = embedding(words, vectors, shown=words[:6])
    held = {words[k] for k in view.shown.ids[: view.facts["walk"]]}
    other = next(word for word in reversed(words) if word not in held)
    view.word = other
    assert view.facts["asked"] == [other]
    assert view.needs() == ["map", f"word {other}"]
    numbers, told = opened(view.part(f"word {other}"))
    place = words.index(other)
    assert told == [other, *(words[k] for k in view.shown.ten(place)[0])]
    np.testing.assert_array_equal(numbers[:2], view.shown.at(place))
    np.testing.assert_array_equal(numbers[22:], np.float32(view.shown.ten(place)[1]))
    assert set(view._repr_mimebundle_() and view.first) == {"map", f"word {other}"}
    sent = []
    monkeypatch.setattr(view, "send", lambda content, buffers=None: sent.append(content))
    view._answer(view, {"ask": 3, "text": "w1 - w2 + w3"}, [])
    assert sent.pop() == {"asked": 3}
    assert (view.question, view.word) == ("w1 - w2 + w3", "")
    view._answer(view, {"ask": 4, "text": "w9999"}, [])
    answer = sent.pop()
    assert answer["asked"] == 4
    assert answer["problem"].startswith("'w9999' is none of the 400 words")
    assert view.question == "w1 - w2 + w3"
    for text in ("w1 - w1 + w3", "w1 - w2 + w9999", "w1 +", ""):
        view._answer(view, {"ask": 5, "text": text}, [])
        assert "Error" not in (problem := sent.pop()["problem"])
        assert not problem.startswith(("word", "question")), problem


def test_parts_hold_what_the_page_draws(view):
    numbers, words = opened(view.part("map"))
    W, K, k = len(words), view.facts["walk"], view.facts["neighbours"]
    np.testing.assert_array_equal(numbers[: 2 * W].reshape(W, 2), view.shown.points)
    near = numbers[2 * W : 2 * W + K * k].astype(int).reshape(K, k)
    assert [[words[j] for j in row] for row in near] == [
        [WORDS[j] for j in row] for row in view.shown.near
    ]
    assert len(numbers) == 2 * W + 2 * K * k + len(SHOWN)
    assert words[: len(SHOWN)] == SHOWN
    pairs, _ = opened(view.part("pairs"))
    i, j = SHOWN.index("queen"), SHOWN.index("king")
    assert pairs[i * (i - 1) // 2 + j] == pytest.approx(
        cosines(VECTORS[WORDS.index("king")])[WORDS.index("queen")], abs=1e-6
    )


def test_the_page_holds_no_markup_of_a_word():
    bad = "</script><script>window.hit=1</script>"
    words = [bad, *WORDS[1:]]
    told = [{**one, "sentence": [bad, "x", "y"], "sense": one["sense"] + bad}
            for one in sentences()]  # fmt: skip
    view = embedding(words, VECTORS, groups={bad: words}, senses={bad: told}, title=bad)
    assert scripts_end_where_the_page_ends_them(view.to_html())


# ---- senses


def test_ties_are_shared_and_chance_is_counted(view):
    one = view.senses["stick"]
    assert one.names == ("wood", "hold")
    assert one.nearest(0, 0) == [1, 3]  # three states are the same
    assert one.right[0] == pytest.approx(0.5 + 0.5 + 0 + 0 + 0)
    assert one.right[-1] == 5
    assert one.chance == pytest.approx(3 * 2 / 4 + 2 * 1 / 4)
    view.tab, view.layer = "senses", 0
    assert view.headline == "Layer 0 does not tell the senses of “stick” apart: 1 of 5."
    view.sentence = 1
    assert view.headline == (
        "At layer 0 sentence 1 has 2 that are equally near: 1 with the same sense."
    )
    view.sentence = 3
    assert view.headline == "At layer 0 sentence 3 is nearest to 5: ✗ another sense."
    view.layer = 2
    assert view.headline == "At layer 2 sentence 3 is nearest to 1: the same sense."
    view.sentence = 0
    assert view.headline.endswith("5 of 5.")
    assert view.alt == f"“stick” in 5 sentences, layer 2 of 2: {view.headline}"


def test_from_which_layer_on_the_senses_are_apart():
    view = everything(senses={"stick": sentences(layers=6)})
    view.tab = "senses"
    right = view.senses["stick"].right
    sure = next(k for k in range(6) if min(right[k:]) == 5)
    assert 0 < sure < 5
    for layer in range(6):
        view.layer = layer
        apart = f"From layer {sure} on the nearest “stick” has the same sense: 5 of 5."
        assert (view.headline == apart) is (layer >= sure)


def test_means_of_cosines(view):
    one, layer = view.senses["club"], 1
    same, other = [], []
    for i in range(5):
        for j in range(i):
            here = same if one.sense[i] == one.sense[j] else other
            here.append(float(one.cosines[layer, i, j]))
    assert one.means(layer) == (pytest.approx(np.mean(same)), pytest.approx(np.mean(other)))


@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_layers_are_turned_and_never_stretched(seed):
    random = np.random.default_rng(seed)
    points, goal = random.normal(size=(2, 7, 2))
    points, goal = points - points.mean(axis=0), goal - goal.mean(axis=0)
    found = turned(points, goal)

    def apart(x):
        return np.linalg.norm(x[:, None] - x, axis=-1)

    np.testing.assert_allclose(apart(found), apart(points), atol=1e-5)
    best = ((found - goal) ** 2).sum()
    for angle in np.linspace(0, 2 * np.pi, 72):
        c, s = np.cos(angle), np.sin(angle)
        for mirror in (1, -1):
            turn = np.array([[c, -s], [s, c]]) @ np.diag([1, mirror])
            assert ((points @ turn - goal) ** 2).sum() >= best - 1e-4


def test_sentences_stand_sense_by_sense():
    mixed = sentences()
    mixed = [mixed[k] for k in (3, 0, 4, 1, 2)]
    view = everything(senses={"stick": mixed})
    one = view.senses["stick"]
    assert one.names == ("hold", "wood")
    assert one.sense == (0, 0, 1, 1, 1)
    assert [" ".join(tokens) for tokens in one.sentences][:2] == [
        "the hold stick number 0",
        "the hold stick number 1",
    ]
    original = everything().senses["stick"]
    order = [3, 4, 0, 1, 2]
    np.testing.assert_allclose(one.cosines, original.cosines[:, order][:, :, order], atol=1e-6)


def test_plane_of_equal_vectors_keeps_nothing():
    plane = plane_of(np.ones((4, 3)))
    assert plane.shares.tolist() == [0, 0]
    np.testing.assert_array_equal(plane.at(np.ones((4, 3))), np.zeros((4, 2)))


# ---- rows


def test_the_table_has_what_is_on_screen(view):
    view.word = "king"
    rows = view.table()
    assert rows[0] == ["pane", "item", "word", "quantity", "value"]
    ids, found = view.shown.ten(0)
    assert rows[1] == ["nearest to king", "1", WORDS[ids[0]], "cosine", found[0]]
    assert rows[2][3:] == ["words nearer", float(view.shown.nearer(0, ids[0]))]
    assert len(rows) == 1 + 20 + 2 * len(SHOWN)
    assert ["map", "places", "rome", "x"] in [row[:4] for row in rows]
    assert ["map", "other", "frog", "y"] in [row[:4] for row in rows]
    view.question = "king - man + woman"
    rows = [row for row in view.table() if row[0] == "near king - man + woman"]
    assert [row[1] for row in rows].count("left out") == 3
    assert ["near king - man + woman", "rank 1", "queen"] in [row[:3] for row in rows]
    view.tab, view.layer = "senses", 0
    rows = view.table()
    assert rows[1] == ["right by layer", "layer 0", "stick", "sentences", 1.0]
    assert ["right by layer", "by chance", "stick", "sentences", 2.0] in rows
    near = [row[3] for row in rows if row[:2] == ["layer 0: wood", "1"]]
    assert near == ["x", "y", "cosine with its nearest, 2", "cosine with its nearest, 4"]


@pytest.mark.parametrize(("n", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"),
                                         (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"),
                                         (111, "111th"), (1002, "1,002nd")])  # fmt: skip
def test_ordinals(n, text):
    assert nth(n) == text


@pytest.mark.parametrize(("n", "text"), [(0, "0"), (10.0, "10"), (6.2, "6.2"), (1 / 3, "0.3")])
def test_counts(n, text):
    assert counted(n) == text


# ---- controls


def test_a_word_frees_a_sum_and_a_sum_a_word(view):
    view.word = "king"
    view.question = "paris - france + italy"
    assert (view.word, view.question) == ("", "paris - france + italy")
    view.word = "Frog"
    assert (view.word, view.question) == ("frog", "")
    view.set_state({"word": "", "question": "king - man + woman"})
    assert (view.word, view.question) == ("", "king - man + woman")


def test_another_word_keeps_the_layer_and_a_sentence_that_it_has(view):
    assert (view.tab, view.sense_word, view.layer, view.sentence) == ("map", "stick", 2, 0)
    view.tab, view.layer, view.sentence = "senses", 1, 5
    view.sense_word = "club"
    assert (view.layer, view.sentence) == (1, 5)
    assert view.needs() == ["map", "senses club"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("word", "kinng", "word: 'kinng' is none of the 16 words: nearest in spelling: 'king'"),
        ("question", "king", "question: expected a sum of three words"),
        ("tab", "list", "tab: expected 'map' or 'senses', came 'list'"),
        ("sense_word", "bank", "sense_word: expected one of \\['stick', 'club'\\], came 'bank'"),
        ("layer", 3, "layer: expected 0 to 2, came 3"),
        ("sentence", 6, "sentence: expected 0 to 5, came 6"),
    ],
)
def test_a_control_that_is_refused_stays(view, name, value, said):
    before = view.controls()
    with pytest.raises(TraitError, match=said):
        setattr(view, name, value)
    assert view.controls() == before


def test_without_senses_there_is_one_tab():
    view = everything(senses=None)
    with pytest.raises(TraitError, match=r"tab: expected 'map', came 'senses': .* needs senses="):
        view.tab = "senses"
    assert view.facts["senses"] == {}


# ---- what is refused


def changed(k, **fields):
    told = sentences()
    told[k] = {**told[k], **fields}
    return {"stick": told}


BAD = {
    "words: expected different words, came 'king' at 0 and at 1": {"words": ["king"] * 2},
    "words\\[1\\] is empty": {"words": ["king", ""]},
    "words\\[0\\]: expected a string, came int": {"words": [1]},
    "vectors: expected a row for each of 16 words, of at least 2 numbers, came shape \\(16,\\)": {
        "vectors": np.ones(16)
    },
    "vectors: expected a row for each of 15 words": {"words": WORDS[1:]},
    "vectors\\[3\\], of 'woman', is zero": {"vectors": VECTORS * (np.arange(16) != 3)[:, None]},
    "vectors\\[0, 1\\] is nan, expected numbers that are finite": {
        "vectors": np.where(np.arange(8) == 1, np.nan, VECTORS)
    },
    "words: expected at least 4, came 2": {"words": ["a", "b"], "vectors": np.eye(2)},
    "shown: 'kinng' is none of the 16 words: nearest in spelling: 'king'": {"shown": ["kinng"]},
    "shown: expected 4 to 500 different words, came 2": {"shown": ["king", "man", "king"],
                                                         "groups": None},
    "groups\\['a'\\]: 'boy' is not in shown": {"groups": {"a": ["boy"]}},
    "groups\\['b'\\]: 'king' is in groups\\['a'\\], too": {"groups": {"a": ["king"],
                                                                      "b": ["king"]}},
    "groups: expected at most 5, came 6": {"groups": {k: ["king"] for k in "abcdef"}},
    "groups: expected a mapping": {"groups": ["king"]},
    "groups\\['a'\\]: expected at least one word": {"groups": {"a": []}},
    "analogies\\[0\\]: 'kinng' is none .*'king'": {"analogies": [("man", "kinng", "woman", "x")]},
    "analogies\\[0\\]: the answer 'king' equals an input": {
        "analogies": [("man", "king", "woman", "king")]
    },
    "analogies\\[0\\]: expected four words": {"analogies": [("man", "king")]},
    "analogies\\[1\\]: 'king - man \\+ woman' is asked twice": {"analogies": ANALOGIES[:1] * 2},
    "analogies\\[0\\]: expected three different": {"analogies": [("man", "man", "king", "boy")]},
    "senses: expected a mapping from 1 to 20 words": {"senses": [sentences()]},
    "STICK: expected 2 to 3 senses, came \\['wood'\\]": {
        "senses": {"stick": sentences()[:3]}
    },
    "STICK: the sense 'hold' has one sentence": {"senses": {"stick": sentences()[:4]}},
    "STICK: expected 3 to 16 sentences, came 2": {"senses": {"stick": sentences()[:2]}},
    "STICK\\[1\\]\\['at'\\]: expected 0 to 4, came 5": {"senses": changed(1, at=5)},
    "STICK\\[1\\]\\['at'\\]: expected a whole number": {"senses": changed(1, at=True)},
    "STICK\\[0\\]\\['states'\\]: expected shape \\(layers, d\\), came \\(3,\\)": {
        "senses": changed(0, states=[1, 2, 3])
    },
    "STICK: expected states of one shape": {"senses": changed(0, states=np.ones((2, 3)))},
    "STICK\\[2\\]\\['states'\\]\\[1\\] is zero": {
        "senses": changed(2, states=[[1, 1, 1], [0, 0, 0], [1, 1, 1]])
    },
    "STICK\\[0\\]: expected a mapping with": {"senses": {"stick": [{"at": 1}] * 3}},
    "STICK\\[0\\]\\['sentence'\\] is empty": {"senses": changed(0, sentence="")},
    "senses: expected states of one shape for all words": {
        "senses": {"stick": sentences(), "club": sentences(layers=4)}
    },
    "title: expected one line": {"title": "a\nb"},
}  # fmt: skip


@pytest.mark.parametrize("said", BAD)
def test_what_is_refused_says_what_was_expected(said):
    given = {"words": WORDS, "vectors": VECTORS, "shown": SHOWN, "groups": GROUPS, **BAD[said]}
    words = given.pop("words")
    vectors = given.pop("vectors")
    if len(words) < 3:
        vectors = vectors[: len(words)]
    with pytest.raises((TypeError, ValueError), match=said.replace("STICK", r"senses\['stick'\]")):
        embedding(words, vectors, **given)
