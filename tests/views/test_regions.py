"""Films of steps: what is computed of them, what is said, what is refused."""

import itertools
import struct

import numpy as np
import pytest
import torch
from traitlets import TraitError

from seqviz.view import regions
from seqviz.views.regions.films import fewest_for_half
from seqviz.views.regions.geometry import corners, covers, gathered, regions_of, union
from seqviz.views.regions.sentence import percent, portion
from tests.views.region_films import (
    drawing,
    every_kind,
    glimpses,
    long_caption,
    question,
    two_shapes,
    wrong_word,
)

# ---- boxes over regions


def test_a_box_covers_the_area_that_it_has():
    rng = np.random.default_rng(0)
    for _ in range(50):
        h, w = rng.integers(3, 40, 2)
        grid = rng.integers(1, 4, 2)
        (y0, y1), (x0, x1) = np.sort(rng.uniform(0, h, 2)), np.sort(rng.uniform(0, w, 2))
        cover = covers([(x0, y0, x1, y1)], (h, w), grid)
        assert cover.mean() == pytest.approx((x1 - x0) * (y1 - y0) / (h * w), abs=1e-12)
        assert union(np.array([(x0, y0, x1, y1)]), (h, w), grid) == pytest.approx(cover[0])


def test_what_two_boxes_share_counts_once():
    boxes = np.array([(0, 0, 4, 4), (2, 2, 6, 6.5)])
    assert union(boxes, (8, 8), (2, 2)).mean() == pytest.approx((16 + 18 - 4) / 64)
    apart = np.array([(0, 0, 4, 4), (4, 4, 8, 8)])
    expected = covers(apart, (8, 8), (4, 4)).sum(axis=0)
    assert union(apart, (8, 8), (4, 4)) == pytest.approx(expected)


def test_weights_inside_and_elsewhere_add_up_where_boxes_do_not_overlap():
    film = regions([two_shapes()]).here
    assert film.inside.sum(axis=1) == pytest.approx(np.ones(8), abs=1e-6)
    assert film.areas.sum() == pytest.approx(1, abs=1e-6)


def test_a_word_that_attends_evenly_has_the_weight_of_the_area():
    flat = {**two_shapes(), "weights": np.full((8, 8, 8), 1 / 64)}
    film = regions([flat]).here
    assert film.inside == pytest.approx(np.tile(film.areas, (8, 1)), abs=1e-6)
    assert film.half == [32] * 8


@pytest.mark.parametrize(
    ("weights", "count"), [([0.6, 0.4], 1), ([0.25] * 4, 2), ([0.1, 0.2, 0.3, 0.4], 2), ([1.0], 1)]
)
def test_fewest_regions_for_half(weights, count):
    assert fewest_for_half(weights) == count
    smaller = itertools.combinations(weights, count - 1)
    assert all(sum(some) < 0.5 for some in smaller)


@pytest.mark.parametrize(
    ("size", "grid"), [((28, 28), (7, 7)), ((8, 8), (8, 8)), ((13, 24), (8, 8)), ((3, 50), (3, 5))]
)
def test_regions_divide_a_picture_where_they_can(size, grid):
    assert regions_of(size) == grid


def test_every_pixel_lies_in_one_region():
    for size in ((28, 28), (13, 24), (5, 9)):
        grid = regions_of(size)
        assert gathered(np.ones((2, *size)), grid).sum(axis=(1, 2)).tolist() == [np.prod(size)] * 2


# ---- glimpses and drawings


def test_what_is_seen_is_what_no_glimpse_has_missed():
    film = glimpses(27)
    view = regions([film])
    each = covers(corners(np.array([(x, y, s, s) for x, y, s in film["windows"]])), (8, 8), (8, 8))
    missed = np.ones((8, 8))
    for k, one in enumerate(each):
        missed *= 1 - one
        assert view.here.light[k] == pytest.approx(1 - missed, abs=1e-6)
        assert view.here.shares[k] == pytest.approx((1 - missed).mean(), abs=1e-6)
    assert (np.diff(view.here.shares) >= 0).all()


def test_seen_may_be_handed_in():
    film = glimpses(27)
    seen = np.full((6, 8, 8), 0.5)
    here = regions([{**film, "seen": seen}]).here
    assert here.shares == pytest.approx(1 - 0.5 ** np.arange(1, 7))
    assert here.regions == pytest.approx(np.full((6, 64), 0.5))


def test_a_drawing_counts_what_is_there():
    film = drawing(steps=4)
    here = regions([film]).here
    for k, canvas in enumerate(film["canvases"]):
        missing = np.abs(film["target"] - canvas).sum()
        assert here.done[k] == pytest.approx(1 - missing / film["target"].sum(), abs=1e-6)
    assert sum(here.gains) == pytest.approx(here.done[-1])
    whole = regions([{**film, "canvases": [film["target"]] * 4}]).here
    assert whole.done.tolist() == [1] * 4
    alone = regions([{name: film[name] for name in ("canvases", "windows")}])
    assert alone.here.goal == "last canvas"
    assert alone.here.done[-1] == 1


def test_a_drawing_may_get_worse():
    film = drawing(steps=3, classified=False)
    canvases = [film["canvases"][0], film["target"], 1 - film["target"]]
    view = regions([{**film, "canvases": canvases}])
    assert view.here.done[-1] < 0
    assert "took" in view.headline
    assert "−" in view.headline


def test_windows_of_a_module_are_squares():
    film = glimpses(27)
    windows = film["windows"]
    same = np.column_stack([windows, windows[:, 2]])
    first, second = (regions([{**film, "windows": w}]) for w in (torch.tensor(windows), same))
    assert first.part("film 1") == second.part("film 1")


def test_values_travel_as_bytes():
    view = every_kind()
    for name, film in zip(view.parts, view.films, strict=True):
        (count,) = struct.unpack_from("<I", view.part(name))
        assert count == sum(np.size(one) for one in film.numbers())
        assert len(view.part(name)) == 4 + 4 * count + sum(np.size(p) for p in film.pictures())
    assert "0." not in str(view.facts), "numbers do not travel as JSON"
    assert view.needs() == ["film 1"]


# ---- what is said


SAID = {
    "a word in its object": (two_shapes, {"step": 2},
        "“red” attends to the red circle: 0.58 of its weight lies inside it, on 0.12 of the "
        "picture."),
    "a word of two objects": (two_shapes, {"step": 4},
        "“left” attends with 0.42 to the red circle and 0.18 to the blue square."),
    "a word without an object, twice there": (two_shapes, {"step": 1},
        "“a” (word 1) attends to no one place: half of its weight is spread over 23 of 64 "
        "regions."),
    "two words": (two_shapes, {"step": 2, "compare": 3},
        "“red” and “circle” attend to the same place: they share 0.75 of their weight."),
    "different places": (two_shapes, {"step": 2, "compare": 7},
        "“red” and “blue” attend to different places: they share 0.21 of their weight."),
    "a region": (two_shapes, {"region": 27},
        "This region in the red circle: “circle” attends to it most, 0.14, then “red”, 0.11."),
    "a region and a locked word": (two_shapes, {"step": 2, "locked": True, "region": 1},
        "“red” puts <0.01 of its weight on this region."),
    "a wrong word": (wrong_word, {}, "Right place, wrong word: 0.69 of its weight lies inside the "
        "green circle, yet it says “blue”."),
    "a wrong word at a wrong place": (
        lambda: {**wrong_word(), "gold": [None, "yellow triangle", *[None] * 5]}, {},
        "Wrong word: it says “blue”, right is “green”; 0.02 of its weight lies inside the yellow "
        "triangle."),
    "a wrong word without an object": (lambda: {**wrong_word(), "gold": None}, {},
        "Wrong word: it says “blue”, right is “green”."),
    "no boxes": (long_caption, {},
        "“the” (word 6) attends to a few places: half of its weight lies in 2 of 60 regions."),
    "elsewhere": (
        lambda: {**two_shapes(), "gold": ["blue square", "blue square", *[None] * 6]}, {"step": 2},
        "“red” attends elsewhere: 0.02 of its weight lies inside the blue square, on 0.10 of "
        "the picture."),
    "a change of mind": (lambda: glimpses(27), {},
        "Glimpse 2 changes its mind: 5 becomes 7, 0.87, with 28 % of the pixels seen."),
    "glimpses that stay wrong": (lambda: glimpses(69), {"step": 4},
        "After 4 glimpses, 48 % of the pixels, it says 4: 0.93. Surer, not right: it is 9."),
    "a wrong glimpse": (lambda: glimpses(69), {"step": 1},
        "After 1 glimpse, 14 % of the pixels, it says 1: 0.45. It is 9."),
    "two glimpses": (lambda: glimpses(27), {"step": 1, "compare": 2},
        "Glimpse 1 says 5: 0.40, glimpse 2 says 7: 0.87."),
    "a place that is seen": (lambda: glimpses(27), {"region": 43},
        "This place: glimpse 1 sees 100 % of it."),
    "a place that is not": (lambda: glimpses(27), {"region": 1},
        "This place: no glimpse sees it."),
    "the last window": (drawing, {}, "Coarse first, detail last: the last of 8 windows added 1 %."),
    "a window": (drawing, {"step": 2},
        "After 2 of 8 windows 74 % of the target is there: this one added 20 %."),
    "two windows": (drawing, {"step": 2, "compare": 8},
        "From window 2 to window 8 the target goes from 74 % to 87 %."),
    "a place that is written": (drawing, {"region": 29},
        "This place: window 1 writes most of it."),
}  # fmt: skip


@pytest.mark.parametrize(("film", "controls", "said"), SAID.values(), ids=list(SAID))
def test_headlines(film, controls, said):
    view = regions([film()])
    for name, value in controls.items():
        setattr(view, name, value)
    assert view.headline == said
    assert view.headline in view.alt


def test_a_film_opens_at_its_lesson():
    view = every_kind()
    opened = []
    for film in range(1, len(view.films) + 1):
        view.film = film
        opened.append(view.step)
    assert opened == [7, 2, 6, 1, 2, 6, 8, 8]
    view.film, view.step = 1, 3
    view.compare, view.region = 5, 9
    assert view.locked
    view.film = 2
    assert (view.step, view.compare, view.region, view.locked) == (2, 0, 0, False)


def test_a_page_that_writes_a_film_says_its_step_too():
    view = every_kind()
    view.set_state({"film": 2, "step": 5, "compare": 0, "region": 0, "locked": False})
    assert (view.film, view.step) == (2, 5)
    view.set_state({"step": 1, "compare": 3, "locked": True})
    assert "share" in view.headline
    view.set_state({"locked": False, "compare": 0})
    assert view.focus.other is None


def test_alt_names_film_region_and_question():
    view = every_kind()
    view.film, view.region = 4, 20
    assert view.alt.startswith(
        "Question “what colour is the triangle ?”, film 4 of 8, 1 word. This region: “green”"
    )
    assert view.alt.endswith("The region is row 3, column 4.")
    assert regions([question()]).alt.count("film") == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0.00"), (0.004, "<0.01"), (0.005, "0.01"), (0.996, ">0.99"), (1, "1.00"), (0.5, "0.50")],
)
def test_portions(value, text):
    assert portion(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 %"),
        (0.004, "<1 %"),
        (-0.004, "<1 %"),
        (0.999, ">99 %"),
        (1, "100 %"),
        (-0.5, "−50 %"),
    ],
)
def test_per_cent(value, text):
    assert percent(value) == text


# ---- the table


def test_the_table_holds_what_is_on_screen():
    view = regions([two_shapes()])
    rows = view.table()
    assert rows[0] == ["pane", "step", "item", "quantity", "value"]
    words = [row for row in rows if row[0] == "words"]
    assert len(words) == 8 * 3
    own = [row for row in rows if row[0] == "regions"]
    assert {row[1] for row in own} == {"7"}
    assert sum(row[4] for row in own) == pytest.approx(1, abs=1e-6)
    view.compare = 2
    assert {row[1] for row in view.table() if row[0] == "regions"} == {"7", "2"}
    view.region = 10
    assert [row[2] for row in view.table()[-8:]] == ["row 2, column 2"] * 8
    assert all(isinstance(row[4], float) for row in view.table()[1:])


def test_the_table_speaks_of_the_numbers_that_came():
    film = glimpses(27)
    view = regions([film])
    says = [row[4] for row in view.table() if row[0] == "says"]
    assert says == pytest.approx(film["probabilities"][view.step - 1], abs=1e-7)
    window = [row[4] for row in view.table() if row[0] == "window"]
    assert window == pytest.approx([*film["windows"][view.step - 1], 3.0])


# ---- what is refused

NAN = np.where(np.arange(64).reshape(8, 8) == 5, np.nan, 0.5)


def shapes(**more):
    return lambda: regions([{**two_shapes(), **more}])


def looks(**more):
    return lambda: regions([{**glimpses(27), **more}])


def draws(**more):
    return lambda: regions([{**drawing(steps=3), **more}])


def bad_box(*box):
    return shapes(boxes={"red circle": box, "blue square": (0, 0, 1, 1)})


EVEN = np.full((8, 8, 8), 1 / 64)
BAD = {
    "no film": (lambda: regions([]), ValueError, "films: expected 1 to 24 films, came 0"),
    "no list": (lambda: regions("film"), TypeError, "films: expected a list of mappings, came str"),
    "no mapping": (lambda: regions([1]), TypeError, r"films\[0\]: expected a mapping, came int 1"),
    "no kind": (lambda: regions([{"picture": EVEN[0]}]), ValueError,
        r"films\[0\] has picture: expected 'words' with 'picture' and 'weights' for a caption"),
    "unknown key": (shapes(labels=1), ValueError, r"films\[0\] has 'labels', expected picture"),
    "no picture": (shapes(picture=None), ValueError, r"films\[0\] has no 'picture'; expected"),
    "bytes": (shapes(picture=np.full((64, 64), 200)), ValueError,
        r"\['picture'\]: expected values from 0 to 1, came 200 to 200: divide by 255"),
    "normalized": (shapes(picture=np.full((64, 64), -1.0)), ValueError, "undo the normalization"),
    "channels first": (shapes(picture=np.zeros((3, 64, 64))), ValueError, r"permute\(1, 2, 0\)"),
    "four channels": (shapes(picture=np.zeros((64, 64, 4))), ValueError,
        r"expected no channel or 3, came 4 in \(64, 64, 4\): take \[..., :3\]"),
    "a batch": (shapes(picture=np.zeros((2, 64, 64, 3))), ValueError, "hand in one picture"),
    "a large picture": (shapes(picture=np.zeros((1000, 1000))), ValueError,
        r"came 1000 x 1000: a large one is smaller as picture\[::2, ::2\]"),
    "a line": (shapes(picture=np.zeros((1, 64))), ValueError, "at least 2 each way, came 1 x 64"),
    "NaN in a picture": (shapes(picture=NAN), ValueError, r"\['picture'\]\[0, 5\] is nan"),
    "NaN in weights": (shapes(weights=np.tile(NAN / 31.5, (8, 1, 1))), ValueError,
        r"\['weights'\]\[0, 0, 5\] is nan"),
    "an empty caption": (shapes(words=[]), ValueError, "at least one word, came an empty caption"),
    "no strings": (shapes(words=[*range(8)]), TypeError, r"\['words'\]\[0\]: expected a string"),
    "too many words": (shapes(words=["a"] * 61), ValueError, "expected 1 to 60 steps, came 61"),
    "weights of fewer words": (shapes(weights=EVEN[:7]), ValueError,
        "expected a grid of weights for each of 8 words, came 7"),
    "flat weights": (shapes(weights=EVEN.reshape(8, 64)), ValueError,
        r"expected shape \(any, any, any\), came \(8, 64\)"),
    "weights that do not sum to 1": (shapes(weights=EVEN * 1.002), ValueError,
        r"\['weights'\]\[0\] sums to 1.002, expected 1: take the weights after the softmax"),
    "weights below 0": (shapes(weights=EVEN - np.eye(8)[0] * 0.1), ValueError,
        "expected 0 or more: take the weights after the softmax"),
    "more regions than pixels": (
        lambda: regions([{"picture": np.ones((4, 4)), "words": ["a"], "weights": EVEN[:1]}]),
        ValueError, "expected 1 to 4 rows of regions over 4 pixels, came 8"),
    "a box outside": (bad_box(-1, 0, 9, 9), ValueError,
        r"\['boxes'\]\['red circle'\]: expected 0 <= x0 < x1 <= 64 .*, came -1, 0, 9, 9: clip"),
    "a box without area": (bad_box(5, 5, 5, 9), ValueError, "x0 < x1"),
    "a box of three": (bad_box(1, 2, 3), ValueError, "four numbers x0, y0, x1, y1"),
    "boxes as a list": (shapes(boxes=[(0, 0, 1, 1)]), TypeError, "a mapping of at most 12 names"),
    "gold of fewer words": (shapes(gold=["red circle"]), ValueError,
        "for each of 8 words the name of its box"),
    "gold without a box": (shapes(gold=["dog", *[None] * 7]), ValueError,
        r"\['gold'\]\[0\]: expected a name of boxes, red circle, blue square, came 'dog'"),
    "wrong as a list": (shapes(wrong=[1]), TypeError, "a mapping of a word's place to the right"),
    "wrong beyond the end": (shapes(wrong={8: "x"}), ValueError, "expected 0 to 7, came 8"),
    "wrong that is right": (shapes(wrong={1: "red"}), ValueError, "'red' is the word that stands"),
    "alternatives of one word": (shapes(alternatives=[[("a", 1.0)]]), ValueError,
        r"for each of 8 words a list of \(word, probability\)"),
    "alternatives above 1": (shapes(alternatives=[[("a", 0.9), ("b", 0.2)], *[[]] * 7]),
        ValueError, "sum to at most 1"),
    "alternatives that are words": (shapes(alternatives=[["red"], *[[]] * 7]), ValueError,
        r"\['alternatives'\]\[0\]: expected pairs"),
    "a question of two lines": (shapes(question="a\nb"), ValueError, "expected one line"),
    "a negative window": (looks(windows=np.full((6, 3), -1.0)), ValueError,
        r"\['windows'\]\[0\] is -1 wide and -1 high, expected more than 0: .* take exp"),
    "a window without height": (looks(windows=np.tile([4.0, 4, 2, 0], (6, 1))), ValueError,
        "is 2 wide and 0 high"),
    "windows of two numbers": (looks(windows=np.ones((6, 2))), ValueError, r"came \(6, 2\)"),
    "fewer windows": (looks(windows=np.ones((5, 3))), ValueError,
        r"\['probabilities'\]: expected a row for each of 5 steps, came 6"),
    "NaN in a window": (looks(windows=np.full((6, 3), np.nan)), ValueError, "is nan"),
    "logits": (looks(probabilities=np.full((6, 10), 3.0)), ValueError,
        r"\['probabilities'\]\[0\] sums to 30, expected 1: take the softmax of the logits"),
    "other classes": (looks(classes="abc"), ValueError, r"expected shape \(any, 3\)"),
    "equal classes": (looks(classes="aaaaaaaaaa"), ValueError, "2 to 100 different names"),
    "a label beyond the end": (looks(label=10), ValueError, "label'\\]: expected 0 to 9, came 10"),
    "a label that is none": (looks(label=True), TypeError, "expected a whole number or a class's"),
    "seen of another size": (looks(seen=np.zeros((6, 4, 4))), ValueError,
        r"\['seen'\]: expected shape \(6, 8, 8\), came \(6, 4, 4\)"),
    "one canvas": (draws(canvases=np.zeros((24, 24))), ValueError, r"\(steps, h, w\)"),
    "canvases without a sigmoid": (draws(canvases=np.full((3, 24, 24), -2.0)), ValueError,
        r"\['canvases'\]: expected values from 0 to 1, came -2 to -2"),
    "windows of other steps": (draws(windows=np.ones((2, 3))), ValueError,
        r"\['windows'\]: expected 3, one for each step, came 2"),
    "a target of another size": (draws(target=np.ones((8, 8))), ValueError,
        r"\['target'\]: expected shape \(24, 24\), came \(8, 8\)"),
    "an empty target": (draws(target=np.zeros((24, 24))), ValueError, "came an empty picture"),
    "classes alone": (draws(probabilities=None), ValueError, "came one of both"),
    "a long film": (draws(canvases=np.zeros((50, 300, 300)), windows=np.ones((50, 3))),
        ValueError, "at most 4,000,000 pixels in all steps together"),
    "a title of two lines": (lambda: regions([two_shapes()], title="a\nb"), ValueError, "one line"),
    "an indexed title": (shapes(title=3), TypeError, r"\['title'\]: expected a string, came int 3"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "error", "said"), BAD.values(), ids=list(BAD))
def test_bad_input_says_what_is_wrong(call, error, said):
    with pytest.raises(error, match=said):
        call()


def test_half_precision_may_be_off_by_a_hundredth():
    off = torch.full((8, 8, 8), 1.004 / 64)
    with pytest.raises(ValueError, match=r"sums to 1\.004"):
        regions([{**two_shapes(), "weights": off}])
    here = regions([{**two_shapes(), "weights": off.to(torch.bfloat16)}]).here
    assert here.regions.sum(axis=1) == pytest.approx(np.ones(8), abs=1e-6)


def test_a_control_beyond_the_end_is_refused():
    view = every_kind()
    for name, value in (("film", 9), ("step", 0), ("step", 9), ("compare", 9), ("region", 65)):
        before = view.controls()
        with pytest.raises(TraitError, match=f"{name}: expected .* came {value}"):
            setattr(view, name, value)
        assert view.controls() == before
    with pytest.raises(TraitError, match="light: expected one of own, one, off, came 'dark'"):
        view.light = "dark"
