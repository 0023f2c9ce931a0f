"""Models of ten kinds in the machine, five texts each: all that is drawn is what torch computes."""

from functools import cache

import numpy as np
import pytest
import torch
import transformers
from torch import Tensor
from torch import nn as torch_nn

from seqviz import machine, nn
from seqviz.exploring.passes import GIVES
from seqviz.graphs import anatomy_of
from tests.bench.architectures import leaves
from tests.browser.test_machine_words import CHECKED, ROOM, drawn
from tests.browser.test_machine_words import shown as shown
from tests.graphs.anatomy_checks import alike, faults
from tests.graphs.test_explorer_answers import LETTERS, OTHER, PIECES, SIZE, TEXT, WORD_LEVEL
from tests.graphs.test_explorer_answers import page as page
from tests.graphs.test_machine_answers import parts_are

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXTS = [TEXT, OTHER, "cross it", "a a a a dog the street", " ".join([TEXT, OTHER] * 2)]
WIDE = {"vocab_size": SIZE, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2}
HEADS = {"num_attention_heads": 4}
GROUPED = HEADS | {"num_key_value_heads": 2, "head_dim": 4}
NAMED = {"vocab_size": SIZE, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
TWO = NAMED | {"d_model": 16, "decoder_start_token_id": 1, "forced_eos_token_id": None}
SIDES = {
    f"{side}_{name}": size
    for side in ("encoder", "decoder")
    for name, size in {"layers": 2, "attention_heads": 2, "ffn_dim": 32}.items()
}
OF_TRANSFORMERS = {
    "BERT": ("BertForMaskedLM", WIDE | HEADS),
    "DistilBERT": (
        "DistilBertForMaskedLM",
        {"vocab_size": SIZE, "dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32},
    ),
    "GPT-2": ("GPT2LMHeadModel", NAMED | {"n_embd": 16, "n_layer": 2, "n_head": 2}),
    "Llama": ("LlamaForCausalLM", WIDE | GROUPED),
    "Gemma": ("GemmaForCausalLM", WIDE | GROUPED),
    "T5": (
        "T5ForConditionalGeneration",
        TWO | {"d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2},
    ),
    "BART": ("BartForConditionalGeneration", TWO | SIDES),
    "ModernBERT": ("ModernBertForMaskedLM", NAMED | WIDE | HEADS | {"cls_token_id": 1}),
}


class OfTorch(torch_nn.Module):
    """An encoder of torch.nn."""

    def __init__(self):
        super().__init__()
        layer = torch_nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.tokens, self.output = torch_nn.Embedding(SIZE, 16), torch_nn.Linear(16, SIZE)
        self.encoder = torch_nn.TransformerEncoder(layer, 2)

    def forward(self, ids):
        return self.output(self.encoder(self.tokens(ids)))


def bert():
    return nn.BERTForMaskedLM(nn.BERT(len(PIECES), 16, 2, 2, 32, add_pooling_layer=False))


OWN = {
    "our BERT": (bert, PIECES),
    "our GPT": (lambda: nn.GPT(SIZE, 32, 16, 2, 2), LETTERS),
    "torch.nn": (OfTorch, LETTERS),
}


def made(name):
    """A model and its tokenizer; that of transformers gives its maps."""
    if name in OWN:
        return OWN[name][0](), OWN[name][1]
    kind, sizes = OF_TRANSFORMERS[name]
    kind = getattr(transformers, kind)
    model = kind._from_config(kind.config_class(**sizes), attn_implementation="eager")
    return model, WORD_LEVEL


@cache
def opened(name):
    """A model and its view."""
    torch.manual_seed(0)
    model, tokenizer = made(name)
    for weight in model.parameters():
        if weight.dim() > 1:  # as drawn, all maps are uniform
            torch_nn.init.normal_(weight, std=0.3)
    return model.eval(), machine(model, tokenizer, TEXT)


def of_torch(model, given):
    """What the modules of a model give in a call, and its maps of attention by their names."""
    seen = {}

    def note(path):
        return lambda _, __, out: seen.update({path: next(leaves(out), (path, None))[1]})

    hooks = [one.register_forward_hook(note(path)) for path, one in model.named_modules()]
    maps = {"output_attentions": True} if hasattr(model, "config") else {}
    with torch.no_grad():
        output = model(**given, **maps) if maps else model(*given.values())
    for hook in hooks:
        hook.remove()
    assert len(seen) > 10
    return seen, {path: one for path, one in leaves(output) if "attentions" in path}


def has(values, wanted):
    """Whether a value is among others, in whatever shape."""
    same = (one.flatten() for one in values if one.numel() == wanted.numel())
    return any(alike(one, wanted.flatten()) for one in same)


@pytest.mark.parametrize("name", [*OWN, *OF_TRANSFORMERS])
def test_all_numbers_of_five_texts_are_those_of_torch(page, name):
    model, view = opened(name)
    graph = view.model.graph
    names = {part: argument for argument, part in GIVES.items()}
    inputs = [names[view.model.reads.inputs[one]] for one in graph.inputs]
    for text in TEXTS:
        view.text = text
        given = view._run.asked.given
        assert not faults(graph, anatomy_of(graph), given)
        values = [one for one in view._run.values.values() if isinstance(one, Tensor)]
        modules, maps = of_torch(model, dict(zip(inputs, given, strict=True)))
        assert [path for path, one in modules.items() if not has(values, one)] == []
        drawn_maps = [view._run.values[part["weights"]] for part in attentions(view)]
        assert len(maps) == (len(drawn_maps) if maps else 0)
        assert [path for path, one in maps.items() if not has(drawn_maps, one)] == []
        assert len(parts_are(page, view, {"text": text})) > 60


def attentions(view):
    """The parts of a model that attend."""
    return [
        part
        for stream in view.facts["anatomy"]["streams"]
        for block in stream["blocks"]
        for part in block["parts"]
        if part["is"] == "attention"
    ]


@pytest.mark.parametrize("name", [*OWN, *OF_TRANSFORMERS])
def test_three_hundred_numbers_are_what_is_made_of_their_inputs(script, shown, name):
    _, view = opened(name)
    facts = shown(name, lambda: {"facts": view.facts, "parts": numbers_of(view)})
    wrong, kinds = script(ROOM + "explaining.js", CHECKED, name, drawn(facts, 300))
    assert wrong == []
    assert "other" not in kinds
    assert sum(kinds.values()) == 300


def numbers_of(view):
    """All numbers of a run, by part."""
    view.parts.whole = True
    parts = {name: np.frombuffer(view.part_of(name), "<f4").tolist() for name in view.parts}
    view.parts.whole = False
    return parts
