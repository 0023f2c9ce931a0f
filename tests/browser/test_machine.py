"""The machine as a person meets it: one cursor through all depths, by keyboard and by pointer."""

import pytest

from seqviz.views.machine.entry import machine
from tests.browser.machine_worlds import TEXTS, model
from tests.browser.shown import OVERLAPS, SMALL, Page, settled
from tests.browser.slowness import slowness

pytestmark = pytest.mark.browser


def bert(**controls):
    return machine(model("bert"), TEXTS["bert"], **controls)


def mouse():
    """Head 3 of the last block, which finds the mouse for the word that is masked."""
    return bert(depth=1, block=1, head=3, token=9)


def gpt():
    return machine(model("gpt"), TEXTS["gpt"])


def translated():
    return machine(model("translator"), TEXTS["translator"])


class Shown(Page):
    """This view, and what is its own."""

    def press(self, *keys):
        super().press(*keys)
        settled(self.page)

    @property
    def place(self):
        names = ("depth", "stream", "block", "token", "head", "key")
        return {name: int(self[name]) for name in names}

    @property
    def equation(self):
        """The title and the equation under the picture."""
        return [p.inner_text().replace("\u00a0", " ") for p in self.root.locator(".equation p").all()]

    @property
    def way(self):
        return [one.strip() for one in self.root.locator(".crumb").all_inner_texts()]

    @property
    def answer(self):
        return self.root.locator(".answer").inner_text()

    @property
    def table(self):
        """The table for a screen reader: its caption, and the rows."""
        return self.root.locator(".spoken table").evaluate(
            """table => [table.caption.textContent, [...table.rows].map(row =>
                [...row.cells].map(cell => cell.textContent))]"""
        )

    @property
    def outlined(self):
        """Whether anything is outlined as an input of the number in focus."""
        return self.stage.evaluate("s => [...s.querySelectorAll('[stroke-dasharray=\"3 2\"]')].length")

    def at(self, x, y):
        """Move the pointer to a point of the picture, in its own pixels."""
        box = self.stage.bounding_box()
        self.page.mouse.move(box["x"] + x, box["y"] + y)
        settled(self.page)

    def hit(self, **place):
        """The middle of what is previewed as a place, in pixels of the picture."""
        return self.stage.evaluate(
            """(stage, place) => {
                const {hits} = stage.shown();
                const {x, y, w, h} = hits.findLast(hit => Object.entries(place)
                    .every(([name, value]) => hit.place[name] === value));
                return [x + w / 2, y + h / 2];
            }""",
            place,
        )


@pytest.fixture
def show(once):
    def show(make):
        shown = once(Shown, lambda: PAGES[make])
        return shown.again()

    return show
