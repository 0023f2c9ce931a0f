"""What the curves say; sentence.js says the same."""

import math
from collections.abc import Mapping

import numpy as np

from seqviz.views.shared.grid_values import decimals, figures
from seqviz.views.shared.wording import readable


def sentence(
    x: str, step: int, token: str | None, values: Mapping[str, float], places: int | None
) -> str:
    """The value of each curve at the cursor."""
    where = f"{readable(x)} {step}" + ("" if token is None else f", {readable(token)}")
    said = (f"{readable(label)} {value_text(v, places)}" for label, v in values.items())
    return f"At {where}: {', '.join(said)}."


def value_text(value: float, places: int | None) -> str:
    """A value with as many places as the axis needs: 0.001 beside 0.224."""
    if np.isnan(value):
        return "no value"
    return figures(float(value)) if places is None else decimals(float(value), places)


def places(span: float) -> int | None:
    """Decimals that tell a thousandth of the axis; None if only powers of ten are short."""
    if not 1e-3 <= span <= 1e4:
        return None
    return max(0, 3 - math.ceil(math.log10(span)))
