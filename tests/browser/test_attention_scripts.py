"""What the explorer decides before it draws, as plain functions: cursors, zoom, windows, words."""

import pytest

ROOM = "attention_explorer/"
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
    nearer = script(ROOM + "zoom.js", "zoomed", whole, size, 2, 75, 10)
    assert nearer == {"q0": 38, "qn": 50, "k0": 5, "kn": 20}
    assert script(ROOM + "zoom.js", "zoomed", nearer, size, 1e-9, 3, 3) == whole
    least = script(ROOM + "zoom.js", "zoomed", nearer, size, 1e9, 0, 0)
    assert (least["qn"], least["kn"]) == (4, 4)
    seen = script(ROOM + "zoom.js", "inSight", nearer, size, 99, 0)
    assert (seen["q0"], seen["k0"]) == (50, 0)


@pytest.mark.parametrize(
    ("before", "at", "start"), [(None, 50, 35), (35, 60, 35), (35, 65, 50), (35, 99, 70)]
)
def test_a_window_moves_when_the_cursor_leaves_it(script, before, at, start):
    window = script(ROOM + "plan.js", "windowOf", {"count": 30}, before, 100, at)
    assert window == {"from": start, "count": 30}


@pytest.mark.parametrize(
    ("tokens", "room", "cells", "lens"), [(8, 640, (30, 28), False), (64, 640, None, True)]
)
def test_the_plan_gives_every_pane_its_place(script, tokens, room, cells, lens):
    make = """(n, room) => {
        const units = Array.from({length: n}, (_, i) => ({from: i, to: i + 1, text: 'w' + i}));
        const sheet = {rows: units, columns: units, n, m: n};
        const view = {q0: 0, qn: n, k0: 0, kn: n};
        return plan({sheet, measure: text => 8 * text.length, wide: true, view}, room);
    }"""
    found = script(ROOM + "plan.js", make, tokens, room)
    assert found["broad"] + found["width"] == room
    assert found["x1"] < found["x2"] < found["width"]
    assert found["lens"] == lens
    if cells:
        assert (found["pw"], found["ph"]) == pytest.approx(cells)
