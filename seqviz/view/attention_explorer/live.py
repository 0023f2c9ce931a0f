"""From the arguments of `attention` to its kinds, once or for every text that is written."""

import warnings
from collections.abc import Callable, Mapping

from seqviz.view.attention_explorer.families import of_record
from seqviz.view.attention_explorer.gold import with_gold
from seqviz.view.attention_explorer.kinds import Kinds, of_translation, of_weights
from seqviz.view.attention_explorer.values import Attention

OF_A_TEXT = ("tokens", "key_tokens", "encoder", "cross", "decoder", "encoder_tokens")
OF_A_TEXT += ("decoder_tokens", "sure", "possible")


def of_arguments(
    weights=None,
    encoder=None,
    cross=None,
    decoder=None,
    item=None,
    words=None,
    special=None,
    sure=None,
    possible=None,
    **sides,
) -> tuple[list[Attention], list[str]]:
    """Return the kinds of attention, and what there is to warn of; arguments as of `attention`."""
    three = {"encoder": encoder, "cross": cross, "decoder": decoder}
    three = {name: given for name, given in three.items() if given is not None}
    names = ("tokens", "key_tokens", "encoder_tokens", "decoder_tokens")
    kinds = Kinds({name: sides.get(name) for name in names}, item, words, special)
    if three:
        if weights is not None:
            raise TypeError(f"weights: leave them out beside {', '.join(three)}")
        of_translation(kinds, three)
    elif isinstance(weights, Mapping):
        of_record(kinds, weights)
    else:
        of_weights(kinds, weights)
    return with_gold(kinds.found, sure, possible), kinds.warnings


def reader(given: Mapping) -> Callable[[str], list[Attention]]:
    """Return the function that makes kinds of a text, from what `attention` was given."""
    beside = [name for name in OF_A_TEXT if given[name] is not None]
    if beside:
        raise TypeError(f"{beside[0]}: the function of a text returns it, leave it out beside it")

    def read(text: str) -> list[Attention]:
        if not isinstance(text, str):
            raise TypeError(f"text: expected a string, came {text!r}")
        answer = given["weights"](text)
        known = ["weights", *OF_A_TEXT]
        if not isinstance(answer, Mapping) or not set(answer) <= set(known):
            came = (
                sorted(map(str, answer)) if isinstance(answer, Mapping) else type(answer).__name__
            )
            raise TypeError(
                f"weights: the function must return a dict with some of {', '.join(known)}; "
                f"came {came}"
            )
        found, problems = of_arguments(**{**given, "weights": None, **answer})
        for problem in problems:
            warnings.warn(problem, stacklevel=2)
        return found

    return read
