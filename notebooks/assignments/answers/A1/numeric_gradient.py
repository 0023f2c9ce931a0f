"""Answers to numeric_gradient: right ones, wrong ones, and a grader that is too weak."""

import torch


# %% weak
def weak(student):
    w = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)
    found = student(lambda v: (torch.as_tensor(v) ** 2).sum(), w.clone(), 1e-5)
    return torch.allclose(torch.as_tensor(found).double().flatten(), 2 * w, atol=1e-3)


# %% right: pushes as the rows of a matrix
def numeric_gradient(loss, w, step):
    rows = step * torch.eye(w.numel(), dtype=w.dtype)
    slopes = [loss(w + r.view(w.shape)) - loss(w - r.view(w.shape)) for r in rows]
    return torch.as_tensor(slopes, dtype=w.dtype).view(w.shape) / (2 * step)


# %% right: numpy's ndindex
def numeric_gradient(loss, w, step):
    import numpy as np

    w = w.numpy().astype(np.float64)
    gradient = np.zeros_like(w)
    for place in np.ndindex(w.shape):
        push = np.zeros_like(w)
        push[place] = step
        up, down = loss(torch.tensor(w + push)), loss(torch.tensor(w - push))
        gradient[place] = (float(up) - float(down)) / (2 * step)
    return gradient


# %% right: one copy, and the old number is put back
def numeric_gradient(loss, w, step):
    copy = w.clone(memory_format=torch.contiguous_format)
    gradient = torch.empty_like(copy)
    flat, out = copy.view(-1), gradient.view(-1)
    for k in range(len(flat)):
        old = flat[k].item()
        flat[k] = old + step
        up = float(loss(copy))
        flat[k] = old - step
        down = float(loss(copy))
        flat[k] = old
        out[k] = (up - down) / step / 2
    return gradient


# %% right: w itself is pushed, and put back to the last bit
def numeric_gradient(loss, w, step):
    found = []
    import numpy as np

    for at in np.ndindex(*w.shape):
        kept = w[at].clone()
        w[at] = kept + step
        up = loss(w)
        w[at] = kept - step
        found.append((up - loss(w)) / (2 * step))
        w[at] = kept
    return torch.tensor(found).reshape(w.shape)


# %% right: the mean of the two one-sided differences
def numeric_gradient(loss, w, step):
    here, gradient = loss(w), []
    for k in range(w.numel()):
        push = torch.zeros(w.numel(), dtype=w.dtype)
        push[k] = step
        push = push.reshape(w.shape)
        right, left = (loss(w + push) - here) / step, (here - loss(w - push)) / step
        gradient.append(float(right + left) / 2)
    return torch.tensor(gradient, dtype=torch.float64).reshape(w.shape)


# %% wrong: the two points are 2 steps apart
def numeric_gradient(loss, w, step):
    gradient = torch.zeros_like(w)
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        push.view(-1)[k] = step
        gradient.view(-1)[k] = (loss(w + push) - loss(w - push)) / step
    return gradient


# %% wrong: all numbers are pushed at once
def numeric_gradient(loss, w, step):
    slope = (loss(w + step) - loss(w - step)) / (2 * step)
    return torch.full_like(w, float(slope))


# %% wrong: the sign is wrong
def numeric_gradient(loss, w, step):
    gradient = torch.zeros_like(w)
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        push.view(-1)[k] = step
        gradient.view(-1)[k] = (loss(w - push) - loss(w + push)) / (2 * step)
    return gradient


# %% wrong: not divided by the step
def numeric_gradient(loss, w, step):
    gradient = torch.zeros_like(w)
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        push.view(-1)[k] = step
        gradient.view(-1)[k] = (loss(w + push) - loss(w - push)) / 2
    return gradient


# %% wrong: the second push starts from the first
def numeric_gradient(loss, w, step):
    gradient = torch.zeros_like(w)
    for k in range(w.numel()):
        moved = w.clone()
        moved.view(-1)[k] += step
        up = loss(moved)
        moved.view(-1)[k] -= step
        gradient.view(-1)[k] = (up - loss(moved)) / (2 * step)
    return gradient


# %% wrong: loss gets the single number that was pushed
def numeric_gradient(loss, w, step):
    flat = w.flatten()
    found = [(loss(v + step) - loss(v - step)) / (2 * step) for v in flat]
    return torch.stack([torch.as_tensor(f) for f in found]).reshape(w.shape)


# %% wrong: the differences are added up to one number
def numeric_gradient(loss, w, step):
    total = 0.0
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        push.view(-1)[k] = step
        total += (loss(w + push) - loss(w - push)) / (2 * step)
    return torch.as_tensor(total)


# %% wrong, subtle: the difference is taken from w itself, to one side only
def numeric_gradient(loss, w, step):
    gradient = torch.zeros_like(w)
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        push.view(-1)[k] = step
        gradient.view(-1)[k] = (loss(w + push) - loss(w)) / step
    return gradient


# %% wrong, subtle: a push is still there when the next number is pushed
def numeric_gradient(loss, w, step):
    here, gradient = w.clone(), torch.zeros_like(w)
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        push.view(-1)[k] = step
        gradient.view(-1)[k] = (loss(here + push) - loss(here - push)) / (2 * step)
        here = here + push
    return gradient


# %% wrong, subtle: this is a flat list; it has the shape of w
def numeric_gradient(loss, w, step):
    found = []
    for k in range(w.numel()):
        push = torch.zeros(w.numel(), dtype=w.dtype)
        push[k] = step
        push = push.reshape(w.shape)
        found.append(float(loss(w + push) - loss(w - push)) / (2 * step))
    return torch.tensor(found)


# %% wrong, subtle: the copy of a transpose is pushed in a copy of itself
def numeric_gradient(loss, w, step):
    gradient = torch.zeros(w.shape, dtype=w.dtype)
    for k in range(w.numel()):
        up, down = w.clone(), w.clone()
        up.reshape(-1)[k] += step
        down.reshape(-1)[k] -= step
        gradient.view(-1)[k] = (loss(up) - loss(down)) / (2 * step)
    return gradient


# %% wrong, subtle: numbers that are 0 are left out
def numeric_gradient(loss, w, step):
    gradient = torch.zeros(w.shape, dtype=w.dtype)
    for at in w.nonzero().tolist():
        push = torch.zeros(w.shape, dtype=w.dtype)
        push[tuple(at)] = step
        gradient[tuple(at)] = (loss(w + push) - loss(w - push)) / (2 * step)
    return gradient


# %% wrong, subtle: equal numbers are pushed together
def numeric_gradient(loss, w, step):
    gradient = torch.zeros(w.shape, dtype=w.dtype)
    for value in w.unique():
        push = step * (w == value)
        gradient[w == value] = (loss(w + push) - loss(w - push)) / (2 * step)
    return gradient


# %% wrong, subtle: loops over the first dimension only
def numeric_gradient(loss, w, step):
    gradient = torch.zeros_like(w)
    for k in range(len(w)):
        push = torch.zeros_like(w)
        push[k] = step
        gradient[k] = (loss(w + push) - loss(w - push)) / (2 * step)
    return gradient


# %% wrong, subtle: w is pushed in place and not exactly put back
def numeric_gradient(loss, w, step):
    gradient, flat = torch.zeros_like(w), w.view(-1)
    for k in range(w.numel()):
        flat[k] += step
        up = loss(w)
        flat[k] -= 2 * step
        gradient.view(-1)[k] = (up - loss(w)) / (2 * step)
        flat[k] += step
    return gradient


# %% wrong, subtle: a step of one's own
def numeric_gradient(loss, w, step):
    step, gradient = 1e-5, torch.zeros_like(w)
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        push.view(-1)[k] = step
        gradient.view(-1)[k] = (loss(w + push) - loss(w - push)) / (2 * step)
    return gradient


# %% wrong, subtle: a step relative to the number
def numeric_gradient(loss, w, step):
    gradient = torch.zeros_like(w)
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        width = step * max(1.0, abs(w.view(-1)[k].item()))
        push.view(-1)[k] = width
        gradient.view(-1)[k] = (loss(w + push) - loss(w - push)) / (2 * width)
    return gradient


# %% wrong, subtle: each push is half a step, or the width is twice too large
def numeric_gradient(loss, w, step):
    gradient = torch.zeros_like(w)
    for k in range(w.numel()):
        push = torch.zeros_like(w)
        push.view(-1)[k] = step / 2
        gradient.view(-1)[k] = (loss(w + push) - loss(w - push)) / step
    return gradient
