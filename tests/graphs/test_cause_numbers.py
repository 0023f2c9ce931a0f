"""What is carried and silenced: the numbers of hooks by hand and of sv.ablate, of any library."""

import pytest
import torch
import transformers

import seqviz as sv
from tests.bench.exploring import tokenizer

TEXTS = ("w9 w5 w17 w8 w5", "w9 w6 w17 w8 w5 w12")
TARGET = "w7 w25 w6"
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 40}
NEAR = 1e-5


def bert():
    return transformers.BertForMaskedLM(transformers.BertConfig(**SIZES, intermediate_size=24))


def gpt2():
    config = transformers.GPT2Config(n_embd=16, n_layer=2, n_head=2, vocab_size=40)
    return transformers.GPT2LMHeadModel(config)


def llama():
    config = transformers.LlamaConfig(**SIZES, num_key_value_heads=1, intermediate_size=24)
    return transformers.LlamaForCausalLM(config)


def t5():
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 24, "num_layers": 2, "num_heads": 2}
    return transformers.T5ForConditionalGeneration(
        transformers.T5Config(vocab_size=40, decoder_start_token_id=0, **sizes)
    )


def own():
    return sv.nn.BERTForMaskedLM(sv.nn.BERT(40, 16, 2, 2))


MODELS = {  # the first block of the stream that has the logits, and the second one's attention
    "transformers' BERT": (bert, "bert.encoder.layer.0", 1),
    "GPT-2": (gpt2, "transformer.h.0", 1),
    "Llama": (llama, "model.layers.0", 1),
    "T5": (t5, "decoder.block.0", "decoder.block.1.layer.0.SelfAttention"),
    "sv.nn's": (own, "bert.layers.0", 1),
}


@pytest.fixture(scope="module", params=MODELS)
def opened(request):
    """A model far from where its weights begin, its view, and what it calls its blocks."""
    make, *places = MODELS[request.param]
    torch.manual_seed(0)
    model = make().eval()
    with torch.no_grad():
        for weights in model.parameters():
            weights.add_(0.2 * torch.randn_like(weights))
    target = TARGET if request.param == "T5" else None
    return model, sv.cause(model, tokenizer(), *TEXTS, target=target), *places


def said(model, view, text):
    """The logits of a text, one row a token."""
    run = view._texts.runs[text]
    graph = view.model.model.graph
    output = model(**dict(zip(graph.inputs, run.asked.given, strict=True)))
    return (output if isinstance(output, torch.Tensor) else output[0])[0].detach()


def job(view, **more):
    stream = len(view.facts["streams"]) - 1
    weigh = {"token": 0, "other": 0, "plus": 1, "less": 2, "ids": []}
    return {"of": 0, "stream": stream, "states": [], "silent": [], "weigh": weigh} | more


def state_of(output):
    return output if isinstance(output, torch.Tensor) else output[0]


def test_a_carried_state_is_that_of_a_hook_on_the_model(opened):
    model, view, path, _ = opened
    block, kept = model.get_submodule(path), {}

    def keep(module, args, output):
        kept["state"] = state_of(output).detach().clone()

    def put(module, args, output):
        state_of(output)[0, 1] = kept["state"][0, 2]

    with block.register_forward_hook(keep):
        said(model, view, 1)
    with block.register_forward_hook(put):
        expected = said(model, view, 0)
    stream = len(view.facts["streams"]) - 1
    origin = {"text": 1, "stage": 1, "token": 2, "order": None}
    state = {"stream": stream, "stage": 1, "token": 1, "head": None, "from": origin}
    run = view.model.changed(view._texts, job(view, states=[state]))
    assert (view.model._logits(run) - expected).abs().max() < NEAR
    assert (said(model, view, 0) - expected).abs().max() > 100 * NEAR


def test_silencing_a_head_is_what_ablate_does(opened):
    model, view, _, layer = opened
    part = view.facts["streams"][-1]["blocks"][1]["parts"][0]
    run = view.model.changed(view._texts, job(view, silent=[[part["attention"], 1]]))
    with sv.ablate(model, layer=layer, head=1):
        expected = said(model, view, 0)
    assert (view.model._logits(run) - expected).abs().max() < NEAR
