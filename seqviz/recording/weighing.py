"""Attention where it happens: a softmax whose result weighs a sum, seen among torch's functions."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils.weak import WeakTensorKeyDictionary

from seqviz.recording import letters
from seqviz.recording.following import CASTS, MASKS, PLACES, SHAPES, Following, Held
from seqviz.recording.fused import defined, flexed, opened
from seqviz.recording.near_misses import CHANGES, NO_SOFTMAX, Changed
from seqviz.recording.observation import check_numbers
from seqviz.recording.stand_in import gap
from seqviz.recording.tensors import is_parameter, is_softmax, tensors_in


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


class Weighing(Following):
    """Follows what a softmax gives from function to function, and tells of each weighted sum.

    Parameters
    ----------
    saw : callable
        Takes a `WeightedSum`, and returns the result with which the run goes on.
    missed : callable
        Is told what weighed a sum and is no softmax any more.
    """

    def __init__(self, saw: Callable[[WeightedSum], Tensor], missed: Callable[[Changed], None]):
        super().__init__(missed)
        self.saw = saw
        self.weighed = WeakTensorKeyDictionary()

    def __torch_function__(self, func, types, args=(), kwargs=None) -> object:
        """Run one of torch's functions, by its name in the way of `WAYS`."""
        way = WAYS.get(getattr(func, "__name__", "").strip("_"), Weighing._other)
        return way(self, func, args, kwargs or {})

    def _multiply(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Follow weights into a product with a number or a mask, or with what they weigh."""
        weights, held = self._find(args, kwargs)
        values = next((x for x in tensors_in((args, kwargs)) if x is not weights), None)
        if held is None:
            return self._product_of_changed(func, args, kwargs)
        if held.product or values is None:
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

    def _product_of_changed(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Follow a product with a mask, and hold one with what is weighed."""
        result = self._carry(func, args, kwargs)
        of = next((one for one in tensors_in((args, kwargs)) if one in self.changed), None)
        if of is not None and result.shape != of.shape:
            self.products[result] = self.changed.pop(result)
        return result

    def _sum(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Take the sum of a product over an axis for a weighted sum."""
        product, held = self._find(args, kwargs)
        result = func(*args, **kwargs)
        axis = kwargs.get("dim", args[1] if len(args) > 1 else None)
        axes = list(axis) if isinstance(axis, list | tuple) else [axis]
        if held is None or not held.product or len(axes) != 1 or axes == [None]:
            self._miss(map(self.products.get, tensors_in(args[:1])))
            return result
        weights, values = held.product
        kept = result.dim() == product.dim()
        equation = letters.of_product(weights, values, product, axes[0], kept)
        return self._weighed(held, letters.squeezed(weights, product), values, result, equation)

    def _matmul(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        given = {name: of for name, of in kwargs.items() if name != "out"}
        *_, one, other = tensors_in((args, given))  # the first of baddbmm's three is added
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
            return self._other(func, args, kwargs)
        return self._contract(func, args, kwargs, pair, letters.of_einsum(equation, pair))

    def _contract(
        self, func: Callable, args: tuple, kwargs: dict, pair: tuple, equation: letters.Equation
    ) -> Tensor:
        """Tell of a product of two tensors of which one holds weights, or follow a mix of heads."""
        held = [self.held.get(one) for one in pair]
        k = next((k for k, one in enumerate(held) if one and not one.product), None)
        if k is None:
            return self._contract_changed(func, args, kwargs, pair, equation)
        weights, values = pair[k], pair[1 - k]
        of_weights, of_values, of_result = equation[k], equation[1 - k], equation[2]
        over = [n for c, n in zip(of_weights, weights.shape, strict=True) if c not in of_result]
        if is_parameter(values) and held[k].keys not in over:  # the keys are still there
            return self._follow(func, args, kwargs)
        result = func(*args, **kwargs)
        return self._weighed(held[k], weights, values, result, (of_weights, of_values, of_result))

    def _contract_changed(
        self, func: Callable, args: tuple, kwargs: dict, pair: tuple, equation: letters.Equation
    ) -> Tensor:
        """Tell of weights that were changed, if their rows still sum to 1, else that they were."""
        result = func(*args, **kwargs)
        changes = [self.changed.get(one) for one in pair]
        k = next((k for k, change in enumerate(changes) if change), None)
        if any(map(is_parameter, pair)):
            return result
        if k is None:
            self._miss([self._no_softmax(pair[0], equation)])
            return result
        weights, values, of_weights = pair[k], pair[1 - k], equation[k]
        over = of_weights[-1:] not in equation[2] and weights.shape[-1] == changes[k].keys
        if over and is_softmax(weights):
            held, full = Held(changes[k].keys), (of_weights, equation[1 - k], equation[2])
            return self._weighed(held, weights, values, result, full)
        self._miss(changes)
        return result

    def _no_softmax(self, weights: Tensor, equation: letters.Equation) -> Changed | None:
        """What weighs a sum like a softmax and is none; means and choices of one do not count."""
        if equation[0][-1:] in equation[2] or not is_softmax(weights):
            return None
        least = weights.masked_fill(weights == 0, torch.inf).amin(-1)
        uneven = bool((weights.amax(-1) > least + 1e-6).any())
        return Changed(NO_SOFTMAX, weights.shape[-1], sure=False) if uneven else None

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

    def _flex(self, func: Callable, args: tuple, kwargs: dict) -> tuple:
        """Compute the weights of flex attention by its definition."""
        result, *rest = func(*args, **kwargs)
        with torch.no_grad():
            weights, values = flexed(*args[:6])
            wide = gap(weights @ values, result)
        if wide:
            raise AssertionError(
                f"flex_attention and its definition differ by {wide} so the weights are not those "
                "that were used: give the model attn_implementation='eager'"
            )
        equation = letters.of_matmul(weights, values)
        return self._weighed(Held(weights.shape[-1]), weights, values, result, equation), *rest

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


WAYS = (
    dict.fromkeys((*CASTS, *SHAPES, *PLACES, *MASKS), Weighing._follow)
    | dict.fromkeys(CHANGES, Weighing._change)
    | dict.fromkeys(("softmax", "special_softmax", "softmin", "gumbel_softmax"), Weighing._softmax)
    | dict.fromkeys(("exp", "exp2", "special_exp2", "rpow"), Weighing._exp)
    | dict.fromkeys(("mul", "rmul", "multiply"), Weighing._multiply)
    | dict.fromkeys(("div", "divide", "truediv", "idiv", "itruediv", "normalize"), Weighing._divide)
    | dict.fromkeys(
        ("matmul", "rmatmul", "mm", "mv", "dot", "bmm", "baddbmm", "addmm"), Weighing._matmul
    )
    | {
        "dropout": Weighing._dropout,
        "einsum": Weighing._einsum,
        "flex_attention": Weighing._flex,
        "get": Weighing._get,
        "linear": Weighing._linear,
        "mean": Weighing._mean,
        "pow": Weighing._power,
        "setitem": Weighing._assign,
        "multi_head_attention_forward": Weighing._open,
        "scaled_dot_product_attention": Weighing._fused,
        "sum": Weighing._sum,
    }
)
