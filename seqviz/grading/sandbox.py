"""The walls around a student's process, and what it may use.

Bubblewrap (Debian's package `bubblewrap`) gives it no network, no other process to see, and a file
system that holds what Python and the notebook need, to be read, and one folder to write into.
"""

import functools
import os
import shutil
import site
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import seqviz
from seqviz.data.registry import cache_folder, shipped_folder

OPEN = (
    "bubblewrap is not there or may not work: a submission can read what you can read, hidden "
    "tests and others' work too, write it, use the network and end other processes"
)
WRAP = ("bwrap", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts")
WRAP += ("--die-with-parent", "--new-session", "--cap-drop", "ALL")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives")
SYSTEM += ("/etc/ld.so.cache", "/etc/localtime")
PACKAGES = ("site-packages", "dist-packages")  # of the path no other folder: one may be yours
PASSED = ("LANG", "LC_ALL", "SYSTEMROOT")  # nothing else passes in


@dataclass(frozen=True)
class Limits:
    """What a submission may use.

    Attributes
    ----------
    seconds, cell_seconds : float
        Of all of it, and of one cell.
    memory : int
        Bytes that its processes may use together.
    written : int
        Letters that a cell may print; what is more is thrown away.
    disk, files : int
        Bytes and files in its folder.
    processes : int
        How many may run beside each other.
    """

    seconds: float = 240.0
    cell_seconds: float = 60.0
    memory: int = 3 * 2**30
    written: int = 1_000_000
    disk: int = 64 * 2**20
    files: int = 1000
    processes: int = 16


@functools.cache
def can_wrap() -> bool:
    """Whether bubblewrap is there and allowed to work."""
    if shutil.which("bwrap") is None:
        return False
    with tempfile.TemporaryDirectory() as name:
        command = [*_walls(Path(name)), sys.executable, "-c", "import torch"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def walled(command: list[str], work: Path) -> list[str]:
    """A command behind walls, where there can be any; it may write into one folder."""
    return [*_walls(work), *command] if can_wrap() else command


def environment(work: Path) -> dict[str, str]:
    """What a submission's process is told: nothing that is the lecturer's own."""
    kept = {name: os.environ[name] for name in PASSED if name in os.environ}
    own = ("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "TMPDIR")
    return kept | {
        **dict.fromkeys(own, str(work)),
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OMP_NUM_THREADS": "1",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"]),
        "PLOTLY_RENDERER": "plotly_mimetype",
        "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if os.path.isabs(entry)),
        "PYTHONUSERBASE": site.getuserbase(),  # else it is sought in the new HOME
        "SEQVIZ_CACHE": str(cache_folder()),
    }


def _walls(work: Path) -> list[str]:
    """Bubblewrap, with all that can be read."""
    package = Path(seqviz.__file__).parent
    checkout = package.parent if (package.parent / "notebooks").is_dir() else None
    python = [Path(sys.prefix), Path(sys.base_prefix)]
    python += [path for path in map(Path, sys.path) if path.name in PACKAGES]
    read = [path for path in python if not (checkout and checkout.is_relative_to(path))]
    read += [package, shipped_folder(), cache_folder()]
    walls = list(WRAP)
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            walls += ["--symlink", os.readlink(path), str(path)]
        elif path.exists():
            walls += ["--ro-bind", str(path), str(path)]
    for path in dict.fromkeys(path.absolute() for path in read if path.exists()):
        walls += ["--ro-bind", str(path), str(path)]
    walls += ["--tmpfs", str(package / "checks"), "--remount-ro", str(package / "checks")]
    walls += ["--proc", "/proc", "--dev", "/dev", "--bind", str(work), str(work)]
    for path in ("/proc", "/dev", "/"):  # root without rights may still write into /proc/sys
        walls += ["--remount-ro", path]
    return [*walls, "--chdir", str(work)]
