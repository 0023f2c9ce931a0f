import warnings

import numpy as np
import pytest
import torch

from seqviz.recording.records import NamedArray
from seqviz.view import attention
from tests.views.attention.arrays import equal, floats_of, read, uniform, weights, words

W4 = weights(3, 2, 5, 5)


@pytest.mark.parametrize(
    ("given", "want"),
    [
        (W4, W4),
        (W4[1, 1], W4[1:2, 1:2]),
        (tuple(W4[:, None]), W4),
        (W4.tolist(), W4),
        (W4.astype(">f8"), W4),
        (np.eye(5, dtype=int), np.eye(5)[None, None]),
        (torch.tensor(W4, requires_grad=True), W4),
        (NamedArray(W4[1, :1], ("batch", "query", "key")), W4[1:2, :1]),
        ([NamedArray(a.transpose(2, 1, 0), ("key", "query", "head")) for a in W4], W4),
        ({"": [W4[0]]}, W4[:1]),
        ({f"layers.{k}.attn": [NamedArray(a[None], ("batch", "head", "query", "key"))]
          for k, a in enumerate(W4)}, W4),
    ],
)  # fmt: skip
def test_every_form_is_taken(given, want):
    view = attention(given, words(5))
    equal(view, want)
    (kind,) = view.facts["kinds"]
    assert (kind["layers"], kind["heads"]) == want.shape[:2]
    assert (kind["self"], kind["sums"]) == (True, True)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_taken_without_a_warning(dtype):
    rows = torch.tensor(weights(2, 2, 40, 40)).to(dtype)
    assert (rows.double().sum(-1) - 1).abs().max() > 2e-4
    for half in (rows, rows.float() if dtype == torch.bfloat16 else rows.numpy()):
        view = attention(half, words(40))
        equal(view, rows.double())
        assert view.facts["kinds"][0]["sums"]


def test_the_callers_floats_are_not_copied():
    for own in (W4, W4.astype(np.float32), torch.tensor(W4)):
        layers = attention(own, words(5)).here.layers
        assert all(np.shares_memory(layer, np.asarray(own)) for layer in layers)


def test_an_item_of_a_batch():
    batch = [np.stack([layer, layer[::-1]]) for layer in W4]
    equal(attention(batch, words(5), item=0), W4)
    equal(attention(batch, words(5), item=np.int64(1)), W4[:, ::-1])
    equal(attention({"a": [batch[0]]}, words(5), item=1), W4[:1, ::-1])
    equal(attention(batch[:1], words(5), item=1), W4[:1, ::-1])


def causal(layers, heads, n, seed=0):
    a = np.tril(np.random.default_rng(seed).random((layers, heads, n, n)) + 0.1)
    return a / a.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("prompt", [1, 4])
def test_steps_of_generate_make_one_map(prompt):
    a = causal(2, 3, 6)
    cuts = [slice(0, prompt), *(slice(t, t + 1) for t in range(prompt, 6))]
    steps = tuple(tuple(layer[None, :, cut, : cut.stop] for layer in a) for cut in cuts)
    view = attention(steps, words(6))
    equal(view, a)
    assert view.facts["kinds"][0]["causal"]
    calls = {f"h.{k}": [step[k] for step in steps] for k in range(2)}
    equal(attention(calls, words(6)), a)
    cross = weights(2, 3, 6, 4)
    steps = tuple(tuple(layer[None, :, cut] for layer in cross) for cut in cuts)
    view = attention(steps, words(6), key_tokens=words(4))
    equal(view, cross)


def test_families_of_a_record_get_their_tokens():
    kinds = {"encoder": weights(2, 3, 4, 4), "self": causal(1, 2, 3), "cross": weights(1, 2, 3, 4)}
    record = {f"encoder.layers.{k}.self_attn": [a[None]] for k, a in enumerate(kinds["encoder"])}
    record["decoder.layers.0.self_attn"] = [kinds["self"]]
    record["decoder.layers.0.multihead_attn"] = [kinds["cross"]]
    x, y = words(4), list("abc")
    for tokens in (
        {"encoder_tokens": x, "decoder_tokens": y},
        {"tokens": y, "key_tokens": x},
        {"tokens": y, "encoder_tokens": x},
    ):
        view = attention(record, **tokens)
        assert list(view.kinds) == ["encoder", "decoder", "cross"]
        facts = view.facts["kinds"]
        assert [(kind["queries"], kind["keys"]) for kind in facts] == [(x, x), (y, y), (y, x)]
        assert [kind["self"] for kind in facts] == [True, True, False]
        for k, want in enumerate(kinds.values()):
            equal(view, want[0] if want.ndim > 4 else want, k)


def test_a_decoder_may_keep_its_layers_in_an_encoder():
    """As BERT does with is_decoder=True; the texts have equal lengths."""
    record = {
        "bert.encoder.layer.0.attention.self": [causal(1, 2, 3)],
        "bert.encoder.layer.0.crossattention.self": [weights(1, 2, 3, 3)],
    }
    view = attention(record, encoder_tokens="xyz", decoder_tokens="abc")
    assert list(view.kinds) == [path.replace("0", "*") for path in record]
    sides = [("".join(k["queries"]), "".join(k["keys"])) for k in view.facts["kinds"]]
    assert sides == [("abc", "abc"), ("abc", "xyz")]


@pytest.mark.parametrize(
    "paths",
    [
        ("encoder.a.0", "encoder.b", "decoder.a", "decoder.b.cross"),  # two encoders
        ("encoder.a.0", "decoder.a", "other"),
    ],
)
def test_where_a_name_would_be_a_guess_the_path_stays(paths):
    view = attention({path: [uniform(1, 2, 3, 3)] for path in paths}, "abc")
    assert list(view.kinds) == [path.replace("0", "*") for path in paths]


def test_a_record_of_the_module_itself_has_a_name_of_its_own():
    for others, name in (["a"], "self"), (["self"], "whole model"), (["a", "self"], "whole model"):
        record = {path: [uniform(1, 2, 3, 3)] for path in ("", *others)}
        assert list(attention(record, "abc").kinds) == [name, *others]


def test_families_without_telling_names_go_by_their_sizes():
    record = {"a.0": [weights(1, 3, 3)], "b.0": [weights(1, 4, 4)], "c.0": [weights(1, 3, 4)]}
    facts = attention(record, "abc", key_tokens="wxyz").facts["kinds"]
    sides = [("".join(kind["queries"]), "".join(kind["keys"])) for kind in facts]
    assert sides == [("abc", "abc"), ("wxyz", "wxyz"), ("abc", "wxyz")]


def test_masked_rows_are_fine_and_what_their_totals_lost_travels():
    rows = uniform(2, 3, 3)
    rows[1, 2] = 0
    view = attention(rows, words(3))
    assert view.facts["kinds"][0]["sums"] is False
    gone = floats_of(view.part_of("0 0 1"), 2, 3)[1]
    totals = read(view, 0, 0, 1)[0].sum(axis=1) + gone
    np.testing.assert_allclose(totals, [1, 1, 0], rtol=0, atol=2e-6)


@pytest.mark.parametrize(
    ("off", "dtype", "warns"),
    [
        (2e-3, np.float64, True),
        (5e-3, np.float16, False),
        (2e-2, np.float16, True),
    ],
)
def test_rows_that_do_not_sum_to_1_are_warned_of(off, dtype, warns):
    rows = weights(2, 2, 4, 4)
    rows[1, 0, 2] *= 1 + off
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        view = attention(rows.astype(dtype), words(4))
    assert view.facts["kinds"][0]["sums"] is not warns
    assert [w.filename for w in caught] == [__file__] * warns
    for warning in caught:
        message = str(warning.message)
        assert message.startswith("weights: layer 1, head 0, query 2 sums to ")
        assert "model.eval()" in message


def test_bfloat16_held_in_float32_is_known_by_its_bits():
    rows = torch.tensor(uniform(3, 3) * 1.006).bfloat16().float().numpy()
    assert abs(rows[0].sum() - 1) > 1e-3
    assert attention(rows, words(3)).facts["kinds"][0]["sums"]
    few = (uniform(4, 4).astype(np.float32) * np.float32(1.006)).view(np.uint32) & ~np.uint32(0xFF)
    rows[0, 0] += 1e-5
    for other in (rows, few.view(np.float32)):  # with a few zero bits it is none
        with pytest.warns(UserWarning, match=r"model\.eval"):
            attention(other, words(len(other)))


def test_a_single_look_at_the_next_key_is_not_causal():
    rows = np.eye(3)
    assert attention(rows, words(3)).facts["kinds"][0]["causal"] is True
    rows[0] = [0.5, 0.5, 0]
    assert attention(rows, words(3)).facts["kinds"][0]["causal"] is False


def test_a_module_that_did_not_run_is_left_out():
    record = {"layers.0": [uniform(1, 2, 3, 3)], "layers.1": [uniform(1, 2, 3, 3)], "other": []}
    view = attention(record, "abc")
    assert [(kind.name, kind.depth) for kind in view.kinds.values()] == [("layers.*", 2)]


def test_what_float32_cannot_hold_counts_as_0():
    rows = np.eye(4)
    rows[1] = [1, 1e-60, 2e-60, 0]
    rows[2] = [0.5, 0.5, 1.1e-38, 1.2e-38]
    view = attention(rows, ["[CLS]", *"abc"])
    (layer,) = view.here.layers
    np.testing.assert_array_equal(layer[0, 2] > 0, [True, True, False, True])
    assert rows[1, 1] == 1e-60  # the caller's own array is left alone
