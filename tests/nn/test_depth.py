"""The four ways through depth."""

import torch

from seqviz.nn import DenseBlock, HighwayBlock, PlainBlock, ResidualBlock


def test_each_block_is_its_equation():
    x = torch.randn(3, 4)
    for block in (PlainBlock(4), ResidualBlock(4), HighwayBlock(4), DenseBlock(4, 2)):
        y = torch.tanh(x @ block.linear.weight.T + block.linear.bias)
        if isinstance(block, HighwayBlock):
            T = torch.sigmoid(x @ block.gate.weight.T + block.gate.bias)
            expected = T * y + (1 - T) * x
        elif isinstance(block, ResidualBlock):
            expected = x + y
        else:
            expected = torch.cat([x, y], 1) if isinstance(block, DenseBlock) else y
        torch.testing.assert_close(block(x), expected)


def test_a_new_highway_block_mostly_carries():
    assert (HighwayBlock(4).gate.bias == -2).all()
    block, x = HighwayBlock(4, gate_bias=-20), torch.randn(3, 4)
    torch.testing.assert_close(block(x), x)
