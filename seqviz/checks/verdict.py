"""The verdict of a check, and the fixed inputs that it is based on."""

from contextvars import ContextVar
from dataclasses import dataclass

import torch

# The mistakes that the answers so far, of the exercise that is checked, were right without.
NOT_MADE: ContextVar[frozenset[str]] = ContextVar("NOT_MADE", default=frozenset())


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


class Refused(BaseException):
    """Why an answer is not right. No `except Exception` of a student's stops it on its way."""


def ramp(*shape: int, low: float = -1.0, high: float = 1.0) -> torch.Tensor:
    """Evenly spaced float64 numbers in the given shape: an input without a random generator."""
    size = torch.Size(shape).numel()
    return torch.linspace(low, high, size, dtype=torch.float64).reshape(shape)
