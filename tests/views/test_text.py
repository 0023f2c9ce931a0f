import numpy as np
import pytest
import torch

from seqviz.view import text

VOCABULARY = ["h", "e", "l", "o", "!", "?"]


def guesses(rows=5):
    """Softmax rows that differ from each other."""
    return torch.softmax(torch.linspace(-2, 3, rows * 6).reshape(rows, 6).sin() * 3, -1)


@pytest.fixture
def hello():
    values = np.array([[0.5, -0.98], [0.25, 0.99], [0, 0.1], [1, 0.2], [-0.5, 0.0]])
    return text("hello", values, probabilities=guesses(), vocabulary=VOCABULARY, unit=2)


def test_bad_readings_are_named():
    for arguments, error, says in [
        ((None, [1]), TypeError, "tokens: expected a string or a sequence of strings, came None"),
        ((["h", 3], [1, 2]), TypeError, r"tokens\[1\].*int 3.*vocabulary"),
        (("h" * 5001, np.zeros(5001)), ValueError, r"came 5,001.*tokens\[:5000\]"),
        (("hello", np.zeros((5, 1, 2))), ValueError, r"came \(5, 1, 2\).*one item of a batch"),
        (("hello", [0, 1, np.nan, 0, 0]), ValueError, r"values\[2\] is nan"),
        (
            ("h" * 2000, np.zeros((2000, 2001))),
            ValueError,
            r"at most 4,000,000.*values\[:, :2000\]",
        ),
    ]:
        with pytest.raises(error, match=says):
            text(*arguments)


def test_bad_options_are_named():
    for options, error, says in [
        ({"probabilities": guesses() * 2}, ValueError, r"probabilities\[0\] sums to 2, .*softmax"),
        ({"probabilities": [[1.5, -0.5, 0, 0, 0, 0]] * 5}, ValueError, r"-0.5, expected 0 or"),
        ({"probabilities": guesses(4)}, ValueError, r"expected shape \(5, 6\).*came \(4, 6\)"),
        ({"vocabulary": None}, ValueError, r"vocabulary: missing"),
        ({"vocabulary": "heloe!"}, ValueError, r"vocabulary: .*came 'e' at 1 and at 4"),
        ({"unit": 0}, ValueError, "unit: expected 1 to 1, came 0"),
        ({"name": ""}, ValueError, "name"),
        ({"run": "model"}, TypeError, "run: expected a function"),
    ]:
        known = {"probabilities": guesses(), "vocabulary": VOCABULARY}
        with pytest.raises(error, match=says):
            text("hello", np.zeros(5), **known | options)


def test_half_precision_has_its_own_tolerance():
    rows = torch.full((5, 6), 1 / 6) + 0.0008  # sums to 1.0048
    text("hello", torch.zeros(5), probabilities=rows.half(), vocabulary=VOCABULARY)
    text("hello", torch.zeros(5), probabilities=rows.bfloat16(), vocabulary=VOCABULARY)
    with pytest.raises(ValueError, match="softmax"):
        text("hello", torch.zeros(5), probabilities=rows, vocabulary=VOCABULARY)


def test_the_plain_line(hello):
    assert hello.alt == "5 tokens coloured by unit 2 of 2; token 2 'e'"  # opens at the strongest
    hello.unit, hello.cursor = 1, 0
    assert hello.alt == "5 tokens coloured by unit 1 of 2"
    assert text("a", [0.5], name="verdict").alt == "1 token coloured by verdict; token 1 'a'"
    assert "\n" not in text(["a\nb", "x" * 10_000], [1.0, 2.0], name="head").alt


def test_the_table_has_every_value_and_what_was_expected(hello):
    header, *rows = hello.table()
    assert header == ["position", "token", "quantity", "of", "value"]
    p = guesses().numpy()
    for t, token in enumerate("hello"):
        values, (first, *_) = (
            [row for row in rows if row[0] == str(t + 1) and row[2] == kind]
            for kind in ("unit", "expected")
        )
        assert {row[1] for row in (*values, first)} == {token}
        assert [row[3] for row in values] == ["1", "2"]
        assert values[1][4] == np.float32([-0.98, 0.99, 0.1, 0.2, 0][t])
        assert first[3:] == [VOCABULARY[p[t].argmax()], float(p[t].max())]
    came = [row for row in rows if row[2] == "came"]
    assert [row[3] for row in came] == [*"ello"]
    assert came[0][4] == float(p[0, VOCABULARY.index("e")])
    unknown = text(["h", "zebra"], [1, 2], probabilities=guesses(2), vocabulary=VOCABULARY)
    assert "came" not in [row[2] for row in unknown.table()]


def test_of_equals_the_first_is_likelier_and_the_rank_is_its_place():
    counts = np.random.default_rng(0).integers(0, 4, (40, 3)) + 1
    tokens = ["abc"[sum(row) % 3] for row in counts]
    p = counts / counts.sum(1, keepdims=True)
    view = text(tokens, np.zeros(40), probabilities=p, vocabulary="abc")
    forecast = view.reading.forecast
    words = [[forecast.words[k] for k in row] for row in forecast.likeliest]
    order = np.argsort(-p, axis=1, kind="stable")
    assert words == [["abc"[k] for k in row] for row in order]
    for t, came in enumerate(tokens[1:]):
        place = int(forecast.came[t, 1]) - 1
        assert words[t][place] == came
        assert forecast.probability[t, place] == forecast.came[t, 0]


def test_busiest_and_varied_units_and_what_travels_first(hello):
    assert sorted(hello.first) == ["busiest", "next", "unit 2", "varied"]
    sent = np.frombuffer(hello.first["next"], "<f4").reshape(5, -1)
    assert sent.shape == (5, 12)  # five ids, five probabilities, what came and its rank
    assert hello.facts["units"] == 2
    values = np.zeros((3, 7))
    values[0, 4], values[0, 2], values[1, 2] = -3, 2, -2
    view = text("abc", values)
    busiest = np.frombuffer(view.part_of("busiest"), "<f4").reshape(3, 10)
    assert busiest[0, [0, 1, 5, 6]].tolist() == [5, 3, -3, 2]
    varied = np.frombuffer(view.part_of("varied"), "<f4").reshape(-1, 2)
    assert varied[:2, 0].tolist() == [3, 5]
    assert varied[:, 1] == pytest.approx(np.sort(values.std(0))[::-1])
    view = text("abc", np.eye(3))
    view.unit = 3
    view._repr_mimebundle_()
    assert "unit 3" in view.first


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
