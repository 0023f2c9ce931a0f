"""A text whose tokens carry the colour of one unit, and what the model expected after each."""

from collections.abc import Callable, Sequence

import numpy as np
import traitlets

from seqviz.telling import count, shown
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import line, strings, within
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import View, style, told
from seqviz.views.text.values import Reading, check, largest

BUSIEST = 5  # units named at a token
VARIED = 200  # units offered by how much they vary


class ColouredText(View):
    """A text coloured by one unit; `text` builds it.

    Attributes
    ----------
    unit : int
        Unit that colours the text, counted from 1.
    cursor : int
        Position of the locked token, counted from 1; 0 for none.
    problem : str
        What went wrong when the reader's own text was run; empty if nothing did.
    """

    _esm = module("text/view.js")
    _css = style("text/style.css")
    unit = control(Whole(1))
    cursor = control(Whole(0))
    problem = traitlets.Unicode("").tag(sync=True)

    def __init__(self, reading: Reading, unit: int, name: str, vocabulary, run) -> None:
        self.reading, self.name, self.vocabulary, self.run = reading, name, vocabulary, run
        named = parts(reading)
        super().__init__(
            facts=self._facts(),
            parts=named,
            first=first(named, unit),
            unit=unit,
            cursor=reading.strongest(unit),
        )

    def _facts(self) -> dict:
        forecast = self.reading.forecast
        return {
            "tokens": self.reading.tokens,
            "joined": self.reading.joined,
            "words": forecast.words if forecast else [],
            "units": self.reading.values.shape[1],
            "signed": bool((self.reading.values < 0).any()),
            "name": self.name,
            "forecast": forecast is not None,
            "live": self.run is not None,
        }

    @checks("unit", "cursor")
    def _checked(self, name: str, value: int) -> int:
        low, high = {
            "unit": (1, self.reading.values.shape[1]),
            "cursor": (0, len(self.reading.tokens)),
        }[name]
        return within(name, value, low, high)

    def needs(self) -> list[str]:
        """Names of the parts of the unit on show, and of the predictions."""
        return first(self.parts, self.unit)

    def _answer(self, widget, message: dict, buffers: list) -> None:
        if "run" in message:
            self._read_again(message["run"])
        else:
            super()._answer(widget, message, buffers)

    def _read_again(self, text: str) -> None:
        """Run the model on the reader's text; what goes wrong is told on the page."""
        self.problem = ""
        try:
            if not text:
                raise ValueError("the text is empty: write at least one character")
            self._replace(check(*returned(self.run(text)), self.vocabulary))
        except Exception as error:
            self.problem = told(error)
        finally:
            self.send({"ran": True})

    def _replace(self, reading: Reading) -> None:
        unit = min(self.unit, reading.values.shape[1])
        with self.hold_sync():
            self.reading = reading
            self.parts = parts(reading)
            self.facts = self._facts()
            self.first = {name: self.part_of(name) for name in first(self.parts, unit)}
            self.unit, self.cursor = unit, reading.strongest(unit)
        self.send_state(["unit", "cursor"])  # the page may have moved on from the old ones

    def _plain(self) -> str:
        """One plain line: what colours the text, and which token is locked."""
        tokens, units = self.reading.tokens, self.reading.values.shape[1]
        which = f" {self.unit} of {units}" if units > 1 else ""
        locked = f"; token {self.cursor} {shown(tokens[self.cursor - 1])}" if self.cursor else ""
        return f"{count(len(tokens), 'token')} coloured by {self.name}{which}{locked}"

    def table(self) -> list[list]:
        """Each value of each token; then the likely next ones, and the one that came."""
        tokens, forecast = self.reading.tokens, self.reading.forecast
        rows = [["position", "token", "quantity", "of", "value"]]
        for t, values in enumerate(self.reading.values.tolist()):
            found = [(self.name, str(u), value) for u, value in enumerate(values, 1)]
            if forecast:
                found += [("expected", *guess) for guess in forecast.guesses(t)]
            if forecast and not np.isnan(forecast.came[t, 0]):
                found.append(("came", tokens[t + 1], float(forecast.came[t, 0])))
            rows += [[str(t + 1), tokens[t], *one] for one in found]
        return rows


def text(
    tokens: str | Sequence[str],
    values,
    *,
    probabilities=None,
    vocabulary: Sequence[str] | None = None,
    unit: int = 1,
    name: str = "unit",
    run: Callable[[str], tuple] | None = None,
) -> ColouredText:
    """Colour a text by one unit of a model, and show what the model expected next.

    Point at a token to see the unit's value there, the five likeliest next tokens, the one that
    really came, and the five units that are most active.

    Parameters
    ----------
    tokens : str or sequence of str
        The T tokens, at most 5,000. A string stands for its characters.
    values : array, shape (T,) or (T, U)
        Value of each unit after reading each token; NumPy arrays, torch tensors, records. Coloured
        by the diverging scale if any value is negative, else by the sequential one. The scale
        ends at 1, or at the unit's largest value if that is beyond 1.
    probabilities : array, shape (T, V), optional
        Row t: probability of each vocabulary entry to come after token t. Rows sum to 1.
    vocabulary : sequence of str, optional
        The V different strings that the columns of `probabilities` stand for.
    unit : int
        Unit to show first, counted from 1.
    name : str
        What a column of `values` is called, in one line.
    run : function of str, optional
        Runs your model on a new text and returns `tokens, values, probabilities` as above, with
        None for probabilities without a vocabulary. Adds a field for the reader's own text, which
        needs a running kernel.

    Returns
    -------
    ColouredText
        The widget. Set its `unit` and `cursor`; save it with `to_html`, `to_svg`, `to_png`,
        `to_csv` or with its buttons.

    Raises
    ------
    ValueError
        If lengths do not agree, a value is not finite, a row of probabilities does not sum to 1
        (within 1e-3; 1e-2 in half precision), or there is more than a page can hold.
    TypeError
        If a token, an entry of the vocabulary or `name` is not a string, or `run` not a function.

    Notes
    -----
    Single cells that follow quotes or line length: Karpathy, Johnson and Fei-Fei (2016),
    Visualizing and Understanding Recurrent Networks, section 4.2. The language model over
    characters: deck 002.

    Examples
    --------
    >>> text("hello", [0.1, -0.9, 0.4, 0.8, -0.2]).alt
    "5 tokens coloured by unit; token 2 'e'"
    """
    if run is not None and not callable(run):
        raise TypeError(f"run: expected a function of a string, came {type(run).__name__}")
    if not line("name", name):
        raise ValueError("name: expected a word such as 'unit', came ''")
    vocabulary = None if vocabulary is None else strings("vocabulary", vocabulary)
    reading = check(tokens, values, probabilities, vocabulary)
    return ColouredText(
        reading, within("unit", unit, 1, reading.values.shape[1]), name, vocabulary, run
    )


def parts(reading: Reading) -> dict[str, np.ndarray]:
    """What the page may ask for, by name."""
    values, forecast = reading.values, reading.forecast
    named = {f"unit {u + 1}": values[:, u] for u in range(values.shape[1])}
    if values.shape[1] > 1:
        busiest = largest(np.abs(values), BUSIEST)
        named["busiest"] = np.hstack([busiest + 1, np.take_along_axis(values, busiest, axis=1)])
        spread = values.std(axis=0, dtype=np.float64)
        order = np.argsort(-spread, kind="stable")[:VARIED]
        named["varied"] = np.stack([order + 1, spread[order]], axis=1)
    if forecast:
        named["next"] = np.hstack([forecast.likeliest, forecast.probability, forecast.came])
    return named


def first(named: dict, unit: int) -> list[str]:
    """Names of the parts that the first paint needs."""
    return [name for name in named if name == f"unit {unit}" or "unit " not in name]


def returned(result) -> tuple:
    """What the reader's function returned, if it is the three things."""
    if not isinstance(result, tuple) or len(result) != 3:
        raise TypeError(
            "run: expected it to return (tokens, values, probabilities), "
            f"came {type(result).__name__}"
        )
    return result
