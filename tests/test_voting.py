"""Phones that vote: what is counted, who is turned away, what leaves the machine."""

import asyncio
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import nbformat
import pytest
from tornado.httpclient import HTTPClientError, HTTPRequest, HTTPResponse
from tornado.simple_httpclient import SimpleAsyncHTTPClient
from tornado.websocket import websocket_connect

from seqviz import command
from seqviz.presenting import voting
from tests.test_presenting import ASKED, code, run, text

NAME = "a-gate-question"
CELLS = (text("# Gates\n\nGates **keep**."), text("### A gate\n\nA **share**."), code(ASKED))


@contextmanager
def opened(*cells):
    """A room on a free port of this machine, served in a thread."""
    room = voting.Room(voting.LOOPBACK, 0)
    room.take(run(*cells or CELLS))
    loop = asyncio.new_event_loop()
    serving = loop.create_task(room._serve())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    room.soon = loop.call_soon_threadsafe
    yield room
    room.soon(serving.cancel)
    room.soon(loop.stop)
    thread.join()
    for one in room._sockets:
        one.close()


@pytest.fixture
def room():
    with opened() as room:
        yield room


KNOWN = {*"abc", *map(str, range(300))}  # numbers that the server has given


def at(room, path="") -> str:
    return room.address.removesuffix(room.code) + path


async def line_of(room, number="a", letters=None, **headers):
    """The line of a phone; its number is what its browser has kept."""
    room.issued |= {number} & KNOWN
    address = at(room, f"phone/{room.code if letters is None else letters}").replace("http", "ws")
    headers |= {"Cookie": f"{voting.COOKIE}={number}"} if number else {}
    return await websocket_connect(HTTPRequest(address, headers=headers))


def done(coroutine):
    """What a coroutine returns: in a thread, as tests of a browser leave a loop running here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


async def heard(line) -> dict:
    return json.loads(await asyncio.wait_for(line.read_message(), 20))


def say(line, **message):
    line.write_message(json.dumps({"name": NAME, "phase": "first", **message}))


async def fetch(address) -> HTTPResponse:
    return await SimpleAsyncHTTPClient().fetch(address)


def test_a_vote_counts_once_and_only_while_its_round_is_open(room):
    poll = room.poll
    assert not poll.take("a", NAME, "first", 0), "nothing is open"
    poll.turn(NAME, "first")
    assert poll.take("a", NAME, "first", 0)
    assert poll.take("a", NAME, "first", 1)
    for vote in (
        *((NAME, "first", option) for option in (-1, 2, 0.0, "0", None, True, [0])),
        *((NAME, phase, 0) for phase in ("second", "talk", None)),
        ("another", "first", 0),
    ):
        assert not poll.take("b", *vote), vote
    poll.turn(NAME, "talk")
    assert not poll.take("b", NAME, "talk", 0)
    poll.turn(NAME, "second")
    assert not poll.take("a", NAME, "first", 0), "too late"
    assert poll.take("a", NAME, "second", 0)
    assert poll.counts() == {NAME: {"first": [0, 1], "second": [1, 0]}}
    assert poll.seen_by("a")["said"] == {"first": 1, "second": 0}
    assert poll.seen_by("b")["said"] == {"first": None, "second": None}
    for name, phase in (("another", "first"), (NAME, "third"), (None, None)):
        poll.turn(name, phase)
        assert poll.seen_by("a") == {"phase": "wait"}


@pytest.mark.alone
def test_three_hundred_phones_vote_at_once(room):
    async def lecture():
        desk = await websocket_connect(room.socket)
        say(desk)
        lines = await asyncio.gather(*(line_of(room, f"{k}") for k in range(300)))
        lines.append(await line_of(room, "299"))  # its second tab
        for line in lines:
            assert (await heard(line))["phase"] == "first"

        async def vote(k, line):
            begun = time.perf_counter()
            say(line, option=k % 3 % 2)
            assert (await heard(line))["said"]["first"] == k % 3 % 2
            return time.perf_counter() - begun

        waited = sorted(await asyncio.gather(*(vote(k, line) for k, line in enumerate(lines))))
        assert waited[int(0.95 * len(waited))] < 1
        seen = {}
        while sum(seen.get("counts", {}).get(NAME, {}).get("first", [])) < 300:
            seen = await heard(desk)
        return seen

    assert done(lecture()) == {"counts": {NAME: {"first": [200, 100]}}, "phones": 300}


def test_who_is_turned_away_and_what_is_not_understood(room, monkeypatch):
    room.code = "BCDF"
    monkeypatch.setattr(voting, "MOST", 2)

    async def lecture():
        for number, letters, why in (
            ("a", "", voting.WRONG_CODE),
            ("a", "BCDG", voting.WRONG_CODE),
            ("", "BCDF", voting.NO_COOKIE),
            ("forged", "BCDF", voting.NO_COOKIE),
        ):
            line = await line_of(room, number, letters)
            assert await line.read_message() is None
            assert line.close_code == why
        for strange in (
            {"Origin": "http://elsewhere.example"},
            {"Origin": "http://rebound.example", "Host": "rebound.example"},
        ):
            with pytest.raises(HTTPClientError, match="403"):
                await line_of(room, **strange)
        with pytest.raises(HTTPClientError, match="403"):
            await fetch(HTTPRequest(at(room), headers={"Host": "rebound.example"}))
        first, second = await line_of(room, "a", "bcdf"), await line_of(room, "b")
        third, again = await line_of(room, "c"), await line_of(room, "b")
        assert await third.read_message() is None
        assert third.close_code == voting.FULL
        assert await heard(first) == await heard(second) == await heard(again) == {"phase": "wait"}
        say(first, option=0)
        assert await heard(first) == {"phase": "wait", "closed": True}
        for nonsense in ("[", "3", "[1]", "[" * 900, b"\xff"):
            line = await line_of(room, "a")
            await heard(line)
            await line.write_message(nonsense, binary=isinstance(nonsense, bytes))
            assert await line.read_message() is None, nonsense
        assert room.poll.counts() == {}

    done(lecture())


def test_each_page_gets_what_it_may_and_a_phone_its_number_with_the_script(room):
    async def lecture():
        page, script = await fetch(at(room)), await fetch(at(room, "phone.js"))
        assert "Set-Cookie" not in page.headers
        number = script.headers["Set-Cookie"]
        assert all(part in number for part in ("HttpOnly", "SameSite=Strict", "seqviz-phone="))
        assert "expires" not in number.lower()
        assert "default-src 'none'; script-src 'self'" in page.headers["Content-Security-Policy"]
        slides = (await fetch(room.deck)).body.decode()
        assert f"default-src 'none'; connect-src {room.socket}; " in slides
        assert "data-vote" not in (await fetch(at(room))).body.decode()
        for path in ("slides/", "x" * 22 + "/", "x" * 22 + "/socket", "ABCDE"):
            with pytest.raises(HTTPClientError, match="404"):
                await fetch(at(room, path))

    done(lecture())
    assert {one.getsockname()[0] for one in room._sockets} == {"127.0.0.1"}
    assert len(room._secret) > 20


def test_no_server_says_why_and_what_to_do(room, monkeypatch):
    port = room._sockets[0].getsockname()[1]
    for given, message in (
        (["--vote", "--port", str(port)], f"port {port} .*in use.*--port"),
        (["--vote", "--port", "70000"], r"port 70000.*--port"),
        (["--vote", "--host", "192.0.2.77", "--port", "0"], r"192\.0\.2\.77.*--host"),
        (["--port", "0"], "add --vote"),
    ):
        with pytest.raises(SystemExit, match=message):
            command.main(["present", "04", *given])

    def cut_off():
        raise OSError("Network is unreachable")

    monkeypatch.setattr(voting, "_own_address", cut_off)
    with pytest.raises(OSError, match=r"unreachable.*leave --host out and type the votes"):
        voting.Room("0.0.0.0", 0)
    monkeypatch.setattr(voting, "_own_address", lambda: "192.0.2.7")
    everyone = voting.Room("0.0.0.0", 0)
    assert everyone.address.startswith("http://192.0.2.7:")
    assert everyone.address.endswith(f"/{everyone.code}")
    assert len(everyone.code) == 4
    assert everyone.deck.startswith("http://127.0.0.1:"), "the slides stay on this machine"


REACHED = []
watching = threading.Event()


def watch(event, given):
    if watching.is_set() and event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        REACHED.append((event, given[1] if event != "socket.getaddrinfo" else given[0]))


def test_a_lecture_is_served_and_nothing_leaves_the_machine(tmp_path, monkeypatch, capsys):
    source = tmp_path / "small.ipynb"
    cells = [code("import seqviz as sv", minutes=0), *CELLS]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), source)
    shown = []

    async def visited(room):
        serving = asyncio.create_task(room._serve())
        await fetch(shown[0])
        say(await websocket_connect(room.socket))
        line = await line_of(room)
        while (await heard(line))["phase"] != "first":
            pass
        say(line, option=0)
        assert (await heard(line))["said"]["first"] == 0
        serving.cancel()
        assert f"phones: {room.address}\n" in capsys.readouterr().out

    monkeypatch.setattr(command.webbrowser, "open", lambda address: shown.append(address) or True)
    monkeypatch.setattr(voting.Room, "serve", lambda room: done(visited(room)))
    monkeypatch.chdir(tmp_path)
    sys.addaudithook(watch)
    watching.set()
    command.main(["present", str(source), "--vote", "--port", "0"])
    watching.clear()
    assert any(event == "socket.connect" for event, _ in REACHED), "who watches sees nothing"
    own = ("127.0.0.1", "localhost", "/")
    assert [one for one in REACHED if not str(one[1]).lstrip("('\"b").startswith(own)] == []
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == [
        "small.ipynb"
    ]
