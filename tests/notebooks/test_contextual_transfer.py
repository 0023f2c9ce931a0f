"""What notebook 15a promises beyond running: its class, its solutions, its study and its reader."""

from itertools import permutations, product

import numpy as np
import pytest
import torch
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("15a_contextual_transfer")


@pytest.mark.parametrize(("tokens", "size", "time"), [(30, 12, 7), (9, 5, 4)])
def test_the_notebooks_class_is_sv_nns(tokens, size, time):
    scope = {"nn": nn, "sv": sv, "torch": torch}
    exec(NOTEBOOK.cell("class TwoWayLM"), scope)
    mine, theirs = scope["TwoWayLM"](tokens, size).double(), sv.nn.BiLM(tokens, size).double()
    mine.load_state_dict(theirs.state_dict())
    ids = torch.arange(time) * 2 % tokens
    for one, other in zip(mine(ids), theirs(ids[None]).layers, strict=True):
        torch.testing.assert_close(one, other[0], rtol=0, atol=1e-10)


def test_the_notebooks_triangle_is_the_studys():
    script, _ = study("15a_transfer")
    scope = {"np": np}
    exec(NOTEBOOK.cell("def slanted(step"), scope)
    for steps in (10, 60, 250):
        for step in range(steps + 1):
            assert scope["slanted"](step, steps) == pytest.approx(script.slanted(step, steps))


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "layer_mix", sv.checks.layer_mix),
        ("### Exercise 2", "slanted_triangular", sv.checks.slanted_triangular),
        ("### Exercise 3", "layer_rates", sv.checks.layer_rates),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch})


def keys(table, columns=3):
    return sorted(tuple(row.values())[:columns] for row in table)


def test_the_tables_hold_every_run():
    script, table = study("15a_transfer")
    runs = [tuple(map(str, run)) for s in script.SEEDS for run in script.transfer_runs(s)]
    found = [tuple(row[k] for k in script.KEYS["15a_transfer"]) for row in table]
    assert sorted(found) == sorted(runs)
    for row in table:
        wanted = script.WHOLE | script.VARIANTS[row["variant"]]
        assert {name: row[name] for name in wanted} == {k: str(v) for k, v in wanted.items()}
    runs = [(t, str(n), m, str(s)) for t, n in script.TASKS for m in script.MIXES
            for s in script.SEEDS]  # fmt: skip
    assert keys(script.table_of("15a_mix"), 4) == sorted(runs)


def accuracies(table, variant, labels, steps=None):
    steps = str(steps or {50: 60, 500: 150, 5000: 600}[labels])
    wanted = {"variant": variant, "labels": str(labels), "steps": steps}
    rows = [row for row in table if wanted.items() <= row.items()]
    return [float(row["accuracy"]) for row in sorted(rows, key=lambda row: row["seed"])]


def test_pre_training_helps_where_labels_are_few():
    _, table = study("15a_transfer")
    gains = {
        n: [
            a - b
            for a, b in zip(
                accuracies(table, "whole recipe", n),
                accuracies(table, "no pre-training", n),
                strict=True,
            )
        ]
        for n in (50, 500, 5000)
    }
    assert min(gains[50]) > 0.2
    assert min(gains[50]) > max(gains[5000])
    assert max(accuracies(table, "no pre-training", 50)) < 0.6
    for n in (50, 500):  # diaries and reviews each help, both together most
        parts = [accuracies(table, name, n) for name in ("no general text", "no tuning of the LM")]
        whole, none = (accuracies(table, name, n) for name in ("whole recipe", "no pre-training"))
        for of in parts:
            assert all(a > b > c for a, b, c in zip(whole, of, none, strict=True))
    for row in table:  # the control: reviews whose adjectives came with no label
        if (row["variant"], row["labels"]) == ("no pre-training", "50"):
            assert abs(float(row["new_words"]) - 0.5) < 0.08


def test_more_steps_raise_the_whole_recipe_with_many_labels():
    _, table = study("15a_transfer")
    short, long = (accuracies(table, "whole recipe", 5000, steps) for steps in (600, 2400))
    assert min(long) > max(short)
    for few in (50, 500):  # rates by layer show no benefit
        pairs = [accuracies(table, name, few) for name in ("whole recipe", "one rate")]
        assert max(min(of) for of in pairs) <= min(max(of) for of in pairs)


def test_which_mixes_part():
    mixes, parted = study("15a_transfer")[0].table_of("15a_mix"), set()
    for column, labels in product(("accuracy", "two_senses"), ("50", "500")):
        of = {
            mix: [
                float(row[column])
                for row in mixes
                if (row["task"], row["labels"], row["mix"]) == ("sense", labels, mix)
            ]
            for mix in ("first", "last", "mean", "learned")
        }
        parted |= {
            (column, labels, one, other)
            for one, other in permutations(of, 2)
            if min(of[one]) > max(of[other])
        }
    assert parted == {
        ("accuracy", "50", "first", "last"),
        ("accuracy", "50", "first", "mean"),
        ("two_senses", "50", "last", "first"),
        ("two_senses", "50", "learned", "first"),
        ("two_senses", "500", "last", "first"),
        ("two_senses", "500", "mean", "first"),
        ("two_senses", "500", "learned", "first"),
    }


def test_the_saved_reader_tells_senses_apart():
    script, _ = study("15a_transfer")
    weights, vocabulary, sizes = sv.data.load_weights("opinions_bilm")
    assert vocabulary.tokens == script.vocabulary.tokens
    reader = sv.nn.BiLM(**sizes)
    reader.load_state_dict(weights)
    texts = script.data.unlabelled[-500:]
    with torch.no_grad():
        loss = reader.loss(*script.padded(script.encoded(texts)))
    untrained = sv.nn.BiLM(**sizes).loss(*script.padded(script.encoded(texts)))
    assert loss < 0.5 * untrained


def test_real_reviews_say_the_same():
    script, table = study("15a_reviews")
    features = ("which words come", "a vector a word", "states of the encoder")
    runs = [(f, str(n), str(d)) for n in script.LABELS for d in script.DRAWS for f in features]
    assert keys(table) == sorted(runs)
    for draw in map(str, script.DRAWS):
        by = {
            (row["features"], row["labels"]): float(row["accuracy"])
            for row in table
            if row["draw"] == draw
        }
        for few in ("50", "500"):
            words, vectors, states = (by[name, few] for name in features)
            assert words < vectors < states
            assert states - words > by[features[2], "5000"] - by[features[0], "5000"]


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("15a_transfer")
    old = any_row([row for row in table if row["labels"] == "50"])
    row = script.transfer_row(old["variant"], 50, int(old["seed"]), int(old["steps"]))
    assert float(row["accuracy"]) == pytest.approx(float(old["accuracy"]), abs=0.05), old


@pytest.mark.slow
def test_a_row_of_the_mixes_comes_out_again():
    script, _ = study("15a_transfer")
    old = any_row(script.table_of("15a_mix"))
    row = script.mix_row(old["task"], int(old["labels"]), old["mix"], int(old["seed"]))
    assert float(row["accuracy"]) == pytest.approx(float(old["accuracy"]), abs=0.05), old
