"""Firefox and WebKit as they are installed, driven by WebDriver's commands and nothing else.

Firefox takes them through its own Marionette, WebKit through WebKitWebDriver.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

PATIENCE = 20  # seconds
KEYS = {"Home": "\ue011", "Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
FIREFOX = ("firefox-esr", "firefox")
MINIBROWSER = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
PREFERENCES = {
    "layout.css.prefers-color-scheme.content-override": 0,  # dark
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "app.update.disabledForTesting": True,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "widget.non-native-theme.scrollbar.style": 1,  # they take space
    "widget.gtk.overlay-scrollbars.enabled": False,
}


class Driver:
    """What a test does with a page; `send` takes a command of WebDriver by its name."""

    def open(self, address):
        self.send("Navigate", url=address)

    def run(self, script, *given):
        """What a function of the page returns, at once or later."""
        script = f"return Promise.resolve(({script})(...arguments))"
        return self.send("ExecuteScript", script=script, args=[*given])

    def wait(self, script):
        end = time.monotonic() + PATIENCE
        while not (found := self.run(script)):
            assert time.monotonic() < end, f"the page never came to {script}"
            time.sleep(0.03)
        return found

    def settle(self):
        self.run("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def act(self, kind, *actions):
        source = {"type": kind, "id": kind, "actions": [*actions]}
        self.send("PerformActions", actions=[source])

    def press(self, *names):
        for name in names:
            value = KEYS.get(name, name)
            self.act("key", *({"type": f"key{way}", "value": value} for way in ("Down", "Up")))

    def point(self, x, y, click=False):
        move = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        hand = [{"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")]
        self.act("pointer", move, *(hand if click else ()))

    def resize(self, width, height):
        """Give the page so much room, whatever the window has around it."""
        inner = "() => [innerWidth, innerHeight]"
        around = [0, 0]
        for _ in range(3):
            size = [width + around[0], height + around[1]]
            self.send("SetWindowRect", width=size[0], height=size[1])
            time.sleep(0.1)
            got = self.run(inner)
            if got == [width, height]:
                return
            around = [around[k] + (width, height)[k] - got[k] for k in (0, 1)]
        raise AssertionError(f"a page of {width} x {height} has {got}")


class Firefox(Driver):
    def __init__(self, port):
        self.link = _patiently(lambda: socket.create_connection(("127.0.0.1", port)))
        self.stream = self.link.makefile("rwb")
        self._answer()  # who it is
        self._send("WebDriver:NewSession")

    def send(self, command, **given):
        found = self._send(f"WebDriver:{command}", **given)
        return found["value"] if isinstance(found, dict) and "value" in found else found

    def _send(self, command, **given):
        message = json.dumps([0, 0, command, given]).encode()
        self.stream.write(b"%d:%s" % (len(message), message))
        self.stream.flush()
        *_, problem, found = self._answer()
        assert not problem, problem
        return found

    def _answer(self):
        length = b""
        while (one := self.stream.read(1)) != b":":
            assert one, "Firefox has ended"
            length += one
        return json.loads(self.stream.read(int(length)))


ADDRESSES = {
    "Navigate": "url",
    "ExecuteScript": "execute/sync",
    "PerformActions": "actions",
    "SetWindowRect": "window/rect",
}


class WebKit(Driver):
    def __init__(self, port, program):
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": program, "args": ["--automation", "--dark-mode"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self.address += "/" + _patiently(lambda: self._post("", asked))["sessionId"]

    def send(self, command, **given):
        return self._post("/" + ADDRESSES[command], given)

    def _post(self, path, given):
        kind = {"Content-Type": "application/json"}
        asked = urllib.request.Request(self.address + path, json.dumps(given).encode(), kind)
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise AssertionError(problem.read().decode()) from None


def _patiently(connect):
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return connect()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@contextmanager
def _running(*command, **environment):
    """A program and all that it starts, for as long as the block lasts."""
    program = subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGTERM)
        program.wait(PATIENCE)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find_firefox() -> str | None:
    return next(filter(None, map(shutil.which, FIREFOX)), None)


@contextmanager
def open_firefox():
    """Open Firefox in the dark; yield None where it is not installed."""
    program = find_firefox()
    if not program:
        yield None
        return
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        settings = {**PREFERENCES, "marionette.port": free_port()}
        lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in settings.items()]
        Path(profile, "user.js").write_text("\n".join(lines), encoding="utf-8")
        with _running(program, "--headless", "--marionette", "--profile", profile):
            firefox = Firefox(settings["marionette.port"])
            with firefox.link:
                yield firefox


@contextmanager
def open_webkit():
    """Open WebKit in the dark, on a screen of its own; yield None where it is not installed."""
    program = next(map(str, Path("/").glob(MINIBROWSER[1:])), None)
    if not (program and shutil.which("WebKitWebDriver") and shutil.which("xvfb-run")):
        yield None
        return
    port = free_port()
    screen = ("xvfb-run", "-a", "-s", "-screen 0 1600x1600x24")
    with _running(*screen, "WebKitWebDriver", f"--port={port}"):
        yield WebKit(port, program)
