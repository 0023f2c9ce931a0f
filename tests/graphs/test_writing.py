"""Who wrote a logit: the parts sum to it, and each is what it is by hand."""

import pytest
import torch

from seqviz import nn
from seqviz.graphs import anatomy_of, exported, written

TOKEN, PLUS, LESS = 3, 7, 2


def run_of(model, *inputs):
    """A model's graph, anatomy and values, its weights far from where they begin."""
    torch.manual_seed(1)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.3 * torch.randn_like(weight))
    graph = exported(model.eval(), inputs)
    _, kept = graph.run(list(inputs), [node.name for node in graph.nodes])
    return graph, anatomy_of(graph), dict(zip(graph.inputs, inputs, strict=True)) | kept


def row_of(graph, values):
    return values[graph.roles.logits].reshape(-1, values[graph.roles.logits].shape[-1])


IDS = torch.tensor([[5, 1, 8, 2, 11]])
MODELS = {
    "pre-norm": lambda: nn.GPT(12, 32, 8, 2, 2),
    "post-norm": lambda: nn.BERTForMaskedLM(nn.BERT(12, 8, 2, 2)),
    "classes": lambda: nn.BERTForSequenceClassification(nn.BERT(12, 8, 2, 2), 9),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_parts_sum_to_the_logit(name):
    graph, anatomy, values = run_of(MODELS[name](), IDS)
    logits = row_of(graph, values)[0 if name == "classes" else TOKEN]
    for less in (None, LESS):
        parts = written(graph, anatomy, values, TOKEN, PLUS, less)
        wanted = logits[PLUS] - (0 if less is None else logits[less])
        assert sum(one.value for one in parts) == pytest.approx(wanted.item(), abs=1e-4)
        rest = {one.kind: one.value for one in parts}["rest"]
        assert abs(rest) < 1e-4
    assert len([one for one in parts if one.kind == "head"]) == 4


def test_a_head_of_a_pre_norm_model_writes_what_it_does_by_hand():
    model = MODELS["pre-norm"]()
    graph, anatomy, values = run_of(model, IDS)
    stream = anatomy.streams[0]
    x = values[stream.end.node].reshape(5, 8)[TOKEN]
    gain = model.norm.weight / (x.var(unbiased=False) + model.norm.eps).sqrt()
    direction = gain * model.tokens.weight[PLUS]
    direction = direction - direction.mean()  # the norm takes the mean off
    block = model.layers[1]
    context = values[stream.blocks[1].parts[0].context.node].reshape(2, 5, 4)[1, TOKEN]
    by_hand = context @ block.self_attn.out_proj.weight[:, 4:].T @ direction
    found = {
        (one.block, one.head): one.value for one in written(graph, anatomy, values, TOKEN, PLUS)
    }
    assert found[1, 1] == pytest.approx(by_hand.item(), abs=1e-4)


def test_a_state_that_was_carried_takes_the_place_of_all_before_it():
    graph, anatomy, values = run_of(MODELS["post-norm"](), IDS)
    node = anatomy.streams[0].blocks[0].end.node
    parts = written(graph, anatomy, values, TOKEN, PLUS, carried={node: [TOKEN]})
    kinds = {one.kind: one.value for one in parts}
    assert "carried" in kinds
    before = [one for one in parts if one.kind == "input" or one.block == 0]
    assert {one.value for one in before} == {0}
    assert sum(one.value for one in parts) == pytest.approx(
        row_of(graph, values)[TOKEN, PLUS].item(), abs=1e-4
    )


class Bent(torch.nn.Module):
    """A model whose output layer reads what a function makes of the stream."""

    def __init__(self, bend):
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.tokens, self.name = torch.nn.Embedding(12, 8), torch.nn.Linear(8, 12)
        self.encoder, self.bend = torch.nn.TransformerEncoder(layer, 2), bend

    def forward(self, ids):
        return self.name(self.bend(self.encoder(self.tokens(ids))))


def test_a_function_that_is_no_sum_of_parts_is_left_to_the_rest():
    functions = {
        torch.nn.functional.normalize: "sum",
        torch.nn.functional.silu: "sum",
        torch.nn.functional.softplus: "rest",
        torch.sigmoid: "nothing",
    }
    for bend, left in functions.items():
        model = Bent(bend)
        graph, anatomy, values = run_of(model, IDS)
        parts = written(graph, anatomy, values, TOKEN, PLUS)
        kinds = {one.kind: one.value for one in parts}
        logit, bias = row_of(graph, values)[TOKEN, PLUS].item(), model.name.bias[PLUS].item()
        rest = {"sum": 0, "rest": logit - bias, "nothing": logit}[left]
        assert kinds["rest"] == pytest.approx(rest, abs=1e-4), (bend.__name__, kinds)


class Averaged(Bent):
    """A model that takes the mean of what its output layer says."""

    def forward(self, ids):
        return super().forward(ids).mean(1)


def test_a_model_without_logits_is_refused_with_what_makes_its_output():
    models = nn.BERT(12, 8, 2, 2), Averaged(torch.nn.Identity())
    for model, why in zip(
        models, ("native_layer_norm in 'layers.1.norm2'", "mean in"), strict=True
    ):
        run = run_of(model, IDS)
        with pytest.raises(ValueError, match=f"has no logits: its output comes of {why}"):
            written(*run, 0, 0)
