"""Phones vote: a server on the lecturer's machine has the slides, and a page for each phone.

Who said what is held in memory alone, a phone by a random number; nothing is written or asked of
another machine.
"""

import asyncio
import json
import secrets
import socket
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

import segno
from markupsafe import Markup
from tornado import httpserver, httputil, netutil, web, websocket

from seqviz.asking import Question
from seqviz.execution import Run
from seqviz.presenting import deck
from seqviz.presenting.slides import lecture
from seqviz.views.shared import bundle, palette

PHONE = deck.HERE / "phone"
MOST = 1000  # phones
ROUNDS = ("first", "second")
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # of a code: no vowel, so that it is no word
LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
COOKIE = "seqviz-phone"
FRAMED = "frame-ancestors 'none'"
OWN = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'"
OWN = f"{OWN}; form-action 'none'; {FRAMED}"
WRONG_CODE, NO_COOKIE, FULL, UNCLEAR = 4001, 4002, 4003, 4004  # why a line is cut


class Poll:
    """Which question is open, in which round, and what each phone said."""

    def __init__(self, questions: Mapping[str, Question]) -> None:
        self.questions = questions
        self.name, self.phase = "", "wait"
        self._said: dict[tuple[str, str], dict[str, int]] = {}

    def turn(self, name: object, phase: object) -> bool:
        """Open a question in a round, or nothing if it is none; whether that is something new."""
        known = name in self.questions and phase in (*ROUNDS, "talk", "told")
        before = self.name, self.phase
        self.name, self.phase = (name, phase) if known else ("", "wait")
        return before != (self.name, self.phase)

    def take(self, voter: str, name: object, phase: object, option: object) -> bool:
        """Count a vote in place of the voter's earlier one; False if its round is not open."""
        if (name, phase) != (self.name, self.phase) or phase not in ROUNDS:
            return False
        if type(option) is not int or not 0 <= option < len(self.questions[name].options):
            return False
        self._said.setdefault((name, phase), {})[voter] = option
        return True

    def counts(self) -> dict[str, dict[str, list[int]]]:
        """How many chose each option, by question and round."""
        found = {}
        for (name, phase), said in self._said.items():
            each, options = Counter(said.values()), self.questions[name].options
            found.setdefault(name, {})[phase] = [each[option] for option in range(len(options))]
        return found

    def seen_by(self, voter: str) -> dict:
        """What a phone shows: the question as it stands, and what it said itself."""
        if not self.name:
            return {"phase": "wait"}
        asked = self.questions[self.name]
        said = {one: self._said.get((self.name, one), {}).get(voter) for one in ROUNDS}
        told = {"question": asked.question, "options": asked.options, "said": said}
        return {"phase": self.phase, "name": self.name, **told}


class Room:
    """The server of a lecture at an address of this machine, "0.0.0.0" for all it has.

    It has its port when it is made. Where others may come, the slides still stay on this machine.
    """

    def __init__(self, host: str, port: int) -> None:
        try:
            if not 0 <= port < 65536:  # or it is cut to a number that is
                raise OSError("a port is 0 to 65535")
            self._sockets = netutil.bind_sockets(port, host, socket.AF_INET)
            port = self._sockets[0].getsockname()[1]
            alone = socket.gethostbyname(host).startswith("127.")
            if not alone and host != EVERYWHERE:
                self._sockets += netutil.bind_sockets(port, LOOPBACK, socket.AF_INET)
            outside = _own_address() if host == EVERYWHERE else host
        except OSError as problem:
            raise OSError(
                f"no server at {host}, port {port} ({problem}): is it taken, give another --port; "
                "is there no network, leave --host out and type the votes"
            ) from problem
        self.code = "" if alone else "".join(secrets.choice(LETTERS) for _ in range(4))
        self.address = f"http://{outside}:{port}/{self.code}"
        self.qr = Markup(segno.make(self.address, micro=False).svg_inline(omitsize=True, border=2))
        self._secret = secrets.token_urlsafe(16)
        own = f"{host if alone else LOOPBACK}:{port}/{self._secret}/"
        self.deck, self.socket = f"http://{own}", f"ws://{own}socket"
        self.names = {host, outside, LOOPBACK, "localhost"}  # by which this machine is asked for
        self.desks, self.phones, self.issued = set(), set(), set()
        self._due = False

    def __repr__(self) -> str:
        return f"slides: {self.deck}\nphones: {self.address}\nCtrl+C ends the vote"

    def take(self, run: Run) -> list[str]:
        """Take a lecture, see `deck.page`; return what a person should look at."""
        self._page, doubts = deck.page(run, self)
        made = {slide.name: slide.content for slide in lecture(run.notebook).slides}
        self.poll = Poll({name: one for name, one in made.items() if isinstance(one, Question)})
        return doubts

    def serve(self) -> None:
        """Serve the slides and the phones until it is interrupted."""
        with suppress(KeyboardInterrupt):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        texts = {f"{self._secret}/": ("html", FRAMED, self._page), **_phone_files()}
        files = {"texts": texts, "room": self}
        application = web.Application(
            [
                (rf"/({self._secret}/|phone\.js|phone\.css|)", _File, files),
                (r"/[A-Za-z]{4}()", _File, files),
                (rf"/{self._secret}/socket", _Desk, {"room": self}),
                (r"/phone/(\w*)", _Phone, {"room": self}),
            ],
            log_function=lambda handler: None,  # it would name phones by their addresses
            websocket_ping_interval=20,
            websocket_max_message_size=1000,
        )
        httpserver.HTTPServer(application, max_body_size=1000).add_sockets(self._sockets)
        await asyncio.Event().wait()

    def refuse_other_names(self, request: httputil.HTTPServerRequest) -> None:
        """Refuse a page of another site whose name leads to this machine."""
        if request.host_name not in self.names:
            raise web.HTTPError(403)

    def count(self) -> None:
        """Tell the slides how many said what, at most ten times a second."""
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_later(0.1, self._count)

    def _count(self) -> None:
        self._due = False
        here = len({phone.voter for phone in self.phones})
        for desk in self.desks:
            desk.send(counts=self.poll.counts(), phones=here)


class _File(web.RequestHandler):
    def initialize(self, texts: dict[str, tuple[str, str, str]], room: Room) -> None:
        self.texts, self.room = texts, room

    def prepare(self) -> None:
        self.room.refuse_other_names(self.request)

    def get(self, name: str) -> None:
        kind, policy, text = self.texts[name]
        self.set_header("Content-Type", f"text/{kind}; charset=utf-8")
        self.set_header("Content-Security-Policy", policy)
        self.set_header("Cache-Control", "no-store")
        # With the script, not the page: a link from elsewhere opens that without the number.
        if kind == "javascript" and self.get_cookie(COOKIE) not in self.room.issued:
            number = secrets.token_urlsafe(16)
            self.room.issued.add(number)
            self.set_cookie(COOKIE, number, httponly=True, samesite="Strict", expires_days=None)
        self.finish(text)


class _Line(websocket.WebSocketHandler):
    """A line to a page of ours: the origin of others is refused."""

    def initialize(self, room: Room) -> None:
        self.room, self.voter = room, self.get_cookie(COOKIE, "")

    def prepare(self) -> None:
        self.room.refuse_other_names(self.request)

    def send(self, **message: object) -> None:
        with suppress(websocket.WebSocketClosedError):
            self.write_message(json.dumps(message))

    def on_message(self, text: str | bytes) -> None:
        try:
            message = dict(json.loads(text))
            self.hear(message.get("name"), message.get("phase"), message.get("option"))
        except (TypeError, ValueError, RecursionError):
            self.close(UNCLEAR)

    def on_close(self) -> None:
        self.room.desks.discard(self)
        self.room.phones.discard(self)
        self.room.count()


class _Desk(_Line):
    def open(self) -> None:
        self.room.desks.add(self)
        self.room.count()

    def hear(self, name: object, phase: object, _: object) -> None:
        if self.room.poll.turn(name, phase):
            for phone in self.room.phones:
                phone.tell()


class _Phone(_Line):
    def open(self, code: str) -> None:
        here = {phone.voter for phone in self.room.phones}
        if code.upper() != self.room.code:
            self.close(WRONG_CODE)
        elif self.voter not in self.room.issued:
            self.close(NO_COOKIE)
        elif self.voter not in here and len(here) >= MOST:
            self.close(FULL)
        else:
            self.room.phones.add(self)
            self.room.count()
            self.tell()

    def tell(self, **more: bool) -> None:
        self.send(**self.room.poll.seen_by(self.voter), **more)

    def hear(self, *vote: object) -> None:
        counts = self in self.room.phones and self.room.poll.take(self.voter, *vote)
        self.room.count()
        for phone in self.room.phones:
            if phone.voter == self.voter:  # all pages of one phone
                phone.tell(**({} if counts else {"closed": True}))


def _phone_files() -> dict[str, tuple[str, str, str]]:
    page, style = ((PHONE / f"phone.{kind}").read_text("utf-8") for kind in ("html", "css"))
    light, dark = palette.declarations()
    colours = f":root {{{light}}} @media (prefers-color-scheme: dark) {{:root {{{dark}}}}}"
    return {
        "": ("html", OWN, page),
        "phone.js": ("javascript", OWN, bundle.module(str(PHONE / "phone.js"))),
        "phone.css": ("css", OWN, colours + style),
    }


def _own_address() -> str:
    """Return the address by which others reach this machine; nothing is sent to learn it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # of no machine
        return probe.getsockname()[0]
