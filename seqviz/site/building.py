"""A folder of pages: notebooks, the first page, the letters, the reference, the search."""

import re
from collections.abc import Collection, Mapping, Sequence
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from markupsafe import Markup

from seqviz.execution import Run
from seqviz.files import write
from seqviz.site import frame, reference, searching
from seqviz.site.frame import SHARED, Place
from seqviz.site.front import about, index, plain
from seqviz.site.knowing import ADDRESS, TITLE, know_page
from seqviz.site.lecture import page
from seqviz.site.markdown import rendered
from seqviz.site.notices import licences
from seqviz.views.shared.answering import put

LINK = re.compile(r'<a\b[^>]*?\shref="(?![a-z]+:)([^"#]*)(?:#([^"]*))?"')
ID = re.compile(r'\sid="([^"]+)"')


def build(runs: Sequence[Run], folder: Path, single: bool = False) -> None:
    """Write a page for each run, and what belongs to them all.

    Parameters
    ----------
    runs : sequence of Run
        Executed notebooks, with the pictures that :mod:`seqviz.publishing` adds.
    folder : Path
        Where the files go; made if it is not there.
    single : bool
        Whether each page holds all that it needs, to be sent alone. Else the script of figures,
        styles and search are in files beside the pages, and there are a first page, the letters
        and a reference.

    Raises
    ------
    ValueError
        As :func:`page`; if a link of a page leads to a page or a section that is not there.
        Nothing is written then.
    """
    pages = {f"{run.path.stem}.html": page(run) for run in runs} if single else together(runs)
    pages["LICENSES.txt"] = licences()
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, text)


def together(runs: Sequence[Run]) -> dict[str, str]:
    """Return all files of a site by address."""
    addresses = [(f"{run.path.stem}.html", title_of_run(run)) for run in runs]
    files = sorted({file for run in runs for file in run.path.parent.glob("*.md")})
    plain_texts = ((f"{file.stem.lower()}.html", title_of(file)) for file in files)
    texts = ((ADDRESS, TITLE), *plain_texts)
    pages, found, models = {}, [], {}
    for k, run in enumerate(runs):
        before = addresses[k - 1] if k else None
        after = addresses[k + 1] if k + 1 < len(runs) else None
        place = Place(alone=False, before=before, after=after, texts=texts)
        pages[addresses[k][0]] = page(run, place)
        models |= {address: put(texts) for address, texts in run.beside.items()}
        found += searching.sections(run)
    pages[ADDRESS] = know_page(texts)
    pages["index.html"] = index(runs, texts)
    pages |= {texts[k][0]: plain_page(file, texts) for k, file in enumerate(files, start=1)}
    written, sections = reference.pages(texts)
    pages |= written
    beside = {f"{file.stem}.html" for run in runs for file in run.path.parent.glob("*.ipynb")}
    check_links(pages, beside - {*pages})
    pages[f"{SHARED}/search.js"] = searching.script([*found, *sections])
    pages[f"{SHARED}/plotly.js"] = frame.plotly()
    pages |= models
    return pages | {f"{SHARED}/{name}": sheet for name, sheet in frame.styles().items()}


def title_of_run(run: Run) -> str:
    """Return the title of a notebook; raise ValueError, naming it, if it has none."""
    try:
        return about(run.notebook)[0]
    except ValueError as problem:
        raise ValueError(f"{run.path.name}: {problem}") from problem


def title_of(path: Path) -> str:
    """Return the title of a markdown file: its first heading."""
    headings: list[tuple[int, str, str]] = []
    rendered(path.read_text(encoding="utf-8"), headings)
    return plain(headings[0][2])


def plain_page(path: Path, texts: tuple[tuple[str, str], ...]) -> str:
    """Return a page of a markdown file; `texts` are the pages of all such files."""
    text, title = Markup(rendered(path.read_text(encoding="utf-8"))), title_of(path)
    template = frame.templates().get_template("page.html.j2")
    place = Place(alone=False, texts=texts)
    return template.render(title=title, about=title, text=text, frame=frame.common(), place=place)


def check_links(pages: Mapping[str, str], elsewhere: Collection[str] = ()) -> None:
    """Raise ValueError for a link that leads to no page, or to no section of one.

    Parameters
    ----------
    pages : mapping of str to str
        Pages by address, as "index.html" and "reference/nn.html".
    elsewhere : collection of str
        Addresses of pages that are not made this time.
    """
    ids = {address: {*ID.findall(text)} for address, text in pages.items()}
    wrong = []
    for address, text in pages.items():
        for target, section in LINK.findall(text):
            there = _resolved(address, unquote(unescape(target)))
            if there == "LICENSES.txt" or there in elsewhere:
                continue
            if there not in pages:
                wrong.append(f"{address} leads to {there}, which is no page")
            elif section and not ids[there] & {section, unquote(section)}:
                wrong.append(f"{address} leads to {there}#{section}, which is no section of it")
    if wrong:
        raise ValueError("links must lead somewhere: " + "; ".join(dict.fromkeys(wrong)))


def _resolved(address: str, target: str) -> str:
    if not target:
        return address
    folder = address.rpartition("/")[0]
    if target.startswith("../"):
        return target.removeprefix("../")
    return f"{folder}/{target}" if folder else target
