"""The tree of a beam search."""

from seqviz.views.beam.widget import BeamView, beam

__all__ = ["BeamView", "beam"]
