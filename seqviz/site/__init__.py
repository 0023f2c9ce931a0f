"""Offline pages: every notebook alive without kernel and network, with a search and a reference."""

from seqviz.site.building import build
from seqviz.site.formulas import mathml
from seqviz.site.frame import plotly, templates
from seqviz.site.front import about, index
from seqviz.site.lecture import page
from seqviz.site.markdown import rendered
from seqviz.site.notices import licences
from seqviz.site.outputs import element

__all__ = [
    "about",
    "build",
    "element",
    "index",
    "licences",
    "mathml",
    "page",
    "plotly",
    "rendered",
    "templates",
]
