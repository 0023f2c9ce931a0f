"""What the map of words decides before it is drawn, as plain functions."""

import base64
import itertools

import numpy as np
import pytest

from seqviz.view import embedding
from seqviz.views.embedding.questions import question_of
from seqviz.views.embedding.senses import TIE
from seqviz.views.embedding.sentence import counted, nth
from seqviz.views.shared import bundle
from tests.views.test_embedding import SHOWN, WORDS, everything, opened, sentences

pytestmark = pytest.mark.browser

ROOM = "embedding/"
MEASURE = "(text, font) => 0.6 * parseFloat(font.match(/([\\d.]+)px/)[1]) * text.length"
SIZE = f"""{{u: 14, W: 480, H: 430, side: 308, sideHeight: 430, chartHeight: 165,
    measure: {MEASURE}}}"""
PART = """const partOf = text => readPart(new DataView(Uint8Array.from(atob(text),
    c => c.charCodeAt(0)).buffer));"""


@pytest.fixture(scope="module")
def room(browser):
    """What calls a function that uses all that the files of the room export, with arguments."""
    page = browser.new_page()
    code = bundle.module(ROOM + "view.js").replace("export default", "")

    def call(function, *arguments):
        return page.evaluate(f"given => {{ {code}\nreturn ({function})(...given); }}", [*arguments])

    yield call
    page.close()


@pytest.fixture(scope="module")
def view():
    return everything()


def sent(view, name):
    return base64.b64encode(view.part(name)).decode()


# ---- the words


LEXICON = f"""(facts, map, pairs, calls) => {{
    {PART}
    const lexicon = new Lexicon(facts, partOf(map));
    lexicon.pairs = partOf(pairs).numbers;
    const id = word => lexicon.ids.get(word);
    return calls.map(([name, a, b]) => lexicon[name](id(a), id(b)));
}}"""


def asked(room, view, calls):
    # one file that imports both
    given = view.facts, sent(view, "map"), sent(view, "pairs"), calls
    return room(LEXICON, *given)


def test_the_page_counts_as_python_does(room, view):
    pairs = [*itertools.permutations(WORDS, 2)]
    found = asked(room, view, [("nearer", *pair) for pair in pairs])
    place = WORDS.index
    assert found == [view.shown.nearer(place(a), place(b)) for a, b in pairs]
    both = [*itertools.permutations(SHOWN, 2)]
    found = asked(room, view, [("cosine", *pair) for pair in both])
    units = view.lexicon.units
    expected = [float(units[place(a)] @ units[place(b)]) for a, b in both]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_near_in_all_directions_is_one_of_the_ten_or_as_near_as_few(room, view):
    pairs = [*itertools.permutations(WORDS, 2)]
    found = dict(zip(pairs, asked(room, view, [("isNear", *p) for p in pairs]), strict=True))
    units = view.lexicon.units
    for (a, b), near in found.items():
        i, j = WORDS.index(a), WORDS.index(b)
        ten = j in view.shown.ten(i)[0]
        others = [k for k in map(WORDS.index, SHOWN) if k not in (i, j)]
        closer = sum(units[i] @ units[k] > units[i] @ units[j] for k in others)
        both = a in SHOWN and b in SHOWN
        assert near is bool(ten or (both and closer < view.facts["far"]))


def test_a_cosine_that_the_page_lacks_is_none(room):
    words = [f"w{k}" for k in range(300)]
    vectors = np.random.default_rng(0).normal(size=(300, 20))
    view = everything_of(words, vectors)
    guest = words[view.shown.ten(0)[0][0]]
    stranger = next(w for w in words[6:] if words.index(w) not in view.shown.ten(0)[0])
    calls = [("cosine", "w0", guest), ("cosine", guest, "w0")]
    near, back = asked(room, view, calls)
    assert near == back == pytest.approx(view.shown.ten(0)[1][0])
    if stranger in {words[k] for k in view.shown.ids}:
        assert asked(room, view, [("cosine", "w0", stranger)])[0] in (
            None,
            pytest.approx(0, abs=1),
        )


def everything_of(words, vectors):
    return embedding(words, vectors, shown=words[:6])


# ---- the field


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("king", {"word": "king"}),
        (" King ", {"word": "king"}),
        ("king - man + woman", {"question": "king - man + woman"}),
        ("king  −  man + woman", {"question": "king - man + woman"}),
        ("king-man+woman", {"question": "king - man + woman"}),
        ("King - Man + Woman", {"question": "king - man + woman"}),
        ("man : king :: woman : ?", {"question": "king - man + woman"}),
        ("man:king::woman:queen", {"question": "king - man + woman"}),
        ("man : king :: woman : girl", {"missing": "sum", "text": "man : king :: woman : girl"}),
        ("boy - man + woman", {"missing": "sum", "text": "boy - man + woman"}),
        ("pizza", {"missing": "word", "text": "pizza"}),
    ],
)
def test_the_field_knows_what_the_page_holds(script, view, text, found):
    call = """(text, words, sums) => readField(text, {knows: word => words.includes(word), sums})"""
    assert script(ROOM + "field.js", call, text, WORDS, view.facts["sums"]) == found
    if "question" in found:  # Python reads it alike
        question = question_of("q", text, view.lexicon)
        assert question.text(WORDS) == found["question"]


# ---- camera and labels


def test_the_scale_is_the_same_on_both_axes(script):
    call = """(box, points) => {
        const {at, sees} = lens(box, {left: 0, right: 400, top: 20, bottom: 220}, 10);
        return points.map(point => [...at(point), sees(at(point))]);
    }"""
    points = [[0, 0], [1, 0], [0, 1], [2, 1], [9, 0]]
    found = script(ROOM + "camera.js", call, [0, 2, 0, 1], points)
    (x, y, _), (x1, y1, _), (x2, y2, _), corner, outside = found
    assert (x1 - x, y1) == (pytest.approx(y - y2), y)
    assert x2 == x
    assert corner[2] is True
    assert outside[2] is False
    assert all(0 <= p[0] <= 400 and 20 <= p[1] <= 220 for p in found[:4])


def test_moving_closer_shows_all_points_and_no_dot(script):
    call = "(points, whole) => closer(points, whole)"
    whole = [0, 10, 0, 10]
    box = script(ROOM + "camera.js", call, [[1, 1], [4, 2]], whole)
    assert box[0] < 1 < 4 < box[1]
    assert box[2] < 1 < 2 < box[3]
    dot = script(ROOM + "camera.js", call, [[5, 5], [5, 5]], whole)
    assert dot[1] - dot[0] > 1


def test_a_name_covers_none_and_waits_for_the_pointer_if_it_must(script):
    random = np.random.default_rng(0)
    call = f"""(wanted, taken) => placeLabels(wanted, taken,
        {{left: 0, right: 480, top: 25, bottom: 400}}, {MEASURE})"""
    spots = random.uniform([20, 40], [460, 390], (120, 2))
    label = {"r": 4, "font": "12px", "height": 13, "must": False}
    wanted = [{**label, "x": x, "y": y, "text": f"word{k}", "k": k}
              for k, (x, y) in enumerate(spots.tolist())]  # fmt: skip
    for one in wanted[:8]:
        one["must"] = True
    taken = [[x - 3, y - 3, x + 3, y + 3, 1] for x, y in spots.tolist()]
    found = script(ROOM + "labels.js", call, wanted, taken)
    placed = {one["k"]: one["box"] for one in found}
    assert {*range(8)} <= placed.keys()
    assert 20 < len(placed) < 120
    boxes = list(placed.values())
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for x0, y0, x1, y1 in boxes:
        assert 0 < x0 < x1 < 480
        assert 25 < y0 < y1 < 400
    for k in placed.keys() - {*range(8)}:
        x0, y0, x1, y1 = placed[k]
        assert not [t for t in taken if x0 < t[2] and t[0] < x1 and y0 < t[3] and t[1] < y1]


def test_a_long_text_is_cut(script):
    call = f"(text, room) => fitted(text, room, {MEASURE}, '10px')"
    assert script(ROOM + "labels.js", call, "abcdef", 60) == "abcdef"
    assert script(ROOM + "labels.js", call, "abcdefghij", 36) == "abcde…"


# ---- the scene


SCENE = f"""(facts, parts, state, question) => {{
    {PART}
    const lexicon = new Lexicon(facts, partOf(parts.map));
    lexicon.pairs = partOf(parts.pairs).numbers;
    const id = word => word === null ? null : lexicon.ids.get(word);
    const told = facts.sums.find(({{text}}) => text === question);
    const sum = told ? lexicon.answer(partOf(parts[question]), told) : null;
    const over = state.over && {{pane: state.over[0], id: id(state.over[1])}};
    const own = {{...state, focus: id(state.focus), over}};
    const camera = cameraOf(lexicon, own, sum);
    const scene = mapScene({{facts, lexicon, sum, state: own, size: {SIZE}, camera,
        moving: false}});
    const words = list => list.map(one => ({{...one, word: lexicon.words[one.id]}}));
    return {{...scene, marks: words(scene.marks), labels: words(scene.labels),
        headline: mapHeadline(scene).map(p => typeof p === 'string' ? p : Object.values(p)[0])
            .join(''),
        detail: mapDetail(scene, facts), list: listOf(scene, () => 0), view: null,
        fourth: sum && scene.view.at(fourth(lexicon, sum.inputs)), camera}};
}}"""


@pytest.fixture
def seen(room, view):
    """What is to be seen as the controls stand."""
    parts = {"map": sent(view, "map"), "pairs": sent(view, "pairs")}
    parts |= {text: sent(view, f"sum {text}") for text in view.facts["presets"]}

    def seen(focus="king", *, locked=True, over=None, zoom=True, question=""):
        state = {"focus": focus, "locked": locked, "over": over, "zoom": zoom}
        return room(SCENE, view.facts, parts, state, question)

    return seen


def test_rays_are_dashed_where_the_map_misleads(seen, view):
    found = seen("rome")
    place = WORDS.index("rome")
    far = [view.shown.nearer(place, k) >= view.facts["far"] for k in view.shown.ten(place)[0]]
    assert [ray["far"] for ray in found["rays"]] == far
    assert True in far
    assert False in far
    widths = [ray["width"] for ray in found["rays"]]
    assert widths == sorted(widths, reverse=True)
    notes = [row["note"] for row in found["rows"]]
    counts = [view.shown.nearer(place, k) for k in view.shown.ten(place)[0]]
    assert notes == [f"{n} nearer" if f else "close" for n, f in zip(counts, far, strict=True)]


def test_a_guest_is_a_ring_and_only_there_while_it_is_a_neighbour(seen, view):
    found = seen("frog", zoom=False)
    guests = {mark["word"] for mark in found["marks"] if mark["kind"] == "guest"}
    ten = {WORDS[k] for k in view.shown.ten(WORDS.index("frog"))[0]}
    assert guests == ten - set(SHOWN)
    assert "toad" in guests
    shapes = {mark["word"]: mark["kind"] for mark in found["marks"]}
    assert (shapes["king"], shapes["rome"], shapes["frog"]) == (0, 1, 2)


def test_a_preview_stands_in_for_the_focus_until_one_is_locked(seen):
    assert seen("king", locked=False, over=["map", "frog"])["word"] == "frog"
    locked = seen("king", locked=True, over=["map", "frog"])
    assert locked["word"] == "king"
    assert locked["other"]["word"] == "frog"
    assert len(locked["rows"]) >= 10
    listed = seen("king", locked=False, over=["list", "queen"])
    assert (listed["word"], listed["other"]["word"]) == ("king", "queen")
    assert listed["other"]["cos"] is not None


def test_two_words_are_compared_in_words(seen, view):
    for a, b in itertools.permutations(SHOWN, 2):
        i, j = WORDS.index(a), WORDS.index(b)
        found = seen(a, over=["map", b])
        looks = view.shown.nearer(i, j) < view.facts["far"]
        units = view.lexicon.units
        near = found["other"]["isNear"]
        ending = {
            (True, True): "are near on the map and in all directions.",
            (True, False): "only look near: they are not.",
            (False, True): "only look far: they are near.",
            (False, False): "are far on the map and in all directions.",
        }[looks, near]
        assert found["headline"] == f"“{a}” and “{b}” {ending}"
        said = f"{units[i] @ units[j]:.2f}".replace("-", "−").replace("−0.00", "0.00")
        assert found["detail"].startswith(f"Cosine {said} in all 8 directions; on the map ")


def test_the_cross_is_the_fourth_corner(seen):
    found = seen(question="king - man + woman")
    square = found["square"]
    plus, minus, added = (np.array(square[name]) for name in ("plus", "minus", "added"))
    np.testing.assert_allclose(square["corner"], plus - minus + added, atol=1e-4)
    np.testing.assert_allclose(found["fourth"], square["corner"])
    assert [goal["tone"] for goal in square["goals"]] == ["strong"]
    miss = seen(question="paris - france + italy")
    assert [goal["tone"] for goal in miss["square"]["goals"]] == ["u", "strong"]
    notes = {row["text"]: row["note"] for row in miss["rows"]}
    assert notes["italian"] == "✗ wrong"
    assert notes["rome"] == "✓ expected"
    assert notes["paris"] == notes["france"] == notes["italy"] == "left out"


def test_the_camera_moves_closer_to_what_is_locked_or_asked(seen):
    def wide(box):
        return box[1] - box[0]

    whole = seen("king", locked=False)["camera"]
    assert seen("king", zoom=False)["camera"] == whole
    assert seen("king", over=["map", "frog"])["camera"] == seen("king")["camera"]
    assert wide(seen("frog")["camera"]) != wide(whole)
    asked_for = seen(question="king - man + woman")
    for name in ("plus", "minus", "added", "corner"):
        x, y = asked_for["square"][name]
        assert 0 < x < 480
        assert 25 < y < 430


def test_rows_stand_under_one_another(seen):
    found = seen("king")["list"]
    rows = found["rows"]
    for a, b in itertools.pairwise(rows):
        assert b["y"] == pytest.approx(a["y"] + a["gap"])
    assert rows[-1]["y"] + rows[-1]["gap"] <= 430
    columns = found["columns"]
    assert columns["word"] < columns["bar"] < columns["end"] < columns["cos"] < columns["W"]


def test_arrows_go_to_the_nearest_word_in_their_direction(script):
    hits = [{"id": k, "x": x, "y": y} for k, (x, y) in
            enumerate([(0, 0), (10, 1), (30, 0), (0, 20), (-5, -9), (100, 99)])]  # fmt: skip
    call = "(hits, id, way) => stepFrom(hits, id, way)"

    def step(id, way):
        return script(ROOM + "scene.js", call, hits, id, way)

    assert step(0, [1, 0]) == 1
    assert step(1, [1, 0]) == 2
    assert step(0, [0, 1]) == 3
    assert step(0, [0, -1]) == 4
    assert step(0, [-1, 0]) is None
    assert step(5, [1, 0]) is None


@pytest.mark.parametrize(
    ("point", "word"),
    [
        ([50, 106], 1),  # the middle of a name that covers the mark of another
        ([60, 112], 1),
        ([100, 106], 2),  # a name that is narrower than a pointer's reach, beside a mark
        ([205, 100], 3),  # each of two names over one another in its own middle
        ([215, 104], 4),
        ([50, 90], 0),  # a mark beside a name
        ([104, 122], 0),
        ([300, 300], None),
    ],
)
def test_what_is_seen_under_the_pointer_is_what_it_takes(script, point, word):
    marks = [[50, 108], [104, 111], [50, 92]]
    hits = [{"id": 0, "x": x, "y": y} for x, y in marks]
    named = {1: (20, 100, 80, 113), 2: (98, 100, 102, 113), 3: (190, 94, 220, 107),
             4: (200, 97, 230, 111)}  # fmt: skip
    hits += [{"id": k, "x": -50, "y": -50, "box": box} for k, box in named.items()]
    found = script(f"{ROOM}scene.js", "wordAt", hits, *point)
    assert (found and found["id"]) == word


# ---- senses


SENSES = f"""(told, part, tie) => {{
    {PART}
    const senses = new Senses(told, partOf(part).numbers, tie);
    return Array.from({{length: told.layers}}, (_, layer) => ({{
        near: told.sentences.map((_, k) => senses.nearest(layer, k)),
        shares: told.sentences.map((_, k) => senses.shareRight(layer, k)),
        means: senses.means(layer), right: senses.right[layer], chance: senses.chance,
    }}));
}}"""


@pytest.mark.parametrize("word", ["stick", "club"])
def test_the_page_tells_senses_as_python_does(room, view, word):
    one = view.senses[word]
    told = view.facts["senses"][word]
    found = room(SENSES, told, sent(view, f"senses {word}"), float(TIE))
    for layer, here in enumerate(found):
        assert here["near"] == [one.nearest(layer, k) for k in range(5)]
        assert here["shares"] == [one.share_right(layer, k) for k in range(5)]
        assert here["right"] == one.right[layer]
        assert here["chance"] == one.chance
        assert list(here["means"].values()) == pytest.approx(one.means(layer))
    assert len(found[0]["near"][0]) == (2 if word == "stick" else 1)


def test_marks_that_coincide_are_pushed_side_by_side(script):
    found = script(ROOM + "senses_scene.js", "pushedApart", [[5, 5]] * 3 + [[90, 5]], 20)
    for a, b in itertools.combinations(found, 2):
        assert np.hypot(*np.subtract(a, b)) > 17
    assert found[3] == pytest.approx([90, 5], abs=1e-6)


def test_a_hull_holds_its_points(script):
    points = np.random.default_rng(0).normal(size=(9, 2)).tolist()
    corners = script(ROOM + "senses_scene.js", "hull", points)
    assert 3 <= len(corners) <= 9
    ring = [*corners, corners[0]]
    for x, y in points:
        turns = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
                 for a, b in itertools.pairwise(ring)]  # fmt: skip
        assert min(turns) > -1e-9 or max(turns) < 1e-9
    assert [1, 2] in script(ROOM + "senses_scene.js", "hull", [[1, 2], [1, 2]])


SENSES_SCENE = f"""(told, part, tie, state, at) => {{
    {PART}
    const senses = new Senses(told, partOf(part).numbers, tie);
    const scene = sensesScene({{word: 'stick', senses, state, size: {SIZE}, at}});
    const {{chart, list, marks, arrows, rings, trail, layer, chosen}} = scene;
    return {{chart, list, marks, arrows, rings, trail, layer, chosen,
        under: [[30, 100], [100, 300], [1000, 20]].map(([x, y]) => sideAt(scene, x, y))}};
}}"""


@pytest.fixture
def told(room, view):
    def told(layer, sentence=-1, over=None, at=None):
        state = {"layer": layer, "sentence": sentence, "over": over}
        given = view.facts["senses"]["stick"], sent(view, "senses stick"), float(TIE), state
        return room(SENSES_SCENE, *given, layer if at is None else at)

    return told


def test_a_sentence_with_a_tie_has_no_arrow(told, view):
    first, last = told(0), told(2)
    tied = [k for k in range(5) if len(view.senses["stick"].nearest(0, k)) > 1]
    assert len(first["arrows"]) == 5 - len(tied)
    assert [row["note"].startswith("tie of 2") for row in first["list"]["rows"]] == [
        k in tied for k in range(5)
    ]
    assert [arrow["right"] for arrow in last["arrows"]] == [True] * 5
    assert all(row["note"].startswith("✓ ") for row in last["list"]["rows"])
    assert [row["wrong"] for row in first["list"]["rows"]] == [False, False, True, False, True]


def test_marks_glide_from_layer_to_layer(told):
    start, half, end = (told(2, at=at)["marks"] for at in (1, 1.5, 2))
    for a, b, c in zip(start, half, end, strict=True):
        assert min(a["x"], c["x"]) - 12 <= b["x"] <= max(a["x"], c["x"]) + 12


def test_a_preview_of_a_layer_and_of_a_sentence(told):
    found = told(2, over={"layer": 0})
    assert found["layer"] == 0
    assert found["chart"]["accent"] == "em"
    assert told(2)["chart"]["accent"] == "b"
    chosen = told(2, sentence=1, over={"sentence": 3})
    assert chosen["chosen"] == 3
    assert len(chosen["trail"]["points"]) == 3
    assert [ring["tone"] for ring in chosen["rings"]] == ["b", "em"]
    assert told(2)["trail"]["points"] == []


def test_what_lies_under_the_pointer(told):
    layer, row, outside = told(0)["under"]
    assert layer == {"layer": 0}
    assert set(row) == {"sentence"}
    assert outside is None


def test_the_list_keeps_to_its_width_and_height(told):
    found = told(0)["list"]
    rows = found["rows"]
    assert rows[-1]["y"] + rows[-1]["gap"] <= 430
    assert [len(row["pieces"]) for row in rows] == [3] * 5
    assert rows[0]["pieces"] == ["the wood ", "stick", " number 0"]


def test_a_long_sentence_is_cut_around_its_word(room):
    long = [*"abcdefghijklmnopqrstuvwxyz", "stick", *"abcdefghijklmnopqrstuvwxyz"]
    told = [{**one, "sentence": long, "at": 26} for one in sentences()]
    view = everything(senses={"stick": told})
    state = {"layer": 0, "sentence": -1, "over": None}
    given = view.facts["senses"]["stick"], sent(view, "senses stick"), float(TIE), state, 0
    before, word, after = room(SENSES_SCENE, *given)["list"]["rows"][0]["pieces"]
    assert word == "stick"
    assert before.startswith("…")
    assert after.endswith("…")
    assert 0.6 * 12 * len(before + word + after) < 308 - 5 * 14


# ---- words


@pytest.mark.parametrize("n", [1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 112, 1003, 21716])
def test_ordinals_are_alike(script, n):
    assert script(ROOM + "sentence.js", "nth", n) == nth(n)


@pytest.mark.parametrize("n", [0, 1 / 3, 6.2, 6.25, 10, 9.9999999999])
def test_counts_are_alike(script, n):
    assert script(ROOM + "sentence.js", "counted", n) == counted(n)


def test_a_part_is_read_as_it_was_packed(script, view):
    numbers, words = opened(view.part("map"))
    read = "const {numbers, words} = partOf(part); return [[...numbers], words];"
    found = script("shared/words_and_numbers.js", f"part => {{ {PART} {read} }}", sent(view, "map"))
    assert found == [numbers.tolist(), words]


@pytest.mark.parametrize(
    ("room", "free", "rows", "heights"),
    [
        (801, None, 0, (434, 434)),
        (801, None, 12.2, (434, 434)),
        (801, None, 19.2, (12 * 14 + 1.4 * 19.2 * 14,) * 2),
        (1200, None, 0, (532, 532)),
        (600, None, 0, (434, 434)),
        (400, None, 0, (360, 434)),
        (815, 400, 0, (400, 400)),
        (815, 100, 0, (364, 364)),
    ],
)
def test_heights_of_the_panes(script, room, free, rows, heights):
    given = {"room": room, "free": free, "rows": rows, "u": 14}
    found = script(ROOM + "plan.js", "heightsOf", given)
    assert (found["H"], found["sideHeight"]) == pytest.approx(heights)
    assert found["chartHeight"] >= 11 * 14
    assert found["chartHeight"] + 1.3 * 14 * rows <= found["sideHeight"] + 1
