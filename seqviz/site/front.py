"""The first page: all notebooks in order, what each is about, needs and takes."""

import re
from collections.abc import Sequence

from markupsafe import Markup
from nbformat import NotebookNode

from seqviz.execution import Run
from seqviz.site import frame
from seqviz.site.frame import Place
from seqviz.site.outputs import small_image_element

PARTS = (  # and the first notebook of each
    ("Recurrence", "01"),
    ("Sequence to sequence", "07"),
    ("Transformers", "10"),
    ("Pre-training", "14"),
    ("On your own", "a"),  # names without a number
)
ABOUT = 'Sequence models, built in the open: from the RNN on "hello" to BERT.'


def index(runs: Sequence[Run], texts: Sequence[tuple[str, str]] = ()) -> str:
    """Return the page that leads to the others: title, one line, needs, minutes and picture."""
    cards: dict[str, list[dict]] = {}
    for run in runs:
        cards.setdefault(part(run.path.stem), []).append(card(run))
    text = frame.templates().get_template("front.html.j2")
    place = Place(alone=False, texts=tuple(texts))
    return text.render(title="seqviz", about=ABOUT, parts=cards, frame=frame.common(), place=place)


def part(name: str) -> str:
    """Return the part of the course that a notebook belongs to."""
    return [title for title, first in PARTS if first <= name][-1]


def card(run: Run) -> dict:
    """Return what the first page says of a notebook."""
    title, line = about(run.notebook)
    pictures = [output for _, output in run.outputs() if "image/png" in output.data]
    minutes = sum(cell.metadata.get("minutes", 0) for cell in run.notebook.cells)
    return {
        "address": f"{run.path.stem}.html",
        "title": title,
        "about": line,
        "needs": needs(run.notebook),
        "minutes": f"{minutes:.0f} minutes in class" if minutes else "",
        "picture": Markup(small_image_element(pictures[0])) if pictures else "",
    }


def about(notebook: NotebookNode) -> tuple[str, str]:
    """Return a notebook's title and the first line of prose under it, as plain text."""
    text = _prose(notebook)
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    if title is None:
        raise ValueError("the notebook has no title: start it with a markdown cell '# Title'")
    prose = re.search(r"^(?![#\s!<|$>-])(?:.+\n?)+", text[title.end() :], re.MULTILINE)
    return plain(title[1]), plain(prose[0]) if prose else ""


def needs(notebook: NotebookNode) -> str:
    """Return what a reader must know before, as the notebook says it; empty if it does not."""
    found = re.search(r"^\*\*You need\.\*\* ((?:.+\n?)+)", _prose(notebook), re.MULTILINE)
    return plain(found[1]) if found else ""


def plain(markdown: str) -> str:
    """Return a line of markdown without its marks."""
    return " ".join(re.sub(r"[*`]|\]\([^)]*\)|\[", "", markdown).split())


def _prose(notebook: NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
