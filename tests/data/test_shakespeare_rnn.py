"""The shipped weights of the character model are what its study and its datasheet say."""

import math
import re
from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F

import seqviz as sv
from seqviz.data import registry
from tests.notebooks.parts import any_row, script, table

STUDY, TABLE, UNITS = (
    script("01_shakespeare"),
    table("01_shakespeare"),
    table("01_shakespeare_units"),
)


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


def stated(name):
    """Loss and perplexity of a text in the datasheet."""
    path = registry.shipped_folder() / "shakespeare_rnn" / "README.md"
    row = re.search(rf"\| {name} \| ([\d.]+) \| ([\d.]+) \|", path.read_text(encoding="utf-8"))
    return float(row[1]), float(row[2])


@torch.no_grad()
def check_loss(name, text, trained):
    model, vocabulary = trained
    ids = vocabulary.encode(text)
    loss = F.cross_entropy(model(ids[:-1])[0], ids[1:]).item()
    assert (loss, math.exp(loss)) == (
        pytest.approx(stated(name)[0], abs=0.006),
        pytest.approx(stated(name)[1], abs=0.02),
    )


def test_the_stand_in_has_the_stated_loss(trained):
    path = registry.shipped_folder() / "shakespeare" / "stand_in.txt"
    check_loss("stand-in play", path.read_text(encoding="utf-8"), trained)


@pytest.mark.slow
def test_the_real_plays_have_the_stated_losses(trained, plays):
    check_loss("val part", plays.val, trained)
    check_loss("test part", plays.test, trained)


def test_the_losses_fall_over_the_run_and_end_with_the_shipped_weights():
    steps = range(STUDY.EVERY, STUDY.STEPS + 1, STUDY.EVERY)
    assert [int(row["step"]) for row in TABLE] == [*steps]
    losses = {name: [float(row[name]) for row in TABLE] for name in ("train_loss", "val_loss")}
    assert losses["train_loss"] == sorted(losses["train_loss"], reverse=True)
    assert all(b < a + 0.01 for a, b in pairwise(losses["val_loss"]))  # one text, read whole
    for values in losses.values():
        assert values[-1] < values[0] - 0.4
        assert all(1.2 < value < math.log(65) for value in values)
    assert losses["val_loss"][-1] == pytest.approx(stated("val part")[0], abs=0.006)
    for row in TABLE + UNITS:
        assert {name: int(row[name]) for name in STUDY.SIZES} == STUDY.SIZES
        assert float(row["seconds"]) > 0
    assert all({*STUDY.CONFIGURATION} < {*row} for row in UNITS)


@pytest.mark.slow
def test_the_units_follow_what_the_table_says(trained, plays):
    found = {
        (row["feature"], row["where"], row["unit"]): row
        for row in STUDY.telling_units(*trained, plays.val)
    }
    assert len(UNITS) == len(found)
    for row in [any_row(UNITS), *UNITS[:5]]:
        again = found[row["feature"], row["where"], int(row["unit"])]
        assert float(row["correlation"]) == pytest.approx(again["correlation"], abs=0.01), row
        assert int(row["characters"]) == again["characters"]
        if again["auc"] == "":
            assert row["auc"] == "", row
        else:
            assert float(row["auc"]) == pytest.approx(again["auc"], abs=0.01), row


@pytest.mark.slow
def test_the_first_row_can_be_made_again(plays):
    again = []
    vocabulary = sv.data.Vocabulary(sorted(set(plays.train)))
    STUDY.train(plays, vocabulary, steps=STUDY.EVERY, on_evaluation=again.append)
    assert again[0]["step"] == int(TABLE[0]["step"])
    assert again[0]["val_loss"] == pytest.approx(float(TABLE[0]["val_loss"]), abs=0.02)


def test_a_speakers_line_follows_an_empty_line():
    text = "KING:\nHe said:\nNo\n\nQUEEN OF A:\nI\n\nGo"
    found = {(feature, where): value for feature, where, value, _ in STUDY.features(text)}
    capitals = found["capital in a speaker's name", "everywhere"]
    assert "".join(c for c, on in zip(text, capitals, strict=True) if on) == "KINGQUEENOFA"
