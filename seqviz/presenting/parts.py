"""What a slide holds, as values."""

from dataclasses import dataclass

from nbformat import NotebookNode

from seqviz.asking import Question
from seqviz.execution import PAGE
from seqviz.presenting import prose


@dataclass(frozen=True)
class Text:
    """A sentence, what of its cell stays beside it, and the whole cell, folded."""

    say: str
    blocks: tuple[prose.Block, ...]
    answers: tuple[tuple[str, str], ...]  # what is told at a step of its own
    whole: str


@dataclass(frozen=True)
class Code:
    """Lines of code, those in focus step by step, and what they print."""

    source: str
    focus: tuple[tuple[int, int], ...]
    prints: str
    folded: bool


@dataclass(frozen=True)
class Shown:
    """A live view, a plotly figure or a picture, with the code that made it, folded."""

    output: NotebookNode
    alt: str
    source: str


@dataclass(frozen=True)
class Slide:
    """One slide; texts are markdown.

    `headlines` has one for all steps, or one for each, the first before the first step.
    """

    name: str
    section: str
    idea: str
    headlines: tuple[str, ...]
    content: Text | Question | Code | Shown
    cell: int
    minutes: float
    at: float = 0.0
    notes: str = ""

    @property
    def steps(self) -> int:
        """How often Next is pressed before the slide is turned."""
        match self.content:
            case Code(focus=steps) | Text(answers=steps):
                return len(steps)
            case Shown(output=output):
                return output.data.get(PAGE, {}).get("steps", 0)
        return 1  # a question
