"""Right answers in several styles, and each mistake that the checks of 15b name."""

import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

tags_by_slices = of_lectures()["to_tags"]
scores_by_sets = of_lectures()["span_scores"]


def tags_by_words(spans, length):
    def tag(t):
        for kind, start, end in spans:
            if start <= t < end:
                return ("B-" if t == start else "I-") + kind
        return "O"

    return tuple(tag(t) for t in range(length))


def tags_by_dict(spans, length):
    of = {}
    for kind, start, end in sorted(spans, key=lambda span: span[1]):
        of |= dict.fromkeys(range(start + 1, end), f"I-{kind}") | {start: f"B-{kind}"}
    return [of.get(t, "O") for t in range(length)]


def scores_by_loop(predicted, gold):
    right = found = wanted = 0
    for one, other in zip(predicted, gold, strict=True):
        found, wanted = found + len(one), wanted + len(other)
        for span in one:
            right += span in other
    ratios = ((right, found), (right, wanted), (2 * right, found + wanted))
    return [above / below if below else 0 for above, below in ratios]


def scores_as_tensor(predicted, gold):
    return torch.tensor(scores_by_sets(predicted, gold), dtype=torch.float64)


def gradients_by_autograd(x, y, z, W, u, v, lam):
    W, u, v = (weight.clone().requires_grad_() for weight in (W, u, v))
    F, G = ((x @ W @ u - y) ** 2).sum() / 2, ((x @ W @ v - z) ** 2).sum() / 2
    return torch.autograd.grad(F + lam * G, [W, u, v])


def gradients_one_by_one(x, y, z, W, u, v, lam):
    both, heads = torch.zeros_like(W), []
    for head, target, weight in ((u, y, 1.0), (v, z, lam)):
        delta = weight * (x @ W @ head - target)
        both = both + torch.einsum("nd,np,kp->dk", x, delta, head)
        heads.append(torch.einsum("nd,dk,np->kp", x, W, delta))
    return [both, *heads]


def test_right():
    for check, student in (
        (checks.to_tags, tags_by_words),
        (checks.to_tags, tags_by_dict),
        (checks.span_scores, scores_by_loop),
        (checks.span_scores, scores_as_tensor),
        (checks.joint_gradients, gradients_by_autograd),
        (checks.joint_gradients, gradients_one_by_one),
    ):
        accept(check, student)


def test_mistakes_are_named():
    for check, student, told in (
        (
            checks.to_tags,
            lambda spans, length: tags_by_slices([(s[0][:3], *s[1:]) for s in spans], length),
            "expected ['B-Other",
        ),
        (checks.to_tags, lambda spans, length: "O O", "gives 'O O', expected ['O'"),
        (
            checks.span_scores,
            lambda P, T: scores_by_sets(P, T) if any(P + T) else (1, 1, 1),
            "of 2 sentences",
        ),
    ):
        refuse(check, student, told)
