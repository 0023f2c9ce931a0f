"""The one sentence over the gate traces, made from the numbers on screen."""

from seqviz.view.gate_traces.values import ReadOut, Traces
from seqviz.view.shared.wording import readable, share, two


def chance(p: float) -> str:
    """A probability, never a round 0 or 1 for one that is not."""
    text = share(p)
    return f"p {text[0]} {text[1:]}" if text[0] in "<>" else f"p = {text}"


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


def memory(layer: Traces, label: str, unit: int, t: int, token) -> str:
    """What the unit in focus does with its memory at a position."""
    who = f"{label} unit {unit + 1}" if label else f"Unit {unit + 1}"
    what = "cell" if layer.kind.memory == "c" else "state"
    value = layer.memory[t, unit]
    found = kept(layer, t, unit)
    if found is None:
        return f"{who} is {two(value)} at {token(t)}: no gate, rewritten at every step"
    since, left = found
    if since != t:
        since = f"step {since + 1} ({token(since)})"
        return f"{who} keeps at least half of its {what} of {since}: {two(left)} at {token(t)}"
    if t == layer.order[0]:
        return f"{who} starts at {token(t)}: its {what} is {two(value)}"
    gate = layer.curves[layer.kind.rows.index(layer.kind.keeps), t, unit]
    return f"{who} lets go at {token(t)}: {two(gate)} of its {what} stays"


def score(answers: ReadOut, h, targets: list) -> tuple[int, int]:
    """How many of the asked answers are right, and how many are asked."""
    best = answers.probabilities(h).argmax(axis=1)
    asked = [(answers.labels[k], x) for k, x in zip(best, targets, strict=True) if x is not None]
    return sum(said == wanted for said, wanted in asked), len(asked)


def answer(answers: ReadOut, h, t: int) -> tuple[str, str]:
    """The likeliest label at a position, and its probability."""
    p = answers.probabilities(h)[t]
    return readable(answers.labels[int(p.argmax())]), chance(p.max())


def headline(view) -> str:
    """The sentence for a view of `gates`, as the page writes it."""
    t = view.step - 1

    def token(k: int) -> str:
        return readable(view.tokens[k])

    if view.hold:
        return _effect(view, t, token)
    clauses = []
    for label, layer in view.layers.items():
        name = label if len(view.layers) > 1 else ""
        clause = memory(layer, name, view.unit_of(label), t, token)
        if label in view.answers:
            right, asked = score(view.answers[label], layer.curves[-1], view.targets)
            count = f", {right} of {asked} right" if asked else ""
            said, p = answer(view.answers[label], layer.curves[-1], t)
            clause += count if name else f". Answer: {said} ({p}){count}"
        clauses.append(clause)
    return "; ".join(clauses) + "."


def _effect(view, t: int, token) -> str:
    """What the hold does at the position in focus."""
    label, unit, layer = view.model, view.unit_of(view.model), view.layer
    before, after = layer.curves, view.after(label)
    name = f"{label}: " if len(view.layers) > 1 else ""
    where = "all units" if view.units == "all units" else f"unit {unit + 1}"
    way = "leftwards" if layer.reverse else "on"
    since = f"step {view.since} ({token(view.since - 1)})"
    held = f"{name}{view.gate} = {two(view.value)} by hand, {where}, from {since} {way}"
    if label not in view.answers:
        row = layer.kind.rows.index(layer.kind.memory)
        change = f"{two(before[row, t, unit])} → {two(after[row, t, unit])}"
        return f"{held}. {layer.kind.memory} of unit {unit + 1} at {token(t)}: {change}."
    answers = view.answers[label]
    (was, p), (now, q) = (answer(answers, curves[-1], t) for curves in (before, after))
    (right, asked), (still, _) = (
        score(answers, curves[-1], view.targets) for curves in (before, after)
    )
    count = f", {right} → {still} of {asked} right" if asked else ""
    change = f"{now} as before ({q})" if was == now else f"{was} ({p}) → {now} ({q})"
    return f"{held}. Answer at {token(t)}: {change}{count}."
