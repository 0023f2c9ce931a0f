"""Gold links of a kind of attention: which query belongs to which key."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from seqviz.views.attention.values import Attention
from seqviz.views.shared.checking import whole, whole_of


def links(name: str, given, kind: Attention) -> frozenset[tuple[int, int]]:
    """Check gold links, pairs (query, key) from 0."""
    found = set()
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{name}: expected a set of (query, key) pairs, came {given!r}")
    for link in given:
        pair = tuple(link) if isinstance(link, (tuple, list)) else ()
        if len(pair) != 2:
            raise TypeError(f"{name}: expected pairs (query, key) of whole numbers, came {link!r}")
        query, key = (whole(name, place, "pairs (query, key) of whole numbers") for place in pair)
        if not (0 <= query < kind.shape[0] and 0 <= key < kind.shape[1]):
            raise ValueError(
                f"{name}: {(query, key)} lies outside {kind.shape[0]} queries and {kind.shape[1]} "
                "keys: links are (query, key), counted from 0, special tokens among them"
            )
        found.add((query, key))
    return frozenset(found)


def _once(name: str, given):
    """Links that can be read for each kind: an iterator can be for one only, its list for all."""
    if hasattr(given, "__array__"):
        return _rows(name, given)
    return list(given) if isinstance(given, Iterator) else () if given is None else given


def _rows(name: str, given) -> list[list[int]]:
    """The links of an array (pairs, 2)."""
    array = np.asarray(whole_of(name, given))
    fix = "its rows are links; of a map of yes and no, take np.argwhere or torch.argwhere"
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected whole numbers (pairs, 2), came {array.dtype}: {fix}")
    if array.size and array.shape[1:] != (2,):
        raise ValueError(f"{name}: expected an array (pairs, 2), came shape {array.shape}: {fix}")
    return array.tolist()


def with_gold(kinds: list[Attention], sure, possible) -> list[Attention]:
    """Give the gold links to the cross-attention, or to the only kind."""
    if sure is None and possible is None:
        return kinds
    sure, possible = _once("sure", sure), _once("possible", possible)
    at = [k for k, kind in enumerate(kinds) if not kind.same] or [0]
    if kinds[at[0]].same and len(kinds) > 1:
        raise ValueError("sure, possible: links are of cross-attention, and there is none")
    for k in at:
        certain = links("sure", sure, kinds[k])
        gold = certain, certain | links("possible", possible, kinds[k])
        kinds[k] = replace(kinds[k], gold=gold)
    return kinds
