import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from seqviz.view import unroll
from seqviz.views.shared.widget import cell
from seqviz.views.unroll.values import shown
from tests.views.test_page import scripts_end_where_the_page_ends_them


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


def test_alt_says_by_hand_what_the_net_does():
    net = {"W_xh": [[1, -1]], "W_hh": [[0]], "b": [0], "W_hy": [[1], [-1]], "b_y": [0, 0]}
    view = unroll(net, "ab", "abb")
    p = 1 / (1 + np.exp(-2 * np.tanh(1)))
    assert view.alt == (
        "Unrolled RNN with 1 unit reading a, b: it says a, b; 1 of 2 right; "
        f"at step 2 it reads b and says b (p = {p:.2f})."
    )
    view.step = 1
    assert "at step 1 it reads a and says a" in view.alt


def test_the_display_is_the_alt():
    assert hello()._repr_mimebundle_()[0]["text/plain"] == hello().alt


def test_opens_where_a_letter_is_read_again_and_must_be_answered_otherwise():
    view = hello()
    assert view.step == 4
    states = np.array([row[5:] for row in view.table()[1:]])
    assert view.unit == np.abs(states[3] - states[2]).argmax() + 1
    assert unroll(weights(), "helo", "hell").step == 3
    assert unroll(weights(), "helo", "hello", step=2).step == 2


def test_table_equals_torch():
    torch.manual_seed(0)
    rnn, out = torch.nn.RNN(4, 8), torch.nn.Linear(8, 4)
    h_0 = torch.randn(1, 8)
    ids = torch.tensor([0, 1, 2, 2, 3, 0])
    h, _ = rnn(torch.eye(4)[ids[:-1]], h_0)
    p = out(h).softmax(-1)
    view = unroll(
        {
            "W_xh": rnn.weight_ih_l0,
            "W_hh": rnn.weight_hh_l0,
            "b": rnn.bias_ih_l0 + rnn.bias_hh_l0,
            "W_hy": out.weight,
            "b_y": out.bias,
            "h_0": h_0[0],
        },
        "helo",
        "helloh",
    )
    header, *rows = view.table()
    assert header == [
        "step",
        "input",
        "target",
        "chosen",
        "p(chosen)",
        *(f"h_{k}" for k in range(1, 9)),
    ]
    assert [row[:3] for row in rows] == [[str(t + 1), *"helloh"[t : t + 2]] for t in range(5)]
    assert [row[3] for row in rows] == ["helo"[k] for k in p.argmax(1)]
    np.testing.assert_allclose([row[4] for row in rows], p.max(1).values.detach(), atol=1e-6)
    np.testing.assert_allclose([row[5:] for row in rows], h.detach(), atol=1e-6)
    view.learned_start = False
    h, _ = rnn(torch.eye(4)[ids[:-1]])
    np.testing.assert_allclose([r[5:] for r in view.table()[1:]], h.detach(), atol=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.text("helo", min_size=1, max_size=30), st.integers(0, 99), st.booleans())
def test_any_word_has_a_row_for_each_step(text, seed, learned):
    view = unroll(weights(3, 4, seed, learned), "helo", text)
    _, *rows = view.table()
    assert [row[1] for row in rows] == list(text[:-1] or text)
    assert [row[2] for row in rows] == (list(text[1:]) or [""])
    assert all(0.25 <= row[4] <= 1 and max(map(abs, row[5:])) <= 1 for row in rows)
    assert all(type(value) in (str, float) for row in rows for value in row)
    right = sum(row[2] == row[3] for row in rows)
    assert len(text) == 1 or f"{right} of {len(rows)} right" in view.alt
    assert len(view.to_csv().splitlines()) == len(rows) + 1


def test_words_are_split_on_white_space():
    vocabulary = ["the", "students", "opened", "their"]
    view = unroll(weights(), vocabulary, "the  students opened\ttheir")
    assert view.text == "the students opened their"
    assert unroll(weights(), vocabulary, ["the", "students"]).text == "the students"
    view.text = "their students"
    assert [row[1:3] for row in view.table()[1:]] == [["their", "students"]]


def test_two_thousand_tokens():
    view = unroll(weights(), "helo", "hello" * 400, step=1500)
    assert len(view.table()) == 2000
    assert "and 1,987 more" in view.alt
    assert "at step 1500" in view.alt


def test_hostile_tokens_stay_text():
    tokens = ["<script>", "</script>", "=1+1", 'a,"b', "שלום", "👍🏽", "\u202e!"]
    view = unroll(weights(3, 7), tokens, tokens)
    page = view.to_html()
    assert scripts_end_where_the_page_ends_them(page)
    assert "'=1+1" in view.to_csv()
    assert '"a,""b"' in view.to_csv()
    assert "\u202e" not in view.alt


@pytest.mark.parametrize(
    ("token", "text"),
    [(" ", "␣"), ("\n", "↵"), ("e", "e"), ("\u200b", "U+200B"), ("שלום", "שלום")],
)
def test_shown(token, text):
    assert shown(token) == text


def test_stages_open_at_the_last():
    stages = {"0 updates": weights(seed=1), "60 updates": weights(seed=2)}
    view = unroll(stages, "helo", "hello", title="From noise to hello")
    assert view.stage == "60 updates"
    assert "(60 updates)" in view.alt
    assert view.facts["title"] == "From noise to hello"
    assert set(view.first) == {"60 updates"}  # the other travels when it is asked for
    late = view.table()
    view.stage = "0 updates"
    assert view.table() != late
    assert view.table() == unroll(stages["0 updates"], "helo", "hello").table()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"W_xh": np.zeros((4, 8))}, r"W_xh'\] must have shape \(H, V\) = \(8, 4\).*transpose"),
        ({"W_hh": np.zeros((8, 7))}, r"W_hh'\] must have shape \(H, H\) = \(8, 8\).*\(8, 7\)"),
        ({"b": np.zeros((2, 8))}, r"b'\] must have shape \(H,\)"),
        ({"b_y": np.zeros(5)}, r"b_y'\] must have shape \(V,\) = \(4,\).*got \(5,\)"),
        ({"h_0": np.zeros(3)}, r"h_0'\] must have shape"),
        ({"b": np.full(8, np.nan)}, r"b'\]\[0\] is nan, expected numbers that are finite"),
        ({"b_y": np.full(4, 1e300)}, r"b_y'\]\[0\] is inf, expected numbers that are finite"),
        ({"W_ih": np.zeros(8)}, "W_ih, which the net does not know"),
    ],
)
def test_wrong_weights_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        hello(**changes)


def test_missing_weights_are_named():
    net = weights()
    del net["W_hy"], net["b"]
    with pytest.raises(ValueError, match="lacks b, W_hy; it needs W_xh"):
        unroll(net, "helo", "hello")


@pytest.mark.parametrize(
    ("b", "message"),
    [
        (np.zeros(8, bool), r"b'\]: expected floats or whole numbers, came dtype bool"),
        (np.zeros(8, complex), "came dtype complex128"),
        (["x"] * 8, "came dtype <U1"),
        ([[1], [1, 2]], r"b'\]: expected an array of numbers"),
    ],
)
def test_weights_that_are_no_numbers_are_named(b, message):
    with pytest.raises(TypeError, match=message):
        hello(b=b)


def test_bfloat16_tensors_are_read():
    assert hello(b=torch.ones(8, dtype=torch.bfloat16)).nets[""].b.tolist() == [1.0] * 8


def test_sizes_beyond_the_view_name_another():
    with pytest.raises(ValueError, match=r"65 units; this view draws 1 to 64.*sv\.view\.text"):
        unroll(weights(65), "helo", "hello")
    many = [str(k) for k in range(201)]
    with pytest.raises(ValueError, match=r"201 tokens; this view draws 2 to 200.*sv\.view\.text"):
        unroll(weights(2, 201), many, many)
    assert unroll(weights(64, 200), many[:200], many[:200]).facts["units"] == 64


@pytest.mark.parametrize(
    ("stages", "error", "message"),
    [
        ([weights()], TypeError, "must be a mapping of arrays; got list"),
        ({"a": weights(), "b": weights(7)}, ValueError, "a: 8 units, b: 7 units"),
        ({"a": weights(), "b": weights(learned=True)}, ValueError, "b: 8 units and h_0"),
        ({"a": weights(), "b": np.zeros(8)}, TypeError, "got ndarray under 'b'"),
        ({0: weights()}, TypeError, "under 0"),
        ({str(k): weights() for k in range(9)}, ValueError, "9 stages; choose at most 8"),
        ({"late": weights() | {"b": [np.inf] * 8}}, ValueError, r"weights\['late'\]\['b'\]"),
    ],
)
def test_wrong_stages(stages, error, message):
    with pytest.raises(error, match=message):
        unroll(stages, "helo", "hello")


@pytest.mark.parametrize(
    ("vocabulary", "error", "message"),
    [
        ("hell", ValueError, "'l' is there twice"),
        ("h", ValueError, "1 tokens"),
        (["h", "e", "l", 3], TypeError, r"vocabulary\[3\]: expected a string, came int 3"),
        (["h", "e", "l", ""], ValueError, "'', which no text can hold"),
        (["h", "e", "l", "\ud800"], ValueError, r"vocabulary\[3\].*half a character"),
        (["h", "e", "<end>", " "], ValueError, "' ' would be lost"),
        (7, TypeError, "vocabulary: expected a string or a sequence of strings, came 7"),
    ],
)
def test_wrong_vocabulary(vocabulary, error, message):
    with pytest.raises(error, match=message):
        unroll(weights(), vocabulary, "he")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("help", ValueError, "text has 'p', which is not in the vocabulary: h, e, l, o"),
        ("", ValueError, "1 to 5000 tokens; got 0"),
        ("h" * 5001, ValueError, "1 to 5000 tokens; got 5001"),
        (["h", "el"], ValueError, "'el'"),
        (3, TypeError, "text must be a string"),
        (["h", 3], TypeError, r"text\[1\]: expected a string, came int 3"),
    ],
)
def test_wrong_text(text, error, message):
    with pytest.raises(error, match=message):
        unroll(weights(), "helo", text)


@pytest.mark.parametrize(
    ("step", "error"), [(0, ValueError), (5, ValueError), (-1, ValueError), (2.5, TypeError)]
)
def test_wrong_step(step, error):
    with pytest.raises(error, match="step: expected"):
        unroll(weights(), "helo", "hello", step=step)


@pytest.mark.parametrize(
    ("control", "value"),
    [
        ("step", 5),
        ("step", 0),
        ("step", "2"),
        ("unit", 9),
        ("unit", 0),
        ("stage", "later"),
        ("text", "help"),
        ("text", ""),
        ("learned_start", True),
        ("equation", "yes"),
    ],
)
def test_a_wrong_value_is_refused_and_the_old_one_kept(control, value):
    view = hello()
    before = view.controls()
    with pytest.raises(TraitError, match=control):
        setattr(view, control, value)
    assert view.controls() == before


def test_a_shorter_word_takes_the_step_along():
    view = hello()
    view.text = "hel"
    assert (view.text, view.step) == ("hel", 2)
    view.set_state({"text": "helloh", "step": 5})
    assert (view.text, view.step) == ("helloh", 5)


def test_the_start_is_zero_or_learned():
    view = unroll(weights(learned=True), "helo", "h")
    learned = view.table()[1][5:]
    view.learned_start = False
    assert view.table()[1][5:] != learned
    assert not hello().learned_start


def test_csv_holds_the_table():
    view = hello()
    lines = [line.split(",") for line in view.to_csv().splitlines()]
    assert lines == [[cell(value) for value in row] for row in view.table()]


@pytest.mark.parametrize(
    ("title", "error"), [(5, TypeError), ("two\nlines", ValueError), ("\ud800", ValueError)]
)
def test_a_title_is_one_line(title, error):
    with pytest.raises(error, match="title"):
        unroll(weights(), "helo", "hello", title=title)


@pytest.mark.parametrize("label", ["two\nlines", "\x07", "\u2028"])
def test_a_stage_label_is_one_line(label):
    with pytest.raises(ValueError, match="weights: expected one line"):
        unroll({label: weights(), "late": weights()}, "helo", "hello")
