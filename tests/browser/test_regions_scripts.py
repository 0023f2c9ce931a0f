"""What films of steps decide before they are drawn, as plain functions."""

from itertools import product

import numpy as np
import pytest

from seqviz.view import regions
from seqviz.views.regions.films import fewest_for_half
from seqviz.views.regions.geometry import gathered
from tests.views.region_films import drawing, every_kind, glimpses, two_shapes, wrong_word

pytestmark = pytest.mark.browser
ROOM = "regions/"
STATE = {"step": 2, "compare": None, "region": None, "locked": False, "over": None, "spot": None}


def packed(view, film=1):
    """A film as it travels: its facts and the bytes of its part."""
    return view.facts["films"][film - 1], list(view.part(f"film {film}"))


def arrived(script, view, film=1):
    """A film as the page makes it of what travels, with lists for its arrays."""
    call = """(facts, bytes) => {
        const film = filmOf(facts, readFilm(new DataView(Uint8Array.from(bytes).buffer)));
        return JSON.parse(
            JSON.stringify(film, (_, v) => (ArrayBuffer.isView(v) ? Array.from(v) : v)));
    }"""
    facts, part = view.facts["films"][film - 1], view.part(f"film {film}")
    return script(ROOM + "parts.js", call, facts, list(part))


def scene(script, view, film=1, W=801, tall=None, light="own", pictured=False, **state):
    """The scene of a film in a size."""
    size = {"W": W, "tall": tall, "pictured": pictured}
    given = {"film": arrived(script, view, film), "state": {**STATE, **state}, "light": light}
    return script(ROOM + "scene.js", "sceneOf", {**given, "size": size})


# ---- what is in focus


@pytest.mark.parametrize(
    ("state", "focus"),
    [
        ({}, (2, None, None, False)),
        ({"over": 4}, (4, None, None, True)),
        ({"locked": True}, (2, None, None, False)),
        ({"locked": True, "over": 4}, (2, 4, None, True)),
        ({"locked": True, "over": 2}, (2, None, None, True)),
        ({"locked": True, "compare": 5}, (2, 5, None, False)),
        ({"locked": True, "compare": 5, "over": 4}, (2, 4, None, True)),
        ({"region": 7}, (2, None, 7, False)),
        ({"region": 7, "spot": 9}, (2, None, 9, True)),
    ],
)
def test_focus(script, state, focus):
    call = """state => {
        const {at, other, region, previewing} = focusOf(state);
        return [at, other, region, previewing];
    }"""
    assert tuple(script(ROOM + "scene.js", call, {**STATE, **state})) == focus


@pytest.mark.parametrize(
    ("r", "by", "to"),
    [(0, [-1, 0], 0), (0, [1, 0], 1), (4, [1, 0], 4), (4, [0, 1], 9), (9, [0, 1], 9)],
)
def test_the_region_beside_one(script, r, by, to):
    assert script(ROOM + "scene.js", "besideRegion", {"rows": 2, "columns": 5}, r, by) == to


def test_the_region_under_a_point(script):
    shape, size = {"rows": 2, "columns": 5}, {"unit": 10, "tier": 20}
    call = "(shape, size, points) => points.map(point => regionUnder(shape, size, point))"
    points = [[0, 0], [49, 0], [50, 40], [-3, 25], [25, 19.9]]
    assert script(ROOM + "scene.js", call, shape, size, points) == [0, 4, 9, 5, 2]


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


def test_both_sides_count_the_same_half(script):
    rng = np.random.default_rng(1)
    rows = rng.dirichlet(np.full(64, 0.3), 40).astype(np.float32)
    call = "rows => rows.map(row => heaviest(Float32Array.from(row)).length)"
    expected = [fewest_for_half(row) for row in rows.astype(float).tolist()]
    assert script(ROOM + "parts.js", call, rows.tolist()) == expected


def test_both_sides_lay_the_same_regions_over_pixels(script):
    for h, w, rows, columns in ((28, 28, 7, 7), (13, 24, 8, 8), (90, 140, 6, 10)):
        shape = {"h": h, "w": w, "rows": rows, "columns": columns}
        call = """shape => Array.from({length: shape.h * shape.w}, (_, i) =>
            regionAt(shape, i % shape.w, Math.floor(i / shape.w)))"""
        found = np.bincount(script(ROOM + "lighting.js", call, shape), minlength=rows * columns)
        assert found.tolist() == gathered(np.ones((1, h, w)), (rows, columns)).ravel().tolist()


# ---- a film on the page


@pytest.mark.parametrize("film", range(1, 9))
def test_a_film_arrives_as_it_was_sent(script, film):
    view = every_kind()
    own, found = view.films[film - 1], arrived(script, view, film)
    arrays = ("regions", "inside", "areas", "windows", "p", "shares", "done", "best", "gains")
    for name in (name for name in arrays if name in found):
        assert np.array(found[name]) == pytest.approx(np.array(getattr(own, name)), abs=1e-9), name


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
    x0, y0, x1, _ = view.here.boxes["green circle"]
    scale = found["layout"]["picture"]["width"] / 64
    assert [box["x"], box["y"]] == pytest.approx([x0 * scale, y0 * scale])
    assert box["width"] == pytest.approx((x1 - x0) * scale)
    assert (box["value"], box["says"]) == ("0.69", "says “blue”")


def test_what_is_not_known_to_be_right_has_no_sign(script):
    film = two_shapes()
    del film["wrong"]
    looks, says = scene(script, regions([film]), step=1)["readout"]
    assert (looks["mark"], says["mark"]) == ("right", None)
    assert all(row["mark"] is None for row in says["rows"])
    flat = {**film, "weights": np.full((8, 8, 8), 1 / 64)}
    assert scene(script, regions([flat]), step=1)["readout"][0]["mark"] == "wrong"


def test_a_region_turns_the_bars_to_itself(script):
    view = regions([two_shapes()])
    found = scene(script, view, region=26)
    weights = view.here.regions[:, 26]
    assert [cell["share"] for cell in found["cells"]] == pytest.approx(weights / weights.max())
    assert found["hint"] == "bar: weight on this region"
    assert found["picture"]["region"]["x"] == pytest.approx(2 * found["layout"]["picture"]["unit"])


def test_two_words_on_one_object_have_one_label(script):
    view = regions([two_shapes()])
    found = scene(script, view, step=1, locked=True, compare=2)
    assert len(found["picture"]["boxes"]) == 1
    assert [one["kind"] for one in found["picture"]["outlines"]] == ["me", "second"]
    assert len(scene(script, view, step=1, locked=True, compare=3)["picture"]["boxes"]) == 2


def test_a_scene_of_glimpses(script):
    film = glimpses(69)
    view = regions([film])
    found = scene(script, view)
    assert len(found["picture"]["path"]) == 3
    scale = found["layout"]["picture"]["width"] / 8
    x, y, size = film["windows"][2]
    frame = found["picture"]["frame"]
    assert [frame["x"], frame["y"], frame["width"]] == pytest.approx(
        [(x - size / 2) * scale, (y - size / 2) * scale, size * scale]
    )
    (block,) = found["readout"]
    assert (block["kind"], block["mark"]) == ("columns", "wrong")
    assert [c["label"] for c in block["columns"] if c["truth"]] == ["9"]
    assert found["scale"] == "own"
    assert scene(script, view, light="one")["scale"] == "own", "glimpses have one scale"


def test_classes_with_long_names_stand_in_rows(script):
    film = {**glimpses(69), "classes": [f"digit {k}" for k in range(10)]}
    (block,) = scene(script, regions([film]))["readout"]
    assert block["kind"] == "rows"
    assert len(block["rows"]) <= 4
    assert [row["mark"] for row in block["rows"]].count("right") == 1, "the truth is among them"


def test_a_drawing_is_a_sum(script):
    view = regions([drawing()])
    first, says = scene(script, view)["readout"]
    values = [part["values"] for part in first["parts"] if "values" in part]
    before, new, canvas, target = (
        np.array([*v.values()] if isinstance(v, dict) else v) for v in values
    )
    times = 255 / np.abs(canvas - before).max()
    assert new / times + before == pytest.approx(canvas, abs=1e-6)
    assert target == pytest.approx(np.round(255 * view.here.target.ravel()), abs=1)
    assert says["title"] == "Classifier says"


# ---- light


def test_no_light_is_no_more_than_the_floor(script):
    film = {"kind": "caption", "h": 2, "w": 2, "rows": 1, "columns": 2, "regions": [[1, 0]]}
    film |= {"coloured": True, "base": [200] * 12}
    call = """film => [...paintedStep({...film, base: Uint8Array.from(film.base)}, 0, 'own')]"""
    painted = np.array(script(ROOM + "lighting.js", call, film)).reshape(2, 2, 4)
    assert painted[0, 0].tolist() == [200, 200, 200, 255]
    night = np.array([11, 17, 32])
    assert painted[1, 1, :3] == pytest.approx(night + 0.3 * (200 - night), abs=1)


def test_light_is_monotone_in_the_weight(script):
    film = {"kind": "caption", "h": 1, "w": 8, "rows": 1, "columns": 8}
    film |= {"regions": [[k / 28 for k in range(8)], [0.9, 0.1, *[0] * 6]]}
    call = "(film, scale) => [...Array(8).keys()].map(x => lightOf(film, 0, scale)(x, 0))"
    own = script(ROOM + "lighting.js", call, film, "own")
    one = script(ROOM + "lighting.js", call, film, "one")
    assert own == sorted(own)
    assert (own[0], own[-1]) == (0, 1)
    assert one[-1] == pytest.approx((0.25 / 0.9) ** 0.7)


# ---- sizes


@pytest.mark.parametrize("W", [300, 500, 700, 801, 968, 1400])
@pytest.mark.parametrize("film", range(1, 9))
def test_nothing_leaves_its_place(script, W, film):
    layout = scene(script, every_kind(), film, W=W, step=0)["layout"]
    strip, picture = layout["strip"], layout["picture"]
    width = strip["columns"] * strip["step"]["x"]
    assert width - (strip["step"]["x"] - strip["cell"]) <= layout["left"] + 1e-9
    assert strip["thumb"]["width"] <= strip["cell"] - 2 * strip["inset"] + 1
    assert picture["width"] <= W
    if not layout["narrow"]:
        assert layout["left"] + picture["width"] < W
        left = layout["head"] + strip["tall"] + layout["player"] + layout["readout"]
        assert left <= 26 + (460 if layout["wide"] else 416) + 30


def test_a_taller_screen_has_a_larger_picture(script):
    view = every_kind()
    widths = [scene(script, view, W=808, tall=tall)["layout"]["picture"]["width"]
              for tall in (300, 360, 400)]  # fmt: skip
    assert widths == sorted(widths)
    assert widths[0] < widths[-1] <= 374
    assert scene(script, view, pictured=True)["layout"]["player"] < 10, "it is not in a picture"
