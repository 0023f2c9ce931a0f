"""What notebook 12 promises beyond running: its class, its cache, its solutions and its study."""

import math
import re
import time
from collections import Counter
from itertools import pairwise

import plotly.graph_objects as go
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("12_transformer_translation")
SOURCE = torch.tensor([[5, 8, 3, 9, 12], [7, 4, 21, 0, 0], [6, 0, 0, 0, 0]])
TARGET = torch.tensor([[1, 6, 4, 11], [1, 9, 9, 2], [1, 5, 2, 0]])


def scope_with(*starts):
    """The notebook's own names, from the cells that begin so."""
    scope = {"Counter": Counter, "F": F, "math": math, "nn": nn, "pairwise": pairwise}
    scope |= {"go": go, "sv": sv, "time": time, "torch": torch}
    for start in starts:
        exec(NOTEBOOK.cell(start), scope)
    return scope


def both(d_model=16, layers=2):
    """The notebook's class and the package's, with the same weights."""
    Translator = scope_with("class Parts", "class Translator")["Translator"]
    torch.manual_seed(1)
    mine = Translator(30, 20, d_model, 4, layers, 2 * d_model).double()
    sizes = {"d_model": d_model, "nhead": 4, "dim_feedforward": 2 * d_model, "dropout": 0.0}
    depths = {"num_encoder_layers": layers, "num_decoder_layers": layers}
    theirs = sv.nn.TransformerSeq2Seq(30, 20, **sizes, **depths, norm_first=True).double()
    inner = ("encoder.", "decoder.")
    theirs.load_state_dict(
        {f"transformer.{k}" if k.startswith(inner) else k: v for k, v in mine.state_dict().items()}
    )
    return mine, theirs


@pytest.mark.parametrize(("d_model", "layers"), [(16, 2), (8, 1)])
def test_the_notebooks_class_is_the_packages(d_model, layers):
    mine, theirs = both(d_model, layers)
    one, other = mine(SOURCE, TARGET), theirs(SOURCE, TARGET)
    torch.testing.assert_close(one, other, rtol=0, atol=1e-10)
    for net, logits in ((mine, one), (theirs, other)):
        logits.square().sum().backward()
        assert net.output.weight.grad is not None
    torch.testing.assert_close(
        mine.decoder.layers[0].multihead_attn.in_proj_weight.grad,
        theirs.transformer.decoder.layers[0].multihead_attn.in_proj_weight.grad,
        rtol=0,
        atol=1e-10,
    )


def test_the_notebooks_loops_write_the_same_and_read_the_source_once():
    scope = scope_with("class Parts", "@torch.no_grad()\ndef without_cache")
    _, model = both()
    read, source = [], SOURCE.where(SOURCE > 0, 3)  # sources of one length
    model.transformer.encoder.register_forward_hook(lambda *_: read.append(1))
    words = [scope[name](model.eval(), source) for name in ("without_cache", "with_cache")]
    for _ in range(12):
        plain, cached = map(next, words)
        assert plain.shape == (3, 20)
        torch.testing.assert_close(plain, cached, rtol=0, atol=1e-10)
    assert len(read) == len(words)


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "shifted_and_masked", sv.checks.shifted_and_masked),
        ("### Exercise 2", "noam", sv.checks.noam),
        ("### Exercise 3", "merge_once", sv.checks.merge_once),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, scope_with())


def test_the_merges_by_hand_are_the_solutions(capsys):
    scope = scope_with('counts = {"sun"')
    exec(NOTEBOOK.solution("### Exercise 3"), scope)
    words, found = [(list(word), count) for word, count in scope["counts"].items()], []
    for _ in range(3):
        pair, words = scope["merge_once"](words)
        found.append("join {} {}".format(*pair))
    assert [pieces for pieces, _ in words] == [*scope["pieces"].values()]
    assert [line.partition(" (")[0] for line in capsys.readouterr().out.splitlines()] == found


def test_the_notebooks_net_is_the_base_of_the_study():
    script, table = study("12_tricks")
    scope = scope_with("STEPS, WARMUP, PEAK")
    training = script.TRAINING
    assert [scope[name] for name in ("STEPS", "WARMUP", "PEAK")] == [
        training[name] for name in ("steps", "warmup", "lr")
    ]
    rate = script.rate(script.BASE)
    assert [scope["linear"](k) for k in range(900)] == [rate(k) for k in range(900)]
    net = NOTEBOOK.cell("PADDING, START, STOP")
    assert '"d_model": 64, "nhead": 4, "dim_feedforward": 128, "dropout": 0.0' in net
    assert script.BASE["norm_first"]
    assert script.BASE["positions"] == "sinusoidal"
    assert len(table) == len({(row["variant"], row["seed"]) for row in table})
    assert {row["variant"] for row in table} <= {*script.VARIANTS}


def test_the_gru_got_the_steps_of_the_longest_trainings():
    script, table = study("12_gru")
    _, longer = study("12_tricks")
    (steps,) = {row["steps"] for row in longer if row["variant"] == "longer"}
    settings = script.SCORES.NET | script.SCORES.TRAINING | {"steps": steps}
    settings |= dict(zip(("score", "wiring", "hidden_words"), script.SCORES.MAIN, strict=True))
    assert [int(row["seed"]) for row in table] == [*script.SEEDS]
    for row in table:
        assert {name: row[name] for name in settings} == {k: str(v) for k, v in settings.items()}


def test_the_loss_of_the_last_question_can_be_reached():
    question = NOTEBOOK.cell('sv.ask(\n    "A training loss of')
    asked, words = re.search(r"loss of ([\d.]+) .* and (\d+) words", question).groups()
    q = torch.full((int(words),), 0.1 / int(words))
    q[0] += 0.9
    lowest = -(q * q.log()).sum().item()
    assert lowest < float(asked) < lowest + 0.1
    assert f"here {lowest:.3f}" in question


def test_each_variant_differs_in_what_its_row_says():
    script, table = study("12_tricks")
    for row in table:
        settings = script.BASE | script.VARIANTS[row["variant"]]
        assert {name: row[name] for name in settings} == {k: str(v) for k, v in settings.items()}
        assert bool(row["exact_beam"]) == (row["variant"] in script.BEAM)


def test_pieces_come_back_as_words():
    script, _ = study("12_tricks")
    language, pair = script.Language(100), script.DATA.test[0]
    pieces = language.cut(pair.target)
    ids = sv.data.encode_sentence(language.target, [*pieces, "<stop>", "<pad>"])
    assert len(pieces) > len(pair.target)
    assert language.words(ids.tolist()) == [*pair.target]


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    sv.setup(seed=0)
    script, table = study("12_tricks")
    old = any_row([row for row in table if int(row["steps"]) < 1000])
    new, _ = script.row(old["variant"], int(old["seed"]))
    assert new.keys() == old.keys()
    # another processor rounds otherwise, and 900 steps make more of it
    for column in ("exact", "exact_averaged"):
        where = (old["variant"], old["seed"], column)
        assert abs(float(new[column]) - float(old[column])) < 0.08, where
