"""Offline pages: every notebook alive without kernel and network, with a search and a reference."""

from seqviz.site.building import build
from seqviz.site.formulas import mathml
from seqviz.site.front import about, index
from seqviz.site.lecture import Exporter, page
from seqviz.site.markdown import Renderer
from seqviz.site.notices import licences
from seqviz.site.outputs import figure_element, image_element

__all__ = [
    "Exporter",
    "Renderer",
    "about",
    "build",
    "figure_element",
    "image_element",
    "index",
    "licences",
    "mathml",
    "page",
]
