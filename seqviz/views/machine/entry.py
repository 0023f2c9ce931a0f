"""The function that shows a whole model as it computes."""

from seqviz.views.machine.widget import Machine
from seqviz.views.shared.answering import checked_precision
from seqviz.views.shared.checking import line, unicode


def machine(model, text: str, *, title: str = "", precision: str = "half", **controls) -> Machine:
    """Show a model that was made ready; `seqviz.live_views.machine` and `sv.machine` do that.

    Parameters
    ----------
    model : MachineModel
        What runs texts, see `seqviz.running.machines`.
    text : str
        What it reads first.
    title : str
        The heading, one line.
    precision : {"half", "full", "small"}
        How exact the model's numbers are in the pages that the view is saved as.
    **controls
        Where the view's controls stand at first: depth, block, token, head, key, silent ...

    Returns
    -------
    Machine
    """
    if not isinstance(text, str):
        raise TypeError(f"text: expected a string, came {type(text).__name__}")
    known = Machine.class_traits(control=True)
    for name in controls:
        if name not in known:
            raise TypeError(f"{name}: is no control of the machine, expected {', '.join(known)}")
    title = line("title", title) if title else ""
    return Machine(model, unicode("text", text), title, checked_precision(precision), **controls)
