"""Gates and states of a recurrent layer over a sequence; a gate can be held by hand."""

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from seqviz.telling import shown
from seqviz.views.gates.cells import lowest
from seqviz.views.gates.values import ReadOut, Traces, checked
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import line_or, within
from seqviz.views.shared.traits import Choice, Number, Whole, checks, control
from seqviz.views.shared.widget import View, style


class GateTraces(View):
    """Gates and states of one layer, or of one of two; `gates` builds it.

    Attributes
    ----------
    step : int
        The token in focus, from 1.
    unit, second_unit : int
        The unit in focus of the first and of the second model, from 1.
    model : str
        Label of the model in focus: a hold acts on this one.
    hold : bool
        Whether a gate is held by hand.
    gate : str
        The gate that is held: one of i, f, g, o for an LSTM, of r, z, n for a GRU; "" for an RNN.
    units : str
        "this unit" or "all units": where it is held.
    value : float
        What it is held at: 0 to 1, or -1 to 1 for the candidates g and n.
    since : int
        The token from which on it is held, in reading order, from 1.
    show : str
        "after", "before" or "change": what the cells show while a gate is held.
    row : str
        The row of the cell that is open: of all units in the block, of one as a line.
    order : str
        "grouped", "keeps" or "stored": units that change their sign twice or more first, then from
        + to -; the longest memory first; as stored.
    """

    _esm = module("gates/view.js")
    _css = style("gates/style.css")

    step = control(Whole(1))
    unit = control(Whole(1))
    second_unit = control(Whole(1))
    model = control(traitlets.Unicode(""))
    hold = control(traitlets.Bool(False))
    gate = control(traitlets.Unicode(""))
    units = control(Choice(["all units", "this unit"], "all units"))
    value = control(Number(0.0))
    since = control(Whole(1))
    show = control(Choice(["after", "before", "change"], "after"))
    row = control(traitlets.Unicode("h"))
    order = control(Choice(["grouped", "keeps", "stored"], "grouped"))

    def __init__(
        self,
        tokens: list[str],
        layers: dict[str, Traces],
        answers: dict[str, ReadOut],
        targets: list[str | None],
        title: str,
        **controls,
    ) -> None:
        self.tokens, self.layers, self.answers, self.targets = tokens, layers, answers, targets
        models = [
            {
                "label": label,
                "cell": layer.cell,
                "units": layer.curves.shape[2],
                "reverse": layer.reverse,
                "live": layer.live,
                "answers": list(answers[label].labels) if label in answers else [],
            }
            for label, layer in layers.items()
        ]
        facts = {"tokens": tokens, "models": models, "targets": targets, "title": title}
        parts = {f"layer {k}": layer.packed() for k, layer in enumerate(layers.values())}
        parts |= {f"answers {list(layers).index(x)}": a.packed() for x, a in answers.items()}
        super().__init__(facts, parts, list(parts), **controls)

    @checks("step", "unit", "second_unit", "model", "hold", "gate", "value", "since", "row")
    def _checked(self, name: str, value):
        kind, steps = self.layer.kind, len(self.tokens)
        units = [layer.curves.shape[2] for layer in self.layers.values()]
        most = {"step": steps, "since": steps, "unit": units[0], "second_unit": units[-1]}
        known = {"model": list(self.layers), "gate": list(kind.holds) or [""]}
        known["row"] = list(kind.rows)
        if name in most:
            within(name, value, 1, most[name])
        if name in known and value not in known[name]:
            raise ValueError(f"{name}: expected one of {known[name]}, came {value!r}")
        if name == "value" and not (low := lowest(self.gate)) <= value <= 1:
            raise ValueError(f"value: expected {low} to 1 for {self.gate}, came {value}")
        if name == "hold" and value:
            self._check_hold()
        return value

    def _check_hold(self) -> None:
        if not self.layer.kind.holds:
            raise ValueError("hold: an RNN has no gate to hold; choose an LSTM or a GRU as `model`")
        if not self.layer.live:
            raise ValueError(
                "hold: the layer cannot run again from its curves alone: hand in its from_input, "
                "W_hh, b_hh and start, as traces() of a record does"
            )

    @traitlets.observe("model", "gate")
    def _stay_inside(self, _) -> None:
        kind = self.layer.kind
        if self.hold and not (kind.holds and self.layer.live):
            self.hold = False
        if self.gate not in (list(kind.holds) or [""]):
            self.gate = kind.keeps
        if self.row not in kind.rows:
            self.row = kind.memory
        self.value = min(max(self.value, lowest(self.gate)), 1.0)

    @property
    def layer(self) -> Traces:
        """The traces of the model in focus."""
        return self.layers[self.model]

    def _plain(self) -> str:
        """One plain line: which layers read how much, and where the controls stand."""
        cells = " and ".join(map(described, self.layers.values()))
        n, step = len(self.tokens), self.step
        focus = f"{shown(self.model)}, " if len(self.layers) > 1 else ""
        second = self.model != next(iter(self.layers))
        unit = self.second_unit if second else self.unit
        held = f"; {self.gate} of {self.units} held at {self.value:g} from step {self.since}"
        return (
            f"Gates of {cells} over {n} token{'s' * (n > 1)}; {focus}step {step} "
            f"{shown(self.tokens[step - 1])}, unit {unit}{held if self.hold else ''}"
        )

    def table(self) -> list[list]:
        """Each value of each curve."""
        return [
            ["model", "step", "token", "quantity", "unit", "value"],
            *(
                [label or layer.cell, str(t + 1), self.tokens[t], name, str(u + 1), float(value)]
                for label, layer in self.layers.items()
                for name, curve in zip(layer.kind.rows, layer.curves, strict=True)
                for (t, u), value in np.ndenumerate(curve)
            ),
        ]


def described(layer: Traces) -> str:
    """An LSTM with 12 units."""
    name, _, more = layer.cell.partition(" ")
    units = layer.curves.shape[2]
    kind = f"{name} ({more})" if more else name
    return f"{'a' if name == 'GRU' else 'an'} {kind} with {units} unit{'s' * (units > 1)}"


def gates(
    traces: Mapping,
    tokens: Sequence[str],
    *,
    read_out: Mapping | None = None,
    targets: Sequence[str | None] | None = None,
    title: str | None = None,
) -> GateTraces:
    """Show the gates and states of a recurrent layer over a sequence, and hold a gate by hand.

    Words and answers on top; under them one row of the cell for all units, one unit with all its
    rows, and beside them one step of it as pipes and valves. A held gate runs the rest of the
    sequence again, in the page. Of two models one is in sight; the key M turns to the other.

    LSTM (deck 003; Hochreiter and Schmidhuber 1997, Gers et al. 2000): c = f c_before + i g,
    h = o tanh(c). GRU (deck 002; Cho et al. 2014): h = (1 - z) n + z h_before.

    Parameters
    ----------
    traces : mapping of str to array, or mapping of label to such a mapping
        One layer and one sequence, as `traces` of a record gives it; with labels, one or two.
        T is 1 to 200 steps, H 1 to 256 units. ``"cell"`` says which:

        - ``"LSTM"``: i, f, g, o, c, h, each (T, H); blocks in the order i, f, g, o.
        - ``"GRU"`` (the reset gate after the matrix, as in torch) or ``"GRU reset before"``:
          r, z, n, h; blocks in the order r, z, n.
        - ``"RNN tanh"`` or ``"RNN relu"``: h.

        To hold a gate also from_input (T, blocks H), which is W_ih x_t + b_ih, W_hh (blocks H, H),
        b_hh (blocks H,), h_0 (H,) and, for an LSTM, c_0 (H,). ``"reverse": True`` says that the
        layer read from the last token to the first.
    tokens : sequence of str
        The T tokens.
    read_out : mapping, or mapping of label to such a mapping, optional
        W (K, H), b (K,) and K labels: softmax(W h + b) is the answer at each step.
    targets : sequence of str or None, optional
        The right label at each step, None where nothing is asked. Needs `read_out`.
    title : str, optional
        The heading, one line.

    Returns
    -------
    GateTraces
        The view; its controls are `step`, `unit`, `second_unit`, `model`, `hold`, `gate`, `units`,
        `value`, `since`, `show`, `row` and `order`.

    Raises
    ------
    TypeError
        If something is no mapping, no array of numbers or no string.
    ValueError
        If an array is missing, unknown, not finite or of the wrong shape; if the arrays do not
        belong together, because the equations give other values than the recorded ones.

    Examples
    --------
    >>> view = gates({"cell": "GRU", "r": [[1]], "z": [[0.5]], "n": [[0.8]], "h": [[0.4]]}, ["hi"])
    >>> view.alt
    "Gates of a GRU with 1 unit over 1 token; step 1 'hi', unit 1"
    """
    tokens, layers, answers, asked = checked(traces, tokens, read_out, targets)
    first = next(iter(layers.values()))
    ends = [t for t in first.order if not any(asked) or asked[t] is not None]
    return GateTraces(
        tokens,
        layers,
        answers,
        asked,
        line_or("title", title),
        step=ends[-1] + 1,
        unit=first.liveliest() + 1,
        second_unit=list(layers.values())[-1].liveliest() + 1,
        model=next(iter(layers)),
        gate=first.kind.keeps,
        row=first.kind.memory,
        since=first.order[len(tokens) // 3] + 1,
    )
