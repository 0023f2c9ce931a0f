"""The page of the lesson: questions, a text or a view, the same questions, a file to hand in."""

import csv
import io
import json
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from seqviz import course_folder
from seqviz.files import write
from seqviz.kit.analysing import Result, analysed
from seqviz.kit.inventory import items, version
from seqviz.views.attention import attention
from seqviz.views.shared.bundle import module
from seqviz.views.shared.page import POLICY, fragment

HERE = Path(__file__).parent
TABLE = "studies/08_maps.csv"  # weights of a trained translator, of notebook 08
SOURCE = [
    "the",
    "agreement",
    "on",
    "the",
    "european",
    "economic",
    "area",
    "was",
    "signed",
    "in",
    "august",
    "1992",
]
HEAD = ["question", "text before", "text after", "view before", "view after", "usual slip", "cause"]


def weights() -> tuple[list[str], list[list[float]]]:
    """Return the French words and their weights, as notebook 08 shows them."""
    with (course_folder.shipped("notebooks") / TABLE).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["score"] == "additive"]
    return [row["word"] for row in rows], [
        [float(x) for x in row["weights"].split()] for row in rows
    ]


def page() -> str:
    """Return the lesson as one page that needs no network; it keeps all answers to itself."""
    words, map_ = weights()
    view = attention([[map_]], words, key_tokens=SOURCE, title="A translator's weights")
    kit = {
        "version": version(),
        "items": [{"question": one.question, "options": one.options} for one in items()],
    }
    parts = {
        "policy": POLICY,
        "style": (HERE / "lesson.css").read_text(encoding="utf-8"),
        "text": _table(words, map_),
        "view": fragment(view),
        "kit": json.dumps(kit).replace("<", "\\u003c"),
        "script": module(str(HERE / "lesson.js")),
    }
    template = (HERE / "lesson.html").read_text(encoding="utf-8")
    return re.sub("@([a-z]+)@", lambda found: parts[found[1]], template)


def _table(words: list[str], map_: list[list[float]]) -> str:
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in SOURCE)
    rows = "".join(
        f'<tr><th scope="row">{escape(word)}</th>'
        + "".join(f"<td>{weight:.2f}</td>" for weight in row)
        + "</tr>"
        for word, row in zip(words, map_, strict=True)
    )
    return f"<table><tr><td></td>{head}</tr>{rows}</table>"


def written(folder: Path, answers: Iterable[Path] = ()) -> Result | None:
    """Write the lesson into a folder; with answers, their analysis.

    Parameters
    ----------
    folder : Path
    answers : iterable of Path
        The students' exports.

    Returns
    -------
    Result or None
        None without answers.

    Raises
    ------
    ValueError
        As :func:`analysed`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    answers = list(answers)
    if not answers:
        write(folder / "lesson.html", page())
        return None
    result = analysed(answers)
    table = io.StringIO()
    csv.writer(table).writerows([HEAD, *result.rows])
    write(folder / "questions.csv", table.getvalue())
    return result
