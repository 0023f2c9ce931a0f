"""N-grams of sentences, what of them stands in references, and a slip in how they are counted."""

import math
from collections import Counter
from collections.abc import Iterable


def grams(words: list, n: int) -> Counter:
    """How often each row of n words comes."""
    return Counter(zip(*(words[k:] for k in range(n)), strict=False))


def most(counts: list[Counter], slip: str = "") -> Counter:
    """How often each n-gram may count: as often as in the one reference that has most of it."""
    if slip == "clip first":
        return counts[0]
    found = counts[0] if counts else Counter()
    for count in counts[1:]:
        found = {"clip sum": found + count, "clip least": found & count}.get(slip, found | count)
    return found


def counted(hypotheses: list, references: list, slip: str = "") -> list[tuple[int, int]]:
    """(hits, n-grams) for n = 1 to 4, over all sentences."""
    found = []
    for n in (1, 2, 3, 4):
        hits = total = 0
        theirs = [[grams(words, n) for words in right] for right in references]
        whole = most([most(counts) for counts in theirs])
        for words, counts in zip(hypotheses, theirs, strict=True):
            own = grams(words, n)
            may = whole if slip == "clip text" else most(counts, slip)
            if slip == "clip none":
                hits += sum(times for gram, times in own.items() if may[gram])
            elif slip == "clip best":
                hits += max((own & count).total() for count in counts)
            else:
                hits += len(own & may) if slip == "once" else (own & may).total()
            total += {"words": len(words), "once": len(own)}.get(slip, own.total())
        found.append((hits, total))
    return found


def shares(hypotheses: list, references: list, slip: str = "") -> list[float]:
    """The four precisions."""
    return [h / t if t else 0.0 for h, t in counted(hypotheses, references, slip)]


def closest(length: int, lengths: Iterable[int], longer: bool = False) -> int:
    """The length nearest to one; of two equally near the shorter, or the longer by mistake."""
    return min(lengths, key=lambda r: (abs(r - length), -r if longer else r))


def brevity(c: float, r: float) -> float:
    """The factor for c words where the references have r."""
    return min(1.0, math.exp(1 - r / c))
