"""Data sets and weights by name; Shakespeare with a stand-in."""

import dataclasses
import json
import warnings

import pytest

import seqviz as sv
from seqviz.data import loaders, registry

STAND_IN = (registry.shipped_folder() / "shakespeare" / "stand_in.txt").read_text(encoding="utf-8")


def test_hello():
    data = sv.data.load("hello")
    assert (data.train, data.val, data.test) == (["hello"], [], [])
    assert data.source == "shipped"
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.train = ["help"]


def test_shakespeare_offline_warns_and_gives_the_stand_in(offline):
    with pytest.warns(UserWarning, match="shipped stand-in") as caught:
        data = sv.data.load("shakespeare")
    (warning,) = caught
    assert warning.filename == __file__
    for said in (f"{len(STAND_IN):,} char", registry.REMOTES["tinyshakespeare.txt"].url, offline):
        assert str(said) in str(warning.message)
    assert data.train + data.val + data.test == STAND_IN
    assert data.source == "shipped stand-in"
    assert len(repr(data)) < 200
    assert "train 9,016" in repr(data)
    assert list(offline.iterdir()) == []


def test_shakespeare_from_the_cache(put):
    content = (STAND_IN * 3).encode()
    put("tinyshakespeare.txt", content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = sv.data.load("shakespeare")
    assert data.source == "downloaded"
    assert data.train + data.val + data.test == content.decode()
    assert [round(len(p) / len(content), 2) for p in (data.train, data.val)] == [0.90, 0.05]


def test_a_download_with_a_wrong_checksum_is_no_reason_for_the_stand_in(offline, monkeypatch):
    def send_other(self, url, output_file, pooch, check_only=False):
        output_file.write(b"other")

    monkeypatch.setattr("pooch.HTTPDownloader.__call__", send_other)
    with pytest.raises(ValueError, match="sha256 differs"):
        sv.data.load("shakespeare")
    assert list(offline.iterdir()) == []


@pytest.mark.parametrize("filling", ["", "<p>Welcome</p>" * 200_000])  # shorter, longer than plays
def test_a_page_to_log_in_gives_the_stand_in(offline, monkeypatch, filling):
    def send_page(self, url, output_file, pooch, check_only=False):
        page = f"\n<!DOCTYPE html><html><body>{filling}</body></html>".encode()
        for start in range(0, len(page), 1024):
            output_file.write(page[start : start + 1024])

    monkeypatch.setattr("pooch.HTTPDownloader.__call__", send_page)
    with pytest.warns(UserWarning, match=r"shipped stand-in.*a web page came in the place of"):
        data = sv.data.load("shakespeare")
    assert data.source == "shipped stand-in"
    assert list(offline.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("helo", ValueError, r"'hello', .*'quotes', .*'tagging'.*mean 'hello'"),
        ("Shakespeare", ValueError, "mean 'shakespeare"),
        ("", ValueError, ""),
        (3, TypeError, ""),
    ],
)
def test_a_strange_name(name, error, said):
    with pytest.raises(error, match=rf"^name must be one of .*{said}"):
        sv.data.load(name)
    with pytest.raises(error, match=r"^name must be one of 'shakespeare_rnn'"):
        sv.data.load_weights(name)


def test_the_weights_of_facts_bert_fit_a_bert():
    weights, vocabulary, sizes = sv.data.load_weights("facts_bert")
    pieces = sv.data.WordPiece(vocabulary.tokens)
    paragraphs = sv.data.load("facts").train
    assert not {word for p in paragraphs for word in p.line.split()} - {*vocabulary.tokens}
    model = sv.nn.BERTForMaskedLM(sv.nn.BERT(**sizes, add_pooling_layer=False)).eval()
    own = {k.removeprefix("both sides."): w for k, w in weights.items() if k.startswith("both")}
    model.load_state_dict(own)
    row = pieces.encode(paragraphs[0].line)
    assert (model(row.ids[None])[0].argmax(-1) == row.ids)[1:-1].float().mean() > 0.7


def test_the_metadata_of_the_weights_is_plain():
    for name in loaders.WEIGHTS:
        header = (registry.shipped_folder() / name / "model.safetensors").read_bytes()
        assert len(header) <= 1_200_000
        length = int.from_bytes(header[:8], "little")
        about = json.loads(header[8 : 8 + length])["__metadata__"]
        assert {*about} == {"vocabulary", "sizes"}
