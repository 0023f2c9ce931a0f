"""Text to tensors: the data sets, their vocabularies, and batches cut from them."""

from seqviz.data.batching import encode_sentence, pair_batches, sentence_vocabulary
from seqviz.data.generators.counting import counter
from seqviz.data.generators.facts.paragraph import Paragraph
from seqviz.data.generators.memory import adding, echo, recall
from seqviz.data.generators.quotes import Quoted
from seqviz.data.generators.reviews import Review
from seqviz.data.generators.tagging import Tagged
from seqviz.data.labelled import Labelled
from seqviz.data.loaders import Dataset, load, load_weights
from seqviz.data.masking import Masked, mask_tokens
from seqviz.data.neighbours import Cooccurrences, context_pairs, cooccurrences
from seqviz.data.pairs import Pair
from seqviz.data.past_results import history
from seqviz.data.registry import DownloadError, Remote, fetch
from seqviz.data.sentence_pairs import (
    SentencePair,
    next_sentence_pairs,
    sentence_order_pairs,
)
from seqviz.data.subwords import BytePairs, train_bpe
from seqviz.data.text import Vocabulary, Windows, windows
from seqviz.data.wordpiece import Encoded, Padded, WordPiece, train_wordpiece

__all__ = [
    "BytePairs",
    "Cooccurrences",
    "Dataset",
    "DownloadError",
    "Encoded",
    "Labelled",
    "Masked",
    "Padded",
    "Pair",
    "Paragraph",
    "Quoted",
    "Remote",
    "Review",
    "SentencePair",
    "Tagged",
    "Vocabulary",
    "Windows",
    "WordPiece",
    "adding",
    "context_pairs",
    "cooccurrences",
    "counter",
    "echo",
    "encode_sentence",
    "fetch",
    "history",
    "load",
    "load_weights",
    "mask_tokens",
    "next_sentence_pairs",
    "pair_batches",
    "recall",
    "sentence_order_pairs",
    "sentence_vocabulary",
    "train_bpe",
    "train_wordpiece",
    "windows",
]
