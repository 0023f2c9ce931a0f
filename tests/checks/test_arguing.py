"""Right answers in several styles, and each mistake that the checks of 15b name."""

import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def tags_by_slices(spans, length):
    tags = ["O"] * length
    for kind, start, end in spans:
        tags[start:end] = [f"B-{kind}"] + [f"I-{kind}"] * (end - start - 1)
    return tags


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


def scores_by_sets(predicted, gold):
    P, T = ({(k, *s) for k, one in enumerate(two) for s in one} for two in (predicted, gold))
    precision, recall = (len(P & T) / len(x) if x else 0.0 for x in (P, T))
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


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


def gradients_by_hand(x, y, z, W, u, v, lam):
    h = x @ W
    a, b = h @ u - y, lam * (h @ v - z)
    return x.T @ (a @ u.T + b @ v.T), h.T @ a, h.T @ b


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


@pytest.mark.parametrize(
    ("check", "student"),
    [
        (checks.to_tags, tags_by_slices),
        (checks.to_tags, tags_by_words),
        (checks.to_tags, tags_by_dict),
        (checks.span_scores, scores_by_sets),
        (checks.span_scores, scores_by_loop),
        (checks.span_scores, scores_as_tensor),
        (checks.joint_gradients, gradients_by_hand),
        (checks.joint_gradients, gradients_by_autograd),
        (checks.joint_gradients, gradients_one_by_one),
    ],
)
def test_right(check, student):
    accept(check, student)


def tags_with(first="B", rest="I", more=0, start_of=lambda t, start, before: t == start):
    def student(spans, length):
        tags = ["O"] * length
        for kind, start, end in spans:
            for t in range(start, min(end + more, length)):
                before = tags[t - 1][2:] if t else ""
                begins = start_of(t, start, before == kind)
                tags[t] = f"{first if begins else rest}-{kind}"
        return tags

    return student


def scores_of(cut=lambda span: span, name=lambda k: k, order=lambda p, r, f: (p, r, f)):
    def student(predicted, gold):
        P, T = (
            {(name(k), cut(s)) for k, one in enumerate(two) for s in one}
            for two in (predicted, gold)
        )
        right = len(P & T)
        f1 = 2 * right / max(len(P) + len(T), 1)
        return order(right / max(len(P), 1), right / max(len(T), 1), f1)

    return student


def mean_over_sentences(predicted, gold):
    rows = [scores_by_sets([a], [b]) for a, b in zip(predicted, gold, strict=True)]
    return torch.tensor(rows, dtype=torch.float64).mean(0)


def gradients_with(change):
    def student(x, y, z, W, u, v, lam):
        h = x @ W
        off, other = h @ u - y, h @ v - z
        F, G = x.T @ off @ u.T, x.T @ other @ v.T
        right = {"W": F + lam * G, "u": h.T @ off, "v": lam * h.T @ other}
        given = {"F": F, "G": G, "lam": lam, "of_u": h.T @ off, "of_v": h.T @ other, "n": len(x)}
        given |= {"h": h, "x": x, "off": off}
        return [*(right | change(given)).values()]

    return student


@pytest.mark.parametrize(
    ("check", "student", "told"),
    [
        (checks.to_tags, tags_with(more=1), "end is the index after the last word"),
        (checks.to_tags, tags_with(more=-1), "the last word of each span is left out"),
        (checks.to_tags, tags_with(first="I"), "the first word of a span is B-"),
        (checks.to_tags, tags_with(rest="B"), "only the first word of a span is B-"),
        (
            checks.to_tags,
            tags_with(start_of=lambda t, start, same: t == start and not same),
            "a span that touches the one before begins with B-",
        ),
        (
            checks.to_tags,
            lambda spans, length: ["" if t == "O" else t for t in tags_by_slices(spans, length)],
            "words outside are O",
        ),
        (
            checks.to_tags,
            lambda spans, length: [t[2:] or "O" for t in tags_by_slices(spans, length)],
            "B- or I- stands before",
        ),
        (
            checks.to_tags,
            lambda spans, length: tags_by_slices(spans, max((s[2] for s in spans), default=0)),
            "also behind the last span",
        ),
        (
            checks.to_tags,
            lambda spans, length: tags_by_slices([(s[0][:3], *s[1:]) for s in spans], length),
            "expected 'B-Other",
        ),
        (checks.to_tags, lambda spans, length: "O O", "must give a list of strings"),
        (checks.to_tags, lambda spans, length: ["O"] * length, "expected"),
        (checks.span_scores, scores_of(cut=lambda s: s[1:]), "the kind must agree"),
        (checks.span_scores, scores_of(cut=lambda s: s[::2]), "the start must agree"),
        (
            checks.span_scores,
            lambda P, T: scores_by_sets(P, T) if any(P + T) else (1, 1, 1),
            "of 2 sentences",
        ),
        (checks.span_scores, scores_of(cut=lambda s: s[:2]), "the end must agree"),
        (checks.span_scores, scores_of(name=lambda k: 0), "in another sentence is another span"),
        (checks.span_scores, mean_over_sentences, "a mean over sentences"),
        (checks.span_scores, scores_of(order=lambda p, r, f: (r, p, f)), "are exchanged"),
        (
            checks.span_scores,
            scores_of(order=lambda p, r, f: (p, r, (p + r) / 2)),
            "the harmonic mean",
        ),
        (checks.span_scores, scores_of(order=lambda p, r, f: (p, r, f / 2)), "twice the product"),
        (checks.span_scores, scores_of(order=lambda p, r, f: f), "must give three things"),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"W": g["F"]}),
            "only F has reached the shared layer",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"W": g["lam"] * g["G"]}),
            "only lam G has reached the shared layer",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"W": g["F"] + g["G"]}),
            "the part of G is to be multiplied by lam",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"W": g["lam"] * (g["F"] + g["G"])}),
            "both parts are multiplied by lam",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"W": (g["F"] + g["lam"] * g["G"]) / 2}),
            "the mean of both is taken",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"W": g["x"].T @ g["h"]}),
            "goes through u and v",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"u": g["lam"] * g["of_u"]}),
            "the head of F does not feel it",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"u": g["off"].T @ g["h"]}),
            "h must be transposed from the left",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"u": g["of_u"] / g["n"]}),
            "the mean over the texts is taken; F",
        ),
        (checks.joint_gradients, gradients_with(lambda g: {"v": g["of_v"]}), "feels lam, too"),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"v": g["lam"] ** 2 * g["of_v"]}),
            "once, not twice",
        ),
        (
            checks.joint_gradients,
            gradients_with(lambda g: {"v": g["lam"] * g["of_v"] / g["n"]}),
            "the mean over the texts is taken; G",
        ),
    ],
)
def test_mistakes_are_named(check, student, told):
    refuse(check, student, told)
