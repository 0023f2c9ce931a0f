"""What of a distribution stays to be drawn from: each filter takes logits and gives logits."""

import torch
from torch import Tensor

from seqviz.arguments import checked_floats, checked_integer, checked_number, refuse_meta


def with_temperature(logits: Tensor, temperature: float) -> Tensor:
    """Divide logits by a temperature (deck 002): below one the probable tokens gain.

    Parameters
    ----------
    logits : Tensor
        (..., vocab).
    temperature : float
        Above zero.

    Returns
    -------
    Tensor
        (..., vocab), float64, the highest of each row 0.

    Raises
    ------
    TypeError
        If `logits` is no float tensor, or `temperature` no number.
    ValueError
        If `temperature` is not finite and above zero.
    """
    _check(logits)
    return cooled(logits, checked_temperature(temperature))


def cooled(logits: Tensor, temperature: float) -> Tensor:
    """:func:`with_temperature` of what is checked."""
    logits = logits.double()
    # softmax does not see the maximum; without it a tiny temperature gives no infinity
    return (logits - logits.amax(dim=-1, keepdim=True)) / temperature


def top_k(logits: Tensor, k: int) -> Tensor:
    """Keep the k highest logits of each row, the others become -inf (Fan et al. 2018).

    Parameters
    ----------
    logits : Tensor
        (..., vocab).
    k : int
        Tokens that stay; of equal ones the first stay.

    Returns
    -------
    Tensor
        (..., vocab): their softmax is the distribution to draw from.

    Raises
    ------
    TypeError
        If `logits` is no float tensor, or `k` no integer.
    ValueError
        If `k` is below one, or above the number of tokens.
    """
    _check(logits)
    return highest(logits, checked_count("k", k, logits))


def highest(logits: Tensor, k: int) -> Tensor:
    """:func:`top_k` of what is checked."""
    order = logits.argsort(dim=-1, descending=True, stable=True)
    return logits.scatter(-1, order[..., k:], -torch.inf)


def nucleus(logits: Tensor, p: float) -> Tensor:
    """Keep the fewest tokens that have the probability p together (Holtzman et al. 2020).

    Parameters
    ----------
    logits : Tensor
        (..., vocab).
    p : float
        Above zero, at most one. The most probable token stays in any case; with one all stay.

    Returns
    -------
    Tensor
        (..., vocab), -inf where a token does not stay.

    Raises
    ------
    TypeError
        If `logits` is no float tensor, or `p` no number.
    ValueError
        If `p` is not above zero, or above one.
    """
    _check(logits)
    return likeliest(logits, checked_share("p", p))


def likeliest(logits: Tensor, p: float) -> Tensor:
    """:func:`nucleus` of what is checked."""
    if p == 1:
        return logits.clone()
    ranked, order = logits.sort(dim=-1, descending=True, stable=True)
    share = ranked.double().softmax(dim=-1)
    before = share.cumsum(dim=-1) - share  # what the more probable ones have together
    return logits.scatter(-1, order, ranked.masked_fill(before >= p, -torch.inf))


def _check(logits: Tensor) -> None:
    checked_floats("logits", logits, " (..., vocab)")
    if logits.dim() == 0 or logits.numel() == 0:
        raise ValueError(f"logits must be (..., vocab), got shape {tuple(logits.shape)}")
    refuse_meta("logits", logits)
    if not logits.amax(dim=-1).isfinite().all():  # the maximum of a row with NaN is NaN
        raise ValueError("logits must have a finite maximum in each row, got NaN or infinity")


def checked_count(name: str, k: int, logits: Tensor) -> int:
    """Return a number of tokens that there are."""
    if checked_integer(name, k, 1) > logits.shape[-1]:
        raise ValueError(
            f"{name} must be at most {logits.shape[-1]}, all tokens that there are, got {k}"
        )
    return k


def checked_temperature(temperature: float) -> float:
    """Return a temperature that can be divided by."""
    fix = ": the limit at 0 is sv.decoding.greedy"
    return checked_number("temperature", temperature, above=0, fix=fix)


def checked_share(name: str, p: float) -> float:
    """Return a probability that a nucleus can have."""
    return checked_number(name, p, 0, 1, above=0, fix=": a probability to keep")
