"""Text to tensors: the data sets, their vocabularies, and batches cut from them."""

from seqviz.data.batching import encode_sentence, pair_batches, sentence_vocabulary
from seqviz.data.generators.memory import adding, counter, echo, recall
from seqviz.data.generators.opinions.opinion import Opinion
from seqviz.data.generators.returning_motifs import motifs
from seqviz.data.generators.scenes import (
    Asked,
    Scene,
    Thing,
    pictures_of,
    shape_questions,
    shapes,
)
from seqviz.data.items import Argued, Labelled, Paragraph, Quadruple, Quoted, Review, Tagged
from seqviz.data.loaders import Dataset, Transfer, load, load_weights
from seqviz.data.masking import Masked, mask_tokens
from seqviz.data.melody import Melody
from seqviz.data.neighbours import Cooccurrences, context_pairs, cooccurrences, shuffle_words
from seqviz.data.pairs import Pair
from seqviz.data.past_results import history
from seqviz.data.performance import EVENTS, Note, events_to_notes, notes_to_events, sound
from seqviz.data.registry import DownloadError, Remote, fetch
from seqviz.data.sentence_pairs import (
    SentencePair,
    next_sentence_pairs,
    sentence_order_pairs,
)
from seqviz.data.spans import Span, spans_to_tags, tags_to_spans
from seqviz.data.subwords import BytePairs, train_bpe
from seqviz.data.text import Vocabulary, Windows, windows
from seqviz.data.tunes import melodies
from seqviz.data.wordpiece import Encoded, Padded, WordPiece, train_wordpiece

__all__ = [
    "EVENTS",
    "Argued",
    "Asked",
    "BytePairs",
    "Cooccurrences",
    "Dataset",
    "DownloadError",
    "Encoded",
    "Labelled",
    "Masked",
    "Melody",
    "Note",
    "Opinion",
    "Padded",
    "Pair",
    "Paragraph",
    "Quadruple",
    "Quoted",
    "Remote",
    "Review",
    "Scene",
    "SentencePair",
    "Span",
    "Tagged",
    "Thing",
    "Transfer",
    "Vocabulary",
    "Windows",
    "WordPiece",
    "adding",
    "context_pairs",
    "cooccurrences",
    "counter",
    "echo",
    "encode_sentence",
    "events_to_notes",
    "fetch",
    "history",
    "load",
    "load_weights",
    "mask_tokens",
    "melodies",
    "motifs",
    "next_sentence_pairs",
    "notes_to_events",
    "pair_batches",
    "pictures_of",
    "recall",
    "sentence_order_pairs",
    "sentence_vocabulary",
    "shape_questions",
    "shapes",
    "shuffle_words",
    "sound",
    "spans_to_tags",
    "tags_to_spans",
    "train_bpe",
    "train_wordpiece",
    "windows",
]
