"""Convolutions that read the past only, and blocks of them."""

import pytest
import torch

from seqviz.nn import CausalConv1d, ConvBlock
from tests.refusing import refused


@pytest.mark.parametrize(("kernel_size", "dilation"), [(1, 1), (2, 3), (4, 2)])
def test_it_is_the_sum_over_the_past(kernel_size, dilation):
    conv = CausalConv1d(3, 2, kernel_size, dilation).double()
    x = torch.randn(2, 3, 9, dtype=torch.float64)
    y = conv(x)
    for t in range(9):
        expected = conv.bias.expand(2, 2)
        for j in range(kernel_size):
            read = t - dilation * (kernel_size - 1 - j)
            if read >= 0:
                expected = expected + x[:, :, read] @ conv.weight[:, :, j].T
        torch.testing.assert_close(y[:, :, t], expected, rtol=0, atol=1e-12)


def test_its_weights_are_torchs():
    theirs = torch.nn.Conv1d(3, 2, 4, dilation=2)
    CausalConv1d(3, 2, 4, 2).load_state_dict(theirs.state_dict())
    assert "bias" not in CausalConv1d(3, 2, 4, bias=False).state_dict()


def reads(block, time=16):
    """Which inputs reach each output of a net, by the gradient."""
    x = torch.randn(1, time, block[0].d_model, requires_grad=True)
    y = block(x)
    rows = [torch.autograd.grad(y[0, t].sum(), x, retain_graph=True)[0] for t in range(time)]
    return torch.stack(rows)[:, 0].abs().sum(-1) > 0


@pytest.mark.parametrize(("kernel_size", "dilations", "width"), [(2, (1, 2, 4), 8), (3, (1, 1), 5)])
def test_how_far_a_stack_reads(kernel_size, dilations, width):
    past = torch.nn.Sequential(*(ConvBlock(4, kernel_size, d) for d in dilations))
    t = torch.arange(16)
    distance = t.unsqueeze(1) - t
    assert torch.equal(reads(past), (distance >= 0) & (distance < width))
    if kernel_size % 2:
        both = torch.nn.Sequential(*(ConvBlock(4, kernel_size, d, causal=False) for d in dilations))
        assert torch.equal(reads(both), distance.abs() <= width // 2)


def test_a_block_is_a_gated_sum():
    block = ConvBlock(4, 3)
    x = torch.randn(2, 5, 4)
    A, B = block.conv(x.mT).mT.chunk(2, dim=-1)
    torch.testing.assert_close(block(x), x + A * torch.sigmoid(B))
    dropping = ConvBlock(4, 3, dropout=0.5)
    assert not torch.equal(dropping(x), dropping(x))


def test_what_does_not_fit():
    wrong = {
        "kernel_size must be odd.* take 3": lambda: ConvBlock(4, 2, causal=False),
        "dilation must be at least 1": lambda: ConvBlock(4, 3, 0),
        r"x must be \(batch, time, 4\), got shape \(2, 4, 5\)": lambda: ConvBlock(4, 3)(
            x=torch.zeros(2, 4, 5)
        ),
    }
    refused(ValueError, wrong)
    refused(TypeError, {"causal must be True or False": lambda: ConvBlock(4, 3, causal=1)})
