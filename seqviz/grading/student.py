"""The process of a student's code: it runs cells and calls functions, and judges nothing.

`python -m seqviz.grading.student LIMITS` reads requests from its input and writes replies to its
output. Nothing that counts is in its memory: whatever happens here can only change its answers.
"""

import ctypes
import json
import os
import sys
from contextlib import suppress
from inspect import signature
from types import ModuleType
from typing import BinaryIO

import torch

from seqviz.deadline import PATIENCE, Hanging, told, within
from seqviz.grading.cells import TEXT, Shell, waking
from seqviz.grading.watching import end_with_parent
from seqviz.grading.wire import Unfit, decode, encode, get, put


class Kept:
    """Something that the examiner keeps: a function of its own, or what only that understands."""

    def __init__(self, student: "Student", number: int):
        self._student, self._number = student, number

    def __call__(self, *given, **named):
        """Ask the examiner to call it."""
        self._student.tell("ask", self, given, named)
        _, kind, *found = self._student.listen()
        if kind == "answer":
            return found[0]
        raise {"ValueError": ValueError, "TypeError": TypeError}.get(found[0], RuntimeError)(
            found[1]
        )


class Student:
    """Answers one request after the other."""

    def __init__(self, shell: Shell, read: BinaryIO, write: BinaryIO):
        self.shell, self.read, self.write, self.asked = shell, read, write, 0

    def tell(self, *message) -> None:
        """Send a message of plain values."""
        put(self.write, encode((self.asked, *message), self._number_of))

    def listen(self) -> tuple:
        """Wait for a message; the process ends where none can come."""
        message = get(self.read)
        if message is None:
            sys.exit()
        return self._read(message)

    @staticmethod
    def _number_of(part) -> int:
        if isinstance(part, Kept):
            return part._number
        raise Unfit(f"a {type(part).__name__}")

    def serve(self) -> None:
        """Answer until the examiner has no more to ask."""
        while True:
            self.asked, kind, *request = self.listen()
            if kind in ("run", "look", "call"):
                getattr(self, kind)(*request)

    def run(self, source: str, seconds: float) -> None:
        """Run a cell: its outputs, and its error."""
        outputs, error = self.shell.run(source, seconds)
        try:
            self.tell("ran", outputs, error)
        except Unfit as much:
            self.tell("ran", [("stream", "stderr", f"its outputs are {much}")], error)

    def look(self, name: str) -> None:
        """Say what a name stands for: the parameters of a function, else its value or its type."""
        if name not in self.shell.names:
            self.tell("missing")
            return
        value = self.shell.names[name]
        try:
            if callable(value):
                self.tell("function", _parameters(value))
            else:
                self.tell("value", value)
        except Unfit:
            self.tell("type", type(value).__name__)

    def call(self, name: str, given: tuple, named: dict, seconds: float, grad: bool) -> None:
        """Call a function: what it gives, its arguments if it changed them, or why it failed."""
        give_back()  # what an earlier call held would hide what this one holds
        before = encode(given, self._number_of)
        function = self.shell.names.get(name)

        def run() -> tuple[bytes, bytes]:
            answer = function(*given, **named)
            return encode(answer, self._number_of), encode(given, self._number_of)

        try:
            with self.shell.writing(), waking(PATIENCE * seconds), torch.set_grad_enabled(grad):
                answer, after = within(seconds, run)
        except Unfit as unfit:
            self.tell("unfit", str(unfit))
        except Hanging:
            self.tell("late")
        except BaseException as error:  # of a student's code anything may come
            self.tell(*failure(error, name))
        else:
            self.tell("gave", self._read(answer), self._read(after) if after != before else None)

    def _read(self, value: bytes):
        return decode(value, lambda number: Kept(self, number))


def failure(error: BaseException, name: str) -> tuple:
    """An exception as a message: its type, whether it has a text, a sentence."""
    try:
        return "raised", type(error).__name__, bool(error.args), told(error, name, globals())[:TEXT]
    except Exception:  # an exception of the student's own that cannot say what it is
        return "raised", type(error).__name__, True, type(error).__name__


def _parameters(function) -> list | None:
    """The parameters of a function, where it says them: name, kind, whether it can be left out."""
    try:
        found = signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [(one.name, int(one.kind), one.default is not one.empty) for one in found]


class Elsewhere(ModuleType):
    """In the place of `seqviz.checks`: what a check says is not asked here."""

    passed, message = True, "this is judged elsewhere"

    def __getattr__(self, name: str):
        """Any check: takes anything, and says so."""
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: self

    def __bool__(self) -> bool:
        """An assertion on a verdict lets the cell go on."""
        return True

    def __repr__(self) -> str:
        """What `print(verdict)` shows."""
        return self.message


def give_back() -> None:
    """Give memory that is free back to the system, where it can be asked to."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # not every C library has it
            ctypes.CDLL(None).malloc_trim(0)


def bound(memory: int, file: int) -> None:
    """Limit what this process may allocate, and write into a file, where the system can."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    for kind, most in (("DATA", memory), ("CORE", 0), ("FSIZE", file), ("NOFILE", 256)):
        resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (most, most))


def main() -> None:
    """Serve on the input and the output, which the student's code does not see."""
    end_with_parent()
    limits = json.loads(sys.argv[1])
    read, write = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    sys.modules["seqviz.checks"] = Elsewhere("seqviz.checks")
    shell = Shell(limits["written"])
    bound(limits["memory"], limits["disk"])
    Student(shell, read, write).serve()


if __name__ == "__main__":
    main()
