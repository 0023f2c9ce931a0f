"""A student's answer is compared: its type, its shape, the first entry that differs, the cause."""

import operator

import numpy as np
import torch
from torch import Tensor

from seqviz.checks.verdict import NOT_MADE, Refused

CLOSE = 16 * torch.finfo(torch.float32).eps  # what float32 may lose on its way


def compare(
    name: str, answer, expected: Tensor, mistakes: dict[str, Tensor] | None = None
) -> Tensor:
    """The answer as float64; Refused where it differs, by the one mistake that explains it.

    Whole numbers are compared exactly, and floats are refused for them. All others may be off by
    what float32 loses, relative to the largest expected (1 where that is more, or where all are
    zeros), whatever type came. Of mistakes that give the same numbers none is named, unless the
    answers before this one rule out all but one.
    """
    values, coarse = _numbers(name, answer, expected)
    whole = not expected.is_floating_point()
    expected = expected.detach().double()
    close = 0 if whole else CLOSE
    mistakes = {text: wrong.double() for text, wrong in (mistakes or {}).items()}
    if _equal(values, expected, close):
        not_made = {text for text, wrong in mistakes.items() if not _equal(wrong, expected, close)}
        NOT_MADE.set(NOT_MADE.get() | not_made)
        return values
    if coarse and not whole:
        close = max(CLOSE, 4 * torch.finfo(coarse).eps)
        if close > CLOSE and _equal(values, expected, close):
            raise Refused(
                f"{name} holds {coarse}, whose rounding hides what is right; compute in "
                "torch.float32 or torch.float64."
            )
    cause = _cause({text for text, wrong in mistakes.items() if _equal(values, wrong, close)})
    if values.shape != expected.shape:
        found = f"has shape {tuple(values.shape)}, expected {tuple(expected.shape)}"
        flat = values.squeeze(), expected.squeeze()
        if values.dim() != expected.dim() and _equal(*flat, close):
            amount = "many" if values.dim() > expected.dim() else "few"
            cause = f"the values are right, there is one dimension too {amount}"
        end = f": {cause}" if cause else ""
    else:
        found, end = _difference(values, expected, close)
        end = f": {cause}" if cause else end
    raise Refused(f"{name} {found}{end}" + "." * (not end.endswith("?")))


def same(given, expected: Tensor) -> bool:
    """Whether what a student hands to a function of ours is what it should be."""
    try:
        values = torch.as_tensor(_listed(given), dtype=torch.float64, device="cpu")
    except Exception:
        return False
    return _equal(values, expected.double())


def holds_nan(answer) -> bool:
    """Whether a number of the answer is NaN; what holds no numbers has none."""
    try:
        return bool(torch.as_tensor(answer).isnan().any())
    except Exception:
        return False


def number(answer) -> float | None:
    """The number that an answer is; None where it is none, or several."""
    try:
        return float(answer)
    except Exception:
        return None


def sole(mistakes: dict, answer, right) -> str:
    """The one mistake that gives a wrong answer, behind a colon; nothing where several do.

    A mistake without which an answer before this one could only be right is none of several.
    """
    if answer == right:
        NOT_MADE.set(NOT_MADE.get() | {text for text, slip in mistakes.items() if slip != right})
        return ""
    cause = _cause({text for text, slip in mistakes.items() if slip == answer})
    return f": {cause}" if cause else ""


def _cause(fitting: set[str]) -> str:
    """The one that fits; of several, if one is left that was not ruled out, or what they share."""
    causes = fitting if len(fitting) == 1 else fitting - NOT_MADE.get()
    heads = {cause.split(": ")[0] for cause in causes}
    return causes.pop() if len(causes) == 1 else heads.pop() if len(heads) == 1 else ""


def plain(name: str, answer, expected):
    """The answer as what is expected, where that is no number: whole numbers, strings."""
    if isinstance(expected, str | set):
        return answer
    if not any(isinstance(x, str) for x in expected):
        return type(expected)(whole_numbers(name, answer))
    if isinstance(answer, str):
        return answer
    if not isinstance(answer, list | tuple) or not all(isinstance(x, str) for x in answer):
        raise Refused(f"{name} must give a list of strings, got {answer!r:.200}.")
    return [*answer]


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
        try:
            answer = answer.flatten().tolist()
        except (RuntimeError, NotImplementedError):
            answer = None  # a sparse tensor, one without data
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


def _numbers(name: str, answer, expected: Tensor) -> tuple[Tensor, torch.dtype | None]:
    """The answer as a tensor of float64, and the coarsest type of the floats that came."""
    try:
        types = _types(answer)
        if any(kind.is_complex for kind in types):
            raise Refused(f"{name} gives complex numbers, expected real ones.")
        values = torch.as_tensor(_listed(answer), dtype=torch.float64, device="cpu")
    except Exception:
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
    return values, max(floats, key=lambda kind: torch.finfo(kind).eps, default=None)


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
        return answer.detach().to_dense()
    return answer.tolist() if isinstance(answer, np.ndarray) else answer


def _difference(values: Tensor, expected: Tensor, close: float) -> tuple[str, str]:
    """By how much the values are off, and the first that is."""
    off = _off(values, expected, close)
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


def _equal(one: Tensor, other: Tensor, close: float = CLOSE) -> bool:
    return one.shape == other.shape and not _off(one, other, close).any()


def _off(one: Tensor, other: Tensor, close: float) -> Tensor:
    """Where numbers differ by more than `close`, relative to themselves or to the largest."""
    sizes = other[other.isfinite()].abs()
    largest = sizes.max().item() if len(sizes) else 0
    largest *= largest >= torch.finfo(torch.float32).tiny  # below, float32 holds zeros
    return ~torch.isclose(one, other, rtol=close, atol=close * (min(1, largest) or 1))


def _kind(answer) -> str:
    """What an answer is, in words."""
    if isinstance(answer, Tensor | np.ndarray):
        return f"a {type(answer).__name__} of shape {tuple(answer.shape)}"
    if isinstance(answer, list | tuple):
        return f"a {type(answer).__name__} of {len(answer)}"
    return f"a {type(answer).__name__}"
