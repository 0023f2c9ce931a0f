"""The reference: a page for each public module, from its docstrings, which pdoc reads."""

import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType

import pdoc.doc
from markupsafe import Markup
from pdoc import docstrings, render_helpers

import seqviz as sv
from seqviz.site import frame
from seqviz.site.frame import Place
from seqviz.site.searching import Section, added, split

FOLDER = "reference"
ROLE = re.compile(r":\w+:<code>~?([\w.]+)(?:\(\))?</code>")  # :class:`Seq2Seq`


@dataclass(frozen=True)
class Entry:
    """A public name.

    Attributes
    ----------
    id, name : str
        Its place in the page, and as it is called: `sv.nn.GPT`.
    signature : str
        With the parentheses; empty for what cannot be called.
    text : str
        Its docstring as HTML, references not yet linked.
    members : list of Entry
        Methods and properties of a class.
    """

    id: str
    name: str
    signature: str
    text: str
    members: list["Entry"] = field(default_factory=list)


def pages(texts: Sequence[tuple[str, str]] = ()) -> tuple[dict[str, str], list[Section]]:
    """Return the pages by address, and their sections for the search."""
    modules = {"index": sv} | {name: getattr(sv, name) for name in sv.__all__ if _is_room(name)}
    entries = {address: [*_entries(module)] for address, module in modules.items()}
    known = {
        entry.id: f"{address}.html#{entry.id}"
        for address, found in entries.items()
        for one in found
        for entry in (one, *one.members)
    }
    environment = frame.templates()
    environment.filters["linked"] = lambda html: Markup(_linked(html, known))
    template = environment.get_template("reference.html.j2")
    written, sections = {}, []
    for address, module in modules.items():
        title = "seqviz" if module is sv else f"sv.{address}"
        about = inspect.getdoc(module)
        written[f"{FOLDER}/{address}.html"] = template.render(
            title=title,
            about=about,
            entries=entries[address],
            modules={name: f"{name}.html" for name in modules if module is sv and name != "index"},
            frame=frame.common(),
            place=Place(alone=False, home="../", texts=tuple(texts)),
        )
        for entry in entries[address]:
            sections += _sections(f"{FOLDER}/{address}.html", title, entry)
    return written, sections


def _is_room(name: str) -> bool:
    return isinstance(getattr(sv, name), ModuleType)


def _entries(module: ModuleType) -> Iterator[Entry]:
    prefix = "sv" if module is sv else f"sv.{module.__name__.rpartition('.')[2]}"
    for name in module.__all__:
        thing = getattr(module, name)
        called = f"{prefix}.{name}"
        if inspect.isclass(thing):
            yield _class(name, called, thing)
        elif callable(thing):
            function = pdoc.doc.Function(module.__name__, name, thing, (thing.__module__, name))
            yield Entry(name, called, _signature(function.signature), _html(function.docstring))
        elif not isinstance(thing, ModuleType):
            yield Entry(name, called, "", _html(f"A constant of {len(thing)} items."))


def _class(name: str, called: str, thing: type) -> Entry:
    found = pdoc.doc.Class(thing.__module__, name, thing, (thing.__module__, name))
    members = []
    for member in found.own_members:
        public = not member.name.startswith("_") and member.docstring
        if not public:
            continue
        function = member.kind == "function"
        signature = _signature(member.signature_without_self) if function else ""
        text = _html(member.docstring)
        members.append(Entry(f"{name}.{member.name}", f".{member.name}", signature, text))
    raised = issubclass(thing, BaseException)  # has no signature
    signature = "" if raised else _signature(inspect.signature(thing)).removesuffix(" -> None")
    return Entry(name, called, signature, _html(found.docstring), members)


def _signature(signature: inspect.Signature) -> str:
    """The signature on one line, without the names of modules."""
    text = re.sub(r"\s+", " ", str(signature)).replace("( ", "(").replace(" )", ")")
    return re.sub(r"\b(?:torch|numpy|collections\.abc|pathlib|seqviz)(?:\.\w+)*\.(?=\w)", "", text)


def _html(docstring: str) -> str:
    """A numpydoc docstring as HTML; its headings are paragraphs, as they stand in no order."""
    html = render_helpers.to_html(docstrings.numpy(docstring))
    html = re.sub(r"<h6[^>]*>", '<p class="doc-part">', html).replace("</h6>", "</p>")
    html = html.replace('<div class="pdoc-code codehilite">', '<div class="highlight">')
    return html.replace("<pre>", '<pre tabindex="0">')  # for who scrolls by keyboard


def _linked(html: str, known: dict[str, str]) -> str:
    """Turn :class:`Seq2Seq` into a link where it names a public thing."""

    def link(match: re.Match) -> str:
        name = match[1].removeprefix("seqviz.").removeprefix("sv.")
        short = name.rpartition(".")[2]
        address = known.get(name) or known.get(short)
        code = f"<code>{name}</code>"
        return f'<a href="{address}">{code}</a>' if address else code

    return ROLE.sub(link, html)


def _sections(address: str, page: str, entry: Entry) -> Iterator[Section]:
    for one in (entry, *entry.members):
        title = one.name if one is entry else f"{entry.name}{one.name}"
        empty = Section(f"{address}#{one.id}", page, title, "")
        yield added(empty, split(ROLE.sub(r"\1", one.text), empty)[0].text)
