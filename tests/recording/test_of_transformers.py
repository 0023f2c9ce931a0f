"""record on transformers' models: what output_attentions gives, and a model left as it is."""

import copy
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz.recording import record
from tests.pairwise import pairwise
from tests.recording.small_models import bart, bert, gpt2, llama, state_of, t5

DECODERS = {
    "GPT-2": gpt2,
    "GPT-2 upcast": lambda: gpt2(reorder_and_upcast_attn=True),
    "Llama": llama,
}
PAIRS = {"T5": t5, "BART": bart}
MODELS = {"BERT": bert} | DECODERS | PAIRS
IDS = torch.tensor([[5, 9, 3, 7, 4, 30], [8, 6, 11, 2, 0, 0]])
MASK = (IDS != 0).long()


def made(name, implementation):
    model = MODELS[name]().eval()
    model.set_attn_implementation(implementation)
    return model


def given(name):
    """What a model is called with: two sequences, one of them padded."""
    both = {"input_ids": IDS, "attention_mask": MASK}
    return both | ({"decoder_input_ids": IDS[:, :4]} if name in PAIRS else {})


def as_eager(model):
    model = copy.deepcopy(model)
    model.set_attn_implementation("eager")
    return model


def by_kind(rec):
    """The recorded calls of encoder, decoder and cross attention, a list over the layers."""
    kinds = {"encoder": [], "decoder": [], "cross": []}
    for path, calls in rec.attention.items():
        cross = any(mark in path for mark in ("EncDec", "encoder_attn", "crossattention"))
        kind = "cross" if cross else "encoder" if path.split("decoder.")[0] == path else "decoder"
        kinds[kind].append([call.values for call in calls])
    return kinds


def assert_equal(layers, expected):
    """Compare the calls of each layer with transformers' steps of tuples of layers.

    Where a query may attend to nothing, at padding on the left, sdpa has weights of 0.
    """
    assert len(layers) == len(expected[0]) > 0
    for k, calls in enumerate(layers):
        assert len(calls) == len(expected)
        for call, step in zip(calls, expected, strict=True):
            somewhere = call.any(axis=-1, keepdims=True)
            np.testing.assert_allclose(
                call, step[k].detach().numpy() * somewhere, rtol=0, atol=1e-6
            )
            assert somewhere[0].all()


@pytest.mark.parametrize("implementation", ["sdpa", "eager"])
@pytest.mark.parametrize("name", MODELS)
def test_forward(name, implementation):
    model, inputs = made(name, implementation), given(name)
    with torch.no_grad():
        plain = model(**inputs)
        expected = as_eager(model)(**inputs, output_attentions=True)
        before, random = state_of(model), torch.get_rng_state()
        with record(model) as rec:
            recorded = model(**inputs)
    assert torch.equal(torch.get_rng_state(), random)
    assert state_of(model) == before
    assert model.config._attn_implementation == implementation
    assert recorded.keys() == plain.keys(), "no weights in the caller's output"
    torch.testing.assert_close(recorded[0], plain[0], rtol=0, atol=0)
    kinds = by_kind(rec)
    if name in PAIRS:
        assert_equal(kinds["encoder"], [expected.encoder_attentions])
        assert_equal(kinds["decoder"], [expected.decoder_attentions])
        assert_equal(kinds["cross"], [expected.cross_attentions])
    else:
        assert_equal(kinds["encoder"], [expected.attentions])
        assert not kinds["decoder"] + kinds["cross"]
    for path, (call,) in rec.attention.items():
        assert call.dims == ("batch", "head", "query", "key"), path
        assert len(call.values) == 2


@pytest.mark.parametrize(
    ("name", "beams", "implementation"),
    pairwise([*DECODERS, "T5", "BART"], [1, 3], ["sdpa", "eager"]),
)
def test_generate(name, beams, implementation):
    model = made(name, implementation)
    inputs = {"input_ids": IDS, "attention_mask": MASK}
    if name in DECODERS:  # padding on the left
        inputs = {"input_ids": IDS.flip(1), "attention_mask": MASK.flip(1)}
    inputs |= {"max_new_tokens": 5, "min_new_tokens": 3, "num_beams": beams, "do_sample": False}
    plain = model.generate(**inputs)
    expected = as_eager(model).generate(
        **inputs, output_attentions=True, return_dict_in_generate=True
    )
    before = state_of(model)
    with record(model) as rec, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        recorded = model.generate(**inputs)
    assert state_of(model) == before
    assert torch.equal(recorded, plain)
    assert [w.filename for w in caught if "chosen anew" in str(w.message)] == [__file__] * (
        beams > 1
    )
    for path, calls in rec.attention.items():
        rows = "batch" if beams == 1 or path.startswith(("encoder", "model.encoder")) else "beam"
        assert {call.dims[0] for call in calls} == {rows}, path
    kinds = by_kind(rec)
    if name in DECODERS:
        assert len(expected.attentions) >= 3, "steps"
        assert_equal(kinds["encoder"], expected.attentions)
    else:
        assert_equal(kinds["encoder"], [expected.encoder_attentions])
        assert_equal(kinds["decoder"], expected.decoder_attentions)
        assert_equal(kinds["cross"], expected.cross_attentions)
        assert [call.shape[2:] for call in kinds["decoder"][0]][:3] == [(1, 1), (1, 2), (1, 3)]


def test_a_name_narrows_the_record():
    model = t5().eval()
    with torch.no_grad(), record(model, attention="decoder.*.EncDecAttention") as rec:
        model(**given("T5"))
    assert list(rec.attention) == [f"decoder.block.{k}.layer.1.EncDecAttention" for k in (0, 1)]
    with torch.no_grad(), record(model, attention="encoder.block.1") as rec:
        model(**given("T5"))
    assert list(rec.attention) == ["encoder.block.1.layer.0.SelfAttention"]
    names = r"attention must name modules .*'encoder\.block\.0\.layer\.0', .*; got 'layers\.\*'"
    with pytest.raises(ValueError, match=names):
        record(model, attention="layers.*").__enter__()
    with pytest.raises(TypeError, match="attention must be a module's name"):
        record(model, attention=3).__enter__()


def test_seqviz_does_not_import_transformers():
    for path in Path(sv.__file__).parent.rglob("*.py"):
        imported = re.findall(r"^\s*(?:from|import) (\w+)", path.read_text(encoding="utf-8"), re.M)
        assert "transformers" not in imported, path
