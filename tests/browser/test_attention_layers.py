"""A model whose attention stands in some layers only: the page bears its numbers."""

import numpy as np
import pytest

from seqviz.view import attention
from tests.browser.attention_shown import TEXT, same_numbers, softmax

pytestmark = pytest.mark.browser
N = len(TEXT)
NUMBERS = (1, 3, 5)
WEIGHTS = softmax(3, 2, N, N)


def hybrid(**options):
    layers = zip(NUMBERS, WEIGHTS, strict=True)
    return attention({f"layers.{k}.self_attn": [a[None]] for k, a in layers}, TEXT, **options)


def test_a_page_bears_the_models_layer_numbers(explore):
    view = hybrid()
    shown = explore(view)
    assert shown["layer"] == "1"
    rows = shown.root.locator('.layers text[text-anchor="end"]').all_text_contents()
    assert rows[:3] == ["1", "3", "5"]
    mixed = np.eye(N)
    for number, heads in zip(NUMBERS, WEIGHTS, strict=True):
        mixed = (heads.mean(0) + np.eye(N)) / 2 @ mixed
        for head, want in ((0, heads[0]), (1, heads[1]), ("mean", heads.mean(0))):
            shown.click(shown.head(number, head))
            assert (shown["layer"], shown["head"]) == (str(number), str(head))
            np.testing.assert_allclose(shown.values[0], want, atol=4e-3)
        assert f"Layer {number} · mean over heads" in shown.drawn
        assert f"mean entropy of layer {number}'s heads" in shown.scores
        shown.choose("Roll up", "rollout")
        shown.click(shown.head(number, "rollout"))
        assert f"Rollout to layer {number}" in shown.drawn
        np.testing.assert_allclose(shown.values[0], mixed, atol=4e-3)
        shown.choose("Roll up", "mean")
    for place, want in (
        (("mean", 1), WEIGHTS[:, 1].mean(0)),
        (("mean",) * 2, WEIGHTS.mean((0, 1))),
    ):
        shown.click(shown.head(*place))
        np.testing.assert_allclose(shown.values[0], want, atol=4e-3)
    shown.click(shown.head(3, 1))
    view.layer, view.head = 3, 1
    same_numbers(shown.csv, view)
    shown.choose("Order by", "first")
    ranked = np.argsort(-WEIGHTS[..., 0].mean(-1), axis=None)
    assert shown.order == [f"{NUMBERS[k // 2]}.{k % 2}" for k in ranked]
    shown.choose("Order by", "cell")
    q, k = (int(shown[side]) - 1 for side in ("query", "key"))
    ranked = np.argsort(-WEIGHTS[..., q, k], axis=None)
    assert shown.order == [f"{NUMBERS[k // 2]}.{k % 2}" for k in ranked]
