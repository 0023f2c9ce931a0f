"""Films of steps on a page: what they show, and how they answer to pointer and keys."""

import numpy as np
import pytest

from seqviz.view import regions
from tests.browser.conftest import cut_off
from tests.browser.shown import Page
from tests.views.region_films import (
    every_kind,
    glimpses,
    two_shapes,
    wrong_word,
)

pytestmark = pytest.mark.browser


def crowded():
    """As many steps, objects and regions as there may be."""
    rng = np.random.default_rng(1)
    boxes = {f"object {k}": (8 * k, 5 * k, 8 * k + 20, 5 * k + 25) for k in range(12)}
    words = [f"word{k}" for k in range(60)]
    gold = [f"object {k % 12}" if k % 3 else None for k in range(60)]
    return regions(
        {
            "picture": rng.uniform(size=(90, 128, 3)),
            "words": words,
            "weights": rng.dirichlet(np.full(1024, 0.1), 60).reshape(60, 32, 32),
            "boxes": boxes,
            "gold": gold,
        }
    )


class Shown(Page):
    """This view, and what is its own."""

    @property
    def cells(self):
        return self.root.locator("li")

    def values(self):
        """The numbers in the cells of the strip."""
        return self.cells.evaluate_all(
            "all => all.map(one => [...one.querySelectorAll('text')].at(-1).textContent)"
        )

    def over(self, x, y):
        """Move the pointer to a place of the picture, in shares of its sides."""
        box = self.root.locator(".picture").bounding_box()
        self.page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])

    def pixel(self, x, y):
        """A pixel of the picture as it is painted."""
        return self.root.evaluate(
            """(root, [x, y]) => {
                const canvas = root.querySelector('.picture canvas');
                const place = [Math.floor(x * canvas.width), Math.floor(y * canvas.height)];
                return [...canvas.getContext('2d').getImageData(...place, 1, 1).data.slice(0, 3)];
            }""",
            [x, y],
        )


@pytest.fixture
def show(open_page):
    return lambda view, **options: Shown(open_page(view.to_html(), **options))


@pytest.fixture(scope="module")
def opened(browser):
    with cut_off(browser) as open_page:
        yield Shown(open_page(regions([two_shapes()]).to_html()))


@pytest.fixture
def shapes(opened):
    """One page of two shapes, as at its start."""
    return opened.again()


# ---- what it says and holds


def test_the_picture_is_lit_where_the_word_attends(show):
    film = two_shapes()
    weights = film["weights"][1]
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    low = np.unravel_index(weights.argmin(), weights.shape)
    view = regions([film])
    view.step = 2
    shown = show(view)

    def place_of(region):
        return (region[1] + 0.5) / 8, (region[0] + 0.5) / 8

    def light(row, column):
        """What the page shows of a pixel, over what is in the picture."""
        x, y = place_of((row, column))
        own = 255 * film["picture"][int(64 * y), int(64 * x)]
        return np.array(shown.pixel(x, y)) / own

    assert light(row, column) == pytest.approx(np.ones(3), abs=0.03)
    dim = weights.min() / weights.max()
    night = np.array([11, 17, 32]) / (
        255 * film["picture"][int(8 * low[0] + 4), int(8 * low[1] + 4)]
    )
    share = 0.3 + 0.7 * dim**0.7
    assert light(*low) == pytest.approx(night * (1 - share) + share, abs=0.03)
    own, drawn = shown.pixel(*place_of(low)), shown.drawn
    shown.choose("one scale")
    assert shown["light"] == "one"
    assert sum(shown.pixel(*place_of(low))) <= sum(own)
    largest = f"{film['weights'].max():.2f}"
    assert (largest in shown.drawn, largest in drawn) == (True, False)
    shown.choose("off")
    assert light(*low) == pytest.approx(np.ones(3), abs=0.03)
    assert shown.root.locator(".picture path").count() == 0, "no outline over the plain picture"


def test_a_label_stands_over_what_is_lit_above_its_box(show):
    weights = np.full((1, 8, 8), 0.1 / 63)
    weights[0, 3, 2] = 0.9
    film = {"picture": np.zeros((64, 64)), "words": ["dot"], "weights": weights}
    shown = show(regions([film | {"boxes": {"dot": (16, 33, 30, 50)}, "gold": ["dot"]}]))
    picture, label = (shown.root.locator(part).bounding_box() for part in (".picture", ".over"))
    lit = picture["y"] + 3 / 8 * picture["height"]
    assert lit - 40 < label["y"] < label["y"] + label["height"] < lit + 4


def test_right_and_wrong_have_signs(show):
    view = regions([wrong_word(), glimpses(69)])
    shown = show(view)
    assert shown.cells.nth(1).get_attribute("aria-label").endswith("; wrong, right is green")
    assert "is green" in shown.values()[1]
    assert "says “blue”" in shown.drawn
    crosses = "root => root.querySelectorAll('path[d^=\"M0 -8L\"]').length"
    assert shown.root.evaluate(crosses) == 3  # in the strip, over the words it says, beside one
    ticks = "root => root.querySelectorAll('circle[r=\"6.6\"]').length"
    assert shown.root.evaluate(ticks) == 2  # the place is right; green would have been
    shown.choose("Glimpses")
    assert shown.root.evaluate(crosses) == 7


# ---- pointer


def test_with_a_locked_word_another_one_is_compared(shapes):
    shown = shapes
    shown.cells.nth(1).click()
    assert (shown["step"], shown["locked"]) == ("2", "true")
    shown.cells.nth(2).hover()
    assert (shown["step"], shown["compare"]) == ("2", "3")
    assert shown.sentence.startswith("“red” and “circle” attend to the same place")
    assert shown.root.locator(".picture path[stroke-dasharray]").count() == 1
    shown.page.mouse.move(2, 2)
    assert shown["compare"] == "0"


def test_a_region_tells_what_each_word_gives_it(shapes):
    film, shown = two_shapes(), shapes
    before = shown.values()
    shown.over(2.5 / 8, 3.5 / 8)
    assert shown["region"] == str(3 * 8 + 2 + 1)
    found = [float(text.replace("<0.01", "0")) for text in shown.values()]
    assert found == pytest.approx(film["weights"][:, 3, 2], abs=0.006)
    shown.page.mouse.move(2, 2)
    assert (shown["region"], shown.values()) == ("0", before)
    shown.over(2.5 / 8, 3.5 / 8)
    shown.page.mouse.down()
    shown.page.mouse.up()
    shown.over(7.5 / 8, 7.5 / 8)
    assert shown["region"] == "27", "it is locked"
    shown.press("Escape")
    assert shown["region"] == "0"


# ---- keys


def test_arrows_step_and_compare(shapes):
    shown = shapes
    shown.press("Home")
    assert shown["step"] == "1"
    shown.press("ArrowRight", "ArrowDown")
    assert shown["step"] == "6"
    shown.press("ArrowUp", "ArrowLeft", "ArrowLeft")
    assert shown["step"] == "1"
    active = shown.stage.get_attribute("aria-activedescendant")
    assert shown.root.locator(f"#{active}").get_attribute("aria-label").startswith("a: ")
    shown.press("End", "Enter", "ArrowLeft", "ArrowLeft")
    assert (shown["step"], shown["compare"], shown["locked"]) == ("8", "6", "true")
    shown.press("Escape")
    assert (shown["compare"], shown["locked"]) == ("0", "true")
    shown.press("Escape")
    assert shown["locked"] == "false"
    shown.press("Enter", "Enter")
    assert shown["locked"] == "false"
    shown.press("Home")
    shown.root.get_by_role("button", name="Save", exact=True).focus()
    shown.page.keyboard.press("PageDown")
    shown.root.locator(".picture").focus()
    shown.page.keyboard.press("PageDown")
    assert shown["step"] == "3", "a presenter's clicker"
    shown.root.get_by_label("step", exact=True).press("PageUp")
    assert shown["step"] == "2"


def test_keys_move_over_the_picture(shapes):
    shown = shapes
    picture = shown.root.locator(".picture")
    picture.press("ArrowRight")
    assert shown["region"] == "28", "keys begin in the middle"
    picture.press("ArrowLeft")
    picture.press("ArrowUp")
    assert shown["region"] == str(28 - 1 - 8)
    assert picture.get_attribute("aria-label").startswith("row 3, column 3; ")
    for _ in range(9):
        picture.press("ArrowUp")
    assert shown["region"] == "3"
    picture.press("Enter")
    shown.stage.focus()
    assert shown["region"] == "3"
    picture.press("ArrowDown")
    assert shown["region"] == "11", "a locked one moves"
    picture.press("Enter")
    picture.press("Escape")
    shown.stage.focus()
    assert shown["region"] == "0"
    assert shown["step"] == "7"


def test_films_are_chosen(show):
    shown = show(every_kind())
    shown.root.get_by_label("film").select_option("1")
    assert (shown["film"], shown["step"]) == ("2", "2")
    shown.choose("Glimpses")
    assert (shown["film"], shown["step"]) == ("5", "2")
    shown.choose("a 9")
    assert (shown["film"], shown["step"]) == ("6", "6")


# ---- how it looks


def test_cells_scroll_where_there_are_many(show):
    shown = show(crowded(), width=833)
    shown.press("Home")
    strip = shown.root.locator(".strip")
    assert strip.evaluate("s => s.scrollHeight > s.clientHeight + 50")
    shown.press("End")
    seen = strip.evaluate(
        """s => {
            const box = s.getBoundingClientRect();
            const last = s.querySelector('li:last-child').getBoundingClientRect();
            return last.top >= box.top - 1 && last.bottom <= box.bottom + 1;
        }"""
    )
    assert seen
    assert shown.page.evaluate("window.scrollY") == 0
