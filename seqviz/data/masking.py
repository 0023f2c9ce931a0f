"""Which words a masked language model has to guess, and what it reads in their place."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from seqviz.arguments import checked_integer, checked_number, checked_type, refuse_meta

IGNORED = -100  # the label that torch's cross_entropy leaves out
MASKED, REPLACED, KEPT = 1, 2, 3  # the fates of a chosen token


class Masked(NamedTuple):
    """What a masked language model reads, and what it has to guess; made by `mask_tokens`.

    Attributes
    ----------
    inputs : torch.Tensor
        The ids with [MASK] and with other tokens in some places.
    labels : torch.Tensor
        The true id of each token that was chosen, -100 elsewhere, which
        `torch.nn.functional.cross_entropy` ignores.
    fates : torch.Tensor
        0 not chosen, 1 [MASK], 2 another token, 3 chosen and kept.
    """

    inputs: Tensor
    labels: Tensor
    fates: Tensor


def mask_tokens(
    ids: Tensor,
    mask_id: int,
    replacements: Sequence[int] | Tensor,
    *,
    special: Iterable[int] = (),
    words: Tensor | None = None,
    probability: float = 0.15,
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1),
    generator: torch.Generator,
) -> Masked:
    """Choose tokens to be guessed; most become [MASK], some another token, some stay.

    BERT's masking (decks 001 to 004; Devlin et al. 2019, 3.1). With `words`, whole words are
    chosen, or whole units of several words as in ERNIE (deck 003; Sun et al. 2019), and all
    tokens of a word have the same fate: none is left to give the others away.

    Each row has at least one token that is chosen, whatever `probability` is, if it has one that
    may be. So somewhat more than `probability` are chosen where rows are short: of rows of 10
    tokens 0.17 instead of 0.15, of rows of 40 no more than 0.151.

    Parameters
    ----------
    ids : torch.Tensor
        (time,) or (batch, time), int64.
    mask_id : int
        The id of [MASK]. A token that is [MASK] already is not chosen.
    replacements : range, sequence of int or torch.Tensor
        Ids from which "another token" is drawn, all equally likely but the token's own. At least
        two, no special one.
    special : iterable of int
        Ids that are never chosen, such as those of [CLS], [SEP] and [PAD].
    words : torch.Tensor, optional
        The number of the word that a token belongs to, shaped as `ids`; equal numbers in a row are
        one word, -1 is none and never chosen. Without it each token is a word.
    probability : float
        Of a word to be chosen.
    shares : tuple of three floats
        Of the chosen words, those that become [MASK], become another token, stay as they are.
    generator : torch.Generator
        Its state decides what is drawn.

    Returns
    -------
    Masked
        (inputs, labels, fates), each shaped as `ids`.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If there is no token that may be chosen, a shape does not fit, `probability` or a share
        lies outside of 0 to 1, the shares do not sum to 1, or `replacements` hold a special id,
        [MASK], or less than two ids.

    Examples
    --------
    >>> import torch
    >>> ids = torch.tensor([2, 11, 12, 13, 14, 15, 3])  # [CLS] ... [SEP]
    >>> draw = torch.Generator().manual_seed(0)
    >>> mask_tokens(ids, 4, range(10, 20), special=[2, 3], generator=draw).inputs
    tensor([ 2, 11,  4,  4, 14, 15,  3])
    """
    _check_ids("ids", ids, least=0)
    mask_id = checked_integer("mask_id", mask_id, 0)
    never = torch.tensor(sorted({mask_id, *_listed("special", special)}))
    others = _checked_replacements(replacements, never)
    probability = checked_number("probability", probability, 0, 1)
    shares = _checked_shares(shares)
    checked_type("generator", generator, torch.Generator, "a torch.Generator")
    may_be = torch.isin(ids, never.to(ids.device), invert=True)
    if words is not None:
        _check_ids("words", words, least=-1, shape=ids.shape)
        may_be &= words >= 0
    if not may_be.any():
        raise ValueError(
            "ids must hold a token that may be chosen, but all are special or of no word: "
            "leave out an empty text"
        )

    word = _numbered(ids, words)
    count, place = int(word.max()) + 1, generator.device
    chance = torch.rand(count, generator=generator, device=place)
    fate = 1 + torch.multinomial(shares.to(place), count, replacement=True, generator=generator)

    chance = chance.to(ids.device)[word].where(may_be, math.inf)
    lowest = chance.amin(-1, keepdim=True)  # so that each row has a word that is chosen
    chosen = may_be & ((chance < probability) | (chance == lowest))
    fates = torch.where(chosen, fate.to(ids.device)[word], 0)

    inputs = torch.where(fates == MASKED, mask_id, ids)
    replaced = fates == REPLACED
    inputs[replaced] = _another(ids[replaced], others.to(ids.device), generator)
    return Masked(inputs, torch.where(chosen, ids, IGNORED), fates)


def _numbered(ids: Tensor, words: Tensor | None) -> Tensor:
    """The number of each token's word, counted from 0 through all rows."""
    if words is None:
        return torch.arange(ids.numel(), device=ids.device).view(ids.shape)
    _, word = words.unique(return_inverse=True)
    if ids.ndim == 2:
        word = word + torch.arange(len(ids), device=ids.device).unsqueeze(1) * (word.max() + 1)
    return word.unique(return_inverse=True)[1]


def _another(tokens: Tensor, others: Tensor, generator: torch.Generator) -> Tensor:
    """For each token one of `others`, which are in order, but not the token itself."""
    place = torch.searchsorted(others, tokens)
    is_there = others[place.clamp(max=len(others) - 1)] == tokens
    many = torch.randint(2**62, tokens.shape, generator=generator, device=generator.device)
    drawn = many.to(tokens.device) % (len(others) - is_there.long())
    return others[drawn + (is_there & (drawn >= place))]


def _check_ids(name: str, ids: Tensor, least: int, shape: torch.Size | None = None) -> None:
    if not isinstance(ids, Tensor) or ids.dtype != torch.long:
        got = ids.dtype if isinstance(ids, Tensor) else type(ids).__name__
        raise TypeError(f"{name} must be a torch.long tensor (time,) or (batch, time), got {got}")
    if shape is not None and ids.shape != shape:
        raise ValueError(
            f"{name} must have the shape of ids, {tuple(shape)}, got {tuple(ids.shape)}"
        )
    if ids.ndim not in (1, 2) or ids.numel() == 0:
        raise ValueError(
            f"{name} must be (time,) or (batch, time) and not empty, got shape {tuple(ids.shape)}"
        )
    refuse_meta(name, ids)
    checked_integer(name, ids.min(), least)


def _listed(name: str, ids: Iterable[int]) -> list[int]:
    checked_type(name, ids, Iterable, "a list of ids")
    ids = ids.tolist() if isinstance(ids, Tensor) else ids
    return [checked_integer(name, number, 0) for number in ids]


def _checked_replacements(replacements: Sequence[int] | Tensor, never: Tensor) -> Tensor:
    """The ids to draw from, in order, each once."""
    ids = torch.tensor(_listed("replacements", replacements), dtype=torch.long).unique()
    special = ids[torch.isin(ids, never)].tolist()
    if special:
        raise ValueError(f"replacements must hold neither [MASK] nor special ids, got {special}")
    if len(ids) < 2:
        raise ValueError(f"replacements must hold at least two ids, got {ids.tolist()}")
    return ids


def _checked_shares(shares: tuple[float, float, float]) -> Tensor:
    checked_type("shares", shares, Sequence, "three numbers")
    listed = [checked_number("shares", share, 0, 1) for share in shares]
    if len(listed) != 3 or not math.isclose(sum(listed), 1, abs_tol=1e-6):
        raise ValueError(
            "shares must be three numbers that sum to 1, for [MASK], another token and no change, "
            f"got {shares!r}"
        )
    return torch.tensor(listed, dtype=torch.float64)
