"""What becomes of a softmax's weights from function to function, until they weigh a sum."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import repeat

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakTensorKeyDictionary

from seqviz.recording.near_misses import EXP, ONE_BY_ONE, TAKEN, Changed
from seqviz.recording.tensors import is_softmax, tensors_in

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


DIM_AT = {"gumbel_softmax": 4}  # the place of dim among the arguments, if it is not 1
NEW = re.compile(r"new_.*|.*_like")  # of the shape of what they are given, with other numbers


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


class Following(TorchFunctionMode):
    """Follows what a softmax gives from function to function, and what is none any more."""

    def __init__(self, missed: Callable[[Changed], None]):
        super().__init__()
        self.missed = missed
        self.held = WeakTensorKeyDictionary()  # of `Held`
        self.changed = WeakTensorKeyDictionary()  # of `Changed`, exp(x) among them
        self.products = WeakTensorKeyDictionary()  # of these with what they weigh

    def _softmax(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        result = func(*args, **kwargs)
        at = DIM_AT.get(func.__name__, 1)
        dim = kwargs.get("dim", args[at] if len(args) > at else None)
        self.held[result] = Held(result.shape[-1 if dim is None else dim])
        return result

    def _exp(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Take it for the first half of a softmax by hand, or the whole: exp(x - logsumexp(x))."""
        result = func(*args, **kwargs)
        if is_softmax(result):
            self.held[result] = Held(result.shape[-1])
        else:
            self.changed[result] = Changed(EXP, 0)
        return result

    def _divide(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Take exp(x) over its sum for a softmax, else follow weights."""
        change = next((self.changed.get(one) for one in tensors_in(args[:1])), None)
        if change is None:
            return self._follow(func, args, kwargs)
        result = func(*args, **kwargs)
        axes = [-1, *range(result.dim() - 1)] if change.by == EXP else [-1]
        axis = next((k for k in axes if is_softmax(result, k)), None)
        if axis is not None:
            self.held[result] = Held(result.shape[axis])
        else:
            self.changed[result] = change
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
            return self._carry(func, args, kwargs)
        undropped = None
        if held.undropped is not None:
            with torch.no_grad():
                undropped = func(*self._undropped(args), **self._undropped(kwargs))
        result = func(*args, **kwargs)
        beside = tensors_in(undropped) if undropped is not None else repeat(None)
        for one, other in zip(tensors_in(result), beside, strict=False):
            self.held[one] = Held(held.keys, other)
        if isinstance(result, float):
            self._miss([Changed("float", held.keys, sure=False)])
        return result

    def _carry(self, func: Callable, args: tuple, kwargs: dict) -> object:
        """Follow what is no softmax any more, or not yet, and note products that are added."""
        name, (_, held) = func.__name__.strip("_"), self._find(args, kwargs)
        if held is not None and name in ONE_BY_ONE and held.keys not in held.product[0].shape:
            self._miss([Changed(name, held.keys, apart=True)])
        result = func(*args, **kwargs)
        change = next(filter(None, map(self.changed.get, tensors_in((args, kwargs)))), None)
        for one in tensors_in(result) if change else ():
            self.changed[one] = change
        return result

    def _change(self, func: Callable, args: tuple, kwargs: dict) -> object:
        """Note what a function makes of weights that it changes."""
        _, held = self._find(args, kwargs)
        if held is None or held.product:
            return self._carry(func, args, kwargs)
        result = func(*args, **kwargs)
        two = sum(one in self.held for one in tensors_in((args, kwargs))) > 1
        by = func.__name__.strip("_") + " of two softmaxes" * two
        for one in tensors_in(result):
            self.changed[one] = Changed(by, held.keys)
        return result

    def _power(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Take 2 ** x for exp(x), and note a power of weights."""
        return (self._change if isinstance(args[0], Tensor) else self._exp)(func, args, kwargs)

    def _assign(self, func: Callable, args: tuple, kwargs: dict) -> None:
        """Note weights that are written into a tensor, row by row for example."""
        func(*args, **kwargs)
        _, held = self._find(args[2:])
        if held is not None and not held.product and args[0] not in self.held:
            self.changed[args[0]] = Changed("an assignment", held.keys)

    def _other(self, func: Callable, args: tuple, kwargs: dict) -> object:
        """Note weights that go into a function of which nothing is known."""
        _, held = self._find(args, kwargs) if self.held else (None, None)
        if held is None or held.product:
            return func(*args, **kwargs)
        name, known = func.__name__.strip("_"), {id(one) for one in tensors_in((args, kwargs))}
        result = func(*args, **kwargs)
        made = [
            one
            for one in tensors_in(result)
            if id(one) not in known and one.is_floating_point() and not NEW.fullmatch(name)
        ]
        for one in made:
            self.changed[one] = Changed(name, held.keys)
        if made or name in TAKEN:
            self._miss([Changed(name, held.keys, sure=False)])
        return result

    def _miss(self, changes: Iterable[Changed | None]) -> None:
        for change in filter(None, changes):
            self.missed(change)

    def _mean(self, func: Callable, args: tuple, kwargs: dict) -> Tensor:
        """Follow a mean over heads, and note another."""
        weights, held = self._find(args, kwargs)
        if held is None or held.product:
            return self._carry(func, args, kwargs)
        result = self._follow(func, args, kwargs)
        same = result.dim() and result.shape[-1] == held.keys == weights.shape[-1]
        if not (same and is_softmax(self._undropped(result))):
            del self.held[result]
            self.changed[result] = Changed("mean", held.keys)
        return result

    def _get(self, func: Callable, args: tuple, kwargs: dict) -> object:
        """Follow weights into a property, such as ``weights.mT``; most have no tensor."""
        result = func(*args, **kwargs)
        return self._follow(func, args, kwargs) if isinstance(result, Tensor) else result

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
