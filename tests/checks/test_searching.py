import math
from collections import Counter

import pytest
import torch
from sacrebleu.metrics import BLEU

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_step(scores, log_p, k):
    score, place = (scores[:, None] + log_p).flatten().topk(k)
    return place // log_p.shape[1], place % log_p.shape[1], score


def step_by_sorting(scores, log_p, k):
    rows = [
        (float(scores[i] + log_p[i, j]), i, j)
        for i in range(len(scores))
        for j in range(log_p.shape[1])
    ]
    best = sorted(rows, reverse=True)[:k]
    return [torch.tensor([row[place] for row in best]) for place in (1, 2, 0)]


def grams(words, n):
    return Counter(tuple(words[k : k + n]) for k in range(len(words) - n + 1))


def right_parts(hypothesis, references):
    precisions = []
    for n in range(1, 5):
        most = Counter()
        for words in references:
            most |= grams(words, n)
        found = grams(hypothesis, n)
        precisions.append((found & most).total() / found.total())
    c = len(hypothesis)
    r = min((abs(len(words) - c), len(words)) for words in references)[1]
    return precisions, 1.0 if c >= r else math.exp(1 - r / c)


def parts_by_index(hypothesis, references):
    precisions = torch.zeros(4, dtype=torch.float64)
    for n in range(1, 5):
        own = [" ".join(hypothesis[k : k + n]) for k in range(len(hypothesis) - n + 1)]
        theirs = [
            [" ".join(words[k : k + n]) for k in range(len(words) - n + 1)] for words in references
        ]
        hits = sum(min(own.count(g), max(other.count(g) for other in theirs)) for g in set(own))
        precisions[n - 1] = hits / len(own)
    gaps = sorted((abs(len(words) - len(hypothesis)), len(words)) for words in references)
    return precisions, torch.tensor(min(1.0, math.exp(1 - gaps[0][1] / len(hypothesis))))


def right_decode(step, state, start, stop, most):
    ids, word = [], start
    while len(ids) < most and word != stop:
        logits, state = step(torch.tensor([word]), state)
        word = logits.argmax(dim=1).item()
        ids.append(word)
    return ids


def decode_by_for(step, state, start, stop, most):
    ids = [torch.tensor(start)]
    for _ in range(most):
        logits, state = step(ids[-1].view(1), state)
        ids.append(logits[0].topk(1).indices[0])
        if ids[-1] == stop:
            break
    return torch.stack(ids[1:])


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.beam_step, right_step),
        (checks.beam_step, step_by_sorting),
        (checks.bleu_parts, right_parts),
        (checks.bleu_parts, parts_by_index),
        (checks.greedy_decode, right_decode),
        (checks.greedy_decode, decode_by_for),
    ],
)
def test_right_answers_pass(check, answer):
    accept(check, answer)


def test_the_first_of_two_equally_close_references_is_not_the_shorter():
    def student(hypothesis, references):
        precisions, _ = right_parts(hypothesis, references)
        r = min(map(len, references), key=lambda r: abs(r - len(hypothesis)))
        return precisions, min(1.0, math.exp(1 - r / len(hypothesis)))

    assert "take the shorter" in checks.bleu_parts(student).message


def test_the_right_parts_are_sacrebleus():
    hypothesis = "the law was signed by the minister"
    references = ["the law was signed in august", "it was by the minister"]
    precisions, brevity = right_parts(hypothesis.split(), [text.split() for text in references])
    score = BLEU(tokenize="none", force=True, smooth_method="none").corpus_score(
        [hypothesis], [[text] for text in references]
    )
    assert score.precisions == pytest.approx([100 * p for p in precisions])
    assert score.bp == pytest.approx(brevity)


def per_row(scores, log_p, k):
    best = (scores[:, None] + log_p).sort(dim=1, descending=True)
    parent = torch.arange(k) % len(scores)
    turn = torch.arange(k) // len(scores)
    return parent, best.indices[parent, turn], best.values[parent, turn]


def one_child_each(scores, log_p, k):
    """No hypothesis goes on twice, where there are as many as are kept."""
    if k > len(scores):
        return right_step(scores, log_p, k)
    total, token = (scores[:, None] + log_p).max(dim=1)
    score, parent = total.topk(k)
    return parent, token[parent], score


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda s, p, k: right_step(0 * s, p, k), "so far are missing"),
        (lambda s, p, k: right_step(s, p.exp(), k), "probabilities were added"),
        (lambda s, p, k: [x.flip(0) for x in right_step(s, p, k)], "the worst comes first"),
        (one_child_each, "(n=5, k=4)"),
        (lambda s, p, k: right_step(s, p, min(k, p.shape[1])), "(n=5, k=4) has shape (3,)"),
        (per_row, "the k best of all compete"),
        (lambda s, p, k: [right_step(s, p, k)[i] for i in (1, 0, 2)], "are exchanged"),
        (
            lambda s, p, k: ((s[:, None] + p).flatten().topk(k).indices, *right_step(s, p, k)[1:]),
            "divide by vocab",
        ),
        (
            lambda s, p, k: (
                right_step(s, p, k)[0],
                (s[:, None] + p).flatten().topk(k).indices,
                right_step(s, p, k)[2],
            ),
            "take the remainder",
        ),
        (
            lambda s, p, k: (*right_step(s, p, k)[:2], p[right_step(s, p, k)[:2]]),
            "the token's log-probability alone",
        ),
        (lambda s, p, k: (*right_step(s, p, k)[:2], right_step(s, p, k)[2].exp()), "logarithm"),
        (lambda s, p, k: right_step(s, p, k + 1), "expected (4,)"),
        (lambda s, p, k: right_step(s, p, k)[:2], "three things"),
        (
            lambda s, p, k: [*right_step(s, p[:, :5], k)[:2], right_step(s, p, k)[2]],
            "beam_step's token (n=1, k=5)",
        ),
    ],
)
def test_a_wrong_beam_step_fails_with_its_cause(wrong, words):
    refuse(checks.beam_step, wrong, words)


def test_a_step_that_knows_three_hypotheses_only_fails():
    def student(scores, log_p, k):
        if len(scores) == 1:
            return torch.zeros(k), torch.arange(k), log_p[0, :k] + scores
        return right_step(scores, log_p, k)

    assert "(n=1, k=5)" in checks.beam_step(student).message


def with_precisions(clip):
    def student(hypothesis, references):
        rows = []
        for n in range(1, 5):
            counts = [grams(words, n) for words in references]
            found = grams(hypothesis, n)
            rows.append(sum(clip(g, t, counts) for g, t in found.items()) / found.total())
        return rows, right_parts(hypothesis, references)[1]

    return student


def one_best_reference(hypothesis, references):
    """Clip all words by the one reference that gives the best share."""
    rows = []
    for n in range(1, 5):
        found = grams(hypothesis, n)
        rows.append(max((found & grams(words, n)).total() for words in references) / found.total())
    return rows, right_parts(hypothesis, references)[1]


def with_brevity(brevity):
    def student(hypothesis, references):
        lengths = [len(words) for words in references]
        return right_parts(hypothesis, references)[0], brevity(len(hypothesis), lengths)

    return student


def closest(c, lengths):
    return min(lengths, key=lambda r: (abs(r - c), r))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (with_precisions(lambda g, t, counts: t * any(c[g] for c in counts)), "is clipped"),
        (with_precisions(lambda g, t, counts: min(t, sum(c[g] for c in counts))), "the sum of all"),
        (with_precisions(lambda g, t, counts: min(t, counts[0][g])), "only the first reference"),
        (with_precisions(lambda g, t, counts: min(t, *(c[g] for c in counts), t)), "not least"),
        (
            lambda h, refs: (
                [100 * p for p in right_parts(h, refs)[0]],
                right_parts(h, refs)[1],
            ),
            "percent",
        ),
        (
            lambda h, refs: (
                [p * (len(h) - n) / len(h) for n, p in enumerate(right_parts(h, refs)[0])],
                right_parts(h, refs)[1],
            ),
            "not by its words",
        ),
        (with_brevity(lambda c, rs: math.exp(1 - closest(c, rs) / c)), "at most 1"),
        (with_brevity(lambda c, rs: min(1.0, math.exp(1 - c / closest(c, rs)))), "exchanged"),
        (with_brevity(lambda c, rs: min(1.0, c / closest(c, rs))), "exp(1 - r / c)"),
        (
            with_brevity(lambda c, rs: min(1.0, math.exp(1 - rs[0] / c))),
            "had 7 words",
        ),
        (
            with_brevity(lambda c, rs: min(1.0, math.exp(1 - min(rs) / c))),
            "to 10 has 11",
        ),
        (with_brevity(lambda c, rs: min(1.0, math.exp(1 - max(rs) / c))), "take the shorter"),
        (
            with_brevity(lambda c, rs: min(1.0, math.exp(1 - (max(rs) if c < 8 else 7) / c))),
            "as if the reference had 11 words; the closest to 4 has 6",
        ),
        (
            with_brevity(lambda c, rs: min(1.0, math.exp(1 - sum(rs) / len(rs) / c))),
            "had the mean length",
        ),
        (lambda h, refs: right_parts(h, refs)[0], "two things"),
        (one_best_reference, "not all by one best reference"),
    ],
)
def test_wrong_parts_of_bleu_fail_with_their_cause(wrong, words):
    refuse(checks.bleu_parts, wrong, words)


def appended_logits(step, state, start, stop, most):
    ids = []
    for _ in range(most):
        logits, state = step(torch.tensor([start]), state)
        ids.append(logits)
    return ids


def decode(
    begin=(),
    keep=lambda ids: ids,
    carry=True,
    feed=True,
    take="argmax",
    end=True,
    more=0,
    twice=True,
):
    def student(step, state, start, stop, most):
        ids, word = list(begin), start
        for _ in range(most + more):
            logits, new = step(torch.tensor([word if feed else start]), state)
            state = new if carry else state
            word = getattr(logits, take)(dim=1).item()
            if ids[-1:] == [word] and not twice:
                break
            ids.append(word)
            if word == stop and end:
                break
        return keep(ids)

    return student


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (decode(begin=[0]), "START is read, not written"),
        (decode(keep=lambda ids: ids[:-1] if ids[-1] == 1 else ids), "STOP belongs to the list"),
        (decode(end=False), "it goes on after STOP"),
        (decode(more=1), "it goes beyond the bound"),
        (decode(more=-1), "one more id fits"),
        (decode(twice=False), "gives [3], expected [3, 3"),
        (decode(carry=False), "the state of the step before"),
        (decode(feed=False), "the id just written"),
        (decode(take="argmin"), "least probable"),
        (decode(more=1000), "runs on: stop after 4 ids"),
        (lambda *given: 3, "expected a list"),
        (decode(feed=False, carry=False), "expected [3, 3, 4, 2, 1]"),
        (
            lambda step, *others: right_decode(lambda ids, state: step(ids.item(), state), *others),
            "step reads one id, a tensor of shape (1,) and type torch.int64; it was given int",
        ),
        (lambda step, state, *others: right_decode(step, None, *others), "takes the state that"),
        (appended_logits, "a list with a Tensor of shape (1, 7) in it"),
        (
            lambda step, state, _, stop, most: right_decode(step, state, 0, stop, most),
            "reads is start",
        ),
        (lambda step, state, begin, _, most: right_decode(step, state, begin, 1, most), "gives []"),
    ],
)
def test_a_wrong_decoder_fails_with_its_cause(wrong, words):
    refuse(checks.greedy_decode, wrong, words)


def test_places_that_are_no_whole_numbers_are_refused():
    def student(scores, log_p, k):
        score, place = (scores[:, None] + log_p).flatten().topk(k)
        return place / log_p.shape[1], place % log_p.shape[1], score

    verdict = checks.beam_step(student)
    assert not verdict
    assert "// keeps numbers whole, / does not" in verdict.message
    exact = checks.beam_step(
        lambda *given: (right_step(*given)[0].double(), *right_step(*given)[1:])
    )
    assert "holds torch.float64" in exact.message
