"""Pictures and words: one player for captions, glimpses and drawings."""

import traitlets

from seqviz.views.regions.films import Film
from seqviz.views.regions.sentence import Focus, headline
from seqviz.views.regions.table import place, rows_on_screen
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import View, style
from seqviz.views.shared.wording import readable

LIGHTS = ("own", "one", "off")


class ImageRegions(View):
    """A film of steps over a picture; `regions` builds it.

    Attributes
    ----------
    film : int
        Which film is on screen, from 1.
    step : int
        The word, the glimpse or the window in focus, from 1.
    locked : bool
        Whether it is locked: another one is then compared with it.
    compare : int
        The step that is compared, from 1; 0 for none.
    region : int
        The region of the picture in focus, from 1, row by row; 0 for none.
    light : str
        How the picture is lit: "own" by this step's largest weight, "one" by the film's, so that
        steps can be compared, "off" for the plain picture. Glimpses and drawings know no "one".
    """

    _esm = module("regions/view.js")
    _css = style("regions/style.css")

    film = control(Whole(1))
    step = control(Whole(1))
    locked = control(traitlets.Bool(False))
    compare = control(Whole(0))
    region = control(Whole(0))
    light = control(traitlets.Unicode("own"))

    def __init__(self, films: list[Film], title: str) -> None:
        self.films = films
        self._heard: frozenset[str] = frozenset()  # what a page is writing
        facts = {"title": title, "films": [film.facts() for film in films]}
        parts = {f"film {k}": film.packed() for k, film in enumerate(films, 1)}
        super().__init__(facts, parts, ["film 1"], step=films[0].opening + 1)

    @property
    def here(self) -> Film:
        """The film on screen."""
        return self.films[self.film - 1]

    @property
    def focus(self) -> Focus:
        """What the controls point at, counted from 0."""
        other = self.compare - 1 if self.compare not in (0, self.step) else None
        return Focus(self.step - 1, other, self.region - 1 if self.region else None, self.locked)

    def needs(self) -> list[str]:
        """The film on screen."""
        return [f"film {self.film}"]

    @property
    def headline(self) -> str:
        """The sentence over the picture."""
        return headline(self.here, self.focus)

    @property
    def alt(self) -> str:
        """What the picture shows now."""
        film, kind = self.here, self.here.kind.capitalize()
        asked = f" “{readable(film.question, 200)}”" if film.kind == "question" else ""
        count = f"{film.steps} {film.nouns[film.steps > 1]}"
        where = f" The region is {place(film, self.region - 1)}." if self.region else ""
        which = f", film {self.film} of {len(self.films)}" * (len(self.films) > 1)
        return f"{kind}{asked}{which}, {count}. {self.headline}{where}"

    def table(self) -> list[list]:
        """Rows of what is on screen: every step, the readout of those in focus, the region."""
        return rows_on_screen(self.here, self.focus)

    def set_state(self, sync_data: dict) -> None:
        """Take what a page writes; a film comes with the step that it is opened at."""
        self._heard = frozenset(sync_data)
        try:
            super().set_state(sync_data)
        finally:
            self._heard = frozenset()

    @checks("film", "step", "compare", "region", "light")
    def _checked(self, name: str, value):
        if name == "light":
            if value not in LIGHTS:
                raise ValueError(f"light: expected one of {', '.join(LIGHTS)}, came {value!r}")
            return value
        here = self.here
        low, high = {
            "film": (1, len(self.films)),
            "step": (1, here.steps),
            "compare": (0, here.steps),
            "region": (0, here.regions.shape[1]),
        }[name]
        return within(name, value, low, high)

    @traitlets.observe("film")
    def _open(self, _) -> None:
        start = {"step": self.here.opening + 1, "compare": 0, "region": 0, "locked": False}
        for name in start.keys() - self._heard:
            setattr(self, name, start[name])

    @traitlets.observe("compare")
    def _lock(self, _) -> None:
        if self.compare:
            self.locked = True

    @traitlets.observe("locked")
    def _let_go(self, _) -> None:
        if not self.locked:
            self.compare = 0
