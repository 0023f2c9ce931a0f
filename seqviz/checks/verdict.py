"""The verdict of a check: fixed inputs, what differs, by how much, and the likely cause."""

from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Verdict:
    """What a check found. True in a condition when the exercise is solved."""

    passed: bool
    message: str

    def __bool__(self) -> bool:
        """Whether the exercise is solved."""
        return self.passed

    def __repr__(self) -> str:
        """The message, with a sign that does not rest on colour."""
        return f"{'✓' if self.passed else '✗'} {self.message}"


def ramp(*shape: int, low: float = -1.0, high: float = 1.0) -> torch.Tensor:
    """Evenly spaced float64 numbers in the given shape: an input without a random generator."""
    size = torch.Size(shape).numel()
    return torch.linspace(low, high, size, dtype=torch.float64).reshape(shape)


def call(student: Callable, **inputs):
    """Run the student's function on copies; an unsolved stub gives a verdict, an error its trace.

    So does a function that changes an input in place.
    """
    tensors = {name: x for name, x in inputs.items() if isinstance(x, torch.Tensor)}
    copies = {name: x.clone() for name, x in tensors.items()}
    name = getattr(student, "__name__", "your function")
    try:
        answer = student(*(inputs | copies).values())
    except NotImplementedError as error:
        if error.args:  # torch's own, not the stub's
            raise
        answer = None
    if answer is None or answer is Ellipsis:
        return Verdict(False, f"{name} is not solved yet: it gives back nothing.")
    changed = [key for key, x in tensors.items() if not torch.equal(x, copies[key])]
    if changed:
        return Verdict(
            False,
            f"{name} changed its input {' and '.join(changed)} in place; make a new tensor, "
            "h = h + ... rather than h += ...",
        )
    return answer


def compare(
    name: str, answer, expected: torch.Tensor, mistakes: dict[str, torch.Tensor]
) -> Verdict:
    """Compare and name the likely mistake where one explains the difference.

    To 1e-10, or to 1e-6 where the student computed in float32.
    """
    if isinstance(answer, Verdict):
        return answer
    if isinstance(answer, torch.Tensor) and answer.is_complex():
        return Verdict(False, f"{name} gives complex numbers, expected real ones.")
    single = isinstance(answer, torch.Tensor) and answer.dtype == torch.float32
    close = 1e-6 if single else 1e-10
    try:
        answer = torch.as_tensor(answer, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError):
        if isinstance(answer, list | tuple) and any(isinstance(x, torch.Tensor) for x in answer):
            kind = type(answer).__name__
            return Verdict(False, f"{name} gives a {kind} of tensors; torch.stack makes one of it.")
        return Verdict(
            False,
            f"{name} gives a {type(answer).__name__} that is no tensor of numbers, expected one of "
            f"shape {tuple(expected.shape)}.",
        )
    cause = next((text for text, tensor in mistakes.items() if _equal(answer, tensor, close)), None)
    if _equal(answer, expected, close):
        return Verdict(True, f"{name}: right to {close:.0e}.")
    if answer.shape != expected.shape:
        found = f"has shape {tuple(answer.shape)}, expected {tuple(expected.shape)}"
        if _equal(answer.squeeze(), expected, close):
            cause = "the values are right, there is one dimension too many"
    else:
        found = f"is off by up to {(answer - expected).abs().max().item():.3g}"
    detail = f": {cause}" if cause else f": got {_digits(answer)}, expected {_digits(expected)}"
    return Verdict(False, f"{name} {found}{detail}" + "." * (not detail.endswith("?")))


def _equal(one: torch.Tensor, other: torch.Tensor, close: float) -> bool:
    return one.shape == other.shape and torch.allclose(one, other, rtol=0, atol=close)


def _digits(tensor: torch.Tensor) -> str:
    return "[" + ", ".join(f"{value:.4f}" for value in tensor.flatten().tolist()) + "]"
