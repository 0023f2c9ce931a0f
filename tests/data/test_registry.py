"""Downloads: once, checked, cut at their size, given up in time, and nothing left of a failure."""

import gzip
import hashlib
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import seqviz as sv
from seqviz.data import registry, transfer

GOOD = b"To have a line is good; to have them all is better.\n" * 400


class Handler(BaseHTTPRequestHandler):
    asked, pause = 0, threading.Event()

    def do_GET(self):
        Handler.asked += 1
        if self.path == "/missing" or (self.path == "/flaky" and Handler.asked == 1):
            self.send_error(404 if self.path == "/missing" else 500)
            return
        content = b"something else" if self.path == "/wrong" else GOOD
        self.send_response(200)
        if self.path == "/bomb":
            content = gzip.compress(GOOD * 2000)
            self.send_header("Content-Encoding", "gzip")
        if self.path == "/slow":
            self.send_header("Content-Length", str(len(GOOD)))
            self.end_headers()
            for byte in GOOD[:200]:
                self.wfile.write(bytes([byte]))
                Handler.pause.wait(0.02)
            return
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:1000] if self.path == "/cut" else content)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SEQVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(transfer.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(Handler, "asked", 0)
    return tmp_path / "cache"


@pytest.fixture
def serve(cache, monkeypatch):
    """Make some address the one of "lines.txt"."""

    def serve(url):
        sha256 = hashlib.sha256(GOOD).hexdigest()
        remote = sv.data.Remote("lines.txt", url, len(GOOD), sha256, "CC0", "A test file.")
        monkeypatch.setattr(registry, "REMOTES", {"lines.txt": remote})

    return serve


@pytest.fixture
def nobody():
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/good"


def files(folder):
    return sorted(path.name for path in folder.glob("*")) if folder.exists() else []


def test_a_file_is_downloaded_once(serve, cache, address, nobody, capfd):
    serve(f"{address}/good")
    path = sv.data.fetch("lines.txt")
    assert path == cache / "lines.txt"
    assert path.read_bytes() == GOOD
    assert "100%" in capfd.readouterr().err  # the progress bar
    serve(nobody)
    assert sv.data.fetch("lines.txt") == path
    assert Handler.asked == 1


def test_a_failed_answer_is_tried_again(serve, cache, address):
    serve(f"{address}/flaky")
    assert sv.data.fetch("lines.txt").read_bytes() == GOOD
    assert Handler.asked == 2


def test_a_bomb_is_cut_at_the_registered_size(serve, cache, address, monkeypatch):
    written = []
    write = transfer._Limited.write

    def watched(self, chunk):
        write(self, chunk)
        written.append(len(chunk))

    monkeypatch.setattr(transfer._Limited, "write", watched)
    serve(f"{address}/bomb")
    with pytest.raises(ValueError, match=r"longer than the registered 20,800 bytes"):
        sv.data.fetch("lines.txt")
    assert sum(written) <= len(GOOD)
    assert Handler.asked == 1
    assert files(cache) == []


def test_a_file_that_drips_is_given_up(serve, cache, address, monkeypatch):
    monkeypatch.setattr(transfer, "SECONDS", 0.3)
    serve(f"{address}/slow")
    began = time.perf_counter()
    with pytest.raises(sv.data.DownloadError, match=r"not all of it came within 0\.3 seconds"):
        sv.data.fetch("lines.txt")
    assert time.perf_counter() - began < 2
    assert files(cache) == []
    Handler.pause.set()


def test_a_file_that_may_not_be_read_is_called_that(serve, cache, address, monkeypatch):
    serve(f"{address}/good")
    cache.mkdir()
    (cache / "lines.txt").write_bytes(GOOD)

    def forbid(path, *arguments):  # root may read everything
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.open", forbid)
    with pytest.raises(sv.data.DownloadError, match=r"lines\.txt is there, but you may not"):
        sv.data.fetch("lines.txt")
    assert Handler.asked == 0


@pytest.mark.parametrize("mine", [False, True], ids=["empty cache", "a wrong file in the cache"])
def test_what_fails_leaves_the_cache_as_it_was(serve, cache, address, nobody, mine):
    if mine:
        cache.mkdir()
        (cache / "lines.txt").write_text("mine", encoding="utf-8")
    failed = r"lines\.txt has not .* left as it is\. Delete it" if mine else "Check the network"
    for url, error, said in (
        (f"{address}/cut", sv.data.DownloadError, failed),
        (f"{address}/missing", sv.data.DownloadError, rf"{failed}.*404"),
        (f"{address}/wrong", ValueError, "sha256 differs"),
        (nobody, sv.data.DownloadError, failed),
    ):
        serve(url)
        with pytest.raises(error, match=said) as told:
            sv.data.fetch("lines.txt")
        assert f"put lines.txt from {url} into {cache}" in str(told.value)
        assert files(cache) == ["lines.txt"] * mine
        assert not mine or (cache / "lines.txt").read_text(encoding="utf-8") == "mine"
    serve(f"{address}/good")
    assert sv.data.fetch("lines.txt").read_bytes() == GOOD


def test_a_cache_that_cannot_be_made(serve, tmp_path, monkeypatch, address):
    serve(f"{address}/good")
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("SEQVIZ_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(sv.data.DownloadError, match="could not be downloaded"):
        sv.data.fetch("lines.txt")


def test_an_unknown_file_names_the_closest_and_each_remote_is_complete(monkeypatch):
    with pytest.raises(ValueError, match=r"did you mean 'tinyshakespeare\.txt'"):
        sv.data.fetch("shakespeare.txt")
    for remote in registry.REMOTES.values():
        assert remote.url.startswith("https://")
        assert len(remote.sha256) == 64
        assert remote.licence
        assert remote.note.endswith(".")
    monkeypatch.delenv("SEQVIZ_CACHE", raising=False)
    assert "seqviz" in registry.cache_folder().parts


def test_a_silent_server_gives_the_stand_in(cache, monkeypatch):
    attempts = 1 + transfer.RETRIES
    assert attempts * transfer.TIMEOUT + transfer.RETRIES <= 12  # a second between two attempts
    monkeypatch.setattr(transfer, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/plays"
        remote = sv.data.Remote("tinyshakespeare.txt", url, 9, "0" * 64, "CC0", "Never comes.")
        monkeypatch.setitem(registry.REMOTES, remote.file, remote)
        began = time.perf_counter()
        with pytest.warns(UserWarning, match="shipped stand-in"):
            data = sv.data.load("shakespeare")
        seconds = time.perf_counter() - began
    assert data.source == "shipped stand-in"
    assert 0.2 * attempts <= seconds < 2
    assert files(cache) == []
