"""Checks of assignment 1: a gradient by pushing, through a leak, and over windows."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import Refused, ramp


@check("right for four shapes and steps.")
def numeric_gradient() -> Cases:
    """Check `numeric_gradient(loss, w, step)`: central differences, one number at a time."""
    transpose = ramp(3, 2, low=-0.7, high=1.3).T
    equal = torch.tensor([0.4, 0, -0.7, 0.4, 0, 1.3], dtype=torch.float64)
    deep = ramp(2, 1, 3, low=-0.7, high=1.3)
    for w, step in ((deep, 0.01), (equal, 0.5), (ramp(low=-0.7), 0.25), (transpose, 0.1)):
        asked = f", w of shape {tuple(w.shape)}, step {step}:"
        loss = _loss_of(f"numeric_gradient{asked}", w)

        def pushed(up=1.0, down=-1.0, width=2.0, undo=True) -> Tensor:
            found, here = [], w
            for k in range(w.numel()):
                push = torch.zeros(w.numel(), dtype=w.dtype)
                push[k] = step
                push = push.reshape(w.shape)
                found.append((loss(here + up * push) - loss(here + down * push)) / (width * step))
                here = here if undo else here + up * push
            return torch.tensor(found, dtype=w.dtype).reshape(w.shape)

        right = pushed()
        slips = {
            "the difference is taken from w itself, to one side only": pushed(down=0.0, width=1.0),
            "the difference is taken from w itself, to the side below": pushed(up=0.0, width=1.0),
            "the two points are 2 steps apart": 2 * right,
            "the difference is not divided": right * 2 * step,
            "the sign is wrong": -right,
            "each push is half a step, or the width is twice too large": pushed(0.5, -0.5, 1.0),
            "a push is still there when the next number is pushed": pushed(undo=False),
            "all numbers are pushed at once": (
                torch.full_like(w, (loss(w + step) - loss(w - step)) / (2 * step))
            ),
            "this is a flat list; it has the shape of w": right.flatten(),
        }
        without_end = "it calls loss without an end; two calls for each number are enough."
        counted = at_most(100 + 20 * w.numel(), loss, f"numeric_gradient{asked} {without_end}")
        yield Case(asked, {"loss": counted, "w": w, "step": step}, right, slips)


def _loss_of(asked: str, like: Tensor) -> Callable:
    """A cubic loss, so that a difference is not the derivative; refuses another shape."""
    factors = ramp(*like.shape, low=0.4, high=-1.1) + 0.05

    def loss(w):
        w = torch.as_tensor(w, dtype=torch.float64)
        if w.shape != factors.shape:
            raise Refused(f"{asked} loss wants all of w, it got shape {tuple(w.shape)}.")
        return ((factors * w**3).sum() + (w.sum() + 0.3) ** 2).item()

    return loss


@check("right for four leaks, with a = 1 among them.")
def leaky_norms() -> Cases:
    """Check `leaky_norms(states, g, W_hh, a)`: how much of a gradient comes back through a leak.

    Source: deck 003's Jacobian, for a state that keeps a share of itself.
    """
    for hidden, length, a, scale in (
        (3, 5, 0.25, 1),
        (2, 4, 1.0, 1),
        (1, 6, 0.5, 1),
        (4, 3, 0.4, 9),
    ):
        W_hh = ramp(hidden, hidden, low=-0.9, high=1.6)
        states = [scale * ramp(hidden, low=0.3, high=-0.8)]
        for k in range(length):
            inside = W_hh @ states[-1] + scale * ramp(hidden, low=0.9 - 0.4 * k, high=-0.2)
            states.append((1 - a) * states[-1] + a * torch.tanh(inside))
        given = {"states": torch.stack(states), "g": ramp(hidden, low=1.3, high=-0.4)}
        given |= {"W_hh": W_hh, "a": a}
        right = _norms(**given)
        slips = {text: _norms(**given, **slip) for text, slip in LEAKS.items()} | {
            "the first norm is that at the last state; h_0 comes first": right.flip(0),
            "the norm at the last state is missing": right[:-1],
            "the norm at h_0 is missing": right[1:],
            "these are the squared norms": right**2,
            "norms were multiplied; take the vector back, parts of it may cancel": (
                _multiplied(**given)
            ),
        }
        yield Case(f", {hidden} units, a = {a}:", given, right, slips)
    gone = {"states": ramp(4, 1) * 0, "g": ramp(1, low=1.5), "W_hh": ramp(1, 1), "a": 0.5}
    yield Case(", one unit whose two ways cancel:", gone, torch.tensor([0, 0, 0, 1.5]).double())


def _norms(
    states,
    g,
    W_hh,
    a,
    keep=lambda a: 1 - a,
    take=lambda a: a,
    squashed=lambda before, after, a: (after - (1 - a) * before) / a,
    back=lambda v, W: v @ W,
) -> Tensor:
    """The norms of the gradient on its way; the options are what a slip changes."""
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


@check("right for five streams.")
def update_windows() -> Cases:
    """Check `update_windows(length, every, back)`: what each update reads, and what it counts.

    Source: deck 000, "Truncated Backpropagation Through Time", with windows that overlap.
    """
    for length, every, back in ((12, 4, 6), (10, 4, 6), (7, 1, 3), (5, 2, 2), (3, 5, 8)):
        asked = f"({length}, {every}, {back})"

        def cut(end=length, back=back, start=lambda first, stop: max(0, stop - back)) -> list:
            stops = [(first, min(first + every, end)) for first in range(0, end, every)]
            return [(start(first, stop), first, stop) for first, stop in stops]

        slips = {
            "the last steps are left out; they get an update as well": cut(length - length % every),
            "the last window runs over the end": cut(-(-length // every) * every),
            "a window begins before step 0": cut(start=lambda first, stop: stop - back),
            "`back` is counted from the end of the window": (
                cut(start=lambda first, stop: max(0, first - back))
            ),
            "the last update reads `back` steps as well": (
                cut(start=lambda first, stop: max(0, first + every - back))
            ),
            "the windows do not overlap": cut(start=lambda first, stop: first),
            "some steps are counted twice": [(begin, begin, stop) for begin, _, stop in cut()],
            "`back` is one step short": cut(start=lambda f, stop: max(0, stop - back + 1)),
            "`back` is one step too many": cut(start=lambda f, stop: max(0, stop - back - 1)),
        }

        def read(answer):
            if isinstance(answer, list | tuple):
                lengths = {len(w) for w in answer if isinstance(w, list | tuple | Tensor)}
                if lengths - {3}:
                    raise Refused(f"update_windows{asked} must give three numbers for each window.")
            return answer

        given = {"length": length, "every": every, "back": back}
        slips = {text: torch.tensor(found) for text, found in slips.items() if found}
        yield Case(asked, given, torch.tensor(cut()), slips, read=read)
