import math

import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

clip = of_lectures()["clip_by_norm"]


def norm_of(gradients):
    return torch.cat([g.flatten() for g in gradients]).norm()


def clip_only(gradients, threshold):
    norm = norm_of(gradients)
    return gradients if norm < threshold else [threshold / norm * g for g in gradients]


def clip_the_long_ones(gradients, threshold):
    """As it should be, but only where one tensor alone is over the threshold."""
    norms = torch.stack([g.norm() for g in gradients])
    alone = norms.isfinite().all() and norms.max() <= threshold
    return gradients if alone else clip(gradients, threshold)


def without_nan(gradients, threshold):
    return clip_only([g.nan_to_num(0, 0, 0) for g in gradients], threshold)


def clip_by_torch(gradients, threshold):
    weights = [torch.nn.Parameter(torch.zeros_like(g)) for g in gradients]
    for weight, g in zip(weights, gradients, strict=True):
        weight.grad = g.clone()
    norm = torch.nn.utils.clip_grad_norm_(weights, math.inf)
    for weight in weights:
        if not norm.isfinite():
            weight.grad = torch.zeros_like(weight)
        elif norm > threshold:
            weight.grad *= threshold / norm
    return tuple(weight.grad for weight in weights)


def radius_rescaled(W, steps):
    size = W.abs().max()
    v = torch.linalg.matrix_power(W / size, steps) @ torch.ones(len(W), dtype=W.dtype)
    return size * (v.norm() / math.sqrt(len(W))) ** (1 / steps)


def growth_by_rows(W, states):
    """Take every unit gradient back at once, as a batch of rows; no Jacobian is formed."""
    G, factors = torch.eye(len(W), dtype=W.dtype), []
    for h in reversed(states[1:]):
        G = (G * (1 - h * h)) @ W
        factors.append(torch.linalg.eigvalsh(G.T @ G).max().sqrt())
    return factors


def test_right_answers_pass():
    for check, answer in (
        (checks.clip_by_norm, clip_by_torch),
        (checks.spectral_radius, radius_rescaled),
        (checks.worst_growth, growth_by_rows),
    ):
        accept(check, answer)


def test_a_wrong_answer_fails_with_its_cause():
    for check, answer, words in (
        (
            checks.clip_by_norm,
            lambda g, t: [x * min(norm_of(g), t) / norm_of(g) for x in g],
            "0 was divided",
        ),
        (checks.clip_by_norm, clip_only, "norm is inf, and no factor mends that; give back zeros"),
        (checks.clip_by_norm, without_nan, "with inf in it"),
        (checks.clip_by_norm, lambda g, t: norm_of(g), "list of tensors"),
        (checks.clip_by_norm, clip_the_long_ones, "together above"),
        (
            checks.spectral_radius,
            lambda W, steps: (
                (
                    (torch.linalg.matrix_power(W, steps) @ torch.ones(len(W), dtype=W.dtype)).norm()
                    / math.sqrt(len(W))
                )
                ** (1 / steps)
            ),
            "overflows",
        ),
    ):
        refuse(check, answer, words)
