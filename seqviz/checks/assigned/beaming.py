"""Check of assignment A3: a whole beam search, and what becomes of it by one slip."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.assigned.seeking import kept_of
from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, check, slipped
from seqviz.checks.comparing import parts
from seqviz.checks.verdict import Refused

Step = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
MOST = 2  # rows that are selected for each id that is read: what ends may be among them
OWN = 5  # what a net's first state is; its batch is the second dimension

EARLY = "the search ended too early, what goes on may still reach its sum / lp(most)"
SLIPS = {
    "state": "the state must follow: select the rows of the parents, or one reads another's past",
    "power": "this divides by n to the power of alpha; Wu's penalty is ((5 + n) / 6) ** alpha",
    "times": "the sums are multiplied by the penalty; divide by it",
    "short": "n counts stop as well",
    "now": f"{EARLY}: it is not divided by lp(n)",
    "bare": f"{EARLY}: divide it",
    "first": f"{EARLY}: the first end need not be the best",
    "full": f"{EARLY}: k ends need not hold the best",
    "sum": "the finished ones are ranked by their sums; divide each by the penalty of its length",
    "cut": "what goes on at the end competes; it counts only if nothing has finished",
    "carry": "a sum that was divided was carried on; add to the plain sums",
    "late": "a sentence may have `most` tokens, stop included: the last step's ends are missing",
    "narrow": "the beam gets narrower with each that finishes",
    "greedy": "this is greedy's sentence",
    "logits": "logits were added up; their log-softmax is what counts",
    "probabilities": "probabilities were added up; their logarithms are what counts",
    "long": "it has more than `most` tokens",
    "again": "what was read is read again: hand over the newest token and the state alone",
    "all": "no hypothesis that goes on could win any more, and still the net was asked",
}


@check("right for 13 nets, and no step too many.")
def beam_search() -> Cases:
    """Check `beam_search(step, select, state, start, stop, k, alpha, most) -> (ids, score)`.

    The score is the sum of log-probabilities over ((5 + n) / 6) ** alpha, n tokens with stop. The
    search ends after `most` tokens, or as soon as no hypothesis that goes on can win.

    Source: Wu et al. (2016), equation 14.
    """
    for name, net, stop, k, alpha, most in _searches():
        asks, rows = [], []
        start, asked = 0 if stop else 1, f" ({name}: k={k}, alpha={alpha}, most={most})"
        search = {"net": net, "start": start, "stop": stop, "k": k, "alpha": alpha, "most": most}
        right = dict(
            zip(("ids", "score", "count of ids that step read"), found_by(**search), strict=True)
        )

        def read(answer):
            if len(rows) > MOST * (len(asks) + k):
                told = f"{len(rows)} rows of the state for {len(asks)} ids that are read"
                raise Refused(f"beam_search{asked} selects {told}: those that go on are enough.")
            return *parts(f"beam_search{asked}", answer, "ids, score"), len(asks)

        plain_sum = found_by(**search | {"alpha": 0.0})[1]
        slips = slipped(found_by, SLIPS, search) | {
            "START is read, not written": {"ids": [start, *right["ids"]]},
            "STOP belongs to the ids": {"ids": right["ids"][:-1]},
            "this is the sum; divide it by the penalty": {"score": plain_sum},
        }

        def select(state: Tensor, places: Tensor) -> Tensor:
            chosen = _select(state, places)
            rows.extend(places.tolist())
            return chosen

        again = f"beam_search{asked} asks the net again and again."
        step = at_most(k * most * most, _watched(net, stop, asks), again)
        given = {"step": step, "select": select, "state": torch.full((1, 1), OWN)}
        given |= {"start": start, "stop": stop, "k": k, "alpha": alpha, "most": most}
        yield Case(asked, given, right, slips, read=read)


def _watched(net: Step, stop: int, asks: list) -> Step:
    """The net, which refuses other ids and states than its own, and counts."""

    def step(ids: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        if not isinstance(ids, Tensor) or ids.dtype != torch.int64 or ids.dim() != 1:
            kind = f"{ids.dtype}, shape {tuple(ids.shape)}" if isinstance(ids, Tensor) else ids
            raise Refused(
                f"beam_search: step reads ids, a tensor (n,) of torch.int64; it was given {kind}."
            )
        if not isinstance(state, Tensor) or state.shape != (1, len(ids)):
            raise Refused(
                "beam_search: step reads one id for each row of the state; give it the state that "
                f"select made for the {len(ids)} that go on."
            )
        if (ids == stop).any():
            raise Refused("beam_search: step reads STOP; what has finished is not read any more.")
        asks.extend(ids.tolist())
        logits, new = net(ids, state[0] - OWN)
        return logits, new[None] + OWN

    return step


def _select(state: Tensor, rows: Tensor) -> Tensor:
    """The state with these rows of its batch."""
    if not isinstance(rows, Tensor) or rows.dtype != torch.int64 or rows.dim() != 1:
        raise Refused("beam_search: select reads rows, a tensor (n,) of torch.int64.")
    fits = isinstance(state, Tensor) and state.dim() == 2
    if not fits or (len(rows) and rows.max() >= state.shape[1]):
        raise Refused(
            "beam_search: select was given a row that is not in the batch of the last step."
        )
    return state[:, rows]


def _searches() -> list[tuple]:
    """(name, net, stop, k, alpha, most) of each case."""
    return [
        ("8 tokens", net_of(23, 8, 0, 1, 4), 0, 3, 0.8, 12),
        ("9 tokens", net_of(19, 9, 4, 4, 8), 4, 3, 1.0, 10),
        ("7 tokens", net_of(15, 7, 2, 2, 5), 2, 3, 0.0, 10),
        ("10 tokens", net_of(15, 10, 3, 0, 6), 3, 4, 0.6, 15),
        ("6 tokens", net_of(44, 6, 5, 2, 5), 5, 2, 1.2, 9),
        ("8 tokens", net_of(26, 8, 0, 1, 4), 0, 3, 0.8, 12),
        ("a beam of one", net_of(3, 5, 1, 0, 2), 1, 1, 0.7, 9),
        ("stop is next to impossible", net_of(4, 6, 4, -40, 2), 4, 2, 0.7, 4),
        ("a single token", net_of(5, 4, 3, 1, 2), 3, 6, 0.5, 1),
        ("no penalty", net_of(6, 6, 2, 1, 3), 2, 3, 0.0, 12),
        ("stop is next to impossible, all are kept", net_of(6, 3, 1, -800, 2), 1, 9, 0.9, 3),
        ("logits of 1,000", net_of(7, 5, 2, 900, 1500), 2, 3, 0.7, 6),
        ("all end with the second token", _ending(net_of(8, 6, 4, -1, 2), 4), 4, 3, 1.0, 8),
    ]


def _ending(net: Step, stop: int) -> Step:
    """The net, where nothing but stop is possible after a token other than 0."""

    def step(ids: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        logits, state = net(ids, state)
        others = torch.arange(logits.shape[1]) != stop
        return logits.masked_fill((ids > 0)[:, None] & others, -torch.inf), state

    return step


def found_by(net: Step, start: int, stop: int, k: int, alpha: float, most: int, slip: str = ""):
    """The best ids, their score, and how many ids the net reads; a slip changes one thing."""

    def divided(total: float, size: int) -> float:
        base = size if slip == "power" else (5 + size - (slip == "short")) / 6
        return total * base**alpha if slip == "times" else total / base**alpha

    k = 1 if slip == "greedy" else k
    scores, state, ids = torch.zeros(1).double(), torch.zeros(1).long(), torch.tensor([start])
    paths, ended, n, reads = [[]], [], 0, 0
    while n < most + (slip == "long"):
        logits, state = net(ids, state)
        n, reads = n + 1, reads + len(ids) * (n + 1 if slip == "again" else 1)
        width = k - len(ended) if slip == "narrow" else k
        log_p = logits if slip == "logits" else logits.double().log_softmax(dim=1)
        log_p = log_p.exp() if slip == "probabilities" else log_p
        kept = kept_of(scores, log_p, width, stop)
        if slip == "narrow":
            kept = tuple(x[:width] for x in kept)
        parent, token, total = kept
        ends = token == stop
        for row in ends.nonzero()[:, 0].tolist() if n < most or slip != "late" else ():
            path, score = [*paths[parent[row]], stop], total[row].item()
            ended.append((score if slip == "sum" else divided(score, n), path, score, n))
        paths = [[*paths[p], t] for p, t in zip(parent[~ends], token[~ends].tolist(), strict=True)]
        ids, scores = token[~ends], total[~ends]
        state = (
            state[torch.arange(len(ids)) % len(state)] if slip == "state" else state[parent[~ends]]
        )
        if slip == "carry":
            scores = torch.tensor([divided(x, n) for x in scores.tolist()]).double()
        if not paths or _over(ended, scores[0].item(), slip, k, divided, n, most):
            break
    cut = [(divided(x, n), path, x, n) for x, path in zip(scores.tolist(), paths, strict=True)]
    among = ended + cut if slip == "cut" else ended or cut
    score, path, total, size = max(among)
    return path, divided(total, size) if slip == "sum" else score, reads


def _over(ended, top: float, slip: str, k: int, divided, n: int, most: int) -> bool:
    """Whether no hypothesis that goes on can win any more, or a slip thinks so."""
    best = max(ended, default=(-torch.inf,))[0]
    if slip == "all":
        return False
    if slip in ("first", "full"):
        return len(ended) >= (1 if slip == "first" else k)
    bounds = {"now": divided(top, n), "bare": top}
    return best >= bounds.get(slip, divided(top, most))


def net_of(seed: int, vocab: int, stop: int, likely: float, sharp: float) -> Step:
    """A net whose next token depends on all tokens before, from a table of random logits."""
    made = torch.Generator().manual_seed(seed)
    table = sharp * torch.randn(101, vocab, generator=made).double()
    table[:, stop] += likely

    def step(ids: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        state = (7 * state + 3 * ids + 1) % 101
        return table[state], state

    return step
