from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import seqviz as sv
from seqviz import publishing
from seqviz.asking import TABLE, table
from seqviz.asking.precedence import pairs


def question(**changes):
    given = {
        "question": "What follows `l`?",
        "options": ["l", "o", "<b>"],
        "answer": "o",
        "because": "The state decides.",
        "wrong": {"l": "Only the first time."},
    }
    return sv.ask(**{**given, **changes})


def test_text_shows_the_options_and_keeps_the_answer():
    text = repr(question())
    assert "A) l" in text
    assert "B) o" in text
    assert "The state decides." not in text


def test_each_option_opens_to_its_own_explanation():
    page = question()._repr_html_()
    assert page.count("<details") == 3
    assert page.index("✗ Not this one.</b> Only the first time.") < page.index("✓ Right.")
    assert "<code>l</code>" in page


def test_options_and_explanations_never_become_markup():
    page = question(because="<script>alert(1)</script>", question="</p><script>")._repr_html_()
    assert "<script>" not in page
    assert "<b>." not in page
    assert "&lt;b&gt;" in page


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"answer": "x"}, ValueError, "answer must be one of"),
        ({"options": ["o"]}, ValueError, "two to six"),
        ({"options": ["o", "o"]}, ValueError, "different"),
        ({"wrong": {"o": "no"}}, ValueError, "wrong explains"),
        ({"because": None}, TypeError, "because must be text"),
        ({"options": None}, TypeError, "options must be a list"),
        ({"options": ["o", "o\u200b"]}, ValueError, "differ to the eye"),
        ({"options": ["o", " "]}, ValueError, "must be seen"),
    ],
)
def test_bad_input_is_named(changes, error, words):
    with pytest.raises(error, match=words):
        question(**changes)


LINES = ["e = h @ s", "a = softmax(e)", "c = a @ h"]
STRAYS = {"a = e / e.sum()": "Scores can be negative."}


def lines(**changes):
    given = {"question": "Attend.", "lines": LINES, "strays": STRAYS, "because": "So."}
    return sv.order(**{**given, **changes})


def test_lines_are_handed_out_in_disorder_and_alike_for_all():
    assert lines().shuffled == lines().shuffled
    assert sorted(lines().shuffled) == sorted([*LINES, *STRAYS])
    for k in range(30):
        handed = [line for line in lines(question=f"{k}").shuffled if line in LINES]
        assert handed != LINES


def test_lines_never_become_markup_and_the_order_is_folded():
    page = lines(strays={"a = '<b>'": "<i>no</i>"}, because="`<u>`")._repr_html_()
    assert "<b>'" not in page
    assert "<i>" not in page
    assert "<u>" not in page
    assert page.index("<details>") < page.index("e = h @ s\na = softmax(e)")


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"lines": LINES[:2]}, ValueError, "three to twelve"),
        ({"lines": [*LINES, "c = a @ h"]}, ValueError, "all different"),
        ({"strays": {"c = a @ h": "no"}}, ValueError, "none a stray"),
        ({"lines": ["for t in x:", "a = 1", "b = 2"]}, ValueError, "must be a program"),
        ({"lines": ["a = 1", "b = 2; c = 3", "d = 4"]}, ValueError, "one statement a line"),
        ({"lines": ["a = 1", "b = 2", "c = 3"]}, ValueError, "same in any order"),
        ({"lines": [*LINES, "  # c"]}, ValueError, "each hold a statement"),
        ({"lines": "a = 1"}, TypeError, "lines must be a sequence"),
        ({"strays": ["a = 1"]}, TypeError, "strays must be a mapping"),
        ({"strays": {"a = 1": 3}}, TypeError, "strays must be text"),
    ],
)
def test_bad_lines_are_named(changes, error, words):
    with pytest.raises(error, match=words):
        lines(**changes)


@pytest.mark.parametrize(
    ("program", "must"),
    [
        ("a = x\nb = a", {(0, 1)}),
        ("a = x\nb = x", set()),
        ("b = h\nh = x", {(0, 1)}),  # h is used before it is changed
        ("h[0] = x\nh[1] = x", {(0, 1)}),
        ("d += a\ne += a", set()),
        ("s.append(x)\ny = s", {(0, 1)}),
        ("for t in x:\n    a = t\nb = a", {(0, 1), (1, 2)}),
        ("def f(x):\n    return x", {(0, 1)}),
        ("with g() as k:\n    a = k", {(0, 1)}),
    ],
)
def test_a_line_must_stand_below_what_makes_what_it_uses(program, must):
    assert {(pair.above, pair.below) for pair in pairs(program.split("\n"))} == must


def test_questions_come_back_from_the_two_lectures_before():
    came = sv.again("08").questions
    assert [lecture for lecture, _ in came] == ["07", "07", "06"]
    assert len({asked.name for _, asked in came}) == 3
    assert [lecture for lecture, _ in sv.again("02").questions] == ["01", "01", "01"]
    page = sv.again("08")._repr_html_()
    assert page.count("data-question") == 3
    assert "From 07." in page


def test_a_question_comes_back_once_in_the_course():
    lectures = [*table()]
    came = [asked.name for one in lectures[1:] for _, asked in sv.again(one).questions]
    assert len({*came}) == len(came) - 1  # 02 has no lecture but 01 behind it


@pytest.mark.parametrize(
    ("lecture", "error", "words"),
    [("01", ValueError, "one of 02, 03"), ("99", ValueError, "got '99'"), (8, TypeError, "08")],
)
def test_a_lecture_that_is_not_there_is_named(lecture, error, words):
    with pytest.raises(error, match=words):
        sv.again(lecture)


def test_the_table_of_questions_is_that_of_the_notebooks():
    files = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
    assert publishing.coming_back(files) == TABLE.read_text(encoding="utf-8")
    assert {len(asked) for asked in table().values()} == {3}


LIVE = """
import seqviz as sv
from seqviz.asking import living
"""
ASKED = 'sv.ask("1 + 1?", ["1", "2"], answer="2", because="Count.")'


def test_in_a_notebook_what_was_said_stands_beside_the_next_result(tmp_path):
    """A page would set `told`: here the cell between does, as a message between two cells."""
    chosen = "living.asked_before[0].told = '<b>You said 1</b>'"
    told = [LIVE, ASKED, f"{chosen}\n1 + 1", "3", ASKED, "4", ASKED, f"{chosen}\n1 / 0", "5"]
    told += [ASKED, f"{chosen}\n1 / 0", ASKED, "6"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in told])
    client = NotebookClient(
        notebook, kernel_name="python3", allow_errors=True, store_widget_state=False
    )
    client.execute(cwd=tmp_path)
    shown = [
        [
            output.data["text/html"]
            for output in cell.outputs
            if "text/html" in output.get("data", "")
        ]
        for cell in notebook.cells
    ]
    beside = '<p class="sv-said">&lt;b&gt;You said 1&lt;/b&gt;</p>'
    assert shown[2] == [beside]
    assert shown[3] == shown[5] == shown[7] == []  # told once; not chosen; no result yet
    assert shown[8] == [beside]
    assert shown[12] == []  # not behind another question
    assert "application/vnd.jupyter.widget-view+json" in notebook.cells[1].outputs[0].data


def test_questions_of_one_text_are_kept_apart_by_their_options():
    assert question().name != question(options=["o", "p"], wrong={}).name
    assert sv.ask("\ud800?", ["a", "b"], answer="a", because="so").name
