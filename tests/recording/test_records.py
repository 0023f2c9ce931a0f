"""Records: saved and loaded, and what they hold once."""

import numpy as np
import pytest
import torch
from torch import nn

from seqviz.nn import RNN
from seqviz.recording import record
from seqviz.recording.records import Record


def test_save_and_load(tmp_path):
    model = nn.ModuleDict({"first": nn.LSTM(3, 4, bidirectional=True), "rest": RNN(8, 5)})
    with record(model) as rec:
        for length in (2, 3):
            output, _ = model["first"](torch.randn(length, 1, 3))
        model["rest"](output)[0].sum().backward()
    path = tmp_path / "record"  # no ending is added
    rec.save(path)
    back = Record.load(path)
    assert list(tmp_path.iterdir()) == [path]
    assert repr(back) == repr(rec)
    assert repr(rec).startswith("Record(hidden['first']: 2 calls; hidden['rest']: 1 call; cell")
    assert back.nbytes == rec.nbytes
    assert back.cells == {"first": "LSTM", "rest": "RNN tanh"}
    for kind in rec.kinds:
        for name, calls in getattr(rec, kind).items():
            for ours, theirs in zip(getattr(back, kind)[name], calls, strict=True):
                assert (ours.dims, ours.labels) == (theirs.dims, theirs.labels)
                np.testing.assert_array_equal(ours, theirs)
    assert back.traces("first", layer=1, call=1)["reverse"]


def test_load_of_something_else(tmp_path):
    path = tmp_path / "record.npz"
    with record(RNN(3, 4)) as rec:
        pass
    rec.save(path)
    good = path.read_bytes()
    np.savez(tmp_path / "other.npz", a=np.ones(2))
    other = (tmp_path / "other.npz").read_bytes()
    for content in (b"", b"hello", good[:50], other):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"record\.npz is not a record, or it is damaged"):
            Record.load(path)
    with pytest.raises(FileNotFoundError):
        Record.load(tmp_path / "none")


def test_equal_weights_are_held_once():
    lstm = nn.LSTM(3, 4)
    with record(lstm) as rec:
        for _ in range(3):
            lstm(torch.randn(2, 1, 3))
        with torch.no_grad():
            lstm.weight_hh_l0.zero_()
        lstm(torch.randn(2, 1, 3))
    first, second, third, changed = rec.W_hh[""]
    assert first is second is third
    assert not changed.values.any()
    assert first.values.any()
    one_call = sum(rec._kept[kind][""][0].values.nbytes for kind in rec._kept if rec._kept[kind])
    assert rec.nbytes < 4 * one_call
