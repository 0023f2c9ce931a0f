"""Where the cursor of a machine stands at first."""

from collections.abc import Mapping

import numpy as np

from seqviz.views.shared.checking import whole, within

NUMBERS = ("stream", "block", "part", "token", "head", "key")  # of the cursor, each of the last


def beginning(facts: Mapping, values: Mapping, given: Mapping) -> dict:
    """Return the controls: at the answer, at the head that attends most to another token.

    Parameters
    ----------
    facts, values : mapping
        Of the run.
    given : mapping
        Controls that stand elsewhere. A stream, block or part that is not there is refused here,
        as the others are counted by it; others that are out of range are refused later.
    """
    found = {**given, **{name: whole(name, given[name]) for name in NUMBERS if name in given}}
    streams = facts["anatomy"]["streams"]
    found.setdefault("stream", len(streams) - 1)
    stream = streams[within("stream", found["stream"], 0, len(streams) - 1)]
    found.setdefault("token", _asked(facts, stream["tokens"]))
    found.setdefault("block", len(stream["blocks"]) - 1)
    number = within("block", found["block"], 0, len(stream["blocks"]) - 1)
    if "part" in found:
        within("part", found["part"], 0, len(stream["blocks"][number]["parts"]) - 1)
    found.setdefault("stage", f"{found['stream']}.{number}.end")
    token = bounded(found["token"], len(facts["tokens"][stream["tokens"]]))
    rows = {
        (part, head): row
        for part, one in enumerate(stream["blocks"][number]["parts"])
        if one["is"] == "attention" and found.get("part", part) == part
        for head, row in enumerate(_attended(values[one["weights"]], token))
        if found.get("head", head) == head
    }
    if rows:
        part, head = max(
            rows, key=lambda at: rows[at][np.arange(rows[at].size) != token].max(initial=0)
        )
        found = {"part": part, "head": head, "key": int(rows[part, head].argmax()), **found}
    return found


def _asked(facts: Mapping, side: str) -> int:
    """The token whose answer is looked at."""
    tokens, special, anatomy = facts["tokens"][side], facts["special"][side], facts["anatomy"]
    if facts["kind"] == "next":
        return len(tokens) - 1
    if anatomy["probabilities"] == "text":  # the one of which it is made
        return (anatomy["row"] or 0) % len(tokens)
    if facts["spans"] and facts["spans"][-1]:
        return facts["spans"][-1][0]
    words = [k for k in range(len(tokens)) if k not in special]
    if facts["kind"] == "masked":  # one that is hidden, or the last one
        words = [k for k in words if tokens[k] == facts["mask"]] or words[-1:]
    return (words or [0])[0]


def _attended(weights, token: int) -> np.ndarray:
    """The weights of a token, (head, key)."""
    maps = np.asarray(weights)
    return np.nan_to_num(maps.reshape(-1, *maps.shape[-2:])[:, token])


def bounded(value: int, size: int) -> int:
    """Return a place among so many: that, or the nearest."""
    return max(0, min(value, size - 1))
