"""Two sentences: does the second follow the first (BERT), and in which order are they (ALBERT)?"""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from seqviz.arguments import checked_integer, checked_type
from seqviz.data.items import Paragraph

Sentence = tuple[str, ...]


@dataclass(frozen=True)
class SentencePair:
    """Two sentences and what a model has to say about them.

    Parameters
    ----------
    first, second : tuple of str
        The words of each.
    label : int
        0 if the second follows the first in a paragraph. 1 if it does not: it is from elsewhere
        (next sentence), or the two have changed places (sentence order). These are the classes of
        BERT's and ALBERT's own heads, so weights load across.
    """

    first: Sentence
    second: Sentence
    label: int


def next_sentence_pairs(paragraphs: Sequence[Paragraph], seed: int) -> list[SentencePair]:
    """Each sentence with the one that follows it, and with one from elsewhere.

    BERT's second task (decks 001 to 004; Devlin et al. 2019, 3.1), made harder: the sentence from
    elsewhere comes from a paragraph of the same topic about somebody else, has the same frame (its
    "grammar" words), and shares as many words with the first as the true one does. So neither
    topic nor form nor word overlap tells which is which; the facts do. A sentence for which there
    is no such other one is left out.

    Parameters
    ----------
    paragraphs : sequence of Paragraph
        As `load("facts")` has them.
    seed : int
        0 or more. Seed of the choice and the order.

    Returns
    -------
    list of SentencePair
        As many of label 0 as of label 1, shuffled.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If there is no paragraph, or `seed` is below 0.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    alike = defaultdict(list)  # topic and frame: who it is about, sentence
    for paragraph in _checked(paragraphs):
        for k, sentence in enumerate(paragraph.sentences[1:], 1):
            alike[paragraph.topic, _frame(paragraph, k)].append((paragraph.about, sentence))
    pairs = []
    for paragraph in paragraphs:
        for k, (first, second) in enumerate(pairwise(paragraph.sentences), 1):
            shared = _shared(first, second)
            others = [
                sentence
                for about, sentence in alike[paragraph.topic, _frame(paragraph, k)]
                if about != paragraph.about and _shared(first, sentence) == shared
            ]
            if others:
                pairs += [
                    SentencePair(first, second, 0),
                    SentencePair(first, draw.choice(others), 1),
                ]
    draw.shuffle(pairs)
    return pairs


def sentence_order_pairs(paragraphs: Sequence[Paragraph], seed: int) -> list[SentencePair]:
    """Each two sentences that follow one another, in their order and exchanged.

    ALBERT's task in the place of next-sentence prediction (deck 002; Lan et al. 2020, 3.1). Both
    orders have the same words, so only the order tells.

    Parameters
    ----------
    paragraphs : sequence of Paragraph
        As `load("facts")` has them.
    seed : int
        0 or more. Seed of the order of the pairs.

    Returns
    -------
    list of SentencePair
        As many of label 0 as of label 1, shuffled.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If there is no paragraph, or `seed` is below 0.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    pairs = []
    for paragraph in _checked(paragraphs):
        for first, second in pairwise(paragraph.sentences):
            pairs += [SentencePair(first, second, 0), SentencePair(second, first, 1)]
    draw.shuffle(pairs)
    return pairs


def _frame(paragraph: Paragraph, k: int) -> tuple[str | None, ...]:
    """The grammar of a sentence, with gaps for all other words."""
    words = zip(paragraph.sentences[k], paragraph.labels[k], strict=True)
    return tuple(word if label == "grammar" else None for word, label in words)


def _shared(first: Sentence, second: Sentence) -> int:
    return len({*first} & {*second})


def _checked(paragraphs: Sequence[Paragraph]) -> Sequence[Paragraph]:
    checked_type("paragraphs", paragraphs, Sequence, "a list of sv.data.Paragraph")
    if not paragraphs:
        raise ValueError("paragraphs must hold at least one paragraph, got none")
    for paragraph in paragraphs:
        checked_type("each of paragraphs", paragraph, Paragraph, "a sv.data.Paragraph")
    return paragraphs
