"""What notebook 01 promises beyond running: its class, its solutions and its table hold."""

import re

import plotly.graph_objects as go
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("01_rnn_hello")


def test_the_notebooks_class_is_the_packages_model():
    scope = {"nn": nn, "torch": torch}
    exec(NOTEBOOK.cell("class HelloRNN"), scope)
    torch.manual_seed(0)
    mine = scope["HelloRNN"](4, 8).double()
    model = sv.nn.LanguageModel(4, 8).double()
    with torch.no_grad():
        model.rnn.weight_ih_l0.copy_(mine.W_xh)
        model.rnn.weight_hh_l0.copy_(mine.W_hh)
        model.rnn.bias_ih_l0.copy_(mine.b)
        model.rnn.bias_hh_l0.zero_()
        model.output.weight.copy_(mine.W_hy)
        model.output.bias.copy_(mine.b_y)
    ids = torch.tensor([0, 1, 2, 2, 3, 0, 3])
    scores, state = mine(ids, torch.zeros(8, dtype=torch.float64))
    expected, expected_state = model(ids)
    torch.testing.assert_close(scores, expected, rtol=0, atol=1e-10)
    torch.testing.assert_close(state, expected_state[0], rtol=0, atol=1e-10)
    scores.sum().backward()
    expected.sum().backward()
    gradient = model.rnn.weight_hh_l0.grad
    torch.testing.assert_close(mine.W_hh.grad, gradient, rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "rnn_step", sv.checks.rnn_step),
        ("### Exercise 2", "column", sv.checks.one_hot_column),
        ("### Exercise 3", "generate", sv.checks.sampling_loop),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    scope = {"torch": torch}
    NOTEBOOK.hold_to(heading, name, check, scope)


def printed(start):
    """The text that the committed cell of this beginning has printed."""
    (cell,) = [cell for cell in NOTEBOOK.cells if cell.source.startswith(start)]
    return "".join(out.get("text", "") for out in cell.outputs)


def number(pattern, text):
    return float(re.search(pattern, text).group(1).replace(",", ""))


def test_the_page_shows_the_real_plays_and_what_the_prose_says_of_them():
    plays = printed("plays = ")
    assert "(downloaded;" in plays
    assert number(r"([\d,]+) characters", plays) > 1_000_000
    pairs = number(r"perplexity ([\d.]+)", printed("counts = "))
    live = number(r"not seen: ([\d.]+)", printed("torch.manual_seed(0)\nlive = "))
    longer = number(r"not seen: ([\d.]+)", printed("weights, alphabet"))
    assert longer < live < pairs
    units = printed('with open("studies/01_shakespeare_units.csv"')
    studied = number(r"r = +([\d.]+)  capital in a speaker's name, everywhere", units)
    assert abs(number(r"in this excerpt: r = ([\d.]+)", printed("in_name, ")) - studied) < 0.1


def graph(inputs, outputs):
    """The arrows of the notebook's picture, and the numbers found by following them."""
    generator = torch.Generator().manual_seed(0)
    W_xh, W_hh, b = (torch.randn(*n, generator=generator) for n in ((3, 4), (3, 3), (3,)))
    scope = {"torch": torch, "F": F, "W_xh": W_xh, "W_hh": W_hh, "b": b}
    exec(NOTEBOOK.cell("W_hy = torch.linspace"), scope)
    arrows = scope["unfolded"](inputs, outputs)
    letters = torch.eye(4)
    values = scope["follow"](arrows, {"h0": torch.zeros(3)} | {f"x{t}": letters[t] for t in inputs})
    return arrows, values, scope


@pytest.mark.parametrize("outputs", [[3], [1, 2, 3]])
def test_the_unfolded_picture_computes_what_torchs_rnn_computes(outputs):
    _, values, scope = graph([1, 2, 3], outputs)
    rnn = nn.RNN(4, 3)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(scope["W_xh"])
        rnn.weight_hh_l0.copy_(scope["W_hh"])
        rnn.bias_ih_l0.copy_(scope["b"])
        rnn.bias_hh_l0.zero_()
        states, _ = rnn(torch.eye(4)[1:])
    for t in (1, 2, 3):
        torch.testing.assert_close(values[f"h{t}"], states[t - 1])
    assert [node for node in values if node[0] == "o"] == [f"o{t}" for t in outputs]


def test_one_to_many_reads_the_letter_it_has_written():
    _, values, _ = graph([1], [1, 2, 3])
    for t in (1, 2):
        assert values[f"x{t + 1}"].argmax() == values[f"o{t}"].argmax()
        assert values[f"x{t + 1}"].sum() == 1


def test_the_picture_draws_every_arrow_and_node():
    arrows, values, _ = graph([1], [1, 2, 3])
    scope, figure = {}, go.Figure()
    exec(NOTEBOOK.cell("def draw("), scope)
    scope["draw"](figure, "one to many", arrows, 0)
    drawn = [note for note in figure.layout.annotations if note.ax is not None]
    assert len(drawn) == len(arrows)
    assert len(figure.data[0].x) == len(values)


@pytest.mark.parametrize("name", ["folded", "one to many"])
def test_the_page_has_the_pictures_of_graph_and_shapes(name):
    alts = [
        out.get("metadata", {}).get("image/png", {}).get("alt", "").lower()
        for cell in NOTEBOOK.cells
        for out in cell.get("outputs", [])
    ]
    assert any(name in alt for alt in alts)


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("01_hello")
    old = any_row(table)
    new = script.row(old["word"], int(old["seed"]))
    assert new["spelled"] == old["spelled"], f"row {old['word']}, seed {old['seed']}"
    assert abs(float(new["loss"]) - float(old["loss"])) < 0.01
