"""Convolution over time: each position reads a window of its neighbours, all at once."""

from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import checked_flag, checked_integer, checked_number, checked_size
from seqviz.nn.shapes import checked_shape


class CausalConv1d(nn.Conv1d):
    """``torch.nn.Conv1d`` whose output at time t reads times up to t only.

    y_t = b + sum_j W_j x_{t - dilation * (kernel_size - 1 - j)}: zeros stand before the first
    input, so that the output is as long (deck 001; ByteNet, Kalchbrenner et al. 2016; WaveNet).

    Parameters
    ----------
    in_channels, out_channels : int
        Numbers at each time, before and after.
    kernel_size : int
        Times that are read.
    dilation : int
        Steps from one to the next.
    bias : bool
        Whether b is there.

    Raises
    ------
    TypeError, ValueError
        If a size is no integer of at least one.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        dilation: int = 1,
        bias: bool = True,
    ):
        super().__init__(
            checked_size("in_channels", in_channels),
            checked_size("out_channels", out_channels, in_channels),
            checked_size("kernel_size", kernel_size, in_channels * out_channels),
            dilation=checked_integer("dilation", dilation, 1),
            bias=checked_flag("bias", bias),
        )

    def forward(self, input: Tensor) -> Tensor:
        """Map (batch, in_channels, time) to (batch, out_channels, time)."""
        before = self.dilation[0] * (self.kernel_size[0] - 1)
        return super().forward(F.pad(input, (before, 0)))


class ConvBlock(nn.Module):
    """A gated convolution with a shortcut: x + A * sigmoid(B), A and B two convolutions of x.

    The gate is a GLU (Dauphin et al. 2017), the block ConvS2S's (deck 003; Gehring et al. 2017)
    without its scale. With dilation 1, 2, 4 ... from block to block a stack reads 2^layers times
    at kernel size 2 (ByteNet's way).

    Parameters
    ----------
    d_model : int
        Numbers at each time.
    kernel_size, dilation : int
        As in :class:`CausalConv1d`.
    causal : bool
        Whether only the past is read; else as much on both sides, and `kernel_size` is odd.
    dropout : float
        Probability of dropping an input of the convolution while training.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a size is below one, `dropout` no probability, or `kernel_size` even and not causal.
    """

    def __init__(
        self,
        d_model: int,
        kernel_size: int,
        dilation: int = 1,
        causal: bool = True,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.d_model = checked_size("d_model", d_model, square=True)
        checked_size("kernel_size", kernel_size, d_model**2)
        checked_integer("dilation", dilation, 1)
        if not checked_flag("causal", causal) and kernel_size % 2 == 0:
            raise ValueError(
                f"kernel_size must be odd to reach as far on both sides, got {kernel_size}: take "
                f"{kernel_size + 1}, or causal=True"
            )
        self.dropout = nn.Dropout(checked_number("dropout", dropout, 0, 1))
        if causal:
            self.conv = CausalConv1d(d_model, 2 * d_model, kernel_size, dilation)
        else:
            around = dilation * (kernel_size // 2)
            self.conv = nn.Conv1d(
                d_model, 2 * d_model, kernel_size, padding=around, dilation=dilation
            )

    def forward(self, x: Tensor) -> Tensor:
        """Map (batch, time, d_model) to the same shape.

        Raises
        ------
        TypeError, ValueError
            If `x` is no float tensor, or has another shape.
        """
        checked_shape("x", x, "batch", "time", self.d_model)
        A, B = self.conv(self.dropout(x).mT).mT.chunk(2, dim=-1)
        return x + A * B.sigmoid()
