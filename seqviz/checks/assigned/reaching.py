"""Checks of assignment 1: a gradient by pushing, through a leak, and over windows."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import at_most, call
from seqviz.checks.comparing import compare
from seqviz.checks.verdict import Refused, Verdict, check, ramp


@check
def numeric_gradient(student: Callable) -> Verdict:
    """Check `numeric_gradient(loss, w, step)`: central differences, one number at a time."""
    transpose = ramp(3, 2, low=-0.7, high=1.3).T
    equal = torch.tensor([0.4, 0, -0.7, 0.4, 0, 1.3], dtype=torch.float64)
    deep = ramp(2, 1, 3, low=-0.7, high=1.3)
    for w, step in ((deep, 0.01), (equal, 0.5), (ramp(low=-0.7), 0.25), (transpose, 0.1)):
        shape = tuple(w.shape)
        asked = f"numeric_gradient, w of shape {shape}, step {step}:"
        loss = _loss_of(asked, shape)
        answer = call(student, loss=loss, w=w, step=step)
        compare(asked, answer, _pushed(loss, w, step), _slips_of_pushing(loss, w, step))
    return Verdict(True, "numeric_gradient: right for four shapes and steps.")


def _loss_of(asked: str, shape: tuple) -> Callable:
    """A cubic loss, so that a difference is not the derivative; refuses another shape."""
    factors = ramp(*shape, low=0.4, high=-1.1) + 0.05

    def loss(w):
        w = torch.as_tensor(w, dtype=torch.float64)
        if w.shape != factors.shape:
            raise Refused(f"{asked} loss wants all of w, it got shape {tuple(w.shape)}.")
        return ((factors * w**3).sum() + (w.sum() + 0.3) ** 2).item()

    size = factors.numel()
    sentence = f"{asked} it calls loss without an end; two calls for each number are enough."
    return at_most(100 + 20 * size, loss, sentence)


def _pushed(loss, w, step, up=1.0, down=-1.0, width=2.0, undo=True) -> Tensor:
    found, here = [], w
    for k in range(w.numel()):
        push = torch.zeros(w.numel(), dtype=w.dtype)
        push[k] = step
        push = push.reshape(w.shape)
        found.append((loss(here + up * push) - loss(here + down * push)) / (width * step))
        here = here if undo else here + up * push
    return torch.tensor(found, dtype=w.dtype).reshape(w.shape)


def _slips_of_pushing(loss, w, step) -> dict[str, Tensor]:
    right = _pushed(loss, w, step)
    together = torch.full_like(w, (loss(w + step) - loss(w - step)) / (2 * step))
    return {
        "the difference is taken from w itself, to one side only": _pushed(
            loss, w, step, down=0.0, width=1.0
        ),
        "the difference is taken from w itself, to the side below": _pushed(
            loss, w, step, up=0.0, width=1.0
        ),
        "the two points are 2 steps apart": 2 * right,
        "the difference is not divided": right * 2 * step,
        "the sign is wrong": -right,
        "each push is half a step, or the width is twice too large": _pushed(
            loss, w, step, up=0.5, down=-0.5, width=1.0
        ),
        "a push is still there when the next number is pushed": _pushed(loss, w, step, undo=False),
        "all numbers are pushed at once": together,
        "this is a flat list; it has the shape of w": right.flatten(),
    }


@check
def leaky_norms(student: Callable) -> Verdict:
    """Check `leaky_norms(states, g, W_hh, a)`: how much of a gradient comes back through a leak.

    Source: deck 003's Jacobian, for a state that keeps a share of itself.
    """
    leaks = ((3, 5, 0.25, 1), (2, 4, 1.0, 1), (1, 6, 0.5, 1), (4, 3, 0.4, 9))
    for hidden, length, a, scale in leaks:
        W_hh = ramp(hidden, hidden, low=-0.9, high=1.6)
        states = [scale * ramp(hidden, low=0.3, high=-0.8)]
        for k in range(length):
            inside = W_hh @ states[-1] + scale * ramp(hidden, low=0.9 - 0.4 * k, high=-0.2)
            states.append((1 - a) * states[-1] + a * torch.tanh(inside))
        states, g = torch.stack(states), ramp(hidden, low=1.3, high=-0.4)
        answer = call(student, states=states, g=g, W_hh=W_hh, a=a)
        right = _norms(states, g, W_hh, a)
        slips = {text: _norms(states, g, W_hh, a, **slip) for text, slip in LEAKS.items()}
        slips |= {
            "the first norm is that at the last state; h_0 comes first": right.flip(0),
            "the norm at the last state is missing": right[:-1],
            "the norm at h_0 is missing": right[1:],
            "these are the squared norms": right**2,
            "norms were multiplied; take the vector back, parts of it may cancel": (
                _multiplied(states, g, W_hh, a)
            ),
        }
        compare(f"leaky_norms, {hidden} units, a = {a}:", answer, right, slips)
    gone = {"states": ramp(4, 1) * 0, "g": ramp(1, low=1.5), "W_hh": ramp(1, 1), "a": 0.5}
    asked = "leaky_norms, one unit whose two ways cancel:"
    compare(asked, call(student, **gone), torch.tensor([0, 0, 0, 1.5], dtype=torch.float64))
    return Verdict(True, "leaky_norms: right for four leaks, with a = 1 among them.")


def _norms(
    states,
    g,
    W_hh,
    a,
    *,
    keep=lambda a: 1 - a,
    take=lambda a: a,
    squashed=lambda before, after, a: (after - (1 - a) * before) / a,
    back=lambda v, W: v @ W,
) -> Tensor:
    norms = [g.norm()]
    for before, after in zip(states[:-1].flip(0), states[1:].flip(0), strict=True):
        slope = 1 - squashed(before, after, a) ** 2
        g = keep(a) * g + take(a) * back(g * slope, W_hh)
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


def _multiplied(states, g, W_hh, a) -> Tensor:
    """The product of the Jacobians' norms, in the place of the norm of what comes through."""
    norms, one = [g.norm()], torch.eye(len(g), dtype=g.dtype)
    for before, after in zip(states[:-1].flip(0), states[1:].flip(0), strict=True):
        slope = 1 - ((after - (1 - a) * before) / a) ** 2
        J = (1 - a) * one + a * slope[:, None] * W_hh
        norms.append(norms[-1] * torch.linalg.matrix_norm(J, 2))
    return torch.stack(norms).flip(0)


LEAKS = {
    "the slope of tanh is taken at the state; tanh's own value is another number": {
        "squashed": lambda before, after, a: after
    },
    "this is a times the value of tanh; divide by a": {
        "squashed": lambda before, after, a: after - (1 - a) * before
    },
    "the slope is taken at the state before": {"squashed": lambda before, after, a: before},
    "the slope of tanh is missing": {"squashed": lambda before, after, a: torch.zeros_like(after)},
    "what the state keeps of itself passes no gradient": {"keep": lambda a: 0.0},
    "what the state keeps passes all of the gradient": {"keep": lambda a: 1.0},
    "the way through tanh has no factor a": {"take": lambda a: 1.0},
    "a and 1 - a are exchanged": {"keep": lambda a: a, "take": lambda a: 1 - a},
    "W_hh is transposed": {"back": lambda v, W: v @ W.T},
    "nothing comes through W_hh": {"take": lambda a: 0.0},
}


@check
def update_windows(student: Callable) -> Verdict:
    """Check `update_windows(length, every, back)`: what each update reads, and what it counts.

    Source: deck 000, "Truncated Backpropagation Through Time", with windows that overlap.
    """
    for length, every, back in ((12, 4, 6), (10, 4, 6), (7, 1, 3), (5, 2, 2), (3, 5, 8)):
        answer = call(student, length=length, every=every, back=back)
        right = _windows(length, every, back)
        slips = {text: cut(length, every, back) for text, cut in WINDOWS.items()}
        slips = {text: torch.tensor(found) for text, found in slips.items() if found}
        asked = f"update_windows({length}, {every}, {back})"
        if isinstance(answer, list | tuple):
            lengths = {len(w) for w in answer if isinstance(w, list | tuple | Tensor)}
            if lengths - {3}:
                raise Refused(f"{asked} must give three numbers for each window.")
        compare(asked, answer, torch.tensor(right), slips)
    return Verdict(True, "update_windows: right for five streams.")


def _windows(length, every, back, start=lambda first, stop, back: max(0, stop - back)) -> list:
    firsts = range(0, length, every)
    ends = [(first, min(first + every, length)) for first in firsts]
    return [(start(first, stop, back), first, stop) for first, stop in ends]


WINDOWS = {
    "the last steps are left out; they get an update as well": lambda length, every, back: _windows(
        length - length % every, every, back
    ),
    "the last window runs over the end": lambda length, every, back: _windows(
        -(-length // every) * every, every, back
    ),
    "a window begins before step 0": lambda length, every, back: _windows(
        length, every, back, start=lambda first, stop, back: stop - back
    ),
    "`back` is counted from the end of the window": lambda length, every, back: _windows(
        length, every, back, start=lambda first, stop, back: max(0, first - back)
    ),
    "the last update reads `back` steps as well": lambda length, every, back: _windows(
        length, every, back, start=lambda first, stop, back: max(0, first + every - back)
    ),
    "the windows do not overlap": lambda length, every, back: _windows(
        length, every, back, start=lambda first, stop, back: first
    ),
    "some steps are counted twice": lambda length, every, back: [
        (start, start, stop) for start, _, stop in _windows(length, every, back)
    ],
    "`back` is one step short": lambda length, every, back: _windows(length, every, back - 1),
    "`back` is one step too many": lambda length, every, back: _windows(length, every, back + 1),
}
