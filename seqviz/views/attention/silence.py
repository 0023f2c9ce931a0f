"""Heads that are silenced: which they are, and how the model's two answers belong together."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from seqviz.views.attention.checkpoints import alike, difference
from seqviz.views.attention.guesses import shifts
from seqviz.views.attention.reading import Answer
from seqviz.views.attention.values import Attention
from seqviz.views.shared.checking import whole

Head = tuple[str, int, int]  # kind, layer, head
EXAMPLE = "(kind, layer, head) such as ('self', 3, 1)"


def takes_silent(function: Callable) -> bool:
    """Whether a function takes the keyword `silent`."""
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some that are built in do not say
        return False
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return any(
        p.kind is inspect.Parameter.VAR_KEYWORD or (p.name == "silent" and p.kind in named)
        for p in known
    )


def heads_of(given: Iterable, kinds: Sequence[Attention]) -> list[Head]:
    """Check heads, (kind, layer, head) each, and return each of them once."""
    return list(dict.fromkeys(_head(f"silent[{k}]", one, kinds) for k, one in enumerate(given)))


def _head(where: str, given, kinds: Sequence[Attention]) -> Head:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 3:
        raise ValueError(
            f"{where}: expected {EXAMPLE}, came {given!r}: one head goes into a list as well"
        )
    name, layer, head = given
    kind = next((one for one in kinds if one.name == name), None)
    if kind is None:
        known = ", ".join(repr(one.name) for one in kinds)
        raise ValueError(f"{where}: expected as kind one of {known}; came {name!r}")
    layer, head = whole(f"{where}: layer", layer), whole(f"{where}: head", head)
    if layer not in kind.numbers:
        known = ", ".join(map(str, kind.numbers))
        raise ValueError(f"{where}: expected as layer one of {known}; came {layer}")
    if not 0 <= head < kind.heads:
        raise ValueError(f"{where}: expected as head 0 to {kind.heads - 1}, came {head}")
    return name, layer, head


def staying(heads: Iterable[Head], kinds: Sequence[Attention]) -> tuple[list[Head], list[Head]]:
    """Which heads another text has, and which ones it has not."""
    has = {kind.name: kind for kind in kinds}
    kept, gone = [], []
    for name, layer, head in heads:
        kind = has.get(name)
        there = kind is not None and layer in kind.numbers and head < kind.heads
        (kept if there else gone).append((name, layer, head))
    return kept, gone


def of_families(heads: Iterable[Head], kinds: Sequence[Attention]) -> list[Head]:
    """The heads as the function of the text knows them: (family, layer, head)."""
    family = {kind.name: kind.family for kind in kinds}
    return [(family[name], layer, head) for name, layer, head in heads]


def listed(heads: Iterable[Head]) -> str:
    """All heads in short: "self 3.1; self 4.0"."""
    return "; ".join(f"{kind} {layer}.{head}" for kind, layer, head in heads)


def paired(before: Answer, after: Answer) -> tuple[Answer, Answer]:
    """Check that both answers are of one model and text, and make their descriptions one."""
    if apart := difference(after.kinds, before.kinds):
        what, came, expected = apart
        raise ValueError(
            f"silent: without these heads the function returned {what}: {came}, with all heads "
            f"{expected}: expected the same"
        )
    for one, other in zip(before.kinds, after.kinds, strict=True):
        for side in ("queries", "keys"):
            if getattr(one, side).tokens != getattr(other, side).tokens:
                raise ValueError(
                    f"silent: without these heads the function returned other {side} of "
                    f"{one.name!r}: expected the same tokens"
                )
    first, second = alike({"before": before.kinds, "after": after.kinds}).values()
    return replace(before, kinds=first), replace(after, kinds=second)


def facts_of(heads: Sequence[Head], before: Answer, after: Answer | None) -> dict:
    """What the page is told of silenced heads, and of what the model says, without them too."""
    facts = {"heads": [list(head) for head in heads], "predicts": list(before.predicts)}
    if after is None:
        said = {"before": before.guesses, "after": None}
        known = {"tokens": before.tokens, "guesses": said, "shifts": None}
        return facts if before.guesses is None else {**facts, **known}
    both = before, after
    guesses = all(answer.guesses is not None for answer in both)
    states = all(answer.states is not None for answer in both)
    if states and before.states.shape != after.states.shape:
        raise ValueError(
            f"states: without these heads of shape {after.states.shape}, with all heads "
            f"{before.states.shape}: expected the same"
        )
    return {
        **facts,
        "tokens": before.tokens,
        "guesses": {"before": before.guesses, "after": after.guesses} if guesses else None,
        "shifts": shifts(before.states, after.states) if states and not guesses else None,
    }
