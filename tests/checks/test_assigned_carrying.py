"""The solutions of assignment A9 beside the package, and what its text says of their results."""

import numpy as np
import pytest
import torch
from scipy.stats import permutation_test

import seqviz as sv
from tests.checks.solutions import run_without_hidden_tests, solution


def test_shifted_ppmi_unshifted_is_notebook_14_s():
    X = torch.tensor([[0.0, 6, 1], [2, 4, 0], [5, 0, 3]])
    p = X / X.sum()
    expected = (p / (p.sum(1, keepdim=True) * p.sum(0))).log().clamp(min=0)
    torch.testing.assert_close(solution("shifted_ppmi")(X, 1, 1.0), expected)
    fewer, more = (solution("shifted_ppmi")(X, k, 0.75) for k in (1, 2))
    torch.testing.assert_close(more, (fewer - np.log(2)).clamp(min=0))


def test_ranks_without_ties_are_those_of_word_vectors():
    words, made = [*"abcdefghijkl"], torch.Generator().manual_seed(0)
    vectors = torch.randn(12, 5, generator=made)
    questions = torch.stack([torch.randperm(12, generator=made)[:4] for _ in range(20)])
    table = sv.nn.WordVectors(words, vectors)
    ranks, _ = solution("analogy_ranks")(vectors, questions)
    assert ranks.tolist() == [table.rank(*(words[k] for k in q)) for q in questions.tolist()]


def test_p_is_scipy_s():
    right, control = torch.tensor([61, 70, 66, 58, 73, 60]), torch.tensor([52, 72, 61, 60, 55, 57])
    more = ((right - control).numpy(),)
    exact = permutation_test(more, np.sum, permutation_type="samples", n_resamples=np.inf)
    assert solution("paired_gain")(right, control, 100)[2] == pytest.approx(exact.pvalue)


def test_joint_loss_is_that_of_the_package_s_head():
    torch.manual_seed(0)
    head = sv.nn.GPTForSequenceClassification(sv.nn.GPT(9, 8, 8, 1, 2), 3).double().eval()
    ids, lengths, labels = torch.randint(9, (4, 6)), torch.tensor([6, 2, 1, 4]), torch.arange(4) % 3
    h, padding = head.gpt.states(ids), torch.arange(6) >= lengths[:, None]
    given = head.gpt.logits(h), head.classifier(h), ids, padding, labels, 0.7
    expected = head.loss(ids, labels, lengths, lm_weight=0.7)
    torch.testing.assert_close(solution("joint_loss")(*given)[0], expected)


def test_tidy_tags_are_those_that_the_package_takes_for_true():
    tags = ["B-PRO", "I-CON", "O", "I-PRO", "B-CON"]
    z = 3 * torch.randn(20, 9, 5, generator=torch.Generator().manual_seed(0))
    for log_p in z.log_softmax(dim=2):
        found, score = solution("tidy_tags")(log_p, tags)
        assert sv.metrics.span_f1([found], [found]).f1 == 1  # refuses true tags that break the rule
        places = torch.tensor([tags.index(tag) for tag in found])
        assert score == pytest.approx(log_p.gather(1, places[:, None]).sum().item(), abs=1e-5)


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    names = run_without_hidden_tests("A9")
    best, alone = names["analogy_ranks"](names["table"], names["asked"])
    assert (best == 1).double().mean() > 0.8 > 0.6 > (alone == 1).double().mean() > 0.4
    by_text, control = names["found"], names["control"]
    for right, least in ((by_text["diaries"], 0.08), (by_text["reviews"], 0.18)):
        gain, _, p = names["paired_gain"](right, control, 1000)
        assert gain > least
        assert p == 2 / 2**8
    assert names["p"] > 0.1
    assert names["right"] > 850
    assert names["lm"] < 2.03
    assert names["there"] == [{"town"}] * 124
