"""The weights of transformers' models, from small random configurations."""

import warnings

import numpy as np
import pytest
import torch

from seqviz.recording import record
from seqviz.view import attention
from tests.views.attention.arrays import equal, words

transformers = pytest.importorskip("transformers", reason="transformers is not installed")

PROMPT, NEW = 7, 5
BERT = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4}
T5 = {"d_model": 32, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 4}
BART = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4}
BART |= {"decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32}
SIZES = {
    "Bert": {**BERT, "intermediate_size": 32},
    "GPT2": {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64, "eos_token_id": 59},
    "T5": {**T5, "decoder_start_token_id": 0},
    "Bart": {**BART, "max_position_embeddings": 64},
}


def model(name, head="Model", attn_implementation="eager"):
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(vocab_size=60, **SIZES[name])
    config._attn_implementation = attn_implementation
    return getattr(transformers, name + head)(config).eval()


def ids(n, seed=0):
    return torch.randint(5, 50, (1, n), generator=torch.Generator().manual_seed(seed))


def arrays(layers, item=0):
    return np.stack([layer[item].detach().numpy() for layer in layers])


@pytest.mark.parametrize("name", ["Bert", "GPT2"])
def test_one_stack(name):
    layers = model(name)(ids(PROMPT), output_attentions=True).attentions
    view = attention(layers, words(PROMPT))
    equal(view, arrays(layers))
    assert view.facts["kinds"][0]["causal"] is (name == "GPT2")
    assert view.facts["kinds"][0]["sums"] is True


def translated(name, source, target):
    net = model(name, "ForConditionalGeneration")
    return net(input_ids=source, decoder_input_ids=target, output_attentions=True)


def three(output):
    kinds = ("encoder", "cross", "decoder")
    return {kind: getattr(output, f"{kind}_attentions") for kind in kinds}


def same(view, kinds):
    for k, kind in enumerate(view.kinds):
        equal(view, arrays(kinds[kind]), k)


def generated(name, head, **options):
    options = {"max_new_tokens": NEW, "min_new_tokens": NEW, "do_sample": False, **options}
    return model(name, head).generate(
        ids(PROMPT), return_dict_in_generate=True, output_attentions=True, pad_token_id=0, **options
    )


def test_a_causal_model_that_generates():
    run = generated("GPT2", "LMHeadModel")
    read = run.sequences[:, :-1]
    assert read.shape[1] == PROMPT + NEW - 1
    at_once = model("GPT2", "LMHeadModel")(read, output_attentions=True).attentions
    equal(attention(run.attentions, words(PROMPT + NEW - 1)), arrays(at_once))
    with pytest.raises(ValueError, match=r"expected 11.* came 12: the last token that a causal"):
        attention(run.attentions, words(PROMPT + NEW))


@pytest.mark.parametrize("name", ["T5", "Bart"])
def test_an_encoder_decoder_that_generates(name):
    run = generated(name, "ForConditionalGeneration")
    read = run.sequences[:, :-1]
    at_once = translated(name, ids(PROMPT), read)
    tokens = {"encoder_tokens": words(PROMPT), "decoder_tokens": words(read.shape[1])}
    view = attention(**three(run), **tokens)
    same(view, three(at_once))
    same(attention(**three(at_once), **tokens), three(at_once))
    assert [kind["causal"] for kind in view.facts["kinds"]] == [False, False, True]


def test_a_beam_search_is_refused_and_its_output_is_shown_by_one_run():
    run = generated("T5", "ForConditionalGeneration", num_beams=3)
    read = run.sequences
    tokens = {"encoder_tokens": words(PROMPT), "decoder_tokens": words(read.shape[1])}
    with pytest.raises(ValueError, match=r"cross: .* 3, .* 1: .*beam.*sv\.record.*num_beams=1"):
        attention(**three(run), **tokens, item=0)
    at_once = translated("T5", ids(PROMPT), read)
    view = attention(**three(at_once), **tokens, item=0)
    equal(view, arrays(at_once.cross_attentions), 1)


def test_steps_of_a_batch_are_warned_of_as_a_beam_search_may_have_made_them():
    item = 2
    run = generated("GPT2", "LMHeadModel", num_beams=3)
    tokens = words(PROMPT + NEW - 1)
    once = r"beam search .*run the model once .*model\(output\.sequences, output_attentions=True\)"
    with pytest.warns(
        UserWarning, match=rf"weights: row {item} .*batch of texts, .*{once}"
    ) as caught:
        attention(run.attentions, tokens, item=item)
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings(action="error"):
        attention(run.attentions[:1], words(PROMPT), item=item)
        attention(generated("GPT2", "LMHeadModel").attentions, tokens)
        found = model("GPT2", "LMHeadModel")(run.sequences, output_attentions=True).attentions
        attention(found, words(PROMPT + NEW))
    run = generated("GPT2", "LMHeadModel", num_beams=3, use_cache=False)
    with pytest.raises(ValueError, match=rf"no steps of one generation.*{once}"):
        attention(run.attentions, tokens, item=item)


def test_steps_of_a_decoder_are_warned_of_unless_its_encoder_tells():
    batch = torch.cat([ids(PROMPT), ids(PROMPT, 1)])
    run = model("T5", "ForConditionalGeneration").generate(
        batch, max_new_tokens=3, return_dict_in_generate=True, output_attentions=True
    )
    given = three(run)
    tokens = {"encoder_tokens": words(PROMPT), "decoder_tokens": words(len(run.cross_attentions))}
    with warnings.catch_warnings(action="error"):
        attention(**given, **tokens, item=1)
    del given["encoder"]
    with pytest.warns(UserWarning, match="decoder_input_ids=output.sequences") as caught:
        attention(**given, **tokens, item=1)
    assert [str(warning.message).partition(":")[0] for warning in caught] == ["cross", "decoder"]


def test_a_record_of_a_beam_search_names_the_run_to_record():
    net = model("T5", "ForConditionalGeneration", "sdpa")
    with record(net) as rec, pytest.warns(UserWarning, match="chosen anew"):
        found = net.generate(ids(PROMPT), max_new_tokens=NEW, num_beams=2)
    tokens = {"encoder_tokens": words(PROMPT), "decoder_tokens": words(found.shape[1])}
    once = r"decoder_input_ids=output\.sequences, .*sv\.record around"
    with pytest.raises(ValueError, match=rf"came \('beam', .*run the model once .*{once}"):
        attention(rec.attention, **tokens)
    with record(net) as rec:
        net(input_ids=ids(PROMPT), decoder_input_ids=found)
    assert list(attention(rec.attention, **tokens).kinds) == ["encoder", "decoder", "cross"]


def test_without_a_cache_the_last_step_of_a_decoder_holds_all():
    run = generated("T5", "ForConditionalGeneration", use_cache=False)
    tokens = {"encoder_tokens": words(PROMPT), "decoder_tokens": words(NEW)}
    at_once = three(translated("T5", ids(PROMPT), run.sequences[:, :-1]))
    same(attention(**three(run), **tokens), at_once)
    net = model("T5", "ForConditionalGeneration", "sdpa")
    with record(net) as rec:
        net.generate(ids(PROMPT), max_new_tokens=NEW, min_new_tokens=NEW, use_cache=False)
    same(attention(rec.attention, **tokens), at_once)


def test_a_model_that_keeps_its_weights_to_itself_says_how_to_get_them():
    output = model("Bert", attn_implementation="sdpa")(ids(PROMPT), output_attentions=True)
    with pytest.raises(ValueError, match="attn_implementation='eager'"):
        attention(output.attentions, words(PROMPT))
    with pytest.raises(TypeError, match=r"hand in its \.attentions"):
        attention(output, words(PROMPT))


def test_a_record_of_a_generation():
    net = model("T5", "ForConditionalGeneration", "sdpa")
    with record(net) as rec:
        run = net.generate(ids(PROMPT), max_new_tokens=NEW, min_new_tokens=NEW, do_sample=False)
    read = run[:, :-1]
    tokens = {"encoder_tokens": words(PROMPT), "decoder_tokens": words(read.shape[1])}
    view = attention(rec.attention, **tokens)
    at_once = three(translated("T5", ids(PROMPT), read))
    assert list(view.kinds) == ["encoder", "decoder", "cross"]
    same(view, at_once)
