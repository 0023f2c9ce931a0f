"""Where the controls of the explorer may stand, and which ones go together."""

import math
from collections.abc import Iterable, Mapping

from seqviz.view.attention_explorer.scores import score_names
from seqviz.view.attention_explorer.values import Attention
from seqviz.view.attention_explorer.words import Tokens
from seqviz.view.shared.checking import whole, within


def in_focus(numbers: Iterable[int], layer: int | str, head: int | str) -> list[str]:
    """The part with the map of one head at each checkpoint, by the numbers of its kind there.

    A page makes other maps from what it has.
    """
    one = isinstance(layer, int) and isinstance(head, int)
    return [f"{g} {layer} {head}" for g in numbers] if one else []


def agreed(layer: int | str, head: int | str, final: int, last: str) -> tuple:
    """Layer and head that go together: of two different words, the one set last counts.

    `final` is the number of the last layer.
    """
    if isinstance(layer, int) or isinstance(head, int) or layer == head:
        return layer, head
    if last == "layer":
        return layer, layer
    return (final if head == "rollout" else head), head


def sorts(kind: Attention) -> list[str]:
    """What heads can be sorted by."""
    return ["place", *score_names(kind), "cell"]


def checked(name: str, value, kinds: Mapping[str, Attention], kind: str):
    """Check a control against the kind in focus."""
    if name == "kind":
        return one_of(name, value, list(kinds))
    here = kinds[kind]
    if name == "sort":
        return one_of(name, value, sorts(here))
    if name in ("query", "key") and isinstance(value, str):
        return spot_of(name, value, here.keys if name == "key" else here.queries)
    if name in ("query", "key", "step"):
        return within(name, value, 0, here.shape[name == "key"])
    if name == "threshold":
        if not 0 <= value <= 1:
            raise ValueError(f"threshold: expected 0 to 1, came {value}")
        return value
    if name == "least":
        if not math.isfinite(value):
            raise ValueError(f"least: expected a finite number, came {value}")
        return value
    return place_of(name, value, here)


def one_of(name: str, value: str, known: list[str]) -> str:
    """Return a value that is known."""
    if value not in known:
        raise ValueError(f"{name}: expected one of {', '.join(known)}; came {value!r}")
    return value


def label_of(value: int | str, known: list[int | str]) -> int | str:
    """Return the label of a checkpoint that is known."""
    if value in known:
        return value
    if known == [""]:
        raise ValueError(f"checkpoint: came {value!r}, but this view has no checkpoints")
    expected = ", ".join(map(repr, known))
    raise ValueError(f"checkpoint: expected one of {expected}; came {value!r}")


def spot_of(name: str, text: str, side: Tokens) -> int:
    """Return the place, from 1, of the only token, or else the only word, with this text."""
    starts = [k for k, token in enumerate(side.tokens, 1) if token == text]
    if not starts and side.words:
        firsts = [side.words.index(k) + 1 for k, word in enumerate(side.texts) if word == text]
        starts = firsts
    if len(starts) == 1:
        return starts[0]
    if starts:
        places = ", ".join(map(str, starts))
        raise ValueError(f"{name}: {text!r} stands at tokens {places}: give one of these numbers")
    raise ValueError(f"{name}: no token is {text!r}; there are {', '.join(side.tokens[:20])}")


def place_of(name: str, value: int | str, kind: Attention) -> int | str:
    """Check a layer or a head: its number, from the end if below 0, or the name of a roll-up."""
    numbers = kind.numbers if name == "layer" else tuple(range(kind.heads))
    known = ["mean", "max", "rollout"] if name == "head" else ["mean", "max"]
    if value == "rollout" and name == "head" and not kind.same:
        raise ValueError(
            "head: no rollout of cross-attention, which mixes two texts: choose 'mean'"
        )
    if isinstance(value, str) and value in known:
        return value
    there, why = _there(numbers)
    there = f"{there}, or {' or '.join(map(repr, known))}"
    number = whole(name, value, there)
    if -len(numbers) <= number < 0:
        return numbers[number]
    if number not in numbers:
        raise ValueError(f"{name}: expected {there}, came {value}: {why}")
    return number


def _there(numbers: tuple[int, ...]) -> tuple[str, str]:
    """Which numbers there are, and why."""
    size = len(numbers)
    if numbers == tuple(range(size)):
        return f"a number from 0 to {size - 1}", f"there are {size}, counted from 0"
    return ", ".join(map(str, numbers)), "these are the model's own numbers"
