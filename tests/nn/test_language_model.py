"""LanguageModel is the slide's: one-hot or embedding, RNN, softmax."""

import pytest
import torch
import torch.nn.functional as F

from seqviz.nn import LanguageModel

torch.set_num_threads(1)
CLOSE = {"rtol": 0, "atol": 1e-10}


@pytest.mark.parametrize("embedding_dim", [None, 3])
@pytest.mark.parametrize("learn_h_0", [False, True])
def test_matrices_make_the_model(embedding_dim, learn_h_0):
    model = LanguageModel(4, 6, embedding_dim, learn_h_0=learn_h_0).double()
    if learn_h_0:
        torch.nn.init.normal_(model.rnn.h_0)
    m = model.matrices()
    assert m["W_xh"].shape == (6, 4)
    assert m["W_hy"].shape == (4, 6)
    assert ("h_0" in m) == learn_h_0
    ids = torch.tensor([0, 1, 2, 2])
    h = m.get("h_0", torch.zeros(6, dtype=torch.float64))
    logits = []
    for i in ids:
        h = torch.tanh(m["W_hh"] @ h + m["W_xh"][:, i] + m["b"])
        logits.append(m["W_hy"] @ h + m["b_y"])
    torch.testing.assert_close(model(ids[:, None])[0][:, 0], torch.stack(logits), **CLOSE)
    m["W_hh"].zero_()
    assert model.rnn.weight_hh_l0.any(), "matrices() must be copies"


def test_step_by_step_is_the_whole_sequence():
    model = LanguageModel(5, 6, num_layers=2)
    ids = torch.randint(5, (7, 3))
    logits, last = model(ids)
    assert logits.shape == (7, 3, 5)
    state, steps = None, []
    for row in ids:
        step, state = model.step(row, state)
        steps.append(step)
    torch.testing.assert_close(torch.stack(steps), logits)
    torch.testing.assert_close(state, last)
    flat, _ = model(ids[:, 0])
    torch.testing.assert_close(flat, logits[:, 0])


def test_one_hot_is_an_embedding():
    model = LanguageModel(4, 6)
    x = F.one_hot(torch.tensor([2]), 4).float()
    assert torch.equal(F.linear(x, model.rnn.weight_ih_l0)[0], model.rnn.weight_ih_l0[:, 2])


@pytest.mark.parametrize(
    ("ids", "error", "words"),
    [
        (torch.tensor([[4]]), ValueError, "between 0 and 3 .vocabulary of 4 tokens., got 4"),
        (torch.tensor([[-1]]), ValueError, "got -1"),
        (torch.tensor([[1.0]]), TypeError, "torch.long tensor .*, got torch.float32"),
        ([[1]], TypeError, "got list"),
        (torch.zeros(0, 1).long(), ValueError, r"not empty, got shape \(0, 1\)"),
        (torch.tensor(1), ValueError, r"got shape \(\)"),
    ],
)
def test_wrong_ids(ids, error, words):
    with pytest.raises(error, match=words):
        LanguageModel(4, 6)(ids)


@pytest.mark.parametrize("options", [{"num_layers": 2}, {"nonlinearity": "relu"}])
def test_matrices_only_for_one_tanh_layer(options):
    with pytest.raises(ValueError, match="num_layers=1 and nonlinearity='tanh'"):
        LanguageModel(4, 6, **options).matrices()


def test_wrong_model_sizes():
    with pytest.raises(ValueError, match="embedding_dim must be at least 1, got 0"):
        LanguageModel(4, 6, 0)
    with pytest.raises(TypeError, match="vocab_size must be an integer"):
        LanguageModel("hello", 6)
