"""record in a beam search: the rows change places, so no map is made of its steps."""

import warnings

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz.recording import record
from seqviz.recording.records import Record
from tests.recording.small_models import bart, gpt2, t5

SOURCE = torch.tensor([[5, 9, 3, 7, 4, 30]])


MODELS = {"GPT-2": gpt2, "T5": t5, "BART": bart}


def generated(model, **options):
    """The ids that generate finds, and its record and warnings."""
    with record(model) as rec, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ids = model.generate(SOURCE, max_new_tokens=5, min_new_tokens=5, **options)
    return ids, rec, [w for w in caught if "chosen anew" in str(w.message)]


@pytest.mark.parametrize(
    ("name", "options"),
    [("GPT-2", {}), ("GPT-2", {"use_cache": False}), ("T5", {"do_sample": True}), ("BART", {})],
    ids=str,
)
def test_the_rows_of_a_beam_search_are_beams_and_make_no_map(name, options, tmp_path):
    ids, rec, caught = generated(MODELS[name]().eval(), num_beams=3, **options)
    assert [w.filename for w in caught] == [__file__]
    beams = {
        path: calls
        for path, calls in rec.attention.items()
        if not path.startswith(("encoder", "model.encoder"))
    }
    assert {call.dims[0] for calls in beams.values() for call in calls} == {"beam"}
    rec.save(tmp_path / "record")
    for one in (rec.attention, Record.load(tmp_path / "record").attention):
        first = next(path for path in one if path in beams)
        with pytest.raises(ValueError, match="'beam', 'head', 'query', 'key'"):
            sv.view.attention({first: one[first]}, list(map(str, ids[0])), item=0)


def test_each_search_warns_once():
    model = gpt2().eval()
    with record(model), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for beams in (2, 1, 2):
            model.generate(SOURCE, max_new_tokens=3, min_new_tokens=3, num_beams=beams)
    assert len([w for w in caught if "chosen anew" in str(w.message)]) == 2


def test_what_the_warning_tells_to_do_shows_the_map():
    model = gpt2().eval()
    ids, _, (warning,) = generated(model, num_beams=3)
    assert "model(output.sequences) of a decoder alone" in str(warning.message)
    with torch.no_grad(), record(model) as rec:
        model(ids)
    model.set_attn_implementation("eager")
    expected = model(ids, output_attentions=True).attentions
    words = list(map(str, ids[0].tolist()))
    assert [call.dims[0] for (call,) in rec.attention.values()] == ["batch"] * 2
    (kind,) = sv.view.attention(rec.attention, words).kinds.values()
    for shown, weights in zip(kind.layers, expected, strict=True):
        np.testing.assert_allclose(shown, weights[0].detach(), atol=1e-6)


@pytest.fixture
def seq2seq():
    return sv.nn.Seq2Seq(20, 21, 8, 12, attention="additive").eval()


@torch.no_grad()
def by_hand(model, source):
    """Go on with rows that are chosen after each step."""
    state = model.encode(source)
    _, state = model.step(torch.tensor([1]), state)
    for rows in ([0, 0, 0], [2, 0, 1], [0, 2]):
        state = model.select(state, torch.tensor(rows))
        _, state = model.step(torch.tensor([3] * len(rows)), state)
    model.step(torch.tensor([3, 3]), state)


def test_a_search_by_hand_whose_batch_changes(seq2seq):
    with record(seq2seq) as rec, pytest.warns(UserWarning, match="chosen anew"):
        by_hand(seq2seq, torch.tensor([[5, 9, 3, 7, 4, 12]]))
    (calls,) = rec.attention.values()
    assert [call.dims[0] for call in calls] == ["batch", "beam", "beam", "beam"]
    assert [call.shape[::2] for call in calls] == [(1, 1), (3, 1), (3, 1), (2, 2)]
    with pytest.raises(ValueError, match="'beam', 'head', 'query', 'key'"):
        sv.view.attention(rec.attention, list("abcd"), key_tokens=list("uvwxyz"), item=0)


def test_another_batch_is_no_beam(seq2seq):
    model = seq2seq
    with record(model) as rec, warnings.catch_warnings():
        warnings.simplefilter("error")
        for rows in (3, 2, 2):  # other sentences of the same length
            source = torch.randint(3, 20, (rows, 6))
            model(source, torch.tensor([[1, 4, 5]] * rows))
            model(source, torch.tensor([[1, 4, 5]] * rows))
    (calls,) = rec.attention.values()
    assert [call.shape for call in calls] == [(n, 1, 3, 6) for n in (3, 3, 2, 2, 2, 2)]
    assert {call.dims[0] for call in calls} == {"batch"}
