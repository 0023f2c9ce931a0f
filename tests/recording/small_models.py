"""Small random models of transformers."""

import copy

import transformers

SMALL = {"vocab_size": 40, "hidden_size": 16, "intermediate_size": 8}
BERT = SMALL | {"num_hidden_layers": 2, "num_attention_heads": 4}
SPECIAL = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}


def bert(**options):
    return transformers.BertModel(transformers.BertConfig(**BERT, **options))


def gpt2(**options):
    config = transformers.GPT2Config(
        vocab_size=40, n_embd=16, n_layer=2, n_head=4, **SPECIAL, **options
    )
    return transformers.GPT2LMHeadModel(config)


def llama():
    config = transformers.LlamaConfig(**BERT, num_key_value_heads=2, **SPECIAL)
    return transformers.LlamaForCausalLM(config)


def t5():
    config = transformers.T5Config(
        vocab_size=40, d_model=16, d_kv=5, d_ff=8, num_layers=2, num_heads=4,
        decoder_start_token_id=0,
    )  # fmt: skip
    return transformers.T5ForConditionalGeneration(config)


def bart():
    config = transformers.BartConfig(
        vocab_size=40, d_model=16, encoder_layers=1, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=2, encoder_ffn_dim=8, decoder_ffn_dim=8, max_position_embeddings=32,
        decoder_start_token_id=2, **SPECIAL,
    )  # fmt: skip
    return transformers.BartForConditionalGeneration(config)


def state_of(model):
    """All that a model is: attributes of its modules, with the identity of each, and configs."""
    configs = [m.config for m in model.modules() if hasattr(m, "config")]
    attributes = [
        {k: (id(v), dict(v) if isinstance(v, dict) else v) for k, v in vars(m).items()}
        for m in model.modules()
    ]
    return attributes, [copy.deepcopy(vars(config)) for config in configs]
