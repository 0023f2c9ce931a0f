"""Checks of assignment A6: two texts in one row, and the answer of a reader."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check


@check("right for 8 rows.")
def pack() -> Cases:
    """Check `pack(first, second, max_length, cls_id, sep_id) -> (ids, segments)`, one row of ids.

    Source: Devlin et al. (2019), section 3; the longer text loses its last token.
    """
    for first, second, size in ROWS:
        cls_id, sep_id = (101, 102) if size % 2 else (1, 0)
        given = {"first": first, "second": second, "max_length": size}
        given |= {"cls_id": cls_id, "sep_id": sep_id}
        right = dict(zip(("ids", "segments"), packed(*given.values()), strict=True))
        asked = f" of {first} and {second}, at most {size},"
        yield Case(asked, given, right, _pack_slips(*given.values()))


ROWS = (
    ([5, 6, 7], [8, 9], 20),
    ([5, 6, 7, 8, 9], [3, 4], 7),
    ([5, 6], [7, 8, 9, 10, 11], 9),
    ([5, 6, 7, 8], [9, 10, 11, 12], 8),
    ([5, 6, 7], None, 11),
    ([5, 6, 7, 8, 9], None, 5),
    ([4], [5, 6, 7, 8, 9, 10], 5),
    ([9, 3, 9, 9], [9, 3, 9, 9], 8),
)
Row = tuple[list[int], list[int]]
Text = list[int] | None


def packed(
    first: list[int], second: Text, size: int, cls_id: int, sep_id: int, loses: str = "the longer"
) -> Row:
    """The row and its segments; `loses` says which text is cut."""
    n, m = len(first), len(second or [])
    room = size - (2 if second is None else 3)
    if loses == "the longer, at once" and n + m > room:
        n, m = (room - m, m) if n > m else (n, room - n)
    while n + m > room:
        of_first = {"the longer": n > m, "the first of equal ones": n >= m}.get(loses, False)
        n, m = (n - 1, m) if of_first else (n, m - 1)
    left, right = [cls_id, *first[: max(n, 0)], sep_id], []
    if second is not None:
        right = [*second[: max(m, 0)], sep_id]
    return left + right, [0] * len(left) + [1] * len(right)


def _pack_slips(first: list[int], second: Text, size: int, cls_id: int, sep_id: int) -> dict:
    """The row and its segments by mistake."""
    given, marks = (first, second, size), (cls_id, sep_id)
    ids, segments = packed(*given, *marks)
    whole, own = packed(first, second, 99, *marks), segments.count(0)
    others = packed(second, first, size, *marks) if second else (ids, segments)
    turned, _ = packed(first[::-1], second and second[::-1], size, *marks)
    front = [cls_id, *turned[1 : own - 1][::-1], sep_id]
    front += [*turned[own:-1][::-1], sep_id] if second else []
    late = [int(second is not None and k >= own - 1) for k in range(len(ids))]
    return {
        "nothing is cut off: at most max_length": whole,
        "the row is cut at its end: the last [SEP] is lost": tuple(x[:size] for x in whole),
        "the texts lose their first tokens; the last ones must go": (front, segments),
        "the first [SEP] is missing": (ids[: own - 1] + ids[own:], segments[:-1]),
        "the last [SEP] is missing": (ids[:-1], segments[:-1]),
        "[CLS] is missing": (ids[1:], segments[1:]),
        "the first [SEP] belongs to segment 0": (ids, late),
        "the last [SEP] belongs to segment 1": (ids, [*segments[:-1], 0]),
        "segments count from 0": (ids, [x + 1 for x in segments]),
        "the texts have changed places": others,
        "three special tokens need room, two with one text": packed(
            first, second, size + 1, *marks
        ),
        "of two that are equally long the second loses": (
            packed(*given, *marks, "the first of equal ones")
        ),
        "always the text that is longer at that moment loses one": (
            packed(*given, *marks, "the longer, at once")
        ),
        "the longer text loses, not always the second": packed(*given, *marks, "the second"),
        "a text alone has one [SEP]": ([*ids, sep_id], [*segments, 1]),
    }


@check("right for 14 questions.")
def best_span() -> Cases:
    """Check `best_span(start, end, passage, max_length, threshold) -> (i, j)`; (0, 0) is no answer.

    `start`, `end` and `passage` are (time,).

    Source: Devlin et al. (2019), sections 4.2 and 4.3.
    """
    for name, start, end, passage, most, threshold in _questions():

        def best(most=most, threshold=threshold, passage=passage) -> tuple[int, int]:
            return chosen(start, end, passage, most, threshold)

        right, free = best(), torch.arange(len(passage)) > 0
        none = (start[0] + end[0]).item()
        slips = {
            "the span must lie inside the passage": best(passage=free),
            "the span is too long: at most max_length tokens": best(len(start)),
            "a span of one word more fits": best(most - 1),
            "max_length counts the tokens, first and last too": best(most + 1),
            "the answer must be better by more than the threshold": best(
                threshold=threshold - 1e-9
            ),
            "the threshold is not used": best(threshold=0.0),
            "the threshold has the wrong sign": best(threshold=-threshold),
            "no answer is never given": best(threshold=-torch.inf),
            "an answer must be better than no answer, by more than the threshold": (
                best(threshold=threshold - none)
            ),
            "start and end have changed places": right[::-1],
            "of equal pairs the first counts": _last(start, end, passage, most, threshold),
            "no answer has the score of start and end": (
                best(threshold=threshold + (start[0] - end[0]).item())
            ),
            "the end must not stand before the start": _crossed(start, end, passage),
            "start and end are not chosen apart; the best pair counts": tuple(
                z.masked_fill(~passage, -torch.inf).argmax().item() for z in (start, end)
            ),
        }
        given = {"start": start, "end": end, "passage": passage}
        given |= {"max_length": most, "threshold": threshold}
        yield Case(f", {name},", given, right, slips)


def chosen(
    start: Tensor, end: Tensor, passage: Tensor, most: int, threshold: float
) -> tuple[int, int]:
    """The best pair by trying all."""
    best, found = -torch.inf, (0, 0)
    for i in range(len(start)):
        for j in range(i, min(i + most, len(start))):
            if passage[i : j + 1].all() and (start[i] + end[j]).item() > best:
                best, found = (start[i] + end[j]).item(), (i, j)
    return found if best - (start[0] + end[0]).item() > threshold else (0, 0)


def _last(start, end, passage, most, threshold) -> tuple[int, int]:
    flipped = [z.flip(0) for z in (end, start, passage)]
    i, j = chosen(*flipped, most, -torch.inf)
    pair = len(start) - 1 - j, len(start) - 1 - i
    score = start[pair[0]] + end[pair[1]] - start[0] - end[0]
    return pair if score.item() > threshold else (0, 0)


def _crossed(start, end, passage) -> tuple[int, int]:
    inside = passage.nonzero().flatten().tolist()
    pairs = [(i, j) for i in inside for j in inside if j < i]
    return max(pairs, key=lambda pair: (start[pair[0]] + end[pair[1]]).item(), default=(0, 0))


def _questions() -> list[tuple]:
    """(name, start, end, passage, longest, threshold) of each case."""

    def row(*numbers):
        return torch.tensor(numbers, dtype=torch.float64)

    def inside(first, last, size):
        return (torch.arange(size) >= first) & (torch.arange(size) <= last)

    high, low = row(1, 9, 0, 2, 1, 5, 0, 7), row(2, 0, 9, 4, 0, 3, 6, 8)
    early, late = row(0, 1, 1, 2, 6, 1), row(0, 1, 7, 1, 2, 1)
    first, last = row(0, 0, 5, 0, 0, 1, 0), row(0, 0, 0, 1, 5, 7, 8)
    three, four, ends = row(3, 0, 3, 1), row(3, 0, 4, 1), row(3, 0, 2, 1)
    two = inside(2, 3, 4)
    return [
        ("the best scores outside the passage", high, low, inside(3, 6, 8), 4, 0.0),
        ("the best end before the best start", early, late, inside(1, 5, 6), 3, 0.0),
        ("a span of just max_length", first, last, inside(2, 6, 7), 3, 0.0),
        ("scores below 0", row(-3, -9, -1, -2), row(-2, -9, -1, -1), two, 2, 1.0),
        ("[CLS] is better", row(6, 0, 2, 1, 0), row(5, 0, 1, 3, 0), inside(2, 3, 5), 5, 0.0),
        ("worse than [CLS] by 1, threshold 2", three, ends, two, 2, 2.0),
        ("better than [CLS], but not by 2", four, three, two, 2, 2.0),
        ("worse than [CLS], but not by 2", three, ends, two, 2, -2.0),
        ("just the threshold", row(1, 0, 2, 0, 0), row(1, 0, 0, 2, 0), inside(2, 3, 5), 2, 2.0),
        ("equal pairs", row(0, 4, 4, 1, 4), row(0, 2, 2, 2, 2), inside(1, 4, 5), 2, 1.0),
        ("[CLS] starts badly and ends well", row(-4, 1, 1), row(9, 1, 2), inside(1, 2, 3), 2, 0.0),
        ("threshold 0.5, better by 1", row(1, 2, 0), row(0, 0, 0), inside(1, 2, 3), 1, 0.5),
        ("threshold 0.5, just reached", row(1, 1.5, 0), row(0, 0, 0), inside(1, 2, 3), 1, 0.5),
        ("one word", row(-3, 1, 0), row(-2, 1, 0), inside(1, 1, 3), 1, 0.5),
    ]
