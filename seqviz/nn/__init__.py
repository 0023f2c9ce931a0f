"""The models, built in the open: a file per lecture idea."""

from seqviz.nn.attention import MultiheadAttention
from seqviz.nn.depth import DenseBlock, HighwayBlock, PlainBlock, ResidualBlock
from seqviz.nn.language_model import LanguageModel
from seqviz.nn.recurrent import GRU, LSTM, RNN
from seqviz.nn.scores import Attention
from seqviz.nn.seq2seq import Seq2Seq

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "Attention",
    "DenseBlock",
    "HighwayBlock",
    "LanguageModel",
    "MultiheadAttention",
    "PlainBlock",
    "ResidualBlock",
    "Seq2Seq",
]
