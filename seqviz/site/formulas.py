"""Formulas as MathML, which a browser draws without a script."""

import re

from latex2mathml.converter import convert


def mathml(formula: str, display: str) -> str:
    """Return a formula as MathML; `display` is "inline" or "block".

    Raises
    ------
    ValueError
        If it has something that the converter does not know.
    """
    source = re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{align*}", formula)
    try:
        drawn = convert(source, display=display)
    except Exception as problem:
        raise ValueError(f"the formula {formula!r} is not understood: {problem!r}") from problem
    if unknown := re.search(r"\\[A-Za-z]+|<mi>&(?:amp;)?</mi>", drawn):
        raise ValueError(f"the formula {formula!r} has {unknown[0]}, which MathML output lacks")
    drawn = re.sub(r' xmlns="[^"]*"', "", drawn)  # nbconvert makes a prefix of it in a heading
    return re.sub(r"<mi>([A-Za-z])</mi>", r'<mi class="letter">\1</mi>', drawn)
