"""Name a picture by a few glimpses: a recurrent net that decides where to read next."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from seqviz.arguments import DEPTH, checked_integer, checked_size
from seqviz.nn.recurrent import GRU
from seqviz.nn.shapes import checked_shape
from seqviz.nn.soft_windows import read_window


class Glimpses(NamedTuple):
    """What was seen of pictures, step by step.

    Attributes
    ----------
    logits : Tensor
        (batch, steps, num_classes): what the net says after each glimpse.
    windows : Tensor
        (batch, steps, 3): x and y of the middle, and the width, in pixels.
    patches : Tensor
        (batch, steps, window, window): what it read there.
    """

    logits: Tensor
    windows: Tensor
    patches: Tensor


class GlimpseClassifier(nn.Module):
    """Read a picture in glimpses: patch and place go into a GRU, whose state says where to go on.

    The window is soft, so that gradients reach its place (deck 000; Ba et al. 2015 choose hard
    windows and need reinforcement learning; the soft one is DRAW's, Gregor et al. 2015).

    Parameters
    ----------
    picture_size : int
        Pixels of a side.
    num_classes : int
    window : int
        Numbers of a side that a glimpse reads.
    steps : int
        Glimpses.
    hidden_size : int
        Units of the GRU.

    Raises
    ------
    TypeError
        If an argument is no integer.
    ValueError
        If one is below one, or a window is larger than the picture.
    """

    def __init__(
        self,
        picture_size: int,
        num_classes: int,
        window: int = 6,
        steps: int = 4,
        hidden_size: int = 64,
    ):
        super().__init__()
        self.picture_size = checked_size("picture_size", picture_size, square=True)
        self.window = checked_integer("window", window, 1, self.picture_size)
        self.steps = checked_integer("steps", steps, 1, DEPTH)
        size = checked_size("hidden_size", hidden_size, 3, square=True)
        self.h_0 = nn.Parameter(torch.zeros(size))
        self.gru = GRU(self.window**2 + 3, size, batch_first=True)
        self.where = nn.Linear(size, 3)
        self.output = nn.Linear(size, checked_size("num_classes", num_classes, size))

    def forward(self, pictures: Tensor) -> Glimpses:
        """Read pictures (batch, picture_size, picture_size).

        Raises
        ------
        TypeError
            If `pictures` is no float tensor.
        ValueError
            If its shape is another.
        """
        side = self.picture_size
        checked_shape("pictures", pictures, "batch", side, side)
        h, found = self.h_0.expand(1, len(pictures), -1).contiguous(), []
        for _ in range(self.steps):
            window = placed(self.where(h[-1]), side)
            patch = read_window(pictures, window, self.window)
            read = torch.cat([patch.flatten(1), window / side], dim=1)
            _, h = self.gru(read.unsqueeze(1), h)
            found.append((self.output(h[-1]), window, patch))
        return Glimpses(*(torch.stack(part, dim=1) for part in zip(*found, strict=True)))


def placed(numbers: Tensor, side: int) -> Tensor:
    """Any three numbers to x, y inside a picture of `side` pixels, and a width up to all of it."""
    x, y, span = numbers.sigmoid().unbind(dim=1)
    return torch.stack([x * side, y * side, span * (side - 1) + 1], dim=1)
