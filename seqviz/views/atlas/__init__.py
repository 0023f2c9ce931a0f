"""Every head of a model over many sentences."""

from seqviz.views.atlas.entry import atlas
from seqviz.views.atlas.widget import Atlas

__all__ = ["Atlas", "atlas"]
