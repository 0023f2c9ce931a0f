"""ablate: a silenced head is one whose slice never reaches the output projection."""

import copy

import numpy as np
import pytest
import torch
from torch import nn

import seqviz as sv
from tests.recording.small_models import bart, bert, gpt2, llama, t5
from tests.refusing import refused

torch.set_num_threads(1)
IDS = torch.tensor([[5, 9, 3, 7, 4, 30], [8, 6, 11, 2, 12, 13]])


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


class Ours(nn.Module):
    """Two layers of attention, each added to what it reads."""

    def __init__(self, kind):
        super().__init__()
        self.embed = nn.Embedding(40, 16)
        self.layers = nn.ModuleList(kind(16, 4, batch_first=True) for _ in range(2))

    def forward(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = x + layer(x, x, x, need_weights=False)[0]
        return x


class OfTorch(nn.Module):
    """torch.nn.Transformer, from ids to ids."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(40, 16)
        self.net = nn.Transformer(16, 4, 2, 2, 12, dropout=0.0, batch_first=True)

    def forward(self, ids):
        return self.net(self.embed(ids), self.embed(ids[:, :4]))


PAIR = {"input_ids": IDS, "decoder_input_ids": IDS[:, :4]}
# name: model, what it is given, layer for ablate, the output projection, and numbers in a head
MODELS = {
    "sv": (lambda: Ours(sv.nn.MultiheadAttention), (IDS,), 1, "layers.1.out_proj", 4),
    "torch": (lambda: Ours(nn.MultiheadAttention), (IDS,), 1, "layers.1.out_proj", 4),
    "torch, encoder": (
        OfTorch, (IDS,), "net.encoder.layers.1", "net.encoder.layers.1.self_attn.out_proj", 4,
    ),
    "torch, cross": (
        OfTorch, (IDS,), "net.decoder.layers.0.multihead_attn",
        "net.decoder.layers.0.multihead_attn.out_proj", 4,
    ),
    "BERT": (bert, {"input_ids": IDS}, 1, "encoder.layer.1.attention.output.dense", 4),
    "GPT-2": (gpt2, {"input_ids": IDS}, 1, "transformer.h.1.attn.c_proj", 4),
    "Llama": (llama, {"input_ids": IDS}, 1, "model.layers.1.self_attn.o_proj", 4),
    "T5": (t5, PAIR, "decoder.*.EncDecAttention", "decoder.block.*.layer.1.EncDecAttention.o", 5),
    "BART": (
        bart, PAIR, "model.decoder.layers.1.self_attn", "model.decoder.layers.1.self_attn.out_proj",
        8,
    ),
}  # fmt: skip


def output(model, given):
    with torch.no_grad():
        result = model(**given) if isinstance(given, dict) else model(*given)
    return result if isinstance(result, torch.Tensor) else result[0]


def without(model, projection, heads, width):
    """The model with the columns of an output projection that read these heads put to zero."""
    model = copy.deepcopy(model)
    before, _, behind = projection.partition("*")
    for path, module in model.named_modules():
        if path == projection or (behind and path.startswith(before) and path.endswith(behind)):
            reads_rows = type(module).__name__ == "Conv1D"
            weight = module.weight.data if reads_rows else module.weight.data.T
            for head in heads:
                weight[head * width : (head + 1) * width] = 0
    return model


@pytest.mark.parametrize("name", MODELS)
def test_heads_are_silenced_as_by_hand(name):
    make, given, layer, projection, width = MODELS[name]
    model = make().eval()
    plain = output(model, given)
    for heads in ([1], [0, 1]):
        expected = output(without(model, projection, heads, width), given)
        with sv.ablate(model, layer=layer, head=heads):
            silenced = output(model, given)
        torch.testing.assert_close(silenced, expected, rtol=0, atol=1e-6)
        assert (silenced - plain).abs().max() > 1e-5
    torch.testing.assert_close(output(model, given), plain, rtol=0, atol=0)
    assert not any("forward" in vars(module) for module in model.modules())


def test_the_mean_over_the_batch_takes_a_heads_place():
    model, x = sv.nn.MultiheadAttention(8, 2, batch_first=True), torch.randn(3, 5, 8)
    seen = []
    handle = model.out_proj.register_forward_pre_hook(lambda m, given: seen.append(given[0]))
    with torch.no_grad():
        model(x, x, x)
        with sv.ablate(model, layer="", head=1, by="mean"):
            model(x, x, x)
    handle.remove()
    plain, replaced = seen
    torch.testing.assert_close(replaced[..., :4], plain[..., :4], rtol=0, atol=0)
    mean = plain[..., 4:].mean(0, keepdim=True).expand(3, 5, 4)
    torch.testing.assert_close(replaced[..., 4:], mean)


def test_blocks_nest_in_any_order_and_go_with_a_record():
    model = gpt2().eval()
    expected = output(without(without(model, "transformer.h.0.attn.c_proj", [1], 4),
                              "transformer.h.1.attn.c_proj", [3], 4), [IDS])  # fmt: skip
    with sv.record(model) as plain:
        output(model, [IDS])
    with (
        sv.ablate(model, layer=0, head=1),
        sv.record(model) as inside,
        sv.ablate(model, layer=1, head=3),
    ):
        torch.testing.assert_close(output(model, [IDS]), expected, rtol=0, atol=1e-6)
    first, second = (f"transformer.h.{k}.attn" for k in (0, 1))
    np.testing.assert_array_equal(inside.attention[first][0], plain.attention[first][0])
    assert np.abs(inside.attention[second][0].values - plain.attention[second][0]).max() > 1e-6
    assert not any("forward" in vars(module) for module in model.modules())


def test_no_gradient_goes_through_a_silenced_head():
    model, x = sv.nn.MultiheadAttention(8, 2), torch.randn(5, 3, 8)
    with sv.ablate(model, layer="", head=0):
        model(x, x, x)[0].sum().backward()
    rows = model.in_proj_weight.grad.view(3, 2, 4, 8)  # q, k and v; head; number in it
    assert not rows[:, 0].any()
    assert rows[:, 1].any()


def test_after_an_exception():
    model = bert().eval()
    before = output(model, [IDS])

    def interrupt(module, given):
        raise KeyboardInterrupt

    handle = model.encoder.layer[1].attention.self.key.register_forward_pre_hook(interrupt)
    with pytest.raises(KeyboardInterrupt), sv.ablate(model, layer=0, head=0), sv.record(model):
        output(model, [IDS])
    handle.remove()
    assert not any("forward" in vars(module) for module in model.modules())
    torch.testing.assert_close(output(model, [IDS]), before, rtol=0, atol=0)
    with sv.record(model) as rec:
        output(model, [IDS])
    assert {len(calls) for calls in rec.attention.values()} == {1}


def ablated(model, given=(IDS,), **options):
    with sv.ablate(model, **options):
        output(model, given)


def test_what_does_not_exist_is_named():
    model, plain = gpt2().eval(), nn.Sequential(nn.Embedding(40, 3), nn.Linear(3, 3))

    def of(layer=0, head=0, model=model, given=(IDS,), **options):
        return lambda: ablated(model, given, layer=layer, head=head, **options)

    wrong = {
        r"head must be from 0 to 3, .*'transformer\.h\.0": of(head=4),
        "got none": of(head=[]),
        "the model's layers 0, 1, or a module's name; got 2": of(2),
        r"such as 'transformer\.h\.0\.attn', .*'h\.0'": of("h.0"),
        r"'lm_head' did not attend.*'transformer\.h": of("lm_head"),
        "by must be one of 'zero', 'mean'": of(by="noise"),
        "needs a batch of several": of(given=(IDS[:1],), by="mean"),
        r"did not attend.* attended nowhere": of(1, model=plain),
        r"layer=1 is several: name one of .*'encoder\.block\.1.*', 'decoder\.block\.1": of(
            1, model=t5().eval(), given=PAIR
        ),
    }
    refused(ValueError, wrong)
    wrong = {
        "head must be an integer": of(head="1"),
    }
    refused(TypeError, wrong)
    assert not any("forward" in vars(module) for module in model.modules())


class Block(nn.Module):
    """Heads that are modules of their own, and layers that are parts of a list."""

    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList(sv.nn.Attention(4, 4, "dot") for _ in range(2))

    def forward(self, x):
        return x + sum(head(x, x)[0] for head in self.heads)


def test_layers_that_stand_beside_others_in_a_list():
    model = nn.Sequential(*(nn.Sequential(Block(), nn.Linear(4, 4)) for _ in range(2))).eval()
    x = torch.randn(2, 3, 4)
    with torch.no_grad():
        y = model[0](x)
        expected = model[1][1](y + model[1][0].heads[0](y, y)[0])
        for layer in (1, "1.0.heads.*", "1.0.heads.1"):
            with sv.ablate(model, layer=layer, head=1):
                torch.testing.assert_close(model(x), expected)
    with pytest.raises(ValueError, match=r"head 0 of layer='1\.0\.heads\.1' was not silenced"):
        ablated(model, (x,), layer="1.0.heads.1", head=0)


def test_heads_that_cannot_be_told_from_the_batch():
    class Folded(nn.Module):
        def forward(self, x):
            rows = x.repeat(3, 1, 1)  # a module that says nowhere that these are heads
            return (rows @ rows.mT).softmax(-1) @ rows

    with pytest.raises(ValueError, match=r"batch and heads of module '' .* cannot be told apart"):
        ablated(Folded(), (torch.randn(2, 4, 5),), layer="", head=0)
