"""Each assignment through nbgrader: the solution, other right answers, wrong ones."""

import nbformat
import pytest

pytest.importorskip("nbgrader")

from seqviz.grading.classes import grade
from seqviz.grading.collecting import collect
from seqviz.grading.copies import release
from seqviz.grading.course import Course
from seqviz.grading.variants import deal
from tests.assignments.handing_in import kind_of, submission
from tests.assignments.reading import SOURCES, exercises, mark_of

CLASS = {
    "solution": lambda exercise, answers: None,
    "other": kind_of("right", 1),
    "wrong": kind_of("wrong", 2),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course of all assignments."""
    return Course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module", params=SOURCES, ids=lambda path: path.parent.name)
def released(request, course):
    """An assignment: its name, its exercises, the copy that students get."""
    name = request.param.parent.name
    copy = nbformat.read(release(course, name), as_version=4)
    return name, exercises(request.param), copy


def test_a_copy_holds_no_solution(released):
    _, known, copy = released
    text = "\n".join(cell.source for cell in copy.cells)
    code = "\n".join(cell.source for cell in copy.cells if cell.cell_type == "code")
    marks = [mark_of(cell) for cell in copy.cells if cell.cell_type == "code"]
    answers = sum(bool(mark.get("solution")) for mark in marks)
    assert code.count("raise NotImplementedError()") == answers >= len(known)
    for exercise in known:
        body = exercise.solution.split("### BEGIN SOLUTION")[1].split("### END SOLUTION")[0]
        for line in (line.strip() for line in body.splitlines()):
            assert len(line) < 16 or line not in text, (exercise.name, line)
    assert not any(cell.get("outputs") for cell in copy.cells)


def test_each_stub_says_that_it_is_not_solved(released):
    _, known, copy = released
    names = {}
    stubs = [exercise.name for exercise in known]
    for cell in copy.cells:
        if mark_of(cell).get("grade_id") in (*stubs, "given-1"):
            exec(compile(cell.source, "<cell>", "exec"), names)
    for name in stubs:
        count = names[name].__code__.co_argcount
        with pytest.raises(NotImplementedError):
            names[name](*[None] * count)


@pytest.mark.slow
def test_three_submissions_get_their_points(course, released, tmp_path):
    name, known, copy = released
    expected = {}
    for student, choose in CLASS.items():
        notebook, expected[student] = submission(copy, known, choose)
        nbformat.write(notebook, tmp_path / f"{student}.ipynb")
    collect(course, name, tmp_path)
    found = {one.student: one for one in grade(course, name)}
    assert {student: one.points for student, one in found.items()} == expected
    assert expected["solution"] == expected["other"] == found["solution"].most
    assert expected["wrong"] == 0
    assert not any(one.notes for one in found.values())


@pytest.mark.slow
def test_variants_give_the_same_points(tmp_path):
    course, known, expected = Course(tmp_path / "course"), exercises(SOURCES[3]), {}
    release(course, "A4")
    (tmp_path / "class.csv").write_text("student,variant\nann,11\nbob,77\ncleo,9\n", "utf-8")
    folder = deal(course, "A4", tmp_path / "class.csv")
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    chosen = {"ann": kind_of("right", 1), "bob": CLASS["solution"], "cleo": kind_of("wrong", 2)}
    for student, choose in chosen.items():
        copy = nbformat.read(folder / f"{student}.ipynb", as_version=4)
        notebook, expected[student] = submission(copy, known, choose)
        nbformat.write(notebook, inbox / f"{student}.ipynb")
    collect(course, "A4", inbox)
    found = {one.student: one for one in grade(course, "A4")}
    assert {student: one.points for student, one in found.items()} == expected
    assert expected["ann"] == expected["bob"] == found["ann"].most
    assert not any(one.notes for one in found.values())
