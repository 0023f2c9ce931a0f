"""Checks of assignment A5: two heads that are set by hand and continue a text together."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.comparing import parts
from seqviz.checks.verdict import Refused

SURE = 0.99  # the weight that counts as right
ROUNDING = 1e-5  # of what is written: matrices may be float32


def stream(ids: list[int], vocab: int, d_pos: int, previous: bool) -> Tensor:
    """(time, 3 vocab + d_pos): token, token before if `previous`, nothing, position."""
    tokens = torch.eye(vocab).double()[ids]
    before = tokens[[0, *range(len(ids) - 1)]] if previous else torch.zeros_like(tokens)
    speeds = 10000 ** (-torch.arange(0, d_pos, 2).double() / d_pos)
    angles = torch.arange(len(ids))[:, None] * speeds
    place = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return torch.cat([tokens, before, torch.zeros_like(tokens), place], dim=1)


@check("right for 5 texts.")
def previous_head() -> Cases:
    """Check `previous_head(vocab, d_pos) -> (W_q, W_k, W_v, W_o)`: attends to the word before.

    The residual stream is (time, 3 vocab + d_pos): token, previous, next, position.
    """
    for ids, vocab, d_pos in TEXTS:

        def read(answer):
            where = f"previous_head({vocab}, {d_pos}), a text of {len(ids)},"
            x = stream(ids, vocab, d_pos, previous=False)
            weights, written, scores = _run(f"previous_head({vocab}, {d_pos})", answer, x)
            time = torch.arange(len(ids))
            low = weights[time, (time - 1).clamp(min=0)] < SURE
            if low.any():
                raise Refused(_astray(where, weights, scores, int(low.nonzero()[0])))
            _writes(where, written, weights @ torch.eye(vocab).double()[ids], 1)

        yield Case("", {"vocab": vocab, "d_pos": d_pos}, None, read=read)


@check("right for 5 texts.")
def induction_head() -> Cases:
    """Check `induction_head(vocab, d_pos) -> (W_q, W_k, W_v, W_o)`: attends to what came after.

    The stream is that of `previous_head`, with the token before already written down.

    Source: Olsson et al. (2022), "In-context learning and induction heads".
    """
    for ids, vocab, d_pos in TEXTS:

        def read(answer):
            where = f"induction_head({vocab}, {d_pos}), a text of {len(ids)},"
            x = stream(ids, vocab, d_pos, previous=True)
            weights, written, _ = _run(f"induction_head({vocab}, {d_pos})", answer, x)
            shares = after_copies(ids)
            asked = shares.sum(dim=1) > 0
            wrong = asked & ((weights * (shares > 0)).sum(dim=1) < SURE)
            wrong |= ((shares > 0) & (weights < SURE * shares)).any(dim=1)
            if wrong.any():
                raise Refused(_not_after(where, ids, weights, shares, int(wrong.nonzero()[0])))
            _writes(where, written[asked], (weights @ torch.eye(vocab).double()[ids])[asked], 2)

        yield Case("", {"vocab": vocab, "d_pos": d_pos}, None, read=read)


TEXTS = (
    ([0, 1, 2, 3, 1, 2, 1], 5, 16),
    ([0, *(k * k % 7 + 1 for k in range(60))], 9, 64),
    ([0, *(k * k * k % 11 + 1 for k in range(199))], 12, 32),
    ([0, 2, 2, 2], 3, 20),
    ([0, *(k % 90 + 1 for k in range(199))], 300, 16),
)


def after_copies(ids: list[int]) -> Tensor:
    """(time, time): the even shares of the positions right after an earlier copy of a token.

    A row is 0 where the token is new; so is the first row.
    """
    names = torch.tensor(ids)
    follows = torch.zeros(len(ids), len(ids)).double()
    follows[:, 1:] = (names[:, None] == names[None, :-1]).double()
    follows = follows.tril()
    follows[0] = 0.0
    return follows / follows.sum(dim=1, keepdim=True).clamp(min=1.0)


def _run(name: str, answer, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Weights of a causal head with the student's matrices, what it writes, scores unmasked."""
    W_q, W_k, W_v, W_o = _matrices(name, answer, x.shape[1])
    late = torch.ones(len(x), len(x)).tril() == 0
    e = (x @ W_q) @ (x @ W_k).T / W_q.shape[1] ** 0.5
    weights = e.masked_fill(late, -torch.inf).softmax(dim=1)
    if not weights.isfinite().all():
        raise Refused(f"{name}: the scores are not finite; large is enough, infinite is not.")
    return weights, weights @ (x @ W_v) @ W_o, e


def _matrices(name: str, answer, d_model: int) -> list[Tensor]:
    """The four matrices in float64; Refused where their shapes do not fit."""
    names, found = ("W_q", "W_k", "W_v", "W_o"), []
    for part, given in zip(names, parts(name, answer, ", ".join(names)), strict=True):
        try:
            matrix = torch.as_tensor(given, dtype=torch.float64).detach()
        except Exception:
            raise Refused(f"{name}: {part} is a {type(given).__name__}, no matrix.") from None
        if matrix.dim() != 2:
            raise Refused(f"{name}: {part} has shape {tuple(matrix.shape)}, no matrix.")
        found.append(matrix)
    d_k, d_v = found[0].shape[1], found[2].shape[1]
    shapes = ((d_model, d_k), (d_model, d_k), (d_model, d_v), (d_v, d_model))
    for part, matrix, shape in zip(names, found, shapes, strict=True):
        if tuple(matrix.shape) != shape:
            raise Refused(
                f"{name}: {part} has shape {tuple(matrix.shape)}, expected {shape}: the stream has "
                f"{d_model} numbers."
            )
    return found


def _astray(where: str, weights: Tensor, open_scores: Tensor, place: int) -> str:
    """Where a head attends that should attend to the position before."""
    most = int(weights[place].argmax())
    share = weights[place, most].item()
    told = f"{where} position {place} attends to the one before with "
    told += f"{weights[place, max(place - 1, 0)].item():.3g}, expected at least {SURE}"
    even = weights[place, : place + 1].max() - weights[place, : place + 1].min() < 1e-6
    causes = {
        place - 1: "the right one leads, but the scores are too close: make them larger",
        place: "it attends most to itself: the query must ask for another position than its own",
        place - 2: "it attends most to the one before that",
    }
    cause = causes.get(most, f"it attends most to position {most}, with {share:.2f}")
    if open_scores[place].argmax() == place + 1:
        cause = "its query asks for the position after its own, which the mask hides"
    if even:
        cause = "all positions have the same weight: do query and key read the position?"
    return f"{told}: {cause}" + "." * (not cause.endswith("?"))


def _not_after(where: str, ids: list[int], weights: Tensor, shares: Tensor, place: int) -> str:
    """Where a head attends that should attend to what came after earlier copies."""
    row, right = weights[place], shares[place].nonzero().flatten().tolist()
    copies = [k for k in range(place + 1) if ids[k] == ids[place]]
    told = f"{where} position {place} holds token {ids[place]}, which stood right before "
    told += f"{'positions' if len(right) > 1 else 'position'} {', '.join(map(str, right[:6]))}"
    told += ", …" if len(right) > 6 else ""
    cause = f"these get {row[right].sum().item():.3g} in all, expected at least {SURE}"
    if row[copies].sum() > 0.9:
        cause = "it attends to the copies themselves, not to what follows them"
    elif row[right].sum() >= SURE:
        cause = "these must share the weight evenly"
    elif row[: place + 1].max() - row[: place + 1].min() < 1e-6:
        cause = "all positions have the same weight: which slots do query and key read?"
    return f"{told}: {cause}" + "." * (not cause.endswith("?"))


def _writes(where: str, written: Tensor, tokens: Tensor, slot: int) -> None:
    """Refuse what is written elsewhere than into a slot, or is not the mean of tokens there."""
    vocab = tokens.shape[1]
    names = ("token", "previous", "next")
    pieces = dict(zip(names, written[:, : 3 * vocab].split(vocab, dim=1), strict=True))
    pieces["position"] = written[:, 3 * vocab :]
    own = pieces.pop(names[slot])
    for name, values in pieces.items():
        if values.abs().max() > ROUNDING:
            raise Refused(f"{where} something is written into the slot '{name}'; leave it alone.")
    if (own - tokens).abs().max() > ROUNDING:
        row, column = ((own - tokens).abs() > ROUNDING).nonzero()[0].tolist()
        raise Refused(
            f"{where} row {row} of what is written into the slot '{names[slot]}' holds "
            f"{own[row, column].item():.4g} for token {column}, expected "
            f"{tokens[row, column].item():.4g}: the tokens attended to, each times its weight."
        )
