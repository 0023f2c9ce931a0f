"""Views: arrays and strings in, a widget out; each is at home in `views`, under its name."""

from importlib import import_module

_VIEWS = (
    "attention",
    "beam",
    "curves",
    "embedding",
    "gates",
    "generation",
    "gradients",
    "masking",
    "piano_roll",
    "positions",
    "race",
    "regions",
    "text",
    "unroll",
)
__all__ = list(_VIEWS)


def __getattr__(name: str):
    """Load a view when it is first used."""
    if name in __all__:
        return getattr(import_module(f"seqviz.views.{name}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {__all__}")


def __dir__() -> list[str]:
    """Names for tab completion."""
    return __all__
