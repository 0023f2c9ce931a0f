"""What the map of words decides before it is drawn, and what its sentences say."""

import itertools

import numpy as np
import pytest

from seqviz.view import embedding
from tests.views.test_embedding import SHOWN, UNITS, WORDS, everything, sentences

pytestmark = pytest.mark.browser

ROOM = "embedding/"
ALL = ROOM + "view.js"  # with it come all files of the room
MEASURE = "(text, font) => 0.6 * parseFloat(font.match(/([\\d.]+)px/)[1]) * text.length"
SIZE = f"""{{u: 14, W: 480, H: 430, side: 308, sideHeight: 430, chartHeight: 165,
    measure: {MEASURE}}}"""
far = everything(analogies=[("man", "king", "woman", "salt")])


@pytest.fixture(scope="module")
def view():
    return everything()


# ---- the words


LEXICON = """(facts, map, pairs, calls) => {
    const lexicon = new Lexicon(facts, unpacked(map));
    lexicon.pairs = unpacked(pairs).cosines;
    const id = word => lexicon.ids.get(word);
    return [lexicon.words[lexicon.opening],
        calls.map(([name, a, b]) => lexicon[name](id(a), id(b)))];
}"""


def asked(script, view, name, pairs):
    calls = [(name, *pair) for pair in pairs]
    return script(ALL, LEXICON, view.facts, view.part_of("map"), view.part_of("pairs"), calls)


def nearer(view, a, b):
    """How many words of the map lie nearer to one than another does."""
    places, shown = view.lexicon.places, view.shown
    here, away = (shown.at(places[word]).astype(float) for word in (a, b))
    others = [shown.at(k) for k in shown.ids[: shown.count] if k not in (places[a], places[b])]
    return sum(((other - here) ** 2).sum() < ((away - here) ** 2).sum() for other in others)


def test_the_page_counts_on_the_map_and_in_all_directions(script, view):
    pairs = [*itertools.permutations(WORDS, 2)]
    _, found = asked(script, view, "nearer", pairs)
    assert found == [nearer(view, *pair) for pair in pairs]
    both = [*itertools.permutations(SHOWN, 2)]
    _, found = asked(script, view, "cosine", both)
    expected = [UNITS[WORDS.index(a)] @ UNITS[WORDS.index(b)] for a, b in both]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    _, found = asked(script, view, "isNear", pairs)
    for (a, b), near in zip(pairs, found, strict=True):
        i, j = WORDS.index(a), WORDS.index(b)
        ten = j in view.shown.ten(i)[0]
        others = [k for k in map(WORDS.index, SHOWN) if k not in (i, j)]
        closer = sum(UNITS[i] @ UNITS[k] > UNITS[i] @ UNITS[j] for k in others)
        both = a in SHOWN and b in SHOWN
        assert near is bool(ten or (both and closer < view.facts["far"])), (a, b)


def test_it_opens_with_the_word_that_the_map_misleads_most_about(script, view):
    def misled(word):
        ids, _ = view.shown.ten(WORDS.index(word))
        return max(nearer(view, word, WORDS[k]) / rank for rank, k in enumerate(ids, 1))

    opening, found = asked(script, view, "misled", [(word, word) for word in SHOWN])
    assert found == [misled(word) for word in SHOWN]
    assert opening == SHOWN[found.index(max(found))] == "frog"


def test_a_cosine_that_the_page_lacks_is_none(script):
    words = [f"w{k}" for k in range(300)]
    vectors = np.random.default_rng(0).normal(size=(300, 20))
    view = embedding(words, vectors, shown=words[:6])
    ids, cosines = view.shown.ten(0)
    guest = words[ids[0]]
    stranger = next(words[k] for k in view.shown.ids[6:] if not view.shown.holds(k))
    pairs = [("w0", guest), (guest, "w0"), ("w0", stranger)]
    _, found = asked(script, view, "cosine", pairs)
    assert found == [pytest.approx(cosines[0]), pytest.approx(cosines[0]), None]


# ---- the field


def test_the_field_knows_what_the_page_holds(script, view):
    call = """(text, words, sums) => readField(text, {knows: word => words.includes(word), sums})"""
    sum_ = {"question": "king - man + woman"}
    for text, found in {
        "king": {"word": "king"},
        " King ": {"word": "king"},
        "king - man + woman": sum_,
        "king  −  man + woman": sum_,
        "king-man+woman": sum_,
        "King - Man + Woman": sum_,
        "man : king :: woman : ?": sum_,
        "man:king::woman:queen": sum_,
        "man : king :: woman : girl": {"missing": "sum", "text": "man : king :: woman : girl"},
        "boy - man + woman": {"missing": "sum", "text": "boy - man + woman"},
        "pizza": {"missing": "word", "text": "pizza"},
    }.items():
        assert script(ROOM + "field.js", call, text, WORDS, view.facts["sums"]) == found, text


# ---- the scene and its sentences


SCENE = f"""(facts, parts, state, question) => {{
    const lexicon = new Lexicon(facts, unpacked(parts.map));
    lexicon.pairs = unpacked(parts.pairs).cosines;
    const id = word => word === null ? null : lexicon.ids.get(word);
    const asked = facts.sums.find(({{text}}) => text === question);
    const sum = asked ? lexicon.answer(unpacked(parts[question]), asked) : null;
    const over = state.over && {{pane: state.over[0], id: id(state.over[1])}};
    const own = {{...state, focus: id(state.focus), over}};
    const camera = cameraOf(lexicon, own, sum);
    const scene = mapScene({{facts, lexicon, sum, state: own, size: {SIZE}, camera,
        moving: false}});
    const words = list => list.map(one => ({{...one, word: lexicon.words[one.id]}}));
    return {{...scene, marks: words(scene.marks), labels: words(scene.labels), camera,
        said: spoken(mapHeadline(scene)), detail: mapDetail(scene, facts),
        list: listOf(scene, () => 0), view: null, csv: mapTable(scene, lexicon, facts)}};
}}"""


@pytest.fixture
def seen(script, view):
    """What is to be seen as the controls stand."""

    def seen(focus="king", *, locked=True, over=None, zoom=True, question="", of=view):
        parts = {"map": of.part_of("map"), "pairs": of.part_of("pairs")}
        parts |= {text: of.part_of(f"sum {text}") for text in of.facts["presets"]}
        state = {"focus": focus, "locked": locked, "over": over, "zoom": zoom}
        return script(ALL, SCENE, of.facts, parts, state, question)

    return seen


def test_long_names_are_cut_shorter_before_one_lies_over_another(seen):
    letters = np.random.default_rng(0).choice([*"abcdefghij"], (60, 27))
    words, vectors = (
        ["".join(word) for word in letters],
        np.random.default_rng(0).normal(size=(60, 8)),
    )
    labels = seen(words[0], of=embedding(words, vectors))["labels"]
    boxes = [label["box"] for label in labels if label["must"]]
    assert len(boxes) == 11
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_what_the_map_says(seen, view):
    close = embedding(["cat", "dog", "sun", "sea"], [[1, 0.1], [0.9, 0.2], [0, 1], [-1, 0.3]])
    for said, controls in {
        "“paris” is 2nd nearest to “frog”; on the map 3 words lie nearer.": {"focus": "frog"},
        "“princess” is 5th nearest to “rome”; on the map 8 words lie nearer.": {"focus": "rome"},
        "“cat”: its three nearest words lie close on the map too.": {"focus": "cat", "of": close},
        "“king” − “man” + “woman” lands nearest to “queen”.": {"question": "king - man + woman"},
        "“king” − “man” + “woman” gives ✗ “queen”; “salt” is 13th.": {
            "question": "king - man + woman",
            "of": far,
        },
        "The sum and “rome”: cosine 0.67.": {
            "question": "paris - france + italy",
            "over": ["list", "rome"],
        },
        "The sum and “king”: cosine not known here.": {
            "question": "paris - france + italy",
            "over": ["map", "king"],
        },
    }.items():
        assert seen(**controls)["said"] == said
    kept = "The map keeps 2 of 8 directions, 50\u00a0% of the variance; the list uses all."
    assert seen("rome")["detail"] == f"5 of the ten look far. {kept}"
    detail = seen(question="king - man + woman")["detail"]
    assert detail == (
        "The three input words are left out, and here the answer would come first even with them."
    )


def test_two_words_are_compared_in_words(seen):
    for a, b, ending, cosine in [
        ("king", "man", "are near on the map and in all directions.", "0.70"),
        ("king", "queen", "only look far: they are near.", "0.50"),
        ("king", "rome", "are far on the map and in all directions.", "−0.02"),
        ("italy", "france", "only look near: they are not.", "0.02"),
    ]:
        found = seen(a, over=["map", b])
        assert found["said"] == f"“{a}” and “{b}” {ending}"
        assert found["detail"].startswith(f"Cosine {cosine} in all 8 directions; on the map ")
    assert "on the map 1 word lies nearer to “king”." in seen("king", over=["map", "man"])["detail"]


def test_rays_are_dashed_where_the_map_misleads(seen, view):
    found = seen("rome")
    ids, cosines = view.shown.ten(WORDS.index("rome"))
    counts = [nearer(view, "rome", WORDS[k]) for k in ids]
    far = [count >= view.facts["far"] for count in counts]
    assert [ray["far"] for ray in found["rays"]] == far
    notes = [row["note"] for row in found["rows"]]
    assert notes == [f"{n} nearer" if f else "close" for n, f in zip(counts, far, strict=True)]
    rows = found["csv"]
    assert rows[1] == ["nearest to rome", "1", WORDS[ids[0]], "cosine", pytest.approx(cosines[0])]
    assert rows[2][3:] == ["words nearer", counts[0]]
    assert ["map", "places", "rome", "x"] in [row[:4] for row in rows]


def test_a_guest_is_a_ring_and_only_there_while_it_is_a_neighbour(seen, view):
    found = seen("frog", zoom=False)
    guests = {mark["word"] for mark in found["marks"] if mark["kind"] == "guest"}
    ten = {WORDS[k] for k in view.shown.ten(WORDS.index("frog"))[0]}
    assert guests == ten - set(SHOWN)
    shapes = {mark["word"]: mark["kind"] for mark in found["marks"]}
    assert (shapes["king"], shapes["rome"], shapes["frog"]) == (0, 1, 2)


def test_the_cross_is_the_fourth_corner(seen):
    found = seen(question="king - man + woman")
    square = found["square"]
    plus, minus, added = (np.array(square[name]) for name in ("plus", "minus", "added"))
    np.testing.assert_allclose(square["corner"], plus - minus + added, atol=1e-4)
    assert [goal["tone"] for goal in square["goals"]] == ["strong"]
    miss = seen(question="paris - france + italy")
    assert [goal["tone"] for goal in miss["square"]["goals"]] == ["u", "strong"]
    notes = {row["text"]: row["note"] for row in miss["rows"]}
    assert (notes["italian"], notes["rome"]) == ("✗ wrong", "✓ expected")
    assert notes["paris"] == notes["france"] == notes["italy"] == "left out"


def test_arrows_go_to_the_nearest_word_in_their_direction(script):
    hits = [{"id": k, "x": x, "y": y} for k, (x, y) in
            enumerate([(0, 0), (10, 1), (30, 0), (0, 20), (-5, -9), (100, 99)])]  # fmt: skip
    for at, way, to in (
        (0, [1, 0], 1),
        (1, [1, 0], 2),
        (0, [0, 1], 3),
        (0, [0, -1], 4),
        (0, [-1, 0], None),
        (5, [1, 0], None),
    ):
        assert script(ROOM + "scene.js", "stepFrom", hits, at, way) == to, (at, way)


# ---- senses


SENSES = f"""(given, part, state, at) => {{
    const senses = new Senses(given, unpacked(part));
    const scene = sensesScene({{word: 'stick', senses, state, size: {SIZE}, at}});
    const {{chart, list, marks, arrows, rings, trail, layer, chosen}} = scene;
    return {{chart, list, marks, arrows, rings, trail, layer, chosen, csv: sensesTable(scene),
        said: spoken(sensesHeadline(scene)), detail: sensesDetail(scene),
        right: senses.right, chance: senses.chance,
        under: [[30, 100], [100, 300], [1000, 20]].map(([x, y]) => sideAt(scene, x, y))}};
}}"""


@pytest.fixture
def told(script, view):
    def told(layer, sentence=-1, over=None, at=None, of=view, word="stick"):
        state = {"layer": layer, "sentence": sentence, "over": over}
        given = of.facts["senses"][word], of.part_of(f"senses {word}"), state
        return script(ALL, SENSES, *given, layer if at is None else at)

    return told


def test_what_the_senses_say(told):
    for (layer, sentence), said in {
        (0, -1): "In the embeddings the senses of “stick” are not apart: 1 of 5.",
        (0, 0): "In the embeddings sentence 1 has 2 that are equally near: 1 with the same sense.",
        (0, 2): "In the embeddings sentence 3 is nearest to 5: ✗ another sense.",
        (2, 2): "After 2 layers sentence 3 is nearest to 1: the same sense.",
        (2, -1): "After 1 layer and later the nearest “stick” has the same sense: 5 of 5.",
    }.items():
        assert told(layer, sentence)["said"] == said
    first = told(0)
    assert first["detail"].startswith("By chance 2. Mean cosine: same sense 0.")
    assert first["detail"].endswith(" 3 have several equally near, which share.")
    assert told(2, 2)["detail"].endswith(
        ": “the wood stick number 2” and “the wood stick number 0”."
    )
    assert (first["right"][0], first["right"][2], first["chance"]) == (1, 5, 2)
    rows = first["csv"]
    assert rows[1] == ["right by layer", "layer 0", "stick", "sentences", 1]
    near = [row[3] for row in rows if row[:2] == ["layer 0: wood", "1"]]
    assert near == ["x", "y", "cosine with its nearest, 2", "cosine with its nearest, 4"]


def test_senses_have_means_layers_and_previews(told, view):
    one = view.senses["club"]
    sense = np.array(one.sense)
    same, upper = sense[:, None] == sense, np.triu(np.ones((5, 5)), 1) > 0
    means = [one.cosines[1][upper & pairs].mean() for pairs in (same, ~same)]
    detail = told(1, word="club")["detail"]
    assert "Mean cosine: same sense {:.2f}, another {:.2f}.".format(*means) in detail
    assert told(2, over={"layer": 0})["layer"] == 0
    chosen = told(2, sentence=1, over={"sentence": 3})
    assert (chosen["chosen"], len(chosen["trail"]["points"])) == (3, 3)
    layer, row, outside = told(0)["under"]
    assert (layer, set(row), outside) == ({"layer": 0}, {"sentence"}, None)


def test_marks_that_coincide_are_pushed_side_by_side(script):
    found = script(ROOM + "senses_scene.js", "pushedApart", [[5, 5]] * 3 + [[90, 5]], 20)
    for a, b in itertools.combinations(found, 2):
        assert np.hypot(*np.subtract(a, b)) > 17
    assert found[3] == pytest.approx([90, 5], abs=1e-6)


def test_a_sentence_with_a_tie_has_no_arrow(told):
    first, last = told(0), told(2)
    assert len(first["arrows"]) == 2
    notes = [row["note"].startswith("tie of 2") for row in first["list"]["rows"]]
    assert notes == [True, True, False, True, False]
    assert [row["wrong"] for row in first["list"]["rows"]] == [False, False, True, False, True]
    assert [arrow["right"] for arrow in last["arrows"]] == [True] * 5
    assert all(row["note"].startswith("✓ ") for row in last["list"]["rows"])


def test_a_long_sentence_is_cut_around_its_word(told):
    letters = [*"abcdefghijklmnopqrstuvwxyz"]
    long = [{**one, "sentence": [*letters, "stick", *letters], "at": 26} for one in sentences()]
    view = everything(senses={"stick": long})
    before, word, after = told(0, of=view)["list"]["rows"][0]["pieces"]
    assert (word, before[0], after[-1]) == ("stick", "…", "…")
    assert 0.6 * 12 * len(before + word + after) < 308 - 5 * 14
