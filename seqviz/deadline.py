"""Code that is not ours gets some seconds, and its errors become a sentence."""

import ctypes
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType

PATIENCE = 5  # times as long on the clock as on the processor, where code waits or others work


class Hanging(BaseException):
    """Raised inside code that has used up its time."""


class Raised(Exception):
    """An exception that came elsewhere; its text is the sentence that tells it."""


def within(seconds: float, function: Callable, patience: float = PATIENCE):
    """Run a function in this thread; raise Hanging inside it when the seconds are over.

    What counts is the processor's time, and on the clock `PATIENCE` times as much. The thread
    stays the caller's own, with its gradient mode and its Ctrl-C. A second thread keeps the time
    and, from then on, repeats the exception for code that catches everything. The exception
    arrives between two lines of Python, so a single long call of C is not cut short. A browser's
    Python has one thread: there nothing is cut short.

    Parameters
    ----------
    seconds : float
        How long it may run.
    function : callable
        Takes nothing.

    Returns
    -------
    any
        What the function gives.

    Raises
    ------
    Hanging
        If it did not come to its end.
    """
    if sys.platform == "emscripten":
        return function()
    caller, gate = threading.get_ident(), threading.Lock()
    over, raised = threading.Event(), threading.Event()
    busy, clock = time.process_time(), time.monotonic()

    def keep_time() -> None:
        left = seconds
        while not over.wait(left):
            spent, waited = time.process_time() - busy, time.monotonic() - clock
            left = seconds - max(spent, waited / patience)
            if left > 0.01:
                continue
            left = 1.0
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
            except Hanging:
                pass

    threading.Thread(target=keep_time, daemon=True).start()
    try:
        try:
            return function()
        finally:
            finish()
    except Hanging:
        finish()
        raise


def _hang(thread: int) -> None:
    """Raise Hanging in a thread, at its next step; of two that are on their way one arrives."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Hanging))


def told(error: BaseException, name: str, ours: dict) -> str:
    """Say an exception in one line: its kind, its last line in code that is not ours, its text.

    The line counts from the start of a cell, so another function than `name` is named.

    Parameters
    ----------
    error : BaseException
        The exception.
    name : str
        The function that was called.
    ours : dict
        The globals of the module that called it.

    Returns
    -------
    str
        The line, with a full stop if the exception has no text.
    """
    if isinstance(error, Raised):
        return str(error)
    frames = list(traceback.walk_tb(error.__traceback__))

    def is_ours(frame: FrameType) -> bool:
        return frame.f_globals is ours or frame.f_globals is globals()

    inside = [k for k, (frame, _) in enumerate(frames) if not is_ours(frame)]
    place = ""
    if inside:
        own = frames[inside[0]][0].f_globals  # all cells of a notebook share them
        last = max(k for k in inside if frames[k][0].f_globals is own)
        summary = traceback.extract_tb(error.__traceback__)[last]
        place = f" in line {summary.lineno}"
        place += f" of {summary.name}" if summary.name != name else ""
        place += f", `{summary.line}`" if summary.line else ""
    text = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}{place}" + (f": {text}" if text else ".")
