"""Pretrained weights of GPT under our names: what transformers calls each, and how it lies."""

import os
import re
from dataclasses import dataclass
from typing import Any, TypeVar

from torch import Tensor, nn

from seqviz.arguments import checked_name
from seqviz.nn import weight_files
from seqviz.nn.weight_fitting import checked_settings, copied

Model = TypeVar("Model", bound=nn.Module)

LAYER = {  # our name, transformers': the same in both families, # the number of a layer
    "layers.#.self_attn.in_proj_": "h.#.attn.c_attn.",
    "layers.#.self_attn.out_proj.": "h.#.attn.c_proj.",
    "layers.#.norm1.": "h.#.ln_1.",
    "layers.#.linear1.": "h.#.mlp.c_fc.",
    "layers.#.linear2.": "h.#.mlp.c_proj.",
    "layers.#.norm2.": "h.#.ln_2.",
}
WEIGHTS = {
    "gpt2": LAYER | {"tokens.": "wte.", "positions.table": "wpe.weight", "norm.": "ln_f."},
    "openai-gpt": LAYER | {"tokens.": "tokens_embed.", "positions.table": "positions_embed.weight"},
}
TURNED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")  # (in, out) in the file
NO_WEIGHTS = re.compile(r"h\.\d+\.attn\.(bias|masked_bias)")  # causal masks in old files
SIZES = ("vocab_size", "n_positions", "n_embd", "n_layer", "n_head")
RATES = ("resid_pdrop", "embd_pdrop", "attn_pdrop", "layer_norm_epsilon")
OTHER_MODELS = {  # settings of nets that GPT is not, each with the value that it may have
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "add_cross_attention": False,
    "tie_word_embeddings": True,
}
GELU = {"gelu": "gelu_new", "relu": "relu"}  # what OpenAI's GPT calls gelu is that by a tanh


@dataclass(frozen=True)
class GPTCheckpoint:
    """A pretrained GPT: its configuration and its weights, by transformers' names.

    Parameters
    ----------
    place : str
        Where it was found, in words.
    family : {"gpt2", "openai-gpt"}
    config : dict
    weights : dict of str to Tensor
        Without the model's name in front.
    """

    place: str
    family: str
    config: dict[str, Any]
    weights: dict[str, Tensor]

    @classmethod
    def read(cls, name_or_folder: str | os.PathLike) -> "GPTCheckpoint":
        """Find and read it.

        Raises
        ------
        TypeError, ValueError, DownloadError
            As from :meth:`GPT.from_pretrained`.
        """
        found = weight_files.find(name_or_folder)
        config, weights = weight_files.read(found)
        family = checked_name(f"model_type of {found.place}", config.get("model_type"), WEIGHTS)
        bare = {name.removeprefix("transformer."): weight for name, weight in weights.items()}
        kept = {name: weight for name, weight in bare.items() if not NO_WEIGHTS.fullmatch(name)}
        return cls(found.place, family, config, kept)

    def options(self) -> dict[str, Any]:
        """Arguments of :class:`GPT`.

        Raises
        ------
        ValueError
            If one is missing, or a setting is that of another model.
        """
        checked_settings(self.place, self.config, OTHER_MODELS)
        missing = [name for name in SIZES if name not in self.config]
        if missing:
            raise ValueError(f"the configuration of {self.place} lacks {', '.join(missing)}")
        options = {name: self.config[name] for name in SIZES}
        options |= {name: self.config[name] for name in RATES if name in self.config}
        if self.family == "openai-gpt":
            act = checked_name(f"afn of {self.place}", self.config.get("afn", "gelu"), GELU)
            return options | {"activation_function": GELU[act], "norm_first": False}
        act = self.config.get("activation_function", "gelu_new")
        return options | {"activation_function": act, "n_inner": self.config.get("n_inner")}

    def load_into(self, model: Model) -> Model:
        """Copy the weights into a model, say where they were, and return it in eval mode.

        Raises
        ------
        ValueError
            If weights are missing, surplus, or of another shape: all of them are listed.
        """
        places = {self._theirs(name): weight.data for name, weight in model.named_parameters()}
        weights = {name: self._turned(name, weight) for name, weight in self._tied().items()}
        copied(self.place, type(model).__name__, places, weights)
        print(f"Weights of {self.place}")
        return model.eval()

    def _theirs(self, ours: str) -> str:
        """What transformers calls a weight of ours."""
        number = re.search("(?<=^layers.)[0-9]+", ours)
        ours = re.sub("^layers.[0-9]+", "layers.#", ours)
        (stem,) = [name for name in WEIGHTS[self.family] if ours.startswith(name)]
        theirs = WEIGHTS[self.family][stem] + ours.removeprefix(stem)
        return theirs.replace("#", number.group() if number else "")

    def _turned(self, name: str, weight: Tensor) -> Tensor:
        """A weight as torch's linear maps have it, (out, in)."""
        return weight.T if name.endswith(TURNED) and weight.dim() == 2 else weight

    def _tied(self) -> dict[str, Tensor]:
        """The weights without the output layer, which is the table of tokens."""
        weights = dict(self.weights)
        output = weights.pop("lm_head.weight", None)
        table = weights.get("wte.weight", weights.get("tokens_embed.weight"))
        if output is not None and table is not None and not output.equal(table):
            raise ValueError(
                f"lm_head.weight of {self.place} must be the table of tokens, and it is another: "
                "that is another model"
            )
        return weights
