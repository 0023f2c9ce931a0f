"""The visible checks of assignment A3, and its solutions beside the package."""

import pytest
import torch

import seqviz as sv
from seqviz import checks
from tests.checks.solutions import run_without_hidden_tests, solution
from tests.checks.styles import refuse


@pytest.mark.parametrize(
    ("ids_of", "rows_of", "words"),
    [
        (lambda ids: ids.tolist(), lambda rows: rows, "a tensor (n,) of torch.int64"),
        (lambda ids: ids[:, None], lambda rows: rows, "a tensor (n,) of torch.int64"),
        (lambda ids: ids, lambda rows: rows[:1], "one id for each row"),
        (lambda ids: ids, lambda rows: rows.tolist(), "select reads rows"),
        (lambda ids: ids, lambda rows: rows + 50, "not in the batch"),
    ],
)
def test_what_the_net_is_given_is_watched(ids_of, rows_of, words):
    def student(step, select, state, *rest):
        return solution("beam_search")(
            lambda ids, own: step(ids_of(ids), own),
            lambda own, rows: select(own, rows_of(rows)),
            state,
            *rest,
        )

    refuse(checks.beam_search, student, words)


def test_filtered_is_softmax_if_nothing_is_cut_off():
    scores = torch.randn(4, 9, dtype=torch.float64)
    torch.testing.assert_close(solution("filtered")(scores, 9, 1), scores.softmax(dim=1))
    best = solution("filtered")(scores, 3, 1)
    torch.testing.assert_close(best.topk(3).indices, scores.topk(3).indices)
    assert ((best > 0).sum(dim=1) == 3).all()


@pytest.fixture
def net():
    torch.manual_seed(3)
    net = sv.nn.Seq2Seq(12, 9, 8, 16, attention="dot").double()
    with torch.no_grad():
        net.decoder.output.weight.mul_(4)
        yield net


def searched(net, source, k, alpha, most=12):
    start, stop = 1, 2
    search = solution("beam_search")
    return search(net.step, net.select, net.encode(source), start, stop, k, alpha, most)


def test_a_beam_of_one_is_the_package_s_greedy(net):
    for source in torch.randint(4, 12, (6, 1, 5)):
        ids, score = searched(net, source, 1, 0.0)
        greedy = sv.decoding.greedy(net.step, [1], 12, state=net.encode(source), stop=2)
        assert ids == greedy[: len(ids)]
        log_p = net(source, torch.tensor([[1, *ids[:-1]]])).log_softmax(dim=2)[0]
        assert score == pytest.approx(log_p[torch.arange(len(ids)), ids].sum().item())


def test_a_beam_that_holds_all_finds_what_the_package_s_finds(net):
    for source in torch.randint(4, 12, (4, 1, 5)):
        ids, score = searched(net, source, 9**3, 0.0, 4)
        given = {"width": 9**4, "stop": 2, "select": net.select, "state": net.encode(source)}
        tree = sv.decoding.beam(net.step, [1], 4, **given)
        assert ids == tree.best
        assert score == pytest.approx(tree.hypotheses[0].score)


def test_no_beam_beats_the_exact_best():
    torch.manual_seed(5)
    for log_p in (2 * torch.randn(8, 7, 7).double()).log_softmax(dim=2):
        ids, score = solution("best_sentence")(log_p, 6, 0, 5)
        step = {"step": lambda ids, state, p=log_p: (p[ids], state), "prompt": [6], "length": 5}
        tree = sv.decoding.beam(**step, width=7**5, stop=0)
        assert ids == tree.best
        assert score == pytest.approx(tree.hypotheses[0].score)


def test_corpus_bleu_is_the_package_s_with_one_reference_each():
    pairs = sv.data.load("en-fr").test[:30]
    right = [list(pair.target) for pair in pairs]
    written = [[*words[:5], *words[6:]] for words in right]
    bleu = solution("corpus_bleu")(written, [[words] for words in right])
    assert bleu == pytest.approx(sv.metrics.bleu(written, right))


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    names = run_without_hidden_tests("A3")
    ends = {way: sum(map(len, texts)) for way, (texts, _) in names["written"].items()}
    bleu = {
        way: names["corpus_bleu"](texts, names["references"])
        for way, (texts, _) in names["written"].items()
    }
    assert ends[10, 0.0, False] < ends[3, 0.0, False] < ends[1, 0.0, False]
    assert bleu[3, 1.0, False] > bleu[3, 0.0, False] + 1
    assert bleu[3, 3.0, False] < bleu[3, 3.0, True] < bleu[3, 1.0, False] - 2
    assert names["blame"][3][0] <= 1
    assert names["blame"][3][1] > 80
