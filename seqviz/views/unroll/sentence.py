"""What the alt text says: how the net read the whole text, and the step in focus.

The sentence over the picture, in sentence.js, compares that step with an earlier one.
"""

from collections.abc import Sequence

from seqviz.views.unroll.values import listed, shown


def sentence(
    steps: Sequence[tuple[str, str, str, float]], step: int, *, units: int, stage: str
) -> str:
    """Say it of steps (input, target, chosen, its probability); `step` counts from 1."""
    inputs, targets, chosen, p = zip(*steps, strict=True)
    right = sum(map(str.__eq__, chosen, targets))
    score = f" {right} of {len(steps)} right;" if targets[0] else ""
    trained = f" ({stage})" if stage else ""
    t = step - 1
    return (
        f"Unrolled RNN with {units} unit{'s' * (units > 1)}{trained} reading {listed(inputs)}: "
        f"it says {listed(chosen)};{score} at step {step} it reads {shown(inputs[t])} "
        f"and says {shown(chosen[t])} (p = {p[t]:.2f})."
    )
