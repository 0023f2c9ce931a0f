"""A function of a text, and the answers that come of it: kinds of attention, what a model says."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seqviz.views.attention.controls import one_of
from seqviz.views.attention.guesses import Guesses, checked_guesses, checked_states
from seqviz.views.attention.kinds import ONE, PIECES, THREE, TWO, kinds_of
from seqviz.views.attention.values import Attention
from seqviz.views.attention.words import Tokens
from seqviz.views.shared.checking import unicode

OF_A_TEXT = (*ONE, *THREE, *TWO, "sure", "possible")
SAID = ("guesses", "states")
READ = ("text", "picture")


@dataclass(frozen=True, eq=False)
class Answer:
    """What a function made of a text.

    `guesses` and `states` are those of `tokens`, where the function gave them; `predicts` names
    the kinds whose queries these tokens are; `reads` says what the text stands for.
    """

    kinds: list[Attention]
    tokens: list[str]
    predicts: tuple[str, ...]
    guesses: Guesses | None
    states: np.ndarray | None
    reads: str = "text"


def reader(given: Mapping) -> Callable[..., Answer]:
    """Return the function that makes an answer of a text, from what `attention` was given."""
    beside = [name for name in OF_A_TEXT if given[name] is not None]
    if beside:
        raise TypeError(f"{beside[0]}: the function of a text returns it, leave it out beside it")

    def read(text: str, silent: Sequence[tuple[str, int, int]] = ()) -> Answer:
        if not isinstance(text, str):
            raise TypeError(f"text: expected a string, came {text!r}")
        unicode("text", text)
        returned = _known(given["weights"](text, **({"silent": [*silent]} if silent else {})))
        said = {name: returned.pop(name, None) for name in SAID}
        reads = one_of("reads", returned.pop("reads", "text"), READ)
        kinds, problems, texts = kinds_of({**given, "weights": None, **returned})
        for problem in problems:
            warnings.warn(problem, stacklevel=2)
        return replace(_answer(kinds, texts, said), reads=reads)

    return read


def _known(returned) -> dict:
    """Check that a function of a text returned arguments of `attention`."""
    known = ["weights", *OF_A_TEXT, *PIECES, *SAID, "reads"]
    if isinstance(returned, Mapping) and set(returned) <= set(known):
        return dict(returned)
    came = sorted(map(str, returned)) if isinstance(returned, Mapping) else type(returned).__name__
    raise TypeError(
        f"weights: the function must return a dict with some of {', '.join(known)}; came {came}"
    )


def _answer(kinds: list[Attention], texts: Mapping[str, Tokens], said: Mapping) -> Answer:
    """What a model says belongs to the text that it writes, or to the only one."""
    own = texts.get("decoder_tokens", texts.get("tokens"))
    given = [name for name in SAID if said[name] is not None]
    if own is None and given:
        raise ValueError(
            f"{given[0]}: belong to tokens, or to decoder_tokens where there are two texts: "
            "return those as well"
        )
    guesses, states = (said[name] for name in SAID)
    return Answer(
        kinds,
        own.tokens if own else [],
        tuple(kind.name for kind in kinds if kind.queries is own),
        None if guesses is None else checked_guesses(guesses, len(own)),
        None if states is None else checked_states(states, len(own)),
    )
