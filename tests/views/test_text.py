import csv
import io

import numpy as np
import pytest
import torch
import traitlets
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from seqviz.view import text
from seqviz.views.text.values import largest

VOCABULARY = ["h", "e", "l", "o", "!", "?"]


def guesses(rows=5):
    """Softmax rows that differ from each other."""
    return torch.softmax(torch.linspace(-2, 3, rows * 6).reshape(rows, 6).sin() * 3, -1)


@pytest.fixture
def hello():
    values = np.array([[0.5, -0.98], [0.25, 0.99], [0, 0.1], [1, 0.2], [-0.5, 0.0]])
    return text("hello", values, probabilities=guesses(), vocabulary=VOCABULARY, unit=2)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((None, [1]), TypeError, "tokens: expected a string or a sequence of strings, came None"),
        ((5, [1]), TypeError, "tokens: expected a string or a sequence of strings, came 5"),
        ((["h", 3], [1, 2]), TypeError, r"tokens\[1\].*int 3.*vocabulary"),
        (("", []), ValueError, r"tokens: expected 1 to 5,000, came 0"),
        (("h" * 5001, np.zeros(5001)), ValueError, r"came 5,001.*tokens\[:5000\]"),
        ((["\ud800"], [1]), ValueError, r"tokens\[0\].*errors='replace'"),
        (("hello", np.zeros(4)), ValueError, r"values: expected shape \(5,\).*came \(4,\)"),
        (("hello", np.zeros((5, 1, 2))), ValueError, r"came \(5, 1, 2\).*one item of a batch"),
        (("hello", np.zeros((5, 0))), ValueError, r"came \(5, 0\)"),
        (("hello", [0, 1, np.nan, 0, 0]), ValueError, r"values\[2\] is nan"),
        (("hello", [0, 1, 0, 1e300, 0]), ValueError, r"values\[3\] is inf"),
        (("hello", ["a"] * 5), TypeError, r"values: expected floats or whole numbers"),
        (("hello", [[1], [1, 2], [], [], []]), TypeError, r"values: expected an array of numbers"),
        (("hello", 3.0), ValueError, r"values: expected shape"),
        (
            ("h" * 2000, np.zeros((2000, 2001))),
            ValueError,
            r"at most 4,000,000.*values\[:, :2000\]",
        ),
    ],
)
def test_bad_readings_are_named(arguments, error, says):
    with pytest.raises(error, match=says):
        text(*arguments)


@pytest.mark.parametrize(
    ("probabilities", "vocabulary", "says"),
    [
        (guesses() * 2, VOCABULARY, r"probabilities\[0\] sums to 2 .*softmax"),
        (torch.tensor([[1.5, -0.5, 0, 0, 0, 0]] * 5), VOCABULARY, r"-0.5 the least"),
        (guesses(4), VOCABULARY, r"expected shape \(5, 6\).*came \(4, 6\)"),
        (guesses(), VOCABULARY[:5], r"expected shape \(5, 5\)"),
        (guesses(), None, r"vocabulary: missing"),
        (None, VOCABULARY, r"probabilities: missing"),
        (guesses(), [*VOCABULARY[:5], "e"], r"vocabulary\[5\] is 'e', as is vocabulary\[1\]"),
    ],
)
def test_bad_forecasts_are_named(probabilities, vocabulary, says):
    with pytest.raises(ValueError, match=says):
        text("hello", np.zeros(5), probabilities=probabilities, vocabulary=vocabulary)


def test_half_precision_has_its_own_tolerance():
    rows = torch.full((5, 6), 1 / 6) + 0.0008  # sums to 1.0048
    text("hello", torch.zeros(5), probabilities=rows.half(), vocabulary=VOCABULARY)
    text("hello", torch.zeros(5), probabilities=rows.bfloat16(), vocabulary=VOCABULARY)
    with pytest.raises(ValueError, match="softmax"):
        text("hello", torch.zeros(5), probabilities=rows, vocabulary=VOCABULARY)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"unit": 0}, ValueError, "unit: expected 1 to 1, came 0"),
        ({"unit": 1.5}, TypeError, "unit: expected a whole number"),
        ({"name": ""}, ValueError, "name"),
        ({"name": 5}, TypeError, "name: expected a string, came int 5"),
        ({"name": "two\nlines"}, ValueError, "name: expected one line"),
        ({"vocabulary": 5}, TypeError, "vocabulary: expected a string or a sequence"),
        ({"vocabulary": 5, "probabilities": guesses()}, TypeError, "vocabulary: expected"),
        ({"run": "model"}, TypeError, "run: expected a function"),
    ],
)
def test_bad_options_are_named(options, error, says):
    with pytest.raises(error, match=says):
        text("hello", np.zeros(5), **options)


def test_takes_torch_with_gradients_and_half_precision():
    for dtype in (torch.float64, torch.bfloat16):
        view = text("hi", torch.tensor([0.5, -1], dtype=dtype, requires_grad=True))
        assert [row[2] for row in view.table()[1:]] == [0.5, -1.0]


def test_wrong_controls_are_refused_and_the_old_ones_stay(hello):
    for name, value in (("unit", 3), ("unit", 0), ("unit", "x"), ("cursor", 6), ("cursor", -1)):
        before = hello.controls()
        with pytest.raises(traitlets.TraitError, match=name):
            setattr(hello, name, value)
        assert hello.controls() == before
    hello.unit = np.int64(1)
    assert hello.controls() == {"unit": 1, "cursor": 2}


def test_a_page_that_sends_a_wrong_control_leaves_a_usable_view(hello):
    before = hello.alt, hello.to_csv(), hello.to_html()
    for name, value in (("unit", 99), ("cursor", 99), ("unit", "x"), ("cursor", None)):
        with pytest.raises(traitlets.TraitError, match=name):
            hello.set_state({name: value})
    assert (hello.alt, hello.to_csv(), hello.to_html()) == before


def test_opens_at_the_strongest_token_of_the_unit(hello):
    assert hello.cursor == 2


def test_alt_speaks_of_what_is_shown(hello):
    best = VOCABULARY[guesses()[1].argmax()]
    assert hello.alt == (
        "5 characters coloured by unit 2 of 2, from −0.98 to 0.99; strongest at “e”, character 2. "
        f"At “e”, character 2, it is 0.99, and the model expects “{best}” next "
        f"({guesses()[1].max():.2f})."
    )
    hello.unit, hello.cursor = 1, 0
    assert hello.alt == (
        "5 characters coloured by unit 1 of 2, from −0.50 to 1.00; strongest at “l”, character 4."
    )


def test_a_lone_unit_has_no_number():
    alt = text("abc", [0.5, -1, 0], name="verdict").alt
    assert alt.startswith("3 characters coloured by verdict, from −1.00 to 0.50; strongest at “b”")


def test_alt_stays_one_line():
    assert "\n" not in text(["a\nb", "x" * 10_000], [1.0, 2.0], name="head").alt


def test_table_holds_values_and_what_came(hello):
    header, *rows = hello.table()
    assert header[:3] == ["position", "token", "unit 2"]
    p = guesses().numpy()
    for t, row in enumerate(rows):
        assert row[:3] == [str(t + 1), "hello"[t], float(np.float32([-0.98, 0.99, 0.1, 0.2, 0][t]))]
        assert row[3:5] == [VOCABULARY[p[t].argmax()], float(p[t].max())]
        came = "hello"[t + 1 : t + 2]
        assert row[5:] == [came, float(p[t, VOCABULARY.index(came)]) if came else ""]


def test_a_next_token_outside_the_vocabulary_has_no_probability():
    view = text(["h", "zebra"], [1, 2], probabilities=guesses(2), vocabulary=VOCABULARY)
    assert view.table()[1][5:] == ["zebra", ""]


def test_csv_reads_back_and_starts_no_formula(tmp_path):
    tokens = [
        "=1+1",
        'a "b", c',
        "x\ny",
        "a\rb",
        "",
        "\t",
        "\n1",
        "\uff1d1",
        "\uff0b",
        "\uff0d",
        "\uff20",
    ]
    written = text(tokens, np.zeros(len(tokens))).to_csv(tmp_path / "a.csv")
    read = csv.reader(io.StringIO(written, newline=""))
    guarded = [f"'{token}" for token in tokens[5:]]
    assert [row[1] for row in read] == ["token", "'=1+1", *tokens[1:5], *guarded]
    assert (tmp_path / "a.csv").stat().st_size


@given(
    arrays(np.float32, array_shapes(min_dims=2, max_dims=2), elements=st.integers(-3, 3)),
    st.integers(1, 7),
)
def test_largest_is_a_stable_sort(rows, k):
    assert (largest(rows, k) == np.argsort(-rows, axis=1, kind="stable")[:, :k]).all()


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=8))
def test_the_rank_of_what_came_is_its_place_in_the_list(counts):
    rows = np.array(counts) + 1
    tokens = ["abc"[sum(row) % 3] for row in counts]
    view = text(tokens, np.zeros(len(tokens)), probabilities=rows / rows.sum(1, keepdims=True),
                vocabulary=list("abc"))  # fmt: skip
    forecast = view.reading.forecast
    for t, came in enumerate(tokens[1:]):
        place = int(forecast.came[t, 1]) - 1
        assert forecast.words[forecast.likeliest[t, place]] == came
        assert forecast.probability[t, place] == forecast.came[t, 0]


def test_only_the_shown_unit_travels_first(hello):
    assert sorted(hello.first) == ["busiest", "next", "unit 2", "varied"]
    sent = np.frombuffer(hello.first["next"], "<f4").reshape(5, -1)
    assert sent.shape == (5, 12)  # five ids, five probabilities, what came and its rank
    assert hello.facts["units"] == 2


def test_busiest_and_varied_units():
    values = np.zeros((3, 7))
    values[0, 4], values[0, 2], values[1, 2] = -3, 2, -2
    view = text("abc", values)
    busiest = np.frombuffer(view.part("busiest"), "<f4").reshape(3, 10)
    assert busiest[0, [0, 1, 5, 6]].tolist() == [5, 3, -3, 2]
    varied = np.frombuffer(view.part("varied"), "<f4").reshape(-1, 2)
    assert varied[:2, 0].tolist() == [3, 5]
    assert varied[:, 1] == pytest.approx(np.sort(values.std(0))[::-1])


# ---- the reader's own text


def answer(view, monkeypatch, message):
    sent = []
    monkeypatch.setattr(view, "send", lambda content, buffers=None: sent.append(content))
    view._handle_custom_msg(message, [])
    assert sent.pop(0) == {"heard": True}  # before it runs
    return sent


def test_run_replaces_the_reading_and_keeps_controls_in_range(monkeypatch):
    view = text(
        "hello",
        np.ones((5, 4)),
        probabilities=guesses(),
        vocabulary=VOCABULARY,
        unit=4,
        run=lambda written: (written, np.eye(len(written), 2), guesses(len(written))),
    )
    assert view.facts["live"]
    assert answer(view, monkeypatch, {"run": "ole"}) == [{"ran": True}]
    assert (view.problem, view.unit, view.cursor) == ("", 2, 2)
    assert view.facts["tokens"] == ["o", "l", "e"]
    assert "unit 3" not in view.parts
    assert np.frombuffer(view.first["unit 2"], "<f4").tolist() == [0, 1, 0]
    assert [row[1] for row in view.table()] == ["token", "o", "l", "e"]
    (late,) = answer(view, monkeypatch, {"want": "unit 4"})  # asked before the run
    assert late == {"part": "unit 4", "problem": "'unit 4' is not in this view any more."}
    assert answer(view, monkeypatch, {"want": "unit 1"}) == [{"part": "unit 1"}]


def test_a_run_always_sends_the_controls(monkeypatch):
    run = lambda written: (written, np.eye(len(written), 2), None)  # noqa: E731
    view = text("abc", np.eye(3, 2), run=run)
    sent = []
    monkeypatch.setattr(view, "send_state", lambda key=None: sent.append(key))
    answer(view, monkeypatch, {"run": "xy"})  # unit and cursor stay 1, the page's may not have
    assert ["unit", "cursor"] in sent


@pytest.mark.parametrize(
    ("run", "written", "says"),
    [
        (lambda s: 1 / 0, "h", "ZeroDivisionError: division by zero"),
        (lambda s: (s, np.zeros(9), None), "h", "ValueError: values: expected shape (1,)"),
        (lambda s: s, "h", "TypeError: run: expected it to return (tokens, values, probabilities)"),
        (lambda s: (s, np.zeros(len(s)), None), "", "ValueError: the text is empty"),
    ],
)
def test_what_goes_wrong_in_run_is_told_and_the_text_stays(monkeypatch, run, written, says):
    view = text("hello", np.zeros(5), run=run)
    assert answer(view, monkeypatch, {"run": written}) == [{"ran": True}]
    assert view.problem.startswith(says)
    assert view.facts["tokens"] == list("hello")


def test_a_unit_set_before_the_view_is_shown_travels_with_the_first_paint():
    view = text("abc", np.eye(3))
    view.unit = 3
    view._repr_mimebundle_()
    assert "unit 3" in view.first
