"""The unrolled net in a hall: what is seen at once, what folds, and what never moves."""

import pytest

from seqviz.view import unroll
from tests.browser.shown import SMALL, TWO_FRAMES, Page
from tests.views.test_unroll import weights

pytestmark = pytest.mark.browser

WORDS = ["the", "students", "opened", "closed", "their", "books", "laptops", "kitchens"]


def letters(text="hello"):
    stages = {f"{count} updates": weights(8, 4, count) for count in (0, 4, 60)}
    return unroll(stages, "helo", text)


def words():
    return unroll(weights(24, 8), WORDS, "the students opened their books")


def fifty():
    return letters("hello" * 10)


LOOK = """root => {
    const box = node => node.getBoundingClientRect();
    const said = root.querySelector('.say');
    return {
        said: box(said).height,
        size: parseFloat(getComputedStyle(said).fontSize),
        chain: [box(root.querySelector('.stage svg')).top, box(root.querySelector('.stage svg')).bottom],
        svgs: root.querySelectorAll('.stage svg').length,
        sideways: document.documentElement.scrollWidth > innerWidth,
        scrolls: root.scrollHeight > root.clientHeight + 1,
        zoom: root.currentCSSZoom,
    };
}"""  # noqa: E501


class Shown(Page):
    def look(self):
        for _ in range(2):
            self.page.evaluate(TWO_FRAMES)
        return self.root.evaluate(LOOK)

    def at(self, width, height=640):
        self.page.set_viewport_size({"width": width, "height": height})
        return self.look()

    def press(self, *keys):
        super().press(*keys)
        return self.look()

    def over_steps(self):
        """What is seen at each of the first steps."""
        self.press("Home")
        return [self.press("ArrowRight") for _ in range(5)]

    @property
    def opener(self):
        return self.root.get_by_role("button", name="Equation")


@pytest.fixture
def show(open_page):
    def show(view):
        shown = Shown(open_page(view.to_html(), width=833))
        shown.at(833)
        return shown

    return show


@pytest.mark.parametrize("make", [words, fifty])
def test_the_chain_is_seen_whole_and_stays_where_it_is(show, make):
    shown = show(make())
    for width in (833, 560):
        top, bottom = shown.at(width)["chain"]
        assert 100 < top < bottom <= 640 or width == 560
        looks = shown.over_steps()
        assert len({(look["said"], *look["chain"]) for look in looks}) == 1
        for look in looks:
            assert look["said"] == pytest.approx(2.4 * (26 if width > 640 else 17), abs=0.1)
            assert look["size"] >= 12
            assert (look["svgs"], look["sideways"]) == (1, False)
    shown.at(1280, 720)
    shown.press("f")
    shown.page.wait_for_selector(".seqviz.full")
    looks = shown.over_steps()
    assert len({(look["said"], *look["chain"]) for look in looks}) == 1
    assert not looks[0]["scrolls"]
    assert 600 < looks[0]["chain"][1] <= 720
    assert looks[0]["zoom"] > 1.25
    assert shown.root.evaluate(SMALL) == []
    look = shown.press("e")  # the equation fits the screen as well
    assert (look["svgs"], look["scrolls"]) == (2, False)
    assert look["zoom"] >= 1
    assert shown.press("e")["zoom"] > 1.25
    assert not shown.press("c")["scrolls"]


def test_the_equation_opens_and_folds_by_key_and_click(show):
    shown = show(letters())
    before = shown.look()
    assert shown.opener.get_attribute("aria-expanded") == "false"
    assert "= tanh(" not in shown.drawn
    for act in (lambda: shown.press("e"), shown.opener.click, lambda: shown.press("E")):
        act()
        look = shown.look()
        is_open = look["svgs"] == 2
        assert shown.opener.get_attribute("aria-expanded") == str(is_open).lower()
        assert ("= tanh(" in shown.drawn) == is_open
        assert look["chain"] == before["chain"]
    assert look["svgs"] == 2
    shown.press("r")
    assert shown.look() == before
    shown.root.get_by_label("text that the net reads").press("e")  # a letter there is no key
    assert shown.look()["svgs"] == 1
