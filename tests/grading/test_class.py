"""A class is graded with nbgrader, whatever it hands in."""

import csv
import os
import signal
import subprocess
import sys
import time

import nbformat
import pytest

pytest.importorskip("nbgrader")

from seqviz.command import main
from seqviz.grading.classes import grade
from seqviz.grading.collecting import collect
from seqviz.grading.copies import release
from seqviz.grading.course import Course
from seqviz.grading.examining import Examiners
from seqviz.grading.points import HEAD, export
from seqviz.grading.sandbox import Limits, can_wrap
from tests.grading.toy import ANSWERS, EDITS, FILES, cell, hand_in, solved, source

LIMITS = Limits(seconds=30, cell_seconds=6, memory=2 * 2**30)
NETWORK = """import socket
socket.create_connection(("192.0.2.1", 80), 1)
return 2 * x"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = Course(tmp_path_factory.mktemp("course"))
    place = course.place("source", "A9")
    place.mkdir(parents=True)
    nbformat.write(source(), place / "A9_toy.ipynb")
    return course


@pytest.fixture(scope="module")
def copy(course):
    return nbformat.read(release(course, "A9"), as_version=4)


@pytest.fixture(scope="module")
def collected(course, copy):
    inbox = course.root / "inbox"
    hand_in(copy, inbox)
    return collect(course, "A9", inbox)


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
    for name, (_, words) in FILES.items():
        assert words in collected[name.split(".")[0]]
        assert name in collected[name.split(".")[0]]
    assert not any(collected[name] for name in ("right", "folder", "Žofie_Ünal"))


@pytest.mark.parametrize("name", [*ANSWERS, *EDITS])
def test_everyone_gets_points_and_reasons(graded, name):
    _, points, words = {**ANSWERS, **EDITS}[name]
    one = graded[name.replace(" ", "_")]
    assert (one.points, one.most) == (points, 5)
    assert words in "; ".join(one.notes)
    assert words or not one.notes


def test_who_hands_in_nothing_of_use_gets_none(graded):
    assert graded["untouched"].points == 0
    for name in FILES:
        one = graded[name.split(".")[0]]
        assert one.points == 0
        assert len(one.notes) == 1


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
    assert rows["untouched"]["to_grade_by_hand"] == "0"


def test_a_submission_sees_neither_network_nor_course(course, copy, tmp_path):
    if not can_wrap():
        pytest.skip("bubblewrap is not there or may not work")
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "solution.txt").write_text("42", encoding="utf-8")
    look = f"import os\nassert not os.path.exists({str(secret)!r})\nreturn 2 * x"
    for body, passed in ((NETWORK, False), (look, True)):
        with Examiners(1) as examiners:
            run = examiners.execute(solved(copy, body), LIMITS, course.place("source", "A9"))
        assert (not cell(run, "double-test").outputs) == passed


def test_a_grader_that_is_killed_goes_on(course, copy, tmp_path):
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    for k in range(3):
        nbformat.write(solved(copy), inbox / f"s{k}.ipynb")
    own = Course(tmp_path / "own")
    own.place("source", "A9").mkdir(parents=True)
    nbformat.write(source(), own.place("source", "A9") / "A9_toy.ipynb")
    release(own, "A9")
    collect(own, "A9", inbox)
    command = [sys.executable, "-m", "seqviz.command", "grade", "A9", "--course", str(own.root)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as one:
        first = one.stdout.readline()
        os.killpg(one.pid, signal.SIGKILL)
    assert ": 5 of 5" in first
    done = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert sorted(done) == [f"s{k}: 5 of 5" for k in range(3)]


def test_wrong_calls_say_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for arguments, words in (
        (["release", "A99"], "no assignment 'A99'; there are: "),
        (["grade", "A99"], "no assignment 'A99'; there are: "),
        (["collect", "A99", "nowhere"], "no folder nowhere"),
        (["feedback", "A99"], "nobody was graded in A99"),
        (["points"], "nobody was graded"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert words in str(stopped.value)
