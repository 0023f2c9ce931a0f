"""Multi30k: the real files where they are, made ones where they are not."""

import dataclasses
import gzip
import hashlib
import warnings

import pytest

import seqviz as sv
from seqviz.data import registry
from seqviz.data.captions import caption_words

MADE = {  # two files of each part
    "train.en": "A dog runs.\nTwo men sit.\n",
    "train.fr": "Un chien court.\nDeux hommes sont assis.\n",
    "val.en": "The man's hat\n",
    "val.fr": "L’homme au t-shirt, près d'un chien\n",
    "test_2016_flickr.en": "A cat.\n",
    "test_2016_flickr.fr": "Un chat.\n",
}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and no network."""

    def refuse(*arguments, **options):
        raise ConnectionError("no network in this test")

    monkeypatch.setenv("SEQVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr("pooch.HTTPDownloader.__call__", refuse)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return tmp_path


def put(cache, monkeypatch, made):
    for name, text in made.items():
        file, content = f"multi30k-{name}.gz", gzip.compress(text.encode(), mtime=0)
        (cache / file).write_bytes(content)
        remote = dataclasses.replace(
            registry.REMOTES[file], size=len(content), sha256=hashlib.sha256(content).hexdigest()
        )
        monkeypatch.setitem(registry.REMOTES, file, remote)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Two young, White males.", "two young , white males ."),
        ("L'homme à l’Église", "l' homme à l' église"),
        ("Quelqu'un porte un t-shirt", "quelqu' un porte un t-shirt"),
        ("The man's hat (red)", "the man' s hat ( red )"),
        ('He said: "no"!', 'he said : " no " !'),
        ("a - b-c -d", "a - b-c - d"),
        ("3.5 km/h", "3 . 5 km / h"),
        ("", ""),
    ],
)
def test_words_of_a_caption(text, words):
    assert caption_words(text) == tuple(words.split())


def test_the_parts_come_from_the_cache(cache, monkeypatch):
    put(cache, monkeypatch, MADE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = sv.data.load("multi30k")
    assert [len(part) for part in (data.train, data.val, data.test)] == [2, 1, 1]
    assert data.train[0] == sv.data.Pair(("a", "dog", "runs", "."), ("un", "chien", "court", "."))
    assert data.val[0].target[:2] == ("l'", "homme")
    assert data.source == "downloaded"


def test_the_test_part_is_looked_for_when_it_is_read(cache, monkeypatch):
    put(cache, monkeypatch, {n: t for n, t in MADE.items() if not n.startswith("test")})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = sv.data.load("multi30k")
    assert len(data.train) == 2
    assert repr(data).startswith("Dataset multi30k (downloaded): train 2, val 1 items.")
    with pytest.raises(sv.data.DownloadError, match=r"multi30k-test_2016_flickr\.en\.gz could not"):
        data.test  # noqa: B018
    put(cache, monkeypatch, MADE)
    assert len(data.test) == 1
    assert data.test is data.test
    assert "test 1 items" in repr(data)


def test_without_a_network_and_files_it_says_what_to_do(cache):
    with pytest.raises(sv.data.DownloadError, match="Check the network") as error:
        sv.data.load("multi30k")
    url = registry.REMOTES["multi30k-train.en.gz"].url
    assert f"put multi30k-train.en.gz from {url} into {cache}" in str(error.value)
    assert list(cache.iterdir()) == []


def test_files_of_different_lengths_are_refused(cache, monkeypatch):
    put(cache, monkeypatch, MADE | {"val.fr": "Un chien.\nUn chat.\n"})
    with pytest.raises(ValueError, match="zip"):
        sv.data.load("multi30k")


def cached(name):
    return (registry.cache_folder() / f"multi30k-{name}.gz").exists()


@pytest.mark.skipif(
    not all(cached(f"{part}.{side}") for part in ("train", "val") for side in ("en", "fr")),
    reason="the four files of Multi30k are not in the cache (SEQVIZ_CACHE)",
)
def test_the_real_captions():
    data = sv.data.load("multi30k")
    assert (len(data.train), len(data.val)) == (29_000, 1_014)
    if cached("test_2016_flickr.en"):
        assert len(data.test) == 1000
    assert " ".join(data.train[0].source) == (
        "two young , white males are outside near many bushes ."
    )
    assert (
        " ".join(data.train[0].target) == "deux jeunes hommes blancs sont dehors près de buissons ."
    )
    sides = [[word for pair in data.train for word in pair.source]]
    sides += [[word for pair in data.train for word in pair.target]]
    assert [(len(words), len({*words})) for words in sides] == [(377567, 10353), (409895, 11204)]
