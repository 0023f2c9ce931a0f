"""The parts of models as they are read from graphs, by the numbers of a run."""

import json
from dataclasses import replace
from functools import cache

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
    "use_cache": False,
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


class Gated(torch_nn.Module):
    """Sinks take a share, joined heads are gated, hidden numbers normalised, tokens left out."""

    def __init__(self):
        super().__init__()
        self.tokens = torch_nn.Embedding(12, 8)
        self.ins = torch_nn.ModuleList(torch_nn.Linear(8, 32) for _ in range(2))
        self.outs = torch_nn.ModuleList(torch_nn.Linear(8, 8) for _ in range(2))
        self.norms = torch_nn.ModuleList(torch_nn.LayerNorm(8) for _ in range(2))
        self.sinks = torch_nn.Parameter(torch.ones(1, 2, 1, 1))
        self.feeds = torch_nn.ModuleList(self.feed() for _ in range(2))

    def feed(self):
        ins, out = torch_nn.Linear(8, 16), torch_nn.Linear(16, 8)
        return torch_nn.Sequential(ins, torch_nn.ReLU(), torch_nn.LayerNorm(16), out)

    def forward(self, ids, mask):
        x = self.tokens(ids)
        parts = self.ins, self.outs, self.norms, self.feeds
        for ins, out, norm, feed in zip(*parts, strict=True):
            *heads, gate = ins(x).chunk(4, -1)
            q, k, v = (one.unflatten(-1, (2, 4)).transpose(1, 2) for one in heads)
            scores = torch.cat([q @ k.mT / 2, self.sinks.expand(1, 2, ids.shape[1], 1)], -1)
            weights = (scores - scores.amax(-1, keepdim=True)).softmax(-1)[..., :-1]
            joined = (weights @ v).transpose(1, 2).flatten(2)
            x = norm(x + out(joined * gate.sigmoid())) * mask[..., None]
            x = x + feed(x)
        return x


PRE, POST = "pre attention+pre feed", "attention post+feed post"
DECODER = "attention post+cross post+feed post"
MODELS = {
    "BERT": (
        lambda: nn.BERTForMaskedLM(nn.BERT(12, **SIZES)),
        lambda n: (*masked(n), (torch.arange(n) > 2)[None].long()),
        [POST] * 2,
    ),
    "GPT of one head": (lambda: nn.GPT(12, 32, 8, 1, 1), lambda n: (ids(n),), [PRE]),
    "translator": (lambda: nn.TransformerSeq2Seq(12, 12, 8, 2, 1, 1, 16), pair, [POST, DECODER]),
    "gates": (Gated, masked, ["attention post+feed"] * 2),
    "pre-norm": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(**LAYER, norm_first=True), 1),
        lambda n: (numbers(n),),
        [PRE],
    ),
    "torch's layer": (
        lambda: torch_nn.TransformerEncoderLayer(**LAYER, activation="gelu", norm_first=True),
        lambda n: (numbers(n),),
        [PRE],
    ),
    "torch's transformer": (
        lambda: torch_nn.Transformer(8, 2, 1, 2, 16),
        lambda n: (numbers(n + 1)[0][:, None], numbers(n)[0][:, None]),
        [POST] + [DECODER] * 2,
    ),
}
WIDE = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
FED = WIDE | {"intermediate_size": 24}
GROUPED = FED | {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4}
TWO_STREAMS = {"d_model": 16, "decoder_start_token_id": 0}
FED_TWICE = {
    f"{side}_{name}": size
    for side in ("encoder", "decoder")
    for name, size in {"layers": 1, "attention_heads": 2, "ffn_dim": 24}.items()
}
OF_TRANSFORMERS = {  # sizes, blocks, the last activation
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
QUICK, SLOW = ("distilbert", "llama", "modernbert", "t5"), pytest.mark.slow


@cache
def read(name):
    """A model's graph and anatomy, and inputs of another length than it was written with."""
    torch.manual_seed(0)
    make, given, _ = MODELS[name]
    graph = exported(make().eval(), given(5))
    return graph, anatomy_of(graph), given(9)


@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_read_as_it_computes(name):
    graph, anatomy, inputs = read(name)
    assert not faults(graph, anatomy, inputs)
    assert seen(anatomy) == MODELS[name][2]


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=SLOW) for name in OF_TRANSFORMERS],
)
def test_a_model_of_transformers_is_read_as_it_computes(name):
    torch.manual_seed(0)
    sizes, blocks, activation = OF_TRANSFORMERS[name]
    model = AutoModel.from_config(AutoConfig.for_model(name, **SMALL | sizes)).eval()
    for weights in model.parameters():
        if weights.dim() > 1:  # as drawn, all maps are uniform
            torch_nn.init.normal_(weights, std=0.3)
    names, given = ("input_ids", "attention_mask"), masked
    if name in ("t5", "bart"):
        names, given = ("input_ids", "decoder_input_ids"), pair
    graph = exported(model, dict(zip(names, given(5), strict=True)))
    anatomy = anatomy_of(graph)
    assert not faults(graph, anatomy, given(9))
    assert seen(anatomy) == blocks
    feeds = [part for part in anatomy.streams[-1].blocks[-1].parts if part.IS == "feed"]
    assert [part.name for part in feeds] == [activation]
    assert bool(feeds[0].gate) == (name in ("llama", "gemma", "modernbert"))


def test_what_the_last_product_reads_is_told_where_heads_are_gated():
    graph, gates, inputs = read("gates")
    _, bert, _ = read("BERT")
    into = [one.streams[0].blocks[1].parts[0].into for one in (gates, bert)]
    assert [bool(one) for one in into] == [True, False]
    stream = gates.streams[0]
    first, feed = stream.blocks[0].parts
    assert feed.hidden != feed.act
    assert first.sinks
    blocks = replace(stream.blocks[0], parts=(replace(first, into=None), feed)), stream.blocks[1]
    wrong = replace(gates, streams=(replace(stream, blocks=blocks),))
    (fault,) = faults(graph, wrong, inputs)
    assert "no product of the context" in fault


def test_embeddings_are_told_apart_and_both_ends_are_found():
    graph, bert, _ = read("BERT")
    assert [one.name for one in bert.streams[0].embedded] == ["token", "segment", "position"]
    assert bert.streams[0].norm
    assert bert.streams[0].last != bert.streams[0].end  # the head has a layer of its own
    assert (bert.logits.node, bert.probabilities) == (graph.outputs[0], "tokens")
    _, two, _ = read("translator")
    assert [(one.side, one.tokens) for one in two.streams] == [
        ("encoder", "source"),
        ("decoder", "target"),
    ]
    for stream in two.streams:
        assert [one.name for one in stream.embedded] == ["token", "position"]
    _, plain, _ = read("pre-norm")
    assert [one.name for one in plain.streams[0].embedded] == ["embedding"]
    assert (plain.logits, plain.probabilities) == (None, None)


def test_a_text_has_one_row_of_logits():
    model = nn.BERTForSequenceClassification(nn.BERT(12, **SIZES | {"num_hidden_layers": 1}), 3)
    anatomy = anatomy_of(exported(model, (ids(5),)))
    assert (anatomy.probabilities, anatomy.logits.token) == ("text", None)


def test_an_anatomy_travels_as_json():
    _, anatomy, _ = read("BERT")
    told = json.loads(json.dumps(anatomy.told()))
    first, second = told["streams"][0]["blocks"][0]["parts"]
    assert (first["is"], first["heads"], first["scale"], first["cross"]) == (
        "attention",
        2,
        2,
        False,
    )
    assert first["maps"] == {"head": 1, "query": 2, "key": 3}
    assert first["query"]["head"] == 0
    assert (second["is"], second["name"], second["path"]) == ("feed", "GELU", "bert.layers.0")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (lambda one: {"scale": 1.0}, "scores / scale"),
        (lambda one: {"before": one.after}, "before"),
        (lambda one: {"query": replace(one.query, token=2, number=1)}, "query @ key"),
        (lambda one: {"post": one.after}, "post"),
        (lambda one: {"weights": one.masked}, "weights"),
        (lambda one: {"heads": 1}, "heads"),
    ],
)
def test_what_is_read_wrong_is_found_by_its_numbers(changes, told):
    graph, anatomy, inputs = read("BERT")
    stream = anatomy.streams[0]
    first, *others = stream.blocks[0].parts
    parts = replace(first, **changes(first)), *others
    block = replace(stream.blocks[0], parts=parts)
    stream = replace(stream, blocks=(block, *stream.blocks[1:]))
    assert told in " ".join(faults(graph, replace(anatomy, streams=(stream,)), inputs))


class Gated(torch_nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch_nn.ModuleList(torch_nn.TransformerEncoderLayer(**LAYER) for _ in "ab")

    def forward(self, x):
        for block in self.blocks:
            gate = x.sigmoid()
            x = gate * block(x) + (1 - gate) * x
        return x


@pytest.mark.parametrize(
    ("make", "given", "told"),
    [
        (lambda: nn.LanguageModel(12, 8), (ids(5),), "LanguageModel never attends"),
        (lambda: nn.Seq2Seq(12, 12, 8, 6), pair(5), "Seq2Seq attends, but adds"),
        (
            Gated,
            (torch.ones(1, 5, 8),),
            "2 streams .*; the last begins before 'blocks.1.self_attn'",
        ),
    ],
)
def test_a_model_without_blocks_is_refused(make, given, told):
    graph = exported(make(), given)
    with pytest.raises(ValueError, match=told):
        anatomy_of(graph)
