"""What notebook 13 promises beyond running: its class, its skewing, its solutions, its study."""

import base64
import io
import re
import wave

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("13_relative_attention")
SCOPE = {"F": F, "nn": nn, "sv": sv, "torch": torch}


def functions(*starts):
    """The notebook's definitions in the cells that begin so, up to what they run."""
    scope = dict(SCOPE)
    for start in starts:
        exec(NOTEBOOK.cell(start).split("\n\n\nq, e = ")[0].split("\n\n\ndraw = ")[0], scope)
    return scope


@pytest.mark.parametrize(
    ("d_model", "heads", "reach", "time"), [(12, 3, 5, 17), (8, 2, 20, 6), (6, 1, 1, 9)]
)
def test_the_notebooks_class_is_sv_nns(d_model, heads, reach, time):
    scope = functions("def skew(", "class RelativeAttention")
    mine = scope["RelativeAttention"](d_model, heads, reach).double()
    theirs = sv.nn.MultiheadAttention(d_model, heads, batch_first=True, relative=reach).double()
    torch.nn.init.normal_(theirs.in_proj_bias)
    weights = {"qkv.weight": theirs.in_proj_weight, "qkv.bias": theirs.in_proj_bias}
    weights |= {"out.weight": theirs.out_proj.weight, "out.bias": theirs.out_proj.bias}
    weights["e"] = theirs.relative.table[:, : reach + 1].flip(1)
    mine.load_state_dict(weights)
    x = torch.randn(2, time, d_model, dtype=torch.float64)
    other = theirs(x, x, x, attn_mask=sv.nn.causal_mask(time))[0]
    torch.testing.assert_close(mine(x), other, rtol=0, atol=1e-10)


@pytest.mark.parametrize("n", [2, 5, 31])
def test_the_notebooks_skewing_is_its_gather(n):
    scope = functions("def scores_by_loop(", "def skew(")
    q, e = torch.randn(2, n, 7, dtype=torch.float64)
    skewed, gathered = scope["by_skewing"](q, e).tril(), scope["gather"](q, e).tril()
    torch.testing.assert_close(skewed, gathered, rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "note_events", sv.checks.note_events),
        ("### Exercise 2", "clipped_scores", sv.checks.clipped_scores),
        ("### Exercise 3", "two_sided_skew", sv.checks.two_sided_skew),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, dict(SCOPE))


def test_the_numbers_of_exercise_1_are_the_events():
    scope = dict(SCOPE)
    exec(NOTEBOOK.solution("### Exercise 1"), scope)
    notes = [sv.data.Note(60, 0, 250), sv.data.Note(67, 310, 330), sv.data.Note(60, 330, 430)]
    numbers = scope["note_events"]([note[:3] for note in notes])
    events = [e for e in sv.data.notes_to_events(notes) if not e.startswith("VELOCITY")]
    assert [sv.data.EVENTS[number] for number in numbers] == events


def test_its_two_sounds_are_in_the_file():
    seconds = []
    for cell in NOTEBOOK.cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            for sound in re.findall(r"data:audio/wav;base64,([^\"]+)", html):
                content = base64.b64decode(sound)
                assert len(content) < 110_000
                with wave.open(io.BytesIO(content)) as file:
                    seconds.append(file.getnframes() / file.getframerate())
    theme = sv.data.melodies()["Ode to Joy"].notes[11].end / 100
    assert seconds[0] == pytest.approx(theme + 1)  # the last note fades
    assert len(seconds) == 2
    assert 3 < seconds[1] < 8


def test_places_come_from_the_notebook_that_builds_them():
    named = [
        number
        for cell in NOTEBOOK.cells
        if re.search("sinusoids|vector of the place", cell.source)
        for number in re.findall(r"[Nn]otebook (\d+)", cell.source)
    ]
    assert set(named) - {"08"} == {"11"}
    built = Notebook("11_transformer_heads").cells
    assert any("sv.nn.sinusoids(" in cell.source for cell in built)


def test_the_table_holds_every_run():
    script, table = study("13_positions")
    found = [(row["task"], row["kind"], int(row["seed"])) for row in table]
    wanted = [(*run, seed) for run in script.RUNS for seed in script.SEEDS]
    assert found == wanted
    for row in table:
        options = script.options_of(row["task"], row["kind"])
        assert {name: row[name] for name in options} == {k: str(v) for k, v in options.items()}


def of(table, task, kind, column="42 notes"):
    return [float(row[column]) for row in table if (row["task"], row["kind"]) == (task, kind)]


def test_distances_carry_over_and_places_do_not():
    _, table = study("13_positions")
    for task in ("same pitches", "moved"):
        pairs = zip(of(table, task, "relative"), of(table, task, "sinusoids"), strict=True)
        for relative, absolute in pairs:
            assert relative > absolute + 0.15
        assert min(of(table, task, "relative", "84 notes")) > min(of(table, task, "relative")) - 0.1


def test_the_control_is_at_chance():
    _, table = study("13_positions")
    for row in table:
        assert float(row["control"]) == pytest.approx(1 / 12, abs=0.03), row


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("13_positions")
    old = any_row(table)
    row = script.row_of(old["task"], old["kind"], int(old["seed"]))
    assert float(row["42 notes"]) == pytest.approx(float(old["42 notes"]), abs=0.2), old
