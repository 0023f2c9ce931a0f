"""Word vectors as a map, beside the list that counts in all directions."""

from seqviz.views.embedding.entry import embedding
from seqviz.views.embedding.widget import EmbeddingMap

__all__ = ["EmbeddingMap", "embedding"]
