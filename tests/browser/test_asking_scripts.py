"""What asks, called as plain functions: lines in order, and days."""

from pathlib import Path

import pytest

from seqviz import asking

HERE = Path(asking.__file__).parent
LINES = str(HERE / "lines.js")
SCHEDULE = str(HERE / "schedule.js")
PUZZLE = {
    "lines": ["x = 0", "for t in s:", "    x = x + t", "    y = x", "z = y", "stray"],
    "size": 5,
    "pairs": [
        {"above": 0, "below": 2, "names": ["x"], "makes": True},
        {"above": 2, "below": 3, "names": ["x"], "makes": True},
        {"above": 3, "below": 4, "names": ["y"], "makes": True},
    ],
    "openers": [-1, -1, 1, 1, -1],
    "strays": ["No."],
    "because": "Yes.",
}


@pytest.mark.parametrize(
    ("program", "line", "text"),
    [
        ([0, 1, 2, 3, 4], -1, "Yes."),
        ([1, 0, 2, 3, 4], 2, "another block"),
        ([0, 1, 3, 2, 4], 3, "uses `x`, which `x = x + t` makes"),
        ([0, 1, 2, 3, 5, 4], 5, "No."),
        ([0, 1, 2, 4, 3], 4, "uses `y`"),
        ([2, 1, 0], 2, "uses `x`, which `x = 0` makes"),
        ([0, 1, 2, 3], -1, "One line is missing."),
        ([], -1, "5 lines are missing."),
    ],
)
def test_the_first_fault_of_a_program_is_named(script, program, line, text):
    verdict = script(LINES, "judged", program, PUZZLE)
    assert verdict["line"] == line
    assert text in verdict["text"]
    assert verdict["right"] == (text == "Yes.")


def test_a_line_is_put_at_its_place_and_taken_out(script):
    assert script(LINES, "laid", [0, 1, 2], 2, 0) == [2, 0, 1]
    assert script(LINES, "laid", [0, 1, 2], 0, 2) == [1, 2, 0]
    assert script(LINES, "laid", [0, 1], 7, 2) == [0, 1, 7]
    assert script(LINES, "laid", [0, 1], 1, -1) == [0]


def test_what_was_right_comes_back_later_each_time(script):
    kept, days = None, []
    for right in (True, True, True, True, True, True, False, True):
        kept = script(SCHEDULE, "answered", kept, right, 0)
        days.append(kept["due"])
    assert days == [1, 3, 7, 21, 60, 60, 1, 3]
    assert script(SCHEDULE, "answered", {"level": "x"}, True, 0)["due"] == 1  # nonsense was kept


def test_the_longest_waiting_come_first_and_new_ones_last(script):
    kept = {"a": {"level": 0, "due": 5}, "b": {"level": 0, "due": 3}, "c": {"level": 0, "due": 99}}
    due = "(kept, now, most) => dueOf([...'abcd'], name => kept[name], now, most)"
    assert script(SCHEDULE, due, kept, 10, 6) == ["b", "a", "d"]
    assert script(SCHEDULE, due, kept, 10, 1) == ["b"]
    kept["c"]["on"] = 10  # answered today
    assert script(SCHEDULE, due, kept, 10, 3) == ["b", "a"]
    assert (
        script(SCHEDULE, "day => dayOf(new Date(day, 0, 2)) - dayOf(new Date(day, 0, 1, 23))", 2026)
        == 1
    )
