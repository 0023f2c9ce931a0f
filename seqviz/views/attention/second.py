"""A second text, which the same heads read: its answers beside those of the first."""

from dataclasses import dataclass

import traitlets

from seqviz.views.attention.checkpoints import facts_of_kinds
from seqviz.views.attention.parts import described
from seqviz.views.attention.reading import Answer
from seqviz.views.attention.silence import Refused
from seqviz.views.attention.values import Attention
from seqviz.views.shared.checking import unicode

NOT_LIVE = (
    "second: this view shows weights that were handed in and has no model to read a second text: "
    "hand in a function of a text, attention(f, text=..., second=...), or use sv.explore"
)


class SecondText(traitlets.TraitType):
    """A text, "" for none."""

    def validate(self, _, value) -> str:
        """Check the kind of value."""
        if not isinstance(value, str):
            raise Refused(f'second: expected a string, "" for none; came {value!r}')
        return unicode("second", value)


@dataclass(frozen=True, eq=False)
class Second:
    """What the model made of the second text: with all heads, and `after` some are silenced."""

    text: str
    rest: Answer
    after: Answer | None

    @property
    def kinds(self) -> list[Attention]:
        """Its kinds, those without silenced heads last."""
        return [*self.rest.kinds, *(self.after.kinds if self.after else [])]


def check_alike(first: Answer, second: Answer) -> None:
    """Check that both texts have the same kinds, layers and heads: no more is compared.

    Raises
    ------
    ValueError
        If the second text lacks one, or has another.
    """
    both = zip(
        facts_of_kinds(first.kinds, sizes=False),
        facts_of_kinds(second.kinds, sizes=False),
        strict=False,
    )
    for (what, expected), (_, came) in both:
        if came != expected:
            raise ValueError(
                f"second: of this text the {what} are {came}, of the first {expected}: expected "
                "the same, write a text that the model reads in the same way"
            )


def facts_of_second(second: Second | None) -> dict:
    """What the page is told of the second text."""
    if second is None:
        return {"second": None}
    return {
        "second": {"text": second.text, "kinds": [described(kind) for kind in second.rest.kinds]}
    }
