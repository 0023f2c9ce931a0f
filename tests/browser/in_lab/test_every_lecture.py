"""Every lecture in JupyterLab, all cells run: minutes, so for `make test-all`."""

import pytest

from tests.browser.in_lab.lecture import READY, lecture_in_lab
from tests.notebooks.executed import LECTURES

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("name", LECTURES)
def test_every_cell_runs_and_every_view_draws(browser, lab, name):
    with lecture_in_lab(browser, lab, name) as page:
        assert page.locator(".seqviz").count() == page.locator(READY).count() >= 1
