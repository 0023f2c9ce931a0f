"""Cells of a notebook run in this process, without a kernel: their outputs as plain values."""

import io
import signal
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from seqviz.deadline import Hanging, within

SHOWN = ("text/plain", "image/png", "image/jpeg")  # what a page without scripts can show
IMAGES = 2  # times as many letters as a cell may print
TOO_LONG = "stopped after {seconds:g} seconds"
TEXT = 2000  # letters of an error


class Bounded(io.StringIO):
    """Keeps what is written up to a limit, and throws the rest away."""

    def __init__(self, most: int):
        super().__init__()
        self.most = most

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        super().write(text[: max(0, self.most - self.tell())])
        return len(text)


@contextmanager
def waking(seconds: float) -> Iterator[None]:
    """Wake code that sleeps in C after some seconds, so that an exception of `within` arrives."""
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, seconds + 0.5, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Shell:
    """IPython, with its magics and `await`, whose outputs are caught."""

    def __init__(self, most: int):
        self.most = most
        quiet = Config({"HistoryManager": {"enabled": False}})
        self._shell = InteractiveShell.instance(config=quiet, colors="nocolor")
        self._shell._showtraceback = lambda *_: None
        self.names = self._shell.user_ns

    @contextmanager
    def writing(self) -> Iterator[list]:
        """Catch what code writes and shows in a list of outputs, which is full afterwards."""
        found, out, err = [], Bounded(self.most), Bounded(self.most)
        shell, publisher = self._shell, CapturingDisplayPublisher()
        own = shell.display_pub, shell.display_trap.hook
        shell.display_pub = publisher
        shell.display_trap.hook = CapturingDisplayHook(shell, publisher.outputs)
        try:
            with redirect_stdout(out), redirect_stderr(err), shell.builtin_trap:
                yield found
        finally:
            shell.display_pub, shell.display_trap.hook = own
            for name, file in (("stdout", out), ("stderr", err)):
                if file.getvalue():
                    found.append(("stream", name, file.getvalue()))
            room = IMAGES * self.most
            for one in publisher.outputs:
                shown = {kind: _text(x) for kind, x in one["data"].items() if kind in SHOWN}
                room -= sum(map(len, shown.values()))
                if room >= 0:
                    found.append(("data", shown))

    def run(self, source: str, seconds: float) -> tuple[list, tuple[str, str] | None]:
        """Run a cell: its outputs, and the name and text of its error."""
        with self.writing() as outputs, waking(seconds):
            try:
                result = within(
                    seconds, lambda: self._shell.run_cell(source, store_history=True), patience=1
                )
                error = result.error_before_exec or result.error_in_exec
            except Hanging as late:
                error = late
        return outputs, error and named(error, seconds)


def _text(shown) -> str:
    """What is shown, a picture's bytes in base64."""
    return b64encode(shown).decode() if isinstance(shown, bytes) else str(shown)


def named(error: BaseException, seconds: float) -> tuple[str, str]:
    """The name and the text of an error."""
    if isinstance(error, Hanging):
        return "TooLong", TOO_LONG.format(seconds=seconds)
    try:
        return type(error).__name__, str(error)[:TEXT]
    except Exception:  # an exception of the student's own that cannot say what it is
        return type(error).__name__, ""
