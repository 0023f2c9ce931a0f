"""Variants of a check: the same questions in another order, with other sizes and numbers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations, islice
from random import Random
from typing import Any

import torch
from torch import Tensor

from seqviz.checks.comparing import same

TRIES = 50  # draws of a case, of which one must tell as much as the usual one
MORE = 2  # how much longer an axis may get


class Draw:
    """What a variant makes of inputs; variant 0 leaves them as they are.

    Parameters
    ----------
    variant : int
        A student's number.
    attempt : int
        Another one gives another draw.
    """

    def __init__(self, variant: int = 0, attempt: int = 0):
        self.variant, self._made = variant, Random(f"{variant}/{attempt}")

    def of(self, given: Mapping[str, Any], shaken: Sequence[str] = (), **axes: str) -> dict:
        """Inputs whose rows are in another order, some of them twice.

        Parameters
        ----------
        given : mapping of str to any
            Tensors, lists of sets of links (row, column), numbers.
        shaken : sequence of str
            Those that are multiplied by a number from 0.75 to 1 as well.
        **axes : str
            A letter for each axis, aligned at the last one. Axes of one letter go together. One
            with a capital letter keeps its size, one with a dot its order too.

        Returns
        -------
        dict
            All that was given, in its order.
        """
        if not self.variant:
            return dict(given)
        sizes: dict[str, int] = {}
        for name, letters in axes.items():
            for letter, size in zip(letters[::-1], _shape(given[name])[::-1], strict=False):
                sizes[letter] = max(size, sizes.get(letter, 1))
        places = {letter: self._places(n, letter.islower()) for letter, n in sizes.items()}
        places["."] = slice(None)
        rows, columns = (self._made.sample(range(20), 20) for _ in range(2))
        found = dict(given)
        for name, letters in axes.items():
            if isinstance(found[name], Tensor):
                found[name] = _reordered(found[name], letters, places)
            else:
                links = [{(rows[t], columns[i]) for t, i in one} for one in found[name]]
                found[name] = [links[k] for k in places[letters]]
        return found | {name: self._shaken(found[name]) for name in shaken}

    def _places(self, size: int, grows: bool) -> list[int]:
        """All places of an axis in a new order, some of them twice."""
        more = self._made.randint(0, MORE) if grows and size > 1 else 0
        places = [*range(size), *(self._made.randrange(size) for _ in range(more))]
        return self._made.sample(places, len(places))

    def _shaken(self, x):
        """Smaller numbers with the same order, ties and zeros; whole ones stay whole."""
        near = x * (self._made.randrange(48, 64) / 64)
        whole = isinstance(x, Tensor) and torch.equal(x, x.round())
        return near.round() if whole else near


def _shape(x) -> Sequence[int]:
    return x.shape if isinstance(x, Tensor) else (len(x),)


def _reordered(x: Tensor, letters: str, places: Mapping) -> Tensor:
    for dim, letter in zip(range(x.dim())[::-1], letters[::-1], strict=False):
        if x.shape[dim] > 1:  # else it broadcasts
            x = x[(slice(None),) * dim + (places[letter],)]
    return x.contiguous()


def varied(cases: Sequence[Mapping], variant: int, shaken: Sequence[str] = (), **axes: str) -> list:
    """The inputs of a test for a student's variant; axes as in `Draw.of`."""
    return [Draw(variant, k).of(case, shaken, **axes) for k, case in enumerate(cases)]


def drawn(cases: Callable[[Draw], Iterable], variant: int) -> Iterator:
    """The cases of a variant; each tells apart whatever the usual one does.

    Raises
    ------
    TypeError, ValueError
        If the variant is no whole number from 0, or the check has none.
    """
    if type(variant) is not int or variant < 0:
        wrong = ValueError if type(variant) is int else TypeError
        raise wrong(f"variant must be a whole number from 0, got {variant!r}: hand in VARIANT")
    if not cases.__code__.co_argcount:
        raise ValueError(f"{cases.__name__} has no variants, got {variant}: leave the number out")
    if not variant:
        yield from cases(Draw())
        return
    for k, draw in enumerate(fitting(cases, variant)):
        yield next(islice(cases(draw()), k, None))  # done with before its generator goes on


@lru_cache(maxsize=100)
def fitting(cases: Callable[[Draw], Iterable], variant: int) -> list[Callable[[], Draw]]:
    """What makes the draw of each case; the usual one where none of many tells as much."""
    usual = [told_apart(case) for case in cases(Draw())]
    found: dict[int, Callable] = {}
    for attempt in range(TRIES):
        draw = partial(Draw, variant, attempt)
        for k, case in enumerate(cases(draw())):
            if k not in found and told_apart(case) >= usual[k]:
                found[k] = draw
        if len(found) == len(usual):
            break
    return [found.get(k, Draw) for k in range(len(usual))]


def told_apart(case) -> set[frozenset]:
    """The pairs of slips, and of slips and right answers, that a case tells apart."""
    whole = not isinstance(case.right, Mapping)
    right = {"": case.right} if whole else case.right
    slips = {text: {"": x} for text, x in case.slips.items()} if whole else case.by_parts()
    answers = {"right": right} | slips
    return {
        frozenset((one, other, part))
        for one, other in combinations(answers, 2)
        for part in answers[one].keys() & answers[other].keys()
        if not _same(answers[one][part], answers[other][part])
    }


def _same(one: Any, other: Any) -> bool:
    if isinstance(other, Tensor | float | int):
        return same(one, torch.as_tensor(other))
    return one == other
