"""Order the lines: a program in pieces, with pieces that do not belong to it."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape

from seqviz.asking.asked import Asked, marked, name_of
from seqviz.asking.precedence import openers, pairs


@dataclass(frozen=True)
class Order(Asked):
    """Lines to put in order; a page checks them, without a script the solution is folded."""

    question: str
    lines: tuple[str, ...]
    strays: Mapping[str, str]
    because: str
    styles = ("asking.css", "ordering.css")

    @property
    def name(self) -> str:
        """The name under which a browser keeps the choice."""
        return name_of("\n".join([self.question, *self.lines]))

    @property
    def shuffled(self) -> list[str]:
        """All lines as they are handed out: the same for everybody, never in order."""
        given = [*self.lines, *self.strays]
        chance = random.Random(self.name)
        while [line for line in given if line in self.lines] == list(self.lines):
            chance.shuffle(given)
        return given

    def __repr__(self) -> str:
        """The question and the lines as they are handed out."""
        return "\n".join([f"Order the lines: {self.question}", *self.shuffled])

    def body(self) -> str:
        """The question as HTML."""
        puzzle = {
            "lines": [*self.lines, *self.strays],
            "size": len(self.lines),
            "given": [[*self.lines, *self.strays].index(line) for line in self.shuffled],
            "pairs": [asdict(pair) for pair in pairs(self.lines)],
            "openers": openers(self.lines),
            "strays": list(self.strays.values()),
            "because": self.because,
        }
        given = "".join(f"<li><code>{escape(line)}</code></li>" for line in self.shuffled)
        solution = escape("\n".join(self.lines))
        return (
            f'<div class="sv-ask sv-order" role="group" aria-label="Order the lines" '
            f'data-question="{self.name}" data-puzzle="{escape(json.dumps(puzzle))}">'
            f"<p><b>Order the lines.</b> <span>{marked(self.question)}</span></p>"
            f'<ul class="given">{given}</ul><details><summary>The lines in order</summary>'
            f"<pre>{solution}</pre><p>{marked(self.because)}</p></details></div>"
        )


def order(
    question: str,
    lines: Sequence[str],
    strays: Mapping[str, str],
    because: str,
) -> Order:
    """Hand out the lines of a program, and some that do not belong to it, to be put in order.

    Every order that computes the same is right: a line must stand below those that make what it
    uses, and in its block. What a line changes without naming it is not seen: a list under a second
    name, a generator of random numbers, the gradients behind ``backward()``.

    Parameters
    ----------
    question : str
        What the program does. Text between backticks is shown as code.
    lines : sequence of str
        Three to twelve lines of Python in order, indented as in the program, all different.
    strays : mapping of str to str
        Lines that do not belong to it, each with the reason.
    because : str
        What is said when all lines stand right.

    Returns
    -------
    Order
        Shows itself when it is the last line of a cell. Without a script the lines are a list,
        and the order is folded.

    Raises
    ------
    TypeError
        If a text is not a string.
    ValueError
        If the lines are no program, repeat, or cannot be in disorder; if a stray is one of them.

    Examples
    --------
    >>> import seqviz as sv
    >>> lines = ["e = q @ K.T", "a = softmax(e)", "c = a @ V"]
    >>> asked = sv.order("Attend.", lines, {"a = softmax(q)": "Scores go in."}, "Score first.")
    >>> sorted(asked.shuffled)[:2]
    ['a = softmax(e)', 'a = softmax(q)']
    """
    for name, texts in (("lines", lines), ("strays", strays)):
        wanted = Mapping if name == "strays" else Sequence
        if isinstance(texts, str) or not isinstance(texts, wanted):
            raise TypeError(f"{name} must be a {wanted.__name__.lower()} of str, got {texts!r}")
    lines, strays = tuple(lines), dict(strays)
    texts = {"question": question, "because": because}
    for name, text in [
        *texts.items(),
        *(("lines", line) for line in lines),
        *(("strays", text) for pair in strays.items() for text in pair),
    ]:
        if not isinstance(text, str):
            raise TypeError(f"{name} must be text, got {text!r}")
    if blank := [line for line in lines if not line.split("#")[0].strip()]:
        raise ValueError(f"lines must each hold a statement, got {blank[0]!r}")
    if not 3 <= len(lines) <= 12 or len({*lines, *strays}) < len(lines) + len(strays):
        raise ValueError(
            f"lines must be three to twelve, all different and none a stray, got {[*lines]}"
        )
    try:
        found = pairs(lines)
    except (SyntaxError, ValueError) as problem:
        raise ValueError(f"lines must be a program of one statement a line: {problem}") from problem
    if not found:
        raise ValueError("lines compute the same in any order: ask for lines that use each other")
    return Order(question, lines, strays, because)
