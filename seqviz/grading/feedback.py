"""A page for each student: points, what was found, answers with what they gave, comments."""

import builtins
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from markupsafe import Markup, escape
from nbformat import NotebookNode

from seqviz.deadline import Hanging, within
from seqviz.files import write
from seqviz.grading.cleaning import PICTURES, PROSE, markdown, picture, plain
from seqviz.grading.course import Course
from seqviz.grading.mending import name_of
from seqviz.grading.variants import ANOTHERS, dealt, number_of, numbers_of
from seqviz.site import templates
from seqviz.views.shared.palette import declarations

SECONDS = 60.0  # that a page may take
LARGEST = 40_000_000  # letters of a page
VERDICT = 1000  # letters of what a check says
OUTPUTS, NOTES = 12, 100  # of a cell, and in all, that are shown
WHOLE = ("NotRun", "TooLong", "NotImplementedError", "NameError")  # errors that hold no input
UNTOLD = "Not all tests of this exercise pass. Some of them are not shown."
HEADING = re.compile(r"^##+ (.+)", re.MULTILINE)
TEMPLATE = "feedback.html.j2"


@dataclass(frozen=True)
class Part:
    """What gives points: a test, or an answer in words."""

    name: str
    title: str
    points: float
    most: float
    waits: bool  # for a person to grade it


@dataclass(frozen=True)
class Shown:
    """A cell of a page."""

    kind: str  # prose, words, code, given, test
    source: str | Markup
    outputs: Sequence[Markup] = ()
    part: Part | None = None
    comment: str = ""


def feedback(course: Course, assignment: str) -> tuple[list[Path], dict[str, str]]:
    """Write a page for each student who was graded, and remove those of students who are gone.

    Returns
    -------
    pages : list of Path
        What was written.
    problems : dict of str to str
        For each student without a new page, why.

    Raises
    ------
    ValueError
        If nobody was graded, or there is no copy of the assignment.
    """
    students = sorted(p.parent.name for p in course.root.glob(f"autograded/*/{assignment}"))
    if not students:
        raise ValueError(f"nobody was graded in {assignment}: run seqviz grade {assignment} first")
    copy = course.copy(assignment)  # what is ours on a page comes from it
    names, numbers = course.names(), numbers_of(course, assignment)
    for old in course.root.glob(f"feedback/*/{assignment}"):
        if old.parent.name not in students:
            shutil.rmtree(old)
    pages, problems = [], {}
    for student in students:
        path = course.notebook("feedback", assignment, student).with_suffix(".html")
        try:
            own = dealt(copy, number_of(names.get(student, student), numbers))
            text = within(SECONDS, lambda one=student, own=own: page(course, assignment, one, own))
            if len(text) > LARGEST:
                raise ValueError(f"it would have {len(text):,} letters")
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, text)
            pages.append(path)
        except Hanging:
            problems[student] = f"it takes more than {SECONDS:g} seconds"
        except Exception as problem:  # of this student alone
            problems[student] = f"{type(problem).__name__}: {problem}"
    return pages, problems


def page(course: Course, assignment: str, student: str, copy: NotebookNode) -> str:
    """A student's page; what is ours in it comes from the copy that was handed out."""
    path = course.root / "notes" / assignment / f"{student}.json"
    if not path.is_file():
        raise ValueError(f"grading did not end: run seqviz grade {assignment} again")
    notes = json.loads(path.read_text(encoding="utf-8"))["notes"]
    graded = nbformat.read(course.notebook("autograded", assignment, student), as_version=4)
    titles = titles_of(copy)
    with course.gradebook() as grades:
        name = course.source(assignment).stem
        held = grades.find_submission_notebook(name, assignment, student)
        comments = {one.name: one.comment for one in held.comments if one.comment}
        parts = {
            one.name: Part(
                one.name,
                titles.get(one.name, one.name),
                one.score,
                one.max_score,
                bool(one.needs_manual_grade),
            )
            for one in held.grades
        }
    ordered = [parts[n] for cell in graded.cells if (n := name_of(cell)) in parts]
    return (
        templates(Path(__file__).parent)
        .get_template(TEMPLATE)
        .render(
            assignment=assignment,
            student=plain(student, 200),
            notes=[
                ANOTHERS if note.startswith(ANOTHERS) else plain(note, 1000)  # names nobody else
                for note in notes[:NOTES]
            ],
            parts=ordered,
            points=sum(part.points for part in ordered),
            most=sum(part.most for part in ordered),
            cells=list(
                shown(graded, copy, parts, comments, handed_in(course, assignment, student))
            ),
            style=Markup(style()),
        )
    )


def handed_in(course: Course, assignment: str, student: str) -> dict[str, list]:
    """The outputs that came with a submission, by a cell's name and by its source."""
    try:
        came = nbformat.read(course.notebook("submitted", assignment, student), as_version=4)
        codes = [cell for cell in came.cells if cell.cell_type == "code" and cell.outputs]
        kinds = ("stream", "display_data", "execute_result")
        found = [[o for o in cell.outputs if o.output_type in kinds] for cell in codes]
        named = {name_of(cell): outputs for cell, outputs in zip(codes, found, strict=True)}
        sources = {cell.source: outputs for cell, outputs in zip(codes, found, strict=True)}
        return sources | named
    except Exception:  # it is no notebook, or none that was run
        return {}


def style() -> str:
    """The project's colours and type, light and dark as the reader's system is."""
    light, dark = declarations()
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"


def titles_of(copy: NotebookNode) -> dict[str, str]:
    """For each cell that gives points the heading above it."""
    titles, above = {}, ""
    for cell in copy.cells:
        mark = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "markdown" and (found := HEADING.findall(cell.source)):
            above = found[-1].strip()
        if mark.get("grade") and above:
            titles[mark["grade_id"]] = above
    return titles


def shown(
    graded: NotebookNode, copy: NotebookNode, parts: Mapping, comments: Mapping, came: Mapping
) -> Iterator[Shown]:
    """The cells of a page: a locked one as it was handed out, without tests that are hidden.

    Code that has met the inputs of a hidden test could print them: from then on the outputs are
    those that came with the submission.
    """
    met = False
    ours = {name_of(cell): cell.source for cell in copy.cells if name_of(cell)}
    for cell in graded.cells:
        mark, name = cell.metadata.get("nbgrader", {}), name_of(cell)
        own = {"part": parts.get(name), "comment": Markup(markdown(comments.get(name, "")))}
        source = ours.get(name, "") if mark.get("locked") else cell.source
        if cell.cell_type == "markdown":
            held = cell.get("attachments") or {}
            kind = "words" if mark.get("solution") else "prose"
            yield Shown(kind, Markup(markdown(source, held)), **own)
        elif cell.cell_type == "code" and mark.get("locked") and mark.get("grade"):
            whole = source.strip() == cell.source.strip()
            met = met or not whole
            yield Shown("test", plain(source, PROSE), [*judged(cell.outputs, whole)], **own)
        elif cell.cell_type == "code":
            kind = "given" if mark.get("locked") else "code"
            outputs = [one for one in cell.outputs if one.output_type == "error"] if met else []
            held = [*map(without_input, outputs)]
            theirs = came.get(name or cell.source, ()) if met else cell.outputs
            yield Shown(kind, plain(source, PROSE), [*outputs_of(theirs, name), *held], **own)


def judged(outputs: Sequence[NotebookNode], whole: bool) -> Iterator[Markup]:
    """What a test says; of an error no more than can be known without its hidden part."""
    printed = "".join(one.text for one in outputs if one.output_type == "stream")
    if printed.strip():
        yield text(printed[:VERDICT])
    for error in (one for one in outputs if one.output_type == "error"):
        if whole or error.ename in WHOLE:
            yield text(f"{error.ename}: {error.evalue}", "wrong")
        elif not error.evalue.strip() or error.evalue not in printed:
            yield text(UNTOLD, "wrong")


def without_input(error: NotebookNode) -> Markup:
    """An error of code that has met hidden inputs: its kind, if it is one of Python's."""
    if error.ename in ("NotRun", "TooLong"):
        return text(f"{error.ename}: it did not come to its end", "wrong")
    kind = error.ename if hasattr(builtins, error.ename) else "an error of your own"
    return text(f"{kind}, when all cells were run from the start", "wrong")


def outputs_of(outputs: Sequence[NotebookNode], name: str | None) -> Iterator[Markup]:
    """What a cell gave: texts and pictures."""
    for one in outputs[:OUTPUTS]:
        data = one.get("data", {})
        kind = next((kind for kind in PICTURES if kind in data), None)
        if one.output_type == "error":
            yield text(f"{one.ename}: {one.evalue}", "wrong")
        elif one.output_type == "stream":
            yield text(str(one.text))
        elif kind:
            said = plain(str(data.get("text/plain", "")), 200)
            alt = f"Picture that {f'cell {name}' if name else 'a cell of your own'} showed"
            yield Markup(picture(str(data[kind]), f"{alt}: {said}" if said else alt))
        elif "text/plain" in data:
            yield text(str(data["text/plain"]))
    if len(outputs) > OUTPUTS:
        yield text(f"[cut: {len(outputs)} outputs in all]")


def text(words: str, kind: str = "printed") -> Markup:
    """Letters as they were printed."""
    return Markup(f'<pre class="{kind}">{escape(plain(words))}</pre>')
