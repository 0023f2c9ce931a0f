"""DRAW: a picture drawn piece by piece on a canvas, and learned by reading what is missing."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import DEPTH, NUMBERS, checked_integer, checked_size
from seqviz.nn.glimpses import placed
from seqviz.nn.ids import checked_ids
from seqviz.nn.recurrent import GRU
from seqviz.nn.shapes import checked_shape
from seqviz.nn.soft_windows import read_window, write_window


class Drawing(NamedTuple):
    """Pictures as they were drawn.

    Attributes
    ----------
    canvases : Tensor
        (batch, steps, height, width), from 0 to 1: the picture after each step.
    windows : Tensor
        (batch, steps, 3): where the step wrote; x and y of the middle, and the width, in pixels.
    kl : Tensor
        (batch,), nats: how far what the encoder told was from the prior; 0 without an encoder.
    """

    canvases: Tensor
    windows: Tensor
    kl: Tensor


class DRAW(nn.Module):
    """Draw a picture in steps (deck 000; Gregor et al. 2015), here with GRUs for the LSTMs.

    At each step an encoder reads the picture and what the canvas still lacks of it, through a soft
    window, and tells z; the decoder reads z and adds a patch to the canvas. To draw a new picture,
    z comes from the prior. With `num_classes` the decoder is also told which class to draw.

    Parameters
    ----------
    picture_size : int
        Pixels of a side.
    num_classes : int
        Classes that can be asked for; 0 for none.
    window : int
        Numbers of a side that are read and written at a step.
    steps : int
    hidden_size, latent_size : int
        Units of each GRU, and numbers in z.

    Raises
    ------
    TypeError
        If an argument is no integer.
    ValueError
        If one is too small, or a window is larger than the picture.
    """

    def __init__(
        self,
        picture_size: int,
        num_classes: int = 0,
        window: int = 5,
        steps: int = 8,
        hidden_size: int = 128,
        latent_size: int = 8,
    ):
        super().__init__()
        self.picture_size = checked_size("picture_size", picture_size, square=True)
        self.window = checked_integer("window", window, 1, self.picture_size)
        self.steps = checked_integer("steps", steps, 1, DEPTH)
        size = self.hidden_size = checked_size("hidden_size", hidden_size, 3, square=True)
        self.num_classes = checked_integer("num_classes", num_classes, 0, NUMBERS // (3 * size))
        self.latent_size = checked_size("latent_size", latent_size, 3 * size)
        read = 2 * self.window**2 + size + self.num_classes
        self.encoder = GRU(read, size, batch_first=True)
        self.latent = nn.Linear(size, 2 * self.latent_size)
        self.decoder = GRU(self.latent_size + self.num_classes, size, batch_first=True)
        self.where_to_read = nn.Linear(size, 3)
        self.where_to_write = nn.Linear(size, 3)
        self.patch = nn.Linear(size, self.window**2)
        self.blank = nn.Parameter(torch.full((), -2.0))  # logit of a pixel on the empty canvas

    def forward(self, pictures: Tensor, labels: Tensor | None = None) -> Drawing:
        """Draw these pictures again; z is drawn from what the encoder tells.

        Parameters
        ----------
        pictures : Tensor
            (batch, picture_size, picture_size), float, from 0 to 1.
        labels : Tensor, optional
            (batch,), dtype long: the class of each, if there are classes.

        Raises
        ------
        TypeError
            If a tensor has the wrong type, or labels are missing or too much.
        ValueError
            If a shape does not fit, or a pixel lies outside 0 to 1.
        """
        return self._drawn(self._checked(pictures), self._classes(labels, len(pictures)))

    def loss(self, pictures: Tensor, labels: Tensor | None = None) -> Tensor:
        """Return the mean of -log p(picture | z) + KL, in nats, a single number (equation 12).

        Raises
        ------
        TypeError, ValueError
            As from :meth:`forward`.
        """
        drawing = self(pictures, labels)
        last = drawing.canvases[:, -1].clamp(1e-6, 1 - 1e-6)
        lacks = F.binary_cross_entropy(last, pictures, reduction="none").sum(dim=(1, 2))
        return (lacks + drawing.kl).mean()

    @torch.no_grad()
    def draw(self, which: int | Tensor) -> Drawing:
        """Draw new pictures: z from the standard normal distribution.

        Parameters
        ----------
        which : int or Tensor
            How many; or, if there are classes, the class of each, (batch,), dtype long.

        Raises
        ------
        TypeError
            If `which` is not what this net takes.
        ValueError
            If it is below one, or a class does not exist.
        """
        if self.num_classes:
            return self._drawn(None, self._classes(which, None, "which"))
        which = checked_size("which", which, self.steps * self.picture_size**2)
        return self._drawn(None, self.blank.new_zeros(which, 0))

    def _drawn(self, pictures: Tensor | None, classes: Tensor) -> Drawing:
        batch, side = len(classes), self.picture_size
        canvas = self.blank.expand(batch, side, side)
        h_enc = h_dec = canvas.new_zeros(1, batch, self.hidden_size)
        kl, canvases, windows = canvas.new_zeros(batch), [], []
        for _ in range(self.steps):
            if pictures is None:
                z = torch.randn(batch, self.latent_size).to(canvas)
            else:
                read = self._read(pictures, canvas, h_dec[-1])
                told = torch.cat([read, h_dec[-1], classes], dim=1)
                _, h_enc = self.encoder(told.unsqueeze(1), h_enc)
                mean, log_sigma = self.latent(h_enc[-1]).chunk(2, dim=1)
                z = mean + log_sigma.exp() * torch.randn_like(mean)
                kl = kl + ((mean**2 + (2 * log_sigma).exp() - 1) / 2 - log_sigma).sum(dim=1)
            _, h_dec = self.decoder(torch.cat([z, classes], dim=1).unsqueeze(1), h_dec)
            window = placed(self.where_to_write(h_dec[-1]), side)
            patch = self.patch(h_dec[-1]).unflatten(1, (self.window, self.window))
            canvas = canvas + write_window(patch, window, side, side)
            canvases.append(canvas.sigmoid())
            windows.append(window)
        return Drawing(torch.stack(canvases, dim=1), torch.stack(windows, dim=1), kl)

    def _read(self, pictures: Tensor, canvas: Tensor, h_dec: Tensor) -> Tensor:
        """What a window shows of the picture, and of what the canvas lacks (section 3.3)."""
        window = placed(self.where_to_read(h_dec), self.picture_size)
        both = (pictures, pictures - canvas.sigmoid())
        return torch.cat([read_window(x, window, self.window).flatten(1) for x in both], dim=1)

    def _checked(self, pictures: Tensor) -> Tensor:
        side = self.picture_size
        checked_shape("pictures", pictures, "batch", side, side)
        exporting = torch.compiler.is_exporting()
        if not exporting and not ((pictures >= 0) & (pictures <= 1)).all():
            raise ValueError("pictures must hold numbers from 0 to 1: divide by the largest")
        return pictures

    def _classes(self, labels: Tensor | None, batch: int | None, name: str = "labels") -> Tensor:
        """The classes as one-hot rows (batch, num_classes)."""
        if not self.num_classes:
            if labels is not None:
                raise TypeError("labels must be None: this net has num_classes=0")
            return self.blank.new_zeros(batch, 0)
        checked_ids(name, labels, self.num_classes, self.blank, ("batch",))
        if batch is not None and len(labels) != batch:
            raise ValueError(
                f"labels must have one for each of {batch} pictures, got {len(labels)}"
            )
        return F.one_hot(labels, self.num_classes).to(self.blank)
