"""A folder of the course's notebooks, for a reader who has the package and no checkout."""

import filecmp
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from seqviz.files import replacing

PACKAGE = Path(__file__).parent


def shipped(name: str) -> Path:
    """Return a folder that an installed wheel brings, or else the checkout's.

    Parameters
    ----------
    name : str
        "notebooks", or "jupyter" for the settings of JupyterLab.

    Raises
    ------
    FileNotFoundError
        If there is neither; says what to install.
    """
    installed = PACKAGE / f"_{name}"
    checkout = PACKAGE.parent / {"notebooks": "notebooks", "jupyter": ".jupyter"}[name]
    for folder in (installed, checkout):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"this seqviz was installed without its {name}: there is no {installed}. Install a wheel "
        "that pip built from the course's repository: pip install --force-reinstall PATH"
    )


def holds_the_course(folder: Path) -> bool:
    """Say whether a folder has a notebook of the course, by its name."""
    return any((folder / path.name).exists() for path in shipped("notebooks").glob("*.ipynb"))


def fill(folder: Path) -> tuple[list[Path], list[Path]]:
    """Put the notebooks, and the tables that they read, into a folder. Nothing is overwritten.

    A folder that holds a notebook of the course is the reader's own: it gets what it lacks.

    Parameters
    ----------
    folder : Path
        Is made if it is not there.

    Returns
    -------
    copied : list of Path
        The files that are new, relative to the folder.
    kept : list of Path
        The files that were there and differ from those shipped, relative to the folder.

    Raises
    ------
    ValueError
        If it is a file, or holds other things and no notebook of the course.
    FileNotFoundError
        If this installation has no notebooks.
    """
    source = shipped("notebooks")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; name a folder for the notebooks")
    there = sorted(path.name for path in folder.glob("[!.]*"))
    if there and not holds_the_course(folder):
        names = ", ".join(there[:3])
        raise ValueError(
            f"{folder} holds {names}{' ...' if len(there) > 3 else ''} and no notebook of the "
            "course. Nothing was written; name a new folder: seqviz lab FOLDER"
        )
    copied, kept = [], []
    for path in _course_files(source):
        target = folder / path
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with replacing(target) as file:
                file.write((source / path).read_bytes())
            copied.append(path)
        elif not filecmp.cmp(source / path, target, shallow=False):
            kept.append(path)
    return copied, kept


def _course_files(source: Path) -> Iterator[Path]:
    """What is copied, relative: the notebooks first, as they tell that a folder is the course's."""
    for pattern in ("*.ipynb", "*.md", "studies/*.csv", "studies/*.npz", "studies/*.py"):
        yield from (path.relative_to(source) for path in sorted(source.glob(pattern)))


def open_lab(folder: Path, options: Sequence[str] = ()) -> None:
    """Run JupyterLab in a folder, with the course's settings before the reader's own.

    Parameters
    ----------
    folder : Path
        Where it starts.
    options : sequence of str
        Options of JupyterLab and files to open.

    Raises
    ------
    ModuleNotFoundError
        If JupyterLab is not installed.
    """
    from jupyterlab.labapp import LabApp

    own = os.environ.get("JUPYTER_CONFIG_PATH")
    places = [str(shipped("jupyter")), *([own] if own else [])]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(places)
    os.chdir(folder)
    LabApp.launch_instance(["--allow-root", *options])
