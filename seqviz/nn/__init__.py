"""The models, built in the open: a file per lecture idea."""

from seqviz.nn.language_model import LanguageModel
from seqviz.nn.recurrent import RNN

__all__ = ["RNN", "LanguageModel"]
