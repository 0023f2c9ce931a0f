"""Pictures and words: where a network attends, what it has seen, what it draws."""

from seqviz.view.image_regions.entry import regions
from seqviz.view.image_regions.widget import ImageRegions

__all__ = ["ImageRegions", "regions"]
