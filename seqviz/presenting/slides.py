"""From the core cells of a notebook to slides: what each says and holds, as values."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from nbformat import NotebookNode

from seqviz.asking import Question, again, question_of
from seqviz.core_path import FOLDED, is_core, is_question
from seqviz.execution import PAGE, PLOTLY
from seqviz.presenting import prose
from seqviz.presenting.arranging import in_time, named, picture_first, with_notes
from seqviz.presenting.parts import Code, Shown, Slide, Text
from seqviz.presenting.wording import checked

SHORT = 12  # lines of code that stand beside what they print; more are folded
FULL = 17  # lines of both that fit one slide
BAR = re.compile(r"^.*\d+%\|.*\n?", re.MULTILINE)  # of progress, which is over
BARE = re.compile(r"<.*>$", re.DOTALL)  # what an object says of itself, and nobody asked
BEFORE = "Before we start"  # the questions of earlier lectures, while a class comes in
COMES_BACK = re.compile(r"sv\.again\((?:\"|')(\w+)(?:\"|')\)\s*$")


@dataclass(frozen=True)
class Lecture:
    """The slides, and what a person should look at: (cell index, doubt)."""

    title: str
    slides: tuple[Slide, ...]
    doubts: tuple[tuple[int, str], ...]


def lecture(notebook: NotebookNode) -> Lecture:
    """Make slides of the cells tagged `core`.

    Parameters
    ----------
    notebook : NotebookNode
        An executed notebook, as `execution.execute` leaves it, or a committed one.

    Raises
    ------
    ValueError
        If no cell is tagged `core`, or what a cell says of its slide is not understood.
    """
    if not any(is_core(cell) for cell in notebook.cells):
        raise ValueError("has no cell tagged 'core': tag those that a class sees, and say minutes")
    found, doubts = [], []
    section = idea = ""
    title = _title(notebook)
    waiting = 0.0
    for index, cell in enumerate(notebook.cells):
        section, idea = _place(cell, section, idea)
        if not is_core(cell):
            continue
        waiting += cell.metadata.get("minutes", 0)
        try:
            made = list(_slides(index, cell, Place(section, idea, title), doubts))
        except ValueError as problem:
            first = cell.source.partition("\n")[0]
            raise ValueError(f"cell {index + 1} ({first[:60]!r}): {problem}") from problem
        if COMES_BACK.match(cell.source):  # asked while a class comes in
            found.extend(made)
            continue
        for slide in made:
            found.append(replace(slide, minutes=waiting / len(made)))
        waiting = waiting if not made else 0.0
    slides = in_time(with_notes(notebook, named(picture_first(found))))
    return Lecture(title, tuple(slides), tuple(doubts))


@dataclass(frozen=True)
class Place:
    """Where a cell stands: the headings above it."""

    section: str
    idea: str
    title: str

    @property
    def headline(self) -> str:
        """What a slide is called that has no headline of its own."""
        return self.idea or self.section or self.title


def _title(notebook: NotebookNode) -> str:
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.search(r"^# (.+)$", cell.source, re.M)):
            return found[1].strip()
    return ""


def _place(cell: NotebookNode, section: str, idea: str) -> tuple[str, str]:
    if cell.cell_type == "markdown":
        for level, text in re.findall(r"^(##|###) (.+)$", cell.source, re.MULTILINE):
            section, idea = (text.strip(), "") if level == "##" else (section, text.strip())
    return section, idea


def _slides(index: int, cell: NotebookNode, place: Place, doubts: list) -> Iterator[Slide]:
    says = checked(cell)
    given = says.get("headline", ())
    headlines = (given,) if isinstance(given, str) else tuple(given)

    def slide(content: Text | Question | Code | Shown, lines: tuple[str, ...] = headlines) -> Slide:
        return Slide("", place.section, place.idea, lines or (place.headline,), content, index, 0.0)

    if cell.cell_type == "markdown":
        if text := _text(index, cell, says, doubts):
            yield from _apart(slide(text))
    elif is_question(cell):
        yield slide(question_of(cell.source), ())
    elif came := COMES_BACK.match(cell.source):
        for lecture, asked in again(came[1]).questions:
            yield replace(slide(asked, (f"From {lecture}",)), section=BEFORE)
    else:
        shown = [_shown(output, cell.source) for output in cell.get("outputs", [])]
        shown = [one for one in shown if one]
        code = _code(cell, says, bool(shown))
        if code:
            yield slide(code)
        for one in shown:
            yield slide(one, (() if code else headlines) or _titled(one))


def _text(index: int, cell: NotebookNode, says: dict, doubts: list) -> Text | None:
    pieces = [b for b in prose.blocks(cell.source) if b.kind != "heading"]
    folds = [prose.unfolded(block) for block in pieces if block.kind == "fold"]
    kept = tuple(block for block in pieces if block.kind not in ("prose", "fold"))
    say = says["say"] if "say" in says else prose.said(pieces)
    if "say" not in says and (word := prose.hangs(say)):
        doubts.append((index, f"hangs on {word!r}: {say!r}. Say it whole in metadata.slide.say"))
    if not (say or kept or folds):
        return None
    whole = FOLDED.sub("", "\n\n".join(block.text for block in pieces)).strip()
    more = prose.words(pieces) > len(say.split()) + 2
    return Text(say, kept, tuple(folds), whole if more else "")


def _apart(slide: Slide) -> Iterator[Slide]:
    """Give each answer that is folded under a list, a table or a formula a slide of its own."""
    content = slide.content
    told = content.answers if content.blocks else ()
    yield replace(slide, content=replace(content, answers=())) if told else slide
    for number, answer in enumerate(told, start=1):
        line = f"Question {number} of {len(told)}"
        yield replace(slide, headlines=(line,), content=Text("", (), (answer,), ""))


def _shown(output: NotebookNode, source: str) -> Shown | None:
    data = output.get("data", {})
    if not any(kind in data for kind in (PAGE, PLOTLY, "image/png")):
        return None
    return Shown(output, data.get("text/plain", ""), source)


def _titled(shown: Shown) -> tuple[str, ...]:
    """Return the title that a figure has of its own."""
    layout = shown.output.data.get(PLOTLY, {}).get("layout", {})
    title = layout.get("title", {}).get("text", "")
    return (title,) if title else ()


def _code(cell: NotebookNode, says: dict, shows: bool) -> Code | None:
    show = says.get("show", "all")
    prints = _printed(cell).strip("\n") if show != "pictures" else ""
    focus = tuple((first, last) for first, last in says.get("focus", ()))
    nothing = not (prints or focus)
    if show != "all" and nothing:
        return None
    if nothing and (shows or not cell.metadata.get("minutes", 0)):
        return None
    if nothing and _only_imports(cell.source):
        return None
    lines = sum(bool(line.strip()) for line in cell.source.split("\n"))
    long = lines > SHORT or lines + prints.count("\n") >= FULL
    folded = show == "output" or bool(long and prints and not focus)
    return Code(cell.source, focus, prints, folded)


def _only_imports(source: str) -> bool:
    """Whether a cell only makes ready: imports, and the one call of `sv.setup`."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a magic
        return False
    setups = [node for node in body if ast.unparse(node).startswith("sv.setup(")]
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    return bool(body) and len(imports) + len(setups) == len(body)


def _printed(cell: NotebookNode) -> str:
    parts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if output.output_type == "stream" and output.name == "stdout":
            parts.append(BAR.sub("", output.text))
        elif (text := data.get("text/plain")) and not BARE.match(text) and not _shown(output, ""):
            parts.append(text + "\n")
    return "".join(parts)
