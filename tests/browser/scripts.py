"""One browser for all tests, and the page in which functions of scripts are called."""

import base64
import os
from contextlib import ExitStack
from functools import cache

import pytest

from seqviz.views.shared import bundle, chromium
from tests.browser.firefox import open_firefox
from tests.conftest import give_up

BROWSER = os.environ.get("SEQVIZ_BROWSER", "chromium")


def pytest_collection_modifyitems(items):
    """Skip in another browser what is marked `chromium`, for its reason."""
    for item in items:
        if BROWSER != "chromium" and (mark := item.get_closest_marker("chromium")):
            item.add_marker(pytest.mark.skip(reason=f"not in {BROWSER}: {mark.args[0]}"))


@pytest.fixture(scope="session")
def browser():
    """The one browser of the run: Chromium, or what SEQVIZ_BROWSER names."""
    known = {"chromium": chromium.open_browser, "firefox": open_firefox}
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(known[BROWSER]())
        except RuntimeError as problem:
            give_up(str(problem))
        yield opened


# What tests of a room have, too: `spoken(pieces)`, the text of a sentence.
SPOKEN = """const spoken = pieces =>
    pieces.map(piece => piece instanceof Object ? Object.values(piece)[0] : piece).join('');"""
CALL = """([room, name, given]) => {
    const taken = value => {
        if (!(value instanceof Object)) return value;
        if (Array.isArray(value)) return value.map(taken);
        if ('bytes' in value) {
            return new DataView(Uint8Array.from(atob(value.bytes), c => c.charCodeAt(0)).buffer);
        }
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, taken(one)]));
    };
    return room(`(${name})`)(...taken(given));
}"""


def sent(value):
    """Arguments as they can travel to a page: bytes arrive as a DataView."""
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: sent(one) for key, one in value.items()}
    return [sent(one) for one in value] if isinstance(value, list | tuple) else value


@pytest.fixture(scope="session")
def script(browser):
    """What calls functions of a file of `view/` on a page of nothing else, with arguments.

    `script("beam/search.js", "pathTo", tree, 3)` returns what `pathTo` does; instead of a
    name there may be an arrow function that uses what the file exports.
    """
    page = browser.new_page()

    @cache
    def room(file):
        code = bundle.module(file).replace("export default", "")
        text = f"() => {{ {SPOKEN} {{ {code}\nreturn text => eval(text); }} }}"
        return page.evaluate_handle(text)

    def call(file, function, *arguments):
        return page.evaluate(CALL, [room(file), function, sent(arguments)])

    yield call
    page.close()
