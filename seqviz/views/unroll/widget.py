"""The unrolled net: one RNN cell read step by step, computed in the page from its weights."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import traitlets

from seqviz.telling import count, shown
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import line_or, within
from seqviz.views.shared.codec import packed
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import View, style
from seqviz.views.unroll.values import MOST_STEPS, Lexicon, Net, stages_of


class UnrolledNet(View):
    """What `unroll` returns.

    Its controls are `step`, `unit`, `stage`, `text`, `learned_start` and `equation`.
    """

    _esm = module("unroll/view.js")
    _css = style("unroll/style.css")

    step = control(Whole(1, help="the step in focus, from 1"))
    unit = control(Whole(1, help="the unit in focus, from 1"))
    stage = control(traitlets.Unicode("", help="label of the weights"))
    text = control(traitlets.Unicode("", help="what is read"))
    learned_start = control(traitlets.Bool(False, help="start at h_0, else at zero"))
    equation = control(traitlets.Bool(False, help="whether the equation is open"))

    def __init__(self, nets: dict[str, Net], lexicon: Lexicon, title: str, **controls) -> None:
        self.nets, self.lexicon = nets, lexicon
        net = nets[controls["stage"]]
        facts = {
            "vocabulary": list(lexicon.tokens),
            "shown": lexicon.shown,
            "letters": lexicon.letters,
            "units": net.b.size,
            "stages": list(nets),
            "start": net.h_0 is not None,
            "most": MOST_STEPS,
            "title": title,
        }
        parts = {label: packed(**net.named()) for label, net in nets.items()}
        super().__init__(facts, parts, [controls["stage"]], **controls)

    @checks("step", "unit", "stage", "text", "learned_start")
    def _checked(self, name: str, value):
        if name == "text":
            return self.lexicon.join(self.lexicon.split(value))
        if name == "step":
            within(name, value, 1, self._steps)
        if name == "unit":
            within(name, value, 1, self.facts["units"])
        if name == "stage" and value not in self.nets:
            raise ValueError(f"stage must be one of {list(self.nets)}; got {value!r}")
        if name == "learned_start" and value and not self.facts["start"]:
            raise ValueError("learned_start needs h_0 among the weights")
        return value

    @traitlets.observe("text")
    def _stay_inside(self, _) -> None:
        self.step = min(self.step, self._steps)

    def needs(self) -> list[str]:
        """The weights of the stage on show."""
        return [self.stage]

    @property
    def _steps(self) -> int:
        return max(1, len(self.lexicon.split(self.text)) - 1)

    def _plain(self) -> str:
        """One plain line: which net reads what, and where the controls stand."""
        units = self.facts["units"]
        trained = f" ({self.stage})" if self.stage else ""
        return (
            f"Unrolled RNN with {count(units, 'unit')}{trained} reading "
            f"{shown(self.text)}; step {self.step} of {self._steps}, unit {self.unit}"
        )

    def table(self) -> list[list]:
        """Every weight of every stage."""
        return [
            ["stage", "weight", "row", "column", "value"],
            *(
                [label, name, *(str(k + 1) for k in at), *[""] * (2 - len(at)), float(value)]
                for label, net in self.nets.items()
                for name, array in net.named().items()
                for at, value in np.ndenumerate(array)
            ),
        ]


def unroll(
    weights: Mapping,
    vocabulary: Sequence[str],
    text: str | Sequence[str],
    *,
    step: int | None = None,
    title: str | None = None,
) -> UnrolledNet:
    """Show an Elman RNN unrolled through time, and on demand the equation of the step in focus.

    The cell is h_t = tanh(W_hh h_{t-1} + W_xh x_t + b) and the output softmax(W_hy h_t + b_y)
    (decks 000, 002, 003). The page computes every step itself, so that stepping, another word
    and another stage of training work without a kernel. The key E, or `view.equation = True`,
    opens the equation with its numbers and the units through time below the net.

    Parameters
    ----------
    weights : mapping of str to array, or mapping of label to such a mapping
        W_xh (H, V), W_hh (H, H), b (H,), W_hy (V, H), b_y (V,) and, for a learned start, h_0 (H,);
        floats or whole numbers, arrays or torch tensors. With labels, such as "0 updates" and
        "60 updates", the view switches between these stages and opens at the last.
        H is 1 to 64.
    vocabulary : str or sequence of str
        The V tokens, 2 to 200, in the order of the weights' axis.
    text : str or sequence of str
        What to read: each token but the last is an input, the next one its target. A string is
        taken by character, or split on white space if the vocabulary has longer tokens.
        1 to 5,000 tokens; a single one is read without a target.
    step : int, optional
        The step in focus, from 1. Without it, the first that reads a token again and must
        answer otherwise, else the last.
    title : str, optional
        The heading, one line.

    Returns
    -------
    UnrolledNet
        The view; its controls are `step`, `unit`, `stage`, `text`, `learned_start` and
        `equation`.

    Raises
    ------
    TypeError
        If weights is no mapping, or vocabulary, text or title is something else than strings.
    ValueError
        If a weight is missing, unknown, not finite or of the wrong shape or type; if the
        vocabulary repeats a token; if text is empty or has a token outside the vocabulary.

    Examples
    --------
    >>> weights = {"W_xh": [[1, -1]], "W_hh": [[0.5]], "b": [0], "W_hy": [[1], [-1]], "b_y": [0, 0]}
    >>> unroll(weights, "ab", "abba", step=1).alt
    "Unrolled RNN with 1 unit reading 'abba'; step 1 of 3, unit 1"
    """
    lexicon = Lexicon(vocabulary)
    nets = stages_of(weights, len(lexicon.tokens))
    tokens = lexicon.split(text)
    stage = list(nets)[-1]
    learned = nets[stage].h_0 is not None
    steps = max(1, len(tokens) - 1)
    earlier, telling = _twins(tokens)
    if step is not None:
        within("step", step, 1, steps)
    ids = [lexicon.tokens.index(token) for token in tokens]
    states = nets[stage].states(ids[:steps], learned)
    return UnrolledNet(
        nets,
        lexicon,
        line_or("title", title),
        step=step or telling + 1,
        unit=int(np.abs(states[telling] - states[earlier]).argmax()) + 1,
        stage=stage,
        text=lexicon.join(tokens),
        learned_start=learned,
    )


def _twins(tokens: list[str]) -> tuple[int, int]:
    """The first two steps that read the same and must answer otherwise; else first and last."""
    last = {}
    for t, (read, answer) in enumerate(pairwise(tokens)):
        if read in last and last[read][1] != answer:
            return last[read][0], t
        last[read] = (t, answer)
    return 0, max(0, len(tokens) - 2)
