"""What an explorer tells of heads beyond weights: what they write, what silencing costs."""

import numpy as np
import pytest
import torch

import seqviz as sv
from tests.test_exploring import (
    ENGLISH,
    FRENCH,
    PIECES,
    TEXT,
    drawn,
    own_bert,
    translator,
)

OTHER = "the street was too wide"


def part(view, name):
    return np.frombuffer(view.part_of(name), "<f4")


def written(view, g, layer, head):
    kind = [*view.kinds.values()][g % len(view.kinds)]
    return part(view, f"written {g} {layer} {head}").reshape(kind.shape)


@pytest.fixture(scope="module")
def bert():
    return own_bert()


def by_hand(model, view, layer, head):
    """Weights times lengths of W_O v, from the model's own weights."""
    block = model.layers[layer].self_attn
    given = {}
    hook = block.register_forward_pre_hook(
        lambda _, args, kwargs: given.update(x=(args or [kwargs["query"]])[0]), with_kwargs=True
    )
    with torch.no_grad():
        model(PIECES.encode(view.text).ids[None])
        hook.remove()
        width = given["x"].shape[-1]
        size = width // view.here.heads
        own = slice(head * size, (head + 1) * size)
        rows = slice(2 * width + own.start, 2 * width + own.stop)
        value = given["x"][0] @ block.in_proj_weight[rows].T + block.in_proj_bias[rows]
        lengths = (value @ block.out_proj.weight[:, own].T).norm(dim=-1).numpy()
    return view.here.layers[layer][head] * lengths


def test_what_a_head_writes_is_its_weights_times_the_lengths_of_w_o_v(bert):
    view = sv.explore(bert, PIECES, TEXT, cells="written")
    for layer, head in [(0, 0), (2, 3)]:
        own = written(view, 0, layer, head)
        np.testing.assert_allclose(own, by_hand(bert, view, layer, head), rtol=1e-4)
    header, *rows = view.table()
    assert header[-2:] == ["weight", "written"]
    assert [row[-1] for row in rows][-49:] == pytest.approx(written(view, 0, 2, 3).ravel())
    view.silent = [(view.kind, 0, 1)]
    assert not np.allclose(written(view, 1, 2, 3), written(view, 0, 2, 3), rtol=1e-2)
    view.text = OTHER
    np.testing.assert_allclose(written(view, 0, 2, 3), by_hand(bert, view, 2, 3), rtol=1e-4)


def test_what_cannot_be_told_says_why(bert):
    view = sv.explore(translator(attention="general"), (ENGLISH, FRENCH), TEXT)
    sent = []
    view.send = lambda message, buffers=None: sent.append(message)
    view._answer(view, {"want": "written 0 0 0"}, [])
    assert "adds what its heads read to no stream" in sent[-1]["problem"]
    view = sv.view.attention([[0.5, 0.5], [0.2, 0.8]], ["a", "b"])
    for name, value in {"cells": "written", "sort": "cost"}.items():
        with pytest.raises(ValueError, match=name):
            setattr(view, name, value)
    with pytest.raises(ValueError, match=r"cause: .* without their model"):
        view.cause("another")
    with pytest.raises(ValueError, match=r"cause: there is no text to carry states from"):
        sv.explore(bert, PIECES, TEXT).cause()


def test_a_cost_is_what_ablation_loses_at_each_token(bert):
    gpt = drawn(sv.nn.GPT(len(ENGLISH), 9, 8, 2, 2))
    view = sv.explore(gpt, ENGLISH, TEXT)
    ids = ENGLISH.encode(TEXT.split())[None]
    with torch.no_grad():
        before = gpt(ids)[0].log_softmax(-1)
        with sv.ablate(gpt, layer=1, head=0):
            after = gpt(ids)[0].log_softmax(-1)
    best = before.argmax(-1, keepdim=True)
    lost = (before - after).gather(-1, best)[:, 0]
    view.silent = [(view.kind, 0, 0)]  # the cost stays that of one head alone
    np.testing.assert_allclose(part(view, "cost 0 1 0"), lost, atol=1e-5)
    view = sv.explore(bert, PIECES, TEXT)
    cost = part(view, "cost 0 2 1")
    view.silent = [(view.kind, 2, 1)]
    np.testing.assert_allclose(cost, view.facts["silence"]["shifts"], atol=1e-6)


def test_several_texts_to_choose_from(bert):
    texts = [TEXT, OTHER, "<b>it</b>"]
    view = sv.explore(bert, PIECES, texts)
    assert (view.text, view.facts["texts"]) == (TEXT, texts)
    view.text = texts[2]
    assert view.facts["texts"] == texts
    wrong = {
        (): r"text: .* came 0",
        (TEXT, 3): r"text\[1\]",
        7: r"text must be a string, or a list",
    }
    for given, told in wrong.items():
        with pytest.raises((TypeError, ValueError), match=told):
            sv.explore(bert, PIECES, given)


def test_causes_of_the_same_model(bert):
    view = sv.explore(bert, PIECES, TEXT, second=OTHER)
    causes = view.cause(carried=[{"stage": 1, "token": 2}])
    assert causes.facts["texts"] == [TEXT, OTHER]
    assert view.cause("the animal was wide").facts["texts"][1] == "the animal was wide"
