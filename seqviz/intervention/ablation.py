"""Silence heads of a model's attention while it runs."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_name, checked_type
from seqviz.intervention.heads import AtHeads, checked_heads
from seqviz.recording.inside import watched


@contextmanager
def ablate(
    model: nn.Module, *, layer: int | str, head: int | Iterable[int], by: str = "zero"
) -> Iterator[None]:
    """Silence heads of a model's attention while the block runs.

    What a head takes from the values is replaced before the output projection, in any model whose
    attention ``sv.record`` sees: of ``sv.nn``, ``torch.nn``, transformers or your own. Blocks nest,
    and go together with ``sv.record``, which shows the weights of a silenced head as ever. No
    gradient goes through a head that is zero. When the block is left the model is as it was.

    Parameters
    ----------
    model : nn.Module
    layer : int or str
        The layer, as the model numbers it; or the name of the module that attends, in which ``*``
        stands for any part, where a number would name several, as in a decoder that attends to
        itself and to its encoder. Tied layers are one module, and silenced in each pass.
    head : int or sequence of int
        Which heads of it, from 0.
    by : {"zero", "mean"}
        What takes a head's place: zeros, or its mean over the batch at each position.

    Raises
    ------
    TypeError
        If `model` is not a module, or `layer` or `head` are not of these types.
    ValueError
        If there is no such layer, module or head, or `layer` names several kinds of attention; if
        `by` is "mean" and the batch is one; if the model ran and did not attend there.

    Examples
    --------
    >>> import torch
    >>> attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2)
    >>> x = torch.ones(5, 1, 8)
    >>> with ablate(attention, layer="", head=[0, 1]):
    ...     output, _ = attention(x, x, x)
    >>> torch.equal(output, attention.out_proj.bias.expand(5, 1, 8))
    True
    """
    checked_type("model", model, nn.Module, "a torch module")
    checked_name("by", by, ("zero", "mean"))
    ablation = Ablation(model, layer, checked_heads(head), by)
    with watched(model, ablation):
        yield
    ablation.check()


class Ablation(AtHeads):
    """Watches a model, and silences some heads of a layer."""

    done_to = "silenced"

    def __init__(self, model: nn.Module, layer: int | str, heads: list[int], by: str):
        super().__init__(model, layer, heads)
        self.by = by

    def _instead(self, path: str, values: Tensor, names: list[str], chosen: Tensor) -> Tensor:
        if self.by == "zero":
            return values.masked_fill(chosen, 0)
        batch = names.index("batch") if "batch" in names else None
        if batch is None or values.shape[batch] == 1:
            raise ValueError(
                "by='mean' needs a batch of several: the mean of one is the head itself"
            )
        return torch.where(chosen, values.mean(dim=batch, keepdim=True), values)
