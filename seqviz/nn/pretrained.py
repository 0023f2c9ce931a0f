"""Pretrained weights into our models: all of them fit, or none is copied."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from torch import Tensor, nn

from seqviz.arguments import checked_name
from seqviz.nn import weight_files
from seqviz.nn.weight_names import Family

Model = TypeVar("Model", bound=nn.Module)

OLD = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
NO_WEIGHTS = re.compile(r"h\.\d+\.attn\.(bias|masked_bias)")  # causal masks in old files
OPTIONAL_PARTS = (  # heads, and what old files have beside the weights
    "pooler.", "cls.", "vocab_", "predictions.", "sop_classifier.", "pre_classifier.",
    "classifier.", "qa_outputs.", "embeddings.position_ids",
)  # fmt: skip


@dataclass(frozen=True)
class Checkpoint:
    """A pretrained model: its configuration and its weights, by transformers' names.

    Parameters
    ----------
    place : str
        Where it was found, in words.
    family : Family
    config : dict
    weights : dict of str to Tensor
        Without the model's name in front, and with the new names of a LayerNorm's two.
    """

    place: str
    family: Family
    config: dict[str, Any]
    weights: dict[str, Tensor]

    @classmethod
    def read(
        cls, name_or_folder: str | os.PathLike, families: Mapping[str, Family]
    ) -> "Checkpoint":
        """Find and read it, if it is of one of these families.

        Raises
        ------
        TypeError, ValueError, DownloadError
            As from :meth:`BERT.from_pretrained`.
        """
        *files, place = weight_files.find(name_or_folder)
        config, weights = weight_files.read(*files)
        kind = checked_name(f"model_type of {place}", config.get("model_type"), families)
        family = families[kind]
        bare = {_bare(name, family.prefix): weight for name, weight in weights.items()}
        kept = {name: weight for name, weight in bare.items() if not NO_WEIGHTS.fullmatch(name)}
        return cls(place, family, config, kept)

    def options(self) -> dict[str, Any]:
        """Arguments of our model.

        Raises
        ------
        ValueError
            If one is missing, or a setting is that of another model.
        """
        family, config = self.family, self.config
        for name, value in family.settings.items():
            if config.get(name, value) != value:
                raise ValueError(
                    f"{name} of {self.place} must be {value!r}, got {config[name]!r}: that is "
                    "another model"
                )
        missing = [theirs for theirs in family.needed.values() if theirs not in config]
        if missing:
            raise ValueError(f"the configuration of {self.place} lacks {', '.join(missing)}")
        names = family.needed | family.more
        options = {ours: config[theirs] for ours, theirs in names.items() if theirs in config}
        for ours in family.values.keys() & options.keys():
            known = family.values[ours]
            options[ours] = known[
                checked_name(f"{names[ours]} of {self.place}", options[ours], known)
            ]
        return options | family.fixed

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
            If weights are missing, surplus, of another shape or not finite: all of them are listed.
        """
        kind, weights = type(model).__name__, dict(self.weights)
        if hasattr(model, self.family.words_by):
            self._drop_copies(weights)
        for name, weight in weights.items():
            if name.endswith(self.family.turned) and weight.dim() == 2:
                weights[name] = weight.T  # as torch's linear maps have it, (out, in)
        places = {self._theirs(ours): place for ours, place in self._places(model).items()}
        self._check(kind, places, weights)
        for name, place in places.items():
            place.copy_(weights[name])
        left = ", ".join(name for name in weights if name not in places)
        print(f"Weights of {self.place}{f'; {kind} has no place for {left}' if left else ''}")
        return model.eval()

    def _places(self, model: nn.Module) -> dict[str, Tensor]:
        """Where weights go, by our names: each parameter once; W_q, W_k and W_v as the file."""
        places = {}
        for name, weight in model.named_parameters():
            name = name.removeprefix("bert.")
            attention, joined, kind = name.partition("in_proj_")
            if not joined:
                places[name] = weight.data
            elif "layers.#.self_attn.in_proj" in self.family.weights:
                places[f"{attention}in_proj.{kind}"] = weight.data
            else:
                for letter, part in zip("qkv", weight.data.chunk(3), strict=True):
                    places[f"{attention}{letter}.{kind}"] = part
        return places

    def _theirs(self, ours: str) -> str:
        """What transformers calls a weight of ours."""
        names, number = self.family.weights, re.search("(?<=^layers.)[0-9]+", ours)
        ours = re.sub("^layers.[0-9]+", "layers.#", ours)
        stem, _, kind = ours.rpartition(".")
        theirs = names[ours] if ours in names else f"{names.get(stem, stem)}.{kind}"
        return theirs.replace("#", number.group() if number else "")

    def _drop_copies(self, weights: dict[str, Tensor]) -> None:
        """Keep a weight that some files have twice once."""
        for copy, original in self.family.copies.items():
            if copy in weights:
                weight = weights.pop(copy)
                if not weights.setdefault(original, weight).equal(weight):
                    raise ValueError(
                        f"{copy} and {original} of {self.place} must be equal: where words are "
                        "predicted they are one, and here they are not"
                    )

    def _check(
        self, kind: str, places: Mapping[str, Tensor], weights: Mapping[str, Tensor]
    ) -> None:
        """Refuse weights that are missing, surplus, of another shape or not finite: list all."""
        fitting = {name: weights[name] for name in places if name in weights}
        missing = [name for name in places if name not in weights]
        surplus = [name for name in weights if name not in places]
        floats = {name: w for name, w in fitting.items() if w.is_floating_point()}
        unfit = {
            "missing": missing,
            "surplus": [name for name in surplus if not name.startswith(OPTIONAL_PARTS)],
            "of another shape": [
                f"{name} {tuple(w.shape)} for {tuple(places[name].shape)}"
                for name, w in fitting.items()
                if w.shape != places[name].shape
            ],
            "no real numbers": [
                f"{name} {w.dtype}" for name, w in fitting.items() if name not in floats
            ],
            "not finite": [name for name, w in floats.items() if not w.isfinite().all()],
        }
        if not any(unfit.values()):
            return
        listed = [f"{what}: {', '.join(names)}" for what, names in unfit.items() if names]
        if any(name.startswith(OPTIONAL_PARTS) for name in missing):
            listed.append(f"put a new head on with {kind}(BERT.from_pretrained(...), ...)")
        raise ValueError(
            f"the weights of {self.place} are not those of a {kind} with its configuration; "
            + "; ".join(listed)
        )


def _bare(name: str, prefix: str) -> str:
    """A name in a file without the model's in front; old files call LayerNorm's two otherwise."""
    for old, new in OLD.items():
        name = name.replace(old, new)
    return name.removeprefix(prefix)
