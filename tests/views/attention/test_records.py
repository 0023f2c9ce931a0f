"""Records of models with stacks, towers and windows of their own: what the view makes of them."""

import re
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import traitlets

from seqviz.recording.named_array import NamedArray
from seqviz.view import attention
from tests.views.attention.arrays import equal, uniform, weights, words

DIMS = ("batch", "head", "query", "key")
HYBRID = weights(3, 2, 4, 4)
NUMBERS = (1, 3, 5)


def call(values, dims=DIMS, **labels):
    return [NamedArray(values, dims, labels)]


def stack(path, layers, numbers=None):
    """A record of layers (layers, heads, query, key)."""
    numbers = range(len(layers)) if numbers is None else numbers
    return {path.format(k): call(a[None]) for k, a in zip(numbers, layers, strict=True)}


def hybrid(**options):
    turned = dict(reversed(stack("layers.{}.self_attn", HYBRID, NUMBERS).items()))
    return attention(turned, "abcd", **options)


# ---- the model's own numbers


def test_layers_bear_the_models_numbers():
    view = hybrid()
    assert view.layer == 1
    for layer, want in zip(NUMBERS, HYBRID, strict=True):
        view.layer = layer
        assert view.alt.endswith(f"3 layers with 2 heads over 4 tokens; layer {layer}, head 0")
        values = [row[7] for row in view.table() if row[1:3] == [str(layer), "0"]]
        np.testing.assert_array_equal(values, want[0].ravel())
    assert hybrid(layer=5).layer == 5
    view.layer = "mean"
    view.head = "rollout"
    assert view.layer == 5
    assert view.facts["kinds"][0]["numbers"] == list(NUMBERS)
    message = r"layer: expected 1, 3, 5, or 'mean' or 'max', came 2: these are the model's own"
    with pytest.raises(traitlets.TraitError, match=message):
        view.layer = 2
    assert view.layer == 5


def test_another_kind_shows_the_same_layer_or_the_nearest_that_it_has():
    record = stack("a.{}.x", HYBRID, NUMBERS) | stack("b.{}.x", HYBRID, (0, 4, 7))
    view = attention(record, "abcd", layer=5)
    view.kind = "b.*.x"
    assert view.layer == 4
    view.layer = 7
    view.kind = "a.*.x"
    assert view.layer == 5


def test_what_is_wrong_with_a_layer_names_it_by_its_number():
    bad = HYBRID.copy()
    bad[1, 0, 2] *= 1.01
    with pytest.warns(UserWarning, match=r"layer 3, head 0, query 2 sums to"):
        attention(stack("layers.{}.self_attn", bad, NUMBERS), "abcd")
    bad[1, 0, 2, 1] = np.nan
    with pytest.raises(ValueError, match="layer 3, head 0, query 2, key 1 is nan"):
        attention(stack("layers.{}.self_attn", bad, NUMBERS), "abcd")
    record = stack("layers.{}.self_attn", HYBRID, NUMBERS)
    record["layers.3.self_attn"] = call(uniform(1, 2, 4, 5))
    with pytest.raises(ValueError, match=r"layer 3 has shape \(2, 4, 5\), layer 1 \(2, 4, 4\)"):
        attention(record, "abcd")


def test_a_module_for_each_head_is_one_layer_of_heads():
    dims = ("batch", "query", "key")
    record = {
        f"blocks.{k}.sa.heads.{h}": call(HYBRID[k, h][None], dims) for h in (1, 0) for k in (0, 2)
    }
    view = attention(record, "abcd")
    (kind,) = view.kinds.values()
    assert (kind.name, kind.numbers) == ("blocks.*.sa.heads.*", (0, 2))
    np.testing.assert_array_equal(kind.layers, HYBRID[[0, 2]])
    record["blocks.2.sa.heads.1"] = call(uniform(1, 4, 5), dims)
    with pytest.raises(ValueError, match=r"'blocks.2.sa.heads.1'.* \(1, 4, 5\).* \(1, 4, 4\)"):
        attention(record, "abcd")


# ---- windows that move


def test_a_moving_window_is_placed_at_its_positions():
    """A cache of three keys: the fourth token has lost the first."""
    whole = np.tril(np.triu(np.ones((6, 6)), -2))
    whole /= whole.sum(axis=1, keepdims=True)
    calls = [NamedArray(whole[None, None, :3, :3], DIMS)]
    for t in (3, 4, 5):
        labels = {"key": tuple(map(str, range(t - 2, t + 1)))}
        calls.append(NamedArray(whole[None, None, t : t + 1, t - 2 : t + 1], DIMS, labels))
    view = attention({"attn": calls}, "abcdef")
    np.testing.assert_array_equal(view.here.layers, whole[None, None])
    assert view.here.causal


def test_labels_that_are_no_positions_are_refused():
    message = re.escape("weights['attn'][0]: expected rising positions as labels of the axis key")
    for labels in (("a", "b", "c"), ("1", "1", "2")):
        record = {"attn": call(uniform(1, 1, 1, 3), key=labels)}
        with pytest.raises(ValueError, match=message):
            attention(record, "f", key_tokens="abc")


# ---- what the tokens do not fit

TEXT, VISION = "text_model.encoder.layers.{}.self_attn", "vision_model.encoder.layers.{}.self_attn"


def towers(pixels):
    return stack(VISION, weights(2, 2, pixels, pixels)) | stack(TEXT, weights(2, 4, 5, 5))


def told(record, tokens="abcde", **options):
    """The view, and the only warning."""
    with pytest.warns(UserWarning, match="^weights: left out") as caught:
        view = attention(record, tokens, **options)
    (warning,) = caught
    assert warning.filename == __file__
    return view, str(warning.message)


@pytest.mark.parametrize(("pixels", "mark"), [(5, "vision_model"), (7, "audio")])
def test_a_tower_of_pixels_is_not_labelled_with_words(pixels, mark):
    record = {path.replace("vision_model", mark): calls for path, calls in towers(pixels).items()}
    view, message = told(record)
    assert list(view.kinds) == [TEXT.format("*")]
    why = "reads no text" if pixels == 5 else "7 queries and 7 keys"
    assert re.search(rf"left out: '{re.escape(mark)}\.encoder.*{why}", message)
    rec = SimpleNamespace(attention=record)
    alone = eval(re.search(r"\{path.*?\}", message)[0], {"rec": rec})
    equal(attention(alone, words(pixels)), weights(2, 2, pixels, pixels))


def test_a_tower_alone_needs_no_warning():
    with warnings.catch_warnings(action="error"):
        attention(stack(VISION, weights(2, 2, 5, 5)), "abcde")
        both = stack("a.{}.dispatch", weights(2, 2, 5, 5)) | stack("b.{}", weights(2, 2, 5, 5))
        assert len(attention(both, "abcde").kinds) == 2


@pytest.mark.parametrize(
    ("path", "calls", "why"),
    [
        ("head.attention", call(uniform(1, 2, 1, 5)), "1 query and 5 keys"),
        ("moe", call(uniform(1, 5, 3), ("batch", "query", "choice")), "came .*'choice'"),
        ("old", call(uniform(6, 5, 5), ("batch and head", "query", "key")), "'batch and head'"),
        ("far", call(uniform(1, 2, 3, 4, 4), ("batch", "block", "head", "query", "key")), "block"),
    ],
)
def test_what_the_tokens_do_not_fit_is_left_out_and_named(path, calls, why):
    record = {path: calls} | stack("layers.{}.attn", weights(2, 2, 5, 5))
    view, message = told(record)
    assert list(view.kinds) == ["layers.*.attn"]
    equal(view, weights(2, 2, 5, 5))
    assert re.search(rf"^weights: left out: .*'{path}'.*{why}", message)


def translation():
    record = stack("encoder.layers.{}.attn", weights(2, 2, 5, 5))
    record |= stack("decoder.layers.{}.attn", weights(2, 2, 3, 3))
    return record | stack("decoder.layers.{}.cross", weights(2, 2, 3, 5))


def test_one_text_of_two_is_shown_with_what_it_fits():
    view, message = told(translation())
    equal(view, weights(2, 2, 5, 5))
    assert "'decoder.layers.*.attn'" in message
    assert "'decoder.layers.*.cross'" in message


def test_where_tokens_are_left_over_or_nothing_fits_it_is_an_error():
    for tokens, message in [
        ({"tokens": "abcd"}, r"of texts with \[3, 5\] tokens, came one list"),
        ({"encoder_tokens": "abcd", "decoder_tokens": "abc"}, "encoder_tokens: expected 5.*came 4"),
        ({"encoder_tokens": "abc", "decoder_tokens": "abcde"}, "are swapped"),
    ]:
        with pytest.raises(ValueError, match=message):
            attention(translation(), **tokens)


# ---- one softmax over two texts


@pytest.mark.parametrize("names", [("encoder_tokens", "decoder_tokens"), ("key_tokens", "tokens")])
def test_keys_of_a_decoder_and_its_encoder_are_labelled_with_both(names):
    source, target = ["un", "##able", "[SEP]"], ["a", "b"]
    merged = weights(2, 2, 2, 5)
    record = stack("encoder.layers.{}.self_attn", weights(2, 2, 3, 3))
    record |= stack("decoder.layers.{}.self_attn", merged)
    view = attention(record, **dict(zip(names, (source, target), strict=True)))
    assert list(view.kinds) == ["encoder", "decoder + cross"]
    _, facts = view.facts["kinds"]
    assert (facts["queries"], facts["keys"], facts["self"]) == (target, target + source, False)
    assert facts["specialKeys"] == [4]
    assert facts["wordKeys"] == [0, 1, 2, 2, 3]
    assert facts["wordTextKeys"] == ["a", "b", "unable", "[SEP]"]
    equal(view, merged, 1)


# ---- rows that do not sum to 1


def test_an_attention_sink_is_not_called_dropout():
    for rows, said in [
        ([[0.4, 0.2], [0.5, 0.5]], r"an attention sink, or keys that were cut off, take the rest"),
        ([[0.0, 1.0], [0.9, 0.9]], r"sums to 1\.8, expected 1: dropout in train mode does this"),
    ]:
        with pytest.warns(UserWarning, match=said):
            attention(np.array(rows), ["a", "b"])
