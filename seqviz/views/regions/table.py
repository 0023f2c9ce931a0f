"""What a film of steps shows, as rows of a table; table.js makes the same."""

from seqviz.views.regions.films import Film
from seqviz.views.regions.sentence import Focus

HEADER = ["pane", "step", "item", "quantity", "value"]
SIDES = ("x", "y", "width", "height")


def rows_on_screen(film: Film, focus: Focus) -> list[list]:
    """Rows of what is on screen: every step, the readout of the one in focus, the region."""
    make = {"glimpses": (_glimpses, _seen), "drawing": (_canvases, _written)}
    steps, readout = make.get(film.kind, (_words, _attended))
    looked_at = [k for k in (focus.at, focus.other) if k is not None]
    rows = [row for k in range(film.steps) for row in steps(film, k)]
    rows += [row for k in looked_at for row in readout(film, k)]
    return [HEADER, *rows, *_region(film, focus.region)]


def place(film: Film, r: int) -> str:
    """A region by its row and column."""
    row, column = divmod(r, film.grid[1])
    return f"row {row + 1}, column {column + 1}"


def _region(film: Film, r: int | None) -> list[list]:
    if r is None:
        return []
    return [
        ["region", str(k + 1), place(film, r), "share", float(film.regions[k, r])]
        for k in range(film.steps)
    ]


def _words(film, k: int) -> list[list]:
    start = ["words", str(k + 1), film.words[k]]
    if not film.boxes:
        return [[*start, "regions that hold half of the weight", float(film.half[k])]]
    quantities = [*(f"weight inside {name}" for name in film.boxes), "weight elsewhere"]
    return [[*start, name, float(v)] for name, v in zip(quantities, film.inside[k], strict=True)]


def _attended(film, k: int) -> list[list]:
    step = str(k + 1)
    says = [["says", step, word, "probability", float(p)] for word, p in film.alternatives[k]]
    return says + [
        ["regions", step, place(film, r), "weight", float(weight)]
        for r, weight in enumerate(film.regions[k])
    ]


def _glimpses(film, k: int) -> list[list]:
    best = film.best[k]
    return [
        ["glimpses", str(k + 1), film.classes[best], "probability", float(film.p[k, best])],
        ["glimpses", str(k + 1), "picture", "share seen", float(film.shares[k])],
    ]


def _seen(film, k: int) -> list[list]:
    return _classes(film, k) + _window(film, k)


def _classes(film, k: int) -> list[list]:
    step = str(k + 1)
    return [
        ["says", step, name, "probability", float(p)]
        for name, p in zip(film.classes, film.p[k], strict=True)
    ]


def _window(film, k: int) -> list[list]:
    step = str(k + 1)
    return [
        ["window", step, side, "pixels", float(v)]
        for side, v in zip(SIDES, film.windows[k], strict=True)
    ]


def _canvases(film, k: int) -> list[list]:
    step = str(k + 1)
    return [
        ["canvases", step, film.goal, "share there", float(film.done[k])],
        ["canvases", step, film.goal, "share added", film.gains[k]],
    ]


def _written(film, k: int) -> list[list]:
    return _classes(film, k) + _window(film, k)
