"""Each style with inputs, and where and in which order it attends."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from tests.recording.foreign.einsum import SelfAttention
from tests.recording.foreign.graph import EinsumGAT
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
Cut = tuple[int | str, int, str, slice]  # layer and head, and which part of whose input they are


def four_axes(weights: Tensor) -> Tensor:
    """(batch, ..., key) as (batch, head, query, key)."""
    return weights[(slice(None), *[None] * (4 - weights.ndim))]


@dataclass(frozen=True)
class Style:
    """How a model attends.

    `paths` are in the order of the calls, `fold` makes four axes of what a softmax gave, `batch` is
    that axis of what is cut.
    """

    build: Callable[[], nn.Module]
    inputs: tuple[Tensor, ...]
    paths: list[str]
    cuts: list[Cut]
    fold: Callable[[Tensor], Tensor] = four_axes
    batch: int | None = 0

    def model(self) -> nn.Module:
        torch.manual_seed(0)
        return self.build().eval()


def gpt(flash: bool) -> Style:
    first, last = paths = [f"transformer.h.{k}.attn" for k in range(2)]
    cuts = [(1, 0, f"{last}.c_proj", FIRST), (first, 1, f"{first}.c_proj", SECOND)]
    return Style(partial(GPT, flash), (TARGET,), paths, cuts)


def lecture() -> Style:
    paths = [f"blocks.{layer}.sa.heads.{head}" for layer in range(2) for head in range(2)]
    cuts = [(1, 1, "blocks.1.sa.proj", SECOND), ("blocks.0.sa", 0, "blocks.0.sa.proj", FIRST)]
    return Style(LanguageModel, (TARGET,), paths, cuts)


def decoding(method: str, path: str, module: str) -> Style:
    """One head that attends to the source anew with every word; what it sums goes into `module`."""
    cuts = [(path, 0, module, SECOND)]
    return Style(partial(Translator, method), (SOURCE, TARGET), [path], cuts)


def graph(build: Callable[[], nn.Module], paths: list[str], cut: Cut, fold: Callable) -> Style:
    return Style(build, (NODES, ARROWS), paths, [cut], fold, batch=None)


LAYER = ("layer", 1, "output", SECOND)
STYLES = {
    "nanoGPT flash": gpt(flash=True),
    "nanoGPT by hand": gpt(flash=False),
    "lecture's GPT": lecture(),
    "Bahdanau": decoding("bahdanau", "decoder.attention", "decoder.gru"),
    "Luong": decoding("dot", "decoder", "decoder.concat"),
    "einsum": Style(SelfAttention, (STREAM,), [""], [("", 1, "fc_out", SECOND)]),
    "graph by einsum": graph(EinsumGAT, ["layer"], LAYER, lambda w: w.permute(2, 0, 1)[None]),
}
