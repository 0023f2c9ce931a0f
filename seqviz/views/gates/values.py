"""Checked gate traces of one recurrent layer, and its read-out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seqviz.pieces import pieces_of
from seqviz.views.gates.cells import KINDS, Kind
from seqviz.views.shared.checking import each, few_bits, line, numbers, strings
from seqviz.views.shared.codec import packed

MOST_UNITS, MOST_STEPS, MOST_LABELS = 256, 200, 200
WEIGHTS = ("from_input", "W_hh", "b_hh")
FACTS = ("cell", "reverse")


@dataclass(frozen=True)
class Traces:
    """What one layer did with one sequence, in the float32 that the page gets.

    `curves` is (rows, T, H), `start` (2, H) holds h_0 and c_0 (zeros without a cell).
    Without `from_input` (T, blocks H), `W_hh` and `b_hh` it cannot run again.
    """

    cell: str
    curves: np.ndarray
    start: np.ndarray
    from_input: np.ndarray | None = None
    W_hh: np.ndarray | None = None
    b_hh: np.ndarray | None = None
    reverse: bool = False

    @property
    def kind(self) -> Kind:
        """The kind of cell."""
        return KINDS[self.cell]

    @property
    def live(self) -> bool:
        """Whether it can run again."""
        return self.W_hh is not None

    @property
    def order(self) -> range:
        """Positions in the order in which they are read."""
        steps = range(self.curves.shape[1])
        return steps[::-1] if self.reverse else steps

    def _before(self, name: str, start: np.ndarray) -> np.ndarray:
        """The recorded values of a row before each position, (T, H)."""
        order, curve = list(self.order), self.curves[self.kind.rows.index(name)]
        before = np.empty(curve.shape)
        before[order] = [start, *curve[order[:-1]]]
        return before

    def one_step(self) -> np.ndarray:
        """The curves that one step gives from each recorded state: what a fitting record equals."""
        h = self._before("h", self.start[0])
        c = self._before(self.kind.memory, self.start[1])
        if self.live:
            weights = (a.astype(float) for a in (self.from_input, self.W_hh, self.b_hh))
            gates = self.kind.gates(*weights, h)
        else:
            gates = list(self.curves[: self.kind.blocks].astype(float))
        return np.array(gates + self.kind.states(gates, h, c))

    def liveliest(self) -> int:
        """The unit whose state h changes most over the sequence."""
        return int(self.curves[-1].std(axis=0).argmax())

    def packed(self) -> bytes:
        """Everything by name: curves, start and, if it can run again, its weights."""
        arrays = dict(zip(self.kind.rows, self.curves, strict=True))
        arrays |= dict(zip(("h_0", "c_0"), self.start, strict=True))
        if self.live:
            arrays |= {name: getattr(self, name) for name in WEIGHTS}
        return packed(**arrays)


def traces_of(where: str, given: Mapping, steps: int) -> Traces:
    """Check the arrays of one layer and one sequence of so many tokens."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{where}: expected a mapping of arrays, came {type(given).__name__}")
    if not isinstance(given.get("cell"), str) or given["cell"] not in KINDS:
        raise ValueError(
            f"{where}['cell']: expected one of {', '.join(KINDS)}, came {given.get('cell')!r}"
        )
    cell, rows = given["cell"], KINDS[given["cell"]].rows
    starts = ["h_0", "c_0"][: 1 + ("c" in rows)]
    arrays = {k: numbers(f"{where}['{k}']", v) for k, v in given.items() if k not in FACTS}
    if lacking := [name for name in rows if name not in arrays]:
        raise ValueError(f"{where} lacks {', '.join(lacking)}; {cell!r} has {', '.join(rows)}")
    live = [name for name in (*WEIGHTS, *starts) if name in arrays]
    if set(live) & set(WEIGHTS) and (lacking := {*WEIGHTS, *starts} - set(live)):
        raise ValueError(
            f"{where} lacks {', '.join(sorted(lacking))}: to run the layer again, hand in "
            f"{', '.join((*WEIGHTS, *starts))}; without a hold, only {', '.join(rows)}"
        )
    if unknown := sorted(map(str, set(arrays) - {*rows, *live})):
        raise ValueError(f"{where} has {', '.join(unknown)}, which {cell!r} does not know")
    H = _check_shapes(where, arrays, rows, steps)
    traces = Traces(
        cell,
        np.stack([arrays[name] for name in rows]),
        np.stack([arrays.get(name, np.zeros(H, np.float32)) for name in ("h_0", "c_0")]),
        *(arrays.get(name) for name in WEIGHTS),
        reverse=bool(given.get("reverse", False)),
    )
    half = any("float16" in str(getattr(a, "dtype", "")) for a in given.values())
    half = half or all(few_bits(a) for a in arrays.values())
    _check_run(where, traces, live, 2e-2 if half else 1e-4)
    return traces


def _check_shapes(where: str, arrays: Mapping, rows: str, steps: int) -> int:
    """Check every shape and return H."""
    H = arrays["h"].shape[-1] if arrays["h"].ndim else 0
    wide = (len(rows.rstrip("ch")) or 1) * H
    shapes = dict.fromkeys(rows, (steps, H))
    shapes |= {"from_input": (steps, wide), "W_hh": (wide, H), "b_hh": (wide,)}
    for name, array in arrays.items():
        want = shapes.get(name, (H,))
        if array.shape != want:
            raise ValueError(
                f"{where}['{name}']: expected shape {want} for {steps} tokens and {H} units, came "
                f"{array.shape}: pick one layer and one item of the batch, without its padding"
            )
    if not 1 <= H <= MOST_UNITS:
        raise ValueError(
            f"{where} has {H} units, this view draws 1 to {MOST_UNITS}: "
            "colour the text by one of them with sv.view.text"
        )
    return H


def _check_run(where: str, traces: Traces, given: list[str], most: float) -> None:
    """Check that each recorded step follows from the one before."""
    wrong = _misfit(traces, most)
    if wrong is None:
        return
    row, t, unit = wrong
    name = traces.kind.rows[row]
    found, got = traces.curves[wrong], traces.one_step()[wrong]
    other = {"GRU": "GRU reset before", "GRU reset before": "GRU"}.get(traces.cell)
    if _misfit(replace(traces, reverse=not traces.reverse), most) is None:
        fix = f"'reverse': {not traces.reverse} fits"
    elif other and _misfit(replace(traces, cell=other), most) is None:
        fix = f"'cell': {other!r} fits"
    elif not given:
        fix = "if it did not start at zero, hand in h_0 (and c_0 of an LSTM)"
    else:
        fix = "hand in everything from one and the same call of the layer"
    raise ValueError(
        f"{where}: these arrays do not belong together: {name} of unit {unit + 1} at step {t + 1} "
        f"is {found:.4g}, the rest gives {got:.4g}: {fix}"
    )


def _misfit(traces: Traces, most: float) -> tuple[int, int, int] | None:
    """Where record and equations differ most beyond the tolerance, else None."""
    excess = np.abs(traces.one_step() - traces.curves) - most * (1 + np.abs(traces.curves))
    worst = np.unravel_index(excess.argmax(), excess.shape)
    return tuple(map(int, worst)) if excess[worst] > 0 else None


@dataclass(frozen=True)
class ReadOut:
    """A linear layer with softmax over the states: what the model answers at each step."""

    W: np.ndarray
    b: np.ndarray
    labels: tuple[str, ...]

    @classmethod
    def of(cls, where: str, given: Mapping, units: int) -> "ReadOut":
        """Check W (K, H), b (K,) and K labels."""
        if not isinstance(given, Mapping) or set(given) != {"W", "b", "labels"}:
            raise ValueError(
                f"{where}: expected a mapping with W, b and labels, came {given!r:.80}"
            )
        labels = strings(f"{where}['labels']", given["labels"])
        if len(set(labels)) < len(labels) or not 2 <= len(labels) <= MOST_LABELS:
            raise ValueError(
                f"{where}['labels']: expected 2 to {MOST_LABELS} strings that differ, came "
                f"{len(labels)} with {len(set(labels))} that differ"
            )
        W, b = (numbers(f"{where}['{name}']", given[name]) for name in ("W", "b"))
        for name, array, want in (("W", W, (len(labels), units)), ("b", b, (len(labels),))):
            if array.shape != want:
                raise ValueError(
                    f"{where}['{name}']: expected shape {want} for {len(labels)} labels and "
                    f"{units} units, came {array.shape}"
                )
        return cls(W, b, tuple(labels))

    def packed(self) -> bytes:
        """W and b by name."""
        return packed(W=self.W, b=self.b)


def checked(
    traces: Mapping, tokens: Sequence[str], read_out: Mapping | None, targets: Sequence | None
) -> tuple[list[str], dict[str, Traces], dict[str, ReadOut], list[str | None]]:
    """Check everything that `gates` takes: tokens, layers and read-outs by label, targets."""
    tokens = strings("tokens", tokens)
    if not 1 <= len(tokens) <= MOST_STEPS:
        raise ValueError(
            f"tokens: expected 1 to {MOST_STEPS}, came {len(tokens):,}: "
            f"show a stretch, such as tokens[:{MOST_STEPS}], recorded by itself"
        )
    layers = {
        label: traces_of(where, given, len(tokens))
        for label, where, given in _labelled("traces", traces)
    }
    answers = {}
    for label, where, given in [] if read_out is None else _labelled("read_out", read_out):
        label = next(iter(layers)) if not label and len(layers) == 1 else label
        if label not in layers:
            raise ValueError(f"{where}: {label!r} is no label of traces, {list(layers)}")
        answers[label] = ReadOut.of(where, given, layers[label].curves.shape[2])
    return pieces_of(tokens).bare, layers, answers, _targets(targets, answers, len(tokens))


def _labelled(name: str, given: Mapping) -> list[tuple[str, str, Mapping]]:
    """Label, name for messages and mapping, of one mapping without a label or up to two with."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{name}: expected a mapping of arrays, came {type(given).__name__}")
    if not any(isinstance(value, Mapping) for value in given.values()):
        return [("", name, given)]
    if len(given) > 2:
        raise ValueError(f"{name}: expected at most two models, came {len(given)}: choose two")
    return [(line(name, label), f"{name}[{label!r}]", of) for label, of in given.items()]


def _targets(targets, answers: Mapping[str, ReadOut], steps: int) -> list[str | None]:
    """Check the right label at each step; none at all is a list of None."""
    if targets is None:
        return [None] * steps
    targets = each("targets", targets, "a list of strings or None")
    if not answers:
        raise ValueError("targets: need read_out, which gives the answers to compare with")
    if len(targets) != steps:
        raise ValueError(f"targets: expected {steps}, one for each token, came {len(targets)}")
    for t, target in enumerate(targets):
        for label, answer in answers.items():
            if target is not None and target not in answer.labels:
                raise ValueError(
                    f"targets[{t}] is {target!r}, expected None or a label of read_out"
                    f"{f'[{label!r}]' if label else ''}: {', '.join(answer.labels[:12])}"
                )
    return targets
