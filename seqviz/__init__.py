"""Build sequence models in the open, run them, record what happened inside, look at the record."""

from importlib import import_module
from importlib.metadata import version

_ROOMS = ("checks", "data", "decoding", "graphs", "metrics", "nn", "training", "view")
_HOME = {
    "ablate": "intervention",
    "again": "asking",
    "ask": "asking",
    "atlas": "exploring",
    "cause": "exploring",
    "explore": "exploring",
    "lens": "running",
    "machine": "exploring",
    "order": "asking",
    "patch": "intervention",
    "recap": "asking",
    "record": "recording",
    "regions": "exploring",
    "setup": "session",
}

__version__ = version("seqviz-notebooks")
__all__ = sorted([*_ROOMS, *_HOME])


def __getattr__(name: str):
    """Load a room or a public function when it is first used, so that the import stays fast."""
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {__all__}")


def __dir__() -> list[str]:
    """Names for tab completion."""
    return __all__
