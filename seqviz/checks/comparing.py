"""A student's answer is compared: its type, its shape, the first entry that differs, the cause."""

import operator

import numpy as np
import torch
from torch import Tensor

from seqviz.checks.verdict import Refused

TO = 1e-10  # relative to the value, and absolute below 1
ULPS = 16  # units in the last place, where that of the answer's type is coarser
SINGLE = ULPS * torch.finfo(torch.float32).eps


def compare(
    name: str, answer, expected: Tensor, mistakes: dict[str, Tensor] | None = None
) -> Tensor:
    """The answer as float64; Refused where it differs, by the mistake that explains it.

    Where whole numbers are expected, floats are refused. The tolerance is that of the coarsest
    type that came; what no mistake explains may be off as if it had been float32 on its way.
    """
    values, close = _numbers(name, answer, expected)
    expected = expected.detach().double()
    if _equal(values, expected, close):
        return values
    explain = (text for text, x in (mistakes or {}).items() if _equal(values, x.double(), close))
    cause = next(explain, "")
    if not cause and _equal(values, expected, SINGLE):
        return values
    if values.shape != expected.shape:
        found = f"has shape {tuple(values.shape)}, expected {tuple(expected.shape)}"
        if _equal(values.squeeze(), expected.squeeze(), close):
            amount = "many" if values.dim() > expected.dim() else "few"
            cause = f"the values are right, there is one dimension too {amount}"
        end = f": {cause}" if cause else ""
    else:
        found, end = _difference(values, expected, close)
        end = f": {cause}" if cause else end
    raise Refused(f"{name} {found}{end}" + "." * (not end.endswith("?")))


def same(given, expected: Tensor) -> bool:
    """Whether what a student hands to a function of ours is what it should be."""
    values = torch.as_tensor(given, dtype=torch.float64)
    return _equal(values, expected, SINGLE)


def parts(name: str, answer, what: str) -> list:
    """The answer's parts, as many as `what` names: "context, weights" are two."""
    count = what.count(",") + 1
    if isinstance(answer, Tensor | np.ndarray) and np.ndim(answer) and len(answer) == count:
        return list(answer)
    if not isinstance(answer, list | tuple) or len(answer) != count:
        number = {2: "two", 3: "three"}.get(count, str(count))
        raise Refused(f"{name} must give {number} things, {what}; it gives {_kind(answer)}.")
    return list(answer)


def whole_numbers(name: str, answer) -> list[int]:
    """The answer as a list of ints; Refused where it is no row of whole numbers."""
    if isinstance(answer, Tensor | np.ndarray):
        answer = answer.flatten().tolist()
    if not isinstance(answer, list | tuple):
        raise Refused(f"{name} gives {_kind(answer)}, expected a list of whole numbers.")
    numbers = []
    for x in answer:
        try:
            numbers.append(operator.index(x.item() if isinstance(x, Tensor) else x))
        except (TypeError, ValueError, RuntimeError):
            raise Refused(
                f"{name} gives a list with {_kind(x)} in it, expected whole numbers alone."
            ) from None
    return numbers


def _numbers(name: str, answer, expected: Tensor) -> tuple[Tensor, float]:
    """The answer as a tensor of float64, and the tolerance of the type that it came in."""
    try:
        types = _types(answer)
        if any(kind.is_complex for kind in types):
            raise Refused(f"{name} gives complex numbers, expected real ones.")
        values = torch.as_tensor(_listed(answer), dtype=torch.float64, device="cpu")
    except (TypeError, ValueError, RuntimeError, OverflowError):
        if isinstance(answer, list | tuple) and any(isinstance(x, Tensor) for x in answer):
            kind = type(answer).__name__
            raise Refused(
                f"{name} gives a {kind} of tensors; torch.stack makes one of it."
            ) from None
        raise Refused(
            f"{name} gives {_kind(answer)}, no tensor of numbers; expected one of shape "
            f"{tuple(expected.shape)}."
        ) from None
    floats = [kind for kind in types if kind.is_floating_point]
    if floats and not expected.is_floating_point() and values.shape == expected.shape:
        raise Refused(
            f"{name} holds {floats[0]}, expected whole numbers ({expected.dtype}): they say which "
            "one. // keeps numbers whole, / does not."
        )
    return values, max(TO, *(ULPS * torch.finfo(kind).eps for kind in floats), 0)


def _types(answer) -> set[torch.dtype]:
    """The types of all numbers in an answer."""
    if isinstance(answer, list | tuple):
        return set().union(*map(_types, answer))
    if type(answer) is float:
        return {torch.float64}
    if isinstance(answer, np.ndarray):
        return {torch.as_tensor(np.zeros(1, answer.dtype)).dtype}
    return {torch.as_tensor(answer).dtype}


def _listed(answer):
    """The answer without gradients, with lists for numpy's arrays, whose strides may be odd."""
    if isinstance(answer, list | tuple):
        return [_listed(part) for part in answer]
    if isinstance(answer, Tensor):
        return answer.detach()
    return answer.tolist() if isinstance(answer, np.ndarray) else answer


def _difference(values: Tensor, expected: Tensor, close: float) -> tuple[str, str]:
    """By how much the values are off, and the first that is."""
    off = ~torch.isclose(values, expected, rtol=close, atol=close)
    apart = (values - expected).abs().nan_to_num(torch.inf, torch.inf)
    large = apart >= 0.01 * apart[off].max()  # a smaller one would look like rounding
    place = (off & large).nonzero()[0].tolist()
    got, wanted = values[tuple(place)].item(), expected[tuple(place)].item()
    digits = next((d for d in range(4, 17) if f"{got:.{d}g}" != f"{wanted:.{d}g}"), 17)
    where = f"first at {place}: " if place else ""
    end = f"; {where}got {got:.{digits}g}, expected {wanted:.{digits}g}"
    strange = values[~values.isfinite()]
    if len(strange):
        return f"holds {strange[0].item()}", end
    return f"is off by up to {(values - expected).abs().max().item():.3g}", end


def _equal(one: Tensor, other: Tensor, close: float) -> bool:
    return one.shape == other.shape and torch.allclose(one, other, rtol=close, atol=close)


def _kind(answer) -> str:
    """What an answer is, in words."""
    if isinstance(answer, Tensor | np.ndarray):
        return f"a {type(answer).__name__} of shape {tuple(answer.shape)}"
    if isinstance(answer, list | tuple):
        return f"a {type(answer).__name__} of {len(answer)}"
    return f"a {type(answer).__name__}"
