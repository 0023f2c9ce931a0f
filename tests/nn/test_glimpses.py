"""Soft windows, glimpses and drawing."""

import math

import torch

import seqviz as sv
from tests.refusing import refused

WINDOWS = torch.tensor([[3.5, 2.0, 3.0], [1.0, 4.5, 6.0]], dtype=torch.float64)


def by_hand(picture, window, size):
    """Each number that is read, as a double sum over the pixels."""
    x, y, width = window.tolist()
    apart, (height, across) = width / size, picture.shape

    def bell(middle, i, pixels):
        mean = middle + (i - (size - 1) / 2) * apart
        raw = [math.exp(-((a + 0.5 - mean) ** 2) / (2 * (apart / 2) ** 2)) for a in range(pixels)]
        return [value / sum(raw) for value in raw]

    read = torch.zeros(size, size, dtype=torch.float64)
    for j in range(size):
        for i in range(size):
            f_y, f_x = bell(y, j, height), bell(x, i, across)
            read[j, i] = sum(
                f_y[b] * f_x[a] * picture[b, a] for b in range(height) for a in range(across)
            )
    return read


def test_a_window_is_read_as_written_out():
    pictures = torch.rand(2, 6, 8, dtype=torch.float64)
    read = sv.nn.read_window(pictures, WINDOWS, 3)
    for k in range(2):
        torch.testing.assert_close(read[k], by_hand(pictures[k], WINDOWS[k], 3))


def test_writing_is_reading_turned_round():
    pictures, patches = torch.rand(2, 6, 8).double(), torch.rand(2, 3, 3).double()
    read = sv.nn.read_window(pictures, WINDOWS, 3)
    written = sv.nn.write_window(patches, WINDOWS, 6, 8)
    assert written.shape == (2, 6, 8)
    torch.testing.assert_close((written * pictures).sum(), (patches * read).sum())
    torch.testing.assert_close(written.sum(), patches.sum())  # nothing is lost


def test_gradients_reach_the_window():
    windows = WINDOWS.clone().requires_grad_()
    pictures = torch.rand(2, 6, 8).double().requires_grad_()
    assert torch.autograd.gradcheck(lambda p, w: sv.nn.read_window(p, w, 3), (pictures, windows))


def test_glimpses_are_inside_and_each_has_its_say():
    net = sv.nn.GlimpseClassifier(12, 5, window=4, steps=3, hidden_size=7)
    found = net(torch.rand(2, 12, 12))
    assert found.logits.shape == (2, 3, 5)
    assert found.patches.shape == (2, 3, 4, 4)
    x, y, width = found.windows.unbind(-1)
    assert ((x > 0) & (x < 12) & (y > 0) & (y < 12) & (width >= 1) & (width <= 12)).all()
    assert torch.equal(found.windows[0, 0], found.windows[1, 0])  # nothing seen before
    assert not torch.equal(found.windows[0, 1], found.windows[1, 1])
    patch = sv.nn.read_window(torch.zeros(2, 12, 12), found.windows[:, 1], 4)
    assert not patch.any()


def draw_net(num_classes=0):
    torch.manual_seed(0)
    return sv.nn.DRAW(8, num_classes, window=3, steps=4, hidden_size=16, latent_size=3)


def test_a_canvas_is_the_sum_of_what_was_written():
    net = draw_net()
    drawing = net.draw(5)
    assert drawing.canvases.shape == (5, 4, 8, 8)
    assert not drawing.kl.any()
    torch.nn.init.zeros_(net.patch.weight)
    torch.nn.init.constant_(net.patch.bias, 0.5)
    drawing = net.draw(1)
    patch, canvas = torch.full((1, 3, 3), 0.5), net.blank.detach().expand(1, 8, 8)
    for t in range(4):
        canvas = canvas + sv.nn.write_window(patch, drawing.windows[:, t], 8, 8)
        torch.testing.assert_close(drawing.canvases[:, t], canvas.sigmoid())


def test_kl_is_that_of_two_normal_distributions():
    net = draw_net()
    with torch.no_grad():
        net.latent.weight.zero_()
        net.latent.bias.copy_(torch.tensor([1.0, 0, 0, 0, 0, math.log(2)]))
    mean, sigma = torch.tensor([1.0, 0, 0]), torch.tensor([1.0, 1, 2])
    said = torch.distributions.Normal(mean, sigma)
    wanted = torch.distributions.kl_divergence(said, torch.distributions.Normal(0, 1)).sum()
    assert torch.allclose(net(torch.rand(2, 8, 8)).kl, 4 * wanted.expand(2))


def test_what_does_not_fit():
    nn, picture, window = sv.nn, torch.rand(1, 8, 8), torch.ones(1, 3)
    plain, of_two = draw_net(), draw_net(2)
    wrong = {
        "width above 0 pixels, got -2": lambda: nn.read_window(picture, window * -2, 2),
        "pictures must be": lambda: nn.read_window(picture[0], window, 2),
        "window must be at most 4": lambda: nn.GlimpseClassifier(4, 2, window=5),
        "numbers from 0 to 1": lambda: plain(picture * 16),
        "one for each of 1 pictures": lambda: of_two(picture, torch.tensor([0, 1])),
        "which must be at least 1": lambda: plain.draw(0),
    }
    refused(ValueError, wrong)
    wrong = {
        "pictures must be a float tensor": lambda: plain([1]),
        "this net has num_classes=0": lambda: plain(picture, torch.tensor([0])),
    }
    refused(TypeError, wrong)
