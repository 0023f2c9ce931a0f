"""An answer is found wherever it stands, and no other function is the test's own."""

import json
from contextlib import suppress

import pytest

pytest.importorskip("nbgrader")

from seqviz.grading.classes import with_tests
from seqviz.grading.collecting import notebook
from seqviz.grading.copies import release
from seqviz.grading.course import Course
from seqviz.grading.examiner import TEST
from seqviz.grading.examining import whose
from seqviz.grading.judging import judge
from seqviz.grading.mending import mend
from seqviz.grading.sources import plain_python
from tests.grading.toy import ODD, PLACES, cell, nbformat, solved, source, v4


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    course = Course(tmp_path_factory.mktemp("course"))
    place = course.place("source", "A9")
    place.mkdir(parents=True)
    nbformat.write(source(), place / "A9_toy.ipynb")
    return nbformat.read(release(course, "A9"), as_version=4)


def points(mended):
    """Of the cells, run one after the other, tests by themselves."""
    names, given, found = {}, [], 0
    for one in mended.cells:
        mark = one.metadata.get("nbgrader", {})
        if one.cell_type == "code" and whose(one) == TEST:
            _, error = judge(one.source, given, names.__getitem__)
            found += 0 if error else mark["points"]
        elif one.cell_type == "code":
            given += [one.source] if mark.get("locked") else []
            with suppress(Exception):
                exec(plain_python(one.source), names)
    return found


@pytest.mark.parametrize(("edit", "most", "words"), PLACES.values(), ids=PLACES)
def test_an_answer_is_found(copy, edit, most, words):
    submission = solved(copy)
    edit(submission)
    mended, notes = mend(submission, copy)
    assert points(with_tests(mended, source())) == most
    assert words in "; ".join(notes)


def test_who_answers_nothing_gets_none(copy):
    assert points(with_tests(mend(copy, copy)[0], source())) == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize(("old", "new"), ODD.values(), ids=ODD)
def test_what_does_not_count_may_be_odd(copy, old, new, encoding):
    text = json.dumps(solved(copy))
    assert old in text
    mended, _ = mend(notebook(text.replace(old, new, 1).encode(encoding), "it"), copy)
    nbformat.writes(mended).encode()
    assert points(with_tests(mended, source())) == 5


def test_a_notebook_of_an_old_format_is_taken(copy):
    old = nbformat.writes(solved(copy), version=3).encode()
    assert points(with_tests(mend(notebook(old, "it"), copy)[0], source())) == 5


@pytest.mark.parametrize("body", ["(" * 10**5, "x = 1" + " + 1" * 10**4, "x\x00", "%a\n" * 999])
def test_code_that_no_parser_reads_is_put_in_order(copy, body):
    submission = solved(copy)
    cell(submission, "double").source = body
    assert points(with_tests(mend(submission, copy)[0], source())) == 2


def test_words_are_found_in_a_new_cell(copy):
    submission = solved(copy)
    submission.cells[-1] = v4.new_markdown_cell("It is so.")
    assert cell(mend(submission, copy)[0], "words").source == "It is so."
