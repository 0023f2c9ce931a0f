"""The page that runs graphs: the one in which functions of scripts are called."""

from tests.browser.conftest import browser, script  # noqa: F401
