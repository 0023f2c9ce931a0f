"""What notebook 16 promises beyond running: its class, its solutions, its studies and its net."""

import nbformat
import pytest
import torch
import torch.nn.functional as F
from nbclient import NotebookClient
from torch import nn

import seqviz as sv
from seqviz.core_path import is_core
from seqviz.data import registry
from tests.notebooks.parts import NOTEBOOKS, Notebook, any_row, study

NOTEBOOK = Notebook("16_gpt_generation")


@pytest.fixture
def plays():
    path = registry.cache_folder() / "tinyshakespeare.txt"
    if not path.exists():
        pytest.skip(f"needs the real plays, {path}; sv.data.load('shakespeare') brings them")


@pytest.mark.parametrize(("d", "layers", "heads"), [(12, 2, 3), (8, 1, 2)])
def test_the_notebooks_class_is_sv_nns(d, layers, heads):
    scope = {"F": F, "nn": nn, "torch": torch}
    for start in ("class Block", "class TinyGPT"):
        exec(NOTEBOOK.cell(start), scope)
    exec(NOTEBOOK.cell("names = {").split("\n\n\nexact")[0], scope)
    mine = scope["TinyGPT"](30, 16, d, layers, heads).double()
    theirs = sv.nn.GPT(30, 16, d, layers, heads).double().eval()
    mine.load_state_dict(scope["renamed"](theirs.state_dict()))
    ids = torch.arange(22).reshape(2, 11) * 7 % 30
    torch.testing.assert_close(mine(ids), theirs(ids), rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "nucleus", sv.checks.nucleus),
        ("### Exercise 2", "cached_step", sv.checks.cached_step),
        ("### Exercise 3", "choice_rows", sv.checks.choice_rows),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch, "nn": nn})


def test_a_nucleus_by_hand_is_that_of_the_package():
    scope = {"torch": torch}
    exec(NOTEBOOK.solution("### Exercise 1"), scope)
    logits = (torch.arange(40.0, dtype=torch.double) * 1.7).sin() * 3
    for p in (0.2, 0.5, 0.9, 1):
        theirs = sv.decoding.nucleus(logits, p).softmax(-1)
        torch.testing.assert_close(scope["nucleus"](logits.softmax(-1), p), theirs)


def test_the_race_is_whole_and_the_lstm_wins_it():
    script, table = study("16_gpt")
    found = {(row["model"], float(row["lr"]), int(row["seed"])) for row in table}
    ends = {}
    for model in script.MODELS:
        best = script.best_rate(table, model)
        assert {(model, lr, 0) for lr in script.RATES} <= found
        assert {(model, best, seed) for seed in script.SEEDS} <= found
        last = [r for r in table if r["model"] == model and float(r["lr"]) == best]
        ends[model] = [float(r["loss"]) for r in last if float(r["seconds"]) >= script.SECONDS]
        assert len(ends[model]) == len(script.SEEDS)
    assert max(ends["LSTM"]) < min(ends["GPT"])
    for moment in script.MOMENTS:
        held = {model: [] for model in script.MODELS}
        for row in table:
            best = float(row["lr"]) == script.best_rate(table, row["model"])
            if best and abs(float(row["seconds"]) - moment) < 1:
                held[row["model"]].append(float(row["loss"]))
        assert [len(losses) for losses in held.values()] == [len(script.SEEDS)] * 2
        assert max(held["LSTM"]) < min(held["GPT"]), moment
    counts = {int(row["parameters"]) for row in table}
    assert max(counts) < 1.01 * min(counts)


def test_a_prompt_needs_lines_whose_sides_belong_together():
    script, table = study("16_prompt")
    found = [(int(r["lines"]), r["mixed"] == "True", int(r["seed"])) for r in table]
    kinds = [*((count, False) for count in script.LINES), (script.MIXED, True)]
    assert found == [(*kind, seed) for kind in kinds for seed in script.SEEDS]
    exact = {kind: [] for kind in kinds}
    for row in table:
        exact[int(row["lines"]), row["mixed"] == "True"].append(float(row["exact"]))
    assert min(exact[100, False]) > 0.3 + max(exact[100, True] + exact[25, False])


def test_greedy_is_likelier_than_shakespeare_and_repeats():
    script, table = study("16_decoding")
    found = [(row["method"], int(row["seed"])) for row in table]
    assert found == [(method, seed) for method in script.METHODS for seed in script.SEEDS]
    for seed in map(str, script.SEEDS):
        row = {r["method"]: r for r in table if r["seed"] == seed}
        for dull in ("greedy", "beam 4"):
            assert float(row[dull]["perplexity"]) < 0.5 * float(row["Shakespeare"]["perplexity"])
            assert float(row[dull]["repeated"]) > 5 * float(row["Shakespeare"]["repeated"])

    def of(method, column):
        return [float(row[column]) for row in table if row["method"] == method]

    assert min(of("beam 4", "repeated")) > max(of("greedy", "repeated"))
    for drawn in ("nucleus 0.9", "top-k 40", "temperature 1"):
        assert max(of(drawn, "perplexity")) < min(of("Shakespeare", "perplexity"))


def test_pre_training_helps_at_each_number_of_labels():
    script, table = study("16_tasks")
    read = f"{len(script.Texts().plain):,} texts without labels"
    assert read in NOTEBOOK.cell("### Does the second")
    keys = ("pretrained", "labels", "lm_weight")
    found = {tuple(row[key] for key in keys): [] for row in table}
    for row in table:
        found[tuple(row[key] for key in keys)].append(float(row["accuracy"]))
    assert len(found) == 2 * len(script.LABELS) * len(script.WEIGHTS)
    assert all(len(accuracies) == len(script.SEEDS) for accuracies in found.values())
    for labels in map(str, script.LABELS):
        read, unread = (found[pretrained, labels, "0.0"] for pretrained in ("True", "False"))
        assert min(read) > max(unread)
        assert 0.15 < (sum(read) - sum(unread)) / len(read) < 0.3


def test_the_shipped_net_is_that_of_the_datasheet(plays):
    script, _ = study("16_decoding")
    model, ids = script.model_and_text()
    rows = ids[: 12 * 129].view(12, 129)
    with torch.no_grad():
        loss = F.cross_entropy(model(rows[:, :-1]).mT, rows[:, 1:])
    assert 3.3 < loss < 4.3


def test_without_the_real_plays_the_notebook_says_what_to_do(monkeypatch):
    stand_in = sv.data.Dataset("shakespeare", "a", "b", "c", "A play.", "shipped stand-in")
    monkeypatch.setattr(sv.data, "load", lambda name: stand_in)
    with pytest.raises(sv.data.DownloadError, match=r"with a network, or let SEQVIZ_CACHE name"):
        exec(NOTEBOOK.cell("plays = sv.data.load"), {"sv": sv})


@pytest.mark.slow
def test_the_core_cells_run_alone(plays):
    cells = [cell for cell in NOTEBOOK.cells if cell.cell_type == "code" and is_core(cell)]
    core = nbformat.v4.new_notebook(cells=[nbformat.from_dict(cell) for cell in cells])
    where = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(core, timeout=300, kernel_name="python3", resources=where).execute()
    assert any("nats a character after" in str(cell.outputs) for cell in core.cells)


@pytest.mark.slow
def test_a_row_of_each_study_comes_out_again(plays):
    script, table = study("16_prompt")
    old = any_row(table)
    row = script.row_of(int(old["lines"]), old["mixed"] == "True", int(old["seed"]))
    assert float(row["exact"]) == pytest.approx(float(old["exact"]), abs=0.1), old

    script, table = study("16_decoding")
    old = any_row(table)
    row = script.row_of(old["method"], int(old["seed"]), *script.model_and_text())
    assert float(row["repeated"]) == pytest.approx(float(old["repeated"]), abs=0.05), old

    script, table = study("16_tasks")
    old = any_row(table)
    texts, read, seed = script.Texts(), old["pretrained"] == "True", int(old["seed"])
    gpt = (script.pretrained if read else script.fresh)(texts, seed)
    row = script.row_of(gpt, read, int(old["labels"]), float(old["lm_weight"]), seed, texts)
    assert float(row["accuracy"]) == pytest.approx(float(old["accuracy"]), abs=0.05), old


@pytest.mark.slow
def test_a_row_of_the_race_comes_out_again(plays):
    script, table = study("16_gpt")
    old = any_row([r for r in table if float(r["seconds"]) >= script.SECONDS])
    rows = script.rows_of(old["model"], float(old["lr"]), int(old["seed"]), script.Corpus())
    assert float(rows[-1]["loss"]) == pytest.approx(float(old["loss"]), abs=0.25), old
