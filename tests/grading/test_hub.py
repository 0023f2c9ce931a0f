"""The hub of `.hub/` starts, hands A1 out, and runs its first cells."""

import shutil
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_two_students_run_the_first_cells():
    pytest.importorskip("jupyterhub")
    if shutil.which("configurable-http-proxy") is None:
        pytest.skip("configurable-http-proxy is not on the PATH")
    command = [sys.executable, "-m", "tests.bench.hub", "--students", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "2 students on" in done.stdout
