"""What notebook 11 promises beyond running: its classes, its solutions and its tables hold."""

from itertools import product

import pytest
import torch
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("11_transformer_heads")


def built():
    scope = {"torch": torch, "nn": nn, "sv": sv}
    for start in ("def attend(", "class Heads", "class Block"):
        exec(NOTEBOOK.cell(start).split("\n\n\nQ, K, V")[0], scope)
    return scope


def test_the_notebooks_heads_are_sv_nns():
    torch.manual_seed(0)
    mine, ours = built()["Heads"](12, 3), sv.nn.MultiheadAttention(12, 3, batch_first=True)
    weights = mine.state_dict()
    ours.load_state_dict({name.replace("in_proj.", "in_proj_"): w for name, w in weights.items()})
    x, mask = torch.randn(2, 5, 12), sv.nn.causal_mask(5)
    expected = ours(x, x, x, attn_mask=mask, average_attn_weights=False)
    torch.testing.assert_close(mine(x, mask), expected)


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_notebooks_block_is_sv_nns(norm_first):
    torch.manual_seed(0)
    mine = built()["Block"](12, 3, 24, norm_first)
    ours = sv.nn.TransformerEncoderLayer(
        12, 3, 24, dropout=0, batch_first=True, norm_first=norm_first
    )
    renamed = {"heads.in_proj.": "self_attn.in_proj_", "heads.out_proj": "self_attn.out_proj"}
    weights = {}
    for name, weight in mine.state_dict().items():
        for before, after in renamed.items():
            name = name.replace(before, after)
        weights[name] = weight
    ours.load_state_dict(weights)
    x, mask = torch.randn(2, 5, 12), sv.nn.causal_mask(5)
    torch.testing.assert_close(mine(x, mask), ours(x, mask))


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "split_heads", sv.checks.split_heads),
        ("### Exercise 2", "shift_matrix", sv.checks.shift_matrix),
        ("### Exercise 3", "block", sv.checks.block),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch})


def test_the_notebook_scores_heads_as_the_study_does():
    script, _ = study("11_heads")
    scope = {"torch": torch, "LENGTH": script.LENGTH}
    exec(NOTEBOOK.cell("def head_scores(").split("\n\n\n")[0], scope)
    torch.manual_seed(0)
    alpha = torch.rand(6, 2, script.LENGTH, script.LENGTH).double().softmax(-1)
    _, period = script.lines(6)
    torch.testing.assert_close(
        scope["head_scores"](alpha, period), script.head_scores(alpha, period)
    )


def test_a_perfect_induction_head_scores_one():
    script, _ = study("11_heads")
    _, period = script.lines(5)
    t = torch.arange(script.LENGTH)
    alpha = torch.zeros(5, 2, script.LENGTH, script.LENGTH)
    for row, p in enumerate(period.flatten().tolist()):
        alpha[row, 0, t, (t - p + 1).clamp(min=0)] = 1
        alpha[row, 1, t, (t - 1).clamp(min=0)] = 1
    previous, induction = script.head_scores(alpha.double(), period)
    assert induction[0] == pytest.approx(1)
    assert previous[1] == pytest.approx(1)
    assert induction[1] < 0.2


def test_the_table_holds_every_run():
    script, table = study("11_heads")
    whole = [row for row in table if row["layer"] == ""]
    found = {(row["variant"], int(row["seed"])) for row in whole}
    assert found == set(product(script.VARIANTS, script.SEEDS))
    assert len(whole) == len(found)
    for row in table:
        if row["variant"] == "two layers" and row["layer"] == "1" and row["head"] != "all":
            assert float(row["induction"]) > 0.5, row


def test_the_real_heads_are_probabilities():
    _, table = study("11_real_heads")
    for row in table:
        weights = [float(weight) for weight in row["weights"].split()]
        assert sum(weights) == pytest.approx(1, abs=0.01)
    wide = {row["it_to_street_most"] for row in table if row["sentence"] == "wide"}
    assert max(map(float, wide)) < 0.22


def real_row(sentence, layer, head, query, key):
    """The weight from a query to a key, and the mean of all queries on that key."""
    _, table = study("11_real_heads")
    here = {"sentence": sentence, "layer": layer, "head": head}
    rows = [row for row in table if row | here == row]
    tokens = [row["token"] for row in rows]
    onto = [float(row["weights"].split()[tokens.index(key)]) for row in rows]
    return onto[tokens.index(query)], sum(onto) / len(onto)


@pytest.mark.parametrize(
    ("sentence", "layer", "head", "query", "key", "weight", "mean"),
    [
        ("tired", "3", "1", "it", "animal", 0.64, 0.13),
        ("wide", "3", "1", "it", "animal", 0.27, 0.11),
        ("wide", "3", "1", "it", "street", 0.13, None),
        ("tired", "5", "11", "it", "animal", 0.65, 0.41),
        ("wide", "5", "11", "it", "animal", 0.50, 0.41),
        ("tired", "2", "1", "it", "tired", 0.69, None),
        ("law", "3", "1", "its", "law", 0.80, None),
        ("law", "2", "1", "its", "application", 0.89, None),
        ("making", "5", "9", "making", "difficult", 0.48, None),
    ],
)
def test_a_real_heads_weight(sentence, layer, head, query, key, weight, mean):
    found, average = real_row(sentence, layer, head, query, key)
    assert found == pytest.approx(weight, abs=0.01)
    assert mean is None or average == pytest.approx(mean, abs=0.01)


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("11_heads")
    old = any_row([row for row in table if row["layer"] == ""])
    new, *_ = script.rows(old["variant"], int(old["seed"]))
    same = [
        float(row["accuracy"])
        for row in table
        if row["layer"] == "" and row["variant"] == old["variant"]
    ]
    assert min(same) - 0.05 < float(new["accuracy"]) < max(same) + 0.05, old
