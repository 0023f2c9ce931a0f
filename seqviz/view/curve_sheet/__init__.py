"""Labelled curves over steps."""

from seqviz.view.curve_sheet.widget import CurveSheet, curves

__all__ = ["CurveSheet", "curves"]
