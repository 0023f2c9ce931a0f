"""BERT: what it reads, what it returns, how large it is, and what can be seen inside."""

import copy

import pytest
import torch
import transformers
from safetensors.torch import load_model, save_model

from seqviz.nn import BERT
from tests.nn.saved_models import BERT as SMALL
from tests.nn.saved_models import IDS, MASK, SEGMENTS
from tests.refusing import refused

ALBERT = {"embedding_size": 10, "share_layers": True}
BOTH = pytest.mark.parametrize("options", [{}, ALBERT], ids=["BERT", "ALBERT"])
CLOSE = {"rtol": 0, "atol": 1e-6}


def bert(**options):
    torch.manual_seed(0)
    return BERT(**(SMALL | options)).eval()


@BOTH
def test_what_comes_back(options):
    last, pooled, states = bert(**options)(IDS, MASK, SEGMENTS, output_hidden_states=True)
    assert last.shape == (3, 7, 24)
    assert pooled.shape == (3, 24)
    assert [state.shape for state in states] == [(3, 7, 24)] * 4
    assert states[-1] is last
    assert torch.equal(bert(**options)(IDS, MASK.bool(), SEGMENTS)[0], last)
    assert bert(**options)(IDS).hidden_states is None
    assert bert(add_pooling_layer=False)(IDS).pooler_output is None


PAPERS = [  # hidden, layers, heads, inner; parameters: Devlin et al. 2019, 3; Lan et al. 2020, 1
    ("Bert", (768, 12, 12, 3072), 110e6),
    ("Albert", (4096, 12, 64, 16384), 223e6),  # the paper says 235 of its xxlarge
]


def count(model):
    return sum(weight.numel() for weight in model.parameters())


@pytest.mark.parametrize(("kind", "sizes", "paper"), PAPERS)
def test_parameters_are_as_many_as_transformers_and_the_papers(kind, sizes, paper):
    names = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    given = dict(zip(names, sizes, strict=True))
    more = {}
    if kind == "Albert":
        given |= {"vocab_size": 30000, "embedding_size": 128}
        more = {"share_layers": True}
    config = getattr(transformers, f"{kind}Config")(**given)
    with torch.device("meta"):
        theirs = getattr(transformers, f"{kind}Model")(config)
        ours = BERT(**given, **more)
    assert count(ours) == count(theirs)
    assert count(ours) == pytest.approx(paper, rel=0.03)


def one_set_of_weights(model):
    first, *others = ([id(w) for w in layer.parameters()] for layer in model.layers)
    return all(other == first for other in others)


def test_shared_layers_are_modules_of_their_own_with_one_set_of_weights():
    model = bert(**ALBERT)
    assert len({id(layer) for layer in model.layers}) == 3
    assert one_set_of_weights(model)
    assert not one_set_of_weights(bert())
    assert count(model) == count(bert(**ALBERT, num_hidden_layers=9))
    layer, x = model.layers[0], model.embeddings(IDS, None)
    for _ in range(3):
        x = layer(x)
    torch.testing.assert_close(model(IDS)[0], x, **CLOSE)


def test_shared_layers_stay_shared(tmp_path):
    model = bert(**ALBERT)
    before, expected = model.layers[2].linear1.weight.clone(), model(IDS)[0]
    torch.save(model, tmp_path / "model.pt")
    save_model(model, tmp_path / "model.safetensors")
    loaded = BERT(**SMALL, **ALBERT).eval()
    load_model(loaded, tmp_path / "model.safetensors")
    for twin in (
        copy.deepcopy(model),
        torch.load(tmp_path / "model.pt", weights_only=False),
        loaded,
    ):
        assert one_set_of_weights(twin)
        assert torch.equal(twin(IDS)[0], expected)
    assert one_set_of_weights(model.double())
    model(IDS)[0][..., 0].sum().backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    assert one_set_of_weights(model)
    assert not torch.equal(model.layers[2].linear1.weight, before)


def test_the_start():
    model = BERT(**(SMALL | {"vocab_size": 2000, "hidden_size": 64}), pad_token_id=3)
    for name, weight in model.named_parameters():
        if weight.dim() > 1 and weight.numel() > 2000:
            assert weight.std().item() == pytest.approx(0.02, rel=0.05), name
        elif name.endswith("bias"):
            assert not weight.any(), name
        elif weight.dim() == 1:
            assert (weight == 1).all(), name
    words = model.embeddings.word_embeddings
    assert (words.weight.any(dim=1) == (torch.arange(2000) != 3)).all()
    model(torch.tensor([[3, 4]]))[0].square().sum().backward()
    assert words.weight.grad[4].any()
    assert not words.weight.grad[3].any()
    assert not torch.equal(model.layers[0].linear1.weight, model.layers[1].linear1.weight)


def test_wrong_sizes():
    wrong = {
        "num_attention_heads must divide hidden_size=24": lambda: bert(num_attention_heads=5),
        "hidden_act must be one of .*did you mean 'gelu'": lambda: bert(hidden_act="gelo"),
        "hidden_dropout_prob must lie between 0 and 1": lambda: bert(hidden_dropout_prob=2),
    }
    refused(ValueError, wrong)


def test_wrong_input():
    model, without = bert(), bert(type_vocab_size=0)
    assert model(torch.ones(1, 16, dtype=torch.long))[0].shape == (1, 16, 24)
    wrong = {
        r"input_ids must be \(batch, time\) and not empty, got .*\(7,\)": lambda: model(IDS[0]),
        "input_ids must lie between 0 and 39 .* got 44": lambda: model(IDS + 5),
        "at most 16 tokens a text.* got 21: truncate in": lambda: model(IDS.repeat(1, 3)),
        "1 at tokens and 0 at padding, got 3": lambda: model(IDS, MASK * 3),
        "0 at padding, got -1000000000.0: it is no": lambda: model(IDS, (MASK - 1.0) * 1e9),
        "leave each text a token, and row 2": lambda: model(IDS, MASK * SEGMENTS),
        r"token_type_ids must be None.*type_vocab_size=0": lambda: without(IDS, None, SEGMENTS),
    }
    refused(ValueError, wrong)
    wrong = {
        r"input_ids must be a torch.long tensor \(batch, time\), got list": lambda: model([[1]]),
    }
    refused(TypeError, wrong)
