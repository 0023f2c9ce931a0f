"""Graded work: a function against another one, on inputs that the exercise does not show."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Refused


def agree(student: Callable, reference: Callable, cases: Sequence[Mapping]) -> None:
    """Check that a function gives what another one gives, for inputs by name.

    All answers are taken before the first expected value is computed. Each call gets copies of its
    inputs and a few seconds.

    Parameters
    ----------
    student : callable
        The function that is graded; takes the inputs of a case in their order.
    reference : callable
        What gives the expected answer: a tensor, a number, a list of whole numbers, or a tuple of
        such.
    cases : sequence of mapping of str to any
        The inputs.

    Raises
    ------
    AssertionError
        If an answer differs; says at which case, and what is the first difference.
    """
    try:
        with torch.random.fork_rng([]), torch.inference_mode(False), torch.enable_grad():
            answers = [call(student, **case) for case in cases]
            for k, (answer, case) in enumerate(zip(answers, cases, strict=True), 1):
                _equal(f"case {k} of {len(cases)}:", answer, reference(*case.values()))
    except Refused as refusal:
        raise AssertionError(str(refusal)) from None


def _equal(where: str, answer, expected) -> None:
    if isinstance(expected, str | bool) or expected is None:
        if answer != expected or type(answer) is not type(expected):
            raise Refused(f"{where} got {answer!r}, expected {expected!r}.")
    elif isinstance(expected, tuple):
        names = ", ".join(f"part {k}" for k in range(1, len(expected) + 1))
        found = parts(where, answer, names) if len(expected) > 1 else list(answer)
        for k, (one, want) in enumerate(zip(found, expected, strict=True), 1):
            _equal(f"{where} part {k}", one, want)
    elif isinstance(expected, list) and any(isinstance(x, str | list | tuple) for x in expected):
        _same_lists(where, answer, expected)
    else:
        wanted = (
            expected if isinstance(expected, Tensor) else torch.from_numpy(np.asarray(expected))
        )
        whole = not wanted.is_floating_point()
        compare(where, answer, wanted if whole else wanted.double())


def _same_lists(where: str, answer, expected: list) -> None:
    """Lists of strings, or of lists: as long, and each part equal."""
    if not isinstance(answer, list | tuple) or len(answer) != len(expected):
        size = f"{len(answer)} parts" if isinstance(answer, list | tuple) else repr(answer)[:60]
        raise Refused(f"{where} got {size}, expected a list of {len(expected)}.")
    for k, (one, want) in enumerate(zip(answer, expected, strict=True)):
        _equal(f"{where} [{k}]", one, want)
