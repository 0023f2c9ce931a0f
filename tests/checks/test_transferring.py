import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def mix_by_loop(layers, s, gamma):
    total = s.exp().sum()
    mixed = torch.zeros_like(layers[0])
    for weight, h in zip(s.exp() / total, layers, strict=True):
        mixed = mixed + weight * h
    return gamma * mixed


def triangle_of_the_paper(t, steps, top, cut, ratio):
    peak = int(steps * cut)
    p = t / peak if t < peak else 1 - (t - peak) / (peak * (1 / (peak / steps) - 1))
    return torch.tensor(top * (1 + p * (ratio - 1)) / ratio)


def rates_by_loop(layers, epoch, top):
    rates = torch.zeros(layers, dtype=torch.float64)
    for k in range(min(epoch + 1, layers)):
        rates[layers - 1 - k] = float(top) / 2.6**k
    return rates


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.layer_mix, mix_by_loop),
        (checks.slanted_triangular, triangle_of_the_paper),
        (checks.layer_rates, rates_by_loop),
    ):
        accept(check, answer)


def rates(layers, epoch, top, base=2.6, more=1):
    above = [layers - 1 - k for k in range(layers)]
    return [top / base**k if k < epoch + more else 0.0 for k in above]


def peak_at(whole, fall=None):
    def student(t, steps, top, cut, ratio):
        peak, down = whole(steps * cut), (fall or whole)(steps * (1 - cut))
        p = t / peak if t < peak else 1 - (t - peak) / (down if fall else steps - peak)
        return top * (1 + p * (ratio - 1)) / ratio

    return student


def test_wrong_answers_are_refused_by_their_slip():
    for check, answer, words in (
        (checks.slanted_triangular, peak_at(int, fall=float), "is off by"),
        (checks.layer_rates, lambda n, e, top: rates(n, 2**e - 1, top), "(4, 2, 0.01) is off"),
    ):
        refuse(check, answer, words)
