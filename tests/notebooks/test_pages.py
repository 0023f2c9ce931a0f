"""What lectures say and do beside their tables, where no cell asserts it itself."""

import math
import re

import pytest
import torch

import seqviz as sv
from tests.notebooks.executed import LECTURES
from tests.notebooks.parts import NOTEBOOKS, Notebook


def test_the_letters_of_the_shared_table_are_those_of_the_formulas():
    page = (NOTEBOOKS / "LETTERS.md").read_text(encoding="utf-8")
    rows = [row.strip("|").split("|") for row in page.splitlines() if row.startswith("| $")]
    fields = [[field.strip().strip("$") for field in row] for row in rows]

    def letters(number, *ends):
        of = {what: letter for letter, what, _, where in fields if number in where}
        return [of[end] for end in ends]

    U, R, W, V = letters(
        "06", "context to state", "symbol before to state", "state to state", "state to scores"
    )
    text = Notebook("06_teacher_forcing").cell("### Two arrows")
    assert f"\\tanh({U} x + {R}\\, y_{{t-1}} + {W} h_{{t-1}} + b)" in text
    assert f"o_t = {V} h_t + c" in text
    W, V, U = letters("05", "input to state", "state before to state", "state to answer")
    text = " ".join(cell.source for cell in Notebook("05_deep_bidirectional").cells)
    for over in ("\\overrightarrow", "\\overleftarrow"):
        assert f"{over}{{{W}}} x_t + {over}{{{V}}}\\, {over}{{h}}_{{t" in text
    assert f"s = {U}\\,[\\overrightarrow{{h}}" in text


def test_01_one_to_many_reads_the_letter_it_has_written():
    generator = torch.Generator().manual_seed(0)
    W_xh, W_hh, b = (torch.randn(*n, generator=generator) for n in ((3, 4), (3, 3), (3,)))
    names = Notebook("01_rnn_hello").names("W_hy = torch.linspace", W_xh=W_xh, W_hh=W_hh, b=b)
    arrows, start = names["unfolded"]([1], [1, 2, 3]), {"h0": torch.zeros(3)}
    values = names["follow"](arrows, start | {"x1": torch.eye(4)[1]})
    for t in (1, 2):
        assert values[f"x{t + 1}"].argmax() == values[f"o{t}"].argmax()
        assert values[f"x{t + 1}"].sum() == 1


@pytest.mark.parametrize("fed", ["its own", "the other"])
def test_05_equation_3_with_t_minus_1_reads_no_later_word_by_either_reading(fed):
    names = Notebook("05_deep_bidirectional").defined("def deep_as_printed")
    torch.manual_seed(0)
    stack = [(names["weights"](n), names["weights"](n)) for n in (4, 6)]
    X = torch.randn(5, 4)
    states = names["deep_as_printed"](X, stack, fed)
    later = names["deep_as_printed"](torch.cat([X[:3], torch.randn(2, 4)]), stack, fed)
    assert torch.equal(states[:3], later[:3])
    assert not torch.equal(states[3:], later[3:])


def test_06_the_perfect_reader_is_perfect():
    """p(next symbol | symbols) by summing over the ten starts, glitches one in ten."""
    perfect = Notebook("06_teacher_forcing").names("START = 10")["perfect"]
    shown, state, weights = [4, 5, 6, 2, 8], None, [1.0] * 10
    for t, before in enumerate([10, *shown]):
        scores, state = perfect(torch.tensor([before]), torch.tensor([1]), state)
        if t:
            weights = [
                weight * (0.9 if before == (start + t - 1) % 10 else 0.1 / 9)
                for start, weight in enumerate(weights)
            ]
        expected = torch.full((10,), 0.1 / 9)
        for start, weight in enumerate(weights):
            expected[(start + t) % 10] += (0.9 - 0.1 / 9) * weight / math.fsum(weights)
        torch.testing.assert_close(scores[0].exp(), expected, rtol=0, atol=1e-5)


def test_10_a_stack_grows_until_its_last_output_reads_the_first_input():
    cells = ("def before(", "def taps(", "def stacked(")
    names = Notebook("10_beyond_recurrence").defined(*cells)
    for n in range(2, 41):
        for k, name in ((3, "convolutions"), (5, "convolutions"), (4, "restricted")):
            assert len(names[name](n, k)["layers"]) == -(-(n - 1) // (k - 1)), (name, n, k)
        dilated = names["convolutions"](n, 3, dilated=True)["layers"]
        assert len(dilated) == sum(3**depth < n for depth in range(9))


def test_15b_lambda_below_zero_is_refused_and_errors_are_sorted():
    notebook = Notebook("15b_arguments_and_tasks")
    names = notebook.defined(
        "def joint(first, second, lam)", "def spans(tags)", "def errors(predicted, gold)"
    )
    assert names["joint"](2.0, 3.0, 0.5) == 3.5
    with pytest.raises(ValueError, match=r"lam must be at least 0, got -0\.1"):
        names["joint"](2.0, 3.0, -0.1)
    gold = [["B-THE", "I-THE", "O", "B-PRO", "I-PRO", "O", "B-CON", "I-CON", "O", "O", "B-PRO"]]
    guess = [["B-THE", "I-THE", "O", "B-PRO", "O", "O", "B-PRO", "I-PRO", "B-CON", "O", "O"]]
    wanted = {"right": 1, "boundary": 1, "kind": 1, "invented": 1, "missed": 1}
    assert names["errors"](guess, gold) == wanted


def test_16_without_the_real_plays_the_notebook_says_what_to_do(monkeypatch):
    stand_in = sv.data.Dataset("shakespeare", "a", "b", "c", "A play.", "shipped stand-in")
    monkeypatch.setattr(sv.data, "load", lambda name: stand_in)
    with pytest.raises(sv.data.DownloadError, match=r"with a network, or let SEQVIZ_CACHE name"):
        Notebook("16_gpt_generation").names("plays = sv.data.load")


def test_18_the_scores_of_answers_are_squads():
    em_f1 = Notebook("18_bert_finetuning").defined("def normal(")["em_f1"]
    for answer, truth, em, f1 in (
        ("The cloud, a cloud!", "cloud cloud", 1, 1),
        ("clouds", "a cloud", 0, 0),
        ("rain rain rain", "rain within ice", 0, 1 / 3),
        ("the", "", 1, 1),
        ("", "ice", 0, 0),
        ("an ice within a cloud", "within the cloud", 0, 0.8),
    ):
        assert em_f1(answer, truth) == pytest.approx((em, f1)), (answer, truth)


def test_each_word_of_the_glossary_stands_on_the_page_that_it_names():
    text = (NOTEBOOKS / "GLOSSARY.md").read_text(encoding="utf-8")
    rows = [[field.strip() for field in row.strip("|").split("|")] for row in text.splitlines()[5:]]
    rows = [row for row in rows if len(row) == 3 and not row[0].startswith("-")][1:]
    words = [row[0] for row in rows]
    assert words == sorted(words, key=lambda word: word.strip("[").lower())
    pages = {name.partition("_")[0]: Notebook(name) for name in LECTURES}
    shown = {
        number: " ".join(cell.source for cell in page.cells).lower()
        for number, page in pages.items()
    }
    missing = []
    for word, meaning, notebooks in rows:
        assert meaning, word
        stem = re.split(r",| \(", word.lower())[0].removesuffix("s")
        missing += [(word, n) for n in notebooks.split(", ") if stem not in shown[n]]
    assert missing == []
