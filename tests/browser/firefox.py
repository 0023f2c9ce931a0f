"""Firefox for the tests that Chromium runs: Playwright's own, else the one that is installed.

What the driver of the installed one lacks is worked around, or skips the test that asks for it.
"""

import os
from contextlib import contextmanager
from pathlib import Path

import pytest
from _pytest.monkeypatch import MonkeyPatch

from seqviz.views.shared.page import POLICY
from tests.browser.drivers import PREFERENCES, find_firefox

LENIENT = Path(__file__).with_name("lenient.cjs")
LIGHT = {
    **PREFERENCES,
    "layout.css.prefers-color-scheme.content-override": 1,
    "full-screen-api.enabled": False,  # it would be larger than the page: a view takes a layer
    "widget.gtk.overlay-scrollbars.enabled": True,
    "ui.useOverlayScrollbars": 1,  # as in Chromium here; test_other_browsers.py has classic ones
}
LACKS = "the driver of an installed Firefox lacks "


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
                skip_what_it_lacks(patch)
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
    return {"channel": "moz-firefox", "executable_path": path, "firefox_user_prefs": LIGHT}


def skip_what_it_lacks(patch: MonkeyPatch) -> None:
    """Have a test that asks for what is not there be skipped with the reason."""
    from playwright.sync_api import Browser, Page

    def lacks(what):
        return lambda *given, **options: pytest.skip(LACKS + what)

    new_context, set_content = Browser.new_context, Page.set_content

    def context(browser, **options):
        if options.get("color_scheme") == "dark" or "reduced_motion" in options:
            pytest.skip(LACKS + "the emulation of media")
        return new_context(browser, **options)

    def content(page, text, **options):  # `bypass_csp` does nothing
        return set_content(page, text.replace(POLICY, ""), **options)

    patch.setattr(Page, "emulate_media", lacks("the emulation of media"))
    patch.setattr(Page, "expect_download", lacks("downloads"))
    patch.setattr(Browser, "new_context", context)
    patch.setattr(Page, "set_content", content)
