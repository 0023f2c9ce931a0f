"""The tree of a beam search."""

from seqviz.view.beam_tree.widget import BeamView, beam

__all__ = ["BeamView", "beam"]
