"""A student's function is run: on copies, for a few seconds, and its errors become a sentence."""

import functools
import inspect
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import islice

import torch

from seqviz.checks.verdict import Refused
from seqviz.deadline import Hanging, told, within

LIMIT = 3.0  # seconds of the processor for one call


def call(student: Callable, **inputs):
    """What the student's function gives for copies of the inputs, in their order.

    Refused, with a sentence: a function with other arguments, an unsolved stub, an exception, an
    answer that does not come in `LIMIT` seconds, an input that was changed in place.
    """
    name = getattr(student, "__name__", "your function")
    given = deepcopy(inputs)
    _fits(student, name, inputs)
    _warm_up()
    called = getattr(student, "in_place", student)  # of a grader's, whose arguments are copies
    try:
        answer = within(LIMIT, lambda: _whole(called(*given.values())))
    except Hanging:
        raise Refused(
            f"{name} was stopped: it had not come to an end after {LIMIT:g} seconds. Does each "
            "turn of its loop come nearer to the end?"
        ) from None
    except Exception as error:
        if isinstance(error, NotImplementedError) and not error.args:
            answer = None  # a stub; torch's own has a text
        else:
            raise Refused(f"{name} raised {told(error, name, globals())}") from None
    if answer is None or answer is Ellipsis:
        raise Refused(f"{name} is not solved yet: it gives back nothing.")
    changed = [key for key, before in inputs.items() if not _same(before, given[key])]
    if changed:
        one = changed[0]
        hint = (
            f"make a new tensor, {one} = {one} + ... rather than {one} += ..., or a {one}.clone()"
        )
        if not any(isinstance(inputs[key], torch.Tensor) for key in changed):
            hint = "work on a copy of it"
        raise Refused(f"{name} changed its input {' and '.join(changed)} in place; {hint}")
    return answer


@functools.cache
def _warm_up() -> None:
    """Let torch import what its first gradient needs: no student's time."""
    with torch.enable_grad():
        x = torch.ones(1, requires_grad=True)
        torch.autograd.grad(x.sum(), x)


def at_most(times: int, function: Callable, sentence: str) -> Callable:
    """`function`, for a student's loop: the loop ends with the sentence when it calls too often."""
    calls = 0

    def counted(*given):
        nonlocal calls
        calls += 1
        if calls > times:
            raise Refused(sentence)
        return function(*given)

    return counted


def _fits(student: Callable, name: str, inputs: dict) -> None:
    """Refuse a function that cannot be called with so many arguments."""
    try:
        inspect.signature(student).bind(*inputs)
    except TypeError:
        raise Refused(
            f"{name} cannot be called as {name}({', '.join(inputs)}); keep the arguments of the "
            "exercise, in its order."
        ) from None
    except ValueError:  # some functions written in C do not say what they take
        pass


def _whole(answer):
    """What a generator yields, as a list."""
    return list(islice(answer, 10_000)) if isinstance(answer, Iterator) else answer


def _same(before, after) -> bool:
    """Whether an argument is still what it was."""
    if isinstance(before, torch.nn.Module):
        return _same(dict(before.state_dict()), dict(after.state_dict()))
    if isinstance(before, torch.Tensor):
        nan = before.isnan()
        return torch.equal(nan, after.isnan()) and torch.equal(before[~nan], after[~nan])
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(_same(before[k], after[k]) for k in before)
    if isinstance(before, list | tuple):
        return len(before) == len(after) and all(map(_same, before, after))
    return before == after
