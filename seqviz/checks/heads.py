"""Checks of notebook 11: heads split and merged, the shift of the sines, a block with its norm."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Verdict, check, ramp


@check
def split_heads(student: Callable) -> Verdict:
    """Check `split_heads(x, num_heads) -> (heads, merged)`.

    `x` is (batch, time, d_model), `heads` (batch, head, time, d_k), `merged` as `x`.

    Source: Vaswani et al. (2017), 3.2.2.
    """
    for batch, time, H, d_k in (
        (2, 5, 3, 4),
        (1, 2, 4, 3),
        (3, 1, 2, 5),
        (2, 4, 1, 3),
        (2, 3, 4, 1),
    ):
        x = ramp(batch, time, H * d_k)
        heads = x.reshape(batch, time, H, d_k).transpose(1, 2)
        wrong = {
            "a reshape keeps the order of the numbers: make (batch, time, head, d_k), then swap "
            "time and head": x.reshape(batch, H, time, d_k),
            "head h owns d_k numbers side by side, not every num_heads-th": (
                x.reshape(batch, time, d_k, H).permute(0, 3, 1, 2)
            ),
            "time stands before head; swap them": x.reshape(batch, time, H, d_k),
        }
        answer = call(student, x=x, num_heads=H)
        given, merged = parts("split_heads", answer, "heads, merged")
        asked = f"{H} heads of {d_k} numbers"
        compare(f"split_heads's heads (the first tensor), {asked}", given, heads, wrong)
        wrong = {
            "the heads are merged before time and head are swapped back": (
                heads.reshape(batch, time, H * d_k)
            ),
            "these are the heads; put them side by side again": heads,
        }
        compare(f"split_heads's merged (the second tensor), {asked}", merged, x, wrong)
    return Verdict(True, "split_heads: right, there and back, for five sizes.")


def _shift(k: float, d: int, sign: int = 1) -> Tensor:
    """Rotations by k / 10000^(2i/d) on the diagonal."""
    angle = k / 10000 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    c, s = angle.cos(), sign * angle.sin()
    turns = torch.stack([torch.stack([c, s], dim=1), torch.stack([-s, c], dim=1)], dim=1)
    return torch.block_diag(*turns)


@check
def shift_matrix(student: Callable) -> Verdict:
    """Check `shift_matrix(k, d_model)`: M_k with PE(pos + k) = M_k PE(pos).

    Source: deck 003; Vaswani et al. (2017), 3.5.
    """
    for k, d in ((1, 4), (5, 6), (0, 2), (30, 8), (-2, 10)):
        right = _shift(k, d)
        half = k / 10000 ** (torch.arange(d // 2, dtype=torch.float64) / d)
        blocks = [
            torch.tensor([[a.cos(), a.sin()], [-a.sin(), a.cos()]], dtype=torch.float64)
            for a in half
        ]
        wrong = {
            "it turns backwards: this is the matrix of -k": _shift(k, d, sign=-1),
            "every pair turns as fast as the first; pair i turns by k / 10000^(2i / d_model)": (
                torch.block_diag(*[_shift(k, 2)] * (d // 2))
            ),
            "the exponent is 2i / d_model, not i / d_model": torch.block_diag(*blocks),
            "this is the matrix of one step; turn by k": _shift(1, d),
        }
        answer = call(student, k=k, d_model=d)
        compare(f"shift_matrix with k = {k}, d_model = {d}", answer, right, wrong)
    return Verdict(True, "shift_matrix: right, for five shifts and sizes.")


def _sublayer(x: Tensor) -> Tensor:
    """Mixes words, as attention does: it must see all of them at once."""
    return 2 * x.flip(-1) + x.flip(-2) - 0.3


def _centred(x: Tensor) -> Tensor:
    return x - x.mean(dim=-1, keepdim=True)


def _block(x: Tensor, norm_first: bool, eps: float, spread: Callable) -> Tensor:
    """The block whose norm divides by `spread(variance, eps)`."""

    def norm(x: Tensor) -> Tensor:
        variance = _centred(x).square().mean(dim=-1, keepdim=True)
        return _centred(x) / spread(variance, eps)

    return x + _sublayer(norm(x)) if norm_first else norm(x + _sublayer(x))


@check
def block(student: Callable) -> Verdict:
    """Check `block(x, sublayer, norm_first, eps)`: a shortcut with its norm, before or after.

    Source: deck 000; Vaswani et al. (2017), 3.1; Xiong et al. (2020).
    """
    for (batch, time, d), eps in (((2, 3, 4), 0.5), ((1, 4, 6), 0.01), ((3, 2, 5), 1e-5)):
        x = 3 * (7 * ramp(batch, time, d)).sin() + ramp(batch, 1, 1)

        def right_with(spread, first, x=x, eps=eps):
            return _block(x, first, eps, spread)

        def right(variance, eps):
            return (variance + eps).sqrt()

        for norm_first in (False, True):
            expected = right_with(right, norm_first)
            whole = d / (d - 1)  # torch's variance is larger by this
            wrong = {
                "the norm stands at the other place": right_with(right, not norm_first),
                "the shortcut is missing: add x": expected - x
                if norm_first
                else _centred(_sublayer(x))
                / right(_centred(_sublayer(x)).square().mean(dim=-1, keepdim=True), eps),
                "it is not normed at all": x + _sublayer(x),
                "eps is missing": right_with(lambda v, eps: v.sqrt(), norm_first),
                "eps stands under the root": right_with(lambda v, e: v.sqrt() + e, norm_first),
                "the variance divides by d_model, not by d_model - 1": right_with(
                    lambda v, e, whole=whole: (v * whole + e).sqrt(), norm_first
                ),
                "it divides by the variance; take its root": right_with(
                    lambda v, e: v + e, norm_first
                ),
            }
            asked = f"block with norm_first={norm_first} and eps={eps}"
            answer = call(student, x=x, sublayer=_sublayer, norm_first=norm_first, eps=eps)
            compare(asked, answer, expected, wrong)
    return Verdict(True, "block: right, post-norm and pre-norm, with eps.")
