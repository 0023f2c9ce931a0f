"""The net unrolled in time: numbers, equation and trace of each step."""

from seqviz.views.unroll.widget import UnrolledNet, unroll

__all__ = ["UnrolledNet", "unroll"]
