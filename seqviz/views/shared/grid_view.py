"""What views of lines over a grid of settings share in Python: `at` and `step`."""

from collections.abc import Iterator, Mapping

import traitlets

from seqviz.telling import shown
from seqviz.views.shared.checking import line_or, within
from seqviz.views.shared.grid_values import Grid, Point, choice_text, combinations
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import View

AT_ONCE = 2_000_000  # bytes that are sent without being asked for


class GridView(View):
    """Lines over steps at one point of a grid. Its controls are `at` and `step`."""

    at = control(traitlets.Dict(help="where the settings stand"))
    step = control(Whole(1, help="the step under the cursor, from 1"))
    columns: tuple[str, ...] = ()  # of its table

    def __init__(self, grid: Grid, at, step: int, title, facts: dict, **controls) -> None:
        start = {name: values[0] for name, values in grid.choices.items()}
        if at is not None and not isinstance(at, Mapping):
            raise TypeError(f"at: expected a mapping of setting to choice, came {at!r}")
        self.grid = grid
        self._stood = grid.settings(at or {}, start)
        parts, where = grid.packed()
        self._starts = where["starts"]
        facts = where | facts | {"title": line_or("title", title)}
        small = sum(part.size * 4 for part in parts.values()) <= AT_ONCE
        first = list(parts) if small else self._block(self._stood)
        marks = self.point(self._stood).marks
        step = min(marks) if marks else min(step, self.point(self._stood).steps)
        super().__init__(facts, parts, first, at=self._stood, step=step, **controls)

    def point(self, settings: dict) -> Point:
        """What was computed with these settings."""
        return self.grid.points[self.grid.index(settings)]

    @property
    def here(self) -> Point:
        """The point on screen."""
        return self.point(self.at)

    def _block(self, settings: dict) -> list[str]:
        k = self.grid.index(settings)
        return [f"block {sum(start <= k for start in self._starts) - 1}"]

    def needs(self) -> list[str]:
        """The part that holds the point on screen."""
        return self._block(self.at)

    @checks("at", "step")
    def _checked(self, name: str, value):
        if name == "at":
            return self.grid.settings(value, self._stood)
        return within("step", value, 1, self.here.steps)

    @traitlets.observe("at")
    def _follow(self, _) -> None:
        on = self.point(self._stood).marks.get(self.step)  # the cursor goes where its mark goes
        there = [step for step, text in self.here.marks.items() if text == on]
        self._stood = self.at
        self.step = there[0] if there else min(self.step, self.here.steps)

    def table(self) -> list[list]:
        """Every number of the grid; behind the view's own columns the settings of the point."""
        choices = self.grid.choices
        rows = [[*self.columns, *choices]]
        for settings, point in zip(combinations(choices), self.grid.points, strict=True):
            texts = [choice_text(value) for value in settings.values()]
            rows += [[*row, *texts] for row in self.rows(point)]
        return rows

    def rows(self, point: Point) -> Iterator[list]:
        """Rows of one point, under the view's own `columns`."""
        raise NotImplementedError

    def line(self, what: str, *where: str) -> str:
        """What the view is, its labels, its settings and where its own controls stand."""
        at = (f"{name} {choice_text(v)}" for name, v in self.at.items())
        return f"{what}: {', '.join(map(shown, self.grid.labels))}; {', '.join([*at, *where])}"
