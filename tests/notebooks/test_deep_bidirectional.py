"""What notebook 05 promises beyond running: its classes, its solutions and its tables hold."""

import random

import pytest
import torch
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, letters_of, study

NOTEBOOK = Notebook("05_deep_bidirectional")


def scope():
    """The notebook's own classes and functions."""
    names = {"nn": nn, "torch": torch, "sv": sv}
    for start in ("class Direction", "class DeepRNN", "def reverse", "class Reader", "def spans"):
        exec(NOTEBOOK.cell(start).split("\n\n\n")[0], names)
    return names


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("num_layers", [1, 2, 3])
def test_the_notebooks_class_is_the_packages_rnn(num_layers, bidirectional):
    torch.manual_seed(0)
    mine = scope()["DeepRNN"](4, 3, num_layers, bidirectional).double()
    rnn = sv.nn.RNN(4, 3, num_layers, bidirectional=bidirectional).double()
    with torch.no_grad():
        for k, layer in enumerate(mine.layers):
            for suffix, direction in zip(("", "_reverse"), layer, strict=False):
                getattr(rnn, f"weight_ih_l{k}{suffix}").copy_(direction.W)
                getattr(rnn, f"weight_hh_l{k}{suffix}").copy_(direction.V)
                getattr(rnn, f"bias_ih_l{k}{suffix}").copy_(direction.b)
                getattr(rnn, f"bias_hh_l{k}{suffix}").zero_()
    x = torch.randn(5, 4, dtype=torch.float64)
    states, (expected, _) = mine(x), rnn(x)
    torch.testing.assert_close(states, expected, rtol=0, atol=1e-10)
    states.square().sum().backward()
    expected.square().sum().backward()
    gradient = mine.layers[0][-1].V.grad
    name = "weight_hh_l0_reverse" if bidirectional else "weight_hh_l0"
    torch.testing.assert_close(gradient, getattr(rnn, name).grad, rtol=0, atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_the_arrows_of_the_picture_lead_to_the_states_that_move(seed):
    torch.manual_seed(seed)
    names = scope()
    other = torch.randn(6, 4)
    one = torch.cat([other[:4], torch.randn(1, 4), other[5:]])
    names |= {"net": names["DeepRNN"](4, 3, 3, bidirectional=True), "X": one, "X_other": other}
    exec(NOTEBOOK.cell("def all_states"), names)  # asserts it for each state
    assert {(1, t, 0) for t in range(6)} & names["moved"] == {(1, 4, 0), (1, 5, 0)}
    assert {(3, t, d) for t in range(6) for d in (0, 1)} <= names["moved"]
    names["net"] = names["DeepRNN"](4, 3, 2, bidirectional=True)  # a layer less than drawn
    with pytest.raises(AssertionError):
        exec(NOTEBOOK.cell("def all_states"), names)


def test_each_word_of_the_sentence_is_drawn_with_its_tags():
    (cell,) = [cell for cell in NOTEBOOK.cells if "zip(example.words, example.pos" in cell.source]
    figure = cell.outputs[0].data["application/vnd.plotly.v1+json"]
    drawn = [note["text"] for note in figure["layout"]["annotations"] if note.get("text")]
    example = sv.data.load("tagging").train[1]
    tags = [f"{pos}<br>{bio}" for pos, bio in zip(example.pos, example.bio, strict=True)]
    assert sorted(drawn) == sorted([*example.words, *tags, *["state"] * len(tags)])


@pytest.mark.parametrize("fed", ["its own", "the other"])
def test_equation_3_with_t_minus_1_reads_no_later_word_by_either_reading(fed):
    names = {"torch": torch}
    exec(NOTEBOOK.cell("def deep_as_printed"), names)
    torch.manual_seed(0)
    stack = [(names["weights"](n), names["weights"](n)) for n in (4, 6)]
    X = torch.randn(5, 4)
    states = names["deep_as_printed"](X, stack, fed)
    later = names["deep_as_printed"](torch.cat([X[:3], torch.randn(2, 4)]), stack, fed)
    assert torch.equal(states[:3], later[:3])
    assert not torch.equal(states[3:], later[3:])


def test_no_name_of_the_code_is_used_before_the_code_has_it():
    first = min(i for i, c in enumerate(NOTEBOOK.cells) if "out = mine(x)" in c.source)
    assert not any("out[" in cell.source for cell in NOTEBOOK.cells[:first])


def test_the_letters_of_the_shared_table_are_those_of_the_formulas():
    here = letters_of("05")
    ends = ("input to state", "state before to state", "state to answer")
    W, V, U = (here[what] for what in ends)
    text = " ".join(cell.source for cell in NOTEBOOK.cells)
    for side in ("right", "left"):
        over = f"\\over{side}arrow"
        assert f"{over}{{{W}}} x_t + {over}{{{V}}}\\, {over}{{h}}_{{t" in text
    assert f"s = {U}\\,[\\overrightarrow{{h}}" in text


def test_deck_000s_matrix_is_the_two_of_a_layer_side_by_side():
    names = scope()
    torch.manual_seed(0)
    names |= {"X": torch.randn(6, 4)}
    start = "deep = DeepRNN(4, 3, num_layers=3)"
    exec(NOTEBOOK.cell(start), names)  # asserts that the states are equal
    with pytest.raises(AssertionError):
        exec(NOTEBOOK.cell(start).replace("[layer.V, layer.W]", "[-layer.V, layer.W]"), names)


@pytest.mark.parametrize("ways", ["forward", "backward", "forward + backward", "both"])
def test_the_reader_is_the_studys_and_reads_a_padded_sentence_as_if_alone(ways):
    theirs, _ = study("05_terribly")
    torch.manual_seed(0)
    mine = scope()["Reader"](ways, 9, 5, num_layers=2)
    torch.manual_seed(0)
    other = theirs.Reader(ways, 9, 5, num_layers=2)
    ids, lengths = torch.randint(9, (6, 3)), torch.tensor([6, 2, 4])
    scores = mine(ids, lengths)
    assert torch.equal(scores, other(ids, lengths))
    for k, length in enumerate(lengths.tolist()):
        alone = mine(ids[:length, k : k + 1], lengths[k : k + 1])[:, 0]
        torch.testing.assert_close(scores[:length, k], alone, rtol=0, atol=1e-6)


def test_the_notebooks_spans_are_the_studys():
    spans, (theirs, _) = scope()["spans"], study("05_tagging")
    draw = random.Random(0)
    for _ in range(300):
        tags = draw.choices(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"], k=draw.randint(1, 7))
        assert spans(tags) == theirs.spans(tags), tags


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "from_the_right", sv.checks.from_the_right),
        ("### Exercise 2", "two_directions", sv.checks.two_directions),
        ("### Exercise 3", "bio_names", sv.checks.bio_names),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    scope = {"torch": torch}
    NOTEBOOK.hold_to(heading, name, check, scope)


def test_the_loose_rule_of_the_study_is_that_of_exercise_3():
    theirs, _ = study("05_tagging")
    assert sv.checks.bio_names(theirs.loose_spans)


def same_net(table, old, keys):
    return [row for row in table if all(row[key] == old[key] for key in keys)]


def terribly_again(script, table):
    old = any_row(table)
    keys = ("ways", "layers", "head", "loss_at")
    net = (old["ways"], int(old["layers"]), old["head"], old["loss_at"])
    new = script.row(net, float(old["lr"]), int(old["seed"]))
    for column in ("sense_terribly", "adjective_terribly"):
        found = [float(row[column]) for row in same_net(table, old, keys)]
        assert min(found) - 0.1 <= float(new[column]) <= max(found) + 0.1, (net, column)


def tagging_again(script, table):
    old = any_row(table[:-1])
    new = script.row((old["ways"], int(old["layers"])), float(old["lr"]), int(old["seed"]))
    for column in ("pos", "bio"):
        found = [float(row[column]) for row in same_net(table, old, ("ways", "layers"))]
        assert min(found) - 0.05 <= float(new[column]) <= max(found) + 0.05, (old["ways"], column)


def probe_again(script, table):
    old = any_row([row for row in table if row["flag"]])  # without one the sense is a guess
    net = (old["ways"], int(old["layers"]), "linear", "every word")
    rows = list(script.probes(net, float(old["lr"]), int(old["seed"]), script.load()))
    new = next(r for r in rows if (r["flag"], r["adjective"]) == (old["flag"], old["adjective"]))
    for column in ("p_sense", "p_adjective"):
        for one, other in zip(new[column].split(), old[column].split(), strict=True):
            assert abs(float(one) - float(other)) < 0.2, (net, column)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "check"), [("05_terribly", terribly_again), ("05_tagging", tagging_again)]
)
def test_a_row_of_the_study_comes_out_again(name, check):
    check(*study(name))


@pytest.mark.slow
def test_a_probe_of_the_study_comes_out_again():
    script, _ = study("05_terribly")
    with open(script.__file__.replace(".py", "_probe.csv"), encoding="utf-8") as file:
        probe_again(script, list(script.csv.DictReader(file)))


def test_the_baseline_row_is_what_the_data_gives():
    script, table = study("05_tagging")
    task = script.Task()
    test = task.data.test
    expected = script.measures(test, script.baseline(task, test))
    assert {name: table[-1][name] for name in expected} == expected
