"""Inputs that a small model of transformers takes: by the names of its forward, found by trying."""

import inspect
from collections.abc import Callable, Iterator
from itertools import islice, product

import torch
from torch import Tensor
from transformers import PreTrainedConfig, PreTrainedModel

BATCH, WORDS, TARGETS, SAMPLES, FRAMES = 2, 9, 7, 6400, 64
TRIES = 60
Candidates = list[Tensor | list]


def inputs(model: PreTrainedModel, run: Callable[[dict], object]) -> dict[str, Tensor]:
    """The first inputs, the fullest first, that the model runs on."""
    first = None
    for given in islice(attempts(model), TRIES):
        try:
            run(given)
        except Exception as error:
            first = first or error
        else:
            return given
    raise first or TypeError(f"forward{inspect.signature(model.forward)} takes nothing known here")


def attempts(model: PreTrainedModel) -> Iterator[dict[str, Tensor]]:
    """Inputs to try."""
    parameters = inspect.signature(model.forward).parameters.values()
    takes = [p.name for p in parameters if p.name in MAKERS]
    lone = {p.name for p in parameters if p.default is not p.empty} & INSTEAD
    takes = [name for name in takes if name not in lone]
    if model.main_input_name in MAKERS and model.main_input_name not in takes:
        takes.append(model.main_input_name)
    required = {p.name for p in parameters if p.default is p.empty and p.kind <= p.KEYWORD_ONLY}
    required &= set(takes)
    texts = {"input_ids", "decoder_input_ids", "bbox"} & set(takes)
    main = {model.main_input_name} & set(takes)
    tried = []
    for names in (set(takes), texts | required, texts | main, main | required, required, main):
        if names and names not in tried:
            tried.append(names)
            made = [MAKERS[name](model.config) for name in takes if name in names]
            for given in product(*made):
                yield dict(zip([name for name in takes if name in names], given, strict=True))


def configs(config: PreTrainedConfig) -> Iterator[PreTrainedConfig]:
    """This config and those inside it."""
    yield config
    for value in vars(config).values():
        if isinstance(value, PreTrainedConfig):
            yield from configs(value)


def values(config: PreTrainedConfig, *names: str) -> list:
    """What these names stand for, in this config and those inside it, each once."""
    there = [getattr(inside, name, None) for name in names for inside in configs(config)]
    return [value for k, value in enumerate(there) if value and value not in there[:k]]


def numbers(config: PreTrainedConfig, *names: str) -> list[int]:
    """Those of the values that are whole numbers."""
    return [value for value in values(config, *names) if type(value) is int]


def words(length: int, batch: int = BATCH) -> Callable[[PreTrainedConfig], Candidates]:
    """Ids of ordinary tokens."""
    return lambda config: [torch.randint(5, 30, (batch, length))]


def images(config: PreTrainedConfig) -> Candidates:
    """One picture a row of the batch."""
    sides = [
        (side, side) if type(side) is int else tuple(side)
        for side in [*values(config, "image_size", "img_size"), 64]
        if type(side) is int or len(side) == 2
    ]
    channels = [*numbers(config, "num_channels", "in_channels", "in_chans")[:1], 3]
    return [torch.randn(BATCH, c, *side) for side in sides for c in dict.fromkeys(channels)]


def videos(config: PreTrainedConfig) -> Candidates:
    """Some frames."""
    sides = [*numbers(config, "image_size", "crop_size")[:1], 64]
    frames = [*numbers(config, "num_frames", "frames_per_clip")[:1], 2]
    return [torch.randn(BATCH, n, 3, side, side) for side in sides for n in frames]


def patches(config: PreTrainedConfig) -> Candidates:
    """What a picture of 4 by 4 patches is cut into."""
    sides = numbers(config, "patch_size", "spatial_patch_size")
    depths = [*numbers(config, "temporal_patch_size"), 1]
    widths = [3 * depth * side * side for side in sides for depth in depths]
    return [torch.randn(*batch, 16, width) for batch in ((), (BATCH,)) for width in widths]


def spectra(config: PreTrainedConfig) -> Candidates:
    """Frames of a sound."""
    times = [*[2 * n for n in numbers(config, "max_source_positions")][:1], FRAMES]
    return [
        torch.randn(shape)
        for bins in dict.fromkeys([*numbers(config, *BINS), 80, 128, 320])
        for time in times
        for shape in ((BATCH, bins, time), (BATCH, time, bins), (BATCH, 1, time, bins))
    ]


def sounds(config: PreTrainedConfig) -> Candidates:
    """Samples of a sound, or frames of it."""
    times = [*numbers(config, "max_length"), FRAMES]
    shapes = [(BATCH, t, bins) for bins in numbers(config, "num_mel_bins") for t in times]
    return [torch.randn(shape) for shape in ((BATCH, SAMPLES), (BATCH, 1, SAMPLES), *shapes)]


def vectors(*names: str, length: int = WORDS) -> Callable[[PreTrainedConfig], Candidates]:
    """Hidden states, by the names that their width may have."""
    return lambda config: [torch.randn(BATCH, length, n) for n in numbers(config, *names)]


def boxes(config: PreTrainedConfig) -> Candidates:
    """Where on the page each word stands."""
    corners = torch.randint(0, 50, (BATCH, WORDS, 2))
    box = torch.cat([corners, corners + 20], -1)
    return [box, torch.rand(BATCH, WORDS, 4), torch.rand(BATCH, WORDS, 8)]


def series(config: PreTrainedConfig) -> Candidates:
    """Values over time."""
    lags = values(config, "lags_sequence")
    times = [n + max(lags[0] if lags else [0]) for n in numbers(config, "context_length")]
    channels = numbers(config, "num_input_channels", "input_size")
    shapes = [(BATCH, t, c) for t in times for c in channels] + [(BATCH, t) for t in times]
    return [torch.randn(shape) for shape in shapes]


def places(config: PreTrainedConfig) -> Candidates:
    """Row and column of each patch."""
    rows, columns = torch.meshgrid(torch.arange(4), torch.arange(4), indexing="ij")
    return [torch.stack([columns, rows], -1).reshape(1, 16, 2).repeat(BATCH, 1, 1)]


def ones(*shape: int, dtype: torch.dtype = torch.long) -> Callable[[PreTrainedConfig], Candidates]:
    """A mask that leaves all in."""
    return lambda config: [torch.ones(shape, dtype=dtype)]


WIDTH = "hidden_size", "d_model", "embed_dim", "in_channels", "width"
BINS = ("num_mel_bins", "n_mels", "feature_size", "input_feat_per_channel", "input_dim",
        "mel_bins", "input_size", "input_feat_size")  # fmt: skip
INSTEAD = {"inputs_embeds", "query_embeds", "hidden_states", "image_grid_thw"}  # if they must be
MAKERS = {
    "input_ids": words(WORDS),
    "decoder_input_ids": words(TARGETS),
    "qformer_input_ids": words(WORDS),
    "pixel_values": lambda c: images(c) + videos(c) + patches(c),
    "pixel_values_videos": videos,
    "input_features": spectra,
    "audio_mel": spectra,
    "input_values": sounds,
    "hidden_states": lambda c: patches(c) + vectors(*WIDTH)(c),
    "inputs_embeds": vectors(*WIDTH),
    "query_embeds": vectors(*WIDTH),
    "bbox": boxes,
    "grid_thw": lambda c: [torch.tensor([[1, 4, 4]])],
    "image_grid_thw": lambda c: [torch.tensor([[1, 4, 4]])],
    "pixel_position_ids": places,
    "inputs": vectors("d_model"),
    "past_values": series,
    "past_observed_mask": lambda c: [torch.ones_like(x) for x in series(c)],
    "past_time_features": lambda c: [torch.randn(BATCH, x.shape[1], 1) for x in series(c)],
    "visual_feats": vectors("visual_feat_dim"),
    "visual_pos": lambda c: [torch.rand(BATCH, WORDS, 4)],
    "decoder_input_values": vectors("num_mel_bins", length=TARGETS),
    "input_features_mask": ones(BATCH, FRAMES),
    "audio_mel_mask": ones(BATCH, FRAMES, dtype=torch.bool),
    "states": vectors("state_dim"),
    "actions": vectors("act_dim"),
    "rewards": lambda c: [torch.randn(BATCH, WORDS, 1)],
    "returns_to_go": lambda c: [torch.randn(BATCH, WORDS, 1)],
    "timesteps": words(WORDS),
}
