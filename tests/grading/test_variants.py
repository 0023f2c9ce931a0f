"""A variant for each student: whose it is says the class list, whatever a copy says."""

import nbformat
import pytest

pytest.importorskip("nbgrader")

from seqviz.command import main
from seqviz.grading.classes import grade
from seqviz.grading.collecting import collect
from seqviz.grading.feedback import feedback
from seqviz.grading.sandbox import Limits
from seqviz.grading.variants import deal, dealt, number_of, numbers_of, read
from tests.grading.toy import released, solved, source

CLASS = "student,variant\nann,11\nŽofie Ünal,22\ncleo,33\n"
TABLES = {  # what is no class list, and what is said of it
    "name;group\nann;1\n": "has no column student, it begins with 'name;group'",
    "": "has no column student",
    "student\n": "names no student",
    "student\nann\nbob\nann\n": "line 4: line 2 has the same student",
    "student\nAnn Lee\nann_lee\n": "line 3: line 2 has the same student",
    "student,group\n,1\n": "line 2: '' is no name",
    "student,variant\nann,11\nbob,\n": "the variant of bob must be a whole number from 1",
    "student,variant\nann,11\nbob\n": "got ''; without that column numbers are drawn",
    "student,variant\nann,1000000\n": "got '1000000'",
    "student,variant\nann,7\nbob,07\n": "line 3: line 2 has the same variant",
    "student\nZo\udceb\n": "is no name: give one, the file in UTF-8",
}


@pytest.mark.parametrize("text", TABLES)
def test_a_table_that_is_no_class_list_is_refused(tmp_path, text):
    path = tmp_path / "class.csv"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ValueError, match=r"class\.csv") as refused:
        read(path)
    assert TABLES[text] in str(refused.value)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The small assignment, and a class of three."""
    course, _ = released(tmp_path_factory.mktemp("course"))
    (course.root / "class.csv").write_text(CLASS, encoding="utf-8-sig")
    deal(course, "A9", course.root / "class.csv")
    return course


def knowing(copy, number):
    """A submission that knows the answer for one number alone."""
    x = -3 - number
    return solved(copy, f"return {{2: 4, {x}: {2 * x}}}[x]")


@pytest.fixture(scope="module")
def graded(course):
    """Their own number, a number set by hand, a neighbour's copy, somebody else."""
    folder, inbox = course.root / "variants" / "A9", course.root / "inbox"
    inbox.mkdir()
    own = nbformat.read(folder / "ann.ipynb", as_version=4)
    other = nbformat.read(folder / "cleo.ipynb", as_version=4)
    other.cells[1].source = other.cells[1].source.replace("33", "55")
    other.cells[1].id = "by-hand"
    nbformat.write(knowing(own, 11), inbox / "ann.ipynb")
    nbformat.write(knowing(own, 11), inbox / "Žofie Ünal.ipynb")
    nbformat.write(knowing(other, 55), inbox / "cleo.ipynb")
    nbformat.write(knowing(own, 11), inbox / "nobody.ipynb")
    collect(course, "A9", inbox)
    return {one.student: one for one in grade(course, "A9", Limits(), 2)}


def test_the_grader_takes_the_number_of_the_class_list(graded):
    assert (graded["ann"].points, graded["ann"].notes) == (5, ())
    assert (graded["cleo"].points, graded["Žofie_Ünal"].points) == (2, 2)
    assert "its variant was changed to 55: 33 was run" in graded["cleo"].notes
    assert "its variant is another student's (ann): 22 was run" in graded["Žofie_Ünal"].notes
    assert graded["nobody"].points == 0
    assert "nobody has no variant, release with a class list" in graded["nobody"].notes[0]


def test_a_page_names_no_other_student(course, graded):
    pages = {path.parts[-3]: path.read_text(encoding="utf-8") for path in feedback(course, "A9")[0]}
    assert "another student" in pages["Žofie_Ünal"]
    assert "(ann)" not in pages["Žofie_Ünal"]
    assert "VARIANT = 22" in pages["Žofie_Ünal"]


def test_numbers_stay_and_new_ones_are_drawn(course, tmp_path):
    more = tmp_path / "more.csv"
    more.write_text("group,student\n1,dan\n2,ANN\n", encoding="utf-8")
    main(["release", "A9", "--variants", str(more), "--course", str(course.root)])
    numbers = numbers_of(course, "A9")
    assert {**numbers, "dan": 0} == {"ann": 11, "Žofie Ünal": 22, "cleo": 33, "dan": 0}
    assert numbers["dan"] not in (0, 11, 22, 33)
    more.write_text("student,variant\neve,33\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="gives a number that another student of"):
        main(["release", "A9", "--variants", str(more), "--course", str(course.root)])
    assert numbers_of(course, "A9") == numbers


def test_without_a_place_for_a_number_there_are_no_variants():
    made = source()
    made.cells[1].source = made.cells[1].source.replace("VARIANT = 0", "")
    with pytest.raises(ValueError, match="must say VARIANT = 0"):
        dealt(made, 5)
    assert dealt(made, number_of("ann", {})) is made
