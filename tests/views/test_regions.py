"""Films of steps: what is computed of them, what is said, what is refused."""

import numpy as np
import pytest

from seqviz.view import regions
from seqviz.views.regions.geometry import corners, covers, gathered, regions_of, union
from tests.views.region_films import drawing, every_kind, glimpses, two_shapes

# ---- boxes over regions


def test_a_box_covers_its_area_and_what_two_share_counts_once():
    rng = np.random.default_rng(0)
    for _ in range(50):
        h, w = rng.integers(3, 40, 2)
        grid = rng.integers(1, 4, 2)
        (y0, y1), (x0, x1) = np.sort(rng.uniform(0, h, 2)), np.sort(rng.uniform(0, w, 2))
        cover = covers([(x0, y0, x1, y1)], (h, w), grid)
        assert cover.mean() == pytest.approx((x1 - x0) * (y1 - y0) / (h * w), abs=1e-12)
        assert union(np.array([(x0, y0, x1, y1)]), (h, w), grid) == pytest.approx(cover[0])
    boxes = np.array([(0, 0, 4, 4), (2, 2, 6, 6.5)])
    assert union(boxes, (8, 8), (2, 2)).mean() == pytest.approx((16 + 18 - 4) / 64)
    apart = np.array([(0, 0, 4, 4), (4, 4, 8, 8)])
    expected = covers(apart, (8, 8), (4, 4)).sum(axis=0)
    assert union(apart, (8, 8), (4, 4)) == pytest.approx(expected)


def test_weights_inside_and_elsewhere_add_up_to_the_area_where_they_are_even():
    film = regions([two_shapes()]).here
    assert film.inside.sum(axis=1) == pytest.approx(np.ones(8), abs=1e-6)
    assert film.covered.mean(axis=1).sum() == pytest.approx(1, abs=1e-6)
    film = regions([{**two_shapes(), "weights": np.full((8, 8, 8), 1 / 64)}]).here
    assert film.inside == pytest.approx(np.tile(film.covered.mean(axis=1), (8, 1)), abs=1e-6)


def test_regions_divide_a_picture_where_they_can_and_every_pixel_lies_in_one():
    sizes = {(28, 28): (7, 7), (8, 8): (8, 8), (13, 24): (8, 8), (3, 50): (3, 5)}
    for size, grid in sizes.items():
        assert regions_of(size) == grid
        assert gathered(np.ones((2, *size)), grid).sum(axis=(1, 2)).tolist() == [np.prod(size)] * 2


# ---- glimpses and drawings


def test_what_is_seen_is_what_no_glimpse_has_missed_or_what_is_handed_in():
    film = glimpses(27)
    view = regions([film])
    each = covers(corners(np.array([(x, y, s, s) for x, y, s in film["windows"]])), (8, 8), (8, 8))
    missed = np.ones((8, 8))
    for k, one in enumerate(each):
        missed *= 1 - one
        assert view.here.light[k] == pytest.approx(1 - missed, abs=1e-6)
        assert view.here.shares[k] == pytest.approx((1 - missed).mean(), abs=1e-6)
    assert (np.diff(view.here.shares) >= 0).all()
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
    whole = regions([{**film, "canvases": [film["target"]] * 4}]).here
    assert whole.done.tolist() == [1] * 4
    alone = regions([{name: film[name] for name in ("canvases", "windows")}])
    assert alone.here.goal == "last canvas"
    assert alone.here.done[-1] == 1


def test_a_film_travels_when_it_is_shown():
    view = every_kind()
    assert "0." not in str(view.facts), "numbers do not travel as JSON"
    assert view.needs() == ["film 1"]
    view.film = 3
    assert view.needs() == ["film 3"]
    assert len(view.part_of("film 3")) < 4 * 14 * 60 + 3 * 90 * 140 + 2000, "a picture is bytes"


# ---- where it opens, what it is called, its table


def test_a_film_opens_at_its_lesson_and_comes_with_its_step():
    view = every_kind()
    opened = []
    for film in range(1, len(view.films) + 1):
        view.film = film
        opened.append(view.step)
    assert opened == [7, 2, 6, 1, 2, 6, 8, 8]
    weights = np.full((2, 8, 8), 1 / 64)
    weights[1] = np.eye(64)[3].reshape(8, 8)
    caption = {"picture": np.ones((8, 8)), "words": ["a", "b"], "weights": weights}
    assert regions(caption).step == 2, "without boxes at the word that attends to one place"
    view = every_kind()
    view.film, view.step = 1, 3
    view.compare, view.region = 5, 9
    assert view.locked
    view.film = 2
    assert (view.step, view.compare, view.region, view.locked) == (2, 0, 0, False)
    view.set_state({"film": 2, "step": 5, "compare": 3, "region": 0, "locked": True})
    assert (view.film, view.step, view.compare) == (2, 5, 3)


def test_alt_names_film_step_and_region():
    view = every_kind()
    view.film, view.region = 2, 20
    view.compare = 3
    assert view.alt == (
        "Caption 'a new pair' of 7 steps; "
        "film 2 of 8, step 2, compared with step 3, row 3, column 4"
    )


def test_the_table_holds_the_numbers_that_came():
    words, seen = two_shapes(), glimpses(27)
    view = regions([words, seen, drawing(classified=False)])
    header, *rows = view.table()
    assert header == ["film", "step", "item", "quantity", "value"]
    assert all(isinstance(row[4], float) for row in rows)

    def values(film, step, **wanted):
        index = {"item": 2, "quantity": 3}
        return [row[4] for row in rows if row[:2] == [film, step]
                and all(row[index[name]] == value for name, value in wanted.items())]  # fmt: skip

    weights = values("1", "2", quantity="weight")
    assert weights[:64] == pytest.approx(words["weights"][1].ravel(), abs=1e-7)
    assert weights[64:] == pytest.approx(view.films[0].inside[1]), "in the boxes, and elsewhere"
    assert values("1", "2", item="row 2, column 3") == [weights[10]]
    (p,) = values("1", "2", item="red", quantity="probability")
    assert p == pytest.approx(words["alternatives"][1][0][1], abs=1e-7)
    assert values("2", "3", quantity="probability") == pytest.approx(seen["probabilities"][2])
    assert values("2", "3", item="window") == pytest.approx([*seen["windows"][2], 3.0])
    assert values("3", "8", quantity="share there") == [view.films[2].done[7]]
    assert len(values("3", "1", quantity="share written")) == 64


# ---- what is refused


def shapes(**more):
    return lambda: regions([{**two_shapes(), **more}])


def looks(**more):
    return lambda: regions([{**glimpses(27), **more}])


def draws(**more):
    return lambda: regions([{**drawing(steps=3), **more}])


def bad_box(*box):
    return shapes(boxes={"red circle": box, "blue square": (0, 0, 1, 1)})


EVEN = np.full((8, 8, 8), 1 / 64)
BAD = [
    (lambda: regions([]), "films: expected 1 to 24 films, came 0"),
    (lambda: regions([{"picture": EVEN[0]}]),
        r"films\[0\] has picture: expected 'words' with 'picture' and 'weights' for a caption"),
    (shapes(labels=1), r"films\[0\] has 'labels', expected picture"),
    (shapes(picture=None), r"films\[0\] has no 'picture'; expected"),
    (shapes(picture=np.full((64, 64), 200)),
        r"\['picture'\]: expected values from 0 to 1, came 200 to 200: divide by 255"),
    (shapes(picture=np.zeros((3, 64, 64))), r"permute\(1, 2, 0\)"),
    (shapes(picture=np.zeros((64, 64, 4))),
        r"expected no channel or 3, came 4 in \(64, 64, 4\): take \[..., :3\]"),
    (shapes(picture=np.zeros((2, 64, 64, 3))), "hand in one picture"),
    (shapes(picture=np.zeros((1000, 1000))),
        r"came 1000 x 1000: a large one is smaller as picture\[::2, ::2\]"),
    (shapes(words=["a"] * 61), "expected 1 to 60 steps, came 61"),
    (shapes(weights=EVEN * 1.002),
        r"\['weights'\]\[0\] sums to 1.002, expected 1: take the weights after the softmax"),
    (shapes(weights=EVEN - np.eye(8)[0] * 0.1),
        "expected 0 or more: take the weights after the softmax"),
    (lambda: regions([{"picture": np.ones((4, 4)), "words": ["a"], "weights": EVEN[:1]}]),
        "expected 1 to 4 rows of regions over 4 pixels, came 8"),
    (bad_box(-1, 0, 9, 9),
        r"\['boxes'\]\['red circle'\]: expected 0 <= x0 < x1 <= 64 .*, came -1, 0, 9, 9: clip"),
    (bad_box(1, 2, 3), "four numbers x0, y0, x1, y1"),
    (shapes(gold=["dog", *[None] * 7]),
        r"\['gold'\]\[0\]: expected a name of boxes, red circle, blue square, came 'dog'"),
    (shapes(wrong={1: "red"}), "'red' is the word that stands"),
    (shapes(alternatives=[[("a", 1.0)]]), r"for each of 8 words a list of \(word, probability\)"),
    (shapes(alternatives=[[("a", 0.9), ("b", 0.2)], *[[]] * 7]), "sum to at most 1"),
    (looks(windows=np.full((6, 3), -1.0)),
        r"\['windows'\]\[0\] is -1 wide and -1 high, expected more than 0: .* take exp"),
    (looks(probabilities=np.full((6, 10), 3.0)),
        r"\['probabilities'\]\[0\] sums to 30, expected 1: take the softmax of the logits"),
    (looks(classes="aaaaaaaaaa"), "2 to 100 different names"),
    (looks(seen=np.zeros((6, 4, 4))), r"\['seen'\]: expected shape \(6, 8, 8\), came \(6, 4, 4\)"),
    (draws(target=np.zeros((24, 24))), "came an empty picture"),
    (draws(probabilities=None), "came one of both"),
    (draws(canvases=np.zeros((50, 300, 300)), windows=np.ones((50, 3))),
        "at most 4,000,000 pixels in all steps together"),
]  # fmt: skip


def test_bad_input_says_what_is_wrong():
    for call, said in BAD:
        with pytest.raises((TypeError, ValueError), match=said):
            call()
