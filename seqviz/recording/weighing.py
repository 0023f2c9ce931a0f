"""Attention where it happens: a softmax whose result weighs a sum, seen among torch's functions."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakTensorKeyDictionary

from seqviz.recording import letters
from seqviz.recording.fused import defined, opened
from seqviz.recording.observation import check_numbers
from seqviz.recording.stand_in import gap
from seqviz.recording.tensors import is_parameter, is_softmax, tensors_in

CASTS = ("to", "type", "type_as", "float", "double", "half", "bfloat16", "cpu", "cuda")
SHAPES = (
    *("view", "view_as", "reshape", "reshape_as", "flatten", "unflatten", "squeeze", "unsqueeze"),
    *("transpose", "swapaxes", "swapdims", "permute", "movedim", "expand", "expand_as"),
    *("contiguous", "clone", "detach"),
)
PLACES = (
    *("getitem", "select", "narrow", "index_select", "split", "chunk", "unbind", "cat", "stack"),
    *("repeat", "pad"),
)
MASKS = (
    *("masked_fill", "where", "nan_to_num", "tril", "triu"),
    *("imul", "conv2d"),
)


@dataclass(frozen=True)
class WeightedSum:
    """A sum of values with the weights of a softmax.

    Attributes
    ----------
    weights, values, result : Tensor
        The weights are those before dropout.
    letters : tuple of str
        An equation: a letter for each axis of the three, as "bhqk", "bhkd" and "bhqd".
    again : bool
        Whether these weights have weighed a sum before.
    """

    weights: Tensor
    values: Tensor
    result: Tensor
    letters: tuple[str, str, str]
    again: bool = False


@dataclass(frozen=True)
class Held:
    """What a tensor holds of a softmax: its weights, or their product with what they weigh.

    Attributes
    ----------
    keys : int
        How many weights a softmax made at once.
    undropped : Tensor, optional
        The weights without dropout, if there was any.
    product : tuple of Tensor, optional
        Weights and values of a product.
    """

    keys: int
    undropped: Tensor | None = None
    product: tuple[Tensor, Tensor] | None = None


class Weighing(TorchFunctionMode):
    """Follows what a softmax gives from function to function, and tells of each weighted sum.

    Parameters
    ----------
    saw : callable
        Takes a `WeightedSum`, and returns the result with which the run goes on.
    """

    def __init__(self, saw: Callable[[WeightedSum], Tensor]):
        super().__init__()
        self.saw = saw
        self.held = WeakTensorKeyDictionary()
        self.weighed = WeakTensorKeyDictionary()
        self.exps = WeakTensorKeyDictionary()

    def __torch_function__(self, func, types, args=(), kwargs=None) -> object:
        """Run one of torch's functions, by its name in the way of `WAYS`."""
        way = WAYS.get(getattr(func, "__name__", "").strip("_"))
        kwargs = kwargs or {}
        return way(self, func, args, kwargs) if way else func(*args, **kwargs)

    def _softmax(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        result = func(*args, **kwargs)
        dim = kwargs.get("dim", args[1] if len(args) > 1 else None)
        self.held[result] = Held(result.shape[-1 if dim is None else dim])
        return result

    def _exp(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Take it for the first half of a softmax by hand, or the whole: exp(x - logsumexp(x))."""
        result = func(*args, **kwargs)
        if is_softmax(result):
            self.held[result] = Held(result.shape[-1])
        else:
            self.exps[result] = None
        return result

    def _divide(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Take exp(x) over its sum for a softmax, else follow weights."""
        if not any(one in self.exps for one in tensors_in(args[:1])):
            return self._follow(func, args, kwargs)
        result = func(*args, **kwargs)
        if is_softmax(result):
            self.held[result] = Held(result.shape[-1])
        return result

    def _dropout(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        weights, held = self._find(args, kwargs)
        if held is None:
            return func(*args, **kwargs)
        before, version = self._undropped(weights), weights._version
        result = func(*args, **kwargs)
        if result is not weights or weights._version != version:
            self.held[result] = Held(held.keys, before)
        return result

    def _follow(self, func: Callable, args: tuple, kwargs: dict) -> object:
        """Follow weights, and what they are without dropout, into what a function makes of them."""
        _, held = self._find(args, kwargs)
        if held is None or held.product:
            return func(*args, **kwargs)
        undropped = None
        if held.undropped is not None:
            with torch.no_grad():
                undropped = func(*self._undropped(args), **self._undropped(kwargs))
        result = func(*args, **kwargs)
        beside = tensors_in(undropped) if undropped is not None else repeat(None)
        for one, other in zip(tensors_in(result), beside, strict=False):
            self.held[one] = Held(held.keys, other)
        return result

    def _get(self, func: Callable, args: tuple, kwargs: dict) -> object:
        """Follow weights into a property, such as ``weights.mT``; most have no tensor."""
        result = func(*args, **kwargs)
        return self._follow(func, args, kwargs) if isinstance(result, Tensor) else result

    def _multiply(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Follow weights into a product with a number or a mask, or with what they weigh."""
        weights, held = self._find(args, kwargs)
        values = next((x for x in tensors_in((args, kwargs)) if x is not weights), None)
        if held is None or held.product or values is None:
            return self._follow(func, args, kwargs)
        stretched = any(
            n > 1 and not step for n, step in zip(weights.shape, weights.stride(), strict=True)
        )
        if torch.broadcast_shapes(weights.shape, values.shape) == weights.shape and not stretched:
            return self._follow(func, args, kwargs)
        result = func(*args, **kwargs)
        undropped = weights if held.undropped is None else held.undropped
        self.held[result] = Held(held.keys, product=(undropped.detach(), values))
        return result

    def _sum(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Take the sum of a product over an axis for a weighted sum."""
        product, held = self._find(args, kwargs)
        result = func(*args, **kwargs)
        axis = kwargs.get("dim", args[1] if len(args) > 1 else None)
        axes = list(axis) if isinstance(axis, list | tuple) else [axis]
        if held is None or not held.product or len(axes) != 1 or axes == [None]:
            return result
        weights, values = held.product
        kept = result.dim() == product.dim()
        equation = letters.of_product(weights, values, product, axes[0], kept)
        return self._weighed(held, letters.squeezed(weights, product), values, result, equation)

    def _matmul(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        *_, one, other = tensors_in((args, kwargs))  # the first of baddbmm's three is added
        pair = (other, one) if func.__name__ == "__rmatmul__" else (one, other)
        return self._contract(func, args, kwargs, pair, letters.of_matmul(*pair))

    def _linear(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        one, weight, *_ = tensors_in((args, kwargs))
        pair = one, weight.mT if weight.dim() > 1 else weight
        return self._contract(func, args, kwargs, pair, letters.of_matmul(*pair))

    def _einsum(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        equation, *operands = args
        pair = tuple(tensors_in(operands))
        if len(pair) != 2 or not isinstance(equation, str):
            return func(*args, **kwargs)
        return self._contract(func, args, kwargs, pair, letters.of_einsum(equation, pair))

    def _contract(
        self, func: Callable, args: tuple, kwargs: dict, pair: tuple, equation: letters.Equation
    ) -> Tensor:
        """Tell of a product of two tensors of which one holds weights, or follow a mix of heads."""
        held = [self.held.get(one) for one in pair]
        k = next((k for k, one in enumerate(held) if one and not one.product), None)
        if k is None:
            return func(*args, **kwargs)
        weights, values = pair[k], pair[1 - k]
        of_weights, of_values, of_result = equation[k], equation[1 - k], equation[2]
        over = [n for c, n in zip(of_weights, weights.shape, strict=True) if c not in of_result]
        if is_parameter(values) and held[k].keys not in over:  # the keys are still there
            return self._follow(func, args, kwargs)
        result = func(*args, **kwargs)
        return self._weighed(held[k], weights, values, result, (of_weights, of_values, of_result))

    def _fused(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Compute the weights of a fused call by its definition, and hold its result to them."""
        result = func(*args, **kwargs)
        check_numbers(result)
        with torch.no_grad():
            weights, values, scores = defined(*args, **kwargs)
            own, dropped = weights @ values, kwargs.get("dropout_p", (*args, 0, 0, 0)[4]) > 0
            wide = "" if dropped else gap(own, result)
            if wide:  # large scores round by as much more, and no key at all may give no number
                own = own.where(~result.isnan(), result)
                wide = gap(own, result, max(1.0, scores.abs().max().item()))
        if wide:
            raise AssertionError(
                f"F.scaled_dot_product_attention and its definition differ by {wide} so the "
                "weights are not those that were used: record model.double()"
            )
        held, equation = Held(weights.shape[-1]), letters.of_matmul(weights, values)
        return self._weighed(held, weights, values, result, equation)

    def _open(self, func: Callable, args: tuple, kwargs: dict) -> object:
        """Look into a function that hands itself over as a whole."""
        with self:
            return opened(*args, **kwargs)

    def _weighed(
        self,
        held: Held,
        weights: Tensor,
        values: Tensor,
        result: Tensor,
        equation: letters.Equation,
    ) -> Tensor:
        check_numbers(result)
        again = weights in self.weighed
        self.weighed[weights] = None
        weights = weights if held.undropped is None else held.undropped
        return self.saw(WeightedSum(weights.detach(), values.detach(), result, equation, again))

    def _find(self, *given: object) -> tuple[Tensor | None, Held | None]:
        """The first tensor that holds something, and what it holds."""
        for one in tensors_in(given):
            if (held := self.held.get(one)) is not None:
                return one, held
        return None, None

    def _undropped(self, given: object) -> object:
        """Copy weights as they are without dropout, wherever they stand among arguments."""
        if isinstance(given, list | tuple):
            return type(given)(self._undropped(one) for one in given)
        if isinstance(given, dict):
            return {name: self._undropped(one) for name, one in given.items()}
        held = self.held.get(given) if isinstance(given, Tensor) else None
        if held is None:
            return given
        return (given if held.undropped is None else held.undropped).detach().clone()


WAYS = (
    dict.fromkeys((*CASTS, *SHAPES, *PLACES, *MASKS), Weighing._follow)
    | dict.fromkeys(("softmax", "special_softmax"), Weighing._softmax)
    | dict.fromkeys(("mul", "rmul", "multiply"), Weighing._multiply)
    | dict.fromkeys(("div", "divide", "truediv", "idiv", "itruediv"), Weighing._divide)
    | dict.fromkeys(("matmul", "rmatmul", "mm", "mv", "bmm", "baddbmm", "addmm"), Weighing._matmul)
    | {
        "dropout": Weighing._dropout,
        "einsum": Weighing._einsum,
        "exp": Weighing._exp,
        "get": Weighing._get,
        "linear": Weighing._linear,
        "multi_head_attention_forward": Weighing._open,
        "scaled_dot_product_attention": Weighing._fused,
        "sum": Weighing._sum,
    }
)
