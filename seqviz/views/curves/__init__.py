"""Labelled curves over steps."""

from seqviz.views.curves.widget import CurveSheet, curves

__all__ = ["CurveSheet", "curves"]
