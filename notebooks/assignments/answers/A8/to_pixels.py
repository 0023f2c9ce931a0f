"""Answers to to_pixels: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
import torch.nn.functional as F


# %% weak
def weak(student) -> bool:  # one region in the middle sees all that is in the picture
    alpha = torch.zeros(3, 3).double()
    alpha[1, 1] = 1.0
    return np.allclose(student(alpha, 6, 2), np.full((6, 6), 1 / 36), atol=1e-6)


# %% right: region by region
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels, more = torch.zeros(rows * apart, columns * apart).double(), (reach - apart) // 2
    for i in range(rows):
        for j in range(columns):
            top, left = i * apart - more, j * apart - more
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen += alpha[i, j] / seen.numel()
    return pixels


# %% right: torch folds the squares
def to_pixels(alpha, reach, apart):
    more = (reach - apart) // 2

    def spread(weights):
        squares = weights.reshape(1, 1, -1).expand(-1, reach**2, -1)
        size = [side * apart for side in alpha.shape]
        how = {"kernel_size": reach, "stride": apart, "padding": more}
        return F.fold(squares, size, **how)[0, 0]

    ones = torch.ones(1, 1, *(side * apart for side in alpha.shape)).double()
    how = {"kernel_size": reach, "stride": apart, "padding": more}
    count = F.unfold(ones, **how).sum(dim=1)
    return spread(alpha.flatten() / count)


# %% right: a mask for each region, with numpy
def to_pixels(alpha, reach, apart):
    height, width = (side * apart for side in alpha.shape)
    y, x = np.arange(height)[:, None] + 0.5, np.arange(width) + 0.5
    pixels = np.zeros((height, width))
    for (i, j), weight in np.ndenumerate(alpha.numpy()):
        near = np.abs(y - (i + 0.5) * apart) < reach / 2
        seen = near & (np.abs(x - (j + 0.5) * apart) < reach / 2)
        pixels += weight * seen / seen.sum()
    return pixels


# %% right: first down, then across, in float32
def to_pixels(alpha, reach, apart):
    def down(weights):
        pixels = torch.zeros(len(weights) * apart, weights.shape[1])
        for i, row in enumerate(weights):
            top = i * apart - (reach - apart) // 2
            seen = pixels[max(top, 0) : top + reach]
            seen += row / len(seen)
        return pixels

    return down(down(alpha.float()).T).T


# %% wrong: a region sees more than its own square of pixels
def to_pixels(alpha, reach, apart):
    return alpha.repeat_interleave(apart, 0).repeat_interleave(apart, 1) / apart**2


# %% wrong: each pixel gets the whole weight of a region: share it
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels, more = torch.zeros(rows * apart, columns * apart).double(), (reach - apart) // 2
    for i in range(rows):
        for j in range(columns):
            top, left = i * apart - more, j * apart - more
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen += alpha[i, j]
    return pixels


# %% wrong: the square begins at the region's corner: its middle is that of the region
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels = torch.zeros(rows * apart, columns * apart).double()
    for i in range(rows):
        for j in range(columns):
            top, left = i * apart, j * apart
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen += alpha[i, j] / seen.numel()
    return pixels


# %% wrong: the square ends at the region's corner: its middle is that of the region
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels, more = torch.zeros(rows * apart, columns * apart).double(), reach - apart
    for i in range(rows):
        for j in range(columns):
            top, left = i * apart - more, j * apart - more
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen += alpha[i, j] / seen.numel()
    return pixels


# %% wrong: the picture is as large as the grid
def to_pixels(alpha, reach, apart):
    return alpha


# %% wrong: the weights are added to the grid that was handed in
def to_pixels(alpha, reach, apart):
    alpha += 0
    alpha /= reach**2
    return alpha.repeat_interleave(apart, 0).repeat_interleave(apart, 1)


# %% wrong, subtle: weight falls outside of the picture: share it among the pixels inside
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels, more = torch.zeros(rows * apart, columns * apart).double(), (reach - apart) // 2
    for i in range(rows):
        for j in range(columns):
            top, left = i * apart - more, j * apart - more
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen += alpha[i, j] / reach**2
    return pixels


# %% wrong, subtle: the sum is put right at the end, but regions at the edge lose weight to others
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels, more = torch.zeros(rows * apart, columns * apart).double(), (reach - apart) // 2
    for i in range(rows):
        for j in range(columns):
            top, left = i * apart - more, j * apart - more
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen += alpha[i, j] / reach**2
    return pixels * alpha.sum() / pixels.sum()


# %% wrong, subtle: the largest weight counts at each pixel; add up all regions that see it
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels, more = torch.zeros(rows * apart, columns * apart).double(), (reach - apart) // 2
    for i in range(rows):
        for j in range(columns):
            top, left = i * apart - more, j * apart - more
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen.copy_(seen.clamp(min=(alpha[i, j] / seen.numel()).item()))
    return pixels


# %% wrong, subtle: a region at the edge sees inside what it lacks outside
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels, more = torch.zeros(rows * apart, columns * apart).double(), (reach - apart) // 2
    for i in range(rows):
        for j in range(columns):
            top = min(max(i * apart - more, 0), max(len(pixels) - reach, 0))
            left = min(max(j * apart - more, 0), max(pixels.shape[1] - reach, 0))
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen += alpha[i, j] / seen.numel()
    return pixels


# %% wrong: the last region that sees a pixel sets it
def to_pixels(alpha, reach, apart):
    rows, columns = alpha.shape
    pixels, more = torch.zeros(rows * apart, columns * apart).double(), (reach - apart) // 2
    for i in range(rows):
        for j in range(columns):
            top, left = i * apart - more, j * apart - more
            seen = pixels[max(top, 0) : top + reach, max(left, 0) : left + reach]
            seen[:] = alpha[i, j] / seen.numel()
    return pixels
