"""The gradient of a recurrent matrix over all time steps, as one product."""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class Before(list):
    """h_{t-1} of each time; no plain list, which torch.func would copy."""


class HiddenWeight(torch.autograd.Function):
    """Brings W_hh its gradient, the sum over t of da_t h_{t-1}^T, where a_t = x_t + W_hh h_{t-1}.

    It is the identity on x, what the steps take from their inputs. The steps themselves use W_hh
    detached: autograd alone would multiply and add for every step, a fifth of an LSTM's training
    step. It cannot be differentiated twice or forward, nor go through ``torch.func.vmap``.

    Source: deck 003, "Gradient Computation in RNN", the sum for W.
    """

    @staticmethod
    def forward(from_input: Tensor, W_hh: Tensor, before: Before) -> Tensor:
        """Return x (time, batch, gate * unit); `before` is filled with h_{t-1} by the steps."""
        return from_input.view_as(from_input)

    @staticmethod
    def setup_context(ctx, inputs: tuple, output: Tensor) -> None:
        """Keep what the steps fill."""
        _, W_hh, ctx.before = inputs
        ctx.dtype = W_hh.dtype

    @staticmethod
    @once_differentiable
    def backward(ctx, da: Tensor) -> tuple[Tensor, Tensor | None, None]:
        """Return the gradients of x and W_hh."""
        if not ctx.needs_input_grad[1]:
            return da, None, None
        h = torch.stack(ctx.before).to(da.dtype)  # (time, batch, unit)
        return da, (da.flatten(0, 1).T @ h.flatten(0, 1)).to(ctx.dtype), None
