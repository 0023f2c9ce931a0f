"""How training corrupts a text: which tokens were chosen, what became of them, what it is worth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from seqviz.pieces import pieces_of
from seqviz.views.masking.guesses import Vocabulary
from seqviz.views.masking.values import maskable_of, special_of
from seqviz.views.shared.checking import array_of, numbers, real, strings
from seqviz.views.shared.codec import packed

UNCHOSEN, MASKED, REPLACED, KEPT = range(4)
FATES = ("", "masked", "replaced", "kept")
MOST_DRAWS, MOST_RATES = 1000, 40
FIELDS = ("tokens", "masked", "shares", "special")


@dataclass(frozen=True)
class Draws:
    """One text of T tokens, corrupted N times at each rate.

    Attributes
    ----------
    fates : dict of float to array, (N, T)
        By rate: 0 not chosen, 1 masked, 2 replaced by another token, 3 kept.
    inputs : dict of float to array, (N, T)
        By rate: what the model reads there, as ids.
    shares : tuple of float
        How many of the chosen should be masked, replaced, kept.
    """

    tokens: list[str]
    special: tuple[int, ...]
    fates: dict[float, np.ndarray]
    inputs: dict[float, np.ndarray]
    shares: tuple[float, float, float]

    def rows(self, words: list[str]) -> Iterator[list]:
        """Each chosen token: at which rate, in which draw, what became of it and is read there."""
        tokens = pieces_of(self.tokens, self.special).tokens
        for rate, fates in self.fates.items():
            for n, t in np.argwhere(fates != UNCHOSEN):
                fate, read = fates[n, t], words[self.inputs[rate][n, t]]
                start = [f"draws at {rate:g}", str(n + 1), f"token {t + 1}", tokens[t]]
                yield [*start, f"{FATES[fate]}: {read}", float(fate)]

    def part(self, rate: float) -> str:
        """The name of the part with the draws of a rate."""
        return f"draws {list(self.fates).index(rate)}"

    def packed(self, rate: float, vocabulary: Vocabulary) -> bytes:
        """The fates, draw by draw, and the tokens that replace others, in the same order."""
        fates = self.fates[rate]
        words, others = vocabulary.listed(self.inputs[rate][fates == REPLACED])
        return packed(words=words, fates=fates.astype(np.uint8), others=others)


def draws_of(given, vocabulary: Vocabulary) -> Draws | None:
    """Check the draws of `masking`."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or not {"tokens", "masked"} <= given.keys() <= set(FIELDS):
        raise TypeError(
            "draws: expected a mapping with 'tokens' and 'masked', perhaps 'shares' and "
            f"'special'; came {given!r:.80}"
        )
    tokens = strings("draws['tokens']", given["tokens"])
    special = special_of("draws['special']", given.get("special"), tokens)
    maskable_of("draws", tokens, special)
    masked = given["masked"]
    if not isinstance(masked, Mapping) or not 1 <= len(masked) <= MOST_RATES:
        raise TypeError(
            f"draws['masked']: expected a mapping with 1 to {MOST_RATES} rates, each with what "
            f"sv.data.mask_tokens returns; came {masked!r:.80}"
        )
    rates = {share_of("draws['masked'], a rate", rate): masked[rate] for rate in sorted(masked)}
    found = {rate: _masked(rate, one, tokens, special, vocabulary) for rate, one in rates.items()}
    shares = tuple(
        share_of("draws['shares']", share) for share in given.get("shares", (0.8, 0.1, 0.1))
    )
    if len(shares) != 3 or abs(sum(shares) - 1) > 1e-6:
        raise ValueError(
            f"draws['shares']: expected three numbers that sum to 1, how many of the chosen are "
            f"masked, replaced, kept; came {shares}"
        )
    fates, inputs = ({rate: pair[k] for rate, pair in found.items()} for k in range(2))
    return Draws(tokens, special, fates, inputs, shares)


def _masked(rate: float, given, tokens: list[str], special: tuple, vocabulary: Vocabulary):
    """The fates and the inputs of one rate, (N, T)."""
    where = f"draws['masked'][{rate:g}]"
    try:
        pair = [
            given[name] if isinstance(given, Mapping) else getattr(given, name)
            for name in ("fates", "inputs")
        ]
    except (KeyError, AttributeError) as problem:
        raise TypeError(
            f"{where}: expected fates and inputs, as sv.data.mask_tokens returns; came "
            f"{type(given).__name__} ({problem})"
        ) from None
    fates, inputs = (_whole(f"{where}.{name}", array, len(tokens))
                     for name, array in zip(("fates", "inputs"), pair, strict=True))  # fmt: skip
    if fates.shape != inputs.shape:
        raise ValueError(f"{where}: fates {fates.shape} and inputs {inputs.shape} differ in shape")
    for name, array, most in (("fates", fates, KEPT), ("inputs", inputs, len(vocabulary) - 1)):
        if array.min() < 0 or array.max() > most:
            raise ValueError(
                f"{where}.{name}: expected 0 to {most}, came {array.min()} to {array.max()}"
            )
    own = np.array([vocabulary.id_of(f"draws['tokens'][{t}]", x) for t, x in enumerate(tokens)])
    for n, t in np.argwhere(((fates == UNCHOSEN) | (fates == KEPT)) & (inputs != own)):
        raise ValueError(
            f"{where}.inputs[{n}, {t}] is {vocabulary.tokens[inputs[n, t]]!r}, expected "
            f"{tokens[t]!r}, as its fate {fates[n, t]} says that it stays"
        )
    for n, k in np.argwhere(fates[:, list(special)] != UNCHOSEN):
        raise ValueError(
            f"{where}.fates[{n}, {special[k]}] is {fates[n, special[k]]}, but "
            f"{tokens[special[k]]!r} is special and never chosen: say in draws['special'] which are"
        )
    return fates, inputs


def _whole(name: str, given, tokens: int) -> np.ndarray:
    """Whole numbers (N, T); one draw (T,) is taken as (1, T)."""
    array = array_of(name, given)
    array = array[None] if array.ndim == 1 else array
    if array.ndim != 2 or array.shape[1] != tokens or not 1 <= len(array) <= MOST_DRAWS:
        raise ValueError(
            f"{name}: expected shape (draws, {tokens}), at most {MOST_DRAWS} draws, came "
            f"{array.shape}"
        )
    if array.dtype.kind == "f" and (array % 1).any():
        raise ValueError(f"{name}: expected whole numbers, came {array[array % 1 != 0][0]}")
    return array.astype(np.int64)


def share_of(name: str, value) -> float:
    """A number from 0 to 1."""
    number = real(name, value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name}: expected 0 to 1, came {number:g}")
    return number


def rates_of(given) -> np.ndarray | None:
    """Check accuracy by share of masked tokens: rows (rate, accuracy, standard error), sorted."""
    if given is None:
        return None
    array = array_of("rates", given).astype(float)
    if array.ndim != 2 or array.shape[1] != 3 or not 2 <= len(array) <= MOST_RATES:
        raise ValueError(
            f"rates: expected 2 to {MOST_RATES} rows (rate, accuracy, standard error), came shape "
            f"{array.shape}"
        )
    if not (array.min() >= 0 and array.max() <= 1):
        raise ValueError(
            f"rates: expected shares from 0 to 1, came {array.min():g} to {array.max():g}: divide "
            "percentages by 100"
        )
    array = array[array[:, 0].argsort()]
    array[:, 1:] = numbers("rates", array[:, 1:])  # as the page gets them
    if (np.diff(array[:, 0]) == 0).any():
        raise ValueError(f"rates: expected different rates, came {array[:, 0].tolist()}")
    return array
