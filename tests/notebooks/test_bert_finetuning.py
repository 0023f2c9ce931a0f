"""What notebook 18 promises beyond running: its classes, its scores, its solutions, its study."""

import re
import string
from collections import Counter

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import seqviz as sv
from tests.nn.saved_models import encoder_folder
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("18_bert_finetuning")
IDS = torch.tensor([[5, 9, 3, 7, 4, 2], [8, 6, 11, 2, 0, 0], [30, 1, 2, 0, 0, 0]])
MASK = (IDS != 0).long()


def names_of(*cells):
    """The notebook's own names, from the cells that begin so."""
    scope = {"Counter": Counter, "F": F, "nn": nn, "re": re, "sv": sv, "torch": torch}
    for start in cells:
        exec(NOTEBOOK.cell(start).split("\n\n\nfor ")[0], scope)
    return scope


READING = names_of("def masked_mean(", "class OverMean", "def normal(")


def small_bert():
    torch.manual_seed(0)
    return sv.nn.BERT(40, 24, 3, 4, 20, 16)


def test_the_notebooks_class_is_the_studys():
    script, _ = study("18_finetuning")
    mine, theirs = READING["OverMean"](small_bert(), 2), script.OverMean(small_bert(), 2)
    theirs.load_state_dict(mine.state_dict())
    for net in (mine, theirs):
        torch.manual_seed(2)  # of dropout
        net.train()(IDS, MASK).square().sum().backward()
    for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad)


def test_a_batch_is_read_as_its_texts_one_by_one():
    net = READING["OverMean"](small_bert(), 2).eval()
    together = net(IDS, MASK)
    for row, ids in enumerate(IDS):
        alone = ids[ids != 0][None]
        h = net.bert(alone).last_hidden_state  # sv.nn's, without padding
        torch.testing.assert_close(together[[row]], net.classifier(h.mean(dim=1)))


@given(lengths=st.lists(st.integers(2, 300), min_size=1, max_size=40), places=st.integers(8, 400))
def test_batches_hold_each_text_once_and_are_not_too_large(lengths, places):
    script, _ = study("18_finetuning")
    texts = [sv.data.Encoded(torch.zeros(n).long(), (), None, None) for n in lengths]
    batches = READING["by_length"](texts, places)
    assert sorted(k for batch in batches for k in batch) == [*range(len(texts))]
    for batch in batches:
        longest = max(lengths[k] for k in batch)
        assert len(batch) * (longest + -longest % 8) <= places or len(batch) == 1
    assert script.by_length(texts, places) == batches


def official(answer, truth):
    """EM and F1 as SQuAD defines them, written anew."""

    def words(text):
        kept = "".join(letter for letter in text.lower() if letter not in string.punctuation)
        return [word for word in kept.split() if word not in ("a", "an", "the")]

    mine, theirs = words(answer), words(truth)
    if not mine or not theirs:
        return float(mine == theirs), float(mine == theirs)
    left, common = list(theirs), 0
    for word in mine:
        if word in left:
            left.remove(word)
            common += 1
    precision, recall = common / len(mine), common / len(theirs)
    f1 = 2 * precision * recall / (precision + recall) if common else 0.0
    return float(mine == theirs), f1


TEXTS = st.lists(
    st.sampled_from(["a", "The", "cloud", "clouds", "Within", "ice", "an", "rain,", "rain", "?"]),
    max_size=6,
).map(" ".join)


@given(answer=TEXTS, truth=TEXTS)
def test_the_scores_of_answers_are_the_official_ones(answer, truth):
    assert READING["em_f1"](answer, truth) == pytest.approx(official(answer, truth))


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "word_mean", sv.checks.word_mean),
        ("### Exercise 2", "piece_labels", sv.checks.piece_labels),
        ("### Exercise 3", "best_threshold_score", sv.checks.best_threshold_score),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch})


def test_the_notebooks_net_is_the_one_of_the_study():
    script, _ = study("18_finetuning")
    settings = script.BASE | script.VARIANTS["as in the notebook"]
    cell = NOTEBOOK.cell("RATE, PLACES")
    assert cell.startswith(f"RATE, PLACES = {settings['lr']:.0e}".replace("e-0", "e-"))
    assert f", {settings['places']} " in cell.partition("\n")[0]
    assert f"layers[:-{settings['trained_layers']}]" in cell
    assert f"data.train[:{settings['rows']}]" in NOTEBOOK.cell("reviews, dev =")
    reading = f"by_length(texts, {script.PLACES})"
    assert reading in NOTEBOOK.cell("@torch.no_grad()\ndef features(")
    assert reading in NOTEBOOK.cell("@torch.no_grad()\ndef verdicts(")


def test_the_notebooks_groups_are_those_of_the_study():
    script, _ = study("18_finetuning")
    scope = {}
    exec("\n".join(NOTEBOOK.cell("NEGATIONS =").split("\n")[:2]), scope)
    groups = {"negation": scope["NEGATIONS"], "turn": scope["TURNS"]}
    assert {name: {*words.split()} for name, words in groups.items()} == script.GROUPS


def test_the_tables_hold_every_run():
    script, table = study("18_finetuning")
    found = [(row["variant"], int(row["seed"])) for row in table]
    assert found == [(variant, seed) for variant in script.VARIANTS for seed in script.SEEDS]
    for row in table:
        settings = script.BASE | script.VARIANTS[row["variant"]]
        assert {name: row[name] for name in settings} == {k: str(v) for k, v in settings.items()}
    small = [(int(row["sample"]), int(row["first_row"])) for row in script.read("18_samples.csv")]
    assert small == [(sample, sample * script.SMALL) for sample in script.SMALL_SAMPLES]
    samples = Counter(int(row["first_row"]) for row in script.read("18_features.csv"))
    assert {*samples} == {*script.SAMPLES}
    assert len({*samples.values()}) == 1
    assert {int(row["review"]) for row in script.read("18_words.csv")} == {*script.SHOWN}


def mean(table, **wanted):
    found = [float(row["accuracy"]) for row in table if wanted.items() <= row.items()]
    return sum(found) / len(found)


def test_the_notebooks_regression_is_the_studys():
    script, _ = study("18_finetuning")
    x = torch.randn(80, 5, generator=torch.Generator().manual_seed(0)) * torch.tensor(
        [1e-3, 1.0, 1.0, 50.0, 1.0]
    )
    labels = (x[:, 0] * 1e3 + x[:, 3] / 50 > 0).long()
    cell = NOTEBOOK.cell("@torch.no_grad()\ndef features(")
    scope = {name: getattr(script, name) for name in ("LogisticRegression", "StandardScaler")}
    scope |= {"make_pipeline": script.make_pipeline}
    exec(cell[cell.index("def regression") :], scope)
    mine, theirs = scope["regression"](x, labels), script.regression(x, labels.tolist())
    assert mine.predict_proba(x.numpy()) == pytest.approx(theirs.predict_proba(x.numpy()))


LAST = {"layer": "6", "rows": "2000", "trained": "mask", "tested": "mask"}
STANDARDISED = {"features": "standardised", "C": "0.01"}


def test_what_the_lecture_rests_on():
    script, tuning = study("18_finetuning")
    features = script.read("18_features.csv")
    last = LAST | STANDARDISED
    frozen = mean(features, vector="mean", first_row="0", **last)
    assert frozen >= 0.78
    assert min(float(row["accuracy"]) for row in tuning if row["variant"] == "base") > frozen
    assert mean(tuning, variant="base") < frozen + 0.04  # it is no more than this
    assert mean(features, vector="mean", **last) > mean(features, vector="[CLS]", **last) + 0.03
    for vector in ("[CLS]", "mean over all places"):
        unmasked = {"vector": vector, "layer": "6", "rows": "2000", "trained": "none"}
        unmasked |= STANDARDISED
        alike, alone = (mean(features, tested=tested, **unmasked) for tested in ("none", "mask"))
        right = mean(features, vector=vector.removesuffix(" over all places"), **last)
        assert abs(alike - right) < 0.02
        assert alone < alike


@pytest.mark.parametrize("layer", ["1", "2", "3"])
def test_that_cls_is_a_guess_in_low_layers_comes_of_its_scale(layer):
    script, _ = study("18_finetuning")
    features, row = script.read("18_features.csv"), LAST | {"vector": "[CLS]", "layer": layer}
    assert mean(features, **row, features="raw", C="1.0") < 0.52
    assert mean(features, **row, features="standardised", C="1.0") > 0.69
    assert mean(features, **row, **STANDARDISED) > 0.69


def test_few_labels_lack_steps():
    script, _ = study("18_finetuning")
    table = script.read("18_samples.csv")
    frozen, once, often = (
        torch.tensor([float(row[name]) for row in table])
        for name in ("frozen", "passes 1", "passes 10")
    )
    for more in (frozen - once, often - frozen):
        assert more.mean() > 3 * more.std() / len(more) ** 0.5


def test_the_shares_of_groups_are_of_the_whole():
    encoder_folder()
    script, _ = study("18_finetuning")
    right = [k % 3 > 0 for k in range(len(script.data().val))]
    found = script.shares(right)
    assert float(found["accuracy"]) == pytest.approx(sum(right) / len(right), abs=1e-4)
    assert {*found} == {"accuracy", "negation", "turn", "other"}


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    encoder_folder()
    script, table = study("18_finetuning")
    old = any_row([row for row in table if row["epochs"] == "1"])
    new, _ = script.tuned_row(old["variant"], int(old["seed"]))
    same = [float(r["accuracy"]) for r in table if r["variant"] == old["variant"]]
    assert min(same) - 0.03 < float(new["accuracy"]) < max(same) + 0.03, old
