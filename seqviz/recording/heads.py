"""Attention of sv.nn and torch.nn while it is recorded: the weights, head by head."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from inspect import signature

import torch
from torch import Tensor, nn
from torch.backends import mha

from seqviz.nn.attention import MultiheadAttention
from seqviz.recording.attending import Attending
from seqviz.recording.stand_in import StandIn, gap

EXPECTED = signature(MultiheadAttention.forward)
_unrecorded = ContextVar("unrecorded", default=False)


class Heads(Attending):
    """Asks a MultiheadAttention for the weights of each head; its caller gets what he asked for.

    Without ``need_weights`` torch's has another way to the output, without weights. The caller
    gets that output. The weights are of a second run, with the same units dropped, whose output
    must agree; a row without any key allowed is zero if that output is a number.
    """

    def __call__(self, *args, **kwargs) -> tuple[Tensor, Tensor | None]:
        """Run `forward`, and keep the weights."""
        if _unrecorded.get():
            return self.forward(*args, **kwargs)
        given = self.arguments(EXPECTED, args, kwargs)
        need_weights, average = given.pop("need_weights"), given.pop("average_attn_weights")
        if any(isinstance(x, Tensor) and x.is_nested for x in given.values()):
            raise ValueError(
                f"module {self.path!r} is recorded on padded input only, got a nested tensor: give "
                "nested.to_padded_tensor(0.0) and its key_padding_mask"
            )
        if need_weights or self.runs(MultiheadAttention.forward):
            output, heads = self._with_weights(given)
            asked = (heads.mean(dim=-3) if average else heads) if need_weights else None
        else:
            output, asked, heads = self._beside(lambda: self.forward(*args, **kwargs), given)
        self.keep_weights(heads.unsqueeze(0) if heads.dim() == 3 else heads, self.rows())
        return output, asked

    def _with_weights(self, given: dict) -> tuple[Tensor, Tensor]:
        asking = given | {"need_weights": True, "average_attn_weights": False}
        try:
            self.signature.bind(**asking)
        except TypeError as error:
            raise self.foreign(str(error)) from error
        results = self.forward(**asking)
        heads = results[1] if isinstance(results, tuple) and len(results) == 2 else None
        if not isinstance(heads, Tensor) or heads.dim() != given["query"].dim() + 1:
            raise self.foreign("it gives no weights of each head when asked for them")
        return results

    def _beside(self, forward: Callable, given: dict) -> tuple[Tensor, None, Tensor]:
        """Run without weights as the caller does, then again with them."""
        drops = self.module.training and self.module.dropout > 0
        if drops:
            self.check_device(given["query"].device, "weights")
        random = torch.get_rng_state() if drops else None
        output, asked = forward()
        after = torch.get_rng_state() if drops else None
        try:
            if drops:
                torch.set_rng_state(random)
            with torch.no_grad():
                again, heads = self._with_weights(given)
        finally:
            if drops:
                torch.set_rng_state(after)
        if not output.isnan().any():
            heads = heads.nan_to_num(nan=0.0)
        if wide := gap(again.where(~again.isnan(), output), output):
            raise AssertionError(
                f"the outputs of module {self.path!r} with and without need_weights differ by "
                f"{wide} so the weights are not those that were used"
            )
        return output, asked, heads


class Encoder(StandIn):
    """Keeps a TransformerEncoder or its layer off torch's fast path, which has no weights.

    If the caller would have been on it, he gets what it gives, and at positions that are not
    padding the recorded run must agree. Layers of a derived class run once, off that path.
    """

    def __call__(self, *args, **kwargs) -> Tensor:
        """Run `forward` layer by layer, so that the attention inside is recorded."""
        if _unrecorded.get() or not mha.get_fastpath_enabled():
            return self.forward(*args, **kwargs)
        with fast_path(False):
            output = self.forward(*args, **kwargs)
        if not self._may_be_fast():
            return output
        token = _unrecorded.set(True)
        try:
            fast = self.forward(*args, **kwargs)
        finally:
            _unrecorded.reset(token)
        seen = ~fast.isnan()  # a row without any key allowed
        given = self.signature.bind(*args, **kwargs).arguments
        padding = given.get("src_key_padding_mask")
        if padding is not None:
            seen = seen & (~padding if padding.dtype == torch.bool else padding == 0).unsqueeze(-1)
        if wide := gap(output[seen], fast[seen]):
            raise AssertionError(
                f"torch's fast path and the layers of module {self.path!r} differ by {wide} so the "
                "weights are not those that were used: "
                "torch.backends.mha.set_fastpath_enabled(False) leaves that path"
            )
        return fast

    def _may_be_fast(self) -> bool:
        """Whether torch would think of its fast path, and all layers are torch's own."""
        stack = type(self.module) is nn.TransformerEncoder
        layers = self.module.layers if stack else [self.module]
        if any(
            type(layer) is not nn.TransformerEncoderLayer
            or type(layer.self_attn) is not nn.MultiheadAttention
            for layer in layers
        ):
            return False
        if torch.is_grad_enabled() and any(p.requires_grad for p in self.module.parameters()):
            return False
        modules = list(self.module.modules())
        return all(m.batch_first for m in modules if isinstance(m, nn.MultiheadAttention)) and not (
            any(m.training or m._forward_hooks or m._forward_pre_hooks for m in modules)
        )


@contextmanager
def fast_path(enabled: bool) -> Iterator[None]:
    """Switch torch's fast path of attention on or off while the block runs."""
    before = mha.get_fastpath_enabled()
    mha.set_fastpath_enabled(enabled)
    try:
        yield
    finally:
        mha.set_fastpath_enabled(before)
