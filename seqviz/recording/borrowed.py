"""Attention of transformers' models while it is recorded, without importing transformers."""

import inspect
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from torch import Tensor, nn

from seqviz.recording.attending import DIMS, Attending
from seqviz.recording.stand_in import users_level

EAGER = "eager_attention_forward"  # of a modeling file: the function that gives the weights
IMPLEMENTATION = "_attn_implementation_internal"  # of a config: which function runs


class Borrowed(Attending):
    """Keeps the weights that a module of transformers gives beside its output."""

    def __call__(self, *args, **kwargs) -> object:
        """Run `forward`, and keep the weights among its results."""
        results = self.forward(*args, **kwargs)
        config = getattr(self.module, "config", None)
        eagerly = getattr(config, IMPLEMENTATION, "eager") == "eager"  # not switched in the block
        beside = results[1:] if eagerly and isinstance(results, tuple) else ()
        weights = [x for x in beside if isinstance(x, Tensor) and x.dim() == len(DIMS)]
        if weights:  # the last: T5's has the bias of the positions before them
            self.keep_weights(weights[-1], self.rows())
        else:
            warnings.warn(
                f"{self.name} gave no attention weights, so none are recorded: load the model with "
                "attn_implementation='eager', call it with output_attentions=True and take the "
                ".attentions of its output",
                stacklevel=users_level(),
            )
        return results


def gives_weights(module: nn.Module) -> bool:
    """Whether this module itself, none inside it, calls transformers' attention function."""
    forwards = [vars(kind)["forward"] for kind in type(module).__mro__ if "forward" in vars(kind)]
    codes = [getattr(inspect.unwrap(forward), "__code__", None) for forward in forwards]
    return any(EAGER in code.co_names for code in codes if code is not None)


@contextmanager
def eager(modules: Iterable[nn.Module]) -> Iterator[None]:
    """Have the configs of these modules, and those inside them, name the eager implementation.

    The others, sdpa among them, give no weights.
    """
    configs = {}
    waiting = [thing for module in modules for thing in vars(module).values()]
    while waiting:
        thing = waiting.pop()
        inside = getattr(thing, "__dict__", {})
        if IMPLEMENTATION in inside and id(thing) not in configs:
            configs[id(thing)] = (inside, inside[IMPLEMENTATION])
            waiting += inside.values()
    try:
        for inside, _ in configs.values():
            inside[IMPLEMENTATION] = "eager"
        yield
    finally:
        for inside, before in configs.values():
            inside[IMPLEMENTATION] = before
