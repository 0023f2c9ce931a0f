"""What the gradient flow says; sentence.js says the same."""

from collections.abc import Mapping

import numpy as np

from seqviz.views.gradients.slope import fitted
from seqviz.views.gradients.values import Flow
from seqviz.views.shared.grid_values import figures
from seqviz.views.shared.wording import readable


def sentence(
    label: str, flow: Flow, marks: Mapping[int, str], step: int, others: Mapping[str, Flow]
) -> str:
    """What reaches the marks; else where nothing arrives; else how much reaches the first step."""
    if marks:
        said = [at_a_mark(flow, marks), *rival(flow, others, marked(flow, marks))]
    elif flow.lost.size:
        said = [f"no gradient reaches {span(flow)}"]
    elif not (fit := fitted(flow.logs)):
        said = [f"the gradient at step {step} is {norm_text(flow.logs[step - 1])}"]
    elif flow.sigma.size:
        said = along_the_slope(flow, fit)
    else:
        said = [to_the_start(flow, fit), *rival(flow, others)]
    return f"{readable(label)}: {'; '.join(said)}."


def marked(flow: Flow, marks: Mapping[int, str]) -> int:
    """The first mark without a gradient, or else the first."""
    return next((step for step in marks if step in flow.lost), next(iter(marks)))


def at_a_mark(flow: Flow, marks: Mapping[int, str]) -> str:
    """What reaches that mark."""
    step = marked(flow, marks)
    norm = norm_text(flow.logs[step - 1])
    arrives = norm if step in flow.lost else f"a gradient of {norm}"
    return f"{arrives} reaches step {step}, {readable(marks[step])}"


def to_the_start(flow: Flow, fit: tuple[int, int, float]) -> str:
    """How much of the last step's gradient reaches the first, and what a step back does."""
    share = norm_text(flow.logs[0] - flow.logs[-1])
    rate = f"×{figures(fit[2])} a step back"
    if flow.logs[0] > flow.logs[-1]:
        return f"the gradient grows {share} times on the way to step 1, {rate}"
    return f"{share} of the gradient reaches step 1, {rate}"


def rival(flow: Flow, others: Mapping[str, Flow], mark: int = 0) -> list[str]:
    """The model that differs most: its norm at a mark, else its share; none without another."""

    def log(one: Flow) -> float:
        return float(one.logs[mark - 1]) if mark else float(one.logs[0] - one.logs[-1])

    def apart(label: str) -> float:
        return 0.0 if log(others[label]) == log(flow) else abs(log(others[label]) - log(flow))

    if not others:
        return []
    most = max(others, key=apart)
    return [f"{readable(most)} {norm_text(log(others[most]))}"]


def along_the_slope(flow: Flow, fit: tuple[int, int, float]) -> list[str]:
    """What a step back does, and what its matrix has to do with it."""
    start, end, factor = fit
    return [
        f"from step {end} back to {start} each step multiplies the gradient by "
        f"{figures(factor)} on average",
        f"the spectral radius is {figures(flow.radius)}, "
        f"the largest singular value {figures(flow.top)}",
    ]


def span(flow: Flow) -> str:
    """The steps without a gradient."""
    first, last, count = flow.lost[0], flow.lost[-1], len(flow.lost)
    if last - first + 1 > count:
        return f"{count} of {len(flow.logs)} steps"
    return f"step {first}" if count == 1 else f"steps {first} to {last}"


def norm_text(log: float) -> str:
    """A norm from its log10."""
    return "no gradient" if np.isneginf(log) else figures(10 ** float(log))
