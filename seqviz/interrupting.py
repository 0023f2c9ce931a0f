"""A long run that a person may stop: what was done is kept."""

import signal
import threading


class Interrupt:
    """While it is open, a first Ctrl-C only asks to stop, and a second one stops at once."""

    asked = False

    def __enter__(self) -> "Interrupt":
        self.main = threading.current_thread() is threading.main_thread()
        if self.main:  # Python lets no other thread handle signals
            self.before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, *error: object) -> None:
        if self.main:
            # None: the handler before was not set from Python.
            before = signal.default_int_handler if self.before is None else self.before
            signal.signal(signal.SIGINT, before)

    def _ask(self, number: int, frame: object) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
