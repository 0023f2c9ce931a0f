"""Ten lines for each kind of model: they work, also without transformers or its encoder."""

import sys

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz.data import DownloadError
from seqviz.nn import weight_files
from tests.nn.saved_models import encoder_folder
from tests.notebooks.parts import Notebook

NOTEBOOK = Notebook("your_own_model")


@pytest.fixture(scope="module")
def scope():
    """The names after the reader was trained and recorded."""
    torch.manual_seed(0)
    return NOTEBOOK.names("class Reader(", "words = [", "with sv.record(reader)", "norms =")


def test_the_gates_of_a_class_with_an_lstm_are_those_that_it_computes(scope):
    reader, ids = scope["reader"], scope["ids"][:-1]
    states, (_, c) = reader.lstm(reader.embed(ids))
    traces = scope["rec"].traces()
    torch.testing.assert_close(torch.tensor(traces["h"]), states.detach())
    torch.testing.assert_close(torch.tensor(traces["c"][-1:]), c.detach())
    norms = scope["norms"]
    assert norms.shape == (len(ids),)
    assert norms.values[-1] == norms.values.max()  # the loss stands at the last word


def test_a_cell_of_ones_own_gives_its_gates_and_is_refused_by_record(scope, capsys):
    for start in ("class Gated(", "gated = Gated("):
        exec(NOTEBOOK.cell(start), scope)
    assert "sv.record: model (Gated) has nothing to record" in capsys.readouterr().out
    right = (scope["expected"][:-1].argmax(dim=1) == scope["ids"][1:]).float().mean()
    assert right == 1
    gates = torch.stack(scope["gated"].gates)
    assert gates.shape == (24, 8)
    assert 0 < gates.min() < gates.max() < 1


def test_a_model_of_transformers_is_taken_as_it_is():
    pytest.importorskip("transformers")
    encoder_folder()
    scope = NOTEBOOK.names("try:\n    from transformers", "view = sv.explore(")
    assert type(scope["model"]).__module__.startswith("transformers.")
    assert (scope["view"].here.heads, len(scope["view"].here.numbers)) == (12, 6)


@pytest.mark.parametrize("missing", ["transformers", "the encoder"])
def test_without_them_a_shipped_net_takes_their_place(missing, monkeypatch, capsys):
    def refuse(*_):
        raise DownloadError("there is no encoder")

    if missing == "transformers":
        monkeypatch.setitem(sys.modules, "transformers", None)
    else:
        monkeypatch.setattr(weight_files, "_find", refuse)
    scope = NOTEBOOK.names("try:\n    from transformers", "view = sv.explore(")
    assert missing.removeprefix("the ") in capsys.readouterr().out
    assert isinstance(scope["model"], sv.nn.BERT)
    assert scope["view"].here.heads == 4
    assert scope["view"].silent


def test_arrays_of_any_origin_are_shown_and_scores_are_refused(capsys):
    scope = NOTEBOOK.names("sentence = [", "try:\n    sv.view.attention(")
    assert scope["view"].here.heads == 3
    np.testing.assert_allclose(scope["weights"].sum(axis=-1), 1)
    told = capsys.readouterr().out
    assert "take the softmax over the keys first" in told
    assert "kind,layer,head" in told
