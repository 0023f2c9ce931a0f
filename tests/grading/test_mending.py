"""An answer is found wherever it stands, and no other function is the test's own."""

import json
from contextlib import suppress

import pytest

pytest.importorskip("nbgrader")

from seqviz.grading.classes import with_tests
from seqviz.grading.collecting import notebook
from seqviz.grading.examiner import TEST
from seqviz.grading.examining import whose
from seqviz.grading.judging import judge
from seqviz.grading.mending import mend
from seqviz.grading.sources import plain_python
from tests.grading.toy import ODD, PLACES, cell, nbformat, released, solved, source, v4


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return released(tmp_path_factory.mktemp("course"))[1]


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


def points_of(submission, copy):
    return points(with_tests(mend(submission, copy)[0], source()))


def test_an_answer_is_found_wherever_it_stands(copy):
    for place, (edit, most, words) in PLACES.items():
        submission = solved(copy)
        edit(submission)
        assert points_of(submission, copy) == most, place
        assert words in "; ".join(mend(submission, copy)[1]), place
    submission = solved(copy)
    submission.cells[-1] = v4.new_markdown_cell("It is so.")
    assert cell(mend(submission, copy)[0], "words").source == "It is so."


def test_who_answers_nothing_gets_none(copy):
    assert points_of(copy, copy) == 0


def test_what_does_not_count_may_be_odd(copy):
    text = json.dumps(solved(copy))
    for name, (old, new) in ODD.items():
        assert old in text
        for encoding in ("utf-8", "utf-8-sig", "utf-16"):
            odd = notebook(text.replace(old, new, 1).encode(encoding), "it")
            nbformat.writes(mend(odd, copy)[0]).encode()
            assert points_of(odd, copy) == 5, (name, encoding)
    of_format_3 = nbformat.writes(solved(copy), version=3).encode()
    assert points_of(notebook(of_format_3, "it"), copy) == 5


def test_code_that_no_parser_reads_is_put_in_order(copy):
    for body in ("(" * 10**5, "x = 1" + " + 1" * 10**4, "x\x00", "%a\n" * 999):
        submission = solved(copy)
        cell(submission, "double").source = body
        assert points_of(submission, copy) == 2, body[:20]
