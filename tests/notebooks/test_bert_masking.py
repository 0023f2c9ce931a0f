"""What notebook 17 promises beyond running: its class, its solutions, its studies and its nets."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("17_bert_masking")


def renamed(key):
    """The name in the notebook's class of a weight of `sv.nn.BERTForMaskedLM`."""
    for theirs, mine in (
        ("bert.embeddings.word_embeddings", "word"),
        ("bert.embeddings.position_embeddings.table", "position.weight"),
        ("bert.embeddings.token_type_embeddings", "segment"),
        ("bert.embeddings.", ""),
        ("bert.layers", "layers"),
        ("predictions.norm", "last"),
        ("predictions.", ""),
    ):
        if key.startswith(theirs):
            return mine + key.removeprefix(theirs)
    raise AssertionError(key)


@pytest.mark.parametrize(("d_model", "depth", "heads", "units"), [(12, 2, 3, 20), (8, 1, 2, 16)])
def test_the_notebooks_class_is_sv_nns(d_model, depth, heads, units):
    scope = {"F": F, "nn": nn, "sv": sv, "torch": torch}
    exec(NOTEBOOK.cell("class TinyBERT"), scope)
    mine = scope["TinyBERT"](30, d_model, depth, heads, units).double()
    bert = sv.nn.BERT(30, d_model, depth, heads, units, 64, add_pooling_layer=False)
    theirs = sv.nn.BERTForMaskedLM(bert).double().eval()
    mine.load_state_dict({renamed(key): w for key, w in theirs.state_dict().items()})
    ids = torch.tensor([[2, 7, 8, 3, 9, 3], [2, 5, 3, 6, 3, 0], [2, 3, 0, 0, 0, 0]])
    segments = torch.tensor([[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0, 0]])
    there = ids != 0
    one, other = mine(ids, there, segments), theirs(ids, there, segments)
    torch.testing.assert_close(one[there], other[there], rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "masked_inputs", sv.checks.masked_inputs),
        ("### Exercise 2", "masked_loss", sv.checks.masked_loss),
        ("### Exercise 3", "whole_words", sv.checks.whole_words),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch})


def ends(table):
    return [row for row in table if row["step"] == row["steps"]]


def test_the_table_holds_every_run():
    script, table = study("17_masking")
    found = [(row["experiment"], int(row["seed"])) for row in ends(table)]
    assert found == [(name, seed) for name in script.EXPERIMENTS for seed in script.SEEDS]
    for row in table:
        options = script.NET | script.TRAINING | script.MASKING
        options |= script.EXPERIMENTS[row["experiment"]]
        assert {name: row[name] for name in options} == {k: str(v) for k, v in options.items()}


def test_both_sides_pay_where_the_evidence_stands_right():
    _, table = study("17_masking")
    both, left = (
        [row for row in ends(table) if row["experiment"] == name]
        for name in ("both sides", "left to right")
    )
    assert min(float(row["known"]) for row in both) > 0.9
    assert min(float(row["right"]) for row in both) > 0.3 + max(float(r["right"]) for r in left)
    for row in both:
        for other in left:
            assert abs(float(row["left"]) - float(other["left"])) < 0.05


def known(table, experiment):
    return [float(row["known"]) for row in ends(table) if row["experiment"] == experiment]


def test_what_a_rate_costs_depends_on_the_steps():
    _, table = study("17_masking")
    short, longer = (
        {rate: known(table, f"rate {rate}{more}") for rate in (0.05, 0.15, 0.3, 0.5, 0.7)}
        for more in ("", ", longer")
    )
    assert max(short[0.15] + short[0.7]) < min(short[0.3] + short[0.5])
    assert min(longer[0.15] + longer[0.3] + longer[0.5]) > 0.98
    assert max(longer[0.05] + longer[0.7]) < 0.98
    for name in ("one layer", "no positions"):
        assert max(known(table, name)) < 0.25
        assert min(known(table, f"{name}, longer")) > 0.3
        assert max(known(table, f"{name}, longer")) < 0.95


def test_pairs_cannot_be_told_by_the_words_they_share():
    script, table = study("17_pairs")
    found = [(row["task"], int(row["seed"])) for row in ends(table)]
    assert found == [(task, seed) for task in script.TASKS for seed in script.SEEDS]
    for row in table:
        assert (float(row["overlap"]) > 0.6) == row["task"].endswith("from anywhere"), row


def test_the_saved_nets_are_those_of_the_study():
    script, table = study("17_masking")
    pieces, _, test = script.corpus()
    saved, *_ = sv.data.load_weights("facts_bert")
    for name in script.SAVED:
        model = script.net(name, script.NET | script.TRAINING, pieces).eval()
        own = {k.removeprefix(f"{name}."): w for k, w in saved.items() if k.startswith(name)}
        model.load_state_dict(own)
        row = next(row for row in ends(table) if row["experiment"] == name and row["seed"] == "0")
        found = script.accuracies(model, test[:60], pieces)
        assert abs(found["known"] - float(row["known"])) < 0.05


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("17_masking")
    old = any_row(ends(table))
    rows = script.rows_of(old["experiment"], int(old["seed"]), script.corpus())
    same = known(table, old["experiment"])  # of three seeds
    assert min(same) - 0.1 < float(rows[-1]["known"]) < max(same) + 0.1, old
