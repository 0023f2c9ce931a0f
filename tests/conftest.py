"""Which tests run together."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import settings

from tests.notebooks import executed

settings.register_profile("patient", deadline=None)  # a busy machine is not a defect
settings.load_profile("patient")

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def pytest_configure(config):
    """Hooks in a conftest would not see the cells of notebooks/; workers inherit the seed."""
    from tests.browser import scripts  # which takes give_up from here

    config.pluginmanager.register(executed)
    config.pluginmanager.register(scripts)
    os.environ.setdefault("SEQVIZ_STUDY_SEED", str(random.SystemRandom().randrange(10**6)))
    if not config.option.markexpr.startswith("alone"):  # others run beside: torch takes one core
        os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_terminal_summary(terminalreporter, config):
    """Say which rows of the studies were trained again."""
    if "not slow" not in config.option.markexpr:
        seed = os.environ["SEQVIZ_STUDY_SEED"]
        terminalreporter.line(f"rows of studies were drawn with SEQVIZ_STUDY_SEED={seed}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep a file on one worker, as `--dist loadfile` does.

    So are a lecture with all that looks at it, and what shares the JupyterLab server.
    """
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid):
            if nodeid.startswith("tests/browser/in_lab/"):
                return "in_lab"
            return executed.lecture_in(nodeid) or super()._split_scope(nodeid)

    return ByFile(config, log)


def give_up(reason: str) -> None:
    """Skip where no browser can be had; in continuous integration that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
