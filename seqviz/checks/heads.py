"""Checks of notebook 11: heads split and merged, the shift of the sines, a block with its norm."""

from collections.abc import Callable

import torch
from torch import Tensor, arange

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp


@check("right, there and back, for five sizes.")
def split_heads() -> Cases:
    """Check `split_heads(x, num_heads) -> (heads, merged)`.

    `x` is (batch, time, d_model), `heads` (batch, head, time, d_k), `merged` as `x`.

    Source: Vaswani et al. (2017), 3.2.2.
    """
    sizes = ((2, 5, 3, 4), (1, 2, 4, 3), (3, 1, 2, 5), (2, 4, 1, 3), (2, 3, 4, 1))
    for batch, time, H, d_k in sizes:
        x = ramp(batch, time, H * d_k)
        apart = x.reshape(batch, time, H, d_k)
        heads = apart.transpose(1, 2)
        of_heads = {
            "a reshape keeps the order of the numbers: make (batch, time, head, d_k), then swap "
            "time and head": x.reshape(batch, H, time, d_k),
            "head h owns d_k numbers side by side, not every num_heads-th": (
                x.reshape(batch, time, d_k, H).permute(0, 3, 1, 2)
            ),
            "time stands before head; swap them": apart,
        }
        of_merged = {
            "the heads are merged before time and head are swapped back": heads.reshape(x.shape),
            "these are the heads; put them side by side again": heads,
        }
        slips = by_part({"heads": of_heads, "merged": of_merged})
        right = {"heads": heads, "merged": x}
        yield Case(f", {H} heads of {d_k} numbers,", {"x": x, "num_heads": H}, right, slips)


def _turns(angle: Tensor) -> Tensor:
    """Rotations by some angles on the diagonal."""
    c, s = angle.double().cos(), angle.double().sin()
    turns = torch.stack([torch.stack([c, s], dim=1), torch.stack([-s, c], dim=1)], dim=1)
    return torch.block_diag(*turns)


@check("right, for five shifts and sizes.")
def shift_matrix() -> Cases:
    """Check `shift_matrix(k, d_model)`: M_k with PE(pos + k) = M_k PE(pos).

    Source: deck 003; Vaswani et al. (2017), 3.5.
    """
    for k, d in ((1, 4), (5, 6), (0, 2), (30, 8), (-2, 10)):
        i = arange(d // 2, dtype=torch.float64)
        speed = 10000 ** (-2 * i / d)
        slips = {
            "it turns backwards: this is the matrix of -k": _turns(-k * speed),
            "every pair turns as fast as the first; pair i turns by k / 10000^(2i / d_model)": (
                _turns(k + 0 * i)
            ),
            "the exponent is 2i / d_model, not i / d_model": _turns(k / 10000 ** (i / d)),
            "this is the matrix of one step; turn by k": _turns(speed),
        }
        given = {"k": k, "d_model": d}
        yield Case(f" with k = {k}, d_model = {d}", given, _turns(k * speed), slips)


def _sublayer(x: Tensor) -> Tensor:
    """Mixes words, as attention does: it must see all of them at once."""
    return 2 * x.flip(-1) + x.flip(-2) - 0.3


@check("right, post-norm and pre-norm, with eps.")
def block() -> Cases:
    """Check `block(x, sublayer, norm_first, eps)`: a shortcut with its norm, before or after.

    Source: deck 000; Vaswani et al. (2017), 3.1; Xiong et al. (2020).
    """
    for (batch, time, d), eps in (((2, 3, 4), 0.5), ((1, 4, 6), 0.01), ((3, 2, 5), 1e-5)):
        x = 3 * (7 * ramp(batch, time, d)).sin() + ramp(batch, 1, 1)

        def root(v):
            return (v + eps).sqrt()

        def built(first: bool, spread: Callable = root, through=1.0) -> Tensor:
            """The block whose norm divides by `spread(variance)`; `through` takes the shortcut."""

            def norm(x):
                off = x - x.mean(dim=-1, keepdim=True)
                return off / spread(off.square().mean(dim=-1, keepdim=True))

            return through * x + _sublayer(norm(x)) if first else norm(through * x + _sublayer(x))

        for first in (False, True):
            slips = {
                "the norm stands at the other place": built(not first),
                "the shortcut is missing: add x": built(first, through=0.0),
                "it is not normed at all": x + _sublayer(x),
                "eps is missing": built(first, torch.sqrt),
                "eps stands under the root": built(first, lambda v: v.sqrt() + eps),
                "the variance divides by d_model, not by d_model - 1": (
                    built(first, lambda v: (v * d / (d - 1) + eps).sqrt())
                ),
                "it divides by the variance; take its root": built(first, lambda v: v + eps),
            }
            given = {"x": x, "sublayer": _sublayer, "norm_first": first, "eps": eps}
            yield Case(f" with norm_first={first} and eps={eps}", given, built(first), slips)
