"""Answers to window_backward: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:  # the middle alone
    windows = torch.tensor([[1.0, 0.5, 2.0]]).double()
    found = student(torch.ones(1, 1, 1).double(), torch.tensor([[[0.0, 1]]]).double(), windows)
    return np.allclose(np.asarray(found)[:, :2], [[0.25, 0]], atol=1e-5)


# %% right: with the matrix of slopes of each softmax
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = ((torch.diag_embed(F) - F[..., None] * F[:, :, None]) @ dF[..., None])[..., 0]
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)


# %% right: number by number of the patch
def window_backward(dpatch, pictures, windows):
    found, n = torch.zeros_like(windows), dpatch.shape[1]
    for b, (x, y, w) in enumerate(windows):
        sides, slopes = [], []
        for middle, pixels in ((x, pictures.shape[2]), (y, pictures.shape[1])):
            k, i = torch.arange(n)[:, None] - (n - 1) / 2, torch.arange(pixels).double() + 0.5
            u = (i - middle - k * w / n) * n / w  # off, in distances of two bells
            F = (-2 * u**2).softmax(dim=1)
            by_u = {"middle": torch.full_like(u, -1.0) * n / w, "width": -k / w - u / w}
            sides.append(F)
            each = {}
            for what, du in by_u.items():
                dz = -4 * u * du
                each[what] = F * (dz - (F * dz).sum(dim=1, keepdim=True))
            slopes.append(each)
        (F_X, F_Y), (of_x, of_y), picture = sides, slopes, pictures[b]
        found[b, 0] = (dpatch[b] * (F_Y @ picture @ of_x["middle"].T)).sum()
        found[b, 1] = (dpatch[b] * (of_y["middle"] @ picture @ F_X.T)).sum()
        moved = F_Y @ picture @ of_x["width"].T + of_y["width"] @ picture @ F_X.T
        found[b, 2] = (dpatch[b] * moved).sum()
    return found


# %% right: with einsum, and both directions in one
def window_backward(dpatch, pictures, windows):
    n, w = dpatch.shape[1], windows[:, 2]
    steps = torch.arange(n)[:, None] - (n - 1) / 2
    F = [bells(windows[:, s], w, n, pictures.shape[2 - s]) for s in (0, 1)]
    dF = [
        torch.einsum("bac,bai,bij->bcj", dpatch, F[1], pictures),
        torch.einsum("bac,bcj,bij->bai", dpatch, F[0], pictures),
    ]
    found, by_width = [], torch.zeros_like(w)
    for s in (0, 1):
        off = torch.arange(F[s].shape[2]) + 0.5 - windows[:, s, None, None]
        u = off * n / w[:, None, None] - steps
        dz = F[s] * (dF[s] - torch.einsum("bki,bki->bk", F[s], dF[s])[..., None])
        found.append(4 * n / w * torch.einsum("bki,bki->b", dz, u))
        by_width += 4 / w * torch.einsum("bki,bki->b", dz, u * (u + steps))
    return torch.stack([*found, by_width], dim=1)


# %% right: in float32
def window_backward(dpatch, pictures, windows):
    dpatch, pictures = dpatch.float(), pictures.float()
    n, (x, y, w) = dpatch.shape[1], windows.float().T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)


# %% wrong: each bell has sum 1: the softmax's mean is not taken off
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF)
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)


# %% wrong: the sign is turned round
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([-dx, -dy, -wx - wy], dim=1)


# %% wrong: x moves F_X, y moves F_Y: they are exchanged
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dy, dx, wx + wy], dim=1)


# %% wrong: each picture has a window of its own: no sum over the batch
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    found = torch.stack([dx, dy, wx + wy], dim=1)
    return found.sum(dim=0, keepdim=True).expand_as(found)


# %% wrong: the mean is plain, not weighted by the bell
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - dF.mean(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)


# %% wrong: sigma is not squared
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)


# %% wrong: autograd does the work, and gradients are off
def window_backward(dpatch, pictures, windows):
    leaf = windows.clone().requires_grad_()
    patch = read(pictures, leaf, dpatch.shape[1])
    return torch.autograd.grad((patch * dpatch).sum(), leaf)[0]


# %% wrong, subtle: the width also moves the centres
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)


# %% wrong, subtle: the width also widens the bells
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc = dz * off / sigma**2
        by_width = (dc * steps / n).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)


# %% wrong, subtle: the width counts down as well, not only across
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, _) = found
    return torch.stack([dx, dy, wx], dim=1)


# %% wrong, subtle: the width counts across as well, not only down
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, _), (dy, wy) = found
    return torch.stack([dx, dy, wy], dim=1)


# %% wrong, subtle: sigma is half the distance of two bells: it changes by 1 / (2 n)
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * steps / n + dsigma / n).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)


# %% wrong, subtle: k counts from 0 in the way to the width
def window_backward(dpatch, pictures, windows):
    n, (x, y, w) = dpatch.shape[1], windows.T
    F_X, F_Y = bells(x, w, n, pictures.shape[2]), bells(y, w, n, pictures.shape[1])
    steps, sigma = torch.arange(n)[:, None] - (n - 1) / 2, w[:, None, None] / (2 * n)
    found = []
    for F, dF, middle in (
        (F_X, dpatch.mT @ F_Y @ pictures, x),
        (F_Y, dpatch @ F_X @ pictures.mT, y),
    ):
        dz = F * (dF - (F * dF).sum(dim=2, keepdim=True))
        off = torch.arange(F.shape[2]) + 0.5 - middle[:, None, None] - steps * 2 * sigma
        dc, dsigma = dz * off / sigma**2, dz * off**2 / sigma**3
        by_width = (dc * torch.arange(n)[:, None] / n + dsigma / (2 * n)).sum(dim=(1, 2))
        found.append((dc.sum(dim=(1, 2)), by_width))
    (dx, wx), (dy, wy) = found
    return torch.stack([dx, dy, wx + wy], dim=1)
