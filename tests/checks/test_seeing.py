import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_attention = of_lectures()["attend_to"]
right_mass = of_lectures()["mass_inside"]
right_canvases = of_lectures()["canvases"]


def attention_by_loop(s, regions, W, U, v):
    contexts, weights = [], []
    for s_b, r_b in zip(s, regions, strict=True):
        e = torch.stack([v @ torch.tanh(W @ s_b + U @ r) for r in r_b])
        alpha = e.exp() / e.exp().sum()
        contexts.append(sum(a * r for a, r in zip(alpha, r_b, strict=True)))
        weights.append(alpha)
    return torch.stack(contexts), torch.stack(weights)


def mass_by_pixel(alpha, box, height, width):
    left, top, right, bottom = box
    fine = alpha.repeat_interleave(height, 0).repeat_interleave(width, 1)
    rows, columns = alpha.shape  # every pixel is rows x columns points now
    inside = fine[top * rows : bottom * rows, left * columns : right * columns]
    return inside.sum() / (height * width)


def canvases_at_once(patches, F_Y, F_X, blank):
    added = torch.einsum("tay,tab,tbx->tyx", F_Y, patches, F_X)
    return 1 / (1 + torch.exp(-(blank + added.cumsum(0))))


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.attend_to, attention_by_loop),
        (checks.mass_inside, mass_by_pixel),
        (checks.canvases, canvases_at_once),
    ):
        accept(check, answer)


def whole_pixels(alpha, box, height, width):
    """Regions of so many whole pixels, though they do not divide the picture."""
    rows, columns = alpha.shape
    return right_mass(alpha, box, height // rows * rows, width // columns * columns)


def added(patches, F_Y, F_X):
    return F_Y.mT @ patches @ F_X


def test_a_slip_is_named():
    for check, answer, words in (
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
    ):
        refuse(check, answer, words)
