"""Checked sentences: their tokens, the words of word pieces, and what is guessed at each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqviz.pieces import Pieces, pieces_of
from seqviz.views.masking.guesses import Guesses, Vocabulary, guesses_of
from seqviz.views.shared.checking import each, line, strings, whole_of, within

MOST_TOKENS, MOST_SENTENCES = 64, 50
UNKNOWN = ("[UNK]", "<unk>")
MASKS = ("[MASK]", "<mask>")
SPECIAL = ("[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", *MASKS, *UNKNOWN)


@dataclass(frozen=True)
class Sentence:
    """T tokens and what the models say at each that can be masked.

    `unread` says which words of a text the tokenizer does not know; empty if it knows all.
    `written` are the positions of masks that the reader wrote: no token is the true one there.
    """

    title: str
    tokens: list[str]
    special: tuple[int, ...]
    guesses: Guesses
    unread: str = ""
    written: tuple[int, ...] = ()

    @cached_property
    def maskable(self) -> list[int]:
        """Positions that can be masked."""
        return [k for k in range(len(self.tokens)) if k not in self.special]

    def check_maskable(self, name: str, k: int) -> None:
        """Refuse a position, from 0, that holds a special token."""
        if k in self.special:
            raise ValueError(
                f"{name}: token {k + 1}, {self.tokens[k]!r}, is special and cannot be masked; "
                f"expected one of {[t + 1 for t in self.maskable]}"
            )

    @cached_property
    def pieces(self) -> Pieces:
        """The tokens as people read them."""
        return pieces_of(self.tokens, self.special)

    @cached_property
    def gains(self) -> list[int]:
        """Positions, those first where the second model lacks most; alone, the likeliest first.

        Written masks come before all others.
        """
        p, q = self.guesses.truth.astype(float).T
        return sorted(self.maskable, key=lambda k: (k not in self.written, q[k] - p[k]))


def sentences_of(given, vocabulary: Vocabulary) -> list[Sentence]:
    """Check sentences; all have attention of the same labels, or none."""
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence):
        raise TypeError(
            "sentences: expected a list of mappings with 'tokens' and 'both', came "
            f"{type(given).__name__}: write [...] around a single one"
        )
    if not 1 <= len(given) <= MOST_SENTENCES:
        raise ValueError(f"sentences: expected 1 to {MOST_SENTENCES}, came {len(given)}")
    found = [_sentence(f"sentences[{k}]", one, k, vocabulary) for k, one in enumerate(given)]
    labels = labels_of(found)
    for k, one in enumerate(found):
        if list(one.guesses.attention) not in ([], labels):
            raise ValueError(
                f"sentences[{k}]['attention']: expected the labels {labels} as before, came "
                f"{list(one.guesses.attention)}"
            )
    return found


def labels_of(sentences: Sequence[Sentence]) -> list[str]:
    """The labels of the attention maps."""
    return next((list(s.guesses.attention) for s in sentences if s.guesses.attention), [])


def _sentence(where: str, given, k: int, vocabulary: Vocabulary) -> Sentence:
    if not isinstance(given, Mapping) or "tokens" not in given:
        raise TypeError(f"{where}: expected a mapping with 'tokens' and 'both', came {given!r:.80}")
    tokens = strings(f"{where}['tokens']", given["tokens"])
    special = special_of(f"{where}['special']", given.get("special"), tokens)
    rows = maskable_of(where, tokens, special)
    truths = [vocabulary.id_of(f"{where}['tokens'][{t}]", tokens[t]) for t in rows]
    some = {name: rows_of(f"{where}['{name}']", given[name], len(tokens), rows)
            for name in ("both", "left", "attention") if given.get(name) is not None}  # fmt: skip
    guesses = guesses_of(where, {**given, **some}, truths, len(tokens), len(vocabulary))
    title = line(f"{where}['title']", given.get("title", f"sentence {k + 1}"))
    return Sentence(title, tokens, special, guesses.at(rows, len(tokens)))


def rows_of(name: str, given, tokens: int, rows: list[int]):
    """The rows of an array (or of each array of a mapping) that stand at these positions."""
    if isinstance(given, Mapping):
        return {key: rows_of(f"{name}[{key!r}]", one, tokens, rows) for key, one in given.items()}
    given = whole_of(name, given)
    if isinstance(given, Sequence) and len({np.size(row) for row in given}) > 1:
        raise ValueError(f"{name}: expected rows of one length, came {given!r:.80}")
    if np.ndim(given) != 2 or len(given) != tokens:
        raise ValueError(
            f"{name}: expected a row for each of {tokens} tokens, came shape {np.shape(given)}"
        )
    return given[rows] if hasattr(given, "shape") else [given[k] for k in rows]


def special_of(name: str, given, tokens: list[str]) -> tuple[int, ...]:
    """Positions that cannot be masked."""
    if given is None:
        return tuple(k for k, token in enumerate(tokens) if token in SPECIAL)
    places = each(name, given, "a list of positions")
    return tuple(sorted({within(name, k, 0, len(tokens) - 1) for k in places}))


def maskable_of(where: str, tokens: list[str], special: tuple[int, ...]) -> list[int]:
    """Positions that can be masked, at least one."""
    if len(tokens) > MOST_TOKENS:
        raise ValueError(f"{where}: expected at most {MOST_TOKENS} tokens, came {len(tokens)}")
    rows = [k for k in range(len(tokens)) if k not in special]
    if not rows:
        raise ValueError(f"{where}: expected at least one token that is not special, came {tokens}")
    return rows
