"""Pairs of sentences to tensors: two vocabularies, and batches with padding."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seqviz.arguments import checked_integer, checked_type, checked_words
from seqviz.data.pairs import Pair
from seqviz.data.text import Vocabulary

PADDING, START, STOP, UNKNOWN = MARKS = ("<pad>", "<start>", "<stop>", "<unk>")
MADE_BY = "a vocabulary that sv.data.sentence_vocabulary makes"
POOL = 16  # batches: within so many, sentences of about one length come together


def sentence_vocabulary(sentences: Iterable[Sequence[str]], least: int = 1) -> Vocabulary:
    """Make a vocabulary of the words of sentences, after the four marks.

    Parameters
    ----------
    sentences : iterable of sequence of str
        Words.
    least : int
        Words that come less often are left out.

    Returns
    -------
    Vocabulary
        "<pad>" is 0, "<start>" 1, "<stop>" 2 and "<unk>", for all words that are not in it, 3;
        the words follow in alphabetical order.

    Raises
    ------
    TypeError
        If a sentence is a string: split it into words. If `least` is no integer.
    ValueError
        If `least` is below 1, or a word is one of the four marks.
    """
    least = checked_integer("least", least, 1)
    count = Counter()
    for sentence in checked_type("sentences", sentences, Iterable, "a list of sentences"):
        count.update(checked_words("each of sentences", sentence))
    marks = [mark for mark in MARKS if mark in count]
    if marks:
        raise ValueError(f"sentences must not hold the mark {marks[0]!r}: it has a meaning here")
    words = sorted(word for word, times in count.items() if times >= least)
    if not words:
        raise ValueError(
            f"sentences must hold a word that comes at least {least} times, got {len(count)} words "
            "that come less often: lower least, or give more sentences"
        )
    return Vocabulary([*MARKS, *words])


def encode_sentence(vocabulary: Vocabulary, words: Sequence[str]) -> Tensor:
    """Numbers of words (time,), int64; a word that is not in the vocabulary becomes "<unk>".

    Raises
    ------
    TypeError
        If `words` is a string: split it into words.
    """
    checked_type("vocabulary", vocabulary, Vocabulary, MADE_BY)
    known = (word if word in vocabulary else UNKNOWN for word in checked_words("words", words))
    return vocabulary.encode(known)


class PairBatches:
    """Batches of pairs, re-iterable; made by `pair_batches`."""

    def __init__(self, sources: list[Tensor], targets: list[Tensor], batch_size: int):
        self.sources, self.targets, self.batch_size = sources, targets, batch_size

    def __len__(self) -> int:
        return -(-len(self.sources) // self.batch_size)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        lengths = torch.tensor([len(source) for source in self.sources])
        batches = []
        for pool in torch.randperm(len(lengths)).split(POOL * self.batch_size):
            batches += pool[lengths[pool].argsort(stable=True)].split(self.batch_size)
        for k in torch.randperm(len(batches)):
            yield (
                pad_sequence([self.sources[i] for i in batches[k]], batch_first=True),
                pad_sequence([self.targets[i] for i in batches[k]], batch_first=True),
            )


def pair_batches(
    pairs: Sequence[Pair], source: Vocabulary, target: Vocabulary, batch_size: int
) -> PairBatches:
    """Cut pairs of sentences into shuffled batches, each of sentences of about one length.

    Each iteration is one pass over the pairs in a new order, drawn from torch's global generator.
    One batch of a pass may be smaller.

    Parameters
    ----------
    pairs : sequence of Pair
        At least one.
    source, target : Vocabulary
        As `sentence_vocabulary` makes them.
    batch_size : int
        Pairs in a batch.

    Returns
    -------
    PairBatches
        Gives (source, target), each (batch, time), int64 and padded with 0. A target begins with
        "<start>" and ends with "<stop>".

    Raises
    ------
    TypeError
        If `batch_size` is no integer.
    ValueError
        If there is no pair, `batch_size` is not positive, or a vocabulary has not the four marks
        in front.
    """
    batch_size = checked_integer("batch_size", batch_size, 1)
    if len(checked_type("pairs", pairs, Sequence, "a list of Pair")) == 0:
        raise ValueError("pairs must hold at least one pair, got none")
    for pair in pairs:
        checked_type("each of pairs", pair, Pair, "a sv.data.Pair")
    for name, vocabulary in (("source", source), ("target", target)):
        checked_type(name, vocabulary, Vocabulary, MADE_BY)
        if vocabulary.tokens[: len(MARKS)] != MARKS:
            raise ValueError(
                f"{name} must begin with {', '.join(MARKS)}, got {vocabulary!r}: "
                "make it with sv.data.sentence_vocabulary"
            )
    return PairBatches(
        [encode_sentence(source, pair.source) for pair in pairs],
        [encode_sentence(target, [START, *pair.target, STOP]) for pair in pairs],
        batch_size,
    )
