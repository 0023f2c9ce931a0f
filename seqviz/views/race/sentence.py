"""What the race says; sentence.js says the same."""

from collections.abc import Sequence

from seqviz.views.race.values import Lane
from seqviz.views.shared.wording import readable


def sentence(labels: Sequence[str], lanes: Sequence[Lane], tick: int) -> str:
    """How many are done after a tick, and who was first."""
    ends = [lane.last for lane in lanes]
    done = sum(end <= tick for end in ends)
    winners = [readable(name) for name, end in zip(labels, ends, strict=True) if end == min(ends)]
    said = f"After tick {tick} of {max(ends)}: {done} of {len(lanes)} done"
    return f"{said}, first {' and '.join(winners)} at tick {min(ends)}." if done else f"{said}."
