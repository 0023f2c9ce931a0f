"""Next words: what a language model expects next, and what each decoding method keeps of it."""

from seqviz.views.generation.entry import generation
from seqviz.views.generation.widget import NextWords

__all__ = ["NextWords", "generation"]
