"""The function that shows two texts, and what is carried from one into the other."""

from seqviz.views.cause.widget import Cause
from seqviz.views.shared.answering import checked_precision
from seqviz.views.shared.checking import line, unicode


def cause(
    model, text: str, other: str, *, title: str = "", precision: str = "half", **controls
) -> Cause:
    """Show a model that was made ready; `seqviz.live_views.cause` and `sv.cause` do that.

    Parameters
    ----------
    model : CauseModel
        What runs texts, see `seqviz.running.causes`.
    text, other : str
        What it reads, and where states are carried from.
    title : str
        The heading, one line.
    precision : {"half", "full", "small"}
        How exact the model's numbers are in the pages that the view is saved as.
    **controls
        Where the view's controls stand at first: carried, token, weighed, tone, shown ...

    Returns
    -------
    Cause
    """
    for name, given in {"text": text, "other": other}.items():
        if not isinstance(given, str):
            raise TypeError(f"{name}: expected a string, came {type(given).__name__}")
    known = Cause.class_traits(control=True)
    for name in controls:
        if name not in known:
            raise TypeError(f"{name}: is no control of causes, expected {', '.join(known)}")
    title = line("title", title) if title else ""
    texts = [unicode("text", text), unicode("other", other)]
    return Cause(model, texts, title, checked_precision(precision), **controls)
