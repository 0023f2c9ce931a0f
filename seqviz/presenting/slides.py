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
from seqviz.presenting.wording import checked

SHORT = 12  # lines of code that stand beside what they print; more are folded
FULL = 17  # lines of both that fit one slide
SECTION = re.compile(r"^## ", re.MULTILINE)
BAR = re.compile(r"^.*\d+%\|.*\n?", re.MULTILINE)  # of progress, which is over
BARE = re.compile(r"<.*>$", re.DOTALL)  # what an object says of itself, and nobody asked
SEE = "See it"  # the section that begins with a picture
BEFORE = "Before we start"  # the questions of earlier lectures, while a class comes in
COMES_BACK = re.compile(r"sv\.again\((?:\"|')(\w+)(?:\"|')\)\s*$")
LECTURER = re.compile(r"<details><summary>For the lecturer</summary>(.*?)</details>", re.DOTALL)


@dataclass(frozen=True)
class Text:
    """A sentence, what of its cell stays beside it, and the whole cell, folded."""

    say: str
    blocks: tuple[prose.Block, ...]
    answers: tuple[tuple[str, str], ...]  # what is told at a step of its own
    whole: str


@dataclass(frozen=True)
class Code:
    """Lines of code, those in focus step by step, and what they print."""

    source: str
    focus: tuple[tuple[int, int], ...]
    prints: str
    folded: bool


@dataclass(frozen=True)
class Shown:
    """A live view, a plotly figure or a picture, with the code that made it, folded."""

    output: NotebookNode
    alt: str
    source: str


@dataclass(frozen=True)
class Slide:
    """One slide; texts are markdown.

    `headlines` has one for all steps, or one for each, the first before the first step.
    """

    name: str
    section: str
    idea: str
    headlines: tuple[str, ...]
    content: Text | Question | Code | Shown
    cell: int
    minutes: float
    at: float = 0.0
    notes: str = ""

    @property
    def steps(self) -> int:
        """How often Next is pressed before the slide is turned."""
        match self.content:
            case Code(focus=steps) | Text(answers=steps):
                return len(steps)
            case Shown(output=output):
                return output.data.get(PAGE, {}).get("steps", 0)
        return 1  # a question


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
        for slide in made:
            found.append(replace(slide, minutes=waiting / len(made)))
        waiting = waiting if not made else 0.0
    slides = _in_time(_with_notes(notebook, _named(_picture_first(found))))
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


def _picture_first(slides: list[Slide]) -> list[Slide]:
    """Put the first picture of the section *See it* before all that is said of it."""
    there = [k for k, slide in enumerate(slides) if slide.section == SEE]
    shown = [k for k in there if isinstance(slides[k].content, Shown)]
    if not shown:
        return slides
    rest = [slide for k, slide in enumerate(slides) if k != shown[0]]
    return [*rest[: there[0]], slides[shown[0]], *rest[there[0] :]]


def _named(slides: list[Slide]) -> list[Slide]:
    """Give each slide a name for links: a cell that is put in before it does not change it."""
    taken, named = {}, []
    for slide in slides:
        kind = {Text: "", Question: "-question", Code: "-code", Shown: "-view"}[type(slide.content)]
        heading = re.split(r"[:?]", slide.idea or slide.section or "start")[0].lower()
        words = re.findall(r"[a-z0-9]+", re.sub(r"^the |'s\b", "", heading))
        name = ("-".join(words[:5]) or "slide") + kind
        taken[name] = taken.get(name, 0) + 1
        named.append(replace(slide, name=name + (f"-{taken[name]}" if taken[name] > 1 else "")))
    return named


def _with_notes(notebook: NotebookNode, slides: list[Slide]) -> list[Slide]:
    """Put each note beside the slides before it, back to the note or the section before.

    Notes one behind another are one. The last of a section, if ideas come after it, stands beside
    them too.
    """
    notes, first, began, last = {}, 0, 0, ""
    for index, cell in enumerate(notebook.cells):
        found = LECTURER.search(cell.source) if cell.cell_type == "markdown" else None
        if cell.cell_type == "markdown" and SECTION.search(cell.source):
            first, began, last = index, index, ""
        if found:
            more = index == first and index > 0  # nothing stands between it and the note before
            last = f"{last}\n\n{found[1].strip()}".strip() if more else found[1].strip()
            begin = began if more else first
            notes |= dict.fromkeys(range(begin, index), last)
            began, first = begin, index + 1
        notes[index] = last
    return [replace(slide, notes=notes.get(slide.cell, "")) for slide in slides]


def _in_time(slides: list[Slide]) -> Iterator[Slide]:
    at = 0.0
    for slide in slides:
        yield replace(slide, at=at)
        at += slide.minutes
