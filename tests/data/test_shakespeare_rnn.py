import csv
import importlib.util
import math
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

import seqviz as sv
from seqviz.data import registry

STUDIES = Path(__file__).parents[2] / "notebooks" / "studies"


def rows(name):
    with (STUDIES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def study():
    spec = importlib.util.spec_from_file_location("study_01", STUDIES / "01_shakespeare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def plays():
    path = registry.cache_folder() / "tinyshakespeare.txt"
    if not path.exists():
        pytest.skip(f"needs the real plays, {path}; sv.data.load('shakespeare') brings them")
    return sv.data.load("shakespeare")


@pytest.fixture(scope="module")
def trained():
    torch.set_num_threads(1)
    weights, vocabulary, sizes = sv.data.load_weights("shakespeare_rnn")
    model = sv.nn.LanguageModel(**sizes)
    model.load_state_dict(weights)
    return model, vocabulary


@torch.no_grad()
def loss_on(text, trained):
    model, vocabulary = trained
    ids = vocabulary.encode(text)
    return F.cross_entropy(model(ids[:-1])[0], ids[1:]).item()


def stated(name):
    """Loss and perplexity of a text in the datasheet."""
    sheet = (registry.shipped_folder() / "shakespeare_rnn" / "README.md").read_text(
        encoding="utf-8"
    )
    return [float(x) for x in re.search(rf"\| {name} \| ([\d.]+) \| ([\d.]+) \|", sheet).groups()]


def test_the_stand_in_has_the_stated_loss(trained):
    text = (registry.shipped_folder() / "shakespeare" / "stand_in.txt").read_text(encoding="utf-8")
    loss, perplexity = stated("stand-in play")
    assert loss_on(text, trained) == pytest.approx(loss, abs=0.006)
    assert math.exp(loss_on(text, trained)) == pytest.approx(perplexity, abs=0.02)
    assert loss < 1.65


@pytest.mark.slow
def test_the_real_plays_have_the_stated_losses(trained, plays):
    for name, text in (("val part", plays.val), ("test part", plays.test)):
        loss, perplexity = stated(name)
        assert loss_on(text, trained) == pytest.approx(loss, abs=0.006)
        assert math.exp(loss_on(text, trained)) == pytest.approx(perplexity, abs=0.02)


def test_the_table_ends_with_the_shipped_weights(trained, study):
    table = rows("01_shakespeare.csv")
    assert [int(row["step"]) for row in table] == list(
        range(study.EVERY, study.STEPS + 1, study.EVERY)
    )
    assert all(int(row[name]) == size for row in table for name, size in study.SIZES.items())
    assert float(table[-1]["val_loss"]) == pytest.approx(stated("val part")[0], abs=0.006)


@pytest.mark.slow
def test_the_units_follow_what_the_table_says(trained, study, plays):
    model, vocabulary = trained
    found = {
        (row["feature"], row["where"], row["unit"]): row
        for row in study.telling_units(model, vocabulary, plays.val)
    }
    table = rows("01_shakespeare_units.csv")
    assert len(table) == len(found)
    for row in random.SystemRandom().sample(table, 6):
        again = found[row["feature"], row["where"], int(row["unit"])]
        assert float(row["correlation"]) == pytest.approx(again["correlation"], abs=0.01), row
        assert int(row["characters"]) == again["characters"]
        if again["auc"] == "":
            assert row["auc"] == "", row
        else:
            assert float(row["auc"]) == pytest.approx(again["auc"], abs=0.01), row


@pytest.mark.slow
def test_the_first_row_can_be_made_again(study, plays):
    again = []
    vocabulary = sv.data.Vocabulary(sorted(set(plays.train)))
    study.train(plays, vocabulary, steps=study.EVERY, on_evaluation=again.append)
    row = rows("01_shakespeare.csv")[0]
    assert again[0]["step"] == int(row["step"])
    assert again[0]["val_loss"] == pytest.approx(float(row["val_loss"]), abs=0.02)


def test_a_speakers_line_follows_an_empty_line(study):
    text = "KING:\nHe said:\nNo\n\nQUEEN OF A:\nI\n\nGo"
    found = {(feature, where): value for feature, where, value, _ in study.features(text)}
    capitals = found["capital in a speaker's name", "everywhere"]
    assert "".join(c for c, on in zip(text, capitals, strict=True) if on) == "KINGQUEENOFA"


def test_the_losses_fall_over_the_run():
    table = rows("01_shakespeare.csv")
    losses = {name: [float(row[name]) for row in table] for name in ("train_loss", "val_loss")}
    assert losses["train_loss"] == sorted(losses["train_loss"], reverse=True)
    for before, after in pairwise(losses["val_loss"]):
        assert after < before + 0.01  # one text, read whole: no jumps
    for values in losses.values():
        assert values[-1] < values[0] - 0.4
        assert all(1.2 < value < math.log(65) for value in values)
    assert all(float(row["seconds"]) > 0 for row in table)


def test_the_units_say_how_they_were_made(study):
    for row in rows("01_shakespeare_units.csv"):
        assert set(study.CONFIGURATION) < set(row)
        assert {name: int(row[name]) for name in study.SIZES} == study.SIZES
        assert int(row["seed"]) == study.SEED
        assert float(row["seconds"]) > 0
