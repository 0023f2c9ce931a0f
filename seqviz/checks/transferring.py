"""Checks of notebook 15a: the mix of layers, the slanted triangle, and a rate for each layer."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare
from seqviz.checks.verdict import Refused, Verdict, check, ramp


@check
def layer_mix(student: Callable) -> Verdict:
    """Check `layer_mix(layers, s, gamma)`: gamma times the sum of softmax(s)_j times layer j.

    `layers` is a list of tensors (batch, time, size), `s` (layers,), `gamma` a number.

    Source: deck 002, "ELMo"; Peters et al. (2018), equation 1.
    """
    for (count, *shape), gamma in (((3, 2, 4, 5), 1.7), ((2, 3, 6, 7), 0.4), ((5, 1, 3, 2), -2.0)):
        layers = [(7 * (j + 1) * ramp(*shape)).sin() + j for j in range(count)]
        s = 2 * (5 * ramp(count) + 0.2).cos()
        h = torch.stack(layers)
        weights = s.softmax(0)
        right = gamma * torch.einsum("j,j...->...", weights, h)
        wrong = {
            "gamma is missing": right / gamma,
            "s must go through a softmax first": gamma * torch.einsum("j,j...->...", s, h),
            "gamma stands outside of the softmax": torch.einsum(
                "j,j...->...", (gamma * s).softmax(0), h
            ),
            "this is the plain mean: s is not used": gamma * h.mean(0),
            "the largest s takes all; the softmax gives each layer a share": (
                gamma * h[weights.argmax()]
            ),
            "this is the last layer alone": gamma * h[-1],
            "the weights stand in the opposite order": gamma
            * torch.einsum("j,j...->...", weights.flip(0), h),
            "the layers are weighted but not added": gamma * weights[:, None, None, None] * h,
            "the softmax gives a sum already; do not divide by the number of layers": right / count,
        }
        answer = call(student, layers=layers, s=s, gamma=gamma)
        compare(f"layer_mix of {count} layers {tuple(shape)}", answer, right, wrong)
    return Verdict(True, "layer_mix: right, for two, three and five layers.")


def _number(x: float) -> Tensor:
    return torch.tensor(x, dtype=torch.float64)


def _slanted(t: int, steps: int, top: float, cut: float, ratio: float, *, whole=int) -> float:
    peak = whole(steps * cut)
    p = t / peak if t < peak else 1 - (t - peak) / (steps - peak)
    return top * (1 + p * (ratio - 1)) / ratio


@check
def slanted_triangular(student: Callable) -> Verdict:
    """Check `slanted_triangular(t, steps, top, cut, ratio)`: a learning rate, one number.

    It rises in a line from top / ratio to `top` at step `steps * cut`, and falls in a line to
    top / ratio at step `steps`.

    Source: deck 002, "ULMfit"; Howard and Ruder (2018), equation 3.
    """
    for steps, top, cut, ratio in ((100, 0.01, 0.1, 32), (33, 2.0, 0.2, 8), (75, 0.3, 0.35, 5)):
        peak = int(steps * cut)
        for t in (1, peak - 1, 0, peak, peak + 1, steps - 1, steps):
            given = (t, steps, top, cut, ratio)
            p = ratio * _slanted(*given) / top
            mistakes = {
                "the lowest rate is top / ratio, not 0": top * (p - 1) / (ratio - 1),
                "this is p, from 0 to 1; the rate is top * (1 + p * (ratio - 1)) / ratio": (
                    (p - 1) / (ratio - 1)
                ),
                "top is missing": p / ratio,
                "divide by ratio, so that the highest rate is top": top * p,
                "it rises for steps * cut steps and falls for the others: cut and 1 - cut are "
                "exchanged": _slanted(t, steps, top, 1 - cut, ratio),
                "it rises all the time: behind steps * cut it falls": (
                    top * (1 + t / peak * (ratio - 1)) / ratio
                ),
                "it falls all the time: until steps * cut it rises": (
                    top * (1 + (1 - (t - peak) / (steps - peak)) * (ratio - 1)) / ratio
                ),
                "it falls from steps * cut on, and is at the bottom at `steps`": (
                    top * (1 + (1 - t / steps) * (ratio - 1)) / ratio
                ),
                "the peak is a whole step, int(steps * cut)": _slanted(*given, whole=float),
                "int cuts off what is behind the point, it does not round": (
                    _slanted(*given, whole=round)
                ),
            }
            asked = f"slanted_triangular({', '.join(map(str, given))})"
            names = ("t", "steps", "top", "cut", "ratio")
            answer = call(student, **dict(zip(names, given, strict=True)))
            compare(
                asked,
                answer,
                _number(_slanted(*given)),
                {text: _number(x) for text, x in mistakes.items()},
            )
    return Verdict(True, "slanted_triangular: right, at start, top and end of three triangles.")


def _rates(layers: int, epoch: int, top: float, *, base: float = 2.6, more: int = 1) -> Tensor:
    below = torch.arange(layers, dtype=torch.float64).flip(0)  # layers above each one
    return torch.where(below < epoch + more, top / base**below, 0.0)


@check
def layer_rates(student: Callable) -> Verdict:
    """Check `layer_rates(layers, epoch, top)`: the learning rate of each layer, the lowest first.

    The highest layer has `top`, each other the rate of the one above it divided by 2.6. In epoch 0
    only the highest is trained, in each further epoch one more; a layer that is still frozen has 0.

    Source: deck 002, "ULMfit"; Howard and Ruder (2018), 3.2 and 3.3.
    """
    for layers, top in ((4, 0.01), (3, 2.0), (6, 0.5)):
        for epoch in range(layers + 2):
            right = _rates(layers, epoch, top)
            free = _rates(layers, layers, top)
            frozen = right == 0
            mistakes = {
                "the highest layer learns fastest, and it stands last": right.flip(0),
                "unfreeze from the top: the last layer comes first": free.masked_fill(
                    frozen.flip(0), 0
                ),
                "a layer too few: in epoch 0 the highest is trained already": _rates(
                    layers, epoch, top, more=0
                ),
                "a layer too many: in epoch 0 the highest alone is trained": _rates(
                    layers, epoch, top, more=2
                ),
                "a layer that is frozen has the rate 0": free,
                "below the top the rates are divided by 2.6, not multiplied": _rates(
                    layers, epoch, top, base=1 / 2.6
                ),
                "each layer has a rate of its own: divide by 2.6 from layer to layer": _rates(
                    layers, epoch, top, base=1.0
                ),
                "the highest layer has `top` itself": right / 2.6,
            }
            answer = call(student, layers=layers, epoch=epoch, top=top)
            asked = f"layer_rates({layers}, {epoch}, {top})"
            rates = compare(asked, answer, right, mistakes)
            if rates[frozen].any():
                raise Refused(f"{asked}: a layer that is frozen has the rate 0, not nearly 0.")
    return Verdict(True, "layer_rates: right, from the first epoch to the last, for three nets.")
