import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_mix(layers, s, gamma):
    return gamma * torch.einsum("j,j...->...", s.softmax(0), torch.stack(list(layers)))


def mix_by_loop(layers, s, gamma):
    total = s.exp().sum()
    mixed = torch.zeros_like(layers[0])
    for weight, h in zip(s.exp() / total, layers, strict=True):
        mixed = mixed + weight * h
    return gamma * mixed


def right_triangle(t, steps, top, cut, ratio):
    peak = int(steps * cut)
    p = t / peak if t < peak else 1 - (t - peak) / (steps - peak)
    return top * (1 + p * (ratio - 1)) / ratio


def triangle_of_the_paper(t, steps, top, cut, ratio):
    peak = int(steps * cut)
    p = t / peak if t < peak else 1 - (t - peak) / (peak * (1 / (peak / steps) - 1))
    return torch.tensor(top * (1 + p * (ratio - 1)) / ratio)


def right_rates(layers, epoch, top):
    return [top / 2.6 ** (layers - 1 - k) if k >= layers - 1 - epoch else 0 for k in range(layers)]


def rates_by_loop(layers, epoch, top):
    rates = torch.zeros(layers, dtype=torch.float64)
    for k in range(min(epoch + 1, layers)):
        rates[layers - 1 - k] = float(top) / 2.6**k
    return rates


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.layer_mix, right_mix),
        (checks.layer_mix, mix_by_loop),
        (checks.slanted_triangular, right_triangle),
        (checks.slanted_triangular, triangle_of_the_paper),
        (checks.layer_rates, right_rates),
        (checks.layer_rates, rates_by_loop),
    ],
)
def test_right_answers_are_accepted(check, answer):
    accept(check, answer)


def rates(layers, epoch, top, base=2.6, more=1):
    above = [layers - 1 - k for k in range(layers)]
    return [top / base**k if k < epoch + more else 0.0 for k in above]


def thawed_from_below(layers, epoch, top):
    return [top / 2.6 ** (layers - 1 - k) if k <= epoch else 0.0 for k in range(layers)]


def peak_at(whole, fall=None):
    def student(t, steps, top, cut, ratio):
        peak, down = whole(steps * cut), (fall or whole)(steps * (1 - cut))
        p = t / peak if t < peak else 1 - (t - peak) / (down if fall else steps - peak)
        return top * (1 + p * (ratio - 1)) / ratio

    return student


def only_rising(t, steps, top, cut, ratio):
    return top * (1 + t / int(steps * cut) * (ratio - 1)) / ratio


def from_the_start(t, steps, top, cut, ratio):
    p = t / int(steps * cut) if t < int(steps * cut) else 1 - t / steps
    return top * (1 + p * (ratio - 1)) / ratio


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (checks.layer_mix, lambda h, s, g: right_mix(h, s, 1), "gamma is missing"),
        (
            checks.layer_mix,
            lambda h, s, g: g * torch.einsum("j,j...->...", s, torch.stack(h)),
            "through a softmax",
        ),
        (checks.layer_mix, lambda h, s, g: right_mix(h, g * s, 1), "outside of the softmax"),
        (checks.layer_mix, lambda h, s, g: g * torch.stack(h).mean(0), "the plain mean"),
        (checks.layer_mix, lambda h, s, g: g * h[int(s.argmax())], "takes all"),
        (checks.layer_mix, lambda h, s, g: right_mix(h, s.flip(0), g), "the opposite order"),
        (checks.layer_mix, lambda h, s, g: right_mix(h, s, g) / len(h), "do not divide"),
        (
            checks.layer_mix,
            lambda h, s, g: g * s.softmax(0)[:, None, None, None] * torch.stack(h),
            "not added",
        ),
        (checks.layer_mix, lambda h, s, g: g * h[-1], "the last layer alone"),
        (
            checks.slanted_triangular,
            lambda t, n, top, c, r: (right_triangle(t, n, top, c, r) - top / r) * r / (r - 1),
            "not 0",
        ),
        (
            checks.slanted_triangular,
            lambda t, n, top, c, r: (right_triangle(t, n, 1, c, r) * r - 1) / (r - 1),
            "this is p",
        ),
        (
            checks.slanted_triangular,
            lambda t, n, top, c, r: right_triangle(t, n, 1, c, r),
            "top is missing",
        ),
        (
            checks.slanted_triangular,
            lambda t, n, top, c, r: r * right_triangle(t, n, top, c, r),
            "divide by ratio",
        ),
        (
            checks.slanted_triangular,
            lambda t, n, top, c, r: right_triangle(t, n, top, 1 - c, r),
            "exchanged",
        ),
        (checks.slanted_triangular, peak_at(float), "a whole step"),
        (checks.slanted_triangular, peak_at(round), "does not round"),
        (checks.slanted_triangular, peak_at(int, fall=float), "is off by"),
        (checks.slanted_triangular, only_rising, "behind steps * cut it falls"),
        (checks.slanted_triangular, from_the_start, "at the bottom at `steps`"),
        (checks.layer_rates, lambda *g: right_rates(*g)[::-1], "it stands last"),
        (checks.layer_rates, lambda n, e, top: rates(n, 2**e - 1, top), "(4, 2, 0.01) is off"),
        (checks.layer_rates, lambda *g: [x or 1e-9 for x in rates(*g)], "not nearly 0"),
        (checks.layer_rates, thawed_from_below, "unfreeze from the top"),
        (checks.layer_rates, lambda *g: rates(*g, more=0), "is trained already"),
        (checks.layer_rates, lambda *g: rates(*g, more=2), "alone is trained"),
        (checks.layer_rates, lambda n, e, top: rates(n, n, top), "has the rate 0"),
        (checks.layer_rates, lambda *g: rates(*g, base=1 / 2.6), "not multiplied"),
        (checks.layer_rates, lambda *g: rates(*g, base=1), "from layer to layer"),
        (checks.layer_rates, lambda n, e, top: rates(n, e, top / 2.6), "has `top` itself"),
    ],
)
def test_wrong_answers_are_refused_by_their_slip(check, answer, words):
    refuse(check, answer, words)
