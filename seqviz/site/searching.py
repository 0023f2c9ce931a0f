"""What the pages say, section by section, for the search in them."""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote

from bs4 import BeautifulSoup

from seqviz.execution import Run
from seqviz.site.front import about
from seqviz.site.markdown import rendered

HEADINGS = ("h1", "h2", "h3")


class Section(NamedTuple):
    """A piece of a page under one heading.

    Attributes
    ----------
    address : str
        Of the page, with the heading's id.
    page, title : str
        Titles of the page and of the section; the section's is empty at the top of a page.
    text : str
        What it says, without marks, formulas and what is folded away.
    """

    address: str
    page: str
    title: str
    text: str


def sections(run: Run) -> list[Section]:
    """Return the sections of a notebook: its prose and its questions."""
    address, page = quote(f"{run.path.stem}.html"), about(run.notebook)[0]
    found = [Section(address, page, "", "")]
    for cell in run.notebook.cells:
        if cell.cell_type == "markdown":
            found += split(rendered(cell.source, [], cell.get("attachments", {})), found.pop())
        elif cell.source.startswith("sv.ask("):
            found[-1] = added(found[-1], asked(cell))
    return [section for section in found if section.text]


def split(html: str, under: Section) -> list[Section]:
    """Return the sections of a piece of a page; what stands before its first heading is `under`."""
    soup = BeautifulSoup(html, "html.parser")
    for hidden in soup.select("details, math, small, .anchor-link"):
        hidden.decompose()
    found = [under]
    for element in soup.find_all(recursive=False):
        if element.name in HEADINGS:
            title = "" if element.name == "h1" else element.get_text(" ", strip=True)
            page = under.address.partition("#")[0]
            found.append(Section(f"{page}#{element['id']}", under.page, title, ""))
        else:
            found[-1] = added(found[-1], element.get_text(" ", strip=True))
    return found


def added(section: Section, text: str) -> Section:
    """Return the section with more text."""
    return section._replace(text=re.sub(r"\s+", " ", f"{section.text} {text}").strip())


def asked(cell) -> str:
    """Return the question of a cell, without its answers."""
    texts = (output.data.get("text/plain", "") for output in cell.outputs if "data" in output)
    return "".join(texts).partition("\n")[0]


def script(found: Iterable[Section]) -> str:
    """Return the file that the pages read when somebody searches."""
    rows = json.dumps([*found], ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.seqvizSections = {rows};\n"
