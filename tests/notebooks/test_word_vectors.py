"""What notebook 14 promises beyond running: its class, its solutions, its study, its figures."""

import re

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("14_word_vectors")
SIZES = [1500, 3000, 6000, 12000]


@pytest.mark.parametrize(
    ("words", "dim", "batch", "k"), [(7, 3, 5, 2), (11, 4, 9, 6), (4, 2, 1, 1)]
)
def test_the_notebooks_class_is_sv_nns(words, dim, batch, k):
    scope = {"F": F, "nn": nn, "torch": torch}
    exec(NOTEBOOK.cell("class SkipGram"), scope)
    mine, theirs = scope["SkipGram"](words, dim).double(), sv.nn.SkipGram(words, dim).double()
    assert {key: w.shape for key, w in mine.state_dict().items()} == {
        key: w.shape for key, w in theirs.state_dict().items()
    }
    nn.init.normal_(theirs.W_out.weight)
    mine.load_state_dict(theirs.state_dict())
    center, context = torch.randint(words, (2, batch))
    drawn = torch.randint(words, (batch, k))
    losses = [net(center, context, drawn) for net in (mine, theirs)]
    torch.testing.assert_close(*losses, rtol=0, atol=1e-12)
    for loss in losses:
        loss.backward()
    for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad, rtol=0, atol=1e-12)


@pytest.mark.parametrize("window", [1, 3, 20])
def test_the_notebooks_pairs_are_sv_datas(window):
    scope = {}
    exec(NOTEBOOK.cell("SLIDE = ["), scope)
    words = ["a", "rose", "is", "a", "rose", "."]
    number = {word: k for k, word in enumerate(words)}
    ids = torch.tensor([number[word] for word in words])
    theirs = sv.data.context_pairs([ids], window).tolist()
    mine = [[number[one], number[other]] for one, other in scope["contexts"](words, window)]
    assert sorted(mine) == sorted(theirs)


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "sampling_gradient", sv.checks.sampling_gradient),
        ("### Exercise 2", "analogy", sv.checks.analogy),
        ("### Exercise 3", "noise_of", sv.checks.noise),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch, "F": F})


def printed(start):
    """What the one cell that begins so has printed."""
    (cell,) = [cell for cell in NOTEBOOK.cells if cell.source.startswith(start)]
    return "".join(output.get("text", "") for output in cell.outputs)


def test_the_real_tables_figures():
    found = re.search(r"(\d+) of 26 right at first rank", printed("QUESTIONS"))
    assert abs(int(found[1]) - 20) <= 2
    missed = printed("told = answers(real, questions)")
    assert "france : paris :: italy : italian, wanted rome" in missed
    assert "possible : impossible :: happy : happier, wanted unhappy" in missed
    text = printed("ENCODER")
    assert "(30522, 384)" in text
    assert "21,719 words" in text
    assert re.search(r"frog: frogs [\d.]+, toad [\d.]+, turtle [\d.]+, rana", text)


def test_what_king_and_bread_share_is_what_the_question_names():
    (shared,) = re.findall(r"near both king and bread: (.*?);", printed("X = torch.zeros"))
    question = NOTEBOOK.cell('sv.ask(\n    "King and bread')
    (named,) = re.findall(r"in common but (.*?) and their like", question)
    assert set(re.findall(r"\w+", named)) <= {*shared.split()}


def test_senses_part_by_layer_and_not_at_layer_0():
    text = printed("def same_sense(rows, layer)")
    by_word = {line.split(",")[0].strip(): line.split(":")[1] for line in text.strip().split("\n")}
    layers = {word: [float(x) for x in found.split()] for word, found in by_word.items()}
    assert max(layers["stick"][0], layers["bank"][0]) < 6.5  # chance is 4.4
    assert min(layers["stick"][1:]) >= 9.5
    assert max(layers["bank"][3:]) >= 8.5


def found_in(table, vectors, text="ordered"):
    """Shares right by number of sentences."""
    rows = [row for row in table if (row["vectors"], row["text"]) == (vectors, text)]
    return {n: [float(r["right"]) for r in rows if int(r["sentences"]) == n] for n in SIZES}


def test_the_table_holds_every_run():
    script, table = study("14_analogies")
    assert script.SENTENCES == SIZES
    found = {(r["method"], int(r["sentences"]), r["text"], int(r["seed"])) for r in table}
    assert found == {
        (method, n, text, seed)
        for method in script.METHODS
        for n in SIZES
        for text in script.TEXTS
        for seed in script.SEEDS
    }
    for row in table:
        options = script.METHODS[row["method"]]
        assert {k: row[k] for k in script.OPTIONS} == {
            k: str(options.get(k, "")) for k in script.OPTIONS
        }


def test_held_out_analogies_are_far_above_the_shuffled_text():
    _, table = study("14_analogies")
    for vectors in ("skip-gram W", "skip-gram mean"):
        ordered, shuffled = (found_in(table, vectors, text) for text in ("ordered", "shuffled"))
        for n in SIZES[1:]:
            assert min(ordered[n]) > max(shuffled[n]) + 0.5, (vectors, n)
        assert max(max(shares) for shares in shuffled.values()) < 0.03
        means = [sum(ordered[n]) / 3 for n in SIZES]
        assert means == sorted(means)
    assert min(found_in(table, "skip-gram W")[12000]) > 0.95


def test_the_offset_is_worth_something_and_so_are_the_zeros():
    _, table = study("14_analogies")
    for row in table:
        if (row["vectors"], row["text"], row["sentences"]) == ("skip-gram W", "ordered", "12000"):
            assert 0.35 < float(row["c alone"]) < 0.652 < float(row["right"])
    assert max(found_in(table, "GloVe")[12000]) < 0.1
    assert min(found_in(table, "GloVe + 1")[12000]) > 0.8
    assert min(found_in(table, "PPMI")[1500]) > max(found_in(table, "skip-gram W")[1500])


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("14_analogies")
    old = any_row([row for row in table if row["method"] != "counts"])
    rows = script.rows_of(old["method"], int(old["sentences"]), old["text"], int(old["seed"]))
    (new,) = [row for row in rows if row["vectors"] == old["vectors"]]
    assert float(new["right"]) == pytest.approx(float(old["right"]), abs=0.08), old


def test_counts_come_out_again():
    script, table = study("14_analogies")
    rows = script.rows_of("counts", 1500, "ordered", 0)
    for new in rows:
        old = found_in(table, new["vectors"])[1500][0]
        assert float(new["right"]) == pytest.approx(old, abs=0.02)
