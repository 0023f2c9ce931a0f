"""What `sv.view.atlas` takes and refuses, and what it tells in Python."""

import io
import json
import warnings
from functools import cache

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz.view import atlas
from tests.browser.shown import HOSTILE

WORDS = [*"abcdefgh", "film", "story", "not", "dumb", "very", "good", "it", "of", "'", ",", "."]


def sentences(count=40, words=WORDS, seed=0):
    draw = np.random.default_rng(seed)
    lengths = draw.integers(4, 18, count)
    return [" ".join(draw.choice(words, n)) for n in lengths]


def net(size, layers=3, heads=4, seed=0):
    """A model whose weights are large enough that its heads differ."""
    torch.manual_seed(seed)
    bert = sv.nn.BERT(
        size, 8 * heads, layers, heads, intermediate_size=16, max_position_embeddings=64
    )
    for weight in bert.parameters():
        if weight.dim() > 1:
            torch.nn.init.normal_(weight, std=0.35)
    return bert


@cache
def found(layers=3, heads=4, count=40):
    texts = sentences(count)
    pieces = sv.data.train_wordpiece(texts, vocab_size=80)
    return sv.atlas(net(len(pieces), layers, heads), pieces, texts, progress=False).found


def given():
    one = found()
    told = np.frombuffer(json.dumps(one.told).encode(), np.uint8)
    return {**one.arrays, "told": told}


def everything():
    return atlas(given(), title="All of it")


def hostile():
    """Words, and what the model calls its first token, are markup."""
    bad = ["", *HOSTILE, "\u202eabc", "x" * 10_000, "\n", "\x00\x07", "\u0301", "=1+1", 'a,"']
    made = given()
    told = json.loads(made["told"].tobytes())
    told["texts"] = [[bad[k % len(bad)] for k in range(len(text))] for text in told["texts"]]
    told |= {"first": HOSTILE[0], "separator": HOSTILE[1], "model": HOSTILE[0]}
    lists = {name: [[[bad[k], 0.5] for k in range(7)] for _ in told["heads"]]
             for name in ("queries", "keys")}  # fmt: skip
    made["told"] = np.frombuffer(json.dumps({**told, **lists}).encode(), np.uint8)
    return atlas(made, title="<b>bold</b>")


def changed(**changes):
    made = given()
    told = json.loads(made["told"].tobytes())
    for name, value in changes.items():
        if name in made:
            made[name] = value
        else:
            told[name] = value
    made["told"] = np.frombuffer(json.dumps(told).encode(), np.uint8)
    return made


def test_what_cannot_be_shown_is_named():
    one = given()
    beyond = one["sentence"] + 1000
    key = one["rows"].copy()
    key[0, 0, 0] = 200
    cases = {
        "came int": 3,
        "is no file": "none.npz",
        "has no 'values'": {},
        "values is float32 .2, 2., expected .12, 14.": changed(values=np.ones((2, 2), np.float32)),
        "is infinite": changed(even=np.full(14, np.inf)),
        "format 9": changed(format=9),
        "has no list 'texts'": changed(texts=None),
        "has no number 'sentences'": changed(sentences="many"),
        "texts.0..1.: expected a string": changed(texts=[["a", 3]]),
        "names one beyond": changed(sentence=beyond),
        "beyond the end of its sentence": changed(rows=key),
        "beyond the end of rows": changed(begins=one["begins"] + 100_000),
        "beyond the 10 places": changed(does=one["does"] + 10),
        "expected bytes": changed(rows=one["rows"].astype(int)),
        "no JSON": {**one, "told": np.zeros(3, np.uint8)},
        "has no heads": changed(heads=[]),
    }
    for message, bad in cases.items():
        with pytest.raises((TypeError, ValueError), match=message) as error:
            atlas(bad)
        assert str(error.value).startswith("found"), message


def test_controls_are_checked_and_told(tmp_path):
    view = everything()
    assert view.alt == "Atlas of BERT: 12 heads in 3 layers over 40 sentences; first by distance"
    view.head, view.sentence = "2.1", 3
    assert view.alt.endswith("; head 2.1")
    view.head = "0.0"
    assert view.sentence == 0, "another head begins at its strongest sentence"
    wrong = {"head": "9.9", "x": "size", "kind": "odd", "sort": "name", "sentence": 99}
    for name, value in wrong.items():
        with pytest.raises(ValueError, match=f"^{name}: expected"):
            setattr(view, name, value)
    with pytest.raises(TypeError, match="title"):
        atlas(given(), title=3)
    (tmp_path / "no.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="damaged"):
        atlas(tmp_path / "no.npz")


def test_the_table_has_what_python_holds_and_a_file_brings_it_back(tmp_path):
    view = everything()
    header, *rows = view.table()
    assert header[:3] == ["head", "kinds", "previous"]
    assert [row[0] for row in rows] == [*view.found.heads, "even spread"]
    assert {len(row) for row in rows} == {len(header)}
    column = header.index("entropy")
    expected = view.found.arrays["values"][:, header.index("entropy") - 2]
    assert [row[column] for row in rows[:-1]] == expected.astype(float).tolist()
    view.save(tmp_path / "atlas.npz")
    again = atlas(tmp_path / "atlas.npz", head="1.2")
    assert again.table() == view.table()
    assert again.head == "1.2"
    assert len(again.to_html()) < 400_000


def test_what_was_saved_needs_no_pickle(tmp_path):
    everything().save(tmp_path / "atlas.npz")
    with warnings.catch_warnings(), np.load(io.BytesIO((tmp_path / "atlas.npz").read_bytes())) as f:
        assert {array.dtype.kind for array in f.values()} <= {"f", "i", "u"}
