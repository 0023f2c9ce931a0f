"""A student's function is run: on copies, for a few seconds, and its errors become a sentence."""

import ctypes
import inspect
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import islice

import torch

from seqviz.checks.verdict import Refused

LIMIT = 3.0  # seconds for one call


class _Hanging(BaseException):
    """Raised inside a function that has used up its time."""


def call(student: Callable, **inputs):
    """What the student's function gives for copies of the inputs, in their order.

    Refused, with a sentence: a function with other arguments, an unsolved stub, an exception, an
    answer that does not come in `LIMIT` seconds, an input that was changed in place.
    """
    name = getattr(student, "__name__", "your function")
    given = deepcopy(inputs)
    _fits(student, name, inputs)
    try:
        answer = _within(LIMIT, lambda: _whole(student(*given.values())))
    except _Hanging:
        raise Refused(
            f"{name} was stopped: it had not come to an end after {LIMIT:g} seconds. Does each "
            "turn of its loop come nearer to the end?"
        ) from None
    except Exception as error:
        if isinstance(error, NotImplementedError) and not error.args:
            answer = None  # a stub; torch's own has a text
        else:
            raise Refused(f"{name} raised {_told(error, name)}") from None
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


def _within(seconds: float, function: Callable):
    """Run `function` in this thread; raise _Hanging inside it when the seconds are over.

    The thread stays the caller's own, with its gradient mode and its Ctrl-C. A second thread
    keeps the time and, from then on, repeats the exception for code that catches everything. The
    exception arrives between two lines of Python, so a single long call of C is not cut short.
    """
    caller, gate = threading.get_ident(), threading.Lock()
    over, raised = threading.Event(), threading.Event()

    def keep_time() -> None:
        while not over.wait(seconds):
            with gate:
                if not over.is_set():
                    raised.set()
                    _hang(caller)

    def finish() -> None:
        with gate:
            over.set()
        if raised.is_set():  # one may be on its way, and would hit whoever runs next: take it here
            try:
                _hang(caller)
                while True:
                    time.sleep(0)
            except _Hanging:
                pass

    threading.Thread(target=keep_time, daemon=True).start()
    try:
        try:
            return function()
        finally:
            finish()
    except _Hanging:
        finish()
        raise


def _hang(thread: int) -> None:
    """Raise _Hanging in a thread, at its next step; of two that are on their way one arrives."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Hanging))


def _told(error: Exception, name: str) -> str:
    """An exception in one line: its kind, its last line in the student's code, its text.

    The line counts from the start of a cell, so another function than `name` is named.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    inside = [k for k, (frame, _) in enumerate(frames) if frame.f_globals is not globals()]
    place = ""
    if inside:
        own = frames[inside[0]][0].f_globals  # all cells of a notebook share them
        last = max(k for k in inside if frames[k][0].f_globals is own)
        summary = traceback.extract_tb(error.__traceback__)[last]
        place = f" in line {summary.lineno}" + (
            f" of {summary.name}" if summary.name != name else ""
        )
        place += f", `{summary.line}`" if summary.line else ""
    text = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}{place}" + (f": {text}" if text else ".")


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
