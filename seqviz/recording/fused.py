"""What torch computes in one call: attention by its definition, and a call that can be opened."""

from collections.abc import Callable
from types import FunctionType

import torch
import torch.nn.functional as F
from torch import Tensor


def defined(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Weights, values and scores before a mask of `F.scaled_dot_product_attention`."""
    if enable_gqa:
        key, value = (x.repeat_interleave(query.shape[-3] // x.shape[-3], -3) for x in (key, value))
    query = query * (query.shape[-1] ** -0.5 if scale is None else scale)
    scores = masked = query @ key.mT
    if is_causal:
        attn_mask = torch.ones_like(scores, dtype=torch.bool).tril()
    if attn_mask is None:
        return scores.softmax(dim=-1), value, scores
    if attn_mask.dtype == torch.bool:
        masked = scores.masked_fill(~attn_mask, -torch.inf)
    else:
        masked = scores + attn_mask
    nowhere = (masked == -torch.inf).all(dim=-1, keepdim=True)  # softmax would give 0/0
    return masked.softmax(dim=-1).masked_fill(nowhere, 0), value, scores


def flexed(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    score_mod: Callable,
    block_mask: tuple,
    scale: float,
) -> tuple[Tensor, Tensor]:
    """Weights and values of flex attention; the last of `block_mask` says what is attended to."""
    key, value = (x.repeat_interleave(query.shape[1] // x.shape[1], 1) for x in (key, value))
    places = [torch.arange(n, device=query.device) for n in (*query.shape[:3], key.shape[2])]
    scores = _over_all(score_mod, 1)((query @ key.mT) * scale, *places)
    scores = scores.masked_fill(~_over_all(block_mask[-1], 0)(*places), -torch.inf)
    nowhere = (scores == -torch.inf).all(dim=-1, keepdim=True)
    return scores.softmax(dim=-1).masked_fill(nowhere, 0), value


def _over_all(modify: Callable, scores: int) -> Callable:
    """A function of one place of the batch, head, query and key, over all of them."""
    for axis in (3, 2, 1, 0):
        along = [None] * 4
        along[axis] = 0
        modify = torch.vmap(modify, in_dims=(*[0] * scores, *along))
    return modify


opened = FunctionType(  # the same function, but it never hands itself over
    F.multi_head_attention_forward.__code__,
    vars(F) | {"has_torch_function": lambda tensors: False},
    argdefs=F.multi_head_attention_forward.__defaults__,
)
