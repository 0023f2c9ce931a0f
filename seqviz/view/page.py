"""A view as a page of its own: the same drawing over a small stand-in for the kernel's model."""

import base64
import html
import json
from pathlib import Path

STUB = Path(__file__).with_name("stub.js")


def whole(view) -> str:
    """Return a complete page with the view in it."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{html.escape(view.alt)}</title>"
        "<style>html{color-scheme:light dark}body{margin:0}</style></head>\n"
        f"<body>{fragment(view)}</body></html>\n"
    )


def fragment(view) -> str:
    """Return the view as a piece of a page; pieces on one page know nothing of each other."""
    content = {
        "script": view._esm,
        "style": view._css,
        "state": {"facts": view.facts, **view.controls()},
        "first": view.needs(),
        "parts": {name: base64.b64encode(part).decode() for name, part in view.parts.items()},
    }
    safe = json.dumps(content, ensure_ascii=False).replace("<", "\\u003c")
    return (
        '<div class="seqviz-page">'
        f"<noscript><p>{html.escape(view.alt)}</p></noscript>"
        f'<script type="application/json">{safe}</script>'
        f"<script>{STUB.read_text(encoding='utf-8')}</script></div>"
    )
