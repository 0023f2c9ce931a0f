"""Checks of notebook 03: clip a gradient, find a spectral radius, bound what many steps do."""

from collections.abc import Callable
from itertools import accumulate

import torch
from torch import Tensor

from seqviz.checks.verdict import Verdict, call, compare, ramp


def clip_by_norm(student: Callable) -> Verdict:
    """Check `clip_by_norm(gradients, threshold)`: a list of tensors, shortened as one vector.

    A gradient whose norm is not finite gives zeros: that step is skipped.

    Source: deck 003, "Trick for exploding gradient: Clipping Gradients", algorithm 1; Pascanu,
    Mikolov and Bengio (2013), algorithm 1.
    """
    long = [ramp(2, 3), ramp(4, low=0.5, high=2.0)]
    cases = {
        "a long gradient": (long, 1.5),
        "a gradient below the threshold": ([0.1 * g for g in long], 1.5),
        "a gradient of zeros": ([0 * g for g in long], 1.5),
        "a gradient with inf in it": ([long[0], long[1] / 0], 1.5),
        "a gradient with nan in it": ([0 * long[0] / 0, 0.1 * long[1]], 1.5),
    }
    for name, (gradients, threshold) in cases.items():
        norm = _flat(gradients).norm()
        scaled = [threshold / norm * g for g in gradients] if norm > 0 else gradients
        expected = scaled if norm >= threshold else gradients
        if not norm.isfinite():
            expected = [torch.zeros_like(g) for g in gradients]
        mistakes = {
            "each tensor is clipped by itself; the norm is that of all numbers together": _flat(
                [g * (threshold / g.norm()).clamp(max=1) for g in gradients]
            ),
            "each number is clipped by itself, which turns the direction": _flat(
                [g.clamp(-threshold, threshold) for g in gradients]
            ),
            "a short gradient is stretched; only a long one is scaled": _flat(scaled),
            "the norm is the square root of the sum of squares": _flat(
                [threshold / norm**2 * g for g in gradients]
            ),
            "torch adds 1e-6 to the norm; divide by the norm itself": _flat(
                [threshold / (norm + 1e-6) * g for g in gradients]
            ),
            "nothing was clipped": _flat(gradients),
        }
        answer = _answer(student, gradients, threshold)
        if not isinstance(answer, Verdict):
            shapes = [tuple(g.shape) for g in gradients]
            if [tuple(g.shape) for g in answer] != shapes:
                found = ", ".join(str(tuple(g.shape)) for g in answer)
                return Verdict(False, f"clip_by_norm gives shapes {found}; expected {shapes}.")
            answer = _flat(answer)
            if not answer.isfinite().all():
                cause = "0 was divided by the norm, 0"
                if not norm.isfinite():
                    cause = f"the norm is {norm}, and no factor mends that; give back zeros"
                found = answer[~answer.isfinite()][0]
                return Verdict(False, f"clip_by_norm, {name}, gives {found}: {cause}.")
        verdict = compare(f"clip_by_norm, {name},", answer, _flat(expected), mistakes)
        if not verdict:
            return verdict
    return Verdict(
        True,
        "clip_by_norm: right for a long, a short and a zero gradient, to 1e-10, and skips those "
        "with inf or nan.",
    )


def spectral_radius(student: Callable) -> Verdict:
    """Check `spectral_radius(W, steps)`: the mean growth of a vector that W is applied to.

    From ones of norm 1: multiply by W, note the norm, divide by it, `steps` times; the answer is
    the geometric mean of the norms. No power of W is formed, so nothing overflows.

    Source: deck 003, "Pure Linear Case"; power iteration, Golub and Van Loan, section 7.3.
    """
    turn = torch.tensor([[0.6, -0.9], [0.4, 0.6]], dtype=torch.float64)  # complex eigenvalues
    for W, steps in ((ramp(3, 3, low=-0.4), 12), (turn, 25), (40 * turn, 300)):
        factors = _factors(W, steps)
        expected = factors.log().mean().exp()
        mistakes = {
            "this is the growth of the last step alone": factors[-1],
            "this is the arithmetic mean; growth multiplies, so take the geometric one": (
                factors.mean()
            ),
            "this is the product of all norms, not yet their mean": factors.prod(),
            "this is the largest singular value, which rules one step": _norm(W),
            "W is transposed": _factors(W.T, steps).log().mean().exp(),
        }
        asked = f"spectral_radius, {len(W)} × {len(W)}, {steps} steps,"
        answer = call(student, W=W, steps=steps)
        if _overflowed(answer):
            return Verdict(
                False,
                f"{asked} overflows: divide the vector by its norm at every step and keep the "
                "norm (a sum of logarithms does not overflow either).",
            )
        verdict = compare(asked, answer, expected, mistakes)
        if not verdict:
            return verdict
    return Verdict(
        True,
        "spectral_radius: right for three matrices, one of them with complex eigenvalues, one "
        "whose powers overflow.",
    )


def worst_growth(student: Callable) -> Verdict:
    """Check `worst_growth(W, states)`: the largest factor on a gradient, 1, 2, ... steps back.

    `states` (time, hidden) are those of a tanh RNN, J_t = diag(1 - h_t^2) W. Going back from the
    last state, the factors are the largest singular values of J_T, J_T J_(T-1), and so on.

    Source: deck 003, equation 11; Pascanu, Mikolov and Bengio (2013), equations 5 to 7.
    """
    shear = torch.tensor([[0.9, 5.0], [0.0, 0.9]], dtype=torch.float64)
    cases = (
        (shear, ramp(6, 2, low=-0.9, high=0.7)),
        (ramp(3, 3, low=-0.5, high=1.7), ramp(7, 3, low=-0.6, high=0.9)),
    )
    for W, states in cases:
        slopes = 1 - states**2
        jacobians = [torch.diag(s) @ W for s in slopes[1:].flip(0)]  # the last step first
        mirrored = [W @ torch.diag(s) for s in slopes[1:].flip(0)]
        early = [torch.diag(s) @ W for s in slopes[:-1].flip(0)]
        twice = [torch.diag(1 - h.tanh() ** 2) @ W for h in states[1:].flip(0)]
        expected = _growth(jacobians)
        mistakes = {
            "the slopes of the tanh are missing": _growth([W] * len(jacobians)),
            "this multiplies the norms of the Jacobians, which is only a bound; take the norm of "
            "their product": torch.stack([_norm(J) for J in jacobians]).cumprod(0),
            "this starts at the first state; a gradient goes back from the last one": (
                _growth([J.T for J in jacobians[::-1]])
            ),
            "the order is turned around; the later Jacobian stands on the left": (
                _growth([J.T for J in jacobians])
            ),
            "the slope comes after W: diag(1 - h_t^2) W": _growth(mirrored),
            "J_t has the slope at h_t, the later one of the two states": _growth(early),
            "h is what comes out of the tanh, so its slope is 1 - h^2": _growth(twice),
            "this is the Frobenius norm; take the largest singular value": torch.stack(
                [P.norm() for P in _products(jacobians)]
            ),
            "this starts with 0 steps; start with 1": torch.cat(
                [torch.ones(1, dtype=torch.float64), expected[:-1]]
            ),
        }
        answer = call(student, W=W, states=states)
        asked = f"worst_growth, {len(W)} × {len(W)}, {len(states)} states,"
        verdict = compare(asked, answer, expected, mistakes)
        if not verdict:
            return verdict
    return Verdict(True, "worst_growth: right for two matrices and their states, to 1e-10.")


def _answer(student: Callable, gradients: list[Tensor], threshold: float) -> list[Tensor] | Verdict:
    """The student's list as tensors, or why it is none."""
    given = [g.clone() for g in gradients]
    answer = call(student, gradients=given, threshold=threshold)
    if isinstance(answer, Verdict):
        return answer
    if any(
        not torch.equal(g.nan_to_num(), copy.nan_to_num())
        for g, copy in zip(gradients, given, strict=False)
    ):
        return Verdict(
            False, "clip_by_norm changed its input gradients in place; make new tensors."
        )
    if not isinstance(answer, list | tuple) or not all(isinstance(g, Tensor) for g in answer):
        return Verdict(
            False, "clip_by_norm must give a list of tensors, one for each that it was given."
        )
    return list(answer)


def _factors(W: Tensor, steps: int) -> Tensor:
    """By how much each product with W lengthens the vector."""
    v, factors = torch.ones(len(W), dtype=W.dtype) / len(W) ** 0.5, []
    for _ in range(steps):
        v = W @ v
        factors.append(v.norm())
        v = v / factors[-1]
    return torch.stack(factors)


def _overflowed(answer) -> bool:
    try:
        return not torch.as_tensor(answer, dtype=torch.float64).isfinite().all()
    except (TypeError, ValueError, RuntimeError):
        return False


def _products(matrices: list[Tensor]) -> list[Tensor]:
    """M_1, M_1 M_2, and so on."""
    return list(accumulate(matrices, torch.matmul))


def _growth(matrices: list[Tensor]) -> Tensor:
    return torch.stack([_norm(P) for P in _products(matrices)])


def _norm(W: Tensor) -> Tensor:
    return torch.linalg.matrix_norm(W, 2)


def _flat(tensors: list[Tensor]) -> Tensor:
    return torch.cat([g.flatten() for g in tensors])
