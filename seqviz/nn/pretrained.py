"""Pretrained weights under our names: what transformers calls each argument and each weight."""

import os
import re
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_name
from seqviz.nn import weight_files
from seqviz.nn.weight_fitting import checked_settings, copied

Model = TypeVar("Model", bound=nn.Module)

ALBERT_LAYER = "encoder.albert_layer_groups.0.albert_layers.0"
# Our name on the left, transformers' on the right, # the number of a layer. What is not here has
# the same name on both sides. W_q, W_k and W_v, which are one matrix in our layers, stand apart.
WEIGHTS = {
    "bert": {
        "embeddings.position_embeddings.table": "embeddings.position_embeddings.weight",
        "embeddings.norm": "embeddings.LayerNorm",
        "layers.#.self_attn.q": "encoder.layer.#.attention.self.query",
        "layers.#.self_attn.k": "encoder.layer.#.attention.self.key",
        "layers.#.self_attn.v": "encoder.layer.#.attention.self.value",
        "layers.#.self_attn.out_proj": "encoder.layer.#.attention.output.dense",
        "layers.#.norm1": "encoder.layer.#.attention.output.LayerNorm",
        "layers.#.linear1": "encoder.layer.#.intermediate.dense",
        "layers.#.linear2": "encoder.layer.#.output.dense",
        "layers.#.norm2": "encoder.layer.#.output.LayerNorm",
        "pooler": "pooler.dense",
        "predictions.dense": "cls.predictions.transform.dense",
        "predictions.norm": "cls.predictions.transform.LayerNorm",
        "predictions": "cls.predictions",
        "seq_relationship": "cls.seq_relationship",
    },
    "distilbert": {
        "embeddings.position_embeddings.table": "embeddings.position_embeddings.weight",
        "embeddings.norm": "embeddings.LayerNorm",
        "layers.#.self_attn.q": "transformer.layer.#.attention.q_lin",
        "layers.#.self_attn.k": "transformer.layer.#.attention.k_lin",
        "layers.#.self_attn.v": "transformer.layer.#.attention.v_lin",
        "layers.#.self_attn.out_proj": "transformer.layer.#.attention.out_lin",
        "layers.#.norm1": "transformer.layer.#.sa_layer_norm",
        "layers.#.linear1": "transformer.layer.#.ffn.lin1",
        "layers.#.linear2": "transformer.layer.#.ffn.lin2",
        "layers.#.norm2": "transformer.layer.#.output_layer_norm",
        "predictions.dense": "vocab_transform",
        "predictions.norm": "vocab_layer_norm",
        "predictions": "vocab_projector",
    },
    "albert": {
        "embeddings.position_embeddings.table": "embeddings.position_embeddings.weight",
        "embeddings.norm": "embeddings.LayerNorm",
        "embeddings.projection": "encoder.embedding_hidden_mapping_in",
        "layers.#.self_attn.q": f"{ALBERT_LAYER}.attention.query",
        "layers.#.self_attn.k": f"{ALBERT_LAYER}.attention.key",
        "layers.#.self_attn.v": f"{ALBERT_LAYER}.attention.value",
        "layers.#.self_attn.out_proj": f"{ALBERT_LAYER}.attention.dense",
        "layers.#.norm1": f"{ALBERT_LAYER}.attention.LayerNorm",
        "layers.#.linear1": f"{ALBERT_LAYER}.ffn",
        "layers.#.linear2": f"{ALBERT_LAYER}.ffn_output",
        "layers.#.norm2": f"{ALBERT_LAYER}.full_layer_layer_norm",
        "predictions.norm": "predictions.LayerNorm",
        "seq_relationship": "sop_classifier.classifier",
    },
}
COPIES = {  # what some files hold twice: the decoder's weight is that of the embeddings
    "cls.predictions.decoder.weight": "embeddings.word_embeddings.weight",
    "cls.predictions.decoder.bias": "cls.predictions.bias",
    "vocab_projector.weight": "embeddings.word_embeddings.weight",
    "predictions.decoder.weight": "embeddings.word_embeddings.weight",
    "predictions.decoder.bias": "predictions.bias",
}
OPTIONAL_PARTS = (  # heads, and what old files have beside the weights
    "pooler.", "cls.", "vocab_", "predictions.", "sop_classifier.", "pre_classifier.",
    "classifier.", "qa_outputs.", "embeddings.position_ids",
)  # fmt: skip

ARGUMENTS = {  # of BERT, beside NEEDED or in its place: our name, transformers'
    "bert": {"type_vocab_size": "type_vocab_size"},
    "distilbert": {
        "hidden_size": "dim",
        "num_hidden_layers": "n_layers",
        "num_attention_heads": "n_heads",
        "intermediate_size": "hidden_dim",
        "hidden_act": "activation",
        "hidden_dropout_prob": "dropout",
        "attention_probs_dropout_prob": "attention_dropout",
    },
    "albert": {"type_vocab_size": "type_vocab_size", "embedding_size": "embedding_size"},
}
NEEDED = (
    "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "max_position_embeddings", "hidden_act", "hidden_dropout_prob", "attention_probs_dropout_prob",
)  # fmt: skip
NOT_NEEDED = ("layer_norm_eps", "pad_token_id")
FIXED = {"bert": {}, "distilbert": {"type_vocab_size": 0}, "albert": {"share_layers": True}}
OTHER_MODELS = {  # settings of nets that BERT is not, each with the value that it may have
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "num_hidden_groups": 1,
    "inner_group_num": 1,
}


@dataclass(frozen=True)
class Checkpoint:
    """A pretrained model: its configuration and its weights, by transformers' names.

    Parameters
    ----------
    place : str
        Where it was found, in words.
    family : {"bert", "distilbert", "albert"}
    config : dict
    weights : dict of str to Tensor
        Without the model's name in front, and with the new names of a LayerNorm's two.
    """

    place: str
    family: str
    config: dict[str, Any]
    weights: dict[str, Tensor]

    @classmethod
    def read(cls, name_or_folder: str | os.PathLike) -> "Checkpoint":
        """Find and read it.

        Raises
        ------
        TypeError, ValueError, DownloadError
            As from :meth:`BERT.from_pretrained`.
        """
        found = weight_files.find(name_or_folder)
        config, weights = weight_files.read(found)
        family = checked_name(f"model_type of {found.place}", config.get("model_type"), WEIGHTS)
        bare = {_bare(name, family): weight for name, weight in weights.items()}
        return cls(found.place, family, config, bare)

    def options(self) -> dict[str, Any]:
        """Arguments of :class:`BERT`, without `add_pooling_layer`.

        Raises
        ------
        ValueError
            If one is missing, or a setting is that of another model.
        """
        checked_settings(self.place, self.config, OTHER_MODELS)
        needed = dict(zip(NEEDED, NEEDED, strict=True)) | ARGUMENTS[self.family]
        missing = [theirs for theirs in needed.values() if theirs not in self.config]
        if missing:
            raise ValueError(f"the configuration of {self.place} lacks {', '.join(missing)}")
        options = {ours: self.config[theirs] for ours, theirs in needed.items()}
        more = {name: self.config[name] for name in NOT_NEEDED if name in self.config}
        return options | more | FIXED[self.family]

    @property
    def has_pooler(self) -> bool:
        """Whether there are weights of a pooler."""
        return self._theirs("pooler.weight") in self.weights

    @property
    def num_labels(self) -> int:
        """The classes of a head; transformers writes them only if they are not two."""
        return len(self.config["id2label"]) if "id2label" in self.config else 2

    def load_into(self, model: Model) -> Model:
        """Copy the weights into a model, say where they were, and return it in eval mode.

        Raises
        ------
        ValueError
            If weights are missing, surplus, or of another shape: all of them are listed.
        """
        places = {self._theirs(ours): place for ours, place in _places(model).items()}
        weights = self._once() if hasattr(model, "predictions") else self.weights
        kind = type(model).__name__
        advice = f"put a new head on with {kind}(BERT.from_pretrained(...), ...)"
        left = copied(self.place, kind, places, weights, OPTIONAL_PARTS, advice)
        rest = f"; {kind} has no place for {', '.join(left)}" if left else ""
        print(f"Weights of {self.place}{rest}")
        return model.eval()

    def _theirs(self, ours: str) -> str:
        """What transformers calls a weight of ours."""
        names, number = WEIGHTS[self.family], re.search("(?<=^layers.)[0-9]+", ours)
        ours = re.sub("^layers.[0-9]+", "layers.#", ours)
        stem, _, kind = ours.rpartition(".")
        theirs = names[ours] if ours in names else f"{names.get(stem, stem)}.{kind}"
        return theirs.replace("#", number.group() if number else "")

    def _once(self) -> dict[str, Tensor]:
        """The weights without the copies that some files have of tied ones."""
        weights = dict(self.weights)
        for copy, original in COPIES.items():
            if copy in weights:
                weight = weights.pop(copy)
                if not torch.equal(weights.setdefault(original, weight), weight):
                    raise ValueError(
                        f"{copy} and {original} of {self.place} must be equal: in the head that "
                        "predicts words they are one, and here they are not"
                    )
        return weights


def _bare(name: str, family: str) -> str:
    """A name in a file without the model's in front; old files call LayerNorm's two otherwise."""
    name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
    return name.replace("LayerNorm.beta", "LayerNorm.bias").removeprefix(f"{family}.")


def _places(model: nn.Module) -> dict[str, Tensor]:
    """Where weights go, by our names: each parameter once; W_q, W_k and W_v apart."""
    places = {}
    for name, weight in model.named_parameters():
        name = name.removeprefix("bert.")
        attention, joined, kind = name.partition("in_proj_")
        if joined:
            for letter, part in zip("qkv", weight.data.chunk(3), strict=True):
                places[f"{attention}{letter}.{kind}"] = part
        else:
            places[name] = weight.data
    return places
