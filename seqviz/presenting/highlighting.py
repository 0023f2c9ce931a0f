"""Code as lines of spans, coloured by what a word is."""

from markupsafe import Markup, escape
from pygments import lex
from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Number, Operator, String

KINDS = ((Comment, "c"), (String, "s"), (Keyword, "k"), (Operator.Word, "k"), (Number, "n"))


def lines(source: str) -> list[tuple[int, Markup]]:
    """Return (number, HTML) of each line; of blank lines in a row only the first is kept."""
    html = [Markup("")]
    for kind, text in lex(source, PythonLexer(stripnl=False, ensurenl=False)):
        name = next((name for parent, name in KINDS if kind in parent), "")
        first, *others = text.split("\n")
        html[-1] += _span(name, first)
        html += [_span(name, other) for other in others]
    numbered = list(enumerate(html, start=1))
    return [
        (number, line)
        for number, line in numbered
        if line.strip() or (number > 1 and numbered[number - 2][1].strip())
    ]


def _span(name: str, text: str) -> Markup:
    if not name or not text:
        return escape(text)
    return Markup('<span class="{}">{}</span>').format(name, text)
