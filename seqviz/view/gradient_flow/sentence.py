"""What the gradient flow says; sentence.js says the same."""

from collections.abc import Mapping

import numpy as np

from seqviz.view.gradient_flow.slope import fitted
from seqviz.view.gradient_flow.values import Flow
from seqviz.view.shared.grid_values import figures
from seqviz.view.shared.wording import readable


def sentence(label: str, flow: Flow, marks: Mapping[int, str], step: int) -> str:
    """What reaches the marks; else where nothing arrives; else the slope and the spectrum."""
    if marks:
        said = [at_a_mark(flow, marks)]
    elif flow.lost.size:
        said = [f"no gradient reaches {span(flow)}"]
    else:
        norm = norm_text(flow.logs[step - 1])
        said = along_the_slope(flow) or [f"the gradient at step {step} is {norm}"]
    return f"{readable(label)}: {'; '.join(said)}."


def at_a_mark(flow: Flow, marks: Mapping[int, str]) -> str:
    """What reaches the first mark without a gradient, or else the first."""
    step = next((step for step in marks if step in flow.lost), next(iter(marks)))
    norm = norm_text(flow.logs[step - 1])
    arrives = norm if step in flow.lost else f"a gradient of {norm}"
    return f"{arrives} reaches step {step}, {readable(marks[step])}"


def along_the_slope(flow: Flow) -> list[str]:
    """What a step back does, and what its matrix has to do with it; nothing without a slope."""
    if not (fit := fitted(flow.logs)):
        return []
    start, end, factor = fit
    said = [
        f"from step {end} back to {start} each step multiplies the gradient by "
        f"{figures(factor)} on average"
    ]
    if flow.sigma.size:
        said.append(
            f"the spectral radius is {figures(flow.radius)}, "
            f"the largest singular value {figures(flow.top)}"
        )
    return said


def span(flow: Flow) -> str:
    """The steps without a gradient."""
    first, last, count = flow.lost[0], flow.lost[-1], len(flow.lost)
    if last - first + 1 > count:
        return f"{count} of {len(flow.logs)} steps"
    return f"step {first}" if count == 1 else f"steps {first} to {last}"


def norm_text(log: float) -> str:
    """A norm from its log10."""
    return "no gradient" if np.isneginf(log) else figures(10 ** float(log))
