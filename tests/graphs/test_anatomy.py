"""The parts of models as they are read from graphs, by the numbers of a run."""

import pytest
import torch
from torch import nn as torch_nn
from transformers import AutoConfig, AutoModel

from seqviz import nn
from seqviz.graphs import anatomy_of, exported
from tests.graphs.anatomy_checks import faults

SIZES = {
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 16,
}
LAYER = {"d_model": 8, "nhead": 2, "dim_feedforward": 16, "batch_first": True}
SMALL = {  # of transformers
    "vocab_size": 40,
    "max_position_embeddings": 32,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "attn_implementation": "sdpa",
}


def ids(length):
    return (torch.arange(length) * 5 % 4 + 3)[None]


def masked(length):
    return ids(length), torch.ones_like(ids(length))


def pair(length):
    start = torch.ones(1, 1, dtype=torch.long)
    return ids(length + 1), torch.cat([start, ids(length - 1)], dim=1)


def numbers(length):
    return torch.linspace(-1, 1, 8 * length).mul(7).sin().reshape(1, length, 8)


def read(model, given):
    """A graph's anatomy, and what is wrong with it at another length."""
    graph = exported(model.eval(), given(5))
    anatomy = anatomy_of(graph)
    return anatomy, faults(graph, anatomy, given(9))


def seen(anatomy):
    """The parts of each block in short, the streams one after the other."""
    return [
        "+".join(_short(part) for part in block.parts)
        for stream in anatomy.streams
        for block in stream.blocks
    ]


def _short(part):
    name = "cross" if getattr(part, "cross", False) else part.IS
    return f"{'pre ' * bool(part.norm)}{name}{' post' * bool(part.post)}"


PRE, POST = "pre attention+pre feed", "attention post+feed post"
DECODER = "attention post+cross post+feed post"
MODELS = {
    "BERT": (
        lambda: nn.BERTForMaskedLM(nn.BERT(12, **SIZES)),
        lambda n: (*masked(n), (torch.arange(n) > 2)[None].long()),
        [POST] * 2,
    ),
    "GPT of one head": (lambda: nn.GPT(12, 32, 8, 2, 1), lambda n: (ids(n),), [PRE] * 2),
    "translator": (
        lambda: nn.TransformerSeq2Seq(12, 12, 8, 2, 2, 2, 16),
        pair,
        [POST] * 2 + [DECODER] * 2,
    ),
    "pre-norm": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(**LAYER, norm_first=True), 2),
        lambda n: (numbers(n),),
        [PRE] * 2,
    ),
    "torch's layer": (
        lambda: torch_nn.TransformerEncoderLayer(**LAYER, activation="gelu"),
        lambda n: (numbers(n),),
        [POST],
    ),
    "torch's transformer": (
        lambda: torch_nn.Transformer(8, 2, 1, 2, 16),
        lambda n: (numbers(n + 1)[0][:, None], numbers(n)[0][:, None]),
        [POST] + [DECODER] * 2,
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_read_as_it_computes(name):
    torch.manual_seed(0)
    make, given, blocks = MODELS[name]
    anatomy, wrong = read(make(), given)
    assert not wrong
    assert seen(anatomy) == blocks


WIDE = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
FED = WIDE | {"intermediate_size": 24}
GROUPED = FED | {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4}
TWO_STREAMS = {"d_model": 16, "decoder_start_token_id": 0}
FED_TWICE = {
    f"{side}_{name}": size
    for side in ("encoder", "decoder")
    for name, size in {"layers": 1, "attention_heads": 2, "ffn_dim": 24}.items()
}
OF_TRANSFORMERS = {
    "bert": (FED, [POST], "GELU"),
    "distilbert": ({"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 24}, [POST], "GELU"),
    "gpt2": ({"n_embd": 16, "n_layer": 1, "n_head": 2}, [PRE], "GELU"),
    "llama": (GROUPED, [PRE], "SiLU"),
    "gemma": (GROUPED, [PRE], "GELU"),
    "gpt_neox": (FED, [PRE], "GELU"),
    "modernbert": (FED | {"num_hidden_layers": 2}, ["attention+pre feed", PRE], "GELU"),
    "t5": (
        TWO_STREAMS | {"d_kv": 8, "d_ff": 24, "num_layers": 1, "num_heads": 2},
        [PRE, "pre attention+pre cross+pre feed"],
        "ReLU",
    ),
    "bart": (TWO_STREAMS | FED_TWICE, [POST, DECODER], "GELU"),
}


@pytest.mark.parametrize("name", OF_TRANSFORMERS)
def test_a_model_of_transformers_is_read_as_it_computes(name):
    torch.manual_seed(0)
    sizes, blocks, activation = OF_TRANSFORMERS[name]
    model = AutoModel.from_config(AutoConfig.for_model(name, **SMALL | sizes))
    for weights in model.parameters():
        if weights.dim() > 1:  # as drawn, all maps are uniform
            torch_nn.init.normal_(weights, std=0.3)
    two = "bart" if name in ("t5", "bart") else ""
    anatomy, wrong = read(Called(model, two), pair if two else masked)
    assert not wrong
    assert seen(anatomy) == blocks
    assert {part.name for part in anatomy.streams[-1].blocks[-1].parts if part.IS == "feed"} == {
        activation
    }


class Called(torch_nn.Module):
    """A model, called by names."""

    def __init__(self, model, two):
        super().__init__()
        self.model, self.two = model, two

    def forward(self, first, second):
        """What it gives last."""
        name = "decoder_input_ids" if self.two else "attention_mask"
        return self.model(first, **{name: second}, use_cache=False)[0]
