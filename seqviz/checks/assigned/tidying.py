"""Check of assignment A9: the best tags of a text that make whole spans."""

import math

from torch import Tensor

from seqviz.checks.cases import Case, Cases, check, slipped
from seqviz.checks.verdict import ramp

SLIPS = {
    "greedy": "each word got its best tag; together they must fit",
    "left": "each word got the best tag that fits the one before; a later one may speak against it",
    "repaired": "the best tags were taken, and each I that does not fit made a B",
    "dropped": "the best tags were taken, and each I that does not fit made an O",
    "start": "a text cannot begin with I",
    "kind": "I goes on with the kind before it; it may not change the kind",
    "open": "I goes on with a span; it may not follow O",
    "letter": "kinds must be equal, not begin with the same letter",
    "short": "I may follow I: a span may have three words",
    "apart": "two spans may touch: B may follow any tag",
    "turned": "what may follow is asked of the tag behind; I must fit the tag before it",
}


def fits(before: str, tag: str, slip: str = "", first: bool = False) -> bool:
    """Whether a tag may follow another one; O stands before the first."""
    if slip == "turned":
        before, tag, first = tag, before, False
    if slip == "apart" and tag[0] == "B":
        return before == "O"
    if tag[0] != "I" or (slip == "start" and first):
        return True
    if before == "O":
        return slip == "open" and not first
    if slip == "short" and before[0] == "I":
        return False
    end = 3 if slip == "letter" else None
    return slip == "kind" or before[2:end] == tag[2:end]


def tidied(log_p: Tensor, tags: list[str], slip: str = "") -> dict:
    """The best tags that fit, and their score; a slip changes one thing."""
    rows = [dict(zip(tags, row, strict=True)) for row in log_p.tolist()]
    if slip in ("greedy", "repaired", "dropped", "left"):
        found = _word_by_word(rows, slip)
        return {"tags": found, "score": sum(p[tag] for p, tag in zip(rows, found, strict=True))}
    best = {"O": (0.0, [])}
    for t, p in enumerate(rows):
        ways = {
            tag: [way for before, way in best.items() if fits(before, tag, slip, t == 0)]
            for tag in tags
        }
        best = {tag: _longer(max(of), tag, p[tag]) for tag, of in ways.items() if of}
    score, found = max(best.values())
    return {"tags": found, "score": score}


def _longer(way: tuple[float, list[str]], tag: str, log_p: float) -> tuple[float, list[str]]:
    return way[0] + log_p, [*way[1], tag]


def _word_by_word(rows: list[dict[str, float]], slip: str) -> list[str]:
    """The best tag of each word, after a look at the tag before it."""
    found = ["O"]
    for p in rows:
        allowed = [tag for tag in p if slip != "left" or fits(found[-1], tag)]
        tag = max(allowed, key=p.get)
        if slip in ("repaired", "dropped") and not fits(found[-1], tag):
            tag = f"B-{tag[2:]}" if slip == "repaired" else "O"
        found.append(tag)
    return found[1:]


@check("right for 7 texts.")
def tidy_tags() -> Cases:
    """Check `tidy_tags(log_p, tags) -> (tags, score)`: the likeliest tags that make whole spans.

    `log_p` is (time, tags), `tags` their names. I-X stands only behind B-X or I-X.

    Source: deck 001, BIO tags; Lample et al. (2016), section 2.2, whose scores of transitions are
    learned.
    """
    for time, names, sharp in (
        (6, "B-CON I-CON B-PRO I-PRO O", 4.0),
        (5, "I-LOC B-LOC O B-PER I-PER", 2.0),
        (9, "O B-PRO I-PRO", 3.0),
        (7, "O B-THE B-PRO I-PRO I-THE", 5.0),
        (8, "I-A B-C O I-AB B-AB I-C B-A", 3.5),
        (0, "O B-X I-X", 1.0),
        (1, "I-X B-X O", 2.5),
    ):
        tags = names.split()
        z = sharp * (29 * ramp(time, len(tags), low=-0.7) ** 2 + time).sin()
        log_p = z.log_softmax(dim=1)
        given = {"log_p": log_p, "tags": tags}
        right = tidied(**given)
        score = right["score"]
        slips = slipped(tidied, SLIPS, given) | {
            "this is the score of the best tags, whether they fit or not": {
                "score": log_p.amax(dim=1).sum().item()
            },
            "this is the mean; give the sum": {"score": score / max(time, 1)},
            "this is a probability; give its logarithm": {"score": math.exp(score)},
            "the sign is turned round": {"score": -score},
        }
        yield Case(f" of {time} words, tags {names},", given, right, slips)
