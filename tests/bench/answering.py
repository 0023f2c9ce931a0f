"""Does the page of an architecture answer by itself, and as Python does?

Its worker runs in node: on a text of another length than that of the page, then without one head.
"""

import json
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from seqviz.views.attention.widget import AttentionExplorer
from tests.bench.architectures import words
from tests.graphs.workers import arrays, begun

COLUMNS = ["written", "runs", "off", "off_silenced"]
NODE = Path(__file__).with_name("answers.mjs")
OTHER = "w6 w22 w9 w14 w27 w7 w7 w12 w5 w25 w18 w16 w28 w15 w8 w23 w11 w10"
LENGTH = 11
NEAR = 1e-5  # of the largest number


def answers(view: AttentionExplorer) -> dict:
    """The columns of the table; the first that is not as it should be says why."""
    try:
        answering = view._answering("full")
    except Exception as error:
        return {"written": words(error)}
    lengths = {k: v for one in answering.graphs.values() for k, v in one.told["lengths"].items()}
    length = next(iter(lengths.values()), LENGTH)
    row = {"written": f"for {length} tokens only" if lengths else "yes"}
    head = [view.kind, view.here.numbers[0], view.here.heads - 1]
    messages = [{"text": " ".join(OTHER.split()[:length])}, {"silent": [head]}]
    try:
        found = asked(answering, view, messages)
    except Exception as error:
        return row | {"runs": words(error)}
    problem = next((one["sent"]["problem"] for one in found if one["sent"]["problem"]), None)
    if problem:
        return row | {"runs": problem.strip()[:300]}
    row["runs"] = "yes"
    for came, message, name in zip(found, messages, COLUMNS[2:], strict=True):
        ((wish, value),) = message.items()
        try:
            if wish == "silent":  # a model may read a shorter text by modules of other names
                value = [[view.kind, *head[1:]]]
            setattr(view, wish, value)
        except Exception as error:
            return row | {name: f"Python's view: {words(error)}"}
        row[name] = f"{difference(view, came):.1g}"
    return row


def sums(rows: list[dict]) -> str:
    """How many pages are written, of any length, run, and answer as Python does."""
    opened = [row for row in rows if row.get("written")]
    written = [row for row in opened if row.get("runs")]
    free = [row for row in written if row["written"] == "yes"]
    ran = [row for row in written if row["runs"] == "yes"]
    equal, silenced = ([row for row in ran if near(row.get(name))] for name in COLUMNS[2:])
    return (
        f"pages of {len(opened)}: {len(written)} written, {len(free)} for texts of any length, "
        f"{len(ran)} answer, {len(equal)} as Python does, {len(silenced)} also without a head; "
        f"{sum(whole(row) for row in opened)} are whole"
    )


def whole(row: dict) -> bool:
    """Whether a page answers as Python does, for any text."""
    expected = row.get("written") == row.get("runs") == "yes"
    return expected and all(near(row.get(name)) for name in COLUMNS[2:])


def near(told: str | None) -> bool:
    """Whether a difference is small."""
    try:
        return float(told or "inf") <= NEAR
    except ValueError:
        return False


def asked(answering, view: AttentionExplorer, messages: list[dict]) -> list[dict]:
    """What the worker answers to messages, in node."""
    with TemporaryDirectory() as folder:
        paths = {name: Path(folder, name) for name in answering.graphs}
        for name, path in paths.items():
            path.write_bytes(answering.graphs[name].numbers)
        text = json.dumps(begun(answering, view, messages, lambda name: str(paths[name])))
        done = subprocess.run(["node", NODE], input=text, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(re.search(r"\w*Error.*", done.stderr + "Error")[0])
    return arrays(json.loads(done.stdout))


def difference(view: AttentionExplorer, came: dict) -> float:
    """By how much the worker's maps and guesses or shifts differ from those of a view."""
    pairs = []
    for name, numbers in came["first"].items():
        g, *place = name.split()
        if len(place) == 2 and place[0] != "scores":
            kind = view.parts.kinds[int(g)]
            own = kind.layers[kind.place(int(place[0]))][int(place[1])].ravel()
            pairs.append((own, numbers))
    said, own = came["facts"]["silence"], view.facts["silence"]
    for when in ("before", "after"):
        both = [(one.get("guesses") or {}).get(when) or [] for one in (own, said)]
        pairs.append([[p for guesses in one for _, p in guesses] for one in both])
    pairs.append([one.get("shifts") or [] for one in (own, said)])
    return max(apart(*map(np.asarray, pair)) for pair in pairs)


def apart(own: np.ndarray, its: np.ndarray) -> float:
    """The largest difference, of the largest number."""
    if own.shape != its.shape:
        return np.inf
    return np.abs(own - its).max(initial=0) / max(1, np.abs(own).max(initial=0))
