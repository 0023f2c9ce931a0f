"""Pictures of a page, taken in an installed Chromium."""

import os
import shutil
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

NAMES = (
    "chromium-headless-shell",  # a page opens in a fifth of the time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
)
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
Part = Callable[[str], bytes]  # what travels under a name
MENU = "The Save menu of the view itself needs neither."
# What a picture can do without may still be under way; from a page that lacks it, it never comes.
SETTLED = """patience => performance.now() > patience
    || document.querySelector('.seqviz').dataset.pending !== 'true'"""
# Without what answers to a hand; drawn anew, as there is more room.
PICTURED = """async root => {
    root.classList.add('pictured');
    root.dispatchEvent(new CustomEvent('resized'));
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
}"""


def arguments() -> list[str]:
    """Command-line flags: no call home, and no sandbox where the user is root."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*QUIET, "--no-sandbox"] if root else [*QUIET]


def find() -> str | None:
    """Path of an installed Chromium or Chrome, or of playwright's own; `CHROME` comes first."""
    for name in (os.environ.get("CHROME"), *NAMES):
        if name and (path := shutil.which(name)):
            return path
    return _in_a_thread(_playwrights_own)


def _playwrights_own() -> str | None:
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def _in_a_thread(action, *values):
    """Playwright's plain interface does not run where an event loop does, as in a notebook."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(action, *values).result()


@contextmanager
def open_browser():
    """Open a headless Chromium for as long as the block lasts.

    Raises
    ------
    RuntimeError
        If playwright or Chromium is missing, does not start or ends by itself; says what to do.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError:
        raise RuntimeError(
            f"a picture from code needs playwright: pip install playwright. {MENU}"
        ) from None
    path = find()
    if path is None:
        raise RuntimeError(
            "a picture from code needs Chromium, and none was found: install Chromium or Chrome, "
            f"or run 'playwright install chromium', or name it in CHROME. {MENU}"
        )
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=arguments())
        except Error as problem:
            reason = problem.message.partition("\n")[0]
            raise RuntimeError(f"{path} does not start ({reason}). {MENU}") from problem
        try:
            yield browser
        except Error as problem:
            if browser.is_connected():
                raise
            raise RuntimeError(
                f"{path} ended while it drew. Where no font is installed it does so at the first "
                f"field or list: install one, as with 'apt install fonts-dejavu-core'. {MENU}"
            ) from problem
        finally:
            browser.close()


@contextmanager
def shown(
    browser,
    page_text: str,
    width: int,
    scale: float = 1,
    part: Callable[[str], bytes] | None = None,
):
    """Show the page with the network cut, and wait for the view's first complete paint.

    `part` gives the page what it asks for by name.
    """
    page = browser.new_page(
        viewport={"width": width, "height": 800}, device_scale_factor=scale, offline=True
    )
    try:
        if part:
            page.expose_function("seqvizPart", lambda name: b64encode(part(name)).decode())
        page.set_content(page_text)
        page.wait_for_selector('.seqviz[data-ready="true"]')
        page.wait_for_function(SETTLED, arg=25_000 if part else 3000)
        yield page
    finally:
        page.close()


def photo(page) -> bytes:
    """Picture of the view on a page as it stands, without what answers to a hand only."""
    view = page.locator(".seqviz")
    view.evaluate(PICTURED)
    return view.screenshot(animations="disabled")


def sentence(page) -> str:
    """What the view on a page says."""
    return page.locator(".seqviz .say").inner_text().replace("\u00a0", " ")


def png(page_text: str, width: int, scale: float) -> bytes:
    """Picture of the view in the page."""

    def take() -> bytes:
        with open_browser() as browser, shown(browser, page_text, width, scale) as page:
            return page.locator(".seqviz").screenshot(animations="disabled")

    return _in_a_thread(take)


def svg(page_text: str, width: int, part: Part) -> str:
    """The SVG that the view's own menu would save; `part` answers what the page asks for."""

    def take() -> str:
        with open_browser() as browser, shown(browser, page_text, width, part=part) as page:
            return page.evaluate("document.querySelector('.seqviz').exported.svg()")

    return _in_a_thread(take)
