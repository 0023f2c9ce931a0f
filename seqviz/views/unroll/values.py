"""Checked values of the unrolled net: its weights by name, and the tokens it reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqviz.pieces import distinct
from seqviz.views.shared.checking import line, numbers, strings

SHAPES = {"W_xh": "HV", "W_hh": "HH", "b": "H", "W_hy": "VH", "b_y": "V", "h_0": "H"}
MOST_UNITS, MOST_TOKENS, MOST_STEPS, MOST_STAGES = 64, 200, 5000, 8


@dataclass(frozen=True)
class Net:
    """Checked weights of an Elman RNN, in the float32 that the page gets."""

    W_xh: np.ndarray
    W_hh: np.ndarray
    b: np.ndarray
    W_hy: np.ndarray
    b_y: np.ndarray
    h_0: np.ndarray | None = None

    @classmethod
    def of(cls, weights: Mapping, tokens: int, where: str = "weights") -> "Net":
        """Check arrays by their names on the slide, for a vocabulary of so many tokens."""
        need = [name for name in SHAPES if name != "h_0"]
        if wrong := [name for name in need if name not in weights]:
            raise ValueError(f"{where} lacks {', '.join(wrong)}; it needs {', '.join(need)}")
        if wrong := [str(name) for name in weights if name not in SHAPES]:
            raise ValueError(
                f"{where} has {', '.join(wrong)}, which the net does not know; "
                f"it takes {', '.join(need)} and, for a learned start, h_0"
            )
        arrays = {name: numbers(f"{where}['{name}']", weights[name]) for name in weights}
        size = {"H": len(np.atleast_1d(arrays["W_hh"])), "V": tokens}
        for name, array in arrays.items():
            want = tuple(size[letter] for letter in SHAPES[name])
            if array.shape != want:
                letters = ", ".join(SHAPES[name]) + ("," if len(want) == 1 else "")
                raise ValueError(
                    f"{where}['{name}'] must have shape ({letters}) = {want}, as W_hh has "
                    f"{size['H']} rows and the vocabulary {tokens} tokens; got {array.shape}"
                    + ("; transpose it" if array.shape == want[::-1] else "")
                )
        if not 1 <= size["H"] <= MOST_UNITS:
            raise ValueError(
                f"{where} has {size['H']} units; this view draws 1 to {MOST_UNITS}. "
                "For a larger net, colour the text by one unit: sv.view.text"
            )
        return cls(**arrays)

    def states(self, ids: list[int], learned: bool) -> np.ndarray:
        """States (T, H)."""
        h, found = self.h_0 if learned else np.zeros_like(self.b), []
        for i in ids:
            h = np.tanh(self.W_hh @ h + self.W_xh[:, i] + self.b)
            found.append(h)
        return np.array(found)

    def named(self) -> dict[str, np.ndarray]:
        """The weights that there are."""
        arrays = {name: getattr(self, name) for name in SHAPES}
        return {name: array for name, array in arrays.items() if array is not None}


@dataclass(frozen=True)
class Lexicon:
    """A checked vocabulary, and how a text becomes tokens and back; `shown` as people read them."""

    tokens: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(strings("vocabulary", self.tokens)))
        if "" in self.tokens:
            raise ValueError("vocabulary has '', which no text can hold; leave it out")
        if not 2 <= len(self.tokens) <= MOST_TOKENS:
            raise ValueError(
                f"vocabulary has {len(self.tokens)} tokens; this view draws 2 to {MOST_TOKENS}. "
                "For a larger one, colour the text and list what comes next: sv.view.text"
            )
        if len(set(self.tokens)) < len(self.tokens):
            twice = next(t for t in self.tokens if self.tokens.count(t) > 1)
            raise ValueError(f"vocabulary must not repeat a token; {twice!r} is there twice")
        if not self.letters and (wrong := [t for t in self.tokens if t.split() != [t]]):
            raise ValueError(
                f"vocabulary has tokens longer than one character, so a text is split on white "
                f"space, and {wrong[0]!r} would be lost; write it with a mark such as '_'"
            )

    @property
    def letters(self) -> bool:
        """Whether each token is one character."""
        return all(len(token) == 1 for token in self.tokens)

    def split(self, text: str | Sequence[str]) -> list[str]:
        """Tokens of a text; a ValueError names the one that is unknown."""
        if not isinstance(text, str | Sequence):
            raise TypeError(f"text must be a string or a sequence of tokens; got {text!r}")
        split = isinstance(text, str) and not self.letters
        tokens = text.split() if split else strings("text", text)
        if not 1 <= len(tokens) <= MOST_STEPS:
            raise ValueError(f"text must have 1 to {MOST_STEPS} tokens; got {len(tokens)}")
        tokens = [token if token in self.tokens else self._meant(token) for token in tokens]
        for token in tokens:
            if token not in self.tokens:
                raise ValueError(
                    f"text has {token!r}, which is not in the vocabulary: {listed(self.tokens)}"
                )
        return tokens

    def _meant(self, word: str) -> str:
        """The token that reads so, if one does."""
        return self.tokens[self.shown.index(word)] if word in self.shown else word

    @cached_property
    def shown(self) -> list[str]:
        """The tokens as people read them."""
        return distinct(self.tokens)

    def join(self, tokens: list[str]) -> str:
        """The text that `split` takes apart again."""
        return ("" if self.letters else " ").join(tokens)


def stages_of(weights: Mapping, tokens: int) -> dict[str, Net]:
    """The nets by label; weights without labels are one stage, labelled ""."""
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights must be a mapping of arrays; got {type(weights).__name__}")
    if not any(isinstance(value, Mapping) for value in weights.values()):
        return {"": Net.of(weights, tokens)}
    if len(weights) > MOST_STAGES:
        raise ValueError(f"weights has {len(weights)} stages; choose at most {MOST_STAGES}")
    for label, stage in weights.items():
        if not isinstance(label, str) or not isinstance(stage, Mapping):
            raise TypeError(
                "weights must be either arrays by name or mappings by label, a string; "
                f"got {type(stage).__name__} under {label!r}"
            )
        line("weights", label)
    nets = {label: Net.of(s, tokens, f"weights['{label}']") for label, s in weights.items()}
    if len({(net.b.size, net.h_0 is None) for net in nets.values()}) > 1:
        sizes = ", ".join(
            f"{label}: {net.b.size} units{'' if net.h_0 is None else ' and h_0'}"
            for label, net in nets.items()
        )
        raise ValueError(f"weights must be alike at all stages; got {sizes}")
    return nets


def listed(tokens: Sequence[str], most: int = 40) -> str:
    """The first tokens, and how many there are besides."""
    more = f" and {len(tokens) - most:,} more" if len(tokens) > most else ""
    return ", ".join(map(repr, tokens[:most])) + more
