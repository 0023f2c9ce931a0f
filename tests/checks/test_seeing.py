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
        (checks.attend_to, attention_by_loop),
        (checks.mass_inside, mass_by_pixel),
        (checks.canvases, canvases_at_once),
    ],
)
def test_right_answers_are_accepted(check, answer):
    accept(check, answer)


def whole_pixels(alpha, box, height, width):
    """Regions of so many whole pixels, though they do not divide the picture."""
    rows, columns = alpha.shape
    return right_mass(alpha, box, height // rows * rows, width // columns * columns)


def added(patches, F_Y, F_X):
    return F_Y.mT @ patches @ F_X


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (
            checks.attend_to,
            lambda s, r, W, U, v: right_attention(s, r, W.T if len(W) == len(W.T) else W, U, v),
            "4 pictures of 4 regions, is off",
        ),
        (checks.mass_inside, whole_pixels, "grid of 2 x 5 is off"),
        (checks.canvases, lambda *g: right_canvases(*g[:3], -1.5), "2 steps, 6 x 6, is off"),
        (
            checks.canvases,
            lambda w, y, *g: right_canvases(w, y.mT if y.shape[1] == y.shape[2] else y, *g),
            "2 steps, 6 x 6, is off",
        ),
    ],
)
def test_a_slip_is_named(check, answer, words):
    refuse(check, answer, words)
