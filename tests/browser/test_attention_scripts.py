"""What the explorer decides before it draws, as plain functions: cursors, zoom, windows, words."""

from itertools import product

import pytest

ROOM = "attention/"
SHEET = """const unit = (from, to) => ({from, to, text: 't' + from});
    const sheet = {rows: [unit(0, 1), unit(1, 3), unit(3, 4)], columns: [unit(0, 1), unit(1, 2)],
        n: 3, m: 2, values: Float64Array.of(0.9, 0.1, 0.2, 0.8, 0.5, 0.5)};"""


@pytest.mark.parametrize(
    ("controls", "written", "lock"),
    [
        ({"side": "query", "query": 3, "key": 0}, 3, {"side": "query", "at": 1, "far": None}),
        ({"side": "query", "query": 3, "key": 2}, 3, {"side": "query", "at": 1, "far": 1}),
        ({"side": "key", "query": 4, "key": 1}, 3, {"side": "key", "at": 0, "far": 2}),
        ({"side": "query", "query": 4, "key": 1}, 2, None),  # not written yet
        ({"side": "query", "query": 0, "key": 2}, 3, None),
        ({"side": "query", "query": 1, "key": 1}, 0, None),
    ],
)
def test_what_is_locked_is_found_by_its_token(script, controls, written, lock):
    find = f"(written, controls) => {{ {SHEET} return lockOf(sheet, written, controls); }}"
    assert script(ROOM + "cursor.js", find, written, controls) == lock


FOCUS = f"""(written, focus) => {{
    {SHEET}
    const none = {{lock: null, over: null, pre: null}};
    const found = focusOf({{sheet, open: sheet, written}}, {{...none, ...focus}});
    return [found.A, found.B, [...found.values], found.lists.length];
}}"""


@pytest.mark.parametrize(
    ("written", "focus", "want"),
    [
        (3, {}, [("query", 0, 0), None, [0.9, 0.1], 1]),
        (3, {"over": ("key", 1, None)}, [("key", 1, 1), None, [0.1, 0.8, 0.5], 1]),
        (2, {"over": ("key", 1, None)}, [("key", 1, 1), None, [0.1, 0.8], 1]),
        (3, {"lock": ("query", 1, 0)}, [("query", 1, 0), None, [0.2, 0.8], 1]),
        (
            3,
            {"lock": ("query", 1, 0), "over": ("query", 2, None)},
            [("query", 1, 0), ("query", 2, 0), [0.2, 0.8], 2],
        ),
        (
            3,
            {"lock": ("query", 1, 0), "over": ("key", 1, None)},
            [("query", 1, 0), ("key", 1, 1), [0.2, 0.8], 1],
        ),
        (0, {"over": ("query", 1, 0)}, [("query", -1, -1), None, [0, 0], 1]),
    ],
)
def test_the_lock_is_compared_with_what_is_previewed(script, written, focus, want):
    def cursor(place):
        return place and dict(zip(("side", "at", "far"), place, strict=True))

    given = {name: cursor(place) for name, place in focus.items()}
    found = script(ROOM + "scene.js", FOCUS, written, given)
    assert found == [cursor(want[0]), cursor(want[1]), *want[2:]]


def test_the_cell_under_the_hand_stays_under_it(script):
    whole = {"q0": 0, "qn": 100, "k0": 0, "kn": 40}
    size = {"n": 100, "m": 40}
    nearer = script(ROOM + "zoom.js", "zoomed", whole, size, 4, 75, 10)
    assert nearer == {"count": 25, "q0": 57, "k0": 4}
    view = script(ROOM + "zoom.js", "viewOf", size, nearer)
    assert view == {"q0": 57, "qn": 25, "k0": 4, "kn": 25}
    assert script(ROOM + "zoom.js", "zoomed", view, size, 1e-9, 3, 3)["count"] == 100
    assert script(ROOM + "zoom.js", "zoomed", view, size, 1e9, 0, 0)["count"] == 4
    seen = script(ROOM + "zoom.js", "inSight", view, size, {"row": 99, "column": 0})
    assert seen == {"q0": 75, "k0": 0}
    assert script(ROOM + "zoom.js", "inSight", view, size, {"row": None, "column": 30}) == {
        "q0": 57,
        "k0": 6,
    }


PLAN = """(n, m, layers, heads, width, height, folded, beside, second) => {
    const units = count => Array.from({length: count}, (_, i) => ({from: i, text: 'w' + i}));
    const sheet = {rows: units(n), columns: units(m), n, m};
    const scene = {
        sheet, kind: {layers, heads}, single: layers * heads === 1, beside, zoom: null,
        facts: {second}, A: {side: 'query', at: 0, far: 0}, measure: text => 8 * text.length,
    };
    return plan(scene, {width, height, folded});
}"""


@pytest.mark.parametrize("width", [320, 560, 801, 940, 1168, 1600])
@pytest.mark.parametrize(
    ("n", "m", "layers", "heads"),
    [
        (2, 2, 1, 1),
        (15, 15, 6, 12),
        (64, 64, 12, 12),
        (28, 31, 1, 1),
        (10, 60, 4, 8),
        (512, 512, 24, 16),
    ],
)
def test_the_plan_keeps_its_promise(script, n, m, layers, heads, width):
    for folded, second in product((False, True), (False, True)):
        for beside in ("heads", "lines", "texts"):
            size = width, 460, folded
            found = script(ROOM + "plan.js", PLAN, n, m, layers, heads, *size, beside, second)
            view = found["view"]
            assert found["broad"] == pytest.approx(found["cell"] * view["kn"])  # square
            assert found["high"] == pytest.approx(found["cell"] * view["qn"])
            most = max(found["broad"], found["high"])
            assert most >= min(360, 0.6 * width) - 1e-6 or n != m
            assert found["broad"] + found["q"] <= width
            if max(n, m) > 40:
                assert found["lens"]
                assert found["cell"] >= 12
            if found["lines"]:
                assert found["x1"] < found["x2"] < found["width"]
                before = 0 if found["stack"] else found["broad"] + found["q"]
                assert before + found["width"] <= found["main"] + 1e-6
            if found["heads"] and not found["stack"]:
                assert found["main"] + found["side"] <= width
                assert (heads + 1) * (found["tile"] + 2) + 50 <= found["side"] or heads > 12
            if found["texts"] and not found["stack"]:
                assert found["words"] >= 160
                assert found["main"] + found["heads"] * found["side"] + found["words"] <= width
            assert found["lines"] or found["heads"] or found["texts"]
