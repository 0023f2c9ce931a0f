"""The one sentence over the gates, made from the numbers on screen."""

from collections import Counter
from collections.abc import Callable

import numpy as np

from seqviz.views.gates.values import ReadOut, Traces
from seqviz.views.shared.wording import readable, two

LONGEST = 20  # letters of a word
DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def quoter(tokens: list[str]) -> Callable[[int], str]:
    """Put words in quotation marks; one that comes twice has its place."""
    times = Counter(tokens)

    def quoted(t: int) -> str:
        place = str(t + 1).translate(DIGITS) if times[tokens[t]] > 1 else ""
        return f"“{readable(tokens[t], LONGEST)}”{place}"

    return quoted


def kept(layer: Traces, t: int, unit: int) -> tuple[int, float] | None:
    """The earliest position whose memory is still there by half, and how much of it is.

    The share is the product of the forget (or update) gates after that position up to `t`: what
    c_t = f_t c_{t-1} + ... leaves of an earlier c. None for an RNN, which has no such gate.
    """
    kind, order = layer.kind, layer.order
    if not kind.keeps:
        return None
    gate = layer.curves[kind.rows.index(kind.keeps)]
    k, product = order.index(t), 1.0
    while k > 0 and product * float(gate[order[k], unit]) >= 0.5:
        product *= float(gate[order[k], unit])
        k -= 1
    return order[k], product


def memory(layer: Traces, unit: int, t: int, quoted: Callable[[int], str]) -> str:
    """What the unit in focus does with its memory at a position."""
    start = f"at {quoted(t)} unit {unit + 1}"
    what = "cell" if layer.kind.memory == "c" else "state"
    value = layer.memory[t, unit]
    found = kept(layer, t, unit)
    if found is None:
        return f"{start} is {two(value)}: no gate, rewritten at every step"
    since, left = found
    if since != t:
        return f"{start} still has {two(left)} of its {what} of {quoted(since)}"
    if t == layer.order[0]:
        return f"{start} starts: its {what} is {two(value)}"
    gate = layer.curves[layer.kind.rows.index(layer.kind.keeps), t, unit]
    return f"{start} lets go: {two(gate)} of its {what} stays"


def best(answers: ReadOut, h: np.ndarray) -> list[str]:
    """The likeliest label at each position."""
    return [answers.labels[k] for k in answers.probabilities(h).argmax(axis=1)]


def right_at(said: list[str], targets: list) -> list[int]:
    """The positions that are asked and answered right."""
    return [t for t, target in enumerate(targets) if target is not None and said[t] == target]


def headline(view) -> str:
    """The sentence for a view of `gates`, as the page writes it."""
    quoted = quoter(view.tokens)
    unit, t = view.unit_of(view.model), view.step - 1
    name = f"{readable(view.model)}: " if len(view.layers) > 1 else ""
    if view.hold:
        said = f"{name}{_held(view, quoted)}: {_effect(view, unit, t, quoted)}"
    else:
        told = memory(view.layer, unit, t, quoted)
        said = f"{name}{told}" if name else told[0].upper() + told[1:]
        said += _answer(view, t)
    return f"{said}{_score(view)}"


def _answer(view, t: int) -> str:
    """What the model answers at a position, where nobody asks."""
    answers = view.answers.get(view.model)
    if answers is None or any(target is not None for target in view.targets):
        return ""
    return f", it answers “{readable(best(answers, view.layer.curves[-1])[t])}”"


def _held(view, quoted: Callable[[int], str]) -> str:
    """Which gate is held, where, at what value and from which step on."""
    where = "" if view.units == "all units" else f" of unit {view.unit_of(view.model) + 1}"
    value = two(view.value).rstrip("0").rstrip(".")
    way = "leftwards" if view.layer.reverse else "on"
    return f"{view.gate}{where} held at {value} from {quoted(view.since - 1)} {way}"


def _effect(view, unit: int, t: int, quoted: Callable[[int], str]) -> str:
    """What the hold breaks."""
    layer, after = view.layer, view.after(view.model)
    if view.model not in view.answers:
        row = layer.kind.rows.index(layer.kind.memory)
        change = f"{two(layer.curves[row, t, unit])} → {two(after[row, t, unit])}"
        return f"{layer.kind.memory} of unit {unit + 1} at {quoted(t)} {change}"
    answers = view.answers[view.model]
    was, now = (best(answers, curves[-1]) for curves in (layer.curves, after))
    if not any(target is not None for target in view.targets):
        changed = sum(a != b for a, b in zip(was, now, strict=True))
        if not changed:
            return "no answer changes"
        return f"{changed} of {_counted(len(was), 'answer')} change"
    before, right = (right_at(said, view.targets) for said in (was, now))
    if lost := _lost(view, before, right):
        return lost
    if wrong := len(set(before) - set(right)):
        return f"{_counted(wrong, 'answer')} turn{'' if wrong > 1 else 's'} wrong"
    if gained := len(set(right) - set(before)):
        return f"{_counted(gained, 'answer')} turn{'' if gained > 1 else 's'} right"
    return "no answer turns wrong"


def _lost(view, before: list[int], right: list[int]) -> str:
    """Labels that were answered right somewhere after the hold begins, and now nowhere."""
    order = view.layer.order
    late = set(order[order.index(view.since - 1) :])
    had, has = ({view.targets[t] for t in found if t in late} for found in (before, right))
    lost = [
        f"“{readable(label)}”" for label in view.answers[view.model].labels if label in had - has
    ]
    if len(lost) > 2:
        return f"{len(lost)} kinds of answers are lost"
    return f"{' and '.join(lost)} {'are' if len(lost) > 1 else 'is'} lost" if lost else ""


def _score(view) -> str:
    """How many of the asked answers are right, in every model that answers."""
    asked = sum(target is not None for target in view.targets)
    if not asked or view.model not in view.answers:
        return ""
    count = {
        label: len(right_at(best(answers, view.after(label)[-1]), view.targets))
        for label, answers in view.answers.items()
    }
    others = "".join(f", {readable(x)} {n}" for x, n in count.items() if x != view.model)
    return f", {count[view.model]} of {asked} right{others}"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n > 1)}"
