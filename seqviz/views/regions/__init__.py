"""Pictures and words: where a network attends, what it has seen, what it draws."""

from seqviz.views.regions.entry import regions
from seqviz.views.regions.widget import ImageRegions

__all__ = ["ImageRegions", "regions"]
