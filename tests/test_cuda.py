"""On a graphics card: what is recorded, silenced, carried over and explored is as on the CPU."""

import copy
from itertools import chain

import numpy as np
import pytest
import torch

import seqviz as sv
from tests.intervention.streams import CASES, IDS, OTHER, made, run
from tests.views.test_atlas import net, sentences

CARD = "cuda"
pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a graphics card")
ATTENDS = "sv BERT", "sv GPT", "sv encoder", "torch encoder", "BERT", "GPT-2", "Llama", "T5"
NEAR = {"rtol": 0, "atol": 1e-4}


@pytest.fixture(autouse=True)
def _exactly():
    """Products of floats at their full precision."""
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False


def on(device, name):
    """A model, its case and what it reads, there."""
    case = CASES[name]
    more = {key: value.to(device) for key, value in case.more.items()}
    return made(name).to(device), case, more


def of(device, name, ids):
    """What a model says there, with a state carried over and a head silenced: numbers by name."""
    model, case, more = on(device, name)
    with sv.record(model, keep="states") as rec:
        run(model, ids.to(device), **more)
    found = {f"states of {path}": calls[0].values for path, calls in rec.states.items()}
    found["says"] = run(model, ids.to(device), **more)
    with sv.record(model, keep="states") as other:
        run(model, OTHER.to(device), **more)
    with sv.patch(model, layer=case.layer, token=[1, 2], from_=other):
        found["carried over"] = run(model, ids.to(device), **more)
    if name in ATTENDS:
        with sv.record(model) as rec:
            run(model, ids.to(device), **more)
        found |= {f"weights of {path}": calls[0].values for path, calls in rec.attention.items()}
        with sv.ablate(model, layer=next(iter(rec.attention)), head=1):
            found["silenced"] = run(model, ids.to(device), **more)
    return {key: torch.as_tensor(value).detach().cpu().numpy() for key, value in found.items()}


@pytest.mark.parametrize("name", CASES)
def test_a_run_is_the_same(name):
    expected, found = of("cpu", name, IDS), of(CARD, name, IDS)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, err_msg=key, **NEAR)
    assert np.abs(found["carried over"] - found["says"]).max() > 1e-4
    assert name not in ATTENDS or np.abs(found["silenced"] - found["says"]).max() > 1e-5


def explored(model, pieces, text):
    """What the explorer shows of a model, and with a head silenced: two tables."""
    view = sv.explore(model, pieces, text)
    whole = view.table()
    view.silent = [(view.kind, 0, 1)]
    return whole, view.table()


def test_what_explores_a_model_says_the_same_and_leaves_it_there():
    texts = sentences(30)
    pieces = sv.data.train_wordpiece(texts, vocab_size=80)
    model = sv.nn.BERTForMaskedLM(net(len(pieces))).eval()
    there = copy.deepcopy(model).to(CARD)
    expected, found = (explored(one, pieces, texts[0]) for one in (model, there))
    assert expected[0] != expected[1]
    for mine, theirs in zip(*map(chain.from_iterable, (found, expected)), strict=True):
        for value, wanted in zip(mine, theirs, strict=True):
            near = isinstance(wanted, float)
            assert value == (pytest.approx(wanted, abs=1e-4) if near else wanted)
    atlases = [sv.atlas(one, pieces, texts, progress=False).found for one in (model, there)]
    np.testing.assert_allclose(*(one.arrays["values"] for one in atlases), **NEAR)
    for tool in (sv.machine, sv.cause):  # which draw a model's graph
        with pytest.raises(ValueError, match=r"is on cuda, .*take model.cpu\(\)"):
            tool(there, pieces, *texts[: 2 if tool is sv.cause else 1])
    assert {weight.device.type for weight in there.parameters()} == {CARD}
