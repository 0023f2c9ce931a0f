"""Firefox for the tests that Chromium runs: Playwright's own, else the one that is installed.

What the driver of the installed one lacks is worked around here and in lenient.cjs; a test of what
Firefox does not do is marked `chromium`, with the reason.
"""

import os
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakSet

from _pytest.monkeypatch import MonkeyPatch

from seqviz.views.shared.page import POLICY
from tests.browser.drivers import PREFERENCES, find_firefox

LENIENT = Path(__file__).with_name("lenient.cjs")
LIGHT = {
    **PREFERENCES,
    "layout.css.prefers-color-scheme.content-override": 2,
    "full-screen-api.enabled": False,  # it would be larger than the page: a view takes a layer
    "browser.download.alwaysOpenPanel": False,  # it takes the keys
    "dom.max_script_run_time": 0,
    "widget.gtk.overlay-scrollbars.enabled": True,
    "ui.useOverlayScrollbars": 1,  # as in Chromium here; test_other_browsers.py has classic ones
}
# What tests ask of drawings, as Chromium tells it: Firefox counts into the box of a text its halo
# and wherever a mark may stand, and leaves CSS zoom out of the scale of a drawing.
AS_IN_CHROMIUM = """{
    const {getBoundingClientRect: boxOf} = Element.prototype;
    const {getScreenCTM: scaleOf} = SVGGraphicsElement.prototype;
    SVGGraphicsElement.prototype.getScreenCTM = function () {
        const matrix = scaleOf.call(this);
        for (const side of 'abcd') matrix[side] *= this.currentCSSZoom;
        return matrix;
    };
    SVGTextContentElement.prototype.getBoundingClientRect = function () {
        const box = boxOf.call(this), {a, b} = this.getScreenCTM(), own = this.getBBox();
        if (b) return box;
        const inked = this.childElementCount ? own.width : this.getComputedTextLength();
        const width = Math.min(box.width, a * own.width, a * inked);
        const height = Math.min(box.height, a * own.height);
        const [x, y] = [box.x + (box.width - width) / 2, box.y + (box.height - height) / 2];
        return new DOMRect(x, y, width, height);
    };
}"""


@contextmanager
def open_firefox():
    """Open Firefox for as long as the block lasts.

    Raises
    ------
    RuntimeError
        If none is there, or it does not start.
    """
    from playwright.sync_api import Error, sync_playwright

    with MonkeyPatch.context() as patch:
        patch.setenv("NODE_OPTIONS", f"--require {LENIENT} {os.environ.get('NODE_OPTIONS', '')}")
        with sync_playwright() as playwright:
            options = {}
            if not os.path.exists(playwright.firefox.executable_path):
                options = installed()
                give_what_it_lacks(patch)
            try:
                firefox = playwright.firefox.launch(**options)
            except Error as problem:
                raise RuntimeError(f"Firefox does not start: {problem}") from None
            yield firefox
            firefox.close()


def installed() -> dict:
    """How Playwright starts the Firefox of the system."""
    path = find_firefox()
    if path is None:
        raise RuntimeError("no Firefox: install one, or run 'playwright install firefox'")
    return {
        "channel": "moz-firefox",
        "executable_path": path,
        "firefox_user_prefs": LIGHT,
        "args": ["--remote-allow-system-access"],
    }


def give_what_it_lacks(patch: MonkeyPatch) -> None:
    """Have its pages be as those of the tests' Chromium."""
    from playwright.sync_api import Browser, Locator, Page

    fill, new_context, set_content = Locator.fill, Browser.new_context, Page.set_content
    free = WeakSet()

    def context(browser, **options):
        made = new_context(browser, **options)
        made.add_init_script(AS_IN_CHROMIUM)
        if options.get("bypass_csp"):  # which the driver does not do
            free.add(made)
        return made

    def content(page, text, **options):
        text = text.replace(POLICY, "") if page.context in free else text
        return set_content(page, text, **options)

    def written(field, value, **options):  # a number is to be changed by hand, or is not
        if field.get_attribute("type") != "number":
            return fill(field, value, **options)
        field.press("Control+a")
        return field.page.keyboard.type(value)

    patch.setattr(Locator, "fill", written)
    patch.setattr(Browser, "new_context", context)
    patch.setattr(Page, "set_content", content)
