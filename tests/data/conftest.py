"""What tests of downloads share: an empty cache, and files that count as the registered ones."""

import dataclasses
import hashlib

import pytest

from seqviz.data import registry


@pytest.fixture
def offline(tmp_path, monkeypatch):
    """The empty cache folder; there is no network."""

    def refuse(*arguments, **options):
        raise ConnectionError("no network in this test")

    monkeypatch.setenv("SEQVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr("pooch.HTTPDownloader.__call__", refuse)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return tmp_path


@pytest.fixture
def put(offline, monkeypatch):
    """Put a file into the cache, as if it were the registered one of its name."""

    def put(file, content):
        (offline / file).write_bytes(content)
        sha256 = hashlib.sha256(content).hexdigest()
        made = dataclasses.replace(registry.REMOTES[file], size=len(content), sha256=sha256)
        monkeypatch.setitem(registry.REMOTES, file, made)

    return put
