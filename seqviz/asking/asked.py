"""What is asked, as HTML that needs no script; with a kernel and a script it keeps what is said."""

import hashlib
import re
from html import escape
from pathlib import Path

HERE = Path(__file__).parent


class Asked:
    """What shows itself as HTML. Alive, it is a widget with the same HTML in it."""

    styles = ("asking.css",)

    def body(self) -> str:
        """The HTML, without the style."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return style(*self.styles) + self.body()

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        from seqviz.asking.living import shown

        plain = {"text/plain": repr(self), "text/html": self._repr_html_()}
        widget, about = shown(self)
        return widget | plain, about


def style(*names: str) -> str:
    """Return style sheets of this room as an element of one line."""
    sheets = ((HERE / name).read_text(encoding="utf-8") for name in names)
    return f"<style>{' '.join(' '.join(sheets).split())}</style>"


def name_of(text: str) -> str:
    """Return the name under which a browser keeps what is said of a text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:10]


def marked(text: str) -> str:
    """Return text as HTML; what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
