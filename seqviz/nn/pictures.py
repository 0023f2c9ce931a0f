"""A picture to a grid of regions: a small convolutional net, and the class it is trained on."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_device, checked_integer, checked_type, refuse_meta


class ConvEncoder(nn.Module):
    """Map pictures to grids of regions: each layer a convolution, batch norm, ReLU, pooling by two.

    Two more channels hold x and y from -1 to 1, as a convolution alone cannot tell where it is
    (Liu et al. 2018, CoordConv). A vector of the last grid describes one region of the picture;
    attention attends to them (decks 000, 002; Xu et al. 2015).

    Parameters
    ----------
    in_channels : int
        1 for grey pictures, 3 for colours.
    channels : sequence of int
        Numbers in a region's vector, after each layer.
    kernel_size : int
        Odd: pixels of a side that each unit sees.

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
    """

    def __init__(
        self, in_channels: int = 3, channels: Sequence[int] = (32, 64, 64), kernel_size: int = 3
    ):
        super().__init__()
        self.in_channels = checked_integer("in_channels", in_channels, 1)
        checked_type("channels", channels, Sequence, "a sequence of integers")
        sizes = [checked_integer("channels", size, 1) for size in channels]
        if not sizes:
            raise ValueError("channels must hold the size of one layer at least, got none")
        if not checked_integer("kernel_size", kernel_size, 1) % 2:
            raise ValueError(f"kernel_size must be odd, to have a middle, got {kernel_size}")
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.Conv2d(before, after, kernel_size, padding=kernel_size // 2),
                nn.BatchNorm2d(after),
                nn.ReLU(),
                nn.MaxPool2d(2),
            )
            for before, after in zip([self.in_channels + 2, *sizes], sizes, strict=False)
        )
        self.region_dim = sizes[-1]

    def forward(self, pictures: Tensor) -> Tensor:
        """Map pictures (batch, in_channels, height, width) to the last grid.

        Returns
        -------
        Tensor
            (batch, region_dim, rows, columns).

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
        height, width = pictures.shape[-2:]
        y = torch.linspace(-1, 1, height).to(pictures)[:, None].expand(height, width)
        x = torch.linspace(-1, 1, width).to(pictures).expand(height, width)
        place = torch.stack([x, y]).expand(len(pictures), 2, height, width)
        grid, found = torch.cat([pictures, place], dim=1), []
        for layer in self.layers:
            grid = layer(grid)
            found.append(grid)
        return found

    def regions(self, pictures: Tensor) -> Tensor:
        """Return the last grid as a list of regions, row by row, (batch, regions, region_dim)."""
        return self(pictures).flatten(2).transpose(1, 2)

    def _check(self, pictures: Tensor) -> None:
        wanted = f"(batch, {self.in_channels}, height, width)"
        if not isinstance(pictures, Tensor) or not pictures.is_floating_point():
            got = pictures.dtype if isinstance(pictures, Tensor) else type(pictures).__name__
            raise TypeError(f"pictures must be a float tensor {wanted}, got {got}")
        refuse_meta("pictures", pictures)
        checked_device("pictures", pictures, self.layers[0][0].weight)
        least = 2 ** len(self.layers)
        if (
            pictures.dim() != 4
            or pictures.shape[1] != self.in_channels
            or min(pictures.shape) < 1
            or min(pictures.shape[2:]) < least
        ):
            raise ValueError(
                f"pictures must be {wanted}, each side {least} pixels or more, since "
                f"{len(self.layers)} layers halve it, got shape {tuple(pictures.shape)}"
            )
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
        self.output = nn.Linear(encoder.region_dim, checked_integer("num_classes", num_classes, 1))

    def forward(self, pictures: Tensor) -> Tensor:
        """Map pictures, as the encoder takes them, to logits (batch, num_classes)."""
        return self.output(self.encoder.regions(pictures).amax(dim=1))
