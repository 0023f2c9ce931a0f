"""The controls of the explorer: where they may stand, and which ones go together."""

import math
from collections.abc import Iterable, Mapping

import traitlets

from seqviz.pieces import alone
from seqviz.telling import shown
from seqviz.views.attention.checkpoints import ALONE
from seqviz.views.attention.scores import score_names
from seqviz.views.attention.values import Attention
from seqviz.views.attention.words import ALL, Tokens
from seqviz.views.shared.checking import real, whole, within
from seqviz.views.shared.traits import Choice, Number, Place, Whole, checks, control
from seqviz.views.shared.widget import View

CALLED = {  # what the page says of a control, or another library calls it
    "cells": "cell values value_weighted",
    "scale": "colour color colours colors colour_scale color_scale cmap colormap norm",
    "sort": "order order_by sort_by rank rank_by",
    "rollup": "roll_up aggregate",
    "threshold": "hide_lines_below lines min_weight cutoff",
    "specials": "special_tokens hide_special hide_special_tokens",
    "between": "texts",
    "words": "pieces_as_words merge pieces",
    "step": "decoder_step",
    "least": "at_least at_most",
    "second": "compare compare_with compared_with other",
    "beside": "beside_the_map tab",
    "show": "map",
    "silent": "silence silenced mute ablate",
    "kind": "attention",
}
MEANT = {other: name for name, others in CALLED.items() for other in others.split()}


def in_focus(numbers: Iterable[int], layer: int | str, head: int | str) -> list[str]:
    """The part with the map of one head at each checkpoint, by the numbers of its kind there.

    A page makes other maps from what it has.
    """
    one = isinstance(layer, int) and isinstance(head, int)
    return [f"{g} {layer} {head}" for g in numbers] if one else []


def agreed(layer: int | str, head: int | str, final: int, last: str) -> tuple:
    """Layer and head that go together: of two different words, the one set last counts.

    `final` is the number of the last layer. Beside a list of heads stands "mean" or "max".
    """
    if isinstance(head, list):
        if isinstance(layer, str):
            return layer, head
        return ("mean", head) if last == "head" else (layer, head[0][1])
    if isinstance(layer, int) or isinstance(head, int) or layer == head:
        return layer, head
    if last == "layer":
        return layer, layer
    return (final if head == "rollout" else head), head


def sorts(kind: Attention, costs: bool = False) -> list[str]:
    """What heads can be sorted by; by `costs` of silencing where a model can be run."""
    return ["place", *score_names(kind), "cell", *["cost"] * costs]


def checked(name: str, value, kinds: Mapping[str, Attention], kind: str, costs: bool):
    """Check a control against the kind in focus."""
    if name == "kind":
        return one_of(name, value, list(kinds))
    here = kinds[kind]
    if name == "sort":
        return one_of(name, value, sorts(here, costs))
    if name == "between":
        known = dict.fromkeys(one for kind in kinds.values() for one in kind.pairings)
        return one_of(name, value, [ALL, *known])
    if name == "head" and isinstance(value, list):
        return heads_of(value, here)
    if name in ("query", "key") and isinstance(value, str):
        return spot_of(name, value, here.keys if name == "key" else here.queries)
    if name in ("query", "key", "step"):
        return within(name, value, 0, here.shape[name == "key"])
    if name == "threshold":
        if not 0 <= real(name, value) <= 1:
            raise ValueError(f"threshold: expected 0 to 1, came {value}")
        return value
    if name == "least":
        if not math.isfinite(real(name, value)):
            raise ValueError(f"least: expected a finite number, came {value}")
        return value
    return place_of(name, value, here)


def one_of(name: str, value: str, known: list[str]) -> str:
    """Return a value that is known."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name}: expected one of {', '.join(known)}; came {shown(value)}")
    return value


def label_of(value: int | str, known: list[int | str]) -> int | str:
    """Return the label of a checkpoint that is known."""
    if isinstance(value, int | str) and value in known:
        return value
    if known == [""]:
        raise ValueError(f"checkpoint: came {value!r}, but this view has no checkpoints")
    expected = ", ".join(map(repr, known))
    raise ValueError(f"checkpoint: expected one of {expected}; came {value!r}")


def spot_of(name: str, text: str, side: Tokens) -> int:
    """Return the place, from 1, of the only token, or else the only word, with this text."""
    (decoded,) = alone([text]).tokens
    starts = [k for k, token in enumerate(side.tokens, 1) if token in (text, decoded)]
    if not starts and side.words:
        firsts = [side.words.index(k) + 1 for k, word in enumerate(side.texts) if word == text]
        starts = firsts
    if len(starts) == 1:
        return starts[0]
    if starts:
        places = ", ".join(map(str, starts))
        raise ValueError(f"{name}: {text!r} stands at tokens {places}: give one of these numbers")
    raise ValueError(f"{name}: no token is {text!r}; there are {', '.join(side.tokens[:20])}")


class Heads(Place):
    """A head, a word for several, or a list of (layer, head)."""

    def validate(self, owner, value) -> int | str | list:
        """Check the kind of value; the view checks which."""
        return value if isinstance(value, list) else super().validate(owner, value)


def heads_of(given: list, kind: Attention) -> list[list[int]]:
    """Check heads [layer, head], at least two, and return each once, in the model's order."""
    heads = set()
    for k, one in enumerate(given):
        if not isinstance(one, (list, tuple)) or len(one) != 2:
            raise ValueError(
                f"head: expected a number, a word or a list of (layer, head) such as (3, 1), "
                f"came {given!r}"
            )
        layer, head = (
            whole(f"head[{k}]: {name}", value)
            for name, value in zip(("layer", "head"), one, strict=True)
        )
        heads.add((place_of("layer", layer, kind), place_of("head", head, kind)))
    if len(heads) < 2:
        raise ValueError(f"head: expected at least two heads in a list, came {given!r}")
    return [list(one) for one in sorted(heads)]


def chosen_in(layer: str, heads: list, kind: Attention) -> tuple:
    """Layer and head: the chosen heads that a kind has; of fewer than two the nearest to one."""
    there = [one for one in heads if one[0] in kind.numbers and one[1] < kind.heads]
    if len(there) > 1:
        return layer, there
    [layer, head] = (there or heads)[0]
    return nearest(layer, kind), min(head, kind.heads - 1)


def nearest(layer: int, kind: Attention) -> int:
    """Return the layer that a kind has whose number is nearest."""
    return min(kind.numbers, key=lambda number: abs(number - layer))


def place_of(name: str, value: int | str, kind: Attention) -> int | str:
    """Check a layer or a head: its number, from the end if below 0, or the name of a roll-up."""
    numbers = kind.numbers if name == "layer" else tuple(range(kind.heads))
    known = ["mean", "max", "rollout"] if name == "head" else ["mean", "max"]
    if isinstance(value, str) and value == "rollout" and name == "head" and not kind.same:
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


class Controlled(View):
    """The part of the explorer that a person sets."""

    checkpoint = control(Place(ALONE))
    kind = control(traitlets.Unicode())
    layer = control(Place(0))
    head = control(Heads(0))
    query = control(Place(0))
    key = control(Place(0))
    step = control(Whole(0))
    side = control(Choice(["query", "key"], "query"))
    threshold = control(Number(0.02))
    scale = control(Choice(["linear", "log", "row"], "linear"))
    specials = control(Choice(["shown", "hidden", "renormalised"], "shown"))
    between = control(traitlets.Unicode(ALL))
    words = control(traitlets.Bool(False))
    rollup = control(Choice(["mean", "max", "rollout"], "mean"))
    sort = control(traitlets.Unicode("place"))
    least = control(Number(0.0))
    beside = control(Choice(["", "heads", "lines", "texts"], ""))

    checkpoints: dict[int | str, dict[str, Attention]]
    _has_model = False  # whether each head can be silenced, and what it writes be told

    @property
    def kinds(self) -> dict[str, Attention]:
        """The kinds by their names, at the checkpoint in focus."""
        return self.checkpoints[self.checkpoint]

    @property
    def here(self) -> Attention:
        """The kind in focus."""
        return self.kinds[self.kind]

    @checks(
        "checkpoint",
        "kind",
        "layer",
        "head",
        "query",
        "key",
        "step",
        "threshold",
        "between",
        "sort",
        "least",
    )
    def _checked(self, name: str, value):
        if name == "checkpoint":
            return label_of(value, list(self.checkpoints))
        return checked(name, value, self.kinds, self.kind, self._has_model)

    @traitlets.observe("kind")
    def _stay_inside(self, _=None) -> None:
        here = self.here
        if isinstance(self.head, list):
            self.layer, self.head = chosen_in(self.layer, self.head, here)
        if isinstance(self.layer, int):
            self.layer = nearest(self.layer, here)
        if isinstance(self.head, int):
            self.head = min(self.head, here.heads - 1)
        elif self.head == "rollout" and not here.same:
            self.head = "mean"
        if self.query > len(here.queries):
            self.query = 0
        if self.key > len(here.keys):
            self.key = 0
        self.step = 0
        if self.sort not in sorts(here):
            self.sort = "place"

    def _look_anew(self) -> None:
        """Another text: no token is in focus."""
        if self.kind not in self.kinds:
            self.kind = next(iter(self.kinds))
        self.query = self.key = self.step = 0
        self._stay_inside()

    @traitlets.observe("layer", "head")
    def _agree(self, change) -> None:
        layer, head = agreed(self.layer, self.head, self.here.numbers[-1], change.name)
        if layer != self.layer:
            self.layer = layer
        if head != self.head:
            self.head = head
