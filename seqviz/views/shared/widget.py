"""What every view is in Python: checked values on their way to one drawing in JavaScript."""

import base64
import re
import warnings
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal

import anywidget
import traitlets

from seqviz.files import write
from seqviz.telling import printable
from seqviz.views.shared import chromium, page
from seqviz.views.shared.answering import NO_MODEL, Answering, checked_answers, checked_precision
from seqviz.views.shared.bundle import ROOMS

LARGE_CSV = 50e6  # bytes
COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)  # of JavaScript, in lines of its own
# Where a spreadsheet takes a formula to start: a cell, or what it cuts at a separator of its own
# and takes out of quotes.
FORMULA = re.compile('^(?=[\t\r\n])|(?:^|(?<=[;|\t\r\n]))(?="*[=+\\-@\uff1d\uff0b\uff0d\uff20])')


def style(*names: str) -> str:
    """Join tokens.css and a view's own files."""
    return "\n".join(
        (ROOMS / name).read_text(encoding="utf-8") for name in ("shared/tokens.css", *names)
    )


def told(error: Exception) -> str:
    """What the page says of an error of the reader's own function."""
    return f"{type(error).__name__}: {error}"


def plain(error: Exception, *arguments: str) -> str:
    """What the page says of what its reader wrote: neither kind of error nor argument."""
    if not isinstance(error, (TypeError, ValueError)):
        return told(error)
    text = str(error)
    for name in arguments:
        text = text.removeprefix(f"{name}: ")
    return text[:1].upper() + text[1:]


def choices_of(trait: traitlets.TraitType) -> list | None:
    """What a control can be; None where that depends on more than the control."""
    return [False, True] if isinstance(trait, traitlets.Bool) else getattr(trait, "values", None)


class View(anywidget.AnyWidget):
    """A picture that answers to the mouse, the keyboard and Python.

    A subclass sets `_esm` and `_css`, hands in its facts and parts, says in `alt` what it is and
    gives its numbers in `table`. Its controls are traits: set one and the picture follows. What
    the picture shows the picture says; the last of it is in `said`. A menu in the
    picture saves what is on screen as PNG, SVG, CSV and HTML; from code `to_png`, `to_svg` and
    `to_html` do, and `to_csv` writes the table. A page that was saved takes controls from its
    address, `page.html#step=4`.

    Parameters
    ----------
    facts : dict
        Small things the drawing needs: tokens, sizes, labels. Travels as JSON.
    parts : mapping of str to array or bytes
        What the drawing may ask for by name; an array is sent as float32. Each at most once.
    first : collection of str
        The parts that the first paint needs. The others travel when they are asked for.
    """

    facts = traitlets.Dict().tag(sync=True)
    first = traitlets.Dict().tag(sync=True)
    start = traitlets.Dict().tag(sync=True)  # controls for which `first` is enough
    choices = traitlets.Dict().tag(sync=True)  # what each control can be, None: it depends
    said = traitlets.Unicode(
        read_only=True, help="what the picture says; empty before it was drawn"
    ).tag(sync=True)

    steps = 0  # on a slide, after the first picture: its root shows one with `toStep`
    model_in_pages = ""  # how exact the model is in the pages of this view; "": they have none

    def __init__(self, facts: dict, parts: Mapping, first: Iterable[str], **controls) -> None:
        self.parts = parts
        self._heard: frozenset[str] = frozenset()  # what a page is writing
        super().__init__(
            facts=facts,
            first={name: self.part_of(name) for name in first},
            choices={name: choices_of(trait) for name, trait in self.traits(control=True).items()},
            **controls,
        )
        self.on_msg(self._hear)

    def part_of(self, name: str) -> bytes:
        """What travels under this name."""
        return page.sent(self.parts[name])

    def set_state(self, sync_data: dict) -> None:
        """Take what a page writes: its controls, all of them or none; it gets back what stays.

        What its picture says is no control, and cannot be refused.
        """
        if "said" in sync_data:
            self.set_trait("said", str(sync_data["said"]))
            sync_data = {name: v for name, v in sync_data.items() if name != "said"}
        known = self.traits(control=True)
        try:
            if wrong := [name for name in sync_data if name not in known]:
                raise traitlets.TraitError(
                    f"{wrong[0]}: a page writes its controls only: {', '.join(sorted(known))}"
                )
            self._heard = frozenset(sync_data)
            super().set_state(sync_data)
        except traitlets.TraitError:
            self.send_state([name for name in sync_data if name in self.keys])
            raise
        finally:
            self._heard = frozenset()

    def begin(self, **controls) -> None:
        """Set controls where something else has been opened; what the page writes at once stays."""
        for name in controls.keys() - self._heard:
            setattr(self, name, controls[name])

    def _hear(self, view, message: dict, buffers: list) -> None:
        """Tell the page at once that Python is there: its answer may take long."""
        self.send({"heard": True})
        self._answer(view, message, buffers)

    def _answer(self, _, message: dict, buffers: list) -> None:
        if "page" in message:
            return self.send({"page": True}, [self.to_html().encode("ascii")])
        name = message.get("want")
        if name in self.parts:
            self.send({"part": name}, [self.part_of(name)])
        elif "want" in message:
            self.send({"part": name, "problem": f"{name!r} is not in this view any more."})

    @property
    def alt(self) -> str:
        """One plain line: of what the picture is, and where its controls stand."""
        return printable(self._plain())

    def _plain(self) -> str:
        raise NotImplementedError

    def table(self) -> list[list]:
        """The numbers that were handed in, before any rounding: a header, then a row for each."""
        raise NotImplementedError

    def needs(self) -> list[str]:
        """Names of the parts that the picture needs as its controls stand now."""
        return list(self.first)

    def before_kept(self) -> None:
        """Make ready what a page of several takes along, which the view has not got yet."""

    def _make_ready(self) -> None:
        """Let the first picture have its parts, before it is shown or embedded in a page."""
        if not self.first.keys() >= set(self.needs()):  # a control was set before this
            self.first = {name: self.part_of(name) for name in self.needs()}
        self.start = self.controls()

    def _repr_mimebundle_(self, **kwargs):
        self._make_ready()
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, "text/plain": self.alt}, metadata

    def _get_embed_state(self, drop_defaults: bool = False) -> dict:
        self._make_ready()
        return super()._get_embed_state(drop_defaults=drop_defaults)

    def controls(self) -> dict:
        """Where the view's controls stand now."""
        return {name: getattr(self, name) for name, t in self.traits(control=True).items()}

    def _answering(self, precision: str) -> Answering:
        """What a page needs to answer in Python's place; a view of a model has it."""
        raise ValueError(NO_MODEL)

    def to_html(
        self,
        path=None,
        deflate: bool = True,
        *,
        answers: bool | None = None,
        precision: str | None = None,
    ) -> str:
        """Write one page that works without a kernel and without a network.

        Parameters
        ----------
        path : str or Path, optional
            File to write; its folder must exist.
        deflate : bool
            Pack the values. Every browser since 2023 unpacks them; False is for older ones.
        answers : bool, optional
            Put the model into the page, where it runs without Python: on a text of the reader's
            own, say. Without it a view does that whose `model_in_pages` says so.
        precision : {"half", "full", "small"}, optional
            How exact the model's numbers are there: float16, float32, or float16 and tables in
            int8. Without it as `model_in_pages` says, else "half".

        Returns
        -------
        str
            The page.

        Raises
        ------
        ValueError
            If it is to answer and the view has no model, or one of over 100 MB.
        """
        answers = bool(self.model_in_pages) if answers is None else checked_answers(answers)
        precision = checked_precision(precision or self.model_in_pages or "half")
        text = page.whole(self, deflate, self._answering(precision) if answers else None)
        if path is not None:
            write(path, text)
        return text

    def to_svg(self, path=None, width: int = 1000) -> str:
        """Draw the picture as SVG, in an installed Chromium; `width` in CSS pixels.

        Raises
        ------
        RuntimeError
            If there is no Chromium or playwright; the view's own Save menu needs neither.
        """
        text = chromium.svg(page.picture(self), width, self.part_of)
        if path is not None:
            write(path, text)
        return text

    def to_png(self, path=None, width: int = 1000, scale: float = 2) -> bytes:
        """Draw the picture as PNG, without the controls, in an installed Chromium.

        Parameters
        ----------
        path : str or Path, optional
            File to write.
        width : int
            Width in CSS pixels.
        scale : float
            Pixels of the picture for a CSS pixel.

        Raises
        ------
        RuntimeError
            If there is no Chromium or playwright; the view's own Save menu needs neither.
        """
        drawn = base64.b64encode(self.to_svg(width=width).encode()).decode()
        image = f'<img class="seqviz" data-ready="true" src="data:image/svg+xml;base64,{drawn}">'
        picture = chromium.png(f"<style>body{{margin:0}}</style>{image}", width, scale)
        if path is not None:
            write(path, picture)
        return picture

    def to_csv(self, path=None) -> str:
        """Write the table as CSV, numbers with six decimals.

        Warns
        -----
        UserWarning
            If it is larger than 50 MB, which few spreadsheets open.
        """
        return self._written(self.table(), path)

    def _written(self, rows: list[list], path) -> str:
        """Rows as CSV."""
        text = "".join(",".join(map(cell, row)) + "\n" for row in rows)
        if len(text) > LARGE_CSV:
            warnings.warn(
                f"this CSV has {len(text) / 1e6:.0f} MB, which few spreadsheets open: np.savez of "
                "the arrays that you handed in is smaller and exact",
                stacklevel=3,
            )
        if path is not None:
            write(path, text)
        return text


def cell(value: float | str) -> str:
    """One CSV cell, as export.js writes it; a text that a spreadsheet would run gets a quote."""
    if isinstance(value, float):
        return str(Decimal(value + 0.0).quantize(Decimal("1e-6"), ROUND_HALF_UP, Context(prec=60)))
    text = FORMULA.sub("'", value)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in '",\n\r') else text
