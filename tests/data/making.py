"""What makes the files of a data set: datasets/NAME/make.py, run from a folder."""

import runpy
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

DATASETS = Path(__file__).parents[2] / "datasets"


def run_make(folder, as_script=False):
    """The names of the folder's make.py; as a script it writes its files there."""
    sys.path.insert(0, str(folder))
    try:
        names = runpy.run_path(str(folder / "make.py"), run_name="__main__" if as_script else None)
        return SimpleNamespace(**names)
    finally:
        sys.path.remove(str(folder))
        for path in folder.glob("*.py"):  # another folder may have one of this name
            sys.modules.pop(path.stem, None)


@cache
def maker(name):
    """The make.py of a data set, for its words."""
    return run_make(DATASETS / name)
