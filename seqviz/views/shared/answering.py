"""What a page needs to answer in Python's place: a worker's script, its facts, its graphs."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from seqviz.telling import shown
from seqviz.views.shared.blocks import Blocks, name_of, packed_text

PRECISIONS = ("full", "half", "small")
LARGEST = 100e6  # bytes of numbers in a page
SLICE = 2**20  # bytes of a block of numbers: a browser unpacks one in a few milliseconds
NO_MODEL = (
    "answers: this view shows what was handed in and has no model that a page could run: use "
    "sv.explore(model, tokenizer, text), hand in a graph where the view takes a function, or leave "
    "answers=False"
)
# A file beside a page has blocks as the page has them: it puts them where they are looked for.
PUT = """for (const [name, text] of Object.entries(BLOCKS)) {
  const block = document.createElement('script');
  block.type = 'text/plain';
  block.dataset.block = name;
  block.textContent = text;
  document.head.append(block);
}
"""


class Packed(Protocol):
    """A graph as it travels: see `seqviz.graphs`."""

    told: dict
    numbers: bytes


# Where the numbers of a graph lie, by its name: None for in the page, or an address beside it.
Lies = Callable[[str], str | None]


@dataclass(frozen=True)
class Answering:
    """What a page needs to answer without Python.

    Attributes
    ----------
    script : str
        The worker's text, as of `bundle.module("attention/answers.js")`. The worker is given the
        view's facts and controls as they stand when it starts: those of the page, or of a saved
        copy of it, or, after a worker has ended, of the picture that is on screen.
    facts : dict
        What it must know beside its graphs; travels as JSON.
    graphs : mapping of str to Packed
        Its graphs, by name.
    says : str
        One line for the reader: what is in the page, and how large it is.
    """

    script: str
    facts: dict
    graphs: Mapping[str, Packed]
    says: str

    def check_operations(self) -> None:
        """Refuse a graph with an operation whose name is no word of the script."""
        known = {*re.findall(r"\w+", self.script)}
        for graph in self.graphs.values():
            for node in graph.told.get("nodes", ()):
                if node["op"].removeprefix("sym.").split(".")[0] not in known:
                    raise ValueError(
                        f"answers: a page has no operation {node['op']}, which the model's module "
                        f"{node['module']!r} needs: write the page without answers"
                    )

    def check_size(self) -> None:
        """Refuse more than a page can hold."""
        size = sum(len(graph.numbers) for graph in self.graphs.values())
        if size > LARGEST:
            raise ValueError(
                f"answers: expected a model of at most {LARGEST / 1e6:.0f} MB, came one of "
                f'{size / 1e6:.0f} MB: write the page with precision="small", take a smaller '
                "model, or use the view in a notebook, where a kernel runs it at any size"
            )


def checked_answers(answers) -> bool:
    """Whether a page is to answer."""
    if not isinstance(answers, bool):
        raise TypeError(
            f"answers: expected True or False, came {shown(answers)}: how exact numbers are "
            "is another argument, precision"
        )
    return answers


def checked_precision(precision, name: str = "precision") -> str:
    """How exact the numbers in a page are."""
    if precision not in PRECISIONS:
        raise ValueError(
            f'{name}: expected "full" (float32), "half" (float16) or "small" (tables in int8), '
            f"came {shown(precision)}"
        )
    return precision


def slices(numbers: bytes) -> list[bytes]:
    """Cut numbers into what a page unpacks at a time."""
    return [numbers[at : at + SLICE] for at in range(0, len(numbers), SLICE)]


def placed(answering: Answering, blocks: Blocks, lies: Lies | None = None) -> dict:
    """Add all that answers to the blocks of a page; return where each lies, for answers.js."""
    answering.check_size()
    answering.check_operations()

    def graph(name: str, packed: Packed) -> dict:
        address = lies(name) if lies else None
        share = blocks.share if address is None else name_of
        return {
            "told": blocks.share(json.dumps(packed.told, separators=(",", ":")).encode()),
            "numbers": [share(piece) for piece in slices(packed.numbers)],
            "size": len(packed.numbers),
            "beside": address,
        }

    return {
        "script": blocks.share(answering.script.encode()),
        "facts": answering.facts,
        "graphs": {name: graph(name, packed) for name, packed in answering.graphs.items()},
    }


def beside(packed: Packed) -> dict[str, str]:
    """Return the blocks, by name, of a graph whose numbers lie beside its pages."""
    return {name_of(piece): packed_text(piece, True) for piece in slices(packed.numbers)}


def put(texts: Mapping[str, str]) -> str:
    """Return the script that gives such blocks to a page."""
    return PUT.replace("BLOCKS", json.dumps(texts, separators=(",", ":")))
