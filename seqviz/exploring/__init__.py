"""A model and a text to a live view: the one room that knows both a model and a view."""

from seqviz.exploring.atlas import atlas
from seqviz.exploring.cause import cause
from seqviz.exploring.entry import explore
from seqviz.exploring.machine import machine
from seqviz.exploring.pictures import regions

__all__ = ["atlas", "cause", "explore", "machine", "regions"]
