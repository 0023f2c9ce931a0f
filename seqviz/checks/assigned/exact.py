"""Check of assignment A3: the likeliest sentence of a model that sees only the last word."""

import math

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check, slipped

SLIPS = {
    "turned": "rows and columns are exchanged: the row is the last word",
    "open": "it need not end with STOP for you; only a sentence that ends counts",
    "full": "the likeliest may have fewer tokens than `most`; take the sum: look at each length",
    "first": "this is the first end that was found; a longer sentence may be likelier",
    "short": "`most` counts STOP as well",
    "long": "it has more tokens than `most`",
    "sum": "all ways to a word were added up; only the best counts",
    "mean": "the likeliest may have fewer tokens than `most`; take the sum: this is the best mean",
    "apart": "each place got the best word of its own; go back from STOP, word by word",
    "anywhere": "a sentence begins after START, not after any word",
}


@check("right for 10 models.")
def best_sentence() -> Cases:
    """Check `best_sentence(log_p, start, stop, most) -> (ids, score)`, exact.

    `log_p` is (vocab, vocab), from the last word (row) to the next (column). The sentence ends with
    stop and has at most `most` tokens.

    Source: Viterbi (1967).
    """
    for name, log_p, start, stop, most in _models():
        given = {"log_p": log_p, "start": start, "stop": stop, "most": most}
        ids, score = exact(**given)
        slips = slipped(exact, SLIPS, given) | {
            "START is read, not written": {"ids": [start, *ids]},
            "STOP belongs to the ids": {"ids": ids[:-1]},
            "they stand the wrong way round": {"ids": ids[::-1]},
            "this is greedy's sentence": {"ids": _greedy(**given)},
            "this is a probability; give its logarithm": {"score": math.exp(score)},
            "this is the mean; give the sum": {"score": score / len(ids)},
            "this is without the step from START": {"score": score - log_p[start, ids[0]].item()},
            "this is without the step to STOP": (
                {"score": score - log_p[([start, *ids])[-2], stop].item()}
            ),
        }
        asked = f" of {name} (start={start}, stop={stop}, most={most})"
        yield Case(asked, given, {"ids": ids, "score": score}, slips)


def exact(
    log_p: Tensor, start: int, stop: int, most: int, slip: str = ""
) -> tuple[list[int], float]:
    """The likeliest sentence and its score; a slip changes one thing."""
    table = log_p.T if slip == "turned" else log_p
    best = table.amax(dim=0) if slip == "anywhere" else table[start]
    rows, back = [], []
    for _ in range(most + (slip == "long") - (slip == "short" and most > 1)):
        rows.append(best)
        going = best.index_fill(0, torch.tensor([stop]), -torch.inf)
        ways = going[:, None] + table
        best, before = ways.max(dim=0)
        best = ways.logsumexp(dim=0) if slip == "sum" else best
        back.append(before)
    ends = {(n, stop): row[stop].item() for n, row in enumerate(rows)}
    if slip == "open":
        ends |= {(len(rows) - 1, word): x for word, x in enumerate(rows[-1].tolist())}
    if slip == "mean":
        n, word = max(ends, key=lambda end: ends[end] / (end[0] + 1))
    elif slip in ("full", "first"):
        possible = [end for end, x in ends.items() if x > -math.inf]
        n, word = possible[-1 if slip == "full" else 0]
    else:
        n, word = max(ends, key=ends.get)
    ids = [word]
    for place in reversed(range(n)):
        own = rows[place].index_fill(0, torch.tensor([stop]), -torch.inf).argmax()
        ids.insert(0, (own if slip == "apart" else back[place][ids[0]]).item())
    return ids, ends[n, word]


def _greedy(log_p: Tensor, start: int, stop: int, most: int) -> list[int]:
    ids = [start]
    while len(ids) <= most and (len(ids) == 1 or ids[-1] != stop):
        ids.append(log_p[ids[-1]].argmax().item())
    return ids[1:]


def _model(seed: int, vocab: int, start: int, stop: int, sharp: float, rare: float) -> Tensor:
    made = torch.Generator().manual_seed(seed)
    logits = sharp * torch.randn(vocab, vocab, generator=made).double()
    logits[:, stop] -= rare * (torch.arange(vocab) != (stop + 2) % vocab)
    return logits.log_softmax(dim=1)


def _models() -> list[tuple[str, Tensor, int, int, int]]:
    """(name, log_p, start, stop, most) of each case."""
    example = torch.tensor(
        [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.9, 0, 0.1, 0], [0, 0.6, 0.4, 0]], dtype=torch.float64
    ).log()
    detour = torch.zeros(5, 5, dtype=torch.float64)  # from 4 by 1 to 2, or to 2 at once, then 3
    detour[4, 1], detour[4, 2], detour[1, 2], detour[1, 0] = 0.7, 0.3, 0.99, 0.01
    detour[2, 3] = detour[3, 0] = detour[0, 4] = 1
    detour = detour.log()
    hardly = torch.tensor([-2000.0] + 5 * [0.0], dtype=torch.float64)
    gaps = _model(57, 5, 1, 3, 2, 2)
    gaps = gaps.masked_fill(torch.eye(5).roll(2, 0).bool(), -torch.inf).log_softmax(dim=1)
    return [
        ("6 words", _model(250, 6, 5, 0, 3, 4), 5, 0, 8),
        ("9 words", _model(169, 9, 0, 4, 4, 8), 0, 4, 6),
        ("7 words", _model(90, 7, 3, 1, 2, 3), 3, 1, 5),
        ("6 words", _model(48, 6, 5, 0, 3, 4), 5, 0, 3),
        ("8 words", _model(53, 8, 2, 7, 2, 9), 2, 7, 2),
        ("5 words, some never come", gaps, 1, 3, 6),
        ("5 words, the detour is likelier and too long", detour, 4, 0, 3),
        ("6 words, stop is next to impossible", _model(48, 6, 5, 0, 3, 4) + hardly, 5, 0, 4),
        ("4 words", _model(53, 4, 3, 2, 4, 5), 3, 2, 1),
        ("the task's example", example, 3, 0, 5),
    ]
