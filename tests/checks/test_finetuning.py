import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def mean_by_text(h, attention_mask):
    return torch.stack([x[m.bool()][1:-1].mean(0) for x, m in zip(h, attention_mask, strict=True)])


def mean_by_product(h, attention_mask):
    words = attention_mask * (attention_mask.cumsum(1) > 1)
    words = words * (words.cumsum(1) < words.sum(1, keepdim=True))
    weights = words / words.sum(1, keepdim=True)
    return (weights.to(h.dtype).unsqueeze(1) @ h).squeeze(1)


def labels_by_mask(words, tags):
    first = (words >= 0) & (words != words.roll(1))
    return torch.where(first, tags[words], -100)


def score_by_loops(margin, f1, has_answer):
    best = 0.0
    for threshold in {-1e9, *margin.tolist()}:
        total = 0.0
        for m, f, has in zip(margin.tolist(), f1.tolist(), has_answer.tolist(), strict=True):
            total += f if m > threshold else float(not has)
        best = max(best, total / len(margin))
    return best


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.word_mean, mean_by_text),
        (checks.word_mean, mean_by_product),
        (checks.piece_labels, labels_by_mask),
        (checks.best_threshold_score, score_by_loops),
    ):
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


def among(thresholds):
    def student(margin, f1, has_answer):
        silent = 1.0 - has_answer.to(f1)
        found = [torch.where(margin > t, f1, silent).mean() for t in thresholds(margin)]
        return torch.stack(found).max()

    return student


def test_wrong_answers_are_refused_by_their_slip():
    for check, answer, words in (
        (checks.word_mean, by_first_row, "3 texts of 5 places is off by"),
        (checks.piece_labels, by_tag, "first at [4]: got -100, expected 2"),
        (checks.best_threshold_score, among(on_a_grid), "of 7 questions"),
        (checks.best_threshold_score, among(lambda m: [-100, *m]), "of 1 questions"),
    ):
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
