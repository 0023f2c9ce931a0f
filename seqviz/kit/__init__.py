"""A study in one lesson: questions before and after, a text against a view, and what came of it."""

from seqviz.kit.analysing import Result, analysed
from seqviz.kit.lesson import page, written

__all__ = ["Result", "analysed", "page", "written"]
