"""A student's process as the examiner sees it: cells to run, and functions that look like ours."""

import json
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from inspect import Parameter, Signature
from pathlib import Path
from typing import NoReturn

import torch

from seqviz.checks.calling import LIMIT
from seqviz.checks.verdict import Refused
from seqviz.deadline import PATIENCE, Hanging, Raised
from seqviz.grading.sandbox import Limits, environment, walled
from seqviz.grading.watching import PAUSE, Watch, end_all, family, memory_of
from seqviz.grading.wire import Unfit, decode, encode, get, put

DIED = "the process died: out of memory, or the code ended it"
STRANGE = "it did not answer as our program does"
PARAMETERS = tuple(type(Parameter.VAR_KEYWORD))
WAITING = 4  # replies that are kept before one is asked for
GRACE = 5.0  # seconds more than a limit, in which a reply must come


class Ended(BaseException):
    """The student's process is no more."""


class Remote:
    """The process of one submission, and what can be asked of it.

    Its end is that of all processes that ours has started.

    Raises
    ------
    RuntimeError
        If ours has started others before, which would end with it.
    """

    def __init__(self, work: Path, limits: Limits):
        if there := family():
            raise RuntimeError(
                f"this process has started {len(there)} others, which would end with the "
                "submission: examine in a process of its own, as seqviz.grading.examiner is"
            )
        command = [sys.executable, "-m", "seqviz.grading.student", json.dumps(asdict(limits))]
        self.limits, self.ended, self.kept, self.asked = limits, "", [], 0
        self._lock, self._replies = threading.Lock(), queue.Queue(WAITING)
        self._process = subprocess.Popen(
            walled(command, work),
            cwd=work,
            env=environment(work),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._watch = Watch(work, limits, self.end)
        self._watch.start()

    def __enter__(self) -> "Remote":
        """Itself; the process is gone when the block is left."""
        return self

    def __exit__(self, *_) -> None:
        """End the process and all that it has started."""
        self._watch.over.set()
        self.end(self.ended or "it was over")
        while self._listener.is_alive():  # it may wait for room
            with suppress(queue.Empty):
                self._replies.get(timeout=PAUSE)

    def end(self, reason: str) -> None:
        """End the process; the first reason is kept."""
        with self._lock:
            self.ended = self.ended or reason
            end_all()

    def _listen(self) -> None:
        while (message := get(self._process.stdout)) is not None:
            self._replies.put(message)
        self._replies.put(None)

    def _ask(self, *request) -> None:
        """Send a request; replies to those before are not heard any more."""
        self.asked += 1
        self._tell(*request)

    def _tell(self, *message) -> None:
        try:
            put(self._process.stdin, encode((self.asked, *message), self._number))
        except OSError:
            self._give_up(DIED)

    def _number(self, part) -> int:
        self.kept.append(part)
        return len(self.kept) - 1

    def _hear(self, seconds: float) -> list:
        """The next reply to the last request: its kind, and what it holds."""
        end = time.monotonic() + seconds
        while True:
            try:
                message = self._replies.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self._give_up(f"stopped after {seconds:g} seconds")
            if message is None:
                self._give_up(DIED)
            try:
                number, *reply = decode(message, self.kept.__getitem__)
            except (Unfit, TypeError, ValueError):  # no value, or none of several parts
                self._give_up(STRANGE)
            if number == self.asked:
                return reply

    def _give_up(self, reason: str) -> NoReturn:
        self.end(reason)
        raise Ended(self.ended)

    def run(self, source: str) -> tuple[list, tuple[str, str] | None]:
        """Run a cell: its outputs, and the name and text of its error."""
        seconds = self.limits.cell_seconds
        self._ask("run", source, seconds)
        kind, *found = self._hear(seconds + GRACE)
        if kind != "ran" or len(found) != 2:
            self._give_up(STRANGE)
        return found

    def look(self, name: str):
        """What a name stands for there: a function to call, or a value.

        Raises
        ------
        NameError
            If it stands for nothing.
        """
        self._ask("look", name)
        kind, *found = self._hear(GRACE)
        if kind == "function" and len(found) == 1:
            return Function(self, name, found[0])
        if kind in ("value", "type") and len(found) == 1:
            return found[0] if kind == "value" else type(str(found[0]), (), {})()
        if kind == "missing":
            raise NameError(f"name {name!r} is not defined")
        self._give_up(STRANGE)

    def call(self, name: str, given: tuple, named: dict) -> list:
        """What a function gives, and its arguments if it changed them."""
        self._ask("call", name, given, named, LIMIT, torch.is_grad_enabled())
        refusal = None
        while True:
            kind, *found = self._hear(PATIENCE * LIMIT + GRACE)
            if kind == "ask" and len(found) == 3:
                refusal = self._answer(*found) or refusal
            elif refusal:
                raise refusal
            elif kind == "gave" and len(found) == 2:
                return found
            elif kind == "unfit" and len(found) == 1:
                raise Refused(f"{name} gives {found[0]}: the grader takes plain values.")
            elif kind == "late":
                raise Hanging
            elif kind == "raised" and len(found) == 3:
                if found[0] == "NotImplementedError" and not found[1]:
                    raise NotImplementedError
                raise Raised(str(found[2]))
            else:
                self._give_up(STRANGE)

    def _answer(self, function, given: tuple, named: dict) -> Refused | None:
        """Call a function of ours for the student's; what ours refuses ends the call."""
        try:
            answer = function(*given, **named)
        except Refused as refusal:
            self._tell("raise", "RuntimeError", "the examiner has heard enough")
            return refusal
        except Exception as error:  # as it would have come in one process
            self._tell("raise", type(error).__name__, str(error))
        else:
            self._tell("answer", answer)
        return None


class Function:
    """A student's function: called there, not here."""

    def __init__(self, remote: Remote, name: str, parameters):
        self._remote, self.__name__ = remote, name
        try:
            found = [
                Parameter(one, PARAMETERS[kind], default=None if left_out else Parameter.empty)
                for one, kind, left_out in parameters
            ]
            self.__signature__ = Signature(found)
        except (LookupError, TypeError, ValueError):  # it does not say what it takes
            pass

    def __call__(self, *given, **named):
        """Send the arguments, give what comes back; ours stay as they are."""
        return self._remote.call(self.__name__, given, named)[0]

    def held(self) -> int:
        """The bytes that its process and all that it started hold now."""
        return sum(map(memory_of, family()))

    def in_place(self, *given, **named):
        """The same; arguments that it changed there are changed here too."""
        answer, changed = self._remote.call(self.__name__, given, named)
        _mirror(given, changed)
        return answer


def _mirror(given, changed) -> None:
    """Change arguments as the student's function has changed its copies of them."""
    if isinstance(given, tuple) and isinstance(changed, tuple):
        for one, other in zip(given, changed, strict=False):
            _mirror(one, other)
    elif isinstance(given, torch.Tensor) and isinstance(changed, torch.Tensor):
        given.data = changed.to(given.dtype)
    elif isinstance(given, list) and isinstance(changed, list):
        given[:] = changed
    elif isinstance(given, dict | set) and type(given) is type(changed):
        given.clear()
        given.update(changed)
