"""Several checkpoints of one model: the same kinds of attention over the same tokens, each time."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from seqviz.views.attention.kinds import kinds_of
from seqviz.views.attention.values import Attention, sizes
from seqviz.views.shared.checking import line, whole

MOST_CHECKPOINTS = 60
MOST_BYTES = 40_000_000  # of the heads in a page, before it is deflated
ALONE = ""  # the label of weights without checkpoints
BESIDE = ("weights", "encoder", "cross", "decoder")

Label = int | str


def of_checkpoints(
    checkpoints: Mapping, given: Mapping, half: bool
) -> tuple[dict[Label, list[Attention]], list[str]]:
    """Return the kinds at each checkpoint, alike in all but their weights, and what to warn of."""
    beside = [name for name in BESIDE if given[name] is not None]
    if beside:
        raise TypeError(
            f"{beside[0]}: leave it out beside checkpoints, which hold the weights of each step"
        )
    given = {name: list(v) if isinstance(v, Iterator) else v for name, v in given.items()}
    found, problems = {}, []
    for label, weights in _in_order(checkpoints).items():
        kinds, warnings = _read(label, {**given, "weights": weights})
        found[label] = kinds
        problems += warnings
        first = next(iter(found))
        if label == first:
            _check_size(len(checkpoints), kinds, half)
        else:
            _check_same(label, kinds, found[first], first)
    more = f"; {len(problems) - 1} more warnings of checkpoints" if len(problems) > 1 else ""
    return alike(found), [problem + more for problem in problems[:1]]


def of_label(label: Label) -> str:
    """What a checkpoint is called in a sentence: "step 400", "checkpoint best"."""
    return f"step {label}" if isinstance(label, int) else f"checkpoint {label}"


def _where(label: Label) -> str:
    return f"checkpoints[{label!r}]"


def _in_order(checkpoints: Mapping) -> dict[Label, object]:
    """The checkpoints by their labels: steps rise, with words among them they stand as given."""
    if not isinstance(checkpoints, Mapping):
        raise TypeError(
            "checkpoints: expected a mapping from a training step or a label to weights, such as "
            f"{{0: weights_0, 100: weights_100}}, came {type(checkpoints).__name__}"
        )
    if not 1 <= len(checkpoints) <= MOST_CHECKPOINTS:
        raise ValueError(
            f"checkpoints: expected 1 to {MOST_CHECKPOINTS}, came {len(checkpoints)}: "
            "choose some, more of them where the model changes fast"
        )
    labelled = {_label(label): weights for label, weights in checkpoints.items()}
    if all(isinstance(label, int) for label in labelled):
        return dict(sorted(labelled.items()))
    return labelled


def _label(given) -> Label:
    if not isinstance(given, str):
        return whole("checkpoints", given, "steps (int) or labels (str) as its keys")
    if not line("checkpoints", given).strip():
        raise ValueError(f"checkpoints: expected labels that can be read, came {given!r}")
    return given


def _read(label: Label, given: dict) -> tuple[list[Attention], list[str]]:
    """The kinds of one checkpoint; what is wrong with it names it."""
    where = _where(label)
    if callable(given["weights"]):
        raise TypeError(
            f"{where}: expected weights, came a function: a live view has no checkpoints"
        )
    try:
        kinds, warnings, _ = kinds_of(given)
    except (TypeError, ValueError) as problem:
        raise type(problem)(f"{where}: {problem}") from None
    return kinds, [f"{where}: {warning}" for warning in warnings]


def difference(
    came: list[Attention], expected: list[Attention], sizes: bool = True
) -> tuple[str, object, object] | None:
    """What is not as expected, as it came and as it should be; None if all is.

    Checkpoints, a model with and without a head, and two texts must agree in it. `sizes` are the
    numbers of tokens, in which two texts may differ.
    """
    both = zip(_facts(came, sizes), _facts(expected, sizes), strict=False)
    return next(((what, one, other) for (what, one), (_, other) in both if one != other), None)


def _facts(kinds: list[Attention], sizes: bool) -> Iterator[tuple[str, object]]:
    yield "kinds of attention", ", ".join(kind.name for kind in kinds)
    for kind in kinds:
        yield f"layers of {kind.name!r}", kind.numbers
        yield f"heads of {kind.name!r}", kind.heads
        if sizes:
            yield f"(queries, keys) of {kind.name!r}", kind.shape


def _check_same(label: Label, kinds: list[Attention], first: list[Attention], at: Label) -> None:
    """Check that a checkpoint has what the first one, at `at`, has."""
    if apart := difference(kinds, first):
        what, came, expected = apart
        raise ValueError(
            f"{_where(label)}: the {what} are {came}, in {_where(at)} {expected}: "
            "expected the same: hand in checkpoints of one model, run on one text"
        )


def _check_size(count: int, kinds: list[Attention], half: bool) -> None:
    """Refuse what would be too much for a page."""
    weights = sum(kind.depth * kind.heads * kind.shape[0] * kind.shape[1] for kind in kinds)
    size = count * weights * (1 + half)
    if size > MOST_BYTES:
        raise ValueError(
            f"checkpoints: {count} of {' and '.join(map(sizes, kinds))} hold "
            f"{size / 1e6:,.0f} MB, a page at most {MOST_BYTES // 10**6} MB: hand in fewer "
            "checkpoints, fewer layers or a shorter text"
        )


def alike(found: dict[Label, list[Attention]]) -> dict[Label, list[Attention]]:
    """What holds of a kind must hold at every checkpoint: one description stands for all."""
    facts = [
        {name: all(getattr(kind, name) for kind in kinds) for name in ("causal", "sums")}
        for kinds in zip(*found.values(), strict=True)
    ]
    return {
        label: [replace(kind, **fact) for kind, fact in zip(kinds, facts, strict=True)]
        for label, kinds in found.items()
    }
