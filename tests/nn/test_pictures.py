"""Pictures to regions, captions and answers."""

import pytest
import torch
import torch.nn.functional as F

import seqviz as sv

torch.set_num_threads(1)
SCORES = [None, "additive", "general", "dot"]
CAPTIONS = torch.tensor([[1, 3, 5, 2], [1, 4, 2, 0]])


def encoder(channels=(4, 6), colours=3):
    torch.manual_seed(0)
    return sv.nn.ConvEncoder(colours, channels).double().eval()


def pictures(batch=2, colours=3, side=16):
    return torch.rand(batch, colours, side, side + 4, dtype=torch.float64)


def captioner(attention="additive"):
    made = encoder()
    torch.manual_seed(1)
    return sv.nn.Captioner(made, 7, 4, 6, attention).double()


def answerer(attention="additive"):
    made = encoder()
    torch.manual_seed(1)
    return sv.nn.QuestionAnswerer(made, 9, 5, 4, 6, attention).double()


def test_each_layer_halves_the_grid_and_regions_go_row_by_row():
    net, x = encoder(), pictures()
    assert [tuple(grid.shape) for grid in net.grids(x)] == [(2, 4, 8, 10), (2, 6, 4, 5)]
    grid, regions = net(x), net.regions(x)
    assert regions.shape == (2, 20, 6)
    assert torch.equal(regions[1, 7], grid[1, :, 1, 2])


def test_a_region_knows_its_place():
    grid = encoder()(torch.full((1, 3, 16, 16), 0.5, dtype=torch.float64))
    inner = grid[0, :, 1:-1, 1:-1].flatten(1)
    assert not torch.allclose(inner[:, :1], inner)


def test_a_layer_is_torchs():
    net, x = encoder((4,)), pictures()
    y, x_at = torch.meshgrid(torch.linspace(-1, 1, 16), torch.linspace(-1, 1, 20), indexing="ij")
    place = torch.stack([x_at, y]).double().expand(2, -1, -1, -1)
    conv = net.layers[0][0]
    wanted = F.conv2d(torch.cat([x, place], 1), conv.weight, conv.bias, padding=1)
    wanted = wanted / (1 + 1e-5) ** 0.5  # batch norm at its start
    torch.testing.assert_close(net(x), F.max_pool2d(wanted.relu(), 2))


def test_a_class_is_read_from_the_largest_over_the_regions():
    net, x = sv.nn.PictureClassifier(encoder(), 5).double(), pictures()
    logits = net(x)
    assert logits.shape == (2, 5)
    torch.testing.assert_close(logits, net.output(net.encoder(x).amax(dim=(2, 3))))


@pytest.mark.parametrize("attention", SCORES)
def test_a_caption_step_by_step_is_the_whole(attention):
    model, x = captioner(attention), pictures()
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


def test_pictures_of_a_batch_do_not_meet():
    model, x = captioner(), pictures()
    together = model(x, CAPTIONS)
    torch.testing.assert_close(model(x[1:], CAPTIONS[1:]), together[1:])


def test_a_caption_is_decoded():
    model, x = captioner(), pictures()
    first, _ = sv.decoding.greedy(model.step, [[1], [1]], 3, state=model.encode(x))
    captions = torch.tensor([[1, *first]])
    assert model(x[:1], captions[:, :-1])[0].argmax(1).tolist() == first
    state = model.encode(x[:1])
    tree = sv.decoding.beam(model.step, [1], 3, width=1, stop=2, state=state, select=model.select)
    assert list(tree.best) == (first[: first.index(2)] if 2 in first else first)


@pytest.mark.parametrize("attention", SCORES)
def test_an_answer_does_not_read_padding(attention):
    model, x = answerer(attention), pictures()
    questions = torch.tensor([[3, 4, 5], [6, 2, 0]])
    logits = model(x, questions)
    assert logits.shape == (2, 5)
    torch.testing.assert_close(model(x[1:], questions[1:, :2]), logits[1:])
    if attention:
        alpha = model(x, questions, need_weights=True)[1]
        assert alpha.shape == (2, 20)
        torch.testing.assert_close(alpha.sum(1), torch.ones(2, dtype=torch.float64))


def test_what_an_encoder_learned_can_be_kept():
    model = captioner()
    model.encoder.requires_grad_(False)
    model(pictures(), CAPTIONS).sum().backward()
    assert all(p.grad is None for p in model.encoder.parameters())
    assert model.keys.weight.grad.any()


def test_it_learns_to_name_two_colours():
    torch.manual_seed(0)
    model = sv.nn.Captioner(sv.nn.ConvEncoder(3, (8, 8)), 5, 8, 16)
    x = torch.zeros(2, 3, 16, 16)
    x[0, 0, 4:8, 4:8] = x[1, 2, 9:13, 2:6] = 1
    captions = torch.tensor([[1, 3, 2], [1, 4, 2]])
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(80):
        loss = F.cross_entropy(model(x, captions[:, :-1]).flatten(0, 1), captions[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.1


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: sv.nn.ConvEncoder(3, ()), ValueError, "channels must hold the size"),
        (lambda: sv.nn.ConvEncoder(3, 8), TypeError, "channels must be a sequence"),
        (lambda: sv.nn.ConvEncoder(3, (4,), 2), ValueError, "kernel_size must be odd"),
        (lambda: encoder()(pictures().long()), TypeError, "float tensor .*got torch.int64"),
        (lambda: encoder()(pictures(colours=1)), ValueError, r"\(batch, 3, height, width\)"),
        (lambda: encoder()(pictures(side=3)), ValueError, "each side 4 pixels or more"),
        (lambda: encoder()(pictures() * 255), ValueError, "numbers from 0 to 1.*divide bytes"),
        (lambda: encoder()(pictures() * torch.nan), ValueError, "look for NaN"),
        (lambda: sv.nn.Captioner(torch.nn.Linear(1, 1), 7, 4, 6), TypeError, "a ConvEncoder"),
        (lambda: sv.nn.Captioner(encoder(), 7, 4, 6, "adition"), ValueError, "did you mean"),
        (lambda: sv.nn.Captioner(encoder(), 7, 4, 6, start_idx=0), ValueError, "must differ"),
        (lambda: captioner()(pictures(), CAPTIONS[:, :0]), ValueError, "not empty"),
        (lambda: captioner()(pictures(), CAPTIONS + 5), ValueError, "between 0 and 6"),
        (lambda: captioner()(pictures(), CAPTIONS[:, 1:]), ValueError, "begin with START"),
        (lambda: captioner()(pictures(3), CAPTIONS), ValueError, "row for each of the 3 sources"),
        (lambda: captioner(None)(pictures(), CAPTIONS, True), ValueError, "attention=None"),
        (lambda: captioner().step(CAPTIONS[:, 0], None), TypeError, "state must come from"),
        (lambda: answerer()(pictures(), CAPTIONS * 9), ValueError, "questions must lie between"),
        (lambda: answerer()(pictures(3), CAPTIONS), ValueError, "each of 3 pictures"),
        (lambda: answerer(None)(pictures(), CAPTIONS, True), ValueError, "attention=None"),
    ],
)
def test_what_does_not_fit(call, error, said):
    with pytest.raises(error, match=said):
        call()
