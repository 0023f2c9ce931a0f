"""The models, built in the open: a file per lecture idea."""

from seqviz.nn.answerer import QuestionAnswerer
from seqviz.nn.attention import Attention
from seqviz.nn.bert import BERT
from seqviz.nn.bert_heads import (
    BERTForMaskedLM,
    BERTForPreTraining,
    BERTForQuestionAnswering,
    BERTForSequenceClassification,
    BERTForTokenClassification,
)
from seqviz.nn.bilm import BiLM, LayerMix
from seqviz.nn.captioner import Captioner
from seqviz.nn.convolution import CausalConv1d, ConvBlock
from seqviz.nn.depth import DenseBlock, HighwayBlock, PlainBlock, ResidualBlock
from seqviz.nn.draw import DRAW, Drawing
from seqviz.nn.glimpses import GlimpseClassifier, Glimpses
from seqviz.nn.gpt import GPT
from seqviz.nn.gpt_heads import GPTForSequenceClassification
from seqviz.nn.language_model import LanguageModel
from seqviz.nn.masks import causal_mask
from seqviz.nn.multihead import MultiheadAttention
from seqviz.nn.pictures import ConvEncoder, PictureClassifier
from seqviz.nn.position import LearnedPositions, SinusoidalPositions, sinusoids
from seqviz.nn.recurrent import GRU, LSTM, RNN
from seqviz.nn.relative import RelativePositions, skew
from seqviz.nn.seq2seq import Seq2Seq
from seqviz.nn.soft_windows import read_window, write_window
from seqviz.nn.transformer import Transformer, TransformerDecoder, TransformerEncoder
from seqviz.nn.transformer_layers import TransformerDecoderLayer, TransformerEncoderLayer
from seqviz.nn.transformer_seq2seq import TransformerSeq2Seq
from seqviz.nn.weight_files import find_vocabulary
from seqviz.nn.word_table import WordVectors
from seqviz.nn.word_vectors import GloVe, SkipGram, unigram_noise

__all__ = [
    "BERT",
    "DRAW",
    "GPT",
    "GRU",
    "LSTM",
    "RNN",
    "Attention",
    "BERTForMaskedLM",
    "BERTForPreTraining",
    "BERTForQuestionAnswering",
    "BERTForSequenceClassification",
    "BERTForTokenClassification",
    "BiLM",
    "Captioner",
    "CausalConv1d",
    "ConvBlock",
    "ConvEncoder",
    "DenseBlock",
    "Drawing",
    "GPTForSequenceClassification",
    "GlimpseClassifier",
    "Glimpses",
    "GloVe",
    "HighwayBlock",
    "LanguageModel",
    "LayerMix",
    "LearnedPositions",
    "MultiheadAttention",
    "PictureClassifier",
    "PlainBlock",
    "QuestionAnswerer",
    "RelativePositions",
    "ResidualBlock",
    "Seq2Seq",
    "SinusoidalPositions",
    "SkipGram",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "TransformerSeq2Seq",
    "WordVectors",
    "causal_mask",
    "find_vocabulary",
    "read_window",
    "sinusoids",
    "skew",
    "unigram_noise",
    "write_window",
]
