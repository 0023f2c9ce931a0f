import numpy as np
import pytest
import torch

from seqviz.view import attention
from tests.views.attention.arrays import uniform


def changed(value, *at):
    a = uniform(2, 2, 3, 3)
    a[at or (1, 0, 2, 1)] = value
    return a


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (changed(np.nan), "weights: layer 1, head 0, query 2, key 1 is nan, expected finite"),
        (changed(-0.01), r"key 1 is -0\.01, expected weights from 0: .*take the softmax"),
        (uniform(3, 3) * 9, "sums to 9, expected 1: .*take the softmax"),
        (changed(0, ..., 1, 1) * 9, "layer 0, .*: zeros are scattered.* dropout .*eval.*softmax"),
        (np.tri(3) * 9, "sums to 27, expected 1: these are scores .*; after dropout .*eval"),
        (uniform(3), r"came shape \(3,\): one row of weights is weights\[None\]"),
        (uniform(1, 1, 1, 3, 3), r"came shape \(1, 1, 1, 3, 3\): .*weights\[:, item\]"),
        (np.zeros((0, 3, 3)), "has no heads: expected at least one"),
        (None, "attn_implementation='eager'"),
        ({"a.1": []}, "weights: no call was recorded: run the model inside the block"),
        ([[1, 0], [1]], "lists that are uneven"),
        ([[1, None], [1, 0]], "^weights: came None for weights: .*attn_implementation='eager'"),
        ((uniform(2, 2, 3, 3),), r"item: missing: weights\[0\] has a batch of 2: .*item=1"),
        ((uniform(1, 2, 3, 3), uniform(1, 2, 4, 4)), r"layer 1 has shape \(2, 4, 4\), layer 0"),
        (((uniform(1, 3, 3),), ()), r"the steps have \[1, 0\] layers"),
        ({"a": [uniform(1, 3, 3)] * 2}, r"\['a'\]: 2 calls .*calls\[-1:\].*enumerate\(calls\)"),
        ({"a": [uniform(1, 2, 3), uniform(2, 1, 3)]}, "are no steps of one generation"),
        ({"a": [uniform(1, 4, 4)], "b": [uniform(1, 4, 5)]}, r"\[4, 5\] tokens, came one list"),
        ({"a": [uniform(3, 3)]}, r"expected a layer \(heads, query, key\).*came shape \(3, 3\)"),
    ],
)  # fmt: skip
def test_wrong_weights_are_named(given, message):
    with pytest.raises(ValueError, match=message):
        attention(given, "abc")


def test_weights_of_the_wrong_kind_are_named():
    for given, message in [
        ("abc", "weights: expected weights .*dtype <U3"),
        (np.eye(3, dtype=bool), "dtype bool"),
        ((np.ma.array(uniform(1, 2, 3, 3)),), r"weights\[0\]: .*array\.filled\(0\)"),
        ({"a": uniform(3, 3)}, r"weights\['a'\]: expected a list of calls.*\.attentions"),
    ]:
        with pytest.raises(TypeError, match=message):
            attention(given, "abc")


MARKED = r"special tokens such as \[CLS\], \[SEP\] and </s> or padding are"
WRITTEN = "the last token that a causal model wrote was never read: leave it out, "


def test_wrong_counts_of_tokens_say_both_numbers_and_the_usual_cause():
    for shape, options, message in [
        ((3, 3), {"tokens": "abcde"}, "tokens: expected 3, .*each query.*came 5: .*padding"),
        ((3, 3), {"tokens": "abcd"}, rf"came 4: {MARKED} in the tokens but not in the weights"),
        ((3, 3), {}, "tokens: missing: expected 3, one for each query"),
        ((3, 4), {"tokens": "abc"}, "tokens: expected 4, .*each key.*came 3: .*as key_tokens"),
        ((3, 4), {"tokens": "abcd", "key_tokens": "abc"}, "tokens and key_tokens are swapped"),
        ((3, 4), {"tokens": "abc", "key_tokens": "abc"}, "key_tokens: expected 4.*came 3"),
        ((3, 3), {"tokens": "abc", "encoder_tokens": "abc"}, "belong to encoder=, cross="),
    ]:
        with pytest.raises(ValueError, match=message):
            attention(uniform(*shape), **options)


def test_only_what_a_model_may_have_written_is_called_the_last_token():
    causal = np.tri(3) / [[1], [2], [3]]
    with pytest.raises(ValueError, match=rf"tokens: .* came 4: {WRITTEN}tokens\[:-1\]$"):
        attention(causal, "abcd")
    with pytest.raises(ValueError, match=rf"key_tokens: .* came 5: {MARKED} in the tokens but"):
        attention(uniform(3, 4), "abc", key_tokens="vwxyz")
    with pytest.raises(ValueError, match=rf"encoder_tokens: .* came 2: {MARKED} in the tokens but"):
        attention(encoder=[[1]], encoder_tokens="ab")
    three = {"encoder": uniform(4, 4), "cross": uniform(3, 4), "decoder": causal}
    for given in ({"cross": three["cross"]}, three):
        with pytest.raises(ValueError, match=rf"encoder_tokens: .* came 5: {MARKED} in the"):
            attention(**given, encoder_tokens="vwxyz", decoder_tokens="abc")
        with pytest.raises(ValueError, match=rf" came 4: {WRITTEN}decoder_tokens\[:-1\]$"):
            attention(**given, encoder_tokens="wxyz", decoder_tokens="abcd")


def test_wrong_translations_are_named():
    for options, error, message in [
        ({"cross": uniform(2, 3, 4)}, ValueError, "decoder_tokens: missing: expected 3"),
        ({"encoder": uniform(3, 3), "weights": uniform(3, 3)}, TypeError, "weights: leave them"),
        ({"encoder": {"a": [uniform(1, 3, 3)]}}, TypeError, "a record goes in as weights"),
        ({"encoder": (None,), "encoder_tokens": "abc"}, ValueError, "encoder: came None"),
    ]:
        with pytest.raises(error, match=message):
            attention(**options)


TRANSLATION = {"encoder": uniform(5, 5), "cross": uniform(3, 5), "decoder": uniform(3, 3)}


def test_tokens_of_a_translation_are_called_swapped_where_they_fit_all_its_maps():
    for kinds in (["encoder"], TRANSLATION):
        given = {kind: TRANSLATION[kind] for kind in kinds}
        with pytest.raises(ValueError, match=r"coder_tokens and .*coder_tokens are swapped"):
            attention(**given, encoder_tokens="abc", decoder_tokens="abcde")
    given = {"encoder": uniform(5, 5), "cross": uniform(5, 5), "encoder_tokens": "abc"}
    with pytest.raises(ValueError, match=r"came 3: special tokens such as \[CLS\]"):
        attention(**given, decoder_tokens="abcde")


def test_a_wrong_item_is_named():
    for item, error, message in [
        (2, ValueError, r"item: expected 0 to 1, as weights\[0\] has a batch of 2; came 2"),
        (-1, ValueError, "item: expected 0 to 1"),
        ("a", TypeError, "item: expected a whole number from 0 to 1, came 'a'"),
    ]:
        with pytest.raises(error, match=message):
            attention((uniform(2, 2, 3, 3),), "abc", item=item)
    for given in (uniform(2, 2, 3, 3), [uniform(2, 3, 3)], {"a": [uniform(2, 3, 3)]}):
        with pytest.raises(ValueError, match=r"item: came 0, but .*no batch|without a batch"):
            attention(given, "abc", item=0)


def test_wrong_options_are_named():
    for options, error, message in [
        ({"sure": {(0, 3)}}, ValueError, r"sure: \(0, 3\) lies outside 3 queries and 3 keys"),
        ({"sure": [(0, 1, 2)]}, TypeError, "sure: expected pairs"),
        ({"sure": np.eye(3) > 0}, TypeError, r"sure: expected whole .*came bool: .*argwhere"),
        ({"sure": np.eye(3, dtype=int)}, ValueError, r"sure: .*\(pairs, 2\), came shape \(3, 3\)"),
        ({"sure": 0}, TypeError, r"sure: expected a set of \(query, key\) pairs, came 0"),
        ({"head": "rollout", "key_tokens": "xyz"}, ValueError, "head: no rollout of cross"),
        ({"precision": "float"}, ValueError, "precision: expected one of byte, half; came 'float'"),
        ({"tokens": set("abc")}, TypeError, "tokens: expected a list .*came a set"),
    ]:
        with pytest.raises(error, match=message):
            attention(uniform(3, 3), **{"tokens": "abc", **options})


def test_gold_links_may_be_an_array_or_an_iterator():
    for of in (np.uint8, torch.tensor, iter):
        view = attention(uniform(3, 3), "abc", sure=of([[0, 2], [1, 1]]), possible=of([]))
        assert view.facts["kinds"][0]["gold"]["sure"] == [[0, 2], [1, 1]]


def test_gold_links_belong_to_the_cross_attention():
    given = {"encoder": uniform(2, 2), "cross": uniform(3, 2), "decoder": uniform(3, 3)}
    tokens = {"encoder_tokens": "ab", "decoder_tokens": "xyz"}
    facts = attention(**given, **tokens, sure={(2, 1)}).facts["kinds"]
    assert [kind["gold"] for kind in facts] == [
        None, {"sure": [[2, 1]], "possible": [[2, 1]]}, None,
    ]  # fmt: skip
    del given["cross"]
    with pytest.raises(ValueError, match="sure, possible: links are of cross-attention"):
        attention(**given, **tokens, possible={(0, 0)})
