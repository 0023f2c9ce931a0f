"""From the arguments of `attention` to kinds of attention, once or for every text that comes."""

import warnings
from collections.abc import Callable, Mapping

from seqviz.view.attention_explorer.forms import ONE, THREE, TWO, stacks_of
from seqviz.view.attention_explorer.gold import with_gold
from seqviz.view.attention_explorer.kinds import checked
from seqviz.view.attention_explorer.values import Attention
from seqviz.view.attention_explorer.words import texts_of

TEXTS = (*ONE, *TWO)
OF_A_TEXT = (*ONE, *THREE, *TWO, "sure", "possible")


def kinds_of(given: Mapping) -> tuple[list[Attention], list[str]]:
    """Return the kinds of attention, and what there is to warn of; `given` are all arguments."""
    texts = texts_of({name: given[name] for name in TEXTS}, given["words"], given["special"])
    stacks, warnings = stacks_of(given, texts)
    kinds, more = checked(stacks, texts)
    return with_gold(kinds, given["sure"], given["possible"]), warnings + more


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
        found, problems = kinds_of({**given, "weights": None, **answer})
        for problem in problems:
            warnings.warn(problem, stacklevel=2)
        return found

    return read
