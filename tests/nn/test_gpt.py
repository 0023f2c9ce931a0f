"""GPT and GPT-2 beside transformers', with their weights, and step by step."""

import pytest
import torch
from safetensors.torch import load_file, save_file

import seqviz as sv
from seqviz.nn import GPT
from tests.nn.saved_models import saved
from tests.refusing import refused

IDS = torch.tensor([[5, 9, 3, 7, 4, 0, 2], [8, 6, 11, 2, 0, 0, 1]])
KINDS = [  # class of transformers; embedding, layers, heads, positions; activation
    ("GPT2LMHeadModel", (12, 2, 3, 16), {"activation_function": "gelu_new"}),
    ("GPT2LMHeadModel", (24, 2, 6, 32), {"activation_function": "gelu"}),
    ("OpenAIGPTLMHeadModel", (12, 2, 3, 16), {"afn": "gelu"}),
    ("OpenAIGPTLMHeadModel", (16, 3, 4, 9), {"afn": "relu"}),
]


def theirs(folder, kind, sizes, activation):
    names = ("n_embd", "n_layer", "n_head", "n_positions")
    model = saved(folder, kind, vocab_size=13, **dict(zip(names, sizes, strict=True)), **activation)
    model.set_attn_implementation("eager")
    return model


@pytest.mark.parametrize(("kind", "sizes", "activation"), KINDS)
def test_logits_and_attentions_are_those_of_transformers(kind, sizes, activation, tmp_path):
    model = theirs(tmp_path, kind, sizes, activation)
    ours = GPT.from_pretrained(tmp_path)
    with torch.no_grad(), sv.record(ours) as rec:
        logits = ours(IDS)
    expected = model(IDS, output_attentions=True)
    torch.testing.assert_close(logits, expected.logits, rtol=1e-5, atol=1e-5)
    assert len(rec.attention) == sizes[1]
    for (alpha,), wanted in zip(rec.attention.values(), expected.attentions, strict=True):
        torch.testing.assert_close(torch.tensor(alpha.values), wanted.detach(), rtol=0, atol=1e-5)


def test_the_sizes_of_gpt_2():
    with torch.device("meta"):
        gpt = GPT(n_embd=768, n_layer=12, n_head=12)
    assert sum(weight.numel() for weight in gpt.parameters()) == 124_439_808


def small(**more):
    torch.manual_seed(0)
    gpt = GPT(13, 10, 12, 2, 3, **more).eval()
    for weight in gpt.parameters():
        torch.nn.init.normal_(weight, mean=0.1 if weight.dim() == 1 else 0.0, std=0.3)
    return gpt


@torch.no_grad()
@pytest.mark.parametrize("norm_first", [True, False])
def test_step_by_step_is_the_whole_text(norm_first):
    gpt, state = small(norm_first=norm_first), None
    whole = gpt(IDS)
    for t, ids in enumerate(IDS.T):
        logits, state = gpt.step(ids, state)
        torch.testing.assert_close(logits, whole[:, t], rtol=1e-6, atol=1e-6)
    assert state[0].key.shape[2] == 7


def test_a_new_one_starts_small():
    gpt = GPT(13, 10, 12, 2, 3)
    assert gpt.layers[0].linear2.weight.std() < 0.6 * gpt.layers[0].linear1.weight.std()


def test_what_does_not_fit():
    gpt = small()
    _, state = full = gpt.step(IDS[:, 0])
    for _ in range(9):
        full = gpt.step(IDS[:, 0], full[1])
    wrong = {
        "n_head must divide n_embd=768": lambda: GPT(n_head=5),
        "ids must lie between 0 and 12": lambda: gpt(IDS + 9),
        "within the table's 10 positions": lambda: gpt(torch.zeros(1, 11).long()),
        "a cache of 2 rows cannot take 1": lambda: gpt.step(IDS[:1, 1], state),
        "10 positions, got 11": lambda: gpt.step(IDS[:, 0], full[1]),
    }
    refused(ValueError, wrong)
    refused(TypeError, {"ids must be a torch": lambda: gpt(IDS.float())})


def test_old_files_hold_masks_and_the_output_twice(tmp_path):
    model = theirs(tmp_path, *KINDS[0])
    weights = load_file(tmp_path / "model.safetensors")
    weights["transformer.h.0.attn.bias"] = torch.ones(1, 1, 16, 16)
    weights["transformer.h.0.attn.masked_bias"] = torch.tensor(-1e4)
    weights["lm_head.weight"] = model.lm_head.weight.detach().clone()
    save_file(weights, tmp_path / "model.safetensors")
    with torch.no_grad():
        torch.testing.assert_close(
            GPT.from_pretrained(tmp_path)(IDS), model(IDS).logits, rtol=1e-5, atol=1e-5
        )
    weights["lm_head.weight"] += 1
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match=r"lm_head\.weight and wte\.weight of .* must be equal"):
        GPT.from_pretrained(tmp_path)
