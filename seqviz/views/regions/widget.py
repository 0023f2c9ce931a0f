"""Pictures and words: one player for captions, glimpses, drawings and heads."""

import traitlets

from seqviz.telling import count
from seqviz.views.regions.films import Film
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.traits import Choice, Whole, checks, control
from seqviz.views.shared.widget import View, style


def opened(film: Film) -> dict:
    """Where the controls of a film stand when it opens."""
    return {"step": film.opening + 1, "region": film.asks}


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
        The region of the picture in focus, from 1, row by row; 0 for none. Of heads it is the
        token that attends: behind the patches come the special tokens; 0 is the patches' mean.
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
    light = control(Choice(["own", "one", "off"], "own"))

    def __init__(self, films: list[Film], title: str) -> None:
        self.films = films
        facts = {"title": title, "films": [film.facts() for film in films]}
        parts = {f"film {k}": film.packed() for k, film in enumerate(films, 1)}
        super().__init__(facts, parts, ["film 1"], **opened(films[0]))

    @property
    def here(self) -> Film:
        """The film on screen."""
        return self.films[self.film - 1]

    def needs(self) -> list[str]:
        """The film on screen."""
        return [f"film {self.film}"]

    def _plain(self) -> str:
        """One plain line: of what the film is, and where the controls stand."""
        film, where = self.here, [f"step {self.step}"]
        if self.compare:
            where.append(f"compared with step {self.compare}")
        if self.region:
            where.append(film.place(self.region - 1))
        return (
            f"{film.kind.capitalize()} {film.title!r} of {count(film.steps, 'step')}; film "
            f"{self.film} of {len(self.films)}, {', '.join(where)}"
        )

    def table(self) -> list[list]:
        """Every number of every film, a row each; of heads those of the token that attends."""
        rows = (
            [str(k), *row]
            for k, film in enumerate(self.films, 1)
            for row in film.rows(self.region if film.goes_on(self.here) else film.asks)
        )
        return [["film", "step", "item", "quantity", "value"], *rows]

    @checks("film", "step", "compare", "region")
    def _checked(self, name: str, value):
        here = self.here
        low, high = {
            "film": (1, len(self.films)),
            "step": (1, here.steps),
            "compare": (0, here.steps),
            "region": (0, here.places),
        }[name]
        return within(name, value, low, high)

    @traitlets.observe("film")
    def _open(self, change) -> None:
        here, before = self.here, self.films[change.old - 1]
        if not here.goes_on(before):
            self.begin(**opened(here), compare=0, locked=False)

    @traitlets.observe("compare")
    def _lock(self, _) -> None:
        if self.compare:
            self.locked = True

    @traitlets.observe("locked")
    def _let_go(self, _) -> None:
        if not self.locked:
            self.compare = 0
