"""The models, built in the open: a file per lecture idea."""

from seqviz.nn.attention import MultiheadAttention
from seqviz.nn.depth import DenseBlock, HighwayBlock, PlainBlock, ResidualBlock
from seqviz.nn.language_model import LanguageModel
from seqviz.nn.recurrent import GRU, LSTM, RNN

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "DenseBlock",
    "HighwayBlock",
    "LanguageModel",
    "MultiheadAttention",
    "PlainBlock",
    "ResidualBlock",
]
