"""The recap of one's own predictions: the page fills it from what the browser kept."""

from dataclasses import dataclass

from seqviz.asking.asked import Asked
from seqviz.asking.questions import made


@dataclass(frozen=True)
class Recap(Asked):
    """The predictions of some questions, by the names under which they are kept."""

    names: tuple[str, ...]

    def __repr__(self) -> str:
        """One plain line."""
        return "Your predictions in this notebook"

    def body(self) -> str:
        """The place that a page fills."""
        return (
            f'<section class="sv-ask sv-recap" aria-label="Your predictions" '
            f'data-names="{" ".join(self.names)}">'
            f"<p><b>Your predictions.</b> They stand here once you have made some: what you said, "
            "and what it was.</p></section>"
        )


def recap() -> Recap:
    """Show what you predicted in this notebook, and what was right.

    The browser keeps your choices; nothing is sent anywhere. All of them, of other notebooks too,
    can be saved as a file, or forgotten.

    Returns
    -------
    Recap
        Shows itself when it is the last line of a cell.

    Examples
    --------
    >>> import seqviz as sv
    >>> asked = sv.ask("2 + 2?", ["4", "5"], answer="4", because="Count.")
    >>> asked.name in sv.recap().names
    True
    """
    return Recap(tuple(made))
