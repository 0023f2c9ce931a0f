"""What films of steps decide before they are drawn, as plain functions."""

from itertools import product

import numpy as np
import pytest

from seqviz.view import regions
from seqviz.views.regions.geometry import gathered
from tests.views.region_films import (
    drawing,
    glimpses,
    long_caption,
    two_shapes,
    wrong_word,
)

pytestmark = pytest.mark.browser
ROOM = "regions/"
STATE = {"step": 2, "compare": None, "region": None, "locked": False, "over": None, "spot": None}


def arrived(script, view, call, *given, film=1):
    """What a function of a film on the page gives."""
    facts, part = view.facts["films"][film - 1], view.part_of(f"film {film}")
    function = f"(told, part, ...given) => ({call})(filmOf(told, unpacked(part)), ...given)"
    return script(ROOM + "view.js", function, facts, part, *given)


def scene(script, view, light="own", **state):
    """The scene of the first film."""
    given = {"state": {**STATE, **state}, "light": light, "size": {"W": 801, "tall": None}}
    call = """(film, given) => JSON.parse(JSON.stringify(sceneOf({film, ...given}),
        (_, v) => (ArrayBuffer.isView(v) ? Array.from(v) : v)))"""
    return arrived(script, view, call, given)


# ---- what is said

SAID = [
    (two_shapes, {"step": 1},
        "“red” attends to the red circle: 0.58 of its weight lies inside it, on 0.12 of the "
        "picture."),
    (two_shapes, {"step": 3},
        "“left” attends with 0.42 to the red circle and 0.18 to the blue square."),
    (two_shapes, {"step": 0},
        "“a” (word 1) attends to no one place: half of its weight is spread over 23 of 64 "
        "regions."),
    (two_shapes, {"step": 1, "compare": 2},
        "“red” and “circle” attend to the same place: they share 0.75 of their weight."),
    (two_shapes, {"region": 26},
        "This region in the red circle: “circle” attends to it most, 0.14, then “red”, 0.11."),
    (two_shapes, {"step": 1, "locked": True, "region": 0},
        "“red” puts <0.01 of its weight on this region."),
    (wrong_word, {"step": 1}, "Right place, wrong word: 0.69 of its weight lies inside the "
        "green circle, yet it says “blue”."),
    (lambda: {**wrong_word(), "gold": [None, "yellow triangle", *[None] * 5]}, {"step": 1},
        "Wrong word: it says “blue”, right is “green”; 0.02 of its weight lies inside the yellow "
        "triangle."),
    (long_caption, {"step": 5},
        "“the” (word 6) attends to a few places: half of its weight lies in 2 of 60 regions."),
    (lambda: {**two_shapes(), "gold": ["blue square", "blue square", *[None] * 6]}, {"step": 1},
        "“red” attends elsewhere: 0.02 of its weight lies inside the blue square, on 0.10 of "
        "the picture."),
    (lambda: glimpses(27), {"step": 1},
        "Glimpse 2 changes its mind: 5 becomes 7, 0.87, with 28 % of the pixels seen."),
    (lambda: glimpses(69), {"step": 3},
        "After 4 glimpses, 48 % of the pixels, it says 4: 0.93. Surer, not right: it is 9."),
    (lambda: glimpses(27), {"step": 0, "compare": 1},
        "Glimpse 1 says 5: 0.40, glimpse 2 says 7: 0.87."),
    (lambda: glimpses(27), {"region": 0}, "This place: no glimpse sees it."),
    (drawing, {"step": 7}, "Coarse first, detail last: the last of 8 windows added 1 %."),
    (drawing, {"step": 1},
        "After 2 of 8 windows 74 % of the target is there: this one added 20 %."),
    (drawing, {"step": 1, "compare": 7},
        "From window 2 to window 8 the target goes from 74 % to 87 %."),
]  # fmt: skip
SAY = "(film, state) => spoken(sentenceOf(film, focusOf(state)))"


def test_sentences(script):
    for film, state, said in SAID:
        assert arrived(script, regions([film()]), SAY, {**STATE, **state}) == said


def test_shares_are_never_a_round_0_or_1_and_may_get_less(script):
    film = drawing(steps=3, classified=False)
    canvases = [film["canvases"][0], film["target"], 1 - film["target"]]
    view = regions([{**film, "canvases": canvases}])
    said = arrived(script, view, SAY, STATE)
    assert view.here.done[-1] < 0
    assert "of the target is there: this one took" in said
    assert "−" in said
    values = [0, 0.004, 0.005, 0.996, 1, -0.5, -0.004]
    told = script(ROOM + "film.js", "values => values.map(wholePercent)", values)
    assert told == ["0 %", "<1 %", "1 %", ">99 %", "100 %", "−50 %", "<1 %"]


def test_the_table_of_what_is_on_screen(script):
    call = "(film, state) => tableRows(film, focusOf(state))"
    words = regions([two_shapes()])
    header, *rows = arrived(script, words, call, {**STATE, "compare": 4, "region": 9})
    assert header == ["pane", "step", "item", "quantity", "value"]
    panes = [row[0] for row in rows]
    assert [panes.count(pane) for pane in ("words", "says", "regions", "region")] == [24, 6, 128, 8]
    assert {row[1] for row in rows if row[0] == "regions"} == {"3", "5"}
    assert sum(row[4] for row in rows if row[0] == "regions") == pytest.approx(2, abs=1e-6)
    assert rows[-1][:4] == ["region", "8", "row 2, column 2", "share"]
    assert rows[-1][4] == pytest.approx(words.here.regions[7, 9])
    seen = glimpses(27)
    rows = arrived(script, regions([seen]), call, STATE)
    says = [row[4] for row in rows if row[0] == "says"]
    assert says == pytest.approx(seen["probabilities"][2], abs=1e-7)
    assert [row[4] for row in rows[-4:]] == pytest.approx([*seen["windows"][2], 3.0])


# ---- outlines and halves


def test_an_outline_runs_between_inside_and_outside(script):
    rng = np.random.default_rng(0)
    for _ in range(30):
        rows, columns = (int(n) for n in rng.integers(1, 6, 2))
        members = [k for k in range(rows * columns) if rng.random() < 0.5]
        grid = {"rows": rows, "columns": columns}
        d = script(ROOM + "scene.js", "outlineOf", members, grid, 10, 10)
        inside = {(k % columns, k // columns) for k in members}
        near = ((1, 0), (-1, 0), (0, 1), (0, -1))
        edges = sum((x + dx, y + dy) not in inside for (x, y), (dx, dy) in product(inside, near))
        assert d.count("M") == edges


def test_the_fewest_regions_that_hold_half(script):
    cases = [[0.6, 0.4], [0.25] * 4, [0.1, 0.2, 0.3, 0.4], [1.0]]
    call = "rows => rows.map(row => heaviest(Float32Array.from(row)))"
    assert [sorted(row) for row in script(ROOM + "film.js", call, cases)] == [
        [0],
        [0, 1],
        [2, 3],
        [0],
    ]


def test_both_sides_lay_the_same_regions_over_pixels(script):
    for h, w, rows, columns in ((28, 28, 7, 7), (13, 24, 8, 8), (90, 140, 6, 10)):
        shape = {"h": h, "w": w, "rows": rows, "columns": columns}
        call = """shape => Array.from({length: shape.h * shape.w}, (_, i) =>
            regionAt(shape, i % shape.w, Math.floor(i / shape.w)))"""
        found = np.bincount(script(ROOM + "lighting.js", call, shape), minlength=rows * columns)
        assert found.tolist() == gathered(np.ones((1, h, w)), (rows, columns)).ravel().tolist()


# ---- the scene


def test_a_scene_of_words(script):
    view = regions([wrong_word()])
    found = scene(script, view, step=1)
    words = view.here.words
    assert [cell["word"] for cell in found["cells"]] == words
    assert [k for k, cell in enumerate(found["cells"]) if cell["wrong"]] == [1]
    assert found["cells"][1]["value"] == "is green"
    assert found["cells"][0]["value"] == "spread"
    looks, says = found["readout"]
    assert [row["label"] for row in looks["rows"]] == [
        "yellow triangle",
        "green circle",
        "elsewhere",
    ]
    assert sum(row["value"] for row in looks["rows"]) == pytest.approx(1, abs=1e-6)
    assert sum(row["tick"] for row in looks["rows"]) == pytest.approx(1, abs=1e-6)
    assert (looks["mark"], says["mark"], says["note"]) == (
        "right", "wrong", "Never saw this pair in training",
    )  # fmt: skip
    assert [(row["label"], row["mark"]) for row in says["rows"]] == [
        ("blue", "wrong"), ("green", "right"), ("yellow", None),
    ]  # fmt: skip
    (box,) = found["picture"]["boxes"]
    assert (box["value"], box["says"]) == ("0.69", "says “blue”")


def test_what_is_not_known_to_be_right_has_no_sign(script):
    film = two_shapes()
    del film["wrong"]
    looks, says = scene(script, regions([film]), step=1)["readout"]
    assert (looks["mark"], says["mark"]) == ("right", None)
    assert all(row["mark"] is None for row in says["rows"])
    flat = {**film, "weights": np.full((8, 8, 8), 1 / 64)}
    assert scene(script, regions([flat]), step=1)["readout"][0]["mark"] == "wrong"


def test_a_scene_of_a_region_and_of_two_words(script):
    view = regions([two_shapes()])
    found = scene(script, view, region=26)
    weights = view.here.regions[:, 26]
    assert [cell["share"] for cell in found["cells"]] == pytest.approx(weights / weights.max())
    assert found["hint"] == "bar: weight on this region"
    assert found["picture"]["region"]["x"] == pytest.approx(2 * found["layout"]["picture"]["unit"])
    found = scene(script, view, step=1, locked=True, compare=2)
    assert len(found["picture"]["boxes"]) == 1
    assert [one["kind"] for one in found["picture"]["outlines"]] == ["me", "second"]
    assert len(scene(script, view, step=1, locked=True, compare=3)["picture"]["boxes"]) == 2


def test_a_drawing_is_a_sum(script):
    view = regions([drawing()])
    first, says = scene(script, view)["readout"]
    values = [part["values"] for part in first["parts"] if "values" in part]
    before, new, canvas, target = map(np.array, values)
    times = 255 / np.abs(canvas - before).max()
    assert new / times + before == pytest.approx(canvas, abs=1e-6)
    assert target == pytest.approx(np.round(255 * view.here.target.ravel()), abs=1)
    assert says["title"] == "Classifier says"
