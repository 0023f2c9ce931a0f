"""What takes the place of a state: a vector, the mean over the batch, a state of another run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from seqviz.arguments import checked_integer
from seqviz.recording import NamedArray, Record
from seqviz.telling import count, shown

WANTED = "value must be a vector, several in a tensor, or 'mean'"


@dataclass(frozen=True)
class Place:
    """Where something is replaced.

    Attributes
    ----------
    kind : str
        "states" or "contexts", as a record calls them.
    path : str
        Of the list of blocks, or of the module that attends.
    names : dict
        Axis of the record to its place there, as ``{"layer": "0"}``.
    tokens : list of int
    """

    kind: str
    path: str
    names: dict[str, int | str]
    tokens: list[int]


Source = Callable[[Tensor, Place], Tensor]  # of rows (batch, token, unit): what takes their place


@dataclass(frozen=True)
class Vectors:
    """The user's own numbers: (unit,), (token, unit) or (batch, token, unit)."""

    values: Tensor

    def __call__(self, rows: Tensor, at: Place) -> Tensor:
        """Return them for each row."""
        values = self.values.to(rows)
        if values.dim() > 3 or values.shape[-1:] != rows.shape[-1:]:
            raise ValueError(
                f"value must end in the {rows.shape[-1]} numbers that a state has in {at.path!r}, "
                f"got shape {tuple(values.shape)}"
            )
        try:
            return values.expand_as(rows)
        except RuntimeError:
            raise ValueError(
                "value must be one vector, one for each of "
                f"{count(rows.shape[1], 'token')}, or (batch, token, unit), {tuple(rows.shape)}; "
                f"got shape {tuple(values.shape)}"
            ) from None


@dataclass(frozen=True)
class MeanOfBatch:
    """The mean over the batch, at each token."""

    def __call__(self, rows: Tensor, at: Place) -> Tensor:
        """Return the mean for each row."""
        if len(rows) == 1:
            raise ValueError(
                "value='mean' needs a batch of several: the mean of one is the state itself"
            )
        return rows.mean(0, keepdim=True).expand_as(rows)


@dataclass(frozen=True)
class OfRun:
    """What another run had at the same place, or at other tokens."""

    run: Record | NamedArray
    tokens: list[int] | None

    def __call__(self, rows: Tensor, at: Place) -> Tensor:
        """Return the other run's rows."""
        array = self._array(at)
        try:
            for dim, place in at.names.items():
                array = array.at(**{dim: place})
        except ValueError as error:
            raise ValueError(f"from_: {error}") from None
        time = "time" if at.kind == "states" else "query"
        if array.dims != ("batch", time, "unit"):
            raise ValueError(
                f"from_ must have the axes {', '.join((*at.names, 'batch', time, 'unit'))}, as "
                f"sv.record(model, keep={at.kind!r}) gives them; got {self._array(at)!r}"
            )
        texts, length, width = array.shape
        if width != rows.shape[-1]:
            raise ValueError(
                f"from_ has states of {width} numbers, expected {rows.shape[-1]}, as in "
                f"{at.path!r}: record the same model"
            )
        if texts != len(rows):
            raise ValueError(
                f"from_ is a run of {count(texts, 'text')}, and the model runs on {len(rows)}: "
                "record as many, or hand in one state for all as value="
            )
        tokens = at.tokens if self.tokens is None else self.tokens
        name = "token" if self.tokens is None else "from_token"
        tokens = within(name, tokens, length, "the run of from_ has")
        if len(tokens) != rows.shape[1]:
            raise ValueError(
                f"from_token must name as many as token, {rows.shape[1]}; got {len(tokens)}"
            )
        return torch.as_tensor(array.values[:, tokens]).to(rows)

    def _array(self, at: Place) -> NamedArray:
        if isinstance(self.run, NamedArray):
            return self.run
        if at.kind not in self.run.kinds:
            raise ValueError(
                f"from_ keeps {', '.join(self.run.kinds)}: record the other run with "
                f"keep={at.kind!r}"
            )
        calls = getattr(self.run, at.kind).get(at.path, [])
        if len(calls) != 1:
            paths = [*getattr(self.run, at.kind)]
            known = ", ".join(map(repr, paths)) or "nothing"
            path = at.path if calls or not paths else paths[0]
            raise ValueError(
                f"from_ has {count(len(calls), 'run')} of {at.path!r}, expected one (it has "
                f"{known}): choose one, as from_=rec.{at.kind}[{path!r}][0]"
            )
        return calls[0]


def source_of(value: object, run: object, tokens: list[int] | None) -> Source:
    """Return what `value` or `from_` stands for."""
    if (value is None) == (run is None):
        both = "both" if run is not None else "neither"
        raise TypeError(f"value, from_: expected one of them, got {both}")
    if run is not None:
        if not isinstance(run, Record | NamedArray):
            raise TypeError(
                "from_ must be what sv.record(model, keep='states') gave of another run, got "
                f"{shown(type(run).__name__)}"
            )
        return OfRun(run, tokens)
    if tokens is not None:
        raise TypeError("from_token goes with from_=: leave it out beside value=")
    if isinstance(value, str):
        if value != "mean":
            raise ValueError(f"{WANTED}, got {shown(value)}")
        return MeanOfBatch()
    return Vectors(_vectors(value))


def _vectors(value: object) -> Tensor:
    try:
        values = value if isinstance(value, Tensor) else torch.as_tensor(np.asarray(value))
    except (TypeError, ValueError, RuntimeError):
        values = torch.empty(())
    if not values.dim() or values.is_complex():
        raise TypeError(f"{WANTED}, got {shown(value)}")
    return values


def checked_tokens(name: str, token: object) -> list[int]:
    """Return the numbers of one token or several."""
    several = isinstance(token, Sequence | range | np.ndarray | Tensor) and not isinstance(
        token, str
    )
    tokens = list(token) if several and getattr(token, "ndim", 1) else [token]
    if not tokens:
        raise ValueError(f"{name} must be a token's number or several, got none")
    return [checked_integer(name, one) for one in tokens]


def within(name: str, tokens: list[int], length: int, whose: str) -> list[int]:
    """Return the places of tokens, from 0; those below 0 count from the end."""
    for one in tokens:
        if not -length <= one < length:
            last = f"from 0 to {length - 1}" if length > 1 else "0"
            raise ValueError(f"{name} must be {last}: {whose} {count(length, 'token')}; got {one}")
    return [one % length for one in tokens]


def once(name: str, tokens: list[int], length: int, whose: str) -> list[int]:
    """Return the places of tokens, of which none is named twice."""
    found = within(name, tokens, length, whose)
    twice = next((one for one in found if found.count(one) > 1), None)
    if twice is not None:
        raise ValueError(f"{name} must name each token once, got {twice} several times")
    return found
