import math

import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def mean_at(h, words):
    return (h * words.unsqueeze(2)).sum(dim=1) / words.unsqueeze(2).sum(dim=1)


def inside(attention_mask):
    cls = attention_mask.argmax(dim=1)
    sep = cls + attention_mask.sum(dim=1) - 1
    return attention_mask.scatter(1, torch.stack([cls, sep], dim=1), 0)


def right_mean(h, attention_mask):
    return mean_at(h, inside(attention_mask))


def mean_by_text(h, attention_mask):
    return torch.stack([x[m.bool()][1:-1].mean(0) for x, m in zip(h, attention_mask, strict=True)])


def mean_by_product(h, attention_mask):
    words = attention_mask * (attention_mask.cumsum(1) > 1)
    words = words * (words.cumsum(1) < words.sum(1, keepdim=True))
    weights = words / words.sum(1, keepdim=True)
    return (weights.to(h.dtype).unsqueeze(1) @ h).squeeze(1)


def right_labels(words, tags):
    labels, before = [], -1
    for word in words.tolist():
        labels.append(int(tags[word]) if word not in (-1, before) else -100)
        before = word
    return labels


def labels_by_mask(words, tags):
    first = (words >= 0) & (words != words.roll(1))
    return torch.where(first, tags[words], -100)


def right_score(margin, f1, has_answer):
    scores = []
    for threshold in [-math.inf, *margin.tolist()]:
        answered = margin > threshold
        scores.append(torch.where(answered, f1, 1.0 - has_answer.to(f1)).mean())
    return torch.stack(scores).max()


def score_by_loops(margin, f1, has_answer):
    best = 0.0
    for threshold in {-1e9, *margin.tolist()}:
        total = 0.0
        for m, f, has in zip(margin.tolist(), f1.tolist(), has_answer.tolist(), strict=True):
            total += f if m > threshold else float(not has)
        best = max(best, total / len(margin))
    return best


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.word_mean, right_mean),
        (checks.word_mean, mean_by_text),
        (checks.word_mean, mean_by_product),
        (checks.piece_labels, right_labels),
        (checks.piece_labels, labels_by_mask),
        (checks.best_threshold_score, right_score),
        (checks.best_threshold_score, score_by_loops),
    ],
)
def test_right_answers_are_accepted(check, answer):
    accept(check, answer)


def by_first_row(h, attention_mask):
    sizes = attention_mask.sum(1).tolist()
    rows = h if attention_mask[0, 0] else h.flip(1)
    return torch.stack([x[1 : n - 1].mean(0) for x, n in zip(rows, sizes, strict=True)])


def by_tag(words, tags):
    """Two words side by side may have the same tag."""
    of_piece = torch.where(words >= 0, tags[words], -100)
    return of_piece.where(of_piece != of_piece.roll(1), -100)


def on_a_grid(margin):
    return [margin.min() - 1, *torch.linspace(margin.min(), margin.max(), 1000)]


def every_piece(words, tags):
    return torch.where(words >= 0, tags[words], -100)


def last_pieces(words, tags):
    return torch.where((words >= 0) & (words != words.roll(-1)), tags[words], -100)


def with_marks(words, tags):
    return torch.where((words < 0) | (words != words.roll(1)), tags[words], -100)


def in_order(words, tags):
    left = iter(tags.tolist())
    first = (words >= 0) & (words != words.roll(1))
    return torch.tensor([next(left) if one else -100 for one in first.tolist()])


def rest_is(number):
    def student(words, tags):
        labels = labels_by_mask(words, tags)
        return labels.where(labels != -100, number)

    return student


def among(thresholds):
    def student(margin, f1, has_answer):
        silent = 1.0 - has_answer.to(f1)
        found = [torch.where(margin > t, f1, silent).mean() for t in thresholds(margin)]
        return torch.stack(found).max()

    return student


def one_by_one(margin, f1, has_answer):
    silent = 1.0 - has_answer.to(f1)
    score = best = f1.sum()
    for k in margin.argsort(stable=True).tolist():
        score = score + silent[k] - f1[k]
        best = torch.maximum(best, score)
    return best / len(f1)


def one_by_one_from_above(margin, f1, has_answer):
    silent = 1.0 - has_answer.to(f1)
    score = best = silent.sum()
    for k in margin.argsort(stable=True, descending=True).tolist():
        score = score + f1[k] - silent[k]
        best = torch.maximum(best, score)
    return best / len(f1)


def each_its_best(margin, f1, has_answer):
    return torch.maximum(f1, 1.0 - has_answer.to(f1)).mean()


def no_reward(margin, f1, has_answer):
    return torch.stack([torch.where(margin > t, f1, 0).mean() for t in [-9, *margin]]).max()


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (checks.word_mean, lambda h, m: h.mean(1), "padding is in the mean"),
        (checks.word_mean, lambda h, m: h[:, 1:-1].mean(1), "not those of each text"),
        (checks.word_mean, mean_at, "[CLS] and [SEP] are in the mean"),
        (checks.word_mean, lambda h, m: mean_at(h, m * (m.cumsum(1) > 1)), "[SEP] is in the mean"),
        (
            checks.word_mean,
            lambda h, m: mean_at(h, m * (m.cumsum(1) < m.sum(1, keepdim=True))),
            "[CLS] is in the mean",
        ),
        (
            checks.word_mean,
            lambda h, m: (h * inside(m)[..., None]).sum(1) / m.sum(1)[:, None],
            "left out of the sum, but counted",
        ),
        (checks.word_mean, lambda h, m: (h * inside(m)[..., None]).mean(1), "by all places"),
        (checks.word_mean, lambda h, m: (h * inside(m)[..., None]).sum(1), "this is the sum"),
        (
            checks.word_mean,
            lambda h, m: (h * inside(m)[..., None]).sum(1) / inside(m).sum(),
            "the words of the whole batch",
        ),
        (checks.word_mean, by_first_row, "3 texts of 5 places is off by"),
        (checks.word_mean, lambda h, m: h[:, 0], "the vector at the first place"),
        (checks.word_mean, lambda h, m: mean_at(h, 1 - m), "wrong way round"),
        (
            checks.word_mean,
            lambda h, m: h.masked_fill(inside(m)[..., None] == 0, -math.inf).amax(1),
            "the largest number",
        ),
        (checks.word_mean, lambda h, m: h.mean(2), "over the hidden numbers"),
        (checks.word_mean, lambda h, m: right_mean(h, m)[:, None], "one dimension too many"),
        (checks.word_mean, lambda h, m: h.mul_(m[..., None]).sum(1), "changed its input h"),
        (checks.piece_labels, every_piece, "all pieces of a word are labelled"),
        (checks.piece_labels, last_pieces, "the last piece of a word"),
        (checks.piece_labels, with_marks, "takes the last tag"),
        (checks.piece_labels, by_tag, "first at [4]: got -100, expected 2"),
        (checks.piece_labels, rest_is(0), "0 is a tag"),
        (checks.piece_labels, rest_is(-1), "must be -100"),
        (checks.piece_labels, in_order, "begin with a later word"),
        (checks.piece_labels, lambda w, t: labels_by_mask(w, t).float(), "whole numbers"),
        (checks.best_threshold_score, among(lambda m: m), "everything is answered is missing"),
        (
            checks.best_threshold_score,
            among(lambda m: [-9, *m[m < m.max()]]),
            "nothing is answered is missing",
        ),
        (checks.best_threshold_score, among(on_a_grid), "of 7 questions"),
        (checks.best_threshold_score, among(lambda m: [-100, *m]), "of 1 questions"),
        (checks.best_threshold_score, among(lambda m: [0]), "the score at threshold 0"),
        (checks.best_threshold_score, lambda m, f, has: f.mean(), "everything is answered"),
        (checks.best_threshold_score, among(lambda m: [99]), "nothing is answered"),
        (checks.best_threshold_score, one_by_one, "equal margin"),
        (checks.best_threshold_score, one_by_one_from_above, "equal margin"),
        (checks.best_threshold_score, each_its_best, "one threshold for all"),
        (checks.best_threshold_score, no_reward, "silence scores 1"),
        (
            checks.best_threshold_score,
            lambda m, f, has: right_score(m, f, has) * len(m),
            "this is the sum",
        ),
    ],
)
def test_wrong_answers_are_refused_by_their_slip(check, answer, words):
    refuse(check, answer, words)


@pytest.mark.parametrize(
    "check", [checks.word_mean, checks.piece_labels, checks.best_threshold_score]
)
def test_a_stub_is_called_unsolved(check):
    def stub(*given):
        return None

    verdict = check(stub)
    assert not verdict
    assert "not solved yet" in verdict.message
