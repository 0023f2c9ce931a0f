"""Views: arrays and strings in, a widget out; each is at home in `views`, under its name."""

from importlib import import_module

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
        home = "live_views" if name in _OF_MODELS else f"views.{name}"
        return getattr(import_module(f"seqviz.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {__all__}")


def __dir__() -> list[str]:
    """Names for tab completion."""
    return __all__
