import math
from collections import Counter

import pytest
import torch
from sacrebleu.metrics import BLEU

from seqviz import checks


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


def test_right_answers_pass():
    for answer in (right_step, step_by_sorting):
        assert checks.beam_step(answer)
    for answer in (right_parts, parts_by_index):
        assert checks.bleu_parts(answer)
    for answer in (right_decode, decode_by_for):
        assert checks.greedy_decode(answer)


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


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda s, p, k: right_step(0 * s, p, k), "so far are missing"),
        (lambda s, p, k: right_step(s, p.exp(), k), "probabilities were added"),
        (lambda s, p, k: [x.flip(0) for x in right_step(s, p, k)], "the worst comes first"),
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
        (lambda s, p, k: right_step(s, p, k)[:2], "three tensors"),
        (lambda s, p, k: None, "not solved yet"),
    ],
)
def test_a_wrong_beam_step_fails_with_its_cause(wrong, words):
    verdict = checks.beam_step(wrong)
    assert not verdict
    assert words in verdict.message


def test_a_step_that_knows_three_hypotheses_only_fails():
    def student(scores, log_p, k):
        if len(scores) == 1:
            return torch.zeros(k), torch.arange(k), log_p[0, :k] + scores
        return right_step(scores, log_p, k)

    assert "(n=1, k=2)" in checks.beam_step(student).message


def with_precisions(clip):
    def student(hypothesis, references):
        rows = []
        for n in range(1, 5):
            counts = [grams(words, n) for words in references]
            found = grams(hypothesis, n)
            rows.append(sum(clip(g, t, counts) for g, t in found.items()) / found.total())
        return rows, right_parts(hypothesis, references)[1]

    return student


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
        (lambda h, refs: None, "not solved yet"),
    ],
)
def test_wrong_parts_of_bleu_fail_with_their_cause(wrong, words):
    verdict = checks.bleu_parts(wrong)
    assert not verdict
    assert words in verdict.message


def decode(begin=(), keep=lambda ids: ids, carry=True, feed=True, take="argmax", end=True, more=0):
    def student(step, state, start, stop, most):
        ids, word = list(begin), start
        for _ in range(most + more):
            logits, new = step(torch.tensor([word if feed else start]), state)
            state = new if carry else state
            word = getattr(logits, take)(dim=1).item()
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
        (decode(carry=False), "the state of the step before"),
        (decode(feed=False), "the id just written"),
        (decode(take="argmin"), "least probable"),
        (decode(more=1000), "runs on: stop after 4 ids"),
        (lambda *given: 3, "expected a list"),
        (lambda *given: None, "not solved yet"),
    ],
)
def test_a_wrong_decoder_fails_with_its_cause(wrong, words):
    verdict = checks.greedy_decode(wrong)
    assert not verdict
    assert words in verdict.message


@pytest.mark.parametrize("answer", [3, [None], "abc", {}, object(), [[1.0], [1.0, 2.0]]])
def test_an_answer_of_a_wrong_type_gives_a_verdict(answer):
    assert "three tensors" in checks.beam_step(lambda *given: answer).message
    assert not checks.bleu_parts(lambda *given: answer)
    assert not checks.greedy_decode(lambda *given: answer)
    for place in range(3):

        def student(*given, place=place):
            result = list(right_step(*given))
            result[place] = answer
            return result

        assert not checks.beam_step(student)
    assert not checks.bleu_parts(lambda *given: (answer, right_parts(*given)[1]))
    assert not checks.bleu_parts(lambda *given: (right_parts(*given)[0], answer))


def test_an_input_changed_in_place_is_wrong():
    def overwritten(scores, log_p, k):
        log_p += scores[:, None]
        return right_step(0 * scores, log_p, k)

    verdict = checks.beam_step(overwritten)
    assert not verdict
    assert "changed its input log_p in place" in verdict.message


def test_an_error_in_the_students_code_keeps_its_traceback():
    with pytest.raises(RuntimeError):
        checks.beam_step(lambda scores, log_p, k: scores + log_p)
    with pytest.raises(KeyError):
        checks.greedy_decode(lambda *given: {}["a"])


@pytest.mark.parametrize(("by", "passes"), [(1e-12, True), (1e-6, False)])
def test_the_tolerance(by, passes):
    def student(scores, log_p, k):
        parent, token, score = right_step(scores, log_p, k)
        return parent, token, score + by

    assert bool(checks.beam_step(student)) == passes


def test_places_that_are_no_whole_numbers_are_refused():
    def student(scores, log_p, k):
        score, place = (scores[:, None] + log_p).flatten().topk(k)
        return place / log_p.shape[1], place % log_p.shape[1], score

    verdict = checks.beam_step(student)
    assert not verdict
    assert "// and not /" in verdict.message
    exact = checks.beam_step(
        lambda *given: (right_step(*given)[0].double(), *right_step(*given)[1:])
    )
    assert "holds torch.float64" in exact.message
