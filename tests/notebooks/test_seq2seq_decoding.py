"""What notebook 07 promises beyond running: its loops, its solutions and its tables hold."""

import csv
import math
import random
from collections import Counter
from itertools import product

import pytest
import torch

import seqviz as sv
from tests.notebooks.parts import NOTEBOOKS, Notebook, any_row, study

NOTEBOOK = Notebook("07_seq2seq_decoding")


def scope_with(*starts):
    """The notebook's own names, from the cells that begin so."""
    scope = {"math": math, "torch": torch, "sv": sv, "Counter": Counter, "product": product}
    for start in starts:
        exec(NOTEBOOK.cell(start), scope)
    return scope


def test_the_loops_are_the_packages_seq2seq():
    scope = scope_with("def encode(words")
    torch.manual_seed(0)
    model = sv.nn.Seq2Seq(11, 9, 5, 7, cell="RNN", attention=None).double()
    source, target = torch.tensor([[5, 8, 3, 10, 4]]), torch.tensor([[1, 3, 6, 8, 2]])

    def weights(part):
        rnn = part.rnn
        b = rnn.bias_ih_l0 + rnn.bias_hh_l0
        return part.embedding.weight, rnn.weight_ih_l0, rnn.weight_hh_l0, b

    s = c = scope["encode"](source[0], *weights(model.encoder))
    output, losses = model.decoder.output, []
    for word, after in zip(target[0, :-1], target[0, 1:], strict=True):
        logits, s = scope["decode_step"](
            word, s, c, *weights(model.decoder), output.weight, output.bias
        )
        losses.append(-logits.log_softmax(dim=0)[after])
    mine = torch.stack(losses).mean()
    theirs = torch.nn.functional.cross_entropy(model(source, target[:, :-1])[0], target[0, 1:])
    torch.testing.assert_close(mine, theirs, rtol=0, atol=1e-10)
    for one, other in zip(
        torch.autograd.grad(mine, [*model.parameters()], retain_graph=True),
        torch.autograd.grad(theirs, [*model.parameters()]),
        strict=True,
    ):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-10)


def test_the_matrix_form_does_not_read_padding():
    scope = scope_with("def encode(words", "def encode_batch")
    torch.manual_seed(0)
    E, W, U, b = (torch.randn(n).double() for n in ((9, 4), (6, 4), (6, 6), (6,)))
    sentences = ([5, 8, 3, 4], [4], [7, 7, 1], [2, 6])
    ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(s) for s in sentences], batch_first=True)
    together = scope["encode_batch"](ids, E, W, U, b)
    for c, sentence in zip(together, sentences, strict=True):
        expected = scope["encode"](sentence, E, W, U, b)
        torch.testing.assert_close(c, expected, rtol=0, atol=1e-12)


def test_a_table_becomes_a_model():
    model_of = scope_with("def model_of")["model_of"]
    after = {
        "<START>": {"a": 0.5, "b": 0.25},
        "<START> a": {"b": 0.7},
        "<START> a b": {"a": 1.0},
    }
    step, names = model_of(after)
    assert names[:3] == ["<START>", "a", "b"]
    logits, state = step(torch.tensor([0]), None)
    p = logits.exp()[0]
    assert p[:3].tolist() == pytest.approx([0, 0.5, 0.25])
    assert p.sum().item() == pytest.approx(1)
    logits, state = step(torch.tensor([1]), state)
    assert logits.exp()[0, 2].item() == pytest.approx(0.7)
    assert logits.exp()[0, 1].item() == pytest.approx(0.3 / 101)  # one of those not named
    logits, state = step(torch.tensor([2]), state)
    assert logits.exp()[0, 1].item() == pytest.approx(1.0, abs=1e-6)
    logits, _ = step(torch.tensor([1]), state)  # beyond the table: any word
    assert logits.softmax(dim=1)[0, 1].item() == pytest.approx(1 / 102)


def test_the_slides_tree_is_replayed():
    scope = scope_with('SLIDE = """', "def beam_by_hand")
    assert scope["score"]["<START> he"] == -0.7  # both stand in the text of deck 002
    assert scope["score"]["<START> I"] == -0.9
    kept, tables = scope["beam_by_hand"](scope["after"], 2, 6)
    assert max(kept, key=kept.get) == "<START> he hit me with a pie"
    looked_at = {path: round(total, 1) for sums in tables for path, total in sums.items()}
    assert looked_at == {path: s for path, s in scope["score"].items() if path != "<START>"}


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_the_beam_by_hand_is_the_packages(k):
    scope = scope_with('SLIDE = """', "def beam_by_hand", "def model_of")
    draw = random.Random(k)
    paths = [" ".join(["<START>", *w]) for n in range(4) for w in product("abcd", repeat=n)]
    p = {}
    for path in paths:
        row = [draw.random() for _ in "abcd"]
        p[path] = {word: x / sum(row) for word, x in zip("abcd", row, strict=True)}
    kept, _ = scope["beam_by_hand"](p, k, 4)
    step, names = scope["model_of"](p)
    tree = sv.decoding.beam(step, [0], 4, width=k)
    mine = sorted(kept.items(), key=lambda entry: -entry[1])
    assert len(mine) == len(tree.hypotheses) == k
    for (path, total), theirs in zip(mine, tree.hypotheses, strict=True):
        assert path.split()[1:] == [names[i] for i in theirs.ids]
        assert total == pytest.approx(theirs.score, abs=1e-5)


def test_bleu_by_hand_is_sacrebleus():
    bleu_by_hand = scope_with("def ngrams")["bleu_by_hand"]
    draw, compared = random.Random(0), 0
    while compared < 50:
        right = [draw.choices("abcd", k=draw.randint(5, 12)) for _ in range(8)]
        guess = [
            draw.choices("abcd", k=draw.randint(4, 12)) if draw.random() < 0.5 else [*words, "a"]
            for words in right
        ]
        theirs = sv.metrics.bleu(guess, right)
        assert bleu_by_hand(guess, right) == pytest.approx(theirs, abs=1e-6)
        compared += 1


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "beam_step", sv.checks.beam_step),
        ("### Exercise 2", "bleu_parts", sv.checks.bleu_parts),
        ("### Exercise 3", "greedy_decode", sv.checks.greedy_decode),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, scope_with("def ngrams"))


def test_the_ensemble_averages_log_probabilities():
    script, _ = study("07_bottleneck")
    torch.manual_seed(0)
    models = [sv.nn.Seq2Seq(9, 7, 4, 6, attention=None).eval() for _ in range(2)]
    source, ids = torch.tensor([[5, 8, 3]]), torch.tensor([1])
    with torch.no_grad():
        states = tuple(model.encode(source) for model in models)
        log_p, after = script.together(models)(ids, states)
        each = [model.step(ids, state) for model, state in zip(models, states, strict=True)]
    mean = (each[0][0].log_softmax(1) + each[1][0].log_softmax(1)) / 2
    torch.testing.assert_close(log_p, mean)
    for state, (_, expected) in zip(after, each, strict=True):
        torch.testing.assert_close(state.hidden, expected.hidden)


def test_the_control_differs_in_where_c_comes_from_alone():
    """With one word in the source there is one h: the control is then the plain net."""
    script, rows = study("07_bottleneck")
    torch.manual_seed(0)
    plain, control = (
        sv.nn.Seq2Seq(213, 339, script.SETTINGS["embed_dim"], 128, **kind).double()
        for kind in ({"attention": None}, script.NETS["attention"])
    )
    added = control.load_state_dict(plain.state_dict(), strict=False)
    assert not added.unexpected_keys
    assert all(name.startswith("decoder.attention.") for name in added.missing_keys)
    target = torch.tensor([[1, 7, 8]])
    with torch.no_grad():
        for source, same in (([[5]], True), ([[5, 6]], False)):
            source = torch.tensor(source)
            assert torch.allclose(plain(source, target), control(source, target)) == same
    for net, model in (("plain", plain), ("attention", control)):
        counts = {int(r["parameters"]) for r in rows if r["net"] == net and r["nets"] == "1"}
        assert counts == {sum(p.numel() for p in model.parameters())}


def test_start_only_reads_c_once():
    script, _ = study("07_bottleneck")
    script.STEPS["start only"] = 3
    script.SETTINGS["batch_size"] = 8
    fit = script.trained("start only", 0.01, 0)
    weight = fit.model.decoder.rnn.weight_ih_l0
    assert (weight[:, script.SETTINGS["embed_dim"] :] == 0).all()
    assert (weight[:, : script.SETTINGS["embed_dim"]] != 0).any()


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, rows = study("07_bottleneck")
    seeds = len(script.RATES) + len(script.SEEDS) - 1
    assert len(rows) == seeds * (len(script.NETS) - 1) + len(script.SEEDS) + 1
    old = any_row([r for r in rows if r["nets"] == "1" and r["steps"] == "700"])
    new = script.row(old["net"], float(old["lr"]), int(old["seed"]))
    assert new.keys() == old.keys()
    where = {name: old[name] for name in ("net", "lr", "seed")}
    # another processor rounds otherwise, and 700 steps make more of it
    assert abs(float(new["test_exact"]) - float(old["test_exact"])) < 0.08, where
    assert abs(float(new["test_bleu"]) - float(old["test_bleu"])) < 6, where
    assert float(new["val_loss"]) == pytest.approx(float(old["val_loss"]), abs=0.2), where


@pytest.mark.slow
def test_a_row_of_the_search_comes_out_again():
    script, _ = study("07_bottleneck")
    with (NOTEBOOKS / "studies" / "07_search.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(script.SEARCHED) * len(script.SEEDS) * (2 * len(script.WIDTHS) - 1)
    script.WIDTHS = (1, 3)
    fit = script.trained("plain", 0.01, 0)
    for new in script.search("plain", 0, fit):
        wanted = {name: str(new[name]) for name in ("net", "seed", "width", "length_penalty")}
        (old,) = [r for r in table if all(r[name] == wanted[name] for name in wanted)]
        assert new.keys() == old.keys()
        assert float(new["bleu"]) == pytest.approx(float(old["bleu"]), abs=6), wanted
        assert float(new["at_least_greedy"]) == pytest.approx(
            float(old["at_least_greedy"]), abs=0.05
        ), wanted
