"""Attention inside windows and blocks: a block is an axis, an item of the batch stays one."""

import numpy as np
import pytest
import torch
import transformers

import seqviz as sv
from seqviz.recording import Record

SWIN = {
    "image_size": 32,
    "patch_size": 2,
    "embed_dim": 8,
    "depths": [2, 2],
    "num_heads": [2, 4],
    "window_size": 4,
}
LONG = {
    "vocab_size": 30,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "max_position_embeddings": 64,
}
T5 = {
    "vocab_size": 30,
    "d_model": 16,
    "d_kv": 8,
    "d_ff": 16,
    "num_layers": 2,
    "num_heads": 2,
    "local_radius": 3,
}
HIERA = {
    "image_size": [32, 32],
    "patch_size": [3, 3],
    "patch_stride": [2, 2],
    "patch_padding": [1, 1],
    "embed_dim": 8,
    "depths": [1, 1, 1],
    "num_heads": [1, 2, 4],
    "embed_dim_multiplier": 2.0,
    "num_query_pool": 2,
    "query_stride": [2, 2],
    "masked_unit_size": [4, 4],
    "masked_unit_attention": [True, True, False],
}
PARTS = {"context_length": 16, "patch_length": 4, "patch_stride": 4, "ffn_dim": 16, "d_model": 16}


def pictures(batch):
    return {"pixel_values": torch.randn(batch, 3, 32, 32)}


def series(batch):
    return {"past_values": torch.randn(batch, 16, 3)}


def texts(batch, length=16):
    return {"input_ids": torch.arange(2, 2 + batch * length).view(batch, length) % 28}


def pairs(batch):
    return texts(batch) | {"decoder_input_ids": torch.arange(2, 2 + 6 * batch).view(batch, 6)}


def folded(own):  # (batch * windows, head, query, key)
    return lambda values: values.swapaxes(1, 2).reshape(own.shape)


def blocks_first(own):  # (batch, block, head, query, key)
    return lambda values: values.swapaxes(1, 2)


CHANNELS = PARTS | {"num_input_channels": 3, "num_attention_heads": 2}
LOCAL = T5 | {"encoder_attention_type": "local"}
MODELS = {  # class, configuration, inputs, blocks of each layer, the model's own maps
    "Swin": ("Swin", SWIN, pictures, [16, 16, 4, 4], None),
    "Swin, padded": ("Swin", SWIN | {"image_size": 20}, pictures, [16, 16, 4, 4], None),
    "Swinv2": ("Swinv2", SWIN, pictures, [16, 16, 4, 4], folded),
    "Hiera": ("Hiera", HIERA, pictures, [16, 16, 16], lambda own: lambda values: values),
    "PatchTST": ("PatchTST", CHANNELS, series, [3] * 3, None),
    "Longformer": ("Longformer", LONG | {"attention_window": 4}, texts, [8, 8], None),
    "LongT5": ("LongT5", LOCAL, pairs, [4, 4], blocks_first),
    "as many blocks as heads": ("LongT5", LOCAL | {"num_heads": 4}, pairs, [4, 4], blocks_first),
}


def made(name, config):
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(**config)
    return transformers.AutoModel.from_config(config).eval()


@pytest.mark.parametrize("case", MODELS)
def test_a_window_is_a_block_of_its_item(case):
    name, config, inputs, blocks, own = MODELS[case]
    model = made(name, config)
    for batch in (1, 2):
        given = inputs(batch)
        if case == "Swin, padded":
            given["pixel_values"] = given["pixel_values"][..., :20, :20]
        with torch.no_grad(), sv.record(model) as rec:
            model(**given)
        calls = [call for (call,) in rec.attention.values() if "block" in call.dims]
        of_blocks = ("batch", "head", "block", "query", "key")
        assert [call.dims for call in calls] == [of_blocks] * len(blocks)
        if case != "Swin, padded":
            assert [call.shape[2] for call in calls] == blocks
        assert {call.shape[0] for call in calls} == {batch}
        for call in calls:
            sums = call.values.sum(-1)
            assert np.allclose(sums[sums > 0.01], 1, atol=1e-5)
        if own:
            output = model(**given, output_attentions=True)
            theirs = output.get("attentions") or output["encoder_attentions"]
            ours = calls[1::2] if own is folded else calls  # these give the last of each stage
            for call, right in zip(ours, theirs, strict=True):
                right = right.detach().numpy()
                np.testing.assert_allclose(own(right)(call.values), right, atol=1e-6)


def test_as_many_rows_as_positions_are_no_batch():
    model = made("Longformer", LONG | {"attention_window": 4, "num_attention_heads": 4})
    with torch.no_grad(), sv.record(model) as rec:
        model(**texts(4))
    assert {call.shape for (call,) in rec.attention.values()} == {(4, 4, 8, 2, 6)}
    assert {call.dims[2] for (call,) in rec.attention.values()} == {"block"}


def test_one_head_of_windows_is_silenced():
    model, given = made("Swinv2", SWIN), pictures(2)
    with torch.no_grad():
        before = model(**given)[0]
        with sv.ablate(model, layer="encoder.layers.0.blocks.0.attention.self", head=1):
            after = model(**given)[0]
    assert not torch.allclose(before, after)


def test_the_view_of_blocks_names_the_fix_and_the_fix_works():
    model = made("Swin", SWIN)
    with torch.no_grad(), sv.record(model) as rec:
        model(**pictures(1))
    for options in ({}, {"item": 0}):
        with pytest.raises(ValueError, match=r"inside blocks .*calls\[-1\].at\(block=0\)"):
            sv.view.attention(rec.attention, **options)
    calls = next(iter(rec.attention.values()))
    part = next(call for call in calls if "block" in call.dims).at(block=1)
    assert (part.labels["query"][2], part.labels["key"][3]) == ("r0 c6", "r0 c7")
    names = {"tokens": part.labels["query"], "key_tokens": part.labels["key"]}
    view = sv.view.attention(part.values[0], **names)
    assert view.here.heads == 2
    assert sv.view.attention({"": [part]}, **names).here.heads == 2


WHOLE = "rows 0-3, columns 4-7|r0 c4|r3 c7"
ROLLED = "rows 2-5, columns 6-7 and 0-1|r2 c6|r5 c1"
WINDOWS = {  # by layer, of window 1 its name, its first place and its last
    "Swin": [WHOLE, "rows 2-5, columns 6-9|r2 c6|r5 c9", WHOLE, ROLLED],
    "Swin, padded": [
        WHOLE,
        "rows 2-5, columns 6-9|r2 c6|r5 c9",
        "rows 0-3, column 4|r0 c4|",
        "rows 2-4, columns 0-1||",
    ],
    "Hiera": ["0 of block 1|15 of block 1"] * 2,  # its places are in another order
    "the same everywhere": ["0 of block 1|15 of block 1"],
}


@pytest.mark.parametrize(("case", "told"), WINDOWS.items(), ids=WINDOWS)
def test_a_window_is_named_by_its_rows_and_columns(case, told, tmp_path):
    name, config, inputs, *_ = MODELS.get(case, MODELS["Swin"])
    model, given = made(name, config), inputs(2)
    if case == "Swin, padded":
        given["pixel_values"] = given["pixel_values"][..., :20, :20]
    if case == "the same everywhere":
        given["pixel_values"] = torch.ones_like(given["pixel_values"])
    with torch.no_grad(), sv.record(model) as rec:
        model(**given)
    rec.save(tmp_path / "rec")
    kept = Record.load(tmp_path / "rec").attention
    calls = [call for (call,) in kept.values() if "block" in call.dims]
    for call, one in zip(calls, told, strict=False):
        *block, first, last = one.split("|")
        assert call.labels.get("block", ())[1:2] == (*block,)
        part = call.at(block=1)
        assert (part.labels["query"][0], part.labels["key"][-1]) == (first, last)


SLIDING = {name: MODELS[name] for name in ("Longformer", "LongT5")}


@pytest.mark.parametrize("length", [16, 9])
@pytest.mark.parametrize(("name", "config", "inputs", "_", "own"), SLIDING.values(), ids=SLIDING)
def test_blocks_that_slide_over_a_text_stand_at_its_positions(
    name, config, inputs, _, own, length, tmp_path
):
    model, given = made(name, config), inputs(2)
    given["input_ids"] = given["input_ids"][:, :length]
    with torch.no_grad(), sv.record(model) as rec:
        theirs = model(**given, output_attentions=True)
    path, (call,) = next((p, c) for p, c in rec.attention.items() if "block" in c[0].dims)
    whole = whole_of_theirs(theirs, call.shape[-2], length)
    view = sv.view.attention({path: [call]}, [f"w{k}" for k in range(length)], item=1)
    np.testing.assert_allclose(view.here.layers[0], whole[1], atol=1e-6)
    rec.save(tmp_path / "rec")
    part = Record.load(tmp_path / "rec").attention[path][0].at(block=1)
    at = [int(of) if of else -1 for of in part.labels["key"]]
    for k, of in enumerate(part.labels["query"]):
        for j in range(len(at)):
            right = whole[:, :, int(of), at[j]] if of and at[j] >= 0 else 0
            assert not of or np.allclose(part.values[:, :, k, j], right, atol=1e-6)


@pytest.mark.parametrize(("places", "length"), [([0, 5], 14), (range(7), 16)], ids=str)
def test_tokens_that_all_attend_to_are_columns_and_rows_of_the_whole_map(places, length):
    name, config, inputs, *_ = MODELS["Longformer"]
    model, given, places = made(name, config), inputs(2), [*places]
    given["input_ids"] = given["input_ids"][:, :length]
    chosen = torch.zeros(2, length, dtype=torch.long)
    chosen[:, places] = 1
    with torch.no_grad(), sv.record(model) as rec:
        theirs = model(**given, global_attention_mask=chosen, output_attentions=True)
    band, rows = (theirs[kind][0].numpy() for kind in ("attentions", "global_attentions"))
    whole, side = np.zeros((2, 2, length, length)), 2
    for query in range(length):
        whole[:, :, query, places] += band[:, :, query, : len(places)]
        for key in range(max(0, query - side), min(length, query + side + 1)):
            whole[:, :, query, key] += band[:, :, query, len(places) + key - query + side]
    whole[:, :, places] = rows[:, :, :length].swapaxes(2, 3)
    path, calls = next(iter(rec.attention.items()))
    words = [f"w{k}" for k in range(length)]
    view = sv.view.attention({path: calls}, words, item=1)
    np.testing.assert_allclose(view.here.layers[0], whole[1], atol=1e-6)

    chosen[1] = torch.arange(length) == 4
    with torch.no_grad(), sv.record(model) as rec:
        model(**given, global_attention_mask=chosen)
    with pytest.raises(ValueError, match=r"attend to all.*record one text alone.*leaves these out"):
        sv.view.attention({path: rec.attention[path]}, words, item=1)
    inside = [call for call in rec.attention[path] if "block" in call.dims]
    with pytest.warns(UserWarning, match="expected 1"):
        sv.view.attention({path: inside}, words, item=1)


def whole_of_theirs(theirs, side, length):
    """The map of a text by what the model itself returns: a band, or blocks of three."""
    of = (theirs.get("attentions") or theirs["encoder_attentions"])[0].numpy()
    banded = of.ndim == 4  # (batch, head, query, 2 side + 1)
    of = of if banded else of.swapaxes(1, 2).reshape(len(of), of.shape[2], -1, of.shape[-1])
    whole = np.zeros((len(of), of.shape[1], length, length))
    for query in range(length):
        start = query - side if banded else query // side * side - side
        for key in range(max(start, 0), min(start + of.shape[-1], length)):
            whole[:, :, query, key] = of[:, :, query, key - start]
    return whole


@pytest.mark.parametrize(
    ("change", "label"),
    [("", "8"), ("wide", "0 of block 2"), ("causal", "0 of block 2"), ("rolled", "0 of block 2")],
)
def test_only_blocks_that_slide_name_positions(change, label):
    class Blocks(torch.nn.Module):
        num_heads = 2

        def forward(self, x):  # (batch, time, unit), in blocks of 4, over three of them
            blocks = x.unflatten(1, (4, 4)).unflatten(-1, (2, 3)).permute(0, 3, 1, 2, 4)
            padding = (0, 0, 0, 0, 2, 0) if change == "causal" else (0, 0, 0, 0, 1, 1)
            padded = torch.nn.functional.pad(blocks, padding)
            keys = torch.cat([padded[:, :, k : k + 4] for k in range(3)], 3)
            if change == "rolled":
                keys = keys.roll(1, 3)
            key = torch.arange(12) + 4 * torch.arange(4).view(4, 1, 1) - 4
            query = torch.arange(4).view(4, 1) + 4 * torch.arange(4).view(4, 1, 1)
            far = ((key - query).abs() > 4) | (key < 0) | (key >= 16)
            scores = blocks @ keys.mT
            scores = scores if change == "wide" else scores.masked_fill(far, -torch.inf)
            return scores.softmax(-1) @ keys

    model = Blocks()
    with sv.record(model) as rec:
        model(torch.randn(2, 16, 6))
    (call,) = rec.attention[""]
    assert call.at(block=2).labels["query"][0] == label


@pytest.mark.parametrize(("time", "batch"), [(1, 3), (3, 9)])
def test_a_batch_behind_the_time_is_no_block(time, batch):
    class TimeFirst(torch.nn.Module):
        def forward(self, x):
            x = x.transpose(0, 1)
            return (x @ x.mT).softmax(-1) @ x

    model = TimeFirst()
    with sv.record(model) as rec:
        model(torch.randn(time, batch, 4))
    (call,) = rec.attention[""]
    assert dict(zip(call.dims, call.shape, strict=True))["batch"] == batch
    assert "block" not in call.dims
