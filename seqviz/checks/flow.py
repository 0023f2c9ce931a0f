"""Checks of notebook 03: clip a gradient, find a spectral radius, bound what many steps do."""

from itertools import accumulate

import torch
from torch import Tensor, cat, diag, stack

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.comparing import number
from seqviz.checks.verdict import Refused, ramp


@check("right for long, short and zero gradients, and skips those with inf or nan.")
def clip_by_norm() -> Cases:
    """Check `clip_by_norm(gradients, threshold)`: a list of tensors, shortened as one vector.

    A gradient whose norm is not finite gives zeros: that step is skipped.

    Source: deck 003, "Trick for exploding gradient: Clipping Gradients", algorithm 1; Pascanu,
    Mikolov and Bengio (2013), algorithm 1.
    """
    long = [ramp(2, 3), ramp(4, low=0.5, high=2.0)]
    three = [ramp(5, 1, low=-0.5, high=0.6), ramp(2, low=-0.9), ramp(3, 4, low=0.3, high=-0.2)]
    for name, gradients, threshold in (
        ("a long gradient", long, 1.5),
        ("a gradient below the threshold", [0.1 * g for g in long], 1.5),
        ("each tensor below the threshold, all together above", _units(long), 1.5),
        ("a gradient of three tensors", three, 0.4),
        ("a long gradient of tiny numbers", [1e-6 * g for g in long], 1e-7),
        ("a gradient of one number", [ramp(1, low=-30.0)], 2.5),
        ("a gradient of zeros", [0 * g for g in long], 1.5),
        ("a gradient with inf in it", [long[0], long[1] / 0], 1.5),
        ("a gradient with nan in it", [0 * long[0] / 0, 0.1 * long[1]], 1.5),
    ):
        asked, flat = f", {name},", _flat(gradients)
        norm = flat.norm()
        scaled = threshold / norm * flat if norm > 0 else flat
        right = scaled if norm >= threshold else flat
        slips = {
            "each tensor is clipped by itself; the norm is that of all numbers together": (
                _flat([g * (threshold / g.norm()).clamp(max=1) for g in gradients])
            ),
            "each number is clipped by itself, which turns the direction": (
                flat.clamp(-threshold, threshold)
            ),
            "a short gradient is stretched; only a long one is scaled": scaled,
            "the norm is the square root of the sum of squares": threshold / norm**2 * flat,
            "torch adds 1e-6 to the norm; divide by the norm itself": (
                (threshold / (norm + 1e-6)).clamp(max=1) * flat
            ),
            "nothing was clipped": flat,
        }

        def read(answer):
            if not isinstance(answer, list | tuple) or not all(hasattr(g, "shape") for g in answer):
                raise Refused(
                    "clip_by_norm must give a list of tensors, one for each that it was given."
                )
            shapes, found = ([tuple(g.shape) for g in some] for some in (gradients, answer))
            if found != shapes:
                found = ", ".join(map(str, found))
                raise Refused(f"clip_by_norm gives shapes {found}; expected {shapes}.")
            numbers = [x for g in answer for x in g.flatten()]
            for x in numbers:
                if not torch.as_tensor(x).isfinite():
                    cause = "0 was divided by the norm, 0"
                    if not norm.isfinite():
                        cause = f"the norm is {norm}, and no factor mends that; give back zeros"
                    raise Refused(f"clip_by_norm{asked} gives {x}: {cause}.")
            return numbers

        given = {"gradients": gradients, "threshold": threshold}
        right = right if norm.isfinite() else torch.zeros_like(flat)
        yield Case(asked, given, right, slips, read=read)


def _units(tensors: list[Tensor]) -> list[Tensor]:
    """The tensors with a norm of 1.2 each."""
    return [1.2 * g / g.norm() for g in tensors]


def _flat(tensors: list[Tensor]) -> Tensor:
    return cat([g.flatten() for g in tensors])


@check("right for six matrices, one of them with complex eigenvalues, one whose powers overflow.")
def spectral_radius() -> Cases:
    """Check `spectral_radius(W, steps)`: the mean growth of a vector that W is applied to.

    From ones of norm 1: multiply by W, note the norm, divide by it, `steps` times; the answer is
    the geometric mean of the norms. No power of W is formed, so nothing overflows.

    Source: deck 003, "Pure Linear Case"; power iteration, Golub and Van Loan, section 7.3.
    """
    turn = torch.tensor([[0.6, -0.9], [0.4, 0.6]], dtype=torch.float64)  # complex eigenvalues
    matrices = (ramp(3, 3, low=-0.4), 5), (turn, 25), (40 * turn, 300), (0.001 * turn, 120)
    for W, steps in (*matrices, (ramp(1, 1, low=-0.7), 3), (ramp(4, 4, high=0.8), 1)):
        asked, more = f", {len(W)} × {len(W)}, {steps} steps,", _factors(W, steps + 1)
        factors = more[:-1]
        right = factors.log().mean().exp()
        slips = {
            "this is the growth of the last step alone": factors[-1],
            "this is the arithmetic mean; growth multiplies, so take the geometric one": (
                factors.mean()
            ),
            "this is the product of all norms, not yet their mean": factors.prod(),
            "this is the largest singular value, which rules one step": _norm(W),
            "W is transposed": _factors(W.T, steps).log().mean().exp(),
            "this counts one step too many": more.log().mean().exp(),
            "this counts the first vector of ones, before it was divided by its norm": (
                right * len(W) ** (0.5 / steps)
            ),
        }

        def read(answer):
            growth = number(answer)
            if growth is not None and not 0 < abs(growth) < torch.inf:
                raise Refused(
                    f"spectral_radius{asked} overflows or becomes 0: divide the vector by its norm "
                    "at every step and keep the norm (or a sum of logarithms)."
                )
            return answer

        yield Case(asked, {"W": W, "steps": steps}, right, slips, read=read)


def _factors(W: Tensor, steps: int) -> Tensor:
    """By how much each product with W lengthens the vector."""
    v, factors = torch.ones(len(W), dtype=W.dtype) / len(W) ** 0.5, []
    for _ in range(steps):
        v = W @ v
        factors.append(v.norm())
        v = v / factors[-1]
    return stack(factors)


@check("right for four matrices and their states.")
def worst_growth() -> Cases:
    """Check `worst_growth(W, states)`: the largest factor on a gradient, 1, 2, ... steps back.

    `states` (time, hidden) are those of a tanh RNN, J_t = diag(1 - h_t^2) W. Going back from the
    last state, the factors are the largest singular values of J_T, J_T J_(T-1), and so on.

    Source: deck 003, equation 11; Pascanu, Mikolov and Bengio (2013), equations 5 to 7.
    """
    shear = torch.tensor([[0.9, 5.0], [0.0, 0.9]], dtype=torch.float64)
    for W, states in (
        (shear, ramp(6, 2, low=-0.9, high=0.7)),
        (ramp(3, 3, low=-0.5, high=1.7), ramp(7, 3, low=-0.6, high=0.9)),
        (0.3 * ramp(4, 4, low=0.9, high=-1.1), ramp(3, 4, low=-0.99, high=0.99)),
        (ramp(1, 1, low=-1.8), ramp(2, 1, low=0.2, high=0.5)),
    ):
        S = (1 - states**2).flip(0)  # the last step first
        jacobians = [diag(s) @ W for s in S[:-1]]
        turned = [J.T for J in jacobians]
        right = _growth(jacobians)
        slips = {
            "the slopes of the tanh are missing": _growth([W] * len(jacobians)),
            "this multiplies the norms of the Jacobians, which is only a bound; take the norm of "
            "their product": stack([_norm(J) for J in jacobians]).cumprod(0),
            "this starts at the first state; a gradient goes back from the last one": (
                _growth(turned[::-1])
            ),
            "the order is turned around; the later Jacobian stands on the left": _growth(turned),
            "the slope comes after W: diag(1 - h_t^2) W": _growth([W @ diag(s) for s in S[:-1]]),
            "J_t has the slope at h_t, the later one of the two states": (
                _growth([diag(s) @ W for s in S[1:]])
            ),
            "h is what comes out of the tanh, so its slope is 1 - h^2": (
                _growth([diag(1 - h.tanh() ** 2) @ W for h in states[1:].flip(0)])
            ),
            "this is the Frobenius norm; take the largest singular value": (
                _growth(jacobians, norm=torch.linalg.matrix_norm)
            ),
            "this starts with 0 steps; start with 1": cat([torch.ones(1).double(), right[:-1]]),
        }
        asked = f", {len(W)} × {len(W)}, {len(states)} states,"
        yield Case(asked, {"W": W, "states": states}, right, slips)


def _norm(W: Tensor) -> Tensor:
    return torch.linalg.matrix_norm(W, 2)


def _growth(matrices: list[Tensor], norm=_norm) -> Tensor:
    """The norms of M_1, M_1 M_2, and so on."""
    return stack([norm(P) for P in accumulate(matrices, torch.matmul)])
