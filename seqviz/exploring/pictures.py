"""A vision model and a picture: where each head attends, and what of it is place, not content."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import torch
from torch import Tensor, nn

from seqviz.arguments import checked_name, checked_type, refuse_meta_model
from seqviz.nn.resting import at_rest
from seqviz.recording import record
from seqviz.running.patches import patches_of
from seqviz.views.regions import ImageRegions
from seqviz.views.regions import regions as films

CONTROLS = list(ImageRegions.class_traits(control=True))


def regions(
    model: nn.Module,
    inputs: Tensor | Mapping[str, Tensor],
    *,
    picture=None,
    layers: Iterable[int] | None = None,
    title: str | None = None,
    **controls,
) -> ImageRegions:
    """See where a vision transformer attends on its picture: every head, from every token.

    Which patch a token stands for is told by the pixels that reach it before the first attention,
    and a special token's name by the parameter that it is made of: whatever the model is called,
    of transformers, timm, torchvision or your own. Beside each map stands its control: the same
    head on the same picture with its patches shuffled. What goes with the patches is due to what
    they show, what stays is due to their places.

    Parameters
    ----------
    model : nn.Module
        A model that attends and reads pictures, such as a ViT, DeiT, BEiT, DINOv2, or CLIP's
        ``vision_model``; on any device. Afterwards it is as it was.
    inputs : Tensor or mapping
        What the model is called with for one picture: pixels (1, channels, h, w), or what an image
        processor returns.
    picture : array, optional
        What is shown beneath, (h, w) or (h, w, 3) from 0 to 1, of the size of the pixels; without
        it the pixels themselves, stretched to 0 to 1.
    layers : iterable of int, optional
        Show these layers only, from 0.
    title : str, optional
        The heading, one line.
    **controls
        Where the view's controls stand at first: film, step, region, light ...

    Returns
    -------
    ImageRegions
        A film is a layer, a step a head, a region the patch that attends.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If it is no model of pictures, never attends, or attends within windows; if its patches
        overlap or are not on a grid; if the batch has another picture, or the size is not its own.

    Examples
    --------
    >>> import torch
    >>> from transformers import ViTConfig, ViTModel
    >>> sizes = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2}
    >>> vit = ViTModel(ViTConfig(**sizes, intermediate_size=8, image_size=32, patch_size=8))
    >>> view = regions(vit, torch.rand(1, 3, 32, 32))
    >>> view.film, view.here.special, view.here.grid
    (1, ['cls_token'], (4, 4))
    >>> view.region = 6  # as a click on a patch does
    """
    for name in controls:
        checked_name("control", name, CONTROLS)
    checked_type("model", model, nn.Module, "a model, which is a torch.nn.Module")
    model = getattr(model, "_orig_mod", model)  # of what torch.compile made
    refuse_meta_model(model)
    pixels, call = checked_inputs(model, inputs)
    maps = maps_of(model, call, pixels)
    first = next(iter(maps))[0]
    patches = patches_of(model, first, call, pixels, next(iter(maps.values())).shape[-1])
    whole = {key: one for key, one in maps.items() if one.shape[-1] == len(patches.tokens)}
    moved = maps_of(model, call, patches.shuffled(pixels))
    wanted = range(len(whole)) if layers is None else sorted({*layers})
    if not {*wanted} <= {*range(len(whole))} or not wanted:
        raise ValueError(f"layers: expected some of 0 to {len(whole) - 1}, came {list(wanted)}")
    beneath = patches.cut(stretched(pixels) if picture is None else sized(picture, pixels))
    keys = list(whole)
    view = films(
        [
            {
                "picture": beneath,
                "grid": patches.grid,
                "tokens": patches.tokens,
                "attention": whole[keys[k]],
                "shuffled": patches.kept(whole[keys[k]], moved[keys[k]]),
                "title": str(k),
            }
            for k in wanted
        ],
        title=title or f"{type(model).__name__}: where it attends",
    )
    for name, value in controls.items():
        setattr(view, name, value)
    return view


def checked_inputs(model: nn.Module, inputs) -> tuple[Tensor, Callable]:
    """Return the pixels, and what calls the model with other ones in their place."""
    given = dict(inputs) if isinstance(inputs, Mapping) else {"": inputs}
    names = [k for k, one in given.items() if isinstance(one, Tensor) and one.dim() == 4]
    if len(names) != 1 or not given[names[0]].is_floating_point():
        came = ", ".join(f"{k} {tuple(getattr(v, 'shape', ()))}".strip() for k, v in given.items())
        raise ValueError(
            "inputs: expected the pixels of one picture, floats (1, channels, h, w), or what an "
            f"image processor returns with return_tensors='pt', came {came or 'nothing'}"
        )
    pixels = given[names[0]]
    if len(pixels) != 1:
        raise ValueError(f"inputs: expected one picture, came a batch of {len(pixels)}: take [:1]")
    if names[0]:
        return pixels, lambda other: model(**{**given, names[0]: other})
    return pixels, model


def maps_of(model: nn.Module, call: Callable, pixels: Tensor) -> dict[tuple, np.ndarray]:
    """The weights (head, query, key) of each attention from tokens to themselves, in order."""
    name = type(model).__name__
    with at_rest(model), torch.random.fork_rng(), record(model, keep="attention") as rec:
        torch.manual_seed(0)
        try:
            call(pixels)
        except (RuntimeError, TypeError, ValueError, AttributeError, IndexError) as error:
            towers = [k for k, one in model.named_children() if reads_pixels(one)]
            fix = f"give its {towers[0]}" if towers else "expected a model that reads pictures"
            raise ValueError(
                f"model: {name} does not run on pixels {tuple(pixels.shape)}: {error}; {fix}"
            ) from error
    found = {(path, k): one for path, calls in rec.attention.items() for k, one in enumerate(calls)}
    maps = {
        key: one.values[0]
        for key, one in found.items()
        if one.dims == ("batch", "head", "query", "key") and one.shape[2] == one.shape[3]
    }
    blocks = any("block" in one.dims for one in found.values())
    if blocks or not maps:
        dims = list(dict.fromkeys(map(str, found.values())))
        why = "attends within windows" if blocks else "has no map from patches to themselves"
        raise ValueError(
            f"model: {name} {why}, expected one grid of patches that attend to each other; found "
            f"{'; '.join(dims[:3])}: look at it with sv.record"
        )
    return maps


def reads_pixels(module: nn.Module) -> bool:
    """Whether a part of a model of transformers says that it reads pictures."""
    return getattr(module, "main_input_name", "") == "pixel_values"


def stretched(pixels: Tensor) -> np.ndarray:
    """Pixels as they came, from 0 to 1."""
    one = pixels[0].detach().float().cpu().movedim(0, -1).numpy()
    one = one if one.shape[-1] == 3 else one.mean(axis=-1)
    low, high = one.min(), one.max()
    return (one - low) / (high - low if high > low else 1)


def sized(picture, pixels: Tensor) -> np.ndarray:
    """A picture of the user's own, if it has the size of the pixels."""
    given = np.asarray(picture)
    if given.shape[:2] != tuple(pixels.shape[2:]):
        raise ValueError(
            f"picture: expected the size that the model reads, {tuple(pixels.shape[2:])}, came "
            f"{given.shape}: resize and crop it as the pixels were, or leave it out"
        )
    return given
