"""A soft window on a picture: where it lies and how wide it is are numbers that can be learned."""

import torch
from torch import Tensor

from seqviz.arguments import checked_size
from seqviz.nn.shapes import checked_shape


def read_window(pictures: Tensor, windows: Tensor, size: int) -> Tensor:
    """Read size x size numbers from a window of each picture: F_Y x F_X^T.

    Each row of F is a bell over the pixels of a side, with sum 1; the bells of a window stand
    width / size apart and are half as wide (Gregor et al. 2015, "DRAW", section 3.2; deck
    000). A bell beyond the edge reads the edge.

    Parameters
    ----------
    pictures : Tensor
        (batch, height, width), float.
    windows : Tensor
        (batch, 3): x and y of the middle, and the width, in pixels; 0 is the edge of the picture.
    size : int
        Numbers of a side that are read, however wide the window is.

    Returns
    -------
    Tensor
        (batch, size, size).

    Raises
    ------
    TypeError
        If a tensor is no float tensor, or `size` no integer.
    ValueError
        If shapes do not fit, or a width is not above zero.
    """
    checked_shape("pictures", pictures, "batch", "height", "width")
    _check_windows(windows, len(pictures))
    F_X, F_Y = bells(windows, checked_size("size", size, max(pictures.shape)), *pictures.shape[1:])
    return F_Y @ pictures @ F_X.mT


def write_window(patches: Tensor, windows: Tensor, height: int, width: int) -> Tensor:
    """Write patches (batch, size, size) into windows of empty pictures: F_Y^T w F_X.

    Parameters
    ----------
    patches : Tensor
        (batch, size, size), float.
    windows : Tensor
        As in :func:`read_window`.
    height, width : int
        Pixels of the pictures.

    Returns
    -------
    Tensor
        (batch, height, width).

    Raises
    ------
    TypeError, ValueError
        As from :func:`read_window`.
    """
    checked_shape("patches", patches, "batch", "size", "size")
    _check_windows(windows, len(patches))
    height = checked_size("height", height, len(patches))
    sides = height, checked_size("width", width, len(patches) * height)
    F_X, F_Y = bells(windows, patches.shape[1], *sides)
    return F_Y.mT @ patches @ F_X


def bells(windows: Tensor, size: int, height: int, width: int) -> tuple[Tensor, Tensor]:
    """Return F_X (batch, size, width) and F_Y (batch, size, height) of checked windows."""
    x, y, span = windows.unbind(dim=1)
    apart = (span / size)[:, None, None]
    steps = torch.arange(size, device=windows.device)[:, None] - (size - 1) / 2

    def along(middle: Tensor, pixels: int) -> Tensor:
        at = torch.arange(pixels, device=windows.device) + 0.5  # the middle of each pixel
        off = at - (middle[:, None, None] + steps * apart)
        return (-((off / apart) ** 2) * 2).softmax(dim=-1)  # sigma = apart / 2

    return along(x, width), along(y, height)


def _check_windows(windows: Tensor, batch: int) -> None:
    checked_shape("windows", windows, batch, 3, fix=": x, y, width of each")
    if not torch.compiler.is_exporting() and not (windows[:, 2] > 0).all():
        raise ValueError(
            f"windows must have a width above 0 pixels, got {windows[:, 2].min().item():g}"
        )
