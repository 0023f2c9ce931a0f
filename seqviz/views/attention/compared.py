"""What one head does in two texts, in one sentence."""

from seqviz.views.attention.aligned import aligned, opposite
from seqviz.views.attention.sentence import weight
from seqviz.views.attention.shown import Shown
from seqviz.views.shared.wording import readable

SIDES = {"query": ("queries", "keys"), "key": ("keys", "queries")}
VERBS = {
    "query": ("attends to", "to", "attends most to"),
    "key": ("is attended to by", "by", "is attended to most by"),
}


def compared(here: Shown, there: Shown, row: int, column: int, side: str) -> dict:
    """The weight in focus in both texts, as `lesson` takes it; `there` is of the second text.

    What stands opposite a gap is None, and so is the second weight then. `most2` and `largest2`
    are the largest weight of the second word in focus.
    """
    at = {"queries": row, "keys": column}
    facts: dict = {"side": side, "weight": float(here.weights[row, column])}
    places = {}
    for name, which in zip(("word", "far"), SIDES[side], strict=True):
        own, other = getattr(here, which).texts, getattr(there, which).texts
        place = places[which] = opposite(aligned(own, other), at[which])
        facts[name] = readable(own[at[which]])
        facts[f"{name}2"] = None if place is None else readable(other[place])
    known = None not in places.values()
    facts["weight2"] = float(there.weights[places["queries"], places["keys"]]) if known else None
    return facts | _largest(there, places[SIDES[side][0]], side)


def _largest(there: Shown, place: int | None, side: str) -> dict:
    """The largest weight of the second word in focus."""
    if place is None:
        return {"most2": None, "largest2": None}
    line = there.weights[place] if side == "query" else there.weights[:, place]
    if not line.size:
        return {"most2": None, "largest2": None}
    at = int(line.argmax())
    texts = getattr(there, SIDES[side][1]).texts
    return {"most2": readable(texts[at]), "largest2": float(line[at])}


def lesson(facts: dict) -> str:
    """Say with which weight a word attends to another in both, as lessonOfTwo in compared.js does.

    Examples
    --------
    >>> facts = {"side": "query", "word": "it", "far": "animal", "weight": 0.67}
    >>> lesson(facts | {"word2": "it", "far2": "animal", "weight2": 0.56})
    '“it” attends to “animal” with 0.67; in the second text with 0.56'
    """
    verb, to, most = VERBS[facts["side"]]
    said = f"“{facts['word']}” {verb} “{facts['far']}” with {weight(facts['weight'])}"
    gap = next((name for name in ("word", "far") if facts[f"{name}2"] is None), None)
    if gap:
        said += f"; in the second text no word is in the place of “{facts[gap]}”"
        if gap == "word" or facts["most2"] is None:
            return said
        strongest = f"“{facts['most2']}” with {weight(facts['largest2'])}"
        return f"{said}, and “{facts['word2']}” {most} {strongest}"
    texts = [
        "" if facts[f"{name}2"] == facts[name] else f"{link} “{facts[f'{name}2']}”, in its place,"
        for name, link in (("word", ""), ("far", f" {to}"))
    ]
    return f"{said}; in the second text{''.join(texts)} with {weight(facts['weight2'])}"
