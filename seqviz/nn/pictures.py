"""A picture to a grid of regions: a small convolutional net, and the class it is trained on."""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_device, checked_size, checked_type, refuse_meta
from seqviz.nn.shapes import checked_shape


class ConvEncoder(nn.Module):
    """Map pictures to grids of regions: each layer a convolution, batch norm, ReLU, pooling by two.

    A convolution alone cannot tell where it is, so `regions` adds the place of each region to its
    vector. Attention attends to these vectors (decks 000, 002; Xu et al. 2015).

    Parameters
    ----------
    in_channels : int
        1 for grey pictures, 3 for colours.
    channels : sequence of int
        Numbers that each layer finds in a region.
    kernel_size : int
        Odd: pixels of a side that each unit sees.

    Attributes
    ----------
    region_dim : int
        Numbers in a region's vector: those of the last layer, and two for its place.

    Raises
    ------
    TypeError
        If a size is no integer, or `channels` no sequence.
    ValueError
        If a size is below one, `channels` is empty, or `kernel_size` even.

    Examples
    --------
    >>> import torch
    >>> encoder = ConvEncoder(3, (8, 16))
    >>> encoder(torch.rand(2, 3, 32, 32)).shape
    torch.Size([2, 16, 8, 8])
    >>> encoder.regions(torch.rand(2, 3, 32, 32)).shape
    torch.Size([2, 64, 18])
    """

    def __init__(
        self, in_channels: int = 3, channels: Sequence[int] = (32, 64, 64), kernel_size: int = 3
    ):
        super().__init__()
        self.in_channels = checked_size("in_channels", in_channels)
        checked_type("channels", channels, Sequence, "a sequence of integers")
        sizes = [self.in_channels]
        for size in channels:
            sizes.append(checked_size("channels", size, sizes[-1]))
        if len(sizes) == 1:
            raise ValueError("channels must hold the size of one layer at least, got none")
        most = max(before * after for before, after in pairwise(sizes))
        if not checked_size("kernel_size", kernel_size, most, square=True) % 2:
            raise ValueError(f"kernel_size must be odd, to have a middle, got {kernel_size}")
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(before, after, kernel_size, padding=kernel_size // 2),
                nn.BatchNorm2d(after),
                nn.ReLU(),
                nn.MaxPool2d(2),
            )
            for before, after in pairwise(sizes)
        )
        self.region_dim = sizes[-1] + 2

    def forward(self, pictures: Tensor) -> Tensor:
        """Map pictures (batch, in_channels, height, width) to the last grid.

        Returns
        -------
        Tensor
            (batch, channels[-1], rows, columns).

        Raises
        ------
        TypeError
            If `pictures` is no float tensor.
        ValueError
            If its shape does not fit, it is too small for the layers, or a pixel lies outside 0
            to 1.
        """
        return self.grids(pictures)[-1]

    def grids(self, pictures: Tensor) -> list[Tensor]:
        """Return the grid of every layer, each half as high and wide as the one before."""
        self._check(pictures)
        grid, found = pictures, []
        for layer in self.layers:
            grid = layer(grid)
            found.append(grid)
        return found

    def regions(self, pictures: Tensor) -> Tensor:
        """Return the last grid as a list of regions, row by row, (batch, regions, region_dim).

        The last two numbers are x and y of the region, counted in regions from the middle of the
        picture (as the channels of CoordConv, Liu et al. 2018).
        """
        grid = self(pictures)
        rows, columns = grid.shape[2:]
        y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        place = torch.stack([x - (columns - 1) / 2, y - (rows - 1) / 2]).to(grid)
        grid = torch.cat([grid, place.expand(len(grid), 2, rows, columns)], dim=1)
        return grid.flatten(2).mT

    def _check(self, pictures: Tensor) -> None:
        checked_shape("pictures", pictures, "batch", self.in_channels, "height", "width")
        refuse_meta("pictures", pictures)
        checked_device("pictures", pictures, self.layers[0][0].weight)
        least = 2 ** len(self.layers)
        if min(pictures.shape[2:]) < least:
            raise ValueError(
                f"pictures must have {least} pixels or more a side, since {len(self.layers)} "
                f"layers halve it, got shape {tuple(pictures.shape)}"
            )
        if torch.compiler.is_exporting():
            return
        low, high = pictures.min().item(), pictures.max().item()
        if not (low >= 0 and high <= 1):
            raise ValueError(
                f"pictures must hold numbers from 0 to 1, got {low:g} to {high:g}: divide bytes by "
                "255, and look for NaN"
            )


class PictureClassifier(nn.Module):
    """Name what is in a picture: the largest of each number over the regions, a linear layer.

    Cut off that layer, and `encoder` describes pictures for another task (deck 000: "take a CNN
    trained on ImageNet, chop off the last layer").

    Parameters
    ----------
    encoder : ConvEncoder
    num_classes : int

    Raises
    ------
    TypeError
        If `encoder` is none, or `num_classes` no integer.
    ValueError
        If `num_classes` is below one.
    """

    def __init__(self, encoder: ConvEncoder, num_classes: int):
        super().__init__()
        self.encoder = checked_type("encoder", encoder, ConvEncoder, "a ConvEncoder")
        found = encoder.region_dim - 2  # the place is not asked for
        self.output = nn.Linear(found, checked_size("num_classes", num_classes, found))

    def forward(self, pictures: Tensor) -> Tensor:
        """Map pictures, as the encoder takes them, to logits (batch, num_classes)."""
        return self.output(self.encoder(pictures).amax(dim=(2, 3)))


def checked_regions(regions: Tensor, region_dim: int, name: str = "regions") -> Tensor:
    """Return `regions` if they are a float tensor (batch, regions, region_dim) without NaN."""
    fix = ": take encoder.regions(pictures)"
    checked_shape(name, regions, "batch", "regions", region_dim, fix=fix)
    if not torch.compiler.is_exporting() and not regions.isfinite().all():
        raise ValueError(f"{name} must be finite numbers, got NaN or infinity")
    return regions
