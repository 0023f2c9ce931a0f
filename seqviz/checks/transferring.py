"""Checks of notebook 15a: how a mix learns, the slanted triangle, and a rate for each layer."""

import torch
from torch import Tensor, einsum, where

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp


@check("right, both, for two, three and five layers.")
def mix_gradients() -> Cases:
    """Check `mix_gradients(layers, s, gamma, above)`: the gradients of s and of gamma.

    The mix is gamma times the sum of softmax(s)_j times layer j. `layers` is a list of tensors
    (batch, time, size), `s` (layers,), `above` (batch, time, size) the gradient of the mix.

    Source: deck 002, "ELMo"; Peters et al. (2018), equation 1.
    """
    for (count, *shape), gamma in (((3, 2, 4, 5), 1.7), ((2, 3, 6, 7), 0.4), ((5, 1, 3, 2), -2.0)):
        layers = [(7 * (j + 1) * ramp(*shape)).sin() + j for j in range(count)]
        s, above = 2 * (5 * ramp(count) + 0.2).cos(), (3 * ramp(*shape) + 1).cos()
        a, m = s.softmax(0), einsum("j...,...->j", torch.stack(layers), above)
        of_gamma = a @ m
        of_s = gamma * a * (m - of_gamma)
        slips = {
            "of s": {
                "gamma stands before the sum: of s it is a factor": of_s / gamma,
                "this is the gradient of the shares; go on through the softmax": gamma * m,
                "if one share grows, the others shrink: take the mean off": gamma * a * m,
                "the mean is weighted by the shares": gamma * a * (m - m.mean()),
                "the sign is turned": -of_s,
            },
            "of gamma": {
                "of gamma it is the mix without gamma, times above": gamma * of_gamma,
                "s must go through a softmax first": s @ m,
                "the shares are missing": m.sum(),
                "above is a gradient already: add up, do not average": of_gamma / above.numel(),
            },
        }
        given = {"layers": layers, "s": s, "gamma": gamma, "above": above}
        right = {"of s": of_s, "of gamma": of_gamma}
        yield Case(f" of {count} layers {tuple(shape)}", given, right, by_part(slips))


def _slanted(t: int, steps: int, top: float, cut: float, ratio: float, whole=int) -> float:
    peak = whole(steps * cut)
    return _rate(t / peak if t < peak else 1 - (t - peak) / (steps - peak), top, ratio)


def _rate(p: float, top: float, ratio: float) -> float:
    return top * (1 + p * (ratio - 1)) / ratio


@check("right, at start, top and end of three triangles.")
def slanted_triangular() -> Cases:
    """Check `slanted_triangular(t, steps, top, cut, ratio)`: a learning rate, one number.

    It rises in a line from top / ratio to `top` at step `steps * cut`, and falls in a line to
    top / ratio at step `steps`.

    Source: deck 002, "ULMfit"; Howard and Ruder (2018), equation 3.
    """
    for steps, top, cut, ratio in ((100, 0.01, 0.1, 32), (33, 2.0, 0.2, 8), (75, 0.3, 0.35, 5)):
        peak = int(steps * cut)
        for t in (1, peak - 1, 0, peak, peak + 1, steps - 1, steps):
            right = _slanted(t, steps, top, cut, ratio)
            p = (ratio * right / top - 1) / (ratio - 1)
            slips = {
                "the lowest rate is top / ratio, not 0": top * p,
                "this is p, from 0 to 1; the rate is top * (1 + p * (ratio - 1)) / ratio": p,
                "top is missing": right / top,
                "divide by ratio, so that the highest rate is top": ratio * right,
                "it rises for steps * cut steps and falls for the others: cut and 1 - cut are "
                "exchanged": _slanted(t, steps, top, 1 - cut, ratio),
                "it rises all the time: behind steps * cut it falls": _rate(t / peak, top, ratio),
                "it falls all the time: until steps * cut it rises": (
                    _rate(1 - (t - peak) / (steps - peak), top, ratio)
                ),
                "it falls from steps * cut on, and is at the bottom at `steps`": (
                    _rate(1 - t / steps, top, ratio)
                ),
                "the peak is a whole step, int(steps * cut)": (
                    _slanted(t, steps, top, cut, ratio, whole=float)
                ),
                "int cuts off what is behind the point, it does not round": (
                    _slanted(t, steps, top, cut, ratio, whole=round)
                ),
            }
            given = {"t": t, "steps": steps, "top": top, "cut": cut, "ratio": ratio}
            yield Case(f"({', '.join(map(str, given.values()))})", given, right, slips)


@check("right, from the first epoch to the last, for three nets.")
def layer_rates() -> Cases:
    """Check `layer_rates(layers, epoch, top)`: the learning rate of each layer, the lowest first.

    The highest layer has `top`, each other the rate of the one above it divided by 2.6. In epoch 0
    only the highest is trained, in each further epoch one more; a layer that is still frozen has 0.

    Source: deck 002, "ULMfit"; Howard and Ruder (2018), 3.2 and 3.3.
    """
    sizes = ((4, 0.01), (3, 2.0), (6, 0.5))
    for layers, top, epoch in ((n, top, e) for n, top in sizes for e in range(n + 2)):
        below = torch.arange(layers, dtype=torch.float64).flip(0)  # layers above each one

        def rates(base: float = 2.6, trained: int = epoch + 1) -> Tensor:
            return where(below < trained, top / base**below, 0.0)

        right, free = rates(), rates(trained=layers)
        slips = {
            "the highest layer learns fastest, and it stands last": right.flip(0),
            "unfreeze from the top: the last layer comes first": free * (right.flip(0) > 0),
            "a layer too few: in epoch 0 the highest is trained already": rates(trained=epoch),
            "a layer too many: in epoch 0 the highest alone is trained": rates(trained=epoch + 2),
            "a layer that is frozen has the rate 0": free,
            "below the top the rates are divided by 2.6, not multiplied": rates(1 / 2.6),
            "each layer has a rate of its own: divide by 2.6 from layer to layer": rates(1.0),
            "the highest layer has `top` itself": right / 2.6,
        }
        given = {"layers": layers, "epoch": epoch, "top": top}
        frozen = "a layer that is frozen has the rate 0, not nearly 0."
        yield Case(f"({layers}, {epoch}, {top})", given, right, slips, zero=frozen)
