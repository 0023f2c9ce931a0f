"""Which pixels each token of a vision model reads, told by gradients and not by names."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from seqviz.nn.resting import at_rest
from seqviz.recording.tensors import tensors_in

NONE, SEVERAL = -1, -2
TINY = 1e-6  # of the largest gradient: rounding


@dataclass(frozen=True)
class Patches:
    """Tokens over a picture.

    Attributes
    ----------
    tokens : list of int or str
        For each token its patch, row by row, or the name of a special token.
    grid : tuple of int
        Rows and columns.
    box : tuple of int
        y0, x0, y1, x1 of what is read, in pixels.
    """

    tokens: list
    grid: tuple[int, int]
    box: tuple[int, int, int, int]

    def __post_init__(self) -> None:
        order = np.random.default_rng(0).permutation(self.grid[0] * self.grid[1])
        object.__setattr__(self, "moved", order)  # where each patch is in the shuffled picture

    def cut(self, picture: np.ndarray) -> np.ndarray:
        """What of a picture (h, w, ...) is read."""
        y0, x0, y1, x1 = self.box
        return picture[y0:y1, x0:x1]

    def shuffled(self, pixels: Tensor) -> Tensor:
        """The picture with its patches in other places."""
        y0, x0, y1, x1 = self.box
        rows, columns = self.grid
        high, wide = (y1 - y0) // rows, (x1 - x0) // columns
        part = pixels[..., y0:y1, x0:x1].reshape(-1, rows, high, columns, wide)
        tiles = part.permute(1, 3, 0, 2, 4).flatten(0, 1)
        mixed = torch.empty_like(tiles)
        mixed[torch.from_numpy(self.moved).to(pixels.device)] = tiles
        laid = mixed.unflatten(0, (rows, columns)).permute(2, 0, 3, 1, 4)
        out = pixels.clone()
        out[..., y0:y1, x0:x1] = laid.reshape(1, -1, y1 - y0, x1 - x0)
        return out

    def kept(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Share of each row's weight on patches that goes with them, and that stays, (T, N, 2)."""
        at = np.argsort([np.inf if isinstance(one, str) else one for one in self.tokens])
        at = at[: self.grid[0] * self.grid[1]]  # where patch r is among the tokens
        asks = np.arange(len(self.tokens))
        asks[at] = at[self.moved]
        first = _whole(before[:, :, at])
        goes, stays = _whole(after[:, asks][:, :, at[self.moved]]), _whole(after[:, :, at])
        same = [np.minimum(first, other).sum(axis=-1) for other in (goes, stays)]
        return np.stack(same, axis=-1)


def _whole(weights: np.ndarray) -> np.ndarray:
    """Rows as shares of their sums."""
    sums = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(sums > 0, sums, 1)


class Reached(Exception):
    """The first attention runs: no more is needed."""


def patches_of(model: nn.Module, path: str, call: Callable, pixels: Tensor, count: int) -> Patches:
    """Tell which patch each of `count` tokens stands for before the attention of the module runs.

    Raises
    ------
    ValueError
        If patches overlap, or are not on a grid.
    """
    name = f"model: {type(model).__name__}"
    pixels = pixels.detach().clone().requires_grad_()
    with at_rest(model), torch.enable_grad(), torch.random.fork_rng(), sloping(model):
        torch.manual_seed(0)
        state = state_at(model.get_submodule(path), lambda: call(pixels), count)
        readers = None if state is None else readers_of(state, pixels)
        if readers is None:
            raise ValueError(
                f"{name}: what its first attention, {path!r}, reads cannot be traced to pixels: "
                f"expected {count} tokens made of the picture"
            )
        grid, box, found = laid_out(readers, name)
        names = names_of(model, state, sorted({*range(count)} - {*found}))
    if unknown := [k for k, one in names.items() if not one]:
        raise ValueError(
            f"{name}: {len(unknown)} of its {count} tokens are made neither of pixels nor of a "
            "parameter of their own, such as a cls_token: expected patches and special tokens"
        )
    where = {token: r for r, token in enumerate(found)}
    return Patches([where.get(k, names.get(k)) for k in range(count)], grid, box)


@contextmanager
def sloping(model: nn.Module) -> Iterator[None]:
    """Let gradients reach frozen parameters too."""
    frozen = [p for p in model.parameters() if p.is_floating_point() and not p.requires_grad]
    try:
        for one in frozen:
            one.requires_grad_(True)
        yield
    finally:
        for one in frozen:
            one.requires_grad_(False)


def state_at(module: nn.Module, run: Callable, count: int) -> Tensor | None:
    """What an attention reads first, (token, ...); None if it is of another number of tokens."""
    seen: list[Tensor] = []

    def look(_, args: tuple, kwargs: dict) -> None:
        seen.extend(one for one in tensors_in((args, kwargs)) if one.is_floating_point())
        raise Reached

    handle = module.register_forward_pre_hook(look, with_kwargs=True)
    try:
        run()
    except Reached:
        pass
    finally:
        handle.remove()
    for one in seen[:1]:  # (batch, token, unit), (token, batch, unit), (batch, row, column, unit)
        if one.shape[:-1].numel() == count:
            return one.reshape(count, -1)
        if one.dim() > 1 and one.shape[-2] == count:  # of each head
            return one.movedim(-2, 0).flatten(1)
    return None


def readers_of(state: Tensor, pixels: Tensor) -> np.ndarray | None:
    """For each pixel the token that reads it, or NONE, or SEVERAL, (h, w).

    Tokens are numbered in binary, and each digit asks once: which pixels reach the tokens that
    have it, and which the others?
    """
    if not state.requires_grad:
        return None
    weights = torch.randn_like(state)
    bits = torch.arange(len(state), device=state.device)
    total = np.zeros(pixels.shape[2:], int)
    reached, doubly = np.zeros(total.shape, bool), np.zeros(total.shape, bool)
    for digit in range(max(1, (len(state) - 1).bit_length())):
        hits = []
        for value in (0, 1):
            asked = weights * ((bits >> digit & 1) == value)[:, None]
            (slope,) = torch.autograd.grad(
                state, pixels, asked, retain_graph=True, allow_unused=True
            )
            if slope is None:
                return None
            size = slope[0].abs().sum(dim=0).float()
            hits.append((size > TINY * size.max()).cpu().numpy())
        total += hits[1] << digit
        reached |= hits[0] | hits[1]
        doubly |= hits[0] & hits[1]
    if not reached.any():
        return None
    return np.where(doubly, SEVERAL, np.where(reached, total, NONE))


def laid_out(readers: np.ndarray, name: str) -> tuple[tuple, tuple, list[int]]:
    """Grid and box of the patches, and the token of each, row by row."""
    if (readers == SEVERAL).any():
        part = (readers == SEVERAL).mean()
        raise ValueError(
            f"{name} reads {part:.0%} of the pixels with several tokens: expected patches that do "
            "not overlap, or no picture could show a token's weight"
        )
    ys, xs = np.nonzero(readers != NONE)
    y0, x0, y1, x1 = ys.min(), xs.min(), ys.max() + 1, xs.max() + 1
    inside = readers[y0:y1, x0:x1]
    rows, columns = (1 + (np.diff(side) != 0).sum() for side in (inside[:, 0], inside[0]))
    found = inside[:: len(inside) // rows, :: inside.shape[1] // columns]
    sizes = [n // m for n, m in zip(inside.shape, (rows, columns), strict=True)]
    laid = np.kron(found, np.ones(sizes, int))
    alike = laid.shape == inside.shape and (laid == inside).all()
    if not 2 <= found.size == len({*found.flat}) or not alike:
        came = Counter(readers[readers != NONE].tolist())
        raise ValueError(
            f"{name}: expected patches of one size in rows and columns, came {len(came)} tokens "
            f"that read {min(came.values())} to {max(came.values())} pixels each"
        )
    box = tuple(int(v) for v in (y0, x0, y1, x1))
    return (int(rows), int(columns)), box, found.ravel().tolist()


def names_of(model: nn.Module, state: Tensor, special: list[int]) -> dict[int, str]:
    """What special tokens are called: the parameter that each is made of, and no patch is."""
    of_patches = made_of(model, state[[k for k in range(len(state)) if k not in special]])
    own = {}
    for k in special:
        mine = [name for name in made_of(model, state[k]) if name not in of_patches]
        own[k] = mine[0].rpartition(".")[2] if mine else ""
    count, seen = Counter(own.values()), Counter()
    for k, name in own.items():
        seen[name] += 1
        own[k] = f"{name} {seen[name]}" if name and count[name] > 1 else name
    return own


def made_of(model: nn.Module, rows: Tensor) -> list[str]:
    """The parameters that rows of the state are made of."""
    named = {name: one for name, one in model.named_parameters() if one.requires_grad}
    upstream, given = torch.randn_like(rows), list(named.values())
    slopes = torch.autograd.grad(rows, given, upstream, retain_graph=True, allow_unused=True)
    pairs = zip(named, slopes, strict=True)
    return [name for name, slope in pairs if slope is not None and bool(slope.any())]
