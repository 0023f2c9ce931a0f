"""lens: the output layer laid on each state, its last row the model's own answer."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import nn

import seqviz as sv
from tests.intervention.streams import CASES, IDS, PAIR, Mix, Twice, Words, albert, made, run
from tests.refusing import refused

torch.set_num_threads(1)


def lens(model, ids=IDS, **more):
    given = {"input_ids": ids, **more} if hasattr(model, "config") else more
    return sv.lens(model, *(() if hasattr(model, "config") else (ids,)), **given)


def behind(name, model, state):
    """What the model makes of a state that its last block gave."""
    with torch.no_grad():
        if name == "GPT-2":
            return model.lm_head(model.transformer.ln_f(state))
        if name == "Llama":
            return model.lm_head(model.model.norm(state))
        if name == "sv BERT":
            return model.predictions(state, model.bert.embeddings.word_embeddings.weight)
        if name == "sv GPT":
            return model.logits(model.norm(state))
        return model.out(model.norm(state))


@pytest.mark.parametrize("name", [name for name in CASES if name != "T5, encoder"])
def test_the_last_row_is_the_models_answer_and_each_row_a_states(name):
    model, case = made(name), CASES[name]
    plain = run(model, IDS, **case.more)
    with sv.record(model, keep="states") as rec:
        run(model, IDS, **case.more)
    found = lens(model, **case.more).logits
    assert found.dims == ("layer", "batch", "time", "word")
    assert found.labels["layer"] == ("embeddings", *map(str, range(case.blocks)))
    np.testing.assert_allclose(found.at(layer=-1), plain, rtol=0, atol=1e-6)
    states = rec.states[case.stack][0].values
    assert np.abs(found.values[0] - found.values[-1]).max() > 1e-3
    if name in ("GPT-2", "Llama", "sv BERT", "sv GPT", "own list", "torch encoder"):
        expected = [behind(name, model, torch.tensor(row)) for row in states]
        np.testing.assert_allclose(found.values, torch.stack(expected), rtol=0, atol=1e-6)
    np.testing.assert_array_equal(run(model, IDS, **case.more), plain)


def test_the_control_is_the_same_blocks_in_another_order():
    model = made("own list")
    order = [id(block) for block in model.blocks]
    controls = [lens(model, shuffled=seed).logits.values for seed in range(8)]
    assert [id(block) for block in model.blocks] == order
    plain = lens(model).logits.values
    for control in controls:
        np.testing.assert_array_equal(control[0], plain[0])
        assert np.abs(control - plain).max() > 1e-3
    turned = Words(nn.ModuleList(list(model.blocks)[::-1])).eval()
    turned.words, turned.out = model.words, model.out
    expected = lens(turned).logits.values
    assert any(np.array_equal(control, expected) for control in controls)


def tokenizer(size=40):
    known = {"[UNK]": 0, **{f"w{k}": k for k in range(1, size)}}
    made = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return made


def test_words():
    found = lens(made("GPT-2"))
    words = found.words(tokenizer(), k=3, item=1)
    assert (len(words), len(words[0]), len(words[0][0])) == (3, 6, 3)
    chances = torch.tensor(found.logits.values[2, 1, 4]).softmax(-1)
    best = chances.argsort(descending=True)[:3].tolist()
    assert [word for word, _ in words[2][4]] == [f"w{k}" for k in best]
    assert [chance for _, chance in words[2][4]] == pytest.approx(chances[best].tolist())
    with pytest.raises(FrozenInstanceError):
        found.logits = None


def test_other_answers():
    torch.manual_seed(0)
    classifier = sv.nn.BERTForSequenceClassification(sv.nn.BERT(40, 16, 2, 4, 12, 9), 3).eval()
    found = lens(classifier).logits
    assert (found.dims, found.shape) == (("layer", "batch", "word"), (3, 2, 3))
    assert lens(made("BERT")).logits.shape == (3, 2, 6, 16)  # no output layer: its last state
    assert lens(made("own list"), IDS[:1, :1]).logits.shape == (4, 1, 1, 40)
    assert lens(albert().eval()).logits.shape == (4, 2, 6, 40)


def test_what_is_wrong_is_named():
    gpt, torn = made("GPT-2"), nn.Sequential(nn.Embedding(40, 4), nn.Linear(4, 3)).eval()

    class Noisy(Words):
        def forward(self, ids):
            self.runs = getattr(self, "runs", 0) + 1
            return super().forward(ids) * self.runs

    class Siamese(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = made("own list")

        def forward(self, ids):
            return self.net(ids) + self.net(ids.flip(1))

    refused(ValueError, {
        "call model.eval": lambda: lens(gpt.train()),
        "its blocks cannot be told.*found no list": lambda: lens(torn),
        "'blocks' are one module, 'blocks.0', which has no": lambda: lens(
            Twice().eval(), shuffled=0
        ),
        "run 2 times in one call": lambda: lens(Siamese().eval()),
        "tokenizer has 90 words, and the model gives 40 numbers": lambda: lens(
            gpt.eval()
        ).words(tokenizer(90)),
        "batch must be a number below 2": lambda: lens(gpt.eval()).words(tokenizer(), item=2),
        "k must be at least 1": lambda: lens(gpt.eval()).words(tokenizer(), k=0),
        "shuffled must be at least 0": lambda: lens(gpt.eval(), shuffled=-1),
    })  # fmt: skip
    refused(TypeError, {"model must be a torch module": lambda: sv.lens("gpt2", IDS)})
    noisy = Noisy(nn.ModuleList(Mix() for _ in range(2))).eval()
    refused(AssertionError, {"the last row is not what the model says": lambda: lens(noisy)})
    assert lens(made("T5"), **PAIR).logits.shape == (3, 2, 4, 40)
