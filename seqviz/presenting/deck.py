"""The page of a lecture: every slide, the lecturer's notes, and what turns them."""

import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from seqviz import site
from seqviz.asking import Question, marked
from seqviz.execution import PAGE, PLOTLY, Run, place
from seqviz.presenting import highlighting, prose
from seqviz.presenting.parts import Code, Shown, Slide, Text
from seqviz.presenting.slides import Lecture, lecture
from seqviz.views.shared import bundle, palette
from seqviz.views.shared.page import POLICY

if TYPE_CHECKING:
    from seqviz.presenting.voting import Room

HERE = Path(__file__).parent
WIDE = 77  # columns of a print at the smallest type
TEMPLATE = "deck.html.j2"
ENDED = re.compile(r"<math\b(?:(?!</math>).)*</math>[.,:;?!)]+", re.DOTALL)  # stays in one line
KINDS = {Text: "text", Question: "ask", Code: "code", Shown: "shown"}


def page(run: Run, room: "Room | None" = None) -> tuple[str, list[str]]:
    """Return a lecture as one page, and what a person should look at, each with its cell.

    Parameters
    ----------
    run : Run
        An executed notebook.
    room : voting.Room, optional
        Where phones vote.

    Raises
    ------
    ValueError
        If no cell is tagged `core`, or a cell's formula, question or `metadata.slide` is not
        understood; names the notebook.
    """
    script = bundle.module(str(HERE / "deck.js"))
    try:
        held = lecture(run.notebook)
        text = _page(run, held, script, room)
    except ValueError as problem:
        raise ValueError(f"{run.path.name}: {problem}") from problem
    doubts = [f"{place(run.path, run.notebook, cell)} {doubt}" for cell, doubt in held.doubts]
    return text, doubts


def _page(run: Run, held: Lecture, script: str, room: "Room | None") -> str:
    sheet = site.templates(HERE)
    sheet.filters |= {
        "element": lambda shown: Markup(site.element(shown.output)),
        "equations": _equations,
        "html": _html,
        "inline": _inline,
        "kind": lambda slide: KINDS[type(slide.content)],
        "lines": highlighting.lines,
        "minutes": lambda value: round(value) or "under 1",  # for a class; the desk has more
        "ticks": lambda text: _marked(marked(text)),
    }
    sheet.tests |= {"bare": _is_bare, "formula": _has_formula, "view": _is_view, "wide": _is_wide}
    number, _, title = held.title.rpartition(": ")
    figures = any(_is_figure(slide) for slide in held.slides)
    return sheet.get_template(TEMPLATE).render(
        name=run.path.stem,
        number=number,
        title=title[:1].upper() + title[1:],
        parts=_parts(held.slides),
        total=sum(slide.minutes for slide in held.slides),
        policy=Markup(
            POLICY.replace("; ", f"; connect-src {room.socket}; ", 1) if room else POLICY
        ),
        room=room,
        style=Markup(_colours() + (HERE / "style.css").read_text(encoding="utf-8")),
        plotly=Markup(site.plotly()) if figures else "",
        script=Markup(script),
    )


def _colours() -> str:
    light, dark = palette.declarations()
    return f'.deck {{\n{light}}}\n.deck[data-theme="dark"] {{\n{dark}}}'


def _parts(slides: tuple[Slide, ...]) -> list[dict]:
    """Gather the slides of each section; what stands before the first belongs to it."""
    first = next((slide.section for slide in slides if slide.section), "")
    parts = []
    for section, group in groupby(slides, lambda slide: slide.section or first):
        own = list(group)
        parts.append(
            {"name": section, "minutes": sum(slide.minutes for slide in own), "slides": own}
        )
    return parts


def _html(markdown: str) -> Markup:
    return _marked(ENDED.sub(r'<span class="ended">\g<0></span>', site.rendered(markdown)))


def _marked(html: str) -> Markup:
    """Mark the code that is too long to stay in one line."""
    return Markup(re.sub(r"<code>(?=[^<]{25})", '<code class="long">', html))


def _inline(markdown: str) -> Markup:
    text = _html(re.sub(r"\s*\n\s*", " ", markdown.strip())).strip()
    return Markup(text.removeprefix("<p>").removesuffix("</p>"))


def _equations(text: str) -> list[Markup]:
    return [Markup(site.mathml(line, "block")) for line in prose.lines_of(text)]


def _has_formula(content: Text) -> bool:
    return any(block.kind == "formula" for block in content.blocks)


def _is_bare(slide: Slide) -> bool:
    """Whether a slide holds nothing but a sentence."""
    content = slide.content
    return isinstance(content, Text) and not content.blocks


def _is_wide(text: str) -> bool:
    """Whether a line is too long to stay one at the smallest type."""
    return max(map(len, text.split("\n"))) > WIDE


def _is_view(shown: Shown) -> bool:
    """Whether a picture is a view: it says the lesson by itself."""
    return PAGE in shown.output.data


def _is_figure(slide: Slide) -> bool:
    return isinstance(slide.content, Shown) and PLOTLY in slide.content.output.data
