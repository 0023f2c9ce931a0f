"""A class is graded with nbgrader, whatever it hands in."""

import csv
import os
import signal
import subprocess
import sys
import time
import unicodedata

import nbformat
import pytest

pytest.importorskip("nbgrader")

from seqviz.command import main
from seqviz.grading.classes import Graded, grade
from seqviz.grading.collecting import collect, identified
from seqviz.grading.points import HEAD, export
from seqviz.grading.sandbox import Limits
from tests.grading.toy import ANSWERS, EDITS, FILES, cell, hand_in, released, solved

LIMITS = Limits(seconds=30, cell_seconds=6, memory=2 * 2**30)
WRITER = """import sys
from pathlib import Path
from seqviz.command import main
for command in (["release"], ["collect"], ["grade"]):
    main([*command, "A4", *(["inbox"] * (command == ["collect"])), "--course", "new"])
"""
NO_WALLS = os.environ | {"PATH": ""}  # to try them takes seconds

BAD = ("", ".", "..", "A1/../A2", "/etc", "A1\\A2", "*", "A4 ", "A" * 101)
OTHERS = {
    "link.ipynb": "a link",
    "outside": "is a link",
    "pipe.ipynb": "ordinary",
    "hollow": "empty",
}


def name_of(file):
    """Whose a file is."""
    return unicodedata.normalize("NFC", file.removesuffix(".ipynb").removesuffix(".png"))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return released(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def course(made):
    return made[0]


@pytest.fixture(scope="module")
def copy(made):
    return made[1]


@pytest.fixture(scope="module")
def collected(course, copy):
    inbox = course.root / "inbox"
    hand_in(copy, inbox)
    (inbox / "link.ipynb").symlink_to(course.source("A9"))
    (inbox / "outside").symlink_to(course.root)
    os.mkfifo(inbox / "pipe.ipynb")
    verdicts = collect(course, "A9", inbox)
    names = course.names()
    return {names[student]: (student, refused) for student, refused in verdicts.items()}


@pytest.fixture(scope="module")
def graded(course, collected):
    return {one.student: one for one in grade(course, "A9", LIMITS, 2)}


def test_the_copy_holds_no_solution_and_no_hidden_test(copy):
    text = "\n".join(cell.source for cell in copy.cells)
    for told in ("return 2", "x / 2", "SOLUTION", "HIDDEN", "-6", "because it is so"):
        assert told not in text
    assert text.count("raise NotImplementedError()") == 2
    assert "YOUR ANSWER HERE" in cell(copy, "words").source


def test_what_is_no_copy_is_refused_by_its_name(collected):
    reasons = {file: words for file, (_, words) in FILES.items()} | OTHERS
    for file, words in reasons.items():
        _, refused = collected[name_of(file)]
        assert words in refused, file
        assert words == "more than one" or ascii(file)[1:-1] in ascii(refused)
    taken = {name for name, (_, refused) in collected.items() if not refused}
    assert taken == {*ANSWERS, *EDITS}
    assert len({student.casefold() for student, _ in collected.values()}) == len(collected)


def test_everyone_gets_points_and_reasons(graded):
    for name, (_, points, words) in (ANSWERS | EDITS).items():
        one = graded[name.replace(" ", "_")]
        assert (one.points, one.most) == (points, 5), name
        assert words in "; ".join(one.notes), name
        assert words or not one.notes, name


def test_who_hands_in_nothing_of_use_gets_none(graded, collected):
    for file in (*FILES, *OTHERS):
        student, refused = collected[name_of(file)]
        assert graded[student] == Graded(student, 0, 5, (refused,))
    assert len(graded) == len(collected)


def test_what_is_done_is_not_done_again(course, graded):
    start = time.monotonic()
    again = {one.student: one for one in grade(course, "A9", LIMITS, 2)}
    assert again == graded
    assert time.monotonic() - start < 5


def test_points_are_a_table(course, graded, tmp_path):
    assert export(course, tmp_path / "points.csv") == len(graded)
    with (tmp_path / "points.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert tuple(rows["right"]) == HEAD
    assert (rows["right"]["points"], rows["right"]["most"]) == ("5.0", "9.0")
    assert rows["right"]["to_grade_by_hand"] == "1"
    assert rows["empty"]["to_grade_by_hand"] == "0"
    assert "'@sum" in rows


def test_a_grader_that_is_killed_goes_on(tmp_path):
    own, copy = released(tmp_path / "own")
    (tmp_path / "inbox").mkdir()
    for k in range(2):
        nbformat.write(solved(copy), tmp_path / "inbox" / f"s{k}.ipynb")
    collect(own, "A9", tmp_path / "inbox")
    command = [sys.executable, "-m", "seqviz.command", "grade", "A9", "--course", str(own.root)]
    told = {"stdout": subprocess.PIPE, "text": True, "env": NO_WALLS}
    with subprocess.Popen([*command, "--workers", "1"], start_new_session=True, **told) as one:
        first = one.stdout.readline()
        os.killpg(one.pid, signal.SIGKILL)
    assert ": 5 of 5" in first
    points = {one.student: one.points for one in grade(own, "A9", workers=1)}
    assert points == {"s0": 5, "s1": 5}


def test_wrong_calls_say_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    released(tmp_path / "course")
    for arguments, words in (
        (["release", "A99"], "no assignment 'A99'; there are: "),
        (["grade", "A99"], "no assignment 'A99'; there are: "),
        (["collect", "A99", "nowhere"], "no folder nowhere"),
        (["feedback", "A99"], "nobody was graded in A99"),
        (["points"], "nobody was graded"),
        *((["release", name], "assignment must be the name") for name in BAD),
        (["feedback", ".."], "assignment must be the name"),
        (["release", "A4", "--course", __file__], "course must be a folder"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert words in str(stopped.value)


def test_what_fails_while_one_is_recorded_is_a_note_of_theirs(course, graded, monkeypatch):
    def failing(_, assignment, student):
        raise SystemExit(f"{assignment}: {student}")

    monkeypatch.setattr("seqviz.grading.classes.record", failing)
    (course.root / "notes" / "A9" / "empty.json").unlink()
    again = {one.student: one for one in grade(course, "A9", LIMITS, 2)}
    assert "was not graded (SystemExit: A9: empty)" in again["empty"].notes[-1]
    assert {**again, "empty": None} == {**graded, "empty": None}


def test_a_name_stays_whose_it_is(course):
    known = identified(["Ann Lee"], {})
    later = identified(["Ann_Lee", "ANN_LEE", "Ann Lee"], known)
    assert later == {"Ann_Lee": "Ann Lee", "ANN_LEE-2": "ANN_LEE", "Ann_Lee-3": "Ann_Lee"}


def test_writers_of_a_new_course_do_not_race(tmp_path):
    (tmp_path / "inbox").mkdir()
    for name in ("ann", "bob"):
        (tmp_path / "inbox" / f"{name}.ipynb").write_bytes(b"")
    command = [sys.executable, "-c", WRITER]
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": NO_WALLS}
    writers = [subprocess.Popen(command, cwd=tmp_path, **told) for _ in range(2)]
    for one in writers:
        out, errors = one.communicate(timeout=300)
        assert one.returncode == 0, errors
        assert "ann: 0 of" in out
        assert "was not graded" not in out
