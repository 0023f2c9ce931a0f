"""Weights of a file into a model: all of them fit, or none is copied."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor


def checked_settings(place: str, config: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    """Refuse a configuration with a setting that has another value than it may have."""
    for name, value in settings.items():
        if config.get(name, value) != value:
            raise ValueError(
                f"{name} of {place} must be {value!r}, got {config[name]!r}: that is another model"
            )


def copied(
    place: str,
    kind: str,
    places: Mapping[str, Tensor],
    weights: Mapping[str, Tensor],
    optional: tuple[str, ...] = (),
    advice: str = "",
) -> list[str]:
    """Copy weights to their places; return the names of those that have none.

    Parameters
    ----------
    place, kind : str
        Where the weights were found, and the model's class, for the message.
    places, weights : mapping of str to Tensor
        By transformers' names.
    optional : tuple of str
        With what a name begins whose weight may be left out.
    advice : str
        What to do if such a weight is missing.

    Raises
    ------
    ValueError
        If weights are missing, surplus, of another shape or not finite: all of them are listed.
    """
    left = [name for name in weights if name not in places]
    unfit = {
        "missing": [name for name in places if name not in weights],
        "surplus": [name for name in left if not name.startswith(optional)],
        "of another shape": [
            f"{name} {tuple(weights[name].shape)} for {tuple(own.shape)}"
            for name, own in places.items()
            if name in weights and weights[name].shape != own.shape
        ],
    }
    fitting = {name: weights[name] for name in places if name in weights}
    unfit["no real numbers"] = [
        f"{name} {w.dtype}" for name, w in fitting.items() if not w.is_floating_point()
    ]
    unfit["not finite"] = [
        name for name, w in fitting.items() if w.is_floating_point() and not w.isfinite().all()
    ]
    if any(unfit.values()):
        listed = [f"{what}: {', '.join(names)}" for what, names in unfit.items() if names]
        if any(name.startswith(optional) for name in unfit["missing"]):
            listed.append(advice)
        raise ValueError(
            f"the weights of {place} are not those of a {kind} with its configuration; "
            + "; ".join(listed)
        )
    for name, own in places.items():
        own.copy_(weights[name])
    return left
