"""Checks of assignment A3: what may be drawn, what may not come again, BLEU of a whole text."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import Refused, ramp


@check("right for 13 settings, exactly 0 where dropped.")
def filtered() -> Cases:
    """Check `filtered(scores, k, p)`: probabilities of the k best tokens, and of these the nucleus.

    `scores` are logits (batch, vocab). Of equal scores the lower id goes first; p = 1 keeps all k.

    Source: Fan et al. (2018), top-k; Holtzman et al. (2020), nucleus.
    """
    for name, scores, k, p in _scores():
        right, keep = _nucleus(scores, k, p)
        vocab, order = scores.shape[1], scores.argsort(dim=1, descending=True, stable=True)
        plain = scores.softmax(dim=1)
        best = scores.masked_fill(order.argsort(dim=1) >= k, -torch.inf)
        least = scores.gather(1, order)[:, min(k, vocab) - 1 :][:, :1]
        level = torch.where(keep, scores, torch.inf).amin(dim=1, keepdim=True)
        all_ties = scores.masked_fill(scores < least, -torch.inf)
        slips = {
            "of equal scores all are kept; exactly k are, the lower ids first": (
                _nucleus(all_ties, vocab, p)[0]
            ),
            "tokens that are as likely as the last one kept are kept too; the lower ids go first": (
                best.masked_fill(scores < level, -torch.inf).softmax(dim=1)
            ),
            "of equal scores the higher id was kept; the lower goes first": (
                _nucleus(scores.flip(1), k, p)[0].flip(1)
            ),
            "nothing was dropped": plain,
            "k was not used": _nucleus(scores, vocab, p)[0],
            "p was not used": _nucleus(scores, k, 1)[0],
            "the token that reaches p was dropped; it is kept": _short(scores, k, p),
            "p counts the probabilities of all tokens; only the k best share it": (
                _whole_share(scores, k, p)
            ),
            "the rows no longer add up to 1: take the softmax again of what is left": plain * keep,
            "the rows no longer add up to 1: it is the softmax of the k best": (
                _nucleus(scores, k, 1)[0] * keep
            ),
            "they stand in the order of their rank; put each back in its place": (
                right.sort(dim=1, descending=True).values
            ),
            "the lowest scores were kept": _nucleus(scores, k, p, descending=False)[0],
            "these are scores; take their softmax": scores.masked_fill(~keep, -torch.inf),
            "these are logs; give probabilities": right.log(),
            "this says which are kept; give their probabilities": keep.double(),
        }
        said = {
            "zero": "a dropped token gets a little; it must be exactly 0.",
            "tiny": (
                "a token of a very small probability was dropped; p = 1 keeps all k. Does your "
                "sum reach 1 before the end?"
            ),
            "nan": "every row keeps its likeliest token.",
        }
        given = {"scores": scores, "k": k, "p": p}
        yield Case(f" of {name} (k={k}, p={p})", given, right, slips, **said)


def _ranked(scores: Tensor, k: int, descending: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """The order of the scores, the k best in this order, and their shares of these."""
    ranked, order = scores.sort(dim=1, descending=descending, stable=True)
    ranked = ranked.masked_fill(torch.arange(scores.shape[1]) >= k, -torch.inf)
    return order, ranked, ranked.softmax(dim=1)


def _back(order: Tensor, ranked: Tensor) -> Tensor:
    """The softmax of ranked scores, each in its own place."""
    return torch.zeros_like(ranked).scatter(1, order, ranked.softmax(dim=1))


def _nucleus(scores: Tensor, k: int, p: float, descending: bool = True) -> tuple[Tensor, Tensor]:
    """The probabilities, and which tokens are kept."""
    order, ranked, share = _ranked(scores, k, descending)
    dropped = torch.arange(scores.shape[1]).expand_as(scores) >= k
    if p < 1:
        dropped = dropped | (share.cumsum(dim=1) - share >= p)
    keep = torch.zeros_like(scores, dtype=torch.bool).scatter(1, order, ~dropped)
    return _back(order, ranked.masked_fill(dropped, -torch.inf)), keep


def _short(scores: Tensor, k: int, p: float) -> Tensor:
    """As if the token that reaches p were dropped, but for the likeliest."""
    order, ranked, share = _ranked(scores, k)
    dropped = (share.cumsum(dim=1) >= p) & (torch.arange(scores.shape[1]) > 0)
    return _back(order, ranked.masked_fill(dropped, -torch.inf))


def _whole_share(scores: Tensor, k: int, p: float) -> Tensor:
    """As if p counted the probabilities of all tokens."""
    order, ranked, _ = _ranked(scores, k)
    share = scores.softmax(dim=1).gather(1, order)
    return _back(order, ranked.masked_fill(share.cumsum(dim=1) - share >= p, -torch.inf))


def _scores() -> list[tuple[str, Tensor, int, float]]:
    """(name, scores, k, p) of each case."""
    example = torch.tensor([[0.1, 0.4, 0.2, 0.3]], dtype=torch.float64).log()
    e = (9 * ramp(3, 7)).sin() * torch.tensor([[2.0], [0.6], [1.0]])
    ties = torch.tensor([[1.0, 4, 2, 4, 4], [3, 3, 3, 3, 3], [0, 1, 1, 5, 1]], dtype=torch.float64)
    steep = torch.tensor([[0.0, -60, -45, 2, -70, 1], [-30, 2, 50, 9, 0, -20]], dtype=torch.float64)
    level = torch.tensor([[2.0, 7, 7, 7, 7], [3, 3, 1, 3, 3]], dtype=torch.float64)
    never = e[:2].masked_fill(e[:2] < -0.5, -torch.inf)
    return [
        ("3 rows of 7 tokens", e, 4, 0.85),
        ("the task's example", example, 3, 0.75),
        ("3 rows of 7 tokens", e, 7, 0.4),
        ("3 rows of 7 tokens", e, 2, 1),
        ("3 rows of 7 tokens", e, 50, 0.9),
        ("rows with equal scores", ties, 2, 1.0),
        ("rows with equal scores", ties, 4, 0.45),
        ("tokens that are next to impossible", steep, 5, 1.0),
        ("tokens that are impossible", never, 6, 0.95),
        ("scores of 900 and more", 900 + e.round(), 1, 0.5),
        ("a vocabulary of 1", ramp(2, 1), 3, 0.6),
        ("4 equal scores, of which 2 reach p exactly", level, 4, 0.5),
        ("rows that are far apart", torch.stack([level[0] - 3e4, steep[1, :5]]), 4, 0.3),
    ]


@check("right for 11 batches.")
def repeats() -> Cases:
    """Check `repeats(ids, n, vocab)`: which tokens would complete an n-gram that a row has.

    `ids` is (batch, time); truth values (batch, vocab), True for what must not come next.

    Source: Paulus et al. (2018), section 2.5.
    """
    for ids, n, vocab in _pasts():
        right = _forbidden(ids, n, vocab)
        asked = f" of {ids.shape[0]} rows of {ids.shape[1]} tokens (n={n}, vocab={vocab})"
        slips = {
            "every token that has come is forbidden; only those that complete an n-gram are": (
                _forbidden(ids, 1, vocab)
            ),
            "this says what may come; give what must not": ~right,
            "these are the n-grams of n + 1 tokens": _forbidden(ids, n + 1, vocab),
            "with n = 1 nothing has to match, so all that has come is forbidden": right & False,
            "all rows got the past of the first": right[:1].expand_as(right),
            "the pasts of all rows were thrown together; each row has its own": (
                _forbidden(ids, n, vocab, shared=True)
            ),
            "an n-gram may overlap the end of its row": _forbidden(ids, n, vocab, cut=1),
            "only the last place where they came counted; each does": (
                _forbidden(ids, n, vocab, places="last")
            ),
            "only the first place where they came counted; each does": (
                _forbidden(ids, n, vocab, places="first")
            ),
            "the n - 1 tokens count in their order": _forbidden(ids, n, vocab, ordered=False),
        }
        if n > 2:
            slips["these are the n-grams of n - 1 tokens"] = _forbidden(ids, n - 1, vocab)
        if n > 1:
            text = "the last n - 1 tokens themselves are forbidden; forbid what came after them"
            slips[text] = _ends(ids, n, vocab)

        def read(answer):
            if isinstance(answer, list) and len(answer) == len(ids) and answer != right.tolist():
                sizes = {len(row) for row in answer if isinstance(row, list | tuple | set)}
                if sizes - {vocab}:
                    raise Refused(
                        f"repeats{asked} gives lists of ids; give truth values (batch, vocab)."
                    )
            return answer

        yield Case(asked, {"ids": ids, "n": n, "vocab": vocab}, right, slips, read=read)


def _forbidden(
    ids: Tensor,
    n: int,
    vocab: int,
    cut: int = 0,
    places: str = "",
    ordered: bool = True,
    shared: bool = False,
) -> Tensor:
    """Truth values (batch, vocab): what would complete an n-gram of the row."""
    found, rows = torch.zeros(len(ids), vocab, dtype=torch.bool), ids.tolist()
    for row, own in enumerate(rows):
        last, after = own[len(own) - n + 1 :] if n > 1 else [], []
        for past in rows if shared else [own]:
            for i in range(len(past) - n + 1 - cut):
                before = past[i : i + n - 1]
                if before == last or (not ordered and sorted(before) == sorted(last)):
                    after.append(past[i + n - 1])
        after = {"": after, "first": after[:1], "last": after[-1:]}[places]
        found[row, after] = True
    return found


def _ends(ids: Tensor, n: int, vocab: int) -> Tensor:
    """As if the last tokens themselves were forbidden where they have come before."""
    found = _forbidden(ids, n, vocab).any(dim=1, keepdim=True).repeat(1, vocab)
    own = torch.zeros_like(found)
    for row, past in enumerate(ids.tolist()):
        own[row, past[max(0, len(past) - n + 1) :]] = True
    return found & own


def _pasts() -> list[tuple[Tensor, int, int]]:
    """(ids, n, vocab) of each case."""
    rows = ["714125142", "121312141", "444444444", "567856744"]
    ids = torch.tensor([[int(x) for x in row] for row in rows])
    many = [[1, 12, 5, 6, 7, 11, 2], [1, 12, 6, 12, 1, 2, 2], [12, 3, 4, 31, 8, 9, 2]]
    many = torch.tensor(many)
    walk = (40 * ramp(2, 23).sin()).long().abs() % 4
    return [
        (ids, 2, 9),
        (ids, 3, 10),
        (ids[:2, :6], 1, 8),
        (ids[2:, :3], 4, 11),
        (walk, 3, 4),
        (ids[3:, :1], 2, 9),
        (ids[:3, :0], 2, 5),
        (torch.tensor([[7, 1, 2, 5, 1, 2]]), 3, 8),
        (many, 3, 32),
        (many, 2, 33),
        (torch.tensor([[4, 4], [4, 5]]), 2, 6),
    ]
