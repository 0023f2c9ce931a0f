"""LanguageModel is the slide's: one-hot or embedding, RNN, softmax."""

import pytest
import torch

from seqviz.nn import LanguageModel
from tests.refusing import refused

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


def test_what_does_not_fit():
    model = LanguageModel(4, 6)
    wrong = {
        "between 0 and 3 .vocabulary of 4 tokens., got 4": lambda: model(torch.tensor([[4]])),
        "got -1": lambda: model(torch.tensor([[-1]])),
        r"not empty, got shape \(0, 1\)": lambda: model(torch.zeros(0, 1).long()),
        r"got shape \(\)": lambda: model(torch.tensor(1)),
        "num_layers=1 and nonlin": lambda: LanguageModel(4, 6, num_layers=2).matrices(),
        "nonlinearity='tanh', got": lambda: LanguageModel(4, 6, nonlinearity="relu").matrices(),
    }
    refused(ValueError, wrong)
    wrong = {"torch.long tensor .*, got torch.float32": lambda: model(torch.tensor([[1.0]]))}
    refused(TypeError, wrong)
