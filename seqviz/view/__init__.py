"""Views: arrays and strings in, a widget out. Nothing here knows a model."""

from importlib import import_module

_HOME = {
    "attention": "attention_explorer",
    "beam": "beam_tree",
    "curves": "curve_sheet",
    "embedding": "embedding_map",
    "gates": "gate_traces",
    "generation": "next_words",
    "gradients": "gradient_flow",
    "masking": "masked_words",
    "piano_roll": "played_notes",
    "positions": "position_table",
    "race": "layer_race",
    "regions": "image_regions",
    "text": "coloured_text",
    "unroll": "unrolled_net",
}

__all__ = sorted(_HOME)


def __getattr__(name: str):
    """Load a view when it is first used."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {__all__}")


def __dir__() -> list[str]:
    """Names for tab completion."""
    return __all__
