"""Text to tensors: a vocabulary, and windows cut from a long text."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

import torch
from torch import Tensor

from seqviz.arguments import as_integer, checked_integer, refuse_meta


class Vocabulary:
    """Tokens and their numbers.

    Parameters
    ----------
    tokens : sequence of str
        The different tokens, in the order of their numbers. A string means its characters.

    Attributes
    ----------
    tokens : tuple of str
        Token number i is `tokens[i]`.

    Raises
    ------
    TypeError
        If `tokens` is no sequence of strings.
    ValueError
        If there is no token, or one comes twice.

    Examples
    --------
    >>> vocabulary = Vocabulary("helo")
    >>> vocabulary.encode("hello")
    tensor([0, 1, 2, 2, 3])
    >>> vocabulary.decode([3, 0])
    ['o', 'h']
    """

    def __init__(self, tokens: Sequence[str]):
        if isinstance(tokens, bytes) or not isinstance(tokens, Sequence):
            raise TypeError(
                f"tokens must be a string or a list of strings, got {type(tokens).__name__}; "
                "the order gives the numbers, so use sorted(...) on a set"
            )
        self.tokens = tuple(tokens)
        if not self.tokens:
            raise ValueError("tokens must hold at least one token, got none")
        for token in self.tokens:
            if not isinstance(token, str):
                raise TypeError(f"tokens must be strings, got {token!r}; use str(...) on each")
        self._number = {token: number for number, token in enumerate(self.tokens)}
        if len(self._number) < len(self.tokens):
            twice = [t for i, t in enumerate(self.tokens) if self._number[t] != i]
            raise ValueError(
                "tokens must differ, but these come more than once: "
                f"{_some(dict.fromkeys(twice))}; use sorted(set(...))"
            )

    def encode(self, sequence: Iterable[str]) -> Tensor:
        """Numbers of the tokens of `sequence`.

        Parameters
        ----------
        sequence : iterable of str
            Tokens. A string means its characters.

        Returns
        -------
        torch.Tensor
            Shape (time,), int64.

        Raises
        ------
        TypeError
            If `sequence` is no line of strings.
        ValueError
            If a token is not in the vocabulary.
        """
        tokens = list(sequence) if isinstance(sequence, Iterable) else [sequence]
        unknown = {}  # token: position where it first stands
        for place, token in enumerate(tokens):
            if not isinstance(token, str):
                raise TypeError(f"sequence must be a string or a list of strings, got {token!r}")
            if token not in self:
                unknown.setdefault(token, place)
        if unknown:
            first = [
                f"{token!r} at position {place}{self._near(token)}"
                for token, place in list(unknown.items())[:5]
            ]
            more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
            fix = "leave them out, or make a vocabulary that holds them"
            if isinstance(sequence, str) and max(map(len, self.tokens)) > 1:
                fix = "a string means its characters, so split it into words"
            raise ValueError(
                f"sequence has tokens that are not in the vocabulary: {', '.join(first)}{more}; "
                f"the vocabulary has {len(self)} tokens: {_some(self.tokens)}. "
                f"Fix: {fix}"
            )
        return torch.tensor([self._number[token] for token in tokens], dtype=torch.long)

    def _near(self, token: str) -> str:
        """Words that are written much like one that is unknown."""
        near = get_close_matches(token, self.tokens, n=3) if len(token) > 1 else []
        return f" (near it: {', '.join(map(repr, near))})" if near else ""

    def decode(self, ids: Tensor | Sequence[int]) -> list[str]:
        """Tokens of the numbers `ids`.

        Parameters
        ----------
        ids : torch.Tensor or sequence of int
            Shape (time,), each from 0 to len - 1.

        Returns
        -------
        list of str

        Raises
        ------
        TypeError
            If `ids` is no line of integers.
        ValueError
            If a number is no token's.
        """
        if isinstance(ids, Tensor):
            refuse_meta("ids", ids)
            ids = ids.tolist()
        numbers = [as_integer(n) for n in ids] if isinstance(ids, Iterable) else [None]
        if None in numbers:
            raise TypeError(f"ids must be a line of integers, shape (time,), got {ids!r}")
        outside = next((n for n in numbers if not 0 <= n < len(self)), None)
        if outside is not None:
            raise ValueError(f"ids must lie between 0 and {len(self) - 1}, got {outside}")
        return [self.tokens[n] for n in numbers]

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._number

    def __repr__(self) -> str:
        return f"Vocabulary of {len(self)}: {_some(self.tokens)}"


class Windows:
    """Batches of windows of a text, re-iterable; made by `windows`."""

    def __init__(self, ids: Tensor, length: int, batch_size: int):
        self.ids, self.length, self.batch_size = ids, length, batch_size
        self.starts = torch.arange(0, len(ids) - length, length)

    def __len__(self) -> int:
        return -(-len(self.starts) // self.batch_size)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        order = self.starts[torch.randperm(len(self.starts))]
        time = torch.arange(self.length).unsqueeze(1)
        for start in order.split(self.batch_size):
            place = start + time  # (length, batch)
            yield self.ids[place], self.ids[place + 1]


def windows(ids: Tensor, length: int, batch_size: int) -> Windows:
    """Cut a text into windows, side by side, and shuffle them into batches.

    Each iteration is one pass over the text in a new order, drawn from torch's global
    generator. The last batch of a pass may be smaller. What is left at the end of the text,
    shorter than a window, is not used.

    Parameters
    ----------
    ids : torch.Tensor
        The text as numbers, shape (time,), int64.
    length : int
        Time steps of a window.
    batch_size : int
        Windows in a batch.

    Returns
    -------
    Windows
        Gives pairs (x, y), each (length, batch), int64. y is x one step later:
        y_t = x_{t+1}, the next token to be predicted (deck 002, language models).

    Raises
    ------
    TypeError
        If `ids` is no int64 tensor, or a size is no integer.
    ValueError
        If `ids` has not one dimension or is too short for one window, or a size is not positive.
    """
    length = checked_integer("length", length, 1)
    batch_size = checked_integer("batch_size", batch_size, 1)
    if not isinstance(ids, Tensor) or ids.dtype != torch.long:
        kind = ids.dtype if isinstance(ids, Tensor) else type(ids).__name__
        raise TypeError(f"ids must be an int64 tensor, got {kind}; use vocabulary.encode(text)")
    refuse_meta("ids", ids)
    if ids.ndim != 1:
        raise ValueError(f"ids must have the shape (time,), got {tuple(ids.shape)}")
    if len(ids) < 2:
        raise ValueError(
            f"ids must hold at least 2 tokens, one to read and one to predict, got {len(ids)}"
        )
    if len(ids) <= length:
        raise ValueError(
            f"ids must hold more than length = {length} tokens, since y is one step ahead of x, "
            f"got {len(ids)}; take a length of at most {len(ids) - 1} or a longer text"
        )
    return Windows(ids, length, batch_size)


def _some(tokens: Iterable[str], most: int = 12) -> str:
    """The first tokens, quoted."""
    tokens = list(tokens)
    return " ".join(map(repr, tokens[:most])) + (" ..." if len(tokens) > most else "")
