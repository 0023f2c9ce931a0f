"""What notebook 15b promises beyond running: its functions, its solutions and its study."""

import random
from collections import Counter

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_sequence

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("15b_arguments_and_tasks")
KINDS = ("THE", "PRO", "CON")
TAGS = ["O", *(f"{place}-{kind}" for kind in KINDS for place in "BI")]


def scope_with(*starts, **given):
    """What the cells that begin so define, without what they print."""
    scope = {"F": F, "nn": nn, "sv": sv, "torch": torch, "pack_sequence": pack_sequence}
    scope |= given
    for start in starts:
        exec(NOTEBOOK.cell(start).split("\n\n\nfor ")[0].split("\n\n\nshort ")[0], scope)
    return scope


def mean(rows):
    numbers = [float(row["f1"]) for row in rows]
    return sum(numbers) / len(numbers)


def where(table, **wanted):
    return [row for row in table if wanted.items() <= row.items()]


def test_its_spans_and_scores_are_the_packages():
    scope = scope_with("def spans(tags)", "def scores(predicted, gold)")
    draw = random.Random(1)
    for _ in range(300):
        sizes = [draw.randrange(1, 9) for _ in range(3)]
        gold, guess = ([draw.choices(TAGS, k=n) for n in sizes] for _ in range(2))
        assert [scope["spans"](tags) for tags in guess] == [*map(sv.data.tags_to_spans, guess)]
        score = sv.metrics.span_f1(guess, gold, strict=False)
        wanted = score.precision, score.recall, score.f1
        assert scope["scores"](guess, gold) == pytest.approx(wanted, abs=1e-12)


def test_its_features_and_its_tagger_are_the_studys():
    script, _ = study("15b_arguments")
    marks = {"MARKS": script.MARKS}
    scope = scope_with("def structural(words)", "ENDINGS = (", "class Tagger(nn.Module)", **marks)
    for paragraph in sv.data.load("arguments").val[:6]:
        words = paragraph.words
        assert torch.equal(scope["structural"](words), script.structural(words))
        assert torch.equal(scope["lexical"](words), script.lexical(words))
    mine, theirs = (make(5, 7, 3).eval() for make in (scope["Tagger"], script.Tagger))
    mine.load_state_dict(theirs.state_dict())
    texts = [torch.randn(n, 5) for n in (4, 9, 1)]
    for task in range(2):
        torch.testing.assert_close(mine(texts, task), theirs(texts, task))


def test_a_text_is_tagged_alike_alone_and_beside_others():
    scope = scope_with("class Tagger(nn.Module)")
    net = scope["Tagger"](5, 7).double().eval()
    texts = [torch.randn(n, 5, dtype=torch.float64) for n in (4, 9, 1)]
    order = pack_sequence([torch.full((len(x),), k) for k, x in enumerate(texts)], False).data
    together = net(texts)
    for k, x in enumerate(texts):
        torch.testing.assert_close(together[order == k], net([x]), rtol=0, atol=1e-10)


def test_lambda_below_zero_is_refused():
    joint = scope_with("def joint(first, second, lam)")["joint"]
    assert joint(2.0, 3.0, 0) == 2.0
    assert joint(2.0, 3.0, 0.5) == 3.5
    with pytest.raises(ValueError, match=r"lam must be at least 0, got -0\.1"):
        joint(2.0, 3.0, -0.1)


def test_errors_are_sorted():
    errors = scope_with("def spans(tags)", Counter=Counter)
    exec(NOTEBOOK.cell("def errors(predicted, gold)").split("\n\n\nfor ")[0], errors)
    gold = [["B-THE", "I-THE", "O", "B-PRO", "I-PRO", "O", "B-CON", "I-CON", "O", "O", "B-PRO"]]
    guess = [["B-THE", "I-THE", "O", "B-PRO", "O", "O", "B-PRO", "I-PRO", "B-CON", "O", "O"]]
    wanted = {"right": 1, "boundary": 1, "kind": 1, "invented": 1, "missed": 1}
    assert errors["errors"](guess, gold) == wanted
    assert errors["errors"](gold, gold) == {"right": 4, "missed": 0}


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "to_tags", sv.checks.to_tags),
        ("### Exercise 2", "span_scores", sv.checks.span_scores),
        ("### Exercise 3", "joint_gradients", sv.checks.joint_gradients),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch})


def test_the_table_holds_every_run():
    script, table = study("15b_arguments")
    assert [script.key_of(row) for row in table] == [script.key_of(run) for run in script.runs()]
    for row in table:
        assert {k: row[k] for k in script.TRAINING} == {
            k: str(v) for k, v in script.TRAINING.items()
        }


def test_what_words_mean_carries_and_cues_do_not():
    _, table = study("15b_arguments")
    f1 = {
        (name, scenario): mean(
            where(table, experiment="features", features=name, scenario=scenario, paragraphs="48")
        )
        for name in ("hand-made", "embeddings", "both")
        for scenario in ("within", "across")
    }
    assert min(f1[name, "within"] for name in ("hand-made", "embeddings", "both")) > 0.85
    assert f1["hand-made", "across"] < 0.1
    assert f1["embeddings", "across"] > f1["hand-made", "across"] + 0.3
    assert abs(f1["both", "across"] - f1["embeddings", "across"]) < 0.1


def test_the_clean_list_helps_a_spoilt_one_does_not_and_the_control_hurts():
    _, table = study("15b_arguments")
    alone = where(
        table, experiment="features", features="embeddings", scenario="across", paragraphs="48"
    )
    f1 = {
        name: mean(where(table, experiment="tasks", auxiliary=name, **{"lambda": "1.0"}))
        for name in ("stance", "noisy", "quarter", "shuffled")
    }
    assert f1["stance"] > mean(alone) + 0.2
    assert abs(f1["noisy"] - mean(alone)) < 0.05
    assert mean(alone) < f1["quarter"] < f1["stance"] - 0.15
    assert f1["shuffled"] < mean(alone) - 0.05


def test_the_list_is_an_answer_key_and_how_much_of_it_is_spoilt():
    data = sv.data.load("arguments")
    found = Counter(
        (sign, tag[2:])
        for paragraph in data.train
        for sign, tag in zip(paragraph.stance, paragraph.bio, strict=True)
        if sign
    )
    assert found == {(1, "PRO"): 1251, (-1, "CON"): 939}
    script, _ = study("15b_arguments")
    arguments = object.__new__(script.Arguments)
    arguments.data = data
    true = arguments.stances("stance", 0)
    for seed in range(2):
        spoilt = {name: arguments.stances(name, seed) for name in ("noisy", "quarter", "shuffled")}
        listed = [word for word, answer in true.items() if answer]
        assert len(listed) == 156
        noisy = Counter((spoilt["noisy"][w] > 0) + (spoilt["noisy"][w] == true[w]) for w in listed)
        assert noisy == {0: 31, 1: 31, 2: 94}  # missing, wrong, right
        for name, of in spoilt.items():
            assert sorted(of) == sorted(true)
            if name == "noisy":
                assert not any(of[w] for w in true if not true[w])
            else:
                assert sorted(of.values()) == sorted(true.values())
        changed = sum(spoilt["quarter"][w] != true[w] for w in true)
        assert 0 < changed <= 0.25 * len(true) < sum(spoilt["shuffled"][w] != true[w] for w in true)


def test_accuracy_hides_what_span_f1_shows():
    _, table = study("15b_arguments")
    for row in where(table, experiment="names", features="shape"):
        assert float(row["accuracy"]) > float(row["f1"]) + 0.15


def test_the_deck_prints_an_f1_that_its_own_precision_and_recall_do_not_give():
    wrong = []
    for row in sv.data.history("keyphrases"):
        P, R, f1 = (float(row[name]) for name in ("precision", "recall", "f1"))
        if abs(2 * P * R / (P + R) - f1) > 0.012:  # more than rounding can do
            wrong.append((row["method"], row["spans"], f1, round(2 * P * R / (P + R), 2)))
    assert wrong == [
        ("BiLSTM + Hyperlinks", "labelled", 41.13, 45.49),
        ("BiLSTM + Super-sense", "unlabelled", 63.93, 63.96),
    ]


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("15b_arguments")
    torch.set_num_threads(1)
    old = any_row(table)
    vectors = script.Vectors()
    run = next(run for run in script.runs() if script.key_of(run) == script.key_of(old))
    new = script.row_of(run, script.Arguments(vectors), script.Names(vectors))
    assert float(new["f1"]) == pytest.approx(float(old["f1"]), abs=0.1), old
