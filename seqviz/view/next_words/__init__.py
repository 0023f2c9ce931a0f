"""Next words: what a language model expects next, and what each decoding method keeps of it."""

from seqviz.view.next_words.entry import generation
from seqviz.view.next_words.widget import NextWords

__all__ = ["NextWords", "generation"]
