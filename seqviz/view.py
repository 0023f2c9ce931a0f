"""Views: arrays and strings in, a widget out; each is at home in `views`, under its name."""

from importlib import import_module
from importlib.util import find_spec

_VIEWS = (
    "atlas",
    "attention",
    "beam",
    "cause",
    "curves",
    "embedding",
    "gates",
    "generation",
    "gradients",
    "machine",
    "masking",
    "piano_roll",
    "positions",
    "race",
    "regions",
    "text",
    "unroll",
)
_OF_MODELS = ("cause", "generation", "machine", "masking")  # that also take the graph of a model
__all__ = list(_VIEWS)


def __getattr__(name: str):
    """Load a view when it is first used."""
    if name in __all__:
        of_models = name in _OF_MODELS and find_spec("torch")
        home = "live_views" if of_models else f"views.{name}"
        return getattr(import_module(f"seqviz.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {__all__}")


def __dir__() -> list[str]:
    """Names for tab completion."""
    return __all__
