"""Each style with inputs, and where and in which order it attends."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from tests.recording.foreign.annotated import EncoderDecoder
from tests.recording.foreign.einsum import SelfAttention
from tests.recording.foreign.graph import GAT, EinsumGAT
from tests.recording.foreign.lecture_gpt import LanguageModel
from tests.recording.foreign.nano_gpt import GPT
from tests.recording.foreign.translation import Translator

SOURCE = torch.tensor([[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 0, 0]])
TARGET = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]])
CHANCE = torch.Generator().manual_seed(0)
STREAM = torch.randn(2, 5, 8, generator=CHANCE)
NODES = torch.randn(4, 3, generator=CHANCE)
ARROWS = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]])
FIRST, SECOND = slice(0, 4), slice(4, 8)
HERE, THERE = ["it", "looks", "back", "at", "them"], ["sie", "sieht", "sich", "nach", "ihm", "um"]
Cut = tuple[int | str, int, str, slice]  # layer and head, and which part of whose input they are


def four_axes(weights: Tensor) -> Tensor:
    """(batch, ..., key) as (batch, head, query, key)."""
    return weights[(slice(None), *[None] * (4 - weights.ndim))]


@dataclass(frozen=True)
class Style:
    """How a model attends.

    `paths` are in the order of the calls, `drawn` has kinds of layers of paths side by side,
    `fold` makes four axes of what a softmax gave, `batch` is that axis of what is cut.
    """

    build: Callable[[], nn.Module]
    inputs: tuple[Tensor, ...]
    paths: list[str]
    cuts: list[Cut]
    tokens: dict[str, list[str]]
    drawn: list[list[list[str]]]
    fold: Callable[[Tensor], Tensor] = four_axes
    batch: int | None = 0

    def model(self) -> nn.Module:
        torch.manual_seed(0)
        return self.build().eval()


def layers(*paths: str) -> list[list[str]]:
    return [[path] for path in paths]


def gpt(flash: bool) -> Style:
    first, last = paths = [f"transformer.h.{k}.attn" for k in range(2)]
    cuts = [(1, 0, f"{last}.c_proj", FIRST), (first, 1, f"{first}.c_proj", SECOND)]
    return Style(partial(GPT, flash), (TARGET,), paths, cuts, {"tokens": HERE}, [layers(*paths)])


def decoding(build: Callable[[], nn.Module], path: str, module: str) -> Style:
    """One head that attends to the source anew with every word; what it sums goes into `module`."""
    cuts, tokens = [(path, 0, module, SECOND)], {"tokens": HERE, "key_tokens": THERE}
    return Style(build, (SOURCE, TARGET), [path], cuts, tokens, [layers(path)])


def lecture() -> Style:
    paths = [f"blocks.{layer}.sa.heads.{head}" for layer in range(2) for head in range(2)]
    cuts = [(1, 1, "blocks.1.sa.proj", SECOND), ("blocks.0.sa", 0, "blocks.0.sa.proj", FIRST)]
    return Style(LanguageModel, (TARGET,), paths, cuts, {"tokens": HERE}, [[paths[:2], paths[2:]]])


def annotated() -> Style:
    encoder = [f"encoder.layers.{k}.self_attn" for k in range(2)]
    decoder = [f"decoder.layers.{k}.{kind}_attn" for k in range(2) for kind in ("self", "src")]
    some = encoder[0], decoder[0], decoder[3]
    cuts = [(path, 1, f"{path}.linears.3", SECOND) for path in some]
    tokens = {"encoder_tokens": THERE, "decoder_tokens": HERE}
    drawn = [layers(*paths) for paths in (encoder, decoder[::2], decoder[1::2])]
    return Style(EncoderDecoder, (SOURCE, TARGET), encoder + decoder, cuts, tokens, drawn)


def einsum() -> Style:
    cuts = [("", 1, "fc_out", SECOND)]
    return Style(SelfAttention, (STREAM,), [""], cuts, {"tokens": HERE}, [layers("")])


def graph(build: Callable[[], nn.Module], paths: list[str], cut: Cut, **how) -> Style:
    return Style(build, (NODES, ARROWS), paths, [cut], {"tokens": list("abcd")}, batch=None, **how)


def graph_of_modules() -> Style:
    paths = ["heads.0", "heads.1", "out_att"]
    cut, drawn = ("heads", 1, "out_att", SECOND), [[paths[:2]], layers("out_att")]
    return graph(GAT, paths, cut, drawn=drawn, fold=lambda weights: weights[None, None])


def graph_by_einsum() -> Style:
    cut, drawn = ("layer", 1, "output", SECOND), [layers("layer")]
    heads_last = {"fold": lambda weights: weights.permute(2, 0, 1)[None]}
    return graph(EinsumGAT, ["layer"], cut, drawn=drawn, **heads_last)


STYLES = {
    "nanoGPT flash": gpt(flash=True),
    "nanoGPT by hand": gpt(flash=False),
    "lecture's GPT": lecture(),
    "Annotated Transformer": annotated(),
    "Bahdanau": decoding(partial(Translator, "bahdanau"), "decoder.attention", "decoder.gru"),
    "Luong dot": decoding(partial(Translator, "dot"), "decoder", "decoder.concat"),
    "Luong general": decoding(partial(Translator, "general"), "decoder", "decoder.concat"),
    "einsum": einsum(),
    "graph of modules": graph_of_modules(),
    "graph by einsum": graph_by_einsum(),
}
