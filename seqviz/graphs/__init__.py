"""Models as graphs of plain operations, which run here and in a page."""

from seqviz.graphs.anatomy import anatomy_of
from seqviz.graphs.exporting import exported, fits
from seqviz.graphs.graph import Attention, Block, Graph, Node, Roles
from seqviz.graphs.packing import Packed, packed, rounded
from seqviz.graphs.stepping import Steps, stepped
from seqviz.graphs.writing import Written, written

__all__ = [
    "Attention",
    "Block",
    "Graph",
    "Node",
    "Packed",
    "Roles",
    "Steps",
    "Written",
    "anatomy_of",
    "exported",
    "fits",
    "packed",
    "rounded",
    "stepped",
    "written",
]
