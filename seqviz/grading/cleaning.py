"""What a student wrote or drew, as HTML that runs nothing, loads nothing and leads nowhere."""

import base64
import html
import io
import re
from collections.abc import Mapping
from functools import lru_cache

from nbconvert.filters.markdown_mistune import HTMLRenderer, MarkdownWithMath
from PIL import Image

from seqviz.site.markdown import Formulas

TEXT, PROSE = 10_000, 15_000  # letters of an output, and of a cell
BYTES, PIXELS = 2_000_000, 20_000_000  # of a picture
CODES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)?|\x1b.")
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
FOLDS = re.compile(r"&lt;(/?(?:details|summary))&gt;")
PICTURES = ("image/png", "image/jpeg")


def plain(text: str, most: int = TEXT) -> str:
    """A text as a terminal shows it, without its codes and colours, and cut."""
    lines = CODES.sub("", text[: 4 * most]).replace("\r\n", "\n").split("\n")
    seen = UNSEEN.sub("", "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines))
    if len(text) <= 4 * most and len(seen) <= most:
        return seen
    return f"{seen[:most]}\n[cut: {len(text):,} letters in all]"


def picture(data: str, alt: str) -> str:
    """A picture in base64 as an element; why it is not shown if it is no whole PNG or JPEG."""
    told = html.escape(alt)
    try:
        if len(data) > 2 * BYTES:
            raise ValueError
        raw = base64.b64decode("".join(data.split()), validate=True)
        with Image.open(io.BytesIO(raw), formats=["PNG", "JPEG"]) as image:
            if len(raw) > BYTES or image.width * image.height > PIXELS:
                raise ValueError
            kind = image.format.lower()
            image.load()
    except Exception:  # whatever a reader of pictures raises on what is none
        return f'<span class="left-out">[a picture that cannot be shown: {told}]</span>'
    safe = base64.b64encode(raw).decode()
    return f'<img alt="{told}" src="data:image/{kind};base64,{safe}">'


class Cleaned(Formulas, HTMLRenderer):
    """Markdown whose raw HTML is text, but <details> and <summary>; its links are text too."""

    def __init__(self, attachments: Mapping):
        super().__init__(escape=True)
        self.attachments = attachments

    def text(self, text: str) -> str:
        """Letters."""
        return html.escape(html.unescape(text))

    def block_html(self, html: str) -> str:
        """Tags as they were typed."""
        return self.inline_html(html)

    def inline_html(self, html: str) -> str:
        """Tags as they were typed, but those of a text that is folded away."""
        return FOLDS.sub(r"<\1>", self.text(html))

    def heading(self, text: str, level: int, **_) -> str:
        """One level lower: the page has a heading of its own."""
        level = min(level + 1, 6)
        return f"<h{level}>{text}</h{level}>\n"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Where it leads is read, not followed."""
        address = html.escape(html.unescape(url))
        return text if text == address else f'{text} <span class="left-out">[{address}]</span>'

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Only a picture that was put into the cell."""
        alt = html.unescape(re.sub(r"<[^>]*>", "", text))
        kinds = self.attachments.get(url.removeprefix("attachment:"))
        kinds = kinds if isinstance(kinds, Mapping) else {}
        return picture(next((str(kinds[k]) for k in PICTURES if k in kinds), ""), alt)

    def block_code(self, code: str, info: str | None = None) -> str:
        """Code of any language."""
        return f"<pre><code>{html.escape(code)}</code></pre>\n"

    def task_list_item(self, text: str, checked: bool = False) -> str:
        """A box that cannot be ticked."""
        return f"<li>{'☑' if checked else '☐'} {text}</li>\n"

    def formula(self, body: str, display: str) -> str:
        """A formula; one that is not understood as it was typed."""
        try:
            return super().formula(html.unescape(body), display)
        except ValueError:
            return f"<code>{html.escape(body)}</code>"


def markdown(source: str, attachments: Mapping | None = None) -> str:
    """Markdown as HTML; as it was typed if it cannot be read."""
    source = plain(source, PROSE)
    return _rendered(source) if not attachments else _render(source, attachments)


def _render(source: str, attachments: Mapping) -> str:
    try:
        return MarkdownWithMath(renderer=Cleaned(attachments)).render(source)
    except (RecursionError, ValueError, LookupError):
        return f"<pre>{html.escape(source)}</pre>"


@lru_cache(256)  # the tasks of an assignment are the same on each page
def _rendered(source: str) -> str:
    return _render(source, {})
