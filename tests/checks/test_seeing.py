import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_attention(s, regions, W, U, v):
    e = torch.tanh((s @ W.T)[:, None] + regions @ U.T) @ v
    alpha = e.softmax(dim=1)
    return (alpha[:, None] @ regions)[:, 0], alpha


def attention_by_loop(s, regions, W, U, v):
    contexts, weights = [], []
    for s_b, r_b in zip(s, regions, strict=True):
        e = torch.stack([v @ torch.tanh(W @ s_b + U @ r) for r in r_b])
        alpha = e.exp() / e.exp().sum()
        contexts.append(sum(a * r for a, r in zip(alpha, r_b, strict=True)))
        weights.append(alpha)
    return torch.stack(contexts), torch.stack(weights)


def right_mass(alpha, box, height, width):
    left, top, right, bottom = box
    rows, columns = alpha.shape
    total = 0.0
    for i in range(rows):
        for j in range(columns):
            y0, y1 = i * height / rows, (i + 1) * height / rows
            x0, x1 = j * width / columns, (j + 1) * width / columns
            tall = max(0.0, min(y1, bottom) - max(y0, top)) / (y1 - y0)
            wide = max(0.0, min(x1, right) - max(x0, left)) / (x1 - x0)
            total = total + alpha[i, j] * tall * wide
    return total


def mass_by_pixel(alpha, box, height, width):
    left, top, right, bottom = box
    fine = alpha.repeat_interleave(height, 0).repeat_interleave(width, 1)
    rows, columns = alpha.shape  # every pixel is rows x columns points now
    inside = fine[top * rows : bottom * rows, left * columns : right * columns]
    return inside.sum() / (height * width)


def right_canvases(patches, F_Y, F_X, blank):
    canvas, pictures = torch.full_like(F_Y[0].T @ F_X[0], blank), []
    for w, f_y, f_x in zip(patches, F_Y, F_X, strict=True):
        canvas = canvas + f_y.T @ w @ f_x
        pictures.append(torch.sigmoid(canvas))
    return torch.stack(pictures)


def canvases_at_once(patches, F_Y, F_X, blank):
    added = torch.einsum("tay,tab,tbx->tyx", F_Y, patches, F_X)
    return 1 / (1 + torch.exp(-(blank + added.cumsum(0))))


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.attend_to, right_attention),
        (checks.attend_to, attention_by_loop),
        (checks.mass_inside, right_mass),
        (checks.mass_inside, mass_by_pixel),
        (checks.canvases, right_canvases),
        (checks.canvases, canvases_at_once),
    ],
)
def test_right_answers_are_accepted(check, answer):
    accept(check, answer)


def weighed(change):
    def answer(s, regions, W, U, v):
        return change(s, regions, W, U, v, *right_attention(s, regions, W, U, v))

    return answer


def scores(s, r, W, U, v):
    return torch.tanh((s @ W.T)[:, None] + r @ U.T) @ v


def touched(part):
    def answer(alpha, box, height, width):
        cells = torch.eye(alpha.numel(), dtype=torch.float64).view(-1, *alpha.shape)
        covered = torch.stack([torch.as_tensor(right_mass(c, box, height, width)) for c in cells])
        return alpha.flatten()[part(covered)].sum()

    return answer


def area(alpha, *rest):
    return right_mass(torch.full_like(alpha, 1 / alpha.numel()), *rest)


def whole_pixels(alpha, box, height, width):
    """Regions of so many whole pixels, though they do not divide the picture."""
    rows, columns = alpha.shape
    return right_mass(alpha, box, height // rows * rows, width // columns * columns)


def turned(alpha, box, height, width):
    left, top, right, bottom = box
    return right_mass(alpha, (top, left, bottom, right), height, width)


def added(patches, F_Y, F_X):
    return F_Y.mT @ patches @ F_X


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (
            checks.attend_to,
            weighed(
                lambda s, r, W, U, v, c, a: (c, (((s @ W.T)[:, None] + r @ U.T) @ v).softmax(1))
            ),
            "the tanh is missing",
        ),
        (
            checks.attend_to,
            weighed(lambda s, r, W, U, v, c, a: (c, scores(s, r, W, U, v))),
            "the softmax is missing",
        ),
        (
            checks.attend_to,
            weighed(lambda s, r, W, U, v, c, a: (c, scores(s, r, W, U, v).softmax(0))),
            "let it run over the regions",
        ),
        (
            checks.attend_to,
            weighed(lambda s, r, W, U, v, c, a: right_attention(0 * s, r, W, U, v)),
            "would attend alike",
        ),
        (
            checks.attend_to,
            lambda s, r, W, U, v: right_attention(s, r, W.T if len(W) == len(W.T) else W, U, v),
            "4 pictures of 4 regions, is off",
        ),
        (
            checks.attend_to,
            weighed(lambda s, r, W, U, v, c, a: (r.mean(1), a)),
            "weigh them by alpha",
        ),
        (
            checks.attend_to,
            weighed(lambda s, r, W, U, v, c, a: (r[torch.arange(len(r)), a.argmax(1)], a)),
            "take the weighted sum",
        ),
        (
            checks.attend_to,
            weighed(lambda s, r, W, U, v, c, a: ((a[:, None] @ (r @ U.T))[:, 0], a)),
            "not U r_i",
        ),
        (checks.mass_inside, touched(lambda covered: covered > 0), "counts as a whole"),
        (checks.mass_inside, touched(lambda covered: covered > 0.999), "wholly inside"),
        (checks.mass_inside, whole_pixels, "grid of 2 x 5 is off"),
        (checks.mass_inside, turned, "x and y are exchanged"),
        (checks.mass_inside, area, "weigh it by alpha"),
        (checks.mass_inside, lambda *g: right_mass(*g) / g[0].numel(), "sum 1 already"),
        (checks.mass_inside, lambda *g: 1 - right_mass(*g), "the weight outside"),
        (checks.canvases, lambda *g: right_canvases(*g).logit(), "the sigmoid is missing"),
        (checks.canvases, lambda *g: (g[3] + added(*g[:3])).sigmoid(), "forgets what was drawn"),
        (checks.canvases, lambda *g: right_canvases(*g[:3], 0.0), "start at blank"),
        (
            checks.canvases,
            lambda *g: (g[3] + added(*g[:3])).cumsum(0).sigmoid(),
            "it is there once",
        ),
        (checks.canvases, lambda *g: right_canvases(*g[:3], -1.5), "2 steps, 6 x 6, is off"),
        (
            checks.canvases,
            lambda w, y, *g: right_canvases(w, y.mT if y.shape[1] == y.shape[2] else y, *g),
            "2 steps, 6 x 6, is off",
        ),
        (checks.canvases, lambda *g: right_canvases(*g)[-1], "one for each step"),
        (
            checks.canvases,
            lambda *g: (g[3] + added(*g[:3])).sigmoid().cumsum(0),
            "after the sum",
        ),
        (checks.canvases, lambda w, *g: right_canvases(w.mT, *g), "belongs to their rows"),
        (checks.canvases, lambda *g: right_canvases(*g).mT, "rows come from F_Y"),
    ],
)
def test_a_slip_is_named(check, answer, words):
    refuse(check, answer, words)
