"""What transformers calls the arguments and the weights of our models: a table a family."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Family:
    """One kind of checkpoint: our names on the left, transformers' on the right.

    Parameters
    ----------
    weights : mapping
        # is the number of a layer. What is not here has the same name on both sides.
    copies : mapping
        What some files hold twice, and of which weight it is a copy, by transformers' names.
    prefix : str
        What stands in front of a name where the file's model has a head.
    needed, more : mapping
        Arguments of our model that a configuration must have, and that it may leave out.
    values : mapping
        The values of an argument, if transformers calls them otherwise.
    fixed : mapping
        Arguments that are the same for the whole family.
    settings : mapping
        Settings of nets that our model is not, each with the value that it may have.
    turned : tuple of str
        Ends of the names of matrices that lie as (in, out) in the file.
    words_by : str
        The part of our model that predicts words, by the very vectors of the tokens.
    """

    weights: Mapping[str, str]
    copies: Mapping[str, str]
    prefix: str
    needed: Mapping[str, str]
    more: Mapping[str, str]
    settings: Mapping[str, Any]
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    turned: tuple[str, ...] = ()
    words_by: str = "predictions"


def same(*names: str) -> dict[str, str]:
    """Names that are the same on both sides."""
    return dict(zip(names, names, strict=True))


def layers(place: str, family: int) -> dict[str, str]:
    """The names of a layer's weights, those of a column of `ENCODER_LAYER`."""
    return {f"layers.#.{ours}": f"{place}.{all[family]}" for ours, all in ENCODER_LAYER.items()}


# W_q, W_k and W_v, which are one matrix in our layers, stand apart in BERT's
ENCODER_LAYER = {  # ours: BERT's, DistilBERT's, ALBERT's
    "self_attn.q": ("attention.self.query", "attention.q_lin", "attention.query"),
    "self_attn.k": ("attention.self.key", "attention.k_lin", "attention.key"),
    "self_attn.v": ("attention.self.value", "attention.v_lin", "attention.value"),
    "self_attn.out_proj": ("attention.output.dense", "attention.out_lin", "attention.dense"),
    "norm1": ("attention.output.LayerNorm", "sa_layer_norm", "attention.LayerNorm"),
    "linear1": ("intermediate.dense", "ffn.lin1", "ffn"),
    "linear2": ("output.dense", "ffn.lin2", "ffn_output"),
    "norm2": ("output.LayerNorm", "output_layer_norm", "full_layer_layer_norm"),
}
EMBEDDINGS = {
    "embeddings.position_embeddings.table": "embeddings.position_embeddings.weight",
    "embeddings.norm": "embeddings.LayerNorm",
}
GPT_WEIGHTS = {
    "layers.#.self_attn.in_proj": "h.#.attn.c_attn",
    "layers.#.self_attn.out_proj": "h.#.attn.c_proj",
    "layers.#.norm1": "h.#.ln_1",
    "layers.#.linear1": "h.#.mlp.c_fc",
    "layers.#.linear2": "h.#.mlp.c_proj",
    "layers.#.norm2": "h.#.ln_2",
    "norm": "ln_f",
}
WORDS = "embeddings.word_embeddings.weight"
SIZES = same("vocab_size", "max_position_embeddings")
BERT_SIZES = SIZES | same(
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "hidden_act", "hidden_dropout_prob", "attention_probs_dropout_prob", "type_vocab_size",
)  # fmt: skip
BERT = {
    "more": same("layer_norm_eps", "pad_token_id"),
    "settings": {
        "position_embedding_type": "absolute",
        "is_decoder": False,
        "num_hidden_groups": 1,
        "inner_group_num": 1,
    },
}
GPT = {
    "needed": same("vocab_size", "n_positions", "n_embd", "n_layer", "n_head"),
    "settings": {
        "scale_attn_weights": True,
        "scale_attn_by_inverse_layer_idx": False,
        "add_cross_attention": False,
        "tie_word_embeddings": True,
    },
    "prefix": "transformer.",
    "turned": ("c_attn.weight", "c_proj.weight", "c_fc.weight"),
    "words_by": "tokens",
}
RATES = same("resid_pdrop", "embd_pdrop", "attn_pdrop", "layer_norm_epsilon")
ENCODERS = {
    "bert": Family(
        weights=EMBEDDINGS
        | layers("encoder.layer.#", 0)
        | {
            "pooler": "pooler.dense",
            "predictions.dense": "cls.predictions.transform.dense",
            "predictions.norm": "cls.predictions.transform.LayerNorm",
            "predictions": "cls.predictions",
            "seq_relationship": "cls.seq_relationship",
        },
        copies={
            "cls.predictions.decoder.weight": WORDS,
            "cls.predictions.decoder.bias": "cls.predictions.bias",
        },
        prefix="bert.",
        needed=BERT_SIZES,
        **BERT,
    ),
    "distilbert": Family(
        weights=EMBEDDINGS
        | layers("transformer.layer.#", 1)
        | {
            "predictions.dense": "vocab_transform",
            "predictions.norm": "vocab_layer_norm",
            "predictions": "vocab_projector",
        },
        copies={"vocab_projector.weight": WORDS},
        prefix="distilbert.",
        needed=SIZES
        | {
            "hidden_size": "dim",
            "num_hidden_layers": "n_layers",
            "num_attention_heads": "n_heads",
            "intermediate_size": "hidden_dim",
            "hidden_act": "activation",
            "hidden_dropout_prob": "dropout",
            "attention_probs_dropout_prob": "attention_dropout",
        },
        fixed={"type_vocab_size": 0},
        **BERT,
    ),
    "albert": Family(
        weights=EMBEDDINGS
        | layers("encoder.albert_layer_groups.0.albert_layers.0", 2)
        | {
            "embeddings.projection": "encoder.embedding_hidden_mapping_in",
            "predictions.norm": "predictions.LayerNorm",
            "seq_relationship": "sop_classifier.classifier",
        },
        copies={
            "predictions.decoder.weight": WORDS,
            "predictions.decoder.bias": "predictions.bias",
        },
        prefix="albert.",
        needed=BERT_SIZES | same("embedding_size"),
        fixed={"share_layers": True},
        **BERT,
    ),
}
DECODERS = {
    "gpt2": Family(
        weights=GPT_WEIGHTS | {"tokens": "wte", "positions.table": "wpe.weight"},
        copies={"lm_head.weight": "wte.weight"},
        more=RATES | same("activation_function", "n_inner"),
        **GPT,
    ),
    "openai-gpt": Family(
        weights=GPT_WEIGHTS
        | {"tokens": "tokens_embed", "positions.table": "positions_embed.weight"},
        copies={"lm_head.weight": "tokens_embed.weight"},
        more=RATES | {"activation_function": "afn"},
        values={"activation_function": {"gelu": "gelu_new", "relu": "relu"}},  # gelu by a tanh
        fixed={"norm_first": False},
        **GPT,
    ),
}
