"""Pictures to regions, captions and answers."""

import pytest
import torch
import torch.nn.functional as F

import seqviz as sv
from tests.refusing import refused

SCORES = [None, "additive", "general"]
CAPTIONS = torch.tensor([[1, 3, 5, 2], [1, 4, 2, 0]])


def encoder(channels=(4, 6), colours=3):
    torch.manual_seed(0)
    return sv.nn.ConvEncoder(colours, channels).double().eval()


def pictures(batch=2, colours=3, side=16):
    return torch.rand(batch, colours, side, side + 4, dtype=torch.float64)


def regions(batch=2, columns=5):
    torch.manual_seed(2)
    return torch.rand(batch, 4 * columns, 8, dtype=torch.float64)


def captioner(attention="additive"):
    torch.manual_seed(1)
    return sv.nn.Captioner(8, 7, 4, 6, attention).double()


def answerer(attention="additive"):
    torch.manual_seed(1)
    return sv.nn.QuestionAnswerer(8, 9, 5, 4, 6, attention).double()


def test_each_layer_halves_the_grid_and_regions_go_row_by_row():
    net, x = encoder(), pictures()
    assert [tuple(grid.shape) for grid in net.grids(x)] == [(2, 4, 8, 10), (2, 6, 4, 5)]
    grid, regions = net(x), net.regions(x)
    assert regions.shape == (2, 20, 8)
    assert torch.equal(regions[1, 7, :6], grid[1, :, 1, 2])
    assert regions[1, 7, 6:].tolist() == [0, -0.5]  # third of five columns, second of four rows


def test_regions_know_their_place():
    regions = encoder().regions(torch.full((1, 3, 16, 20), 0.5, dtype=torch.float64))[0]
    inner = regions.unflatten(0, (4, 5))[1:-1, 1:-1].flatten(0, 1)
    torch.testing.assert_close(inner[:, :6], inner[:1, :6].expand(6, 6))  # all grey alike
    assert len(inner[:, 6:].unique(dim=0)) == 6


def test_a_layer_is_torchs():
    net, x = encoder((4,)), pictures()
    conv = net.layers[0][0]
    wanted = F.conv2d(x, conv.weight, conv.bias, padding=1)
    wanted = wanted / (1 + 1e-5) ** 0.5  # batch norm at its start
    torch.testing.assert_close(net(x), F.max_pool2d(wanted.relu(), 2))


def test_a_class_is_read_from_the_largest_over_the_regions():
    net, x = sv.nn.PictureClassifier(encoder(), 5).double(), pictures()
    logits = net(x)
    torch.testing.assert_close(logits, net.output(net.encoder(x).amax(dim=(2, 3))))


@pytest.mark.parametrize("attention", SCORES)
def test_a_caption_step_by_step_is_the_whole(attention):
    model, x = captioner(attention), regions()
    given = model(x, CAPTIONS, need_weights=attention is not None)
    logits, alpha = given if attention else (given, None)
    state = model.encode(x)
    for t in range(CAPTIONS.shape[1]):
        one, state = model.step(CAPTIONS[:, t], state)
        torch.testing.assert_close(one, logits[:, t])
        if attention:
            torch.testing.assert_close(state.alpha, alpha[:, t])
    if attention:
        assert alpha.shape == (2, 4, 20)
        torch.testing.assert_close(alpha.sum(-1), torch.ones(2, 4, dtype=torch.float64))


@pytest.mark.parametrize("attention", SCORES)
def test_an_answer_does_not_read_padding(attention):
    model, x = answerer(attention), regions()
    questions = torch.tensor([[3, 4, 5], [6, 2, 0]])
    logits = model(x, questions)
    assert logits.shape == (2, 5)
    torch.testing.assert_close(model(x[1:], questions[1:, :2]), logits[1:])
    if attention:
        alpha = model(x, questions, need_weights=True)[1]
        assert alpha.shape == (2, 20)
        torch.testing.assert_close(alpha.sum(1), torch.ones(2, dtype=torch.float64))


@pytest.mark.parametrize("attention", ["additive", None])
def test_a_step_is_the_equation(attention):
    model, r, y = captioner(attention), regions(), torch.tensor([3, 5])
    d, state = model.decoder, model.encode(r)
    _, s = d.rnn(
        torch.cat([d.embedding(y), r.mean(1)], 1)[:, None], d.first(r.mean(1)).tanh()[None]
    )
    c = d.attention(s[-1], r)[0] if attention else r.mean(1)
    wanted = d.output(torch.tanh(d.combine(torch.cat([c, s[-1]], 1))))
    torch.testing.assert_close(model.step(y, state)[0], wanted)


def test_what_does_not_fit():
    nn, net, model = sv.nn, encoder(), captioner()
    wrong = {
        "channels must hold the size": lambda: nn.ConvEncoder(3, ()),
        r"\(batch, 3, height, width\)": lambda: net(pictures(colours=1)),
        "4 pixels or more a side": lambda: net(pictures(side=3)),
        "numbers from 0 to 1.*divide bytes": lambda: net(pictures() * 255),
        "look for NaN": lambda: net(pictures() * torch.nan),
        r"\(batch, regions, 8\)": lambda: model(regions()[..., 1:], CAPTIONS),
        "begin with START": lambda: model(regions(), CAPTIONS[:, 1:]),
        "^captions must have a row for each": lambda: model(regions(3), CAPTIONS),
        "attention=None": lambda: captioner(None)(regions(), CAPTIONS, True),
    }
    refused(ValueError, wrong)
    wrong = {
        "channels must be a sequence": lambda: nn.ConvEncoder(3, 8),
        "a ConvEncoder": lambda: nn.PictureClassifier(torch.nn.Linear(1, 1), 2),
        "state must be what": lambda: model.step(CAPTIONS[:, 0], None),
    }
    refused(TypeError, wrong)
