"""Slides in their order: names, notes, minutes, and the picture that comes first."""

import re
from collections.abc import Iterator
from dataclasses import replace

from nbformat import NotebookNode

from seqviz.asking import Question
from seqviz.presenting.parts import Code, Shown, Slide, Text

SECTION = re.compile(r"^## ", re.MULTILINE)
LECTURER = re.compile(r"<details><summary>For the lecturer</summary>(.*?)</details>", re.DOTALL)
SEE = "See it"  # the section that begins with a picture


def picture_first(slides: list[Slide]) -> list[Slide]:
    """Put the first picture of the section *See it* before all that is said of it."""
    there = [k for k, slide in enumerate(slides) if slide.section == SEE]
    shown = [k for k in there if isinstance(slides[k].content, Shown)]
    if not shown:
        return slides
    rest = [slide for k, slide in enumerate(slides) if k != shown[0]]
    return [*rest[: there[0]], slides[shown[0]], *rest[there[0] :]]


def named(slides: list[Slide]) -> list[Slide]:
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


def with_notes(notebook: NotebookNode, slides: list[Slide]) -> list[Slide]:
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


def in_time(slides: list[Slide]) -> Iterator[Slide]:
    """Say of each slide at which minute it comes."""
    at = 0.0
    for slide in slides:
        yield replace(slide, at=at)
        at += slide.minutes
