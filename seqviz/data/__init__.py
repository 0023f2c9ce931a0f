"""Text to tensors: the data sets, their vocabularies, and batches cut from them."""

from seqviz.data.batching import encode_sentence, pair_batches, sentence_vocabulary
from seqviz.data.generators.counting import counter
from seqviz.data.generators.memory import adding, echo, recall
from seqviz.data.generators.quotes import Quoted
from seqviz.data.generators.reviews import Review
from seqviz.data.generators.tagging import Tagged
from seqviz.data.loaders import Dataset, load, load_weights
from seqviz.data.pairs import Pair
from seqviz.data.registry import DownloadError, Remote, fetch
from seqviz.data.subwords import BytePairs, train_bpe
from seqviz.data.text import Vocabulary, Windows, windows

__all__ = [
    "BytePairs",
    "Dataset",
    "DownloadError",
    "Pair",
    "Quoted",
    "Remote",
    "Review",
    "Tagged",
    "Vocabulary",
    "Windows",
    "adding",
    "counter",
    "echo",
    "encode_sentence",
    "fetch",
    "load",
    "load_weights",
    "pair_batches",
    "recall",
    "sentence_vocabulary",
    "train_bpe",
    "windows",
]
