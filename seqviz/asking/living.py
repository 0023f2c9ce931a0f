"""What is asked, in a running notebook: a widget that hears what is said, and says it again."""

from html import escape
from pathlib import Path

import anywidget
import traitlets
from IPython import get_ipython
from IPython.display import HTML, display

from seqviz.asking.asked import Asked
from seqviz.views.shared import bundle

asked_here: list["Live"] = []  # in the cell that runs
asked_before: list["Live"] = []  # and not answered by a cell yet


class Live(anywidget.AnyWidget):
    """The HTML of what is asked, and what the reader said."""

    _esm = bundle.module(str(Path(__file__).with_name("live.js")))
    html = traitlets.Unicode(read_only=True).tag(sync=True)
    stuck = False  # whether the cell of its result has failed
    told = traitlets.Unicode(help="what was said and what was right; empty at first").tag(sync=True)


def shown(asked: Asked) -> tuple[dict, dict]:
    """Return the mime bundle of a widget, empty without a notebook; it says later what was said."""
    kernel = get_ipython()
    if kernel is None or not hasattr(kernel, "kernel"):
        return {}, {}
    live = Live()
    live.set_trait("html", asked._repr_html_())
    asked_here.append(live)
    if _confront not in kernel.events.callbacks["post_run_cell"]:
        kernel.events.register("post_run_cell", _confront)
    return live._repr_mimebundle_() or ({}, {})


def _confront(result) -> None:
    """Show beside the result of a cell what was predicted just before.

    After an error it waits for the next result, but not behind another question.
    """
    if not result.success:
        for live in asked_before:
            live.stuck = True
        return
    if asked_here:  # a question beside a question: the result is still to come
        asked_before[:] = [live for live in asked_before if not live.stuck] + asked_here
        asked_here.clear()
        return
    for live in asked_before:
        if live.told:
            display(HTML(f'<p class="sv-said">{escape(live.told)}</p>'))
    asked_before.clear()
