"""Formulas as MathML, which a browser draws without a script."""

import html
import re
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

TAGS = re.compile(
    "math|m(enclose|frac|i|n|o|over|padded|phantom|root|row|space|sqrt|style|sub|subsup|sup|"
    "table|td|text|tr|under|underover)"
)
NAMES = re.compile(
    "accent|column(align|lines|spacing)|depth|display|displaystyle|fence|form|height|linethickness|"
    "[lr]space|math(background|color|variant)|(max|min)size|movablelimits|notation|rowlines|"
    "scriptlevel|separator|stretchy|voffset|width"
)
VALUE = re.compile(r"[a-z -]+|#[0-9a-fA-F]{3,6}|[+-]?\d{0,2}(\.\d*)?(em|ex|px|pt|%)?( \d+em)*")


def mathml(formula: str, display: str) -> str:
    """Return a formula as MathML; `display` is "inline" or "block".

    Raises
    ------
    ValueError
        If it has something that the converter does not know.
    """
    source = re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{align*}", formula)
    try:
        drawn = _written(convert_to_element(source, display=display))
    except Exception as problem:
        raise ValueError(f"the formula {formula!r} is not understood: {problem!r}") from problem
    if unknown := re.search(r"\\[A-Za-z]+|<mi>&amp;</mi>", drawn):
        raise ValueError(f"the formula {formula!r} has {unknown[0]}, which MathML output lacks")
    return re.sub(r"<mi>([A-Za-z])</mi>", r'<mi class="letter">\1</mi>', drawn)


def _written(element: Element) -> str:
    """An element as text: a formula's letters are no markup, its links and styles are left out."""
    inner = html.escape(html.unescape(element.text or ""), quote=False)
    inner += "".join(map(_written, element))
    if not TAGS.fullmatch(element.tag):
        return inner
    kept = {name: value for name, value in element.items() if NAMES.fullmatch(name)}
    told = "".join(f' {name}="{x}"' for name, x in kept.items() if VALUE.fullmatch(x))
    return f"<{element.tag}{told}>{inner}</{element.tag}>"
