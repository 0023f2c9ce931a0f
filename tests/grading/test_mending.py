"""An answer is found wherever it stands, and no other function is the test's own."""

from contextlib import suppress

import pytest

pytest.importorskip("nbgrader")

from seqviz.grading.classes import with_tests
from seqviz.grading.copies import release
from seqviz.grading.course import Course
from seqviz.grading.examiner import TEST
from seqviz.grading.examining import whose
from seqviz.grading.judging import judge
from seqviz.grading.mending import mend
from seqviz.grading.sources import plain_python
from tests.grading.toy import PLACES, cell, nbformat, solved, source, v4


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    course = Course(tmp_path_factory.mktemp("course"))
    place = course.place("source", "A9")
    place.mkdir(parents=True)
    nbformat.write(source(), place / "A9_toy.ipynb")
    return nbformat.read(release(course, "A9"), as_version=4)


def points(notebook):
    """Of the cells, run one after the other, tests by themselves."""
    names, given, found = {}, [], 0
    for one in notebook.cells:
        mark = one.metadata.get("nbgrader", {})
        if one.cell_type == "code" and whose(one) == TEST:
            _, error = judge(one.source, given, names.__getitem__)
            found += 0 if error else mark["points"]
        elif one.cell_type == "code":
            given += [one.source] if mark.get("locked") else []
            with suppress(Exception):
                exec(plain_python(one.source), names)
    return found


@pytest.mark.parametrize(("edit", "most"), PLACES.values(), ids=PLACES)
def test_an_answer_is_found(copy, edit, most):
    notebook = solved(copy)
    edit(notebook)
    assert points(with_tests(mend(notebook, copy)[0], source())) == most


def test_words_are_found_in_a_new_cell(copy):
    notebook = solved(copy)
    notebook.cells[-1] = v4.new_markdown_cell("It is so.")
    assert cell(mend(notebook, copy)[0], "words").source == "It is so."
