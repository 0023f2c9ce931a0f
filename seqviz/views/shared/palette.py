"""The design language of tokens.css for pictures that are drawn in Python."""

import re
from functools import cache
from pathlib import Path

TOKENS = Path(__file__).with_name("tokens.css")


@cache
def declarations() -> tuple[str, str]:
    """What tokens.css declares for the light theme, and what other values the dark one has."""
    sheet = TOKENS.read_text(encoding="utf-8")
    light, dark = re.findall(r"^\.seqviz\S* \{\n(.*?)^\}", sheet, re.MULTILINE | re.DOTALL)
    return light, dark


@cache
def colours() -> dict[str, list[str]]:
    """Light-theme colours by token name: `focus`, `second`, `seq`, `div`, `cat`."""
    light, _ = declarations()
    found = re.findall(r"--sv-([a-z]+): (#[0-9a-f]{6}(?:, #[0-9a-f]{6})*);", light)
    return {name: values.split(", ") for name, values in found}


def use_in_plotly() -> None:
    """Make plotly draw with these colours, on the page's own background, light or dark."""
    import plotly.graph_objects as go
    import plotly.io as pio

    tone = colours()
    grey = "#7a8594"  # 3.8:1 on white and 4.6:1 on the dark paper
    axis = {"gridcolor": "rgba(122,133,148,0.25)", "zeroline": False}
    axis |= {"linecolor": grey, "tickcolor": grey}
    axis |= {"minorloglabels": "none"}  # they are smaller than may be read
    pio.templates["seqviz"] = go.layout.Template(
        layout={
            "colorway": tone["cat"],
            "colorscale": {
                "sequential": tone["seq"],
                "diverging": tone["div"],
            },
            "font": {"family": "Arial, Liberation Sans, sans-serif", "size": 14, "color": grey},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "modebar": {"remove": ["sendChartToCloud", "sendDataToCloud", "logo"]},
            "margin": {"l": 64, "r": 24, "t": 48, "b": 56},
            "annotationdefaults": {"arrowcolor": grey},
            "shapedefaults": {"line": {"color": grey}},
            "xaxis": axis,
            "yaxis": axis,
        }
    )
    pio.templates.default = "seqviz"
