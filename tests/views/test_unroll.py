import numpy as np
import pytest
import torch

from seqviz.view import unroll


def weights(units=8, tokens=4, seed=0, learned=False):
    """Random weights by their names on the slide."""
    rng = np.random.default_rng(seed)
    shapes = {
        "W_xh": (units, tokens),
        "W_hh": (units, units),
        "b": units,
        "W_hy": (tokens, units),
        "b_y": tokens,
    }
    if learned:
        shapes["h_0"] = units
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def hello(**changes):
    return unroll(weights() | changes, "helo", "hello")


def test_the_plain_line():
    view = hello()
    start = "Unrolled RNN with 8 units reading 'hello'; step"
    assert view.alt == f"{start} 4 of 4, unit 4"
    view.step = 1
    assert view.alt.startswith(f"{start} 1 of 4")
    long = unroll({"late": weights(1)}, "helo", "hello" * 400, step=1500)
    assert long.alt.startswith("Unrolled RNN with 1 unit (late) reading 'hellohello")
    assert long.alt.endswith(" ... (2,002 characters); step 1500 of 1999, unit 1")


def test_opens_where_a_letter_is_read_again_and_must_be_answered_otherwise():
    torch.manual_seed(0)
    rnn = torch.nn.RNN(4, 8)
    net = {"W_xh": rnn.weight_ih_l0, "W_hh": rnn.weight_hh_l0, "W_hy": torch.ones(4, 8)}
    net |= {"b": rnn.bias_ih_l0 + rnn.bias_hh_l0, "b_y": torch.ones(4), "h_0": torch.ones(8)}
    view = unroll(net, "helo", "hello")
    states, _ = rnn(torch.eye(4)[[0, 1, 2, 2]], torch.ones(1, 8))
    assert (view.step, view.unit) == (4, int((states[3] - states[2]).abs().argmax()) + 1)
    assert unroll(weights(), "helo", "hell").step == 3
    assert unroll(weights(), "helo", "hello", step=2).step == 2


def test_the_table_has_every_weight():
    stages = {"early": weights(3, seed=1), "late": weights(3, learned=True)}
    with pytest.raises(ValueError, match="late: 3 units and h_0"):
        unroll(stages, "helo", "hello")
    stages["early"]["h_0"] = np.zeros(3)
    header, *rows = unroll(stages, "helo", "hello").table()
    assert header == ["stage", "weight", "row", "column", "value"]
    assert len(rows) == 2 * (3 * 4 + 3 * 3 + 3 + 4 * 3 + 4 + 3)
    for stage, name, row, column, value in rows:
        at = tuple(int(k) - 1 for k in (row, column) if k)
        assert value == np.float32(stages[stage][name][at])


def test_words_are_split_and_stages_open_at_the_last():
    vocabulary = ["the", "students", "opened", "their"]
    view = unroll(weights(), vocabulary, "the  students opened\ttheir")
    assert view.text == "the students opened their"
    assert unroll(weights(), vocabulary, ["the", "students"]).text == "the students"
    view.text = "their  students"
    assert view.text == "their students"
    stages = {"0 updates": weights(seed=1), "60 updates": weights(seed=2)}
    view = unroll(stages, "helo", "hello", title="From noise to hello")
    assert view.stage == "60 updates"
    assert view.facts["title"] == "From noise to hello"
    assert set(view.first) == {"60 updates"}  # the other travels when it is asked for
    view.stage = "0 updates"
    assert view.needs() == ["0 updates"]


def test_wrong_weights_are_named():
    for changes, message in [
        ({"W_xh": np.zeros((4, 8))}, r"W_xh'\] must have shape \(H, V\) = \(8, 4\).*transpose"),
        ({"b_y": np.zeros(5)}, r"b_y'\] must have shape \(V,\) = \(4,\).*got \(5,\)"),
        ({"W_ih": np.zeros(8)}, "W_ih, which the net does not know"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            hello(**changes)


def test_missing_weights_are_named_and_bfloat16_is_read():
    net = weights()
    del net["W_hy"], net["b"]
    with pytest.raises(ValueError, match="lacks b, W_hy; it needs W_xh"):
        unroll(net, "helo", "hello")
    assert hello(b=torch.ones(8, dtype=torch.bfloat16)).nets[""].b.tolist() == [1.0] * 8


def test_sizes_beyond_the_view_name_another():
    with pytest.raises(ValueError, match=r"65 units; this view draws 1 to 64.*sv\.view\.text"):
        unroll(weights(65), "helo", "hello")
    many = [str(k) for k in range(201)]
    with pytest.raises(ValueError, match=r"201 tokens; this view draws 2 to 200.*sv\.view\.text"):
        unroll(weights(2, 201), many, many)
    assert unroll(weights(64, 200), many[:200], many[:200]).facts["units"] == 64


def test_wrong_stages():
    for stages, error, message in [
        ([weights()], TypeError, "must be a mapping of arrays; got list"),
        ({"a": weights(), "b": weights(7)}, ValueError, "a: 8 units, b: 7 units"),
        ({"a": weights(), "b": np.zeros(8)}, TypeError, "got ndarray under 'b'"),
        ({str(k): weights() for k in range(9)}, ValueError, "9 stages; choose at most 8"),
    ]:
        with pytest.raises(error, match=message):
            unroll(stages, "helo", "hello")


def test_wrong_tokens_are_named():
    for vocabulary, text, error, message in [
        ("hell", "he", ValueError, "'l' is there twice"),
        (["h", "e", "l", ""], "he", ValueError, "'', which no text can hold"),
        (["h", "e", "<end>", " "], "he", ValueError, "' ' would be lost"),
        ("helo", "help", ValueError, "not in the vocabulary: 'h', 'e', 'l', 'o'"),
        ("helo", "h" * 5001, ValueError, "1 to 5000 tokens; got 5001"),
    ]:
        with pytest.raises(error, match=message):
            unroll(weights(), vocabulary, text)


def test_a_shorter_word_takes_the_step_along():
    view = hello()
    view.text = "hel"
    assert (view.text, view.step) == ("hel", 2)
    view.set_state({"text": "helloh", "step": 5})
    assert (view.text, view.step) == ("helloh", 5)
