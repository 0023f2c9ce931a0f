"""Word vectors as a map, beside the list that counts in all directions."""

from seqviz.view.embedding_map.entry import embedding
from seqviz.view.embedding_map.widget import EmbeddingMap

__all__ = ["EmbeddingMap", "embedding"]
