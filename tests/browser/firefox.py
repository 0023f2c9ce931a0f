"""Firefox for the tests that Chromium runs: Playwright's own, else the one that is installed.

What the driver of the installed one lacks is worked around here and in lenient.cjs; a test of what
Firefox does not do is marked `chromium`, with the reason.
"""

import os
from contextlib import contextmanager
from pathlib import Path

from _pytest.monkeypatch import MonkeyPatch

from seqviz.views.shared.page import POLICY
from tests.browser.drivers import PREFERENCES, find_firefox

LENIENT = Path(__file__).with_name("lenient.cjs")
LIGHT = {
    **PREFERENCES,
    "layout.css.prefers-color-scheme.content-override": 2,
    "full-screen-api.enabled": False,  # it would be larger than the page: a view takes a layer
    "browser.download.alwaysOpenPanel": False,  # it takes the keys
    "widget.gtk.overlay-scrollbars.enabled": True,
    "ui.useOverlayScrollbars": 1,  # as in Chromium here; test_other_browsers.py has classic ones
}
# Firefox counts halo and smoothing into the box of a text; tests ask whether letters touch.
BARE = """{
    const whole = Element.prototype.getBoundingClientRect;
    SVGTextContentElement.prototype.getBoundingClientRect = function () {
        const box = whole.call(this), {a, b} = this.getScreenCTM(), own = this.getBBox();
        if (b) return box;
        const [width, height] = ['width', 'height'].map(side => Math.min(box[side], a * own[side]));
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
    from playwright.sync_api import Browser, Page

    set_content = Page.set_content

    def content(page, text, **options):  # `bypass_csp` does nothing
        return set_content(page, text.replace(POLICY, ""), **options)

    def bare(make):
        def made(*given, **options):
            context = make(*given, **options)
            context.add_init_script(BARE)
            return context

        return made

    patch.setattr(Page, "set_content", content)
    patch.setattr(Browser, "new_context", bare(Browser.new_context))
