import math

import pytest
import torch
from sacrebleu.metrics import BLEU

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_step = of_lectures()["beam_step"]
right_parts = of_lectures()["bleu_parts"]
right_decode = of_lectures()["greedy_decode"]


def step_by_sorting(scores, log_p, k):
    rows = [
        (float(scores[i] + log_p[i, j]), i, j)
        for i in range(len(scores))
        for j in range(log_p.shape[1])
    ]
    best = sorted(rows, reverse=True)[:k]
    return [torch.tensor([row[place] for row in best]) for place in (1, 2, 0)]


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


def decode_by_for(step, state, start, stop, most):
    ids = [torch.tensor(start)]
    for _ in range(most):
        logits, state = step(ids[-1].view(1), state)
        ids.append(logits[0].topk(1).indices[0])
        if ids[-1] == stop:
            break
    return torch.stack(ids[1:])


def test_right_answers_pass():
    for check, answer in (
        (checks.beam_step, step_by_sorting),
        (checks.bleu_parts, parts_by_index),
        (checks.greedy_decode, decode_by_for),
    ):
        accept(check, answer)


def test_the_right_parts_are_sacrebleus():
    hypothesis = "the law was signed by the minister"
    references = ["the law was signed in august", "it was by the minister"]
    precisions, brevity = right_parts(hypothesis.split(), [text.split() for text in references])
    score = BLEU(tokenize="none", force=True, smooth_method="none").corpus_score(
        [hypothesis], [[text] for text in references]
    )
    assert score.precisions == pytest.approx([100 * p for p in precisions])
    assert score.bp == pytest.approx(brevity)


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


def test_a_wrong_decoder_fails_with_its_cause():
    for wrong, words in (
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
        (
            lambda step, state, begin, _, most: right_decode(step, state, begin, 1, most),
            "of a sentence that ",
        ),
    ):
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
