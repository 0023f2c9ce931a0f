"""Checkpoints of one model: the same kinds over the same tokens, each step with its weights."""

import numpy as np
import pytest
from traitlets import TraitError

from seqviz.view import attention
from tests.views.attention.arrays import read, uniform, weights, words

STEPS = {0: weights(2, 3, 4, 4, seed=0), 100: weights(2, 3, 4, 4, seed=1)}
STEPS |= {400: weights(2, 3, 4, 4, seed=2)}


def over(checkpoints=STEPS, tokens="abcd", **more):
    return attention(tokens=tokens, checkpoints=checkpoints, **more)


def record(seed):
    return {
        "encoder.layers.0.self_attn": [weights(1, 2, 3, 3, seed=seed)],
        "decoder.layers.0.self_attn": [weights(1, 2, 2, 2, seed=seed)],
        "decoder.layers.0.multihead_attn": [weights(1, 2, 2, 3, seed=seed)],
    }


def test_the_table_holds_every_checkpoint_and_the_line_tells_of_that_in_focus():
    view = over(layer=1, head=2)
    header, *table = view.table()
    assert header[-2:] == ["weight", "checkpoint"]
    for step, given in STEPS.items():
        assert [row[7] for row in table if row[8] == str(step)] == given.ravel().tolist()
        view.checkpoint = step
        assert view.here.layers[1][2].tolist() == given[1, 2].tolist()
        assert view.alt.endswith(f"over 4 tokens; layer 1, head 2, step {step}")


def test_every_checkpoint_stands_in_the_page_and_in_its_scores():
    view = over()
    alone = [attention(given, "abcd") for given in STEPS.values()]
    for at, (given, one) in enumerate(zip(STEPS.values(), alone, strict=True)):
        for layer in range(2):
            for head in range(3):
                got = read(view, at, layer, head)[0]
                np.testing.assert_allclose(got, given[layer, head], atol=4e-3)
        assert view.parts[f"{at} scores"] == one.parts["0 scores"]
        assert view.parts[f"{at} thumbs"] == one.parts["0 thumbs"]
    assert set(view.parts) >= {"2 1 2", "2 scores"}
    assert view.facts["checkpoints"] == [0, 100, 400]
    assert len(view.facts["kinds"]) == 1


def test_what_is_not_on_screen_waits_until_it_is_asked_for():
    view = over(layer=1, head=2)
    assert set(view.first) == {"0 scores", "0 1 2", "1 1 2", "2 1 2"}
    view.checkpoint, view.head = 400, 0
    view._repr_mimebundle_()
    assert set(view.needs()) == {"2 scores", "0 1 0", "1 1 0", "2 1 0"}
    assert set(view.first) >= {*view.needs(), "2 thumbs"}


def test_all_kinds_of_a_record_go_along():
    read = {"encoder_tokens": "abc", "decoder_tokens": "xy"}
    view = over({0: record(0), 5: record(1)}, None, **read)
    alone = attention(record(1), **read)
    view.checkpoint, view.kind, view.head = 5, "cross", 1
    alone.kind, alone.head = "cross", 1
    assert list(view.kinds) == list(alone.kinds)
    assert np.array_equal(view.here.layers, alone.here.layers)
    number = list(view.kinds).index("cross")
    assert view.needs() == [f"{3 + number} scores", f"{number} 0 1", f"{3 + number} 0 1"]


def test_steps_rise_and_labels_stand_as_given():
    steps = over({np.int64(100): STEPS[100], 20: STEPS[0]})
    assert list(steps.checkpoints) == [20, 100]
    labels = over({"last": STEPS[400], 0: STEPS[0]})
    assert list(labels.checkpoints) == ["last", 0]
    assert labels.alt.endswith("layer 0, head 0, checkpoint last")


def test_a_page_and_python_set_the_checkpoint():
    view = over()
    view.set_state({"checkpoint": 400})
    assert view.checkpoint == 400
    for wrong in (401, "400", True, 4.0):
        with pytest.raises(TraitError, match="checkpoint"):
            view.checkpoint = wrong
    with pytest.raises(TraitError, match=r"checkpoint: expected one of 0, 100, 400; came 401"):
        view.checkpoint = 401
    assert view.checkpoint == 400


def test_without_checkpoints_there_are_none():
    view = attention(STEPS[0], "abcd")
    assert (view.facts["checkpoints"], view.checkpoint) == ([], "")
    assert "checkpoint" not in view.to_csv() + view.alt
    with pytest.raises(TraitError, match="this view has no checkpoints"):
        view.checkpoint = 100


def test_one_description_holds_for_all():
    """A model that is causal, or whose rows sum to 1, must be so at each checkpoint."""
    causal = np.tri(4) / np.tri(4).sum(axis=1, keepdims=True)
    short = 0.9 * causal
    with pytest.warns(UserWarning, match=r"checkpoints\[2\].*sums to 0.9") as caught:
        view = over({1: causal, 2: short, 3: short, 4: uniform(4, 4)})
    assert len(caught) == 1
    assert "1 more warning" in str(caught[0].message)
    kinds = [kinds["self"] for kinds in view.checkpoints.values()]
    assert {(kind.causal, kind.sums) for kind in kinds} == {(False, False)}
    assert over({1: causal, 2: causal}).here.causal
    got, lost = read(view, 0, 0, 0)
    np.testing.assert_allclose(got.sum(axis=1) + lost, 1, atol=4e-3)


def test_a_checkpoint_that_differs_is_named():
    for other, message in [
        (weights(3, 3, 4, 4), r"checkpoints\[100\]: the layers of 'self' are \(0, 1, 2\), in "
         r"checkpoints\[0\] \(0, 1\): expected the same"),
        (weights(2, 3, 5, 5), r"checkpoints\[100\]: tokens: expected 5, one for each query"),
        (3 * weights(2, 3, 4, 4), r"checkpoints\[100\]: weights: .*before the softmax"),
        ({"a.attn": [weights(1, 3, 4, 4)], "b.attn": [weights(1, 3, 4, 4)]},
         r"checkpoints\[100\]: the kinds of attention are a.attn, b.attn, .* self"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=message):
            over({0: STEPS[0], 100: other})


def test_what_are_no_checkpoints_is_refused():
    for checkpoints, error, message in [
        ([STEPS[0]], TypeError, "expected a mapping from a training step"),
        (dict.fromkeys(range(61), STEPS[0]), ValueError, "expected 1 to 60, came 61"),
        ({1.5: STEPS[0]}, TypeError, r"expected steps \(int\) or labels \(str\).* came 1.5"),
        ({0: lambda text: text}, TypeError, r"checkpoints\[0\]: .* a live view has no checkpoints"),
    ]:
        with pytest.raises(error, match=message):
            over(checkpoints)
    with pytest.raises(TypeError, match="cross: leave it out beside checkpoints"):
        over(cross=STEPS[0])


def test_what_is_too_much_for_a_page_is_refused():
    one = uniform(1, 1, 1000, 1000)
    message = r"21 of 1 layer with 1 head over 1000 tokens hold 42 MB, a page at most 40 MB"
    with pytest.raises(ValueError, match=message):
        over(dict.fromkeys(range(21), one), words(1000), precision="half")
