"""Markdown to HTML, with formulas, and with links that lead from page to page."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from nbconvert.filters.markdown_mistune import (
    InvalidNotebook,
    IPythonRenderer,
    MarkdownWithMath,
)

from seqviz.site.formulas import mathml

PAGE_OF = re.compile(r"^(?![a-z]+:)([\w./-]+)\.(?:ipynb|md)(#.*)?$")  # a file beside the notebook


class Formulas:
    """What a renderer of markdown makes of formulas: MathML."""

    def formula(self, body: str, display: str) -> str:
        """Render a formula; `display` is "inline" or "block"."""
        return mathml(body, display)

    def inline_math(self, body: str) -> str:
        """Render a formula in the line."""
        return self.formula(body, "inline")

    def block_math(self, body: str) -> str:
        """Render a formula of its own."""
        return self.formula(body, "block")

    def latex_environment(self, name: str, body: str) -> str:
        """Render an environment that stands without dollar signs."""
        return self.formula(rf"\begin{{{name}}}{body}\end{{{name}}}", "block")


class Renderer(Formulas, IPythonRenderer):
    """Markdown to HTML with formulas as MathML, noting the headings on the way."""

    def __init__(self, headings: list, **options) -> None:
        super().__init__(**options)
        self.headings = headings

    def heading(self, text: str, level: int, **attributes) -> str:
        """Keep (level, id, text) for the table of contents."""
        drawn = super().heading(text, level, **attributes)
        named = re.search(r'id="([^"]*)"', drawn)
        if unseen := re.search("[\x00-\x08\x0b-\x1f\ud800-\udfff]", text):
            raise ValueError(f"the heading {text!r} has {unseen[0]!r}, which no page can show")
        if named is None:  # nbconvert gives none to what is no XML
            raise ValueError(f"the heading {text!r} has a tag that is not closed: write &lt; for <")
        self.headings.append((level, named[1], text))
        return drawn

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Let a link to another notebook, or to a text beside it, lead to its page."""
        return super().link(text, page_of(url), title)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Show a picture, which may be one that is attached to the cell."""
        try:
            return super().image(text, url, title)
        except InvalidNotebook:
            raise ValueError(f"the picture {url} is not attached: drag it into the cell") from None

    def block_html(self, html: str) -> str:
        """Leave an open tag open: nbconvert would close <details> before what it folds away."""
        return html if "<img" not in html else super().block_html(html)


def page_of(url: str) -> str:
    """Return the page of a notebook or of a text: "LETTERS.md" is shown as "letters.html"."""
    found = PAGE_OF.match(url)
    return f"{found[1].lower()}.html{found[2] or ''}" if found else url


def rendered(
    markdown: str, headings: list | None = None, attachments: Mapping = MappingProxyType({})
) -> str:
    """Return markdown as HTML; its headings are added to `headings` as (level, id, text)."""
    renderer = Renderer([] if headings is None else headings, escape=False, attachments=attachments)
    return MarkdownWithMath(renderer=renderer).render(markdown)
