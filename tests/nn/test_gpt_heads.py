"""A task on GPT with the language model beside it."""

import pytest
import torch
from torch.nn import functional as F

from seqviz.nn import GPT, GPTForSequenceClassification
from tests.refusing import refused

IDS = torch.tensor([[5, 9, 3, 7, 4], [8, 6, 2, 0, 0], [1, 0, 0, 0, 0]])
LENGTHS, LABELS = torch.tensor([5, 3, 1]), torch.tensor([2, 0, 1])


def model():
    torch.manual_seed(0)
    gpt = GPT(10, 8, 12, 2, 3)
    return GPTForSequenceClassification(gpt, 3).double().eval()


def test_the_head_reads_the_last_real_token():
    net = model()
    found = net(IDS, LENGTHS)
    for row, n in enumerate(LENGTHS.tolist()):
        h = net.gpt.states(IDS[row : row + 1, :n])
        torch.testing.assert_close(found.logits[row], net.classifier(h[0, -1]))
    torch.testing.assert_close(found.lm_logits, net.gpt(IDS))
    torch.testing.assert_close(net(IDS).logits[0], found.logits[0])


@pytest.mark.parametrize("weight", [0, 0.5, 2.0])
def test_the_loss_is_the_task_s_and_the_language_model_s(weight):
    net = model()
    found = net(IDS, LENGTHS)
    pairs = [(r, t) for r, n in enumerate(LENGTHS.tolist()) for t in range(n - 1)]
    lm = [F.cross_entropy(found.lm_logits[r, t], IDS[r, t + 1]) for r, t in pairs]
    expected = F.cross_entropy(found.logits, LABELS) + weight * torch.stack(lm).mean()
    torch.testing.assert_close(net.loss(IDS, LABELS, LENGTHS, weight), expected)


def test_texts_of_one_token_have_no_next_one():
    net = model()
    alone = F.cross_entropy(net(IDS[:, :1]).logits, LABELS)
    torch.testing.assert_close(net.loss(IDS[:, :1], LABELS), alone)


def test_bad_input_is_told():
    wrong = {
        "lengths must lie between 1 and": lambda: model()(IDS, LENGTHS - 1),
        "lengths must have one number": lambda: model()(IDS, LENGTHS[:2]),
        "lm_weight must": lambda: model().loss(IDS, LABELS, LENGTHS, -1),
    }
    refused(ValueError, wrong)
    wrong = {
        "gpt must be": lambda: GPTForSequenceClassification(torch.nn.Linear(2, 2), 3),
        "lengths must be whole numbers": lambda: model()(IDS, [5, 3, 1.5]),
    }
    refused(TypeError, wrong)
