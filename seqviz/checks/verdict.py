"""The verdict of a check, and the fixed inputs that it is based on."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps

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


def check(exercise: Callable[[Callable], Verdict]) -> Callable[[Callable], Verdict]:
    """Make a check of a function that raises Refused: a Verdict comes back in any case.

    Gradients are on while it runs, and the random state afterwards is what it was before.
    """

    @wraps(exercise)
    def checked(student: Callable) -> Verdict:
        if not callable(student):
            return Verdict(
                False,
                f"sv.checks.{exercise.__name__} wants your function itself and got a "
                f"{type(student).__name__}. Hand in its name alone, without brackets behind it.",
            )
        before = NOT_MADE.set(frozenset())
        try:
            with torch.random.fork_rng([]), torch.inference_mode(False), torch.enable_grad():
                return exercise(student)
        except Refused as refusal:
            return Verdict(False, str(refusal))
        finally:
            NOT_MADE.reset(before)

    return checked


def ramp(*shape: int, low: float = -1.0, high: float = 1.0) -> torch.Tensor:
    """Evenly spaced float64 numbers in the given shape: an input without a random generator."""
    size = torch.Size(shape).numel()
    return torch.linspace(low, high, size, dtype=torch.float64).reshape(shape)
