"""SST-2: the real files where they are, made ones where they are not."""

import dataclasses
import hashlib
import warnings

import pytest

import seqviz as sv
from seqviz.data import registry

MADE = {
    "train": 'a " fine " film\t1\nwo n\'t do , says lrb she rrb\t0\n',
    "dev": "dull\t0",
    "test": "good\t1\n",
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
        file, content = f"sst2-{name}.tsv", text.encode()
        (cache / file).write_bytes(content)
        remote = dataclasses.replace(
            registry.REMOTES[file], size=len(content), sha256=hashlib.sha256(content).hexdigest()
        )
        monkeypatch.setitem(registry.REMOTES, file, remote)


def test_the_parts_come_from_the_cache(cache, monkeypatch):
    put(cache, monkeypatch, MADE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = sv.data.load("sst2")
    assert data.train == [
        sv.data.Labelled('a " fine " film', 1),
        sv.data.Labelled("wo n't do , says lrb she rrb", 0),
    ]
    assert (data.val, data.test) == ([sv.data.Labelled("dull", 0)], [sv.data.Labelled("good", 1)])
    assert data.source == "downloaded"


def test_the_test_part_is_looked_for_when_it_is_read(cache, monkeypatch):
    put(cache, monkeypatch, {"train": MADE["train"], "dev": MADE["dev"]})
    data = sv.data.load("sst2")
    assert repr(data).startswith("Dataset sst2 (downloaded): train 2, val 1 items.")
    with pytest.raises(sv.data.DownloadError, match=r"sst2-test\.tsv could not"):
        data.test  # noqa: B018
    put(cache, monkeypatch, MADE)
    assert len(data.test) == 1
    assert data.test is data.test
    assert "test 1 items" in repr(data)


def test_without_a_network_and_files_it_says_what_to_do(cache):
    with pytest.raises(sv.data.DownloadError, match="Check the network") as error:
        sv.data.load("sst2")
    url = registry.REMOTES["sst2-train.tsv"].url
    assert f"put sst2-train.tsv from {url} into {cache}" in str(error.value)
    assert list(cache.iterdir()) == []


def test_a_damaged_file_is_refused(cache, monkeypatch):
    (cache / "sst2-train.tsv").write_text("a film\t1\n", encoding="utf-8")
    with pytest.raises(sv.data.DownloadError, match="has not the registered sha256"):
        sv.data.load("sst2")
    put(cache, monkeypatch, MADE | {"dev": "dull\t0\nno label\n"})
    with pytest.raises(ValueError, match=r"line must be a text, a tab and a label.*'no label'"):
        sv.data.load("sst2")


def test_a_labelled_text_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        sv.data.Labelled("good", 1).label = 0


@pytest.mark.skipif(
    not all((registry.cache_folder() / f"sst2-{part}.tsv").exists() for part in ("train", "dev")),
    reason="the files of SST-2 are not in the cache (SEQVIZ_CACHE)",
)
def test_the_real_reviews():
    data = sv.data.load("sst2")
    assert (len(data.train), len(data.val)) == (6_920, 872)
    assert [sum(row.label for row in part) for part in (data.train, data.val)] == [3610, 444]
    lengths = [[len(row.text.split()) for row in part] for part in (data.train, data.val)]
    assert [(sum(part), max(part)) for part in lengths] == [(128_096, 51), (16_331, 47)]
    assert data.train[3].text.startswith("this is a visually stunning rumination on love , memory")
    texts = [{row.text for row in part} for part in (data.train, data.val)]
    assert [len(part) for part in texts] == [6_911, 872]
    assert not texts[0] & texts[1]
    assert len({word for row in data.train for word in row.text.split()}) == 13_838
