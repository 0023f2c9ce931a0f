"""Which stack of layers a module stands in, told from the paths of all that were recorded."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

NUMBER = re.compile("[0-9]+")
OF_HEADS = re.compile(r"(^|\.)heads?\.$")


@dataclass(frozen=True)
class Place:
    """Where a module stands.

    Attributes
    ----------
    family : str
        The path, ``*`` in place of the layer's number and of the head's.
    layer : int or None
        The layer as the model numbers it; None for a path without a number.
    head : int or None
        The head, in a model with a module for each head.
    """

    family: str
    layer: int | None
    head: int | None


def places(paths: Iterable[str]) -> dict[str, Place]:
    """Find the place of each module.

    The layer's number is the innermost that varies while the rest of the path stays: "3" of
    "block.3.layer.1.attention" if there is a "block.4.layer.1.attention" too. If none varies, it is
    the first. A number that varies right behind "heads" or "head" is the head's, and the layer's is
    the next one outwards. Other numbers stay in the family's name.

    A component that is a number ("layers.3") counts before one in a name ("layer3"), and one in the
    module's own name ("layers.3.attn1") only where there is no other.

    Examples
    --------
    >>> places(["layers.1.self_attn", "layers.3.self_attn"])["layers.3.self_attn"]
    Place(family='layers.*.self_attn', layer=3, head=None)
    """
    paths = list(dict.fromkeys(paths))
    alike: dict[str, list[str]] = {}
    for path in paths:
        alike.setdefault(NUMBER.sub("*", path), []).append(path)
    found = {path: place for group in alike.values() for path, place in _placed(group)}
    return {path: found[path] for path in paths}


def _placed(paths: list[str]) -> list[tuple[str, Place]]:
    """Places of paths that differ in their numbers only."""
    layer, head = _of_layer_and_head(paths)
    return [(path, _place(path, layer, head)) for path in paths]


def _place(path: str, layer: int | None, head: int | None) -> Place:
    """The place of a path; of its numbers, counted from 0, one is the layer's, one the head's."""
    numbers = list(NUMBER.finditer(path))
    family = list(path)
    for k in (layer, head):
        if k is not None:
            start, end = numbers[k].span()
            family[start:end] = ["*", *[""] * (end - start - 1)]
    values = [None if k is None else int(numbers[k].group()) for k in (layer, head)]
    return Place("".join(family), *values)


def _of_layer_and_head(paths: list[str]) -> tuple[int | None, int | None]:
    """Which number of these paths is the layer's, and which one the head's."""
    numbers = list(NUMBER.finditer(paths[0]))
    ranks = [_rank(number) for number in numbers]
    usable = [k for k, rank in enumerate(ranks) if rank < 2] or list(range(len(numbers)))
    values = [NUMBER.findall(path) for path in paths]
    varying = [k for k in usable if len({(*v[:k], *v[k + 1 :]) for v in values}) < len(paths)]
    inwards = sorted(usable, key=lambda k: (ranks[k], k))
    outwards = sorted(varying, key=lambda k: (ranks[k], -k))
    head = None
    if outwards and OF_HEADS.search(paths[0][: numbers[outwards[0]].start()]):
        head = outwards.pop(0)
    layer = next((k for k in [*outwards, *inwards] if k != head), None)
    return layer, head


def _rank(number: re.Match) -> int:
    """0 for a component that is a number, 1 for one in a name, 2 in the name at the end."""
    before, behind = number.string[: number.start()], number.string[number.end() :]
    if before[-1:] in ("", ".") and behind[:1] in ("", "."):
        return 0
    return 1 if "." in behind else 2
