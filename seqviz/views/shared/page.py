"""A view as a page of its own: the same drawing over a small stand-in for the kernel's model.

A page is ASCII: a server cannot declare it wrongly, and many megabytes take a byte a letter.
"""

import html
import json
from collections.abc import Collection
from pathlib import Path

import numpy as np

from seqviz.views.shared.answering import Answering, Lies, beside, placed
from seqviz.views.shared.blocks import Blocks, name_of
from seqviz.views.shared.bundle import bare, module

LARGE = 5e6  # bytes of numbers that lie beside a page of several
MODELS = "models"  # the folder of these
FOLDER = Path(__file__).parent
STUB = FOLDER / "stub.js"
PRINTING = FOLDER / "printing.js"
# What a page may load: what stands in it, and what its own script makes of that. A worker from a
# blob starts from file:// and from a server, in Chromium and in Firefox.
POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="'
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; "
    "style-src 'unsafe-inline'; "
    "img-src data: blob:; media-src data: blob:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
    '">'
)
# What stands around a view and its title in a page of their own.
HEAD = (
    f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{POLICY}'
    '<meta name="viewport" content="width=device-width"><title>'
)
BODY = "</title><style>html{color-scheme:light dark}body{margin:0}</style></head>\n<body>"
PRINTS = bare(PRINTING, PRINTING.read_text(encoding="utf-8"))
END = f'<script type="module">{PRINTS}</script></body></html>\n'
# How the line under a view that answers looks, wherever it stands.
SAYS = (
    "direction:ltr;font:12px/1.45 sans-serif;opacity:.8;margin:0;padding:4px 16px 12px;"
    "overflow-wrap:anywhere"
)


def whole(view, deflate: bool = True, answering: Answering | None = None) -> str:
    """Return a complete page with the view in it, and what answers there, if anything does."""
    shown = elements(view, deflate, answering=answering)
    return "".join([HEAD, escaped(view.alt), BODY, *shown, END])


def picture(view) -> str:
    """Return a page with what the first paint needs; it asks Python for what else there is.

    A page of all that a large model's attention holds is more than a browser takes.
    """
    shown = elements(view, False, view.needs(), asks=True)
    return "".join([HEAD, escaped(view.alt), BODY, *shown, END])


def fragment(view, deflate: bool = True, answering: Answering | None = None, **blocks) -> str:
    """Return the view as a piece of a page; pieces on one page know nothing of each other.

    Those that answer may share `blocks`: see `there` and `lies` of `elements`.
    """
    return "".join(elements(view, deflate, answering=answering, **blocks))


def kept(view, there: set[str]) -> dict:
    """Return the view as a piece of a page of several, and the blocks that lie beside that page.

    `there` are the names of blocks that pieces before this one have. Large numbers lie beside, once
    for all pages.
    """
    view.before_kept()
    answering = view._answering(view.model_in_pages) if view.model_in_pages else None
    lies, files = {}, {}
    for name, packed in (answering.graphs if answering else {}).items():
        if len(packed.numbers) > LARGE:
            lies[name] = f"{MODELS}/{name_of(packed.numbers)}.js"
            if lies[name] not in there:
                files[lies[name]] = beside(packed)
    there.update(files)
    return {
        "page": fragment(view, True, answering, there=there, lies=lies.get),
        "steps": view.steps,
        "beside": files,
    }


def elements(
    view,
    deflate: bool,
    names: Collection[str] | None = None,
    *,
    asks: bool = False,
    answering: Answering | None = None,
    there: set[str] | None = None,
    lies: Lies | None = None,
) -> list[str]:
    """Return what a fragment consists of: many megabytes are joined once.

    `names` are those of the parts in the page, all if not given; a page that `asks` gets others
    from Python.
    `there` are the names of blocks that the page has got from other views.
    `lies` says of a graph, by its name, where its numbers lie: None for in the page, or the address
    of a file that `answering.beside` wrote. A page with such a file needs the policy of
    `site.frame.POLICY_BESIDE`: its scripts are 'self' on a server, and `file:` on a disk, where
    Chromium and Firefox need not agree on what 'self' is.
    """
    names = view.parts if names is None else names
    blocks = Blocks(deflate, there)
    content = {
        "facts": view.facts,
        "choices": view.choices,
        "parts": {name: blocks.place(view.part_of(name)) for name in names},
        "script": blocks.place(str(view._esm).encode()),
        "style": blocks.place(str(view._css).encode()),
    }
    says = []
    if answering:
        relay = {"relay": blocks.place(module("shared/answers/relay.js").encode())}
        content["answers"] = relay | placed(answering, blocks, lies)
        says = [f'<p class="seqviz-says" style="{SAYS}">{escaped(answering.says)}</p>']
    page = {
        "content": blocks.place(compact(content).encode()),
        "controls": view.controls(),
        "first": view.needs(),
        "deflated": deflate,
        "asks": asks,
        "around": [HEAD, BODY, END],
    }
    safe = compact(page).replace("<", "\\u003c")
    return [
        '<div class="seqviz-page">',
        f"<noscript><p>{escaped(view.alt)}</p></noscript>",
        *says,
        f'<script type="application/json">{safe}</script>',
        *blocks.elements(),
        f"<script>{bare(STUB, STUB.read_text(encoding='utf-8'))}</script></div>",
    ]


def compact(values) -> str:
    """Return values as JSON of ASCII without spaces."""
    return json.dumps(values, separators=(",", ":"))


def escaped(text: str) -> str:
    """Return text for a page."""
    return html.escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def sent(part) -> bytes:
    """What travels of a part: bytes as they are, an array as float32."""
    return part if isinstance(part, bytes) else np.asarray(part, dtype="<f4").tobytes()
