"""A fresh process for one submission: limited in time and memory, where possible without a network.

Bubblewrap (Debian's package `bubblewrap`) gives it a network of its own without a way out and a
file system that it can only read, in which the course's own folders are empty.
"""

import functools
import json
import os
import shutil
import signal
import site
import subprocess
import sys
import tempfile
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from seqviz.grading.runner import fail_unrun

WRAP = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-net")
WRAP += ("--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session")


@dataclass(frozen=True)
class Limits:
    """What a submission may use.

    Attributes
    ----------
    seconds, cell_seconds : float
        Of all of it, and of one cell.
    memory : int
        Bytes that it may allocate; Linux alone holds it to them.
    written : int
        Bytes that a cell may write.
    """

    seconds: float = 240.0
    cell_seconds: float = 60.0
    memory: int = 3 * 2**30
    written: int = 1_000_000


@functools.cache
def can_wrap() -> bool:
    """Whether bubblewrap is there and allowed to work."""
    if shutil.which("bwrap") is None:
        return False
    return subprocess.run([*WRAP, "true"], capture_output=True, check=False).returncode == 0


def execute(
    notebook: NotebookNode, limits: Limits, files: Path, hidden: tuple[Path, ...] = ()
) -> NotebookNode:
    """Run a notebook, and give it back with its outputs.

    Parameters
    ----------
    notebook : NotebookNode
        The notebook.
    limits : Limits
        What it may use.
    files : Path
        A folder whose other files lie beside it while it runs.
    hidden : tuple of Path
        Folders and files that it must not read.

    Returns
    -------
    NotebookNode
        A copy; tests that did not come to their end have an error that says why.
    """
    with tempfile.TemporaryDirectory(prefix="seqviz-grading-") as name:
        work = Path(name)
        ignored = shutil.ignore_patterns("*.ipynb", ".*")
        shutil.copytree(files, work, ignore=ignored, dirs_exist_ok=True)
        source, target = work / "submission.ipynb", work / "executed.ipynb"
        nbformat.write(notebook, source)
        own = [sys.executable, "-m", "seqviz.grading.runner", str(source), str(target)]
        own.append(json.dumps(asdict(limits)))
        if can_wrap():
            own = [*WRAP, *_hiding(hidden), "--bind", name, name, "--chdir", name, *own]
        reason = _run(own, work, limits.seconds)
        if target.is_file():
            return nbformat.read(target, as_version=4)
    executed = deepcopy(notebook)
    fail_unrun(executed, reason)
    return executed


def _hiding(paths: tuple[Path, ...]) -> list[str]:
    """What bubblewrap is told of folders and files that are to be empty."""
    there = [path.absolute() for path in paths if path.exists()]
    folders = [part for path in there if path.is_dir() for part in ("--tmpfs", str(path))]
    files = [p for path in there if path.is_file() for p in ("--ro-bind", os.devnull, str(path))]
    return folders + files


def _run(command: list[str], work: Path, seconds: float) -> str:
    """Run a command; a reason if it did not come to its end."""
    names = ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "TMPDIR")
    environment = {**os.environ, **dict.fromkeys(names, str(work)), "OMP_NUM_THREADS": "1"}
    environment["PYTHONUSERBASE"] = site.getuserbase()  # else it is sought in the new HOME
    process = subprocess.Popen(
        command,
        cwd=work,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
        errors="replace",
    )
    try:
        _, told = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _kill(process)
        return f"the whole notebook was stopped after {seconds:g} seconds"
    if process.returncode == 0:
        return ""
    last = next(iter(reversed(told.strip().splitlines())), "")[:200]
    return f"it could not be run to its end ({last or f'exit {process.returncode}'})"


def _kill(process: subprocess.Popen) -> None:
    """End a process and all that it started."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
