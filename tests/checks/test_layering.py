import torch
from torch.nn import functional as F

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

by_matrix = of_lectures()["causal_conv"]
right_window = of_lectures()["window_mask"]


def by_loops(x, weight, dilation):
    out = x.new_zeros(len(weight), x.shape[1])
    for t in range(x.shape[1]):
        for back in range(weight.shape[-1]):
            if t - back * dilation >= 0:
                out[:, t] += weight[:, :, -1 - back] @ x[:, t - back * dilation]
    return out


def right_attention(X, W_q, W_k, W_v, scale=True, over=-1):
    scores = (X @ W_q) @ (X @ W_k).T
    scores = scores / W_k.shape[1] ** 0.5 if scale else scores
    return scores.softmax(over) @ (X @ W_v)


def attention_by_loop(X, W_q, W_k, W_v):
    rows = []
    for x in X:
        scores = torch.stack([(x @ W_q) @ (y @ W_k) for y in X]) / W_k.shape[1] ** 0.5
        alpha = scores.exp() / scores.exp().sum()
        rows.append(sum(a * (y @ W_v) for a, y in zip(alpha, X, strict=True)))
    return torch.stack(rows)


def window_of_triangles(n, r):
    past = torch.ones(n, n, dtype=torch.bool).tril()
    return ~(past & ~past.tril(-r))


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.causal_conv, by_loops),
        (checks.attention_matrix, attention_by_loop),
        (checks.window_mask, window_of_triangles),
    ):
        accept(check, answer)


def wrapped(x, weight, dilation):
    """Right as long as no weight looks back beyond the whole text."""
    out, time = 0, x.shape[1]
    for j in range(weight.shape[-1]):
        back = dilation * (weight.shape[-1] - 1 - j)
        out = out + weight[..., j] @ F.pad(x[:, : -back % time or time], (back % time, 0))
    return out


def test_wrong_answers_are_refused_by_their_slip():
    for check, answer, words in (
        (checks.causal_conv, wrapped, "dilation = 4 is off"),
        (
            checks.causal_conv,  # the oldest of four weights is forgotten
            lambda x, w, d: by_matrix(x, w[..., -3:], d),
            "k = 4",
        ),
        (
            checks.attention_matrix,  # right while no score is large
            lambda X, q, k, v: right_attention(X, q.clamp(-0.5, 0.5), k, v),
            "is off by",
        ),
        (
            checks.attention_matrix,
            lambda X, q, k, v: right_attention(
                X, *(w.T if len(w) == len(w.T) else w for w in (q, k)), v
            ),
            "4 words, d_k = 4 is off",
        ),
        (
            checks.attention_matrix,
            lambda X, q, k, v: ((X @ q) @ (X @ k).T / len(X) ** 0.5).softmax(-1) @ (X @ v),
            "is off by up to 0.642; first",
        ),
        (checks.window_mask, lambda n, r: right_window(n, r) * -1e9, "truth values"),
    ):
        refuse(check, answer, words)
