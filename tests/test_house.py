"""The house stands: imports go downwards only, and the public names are what they promise."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest

import seqviz as sv

PACKAGE = Path(sv.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

# What the modules of a room (or a file beside the rooms) may import from the package.
FLOORS = {
    "view": set(),
    "views": {"files", "pieces", "stacks", "telling", "views"},
    "arguments": {"telling"},
    "telling": set(),
    "pieces": {"pieces"},
    "stacks": set(),
    "blocks": set(),
    "files": set(),
    "data": {"data", "files", "arguments"},
    "nn": {"arguments", "data", "nn"},
    "graphs": {"arguments", "graphs", "nn"},
    "asking": {"asking", "views"},
    "deadline": set(),
    "checks": {"checks", "deadline"},
    "metrics": {"arguments", "data"},
    "decoding": {"decoding", "arguments"},
    "checkpoint": {"files"},
    "training": {"checkpoint", "arguments", "interrupting", "training"},
    "recording": {"arguments", "blocks", "files", "nn", "recording"},
    "heads": {"heads", "pieces"},
    "interrupting": set(),
    "intervention": {"arguments", "blocks", "intervention", "recording", "stacks", "telling"},
    "running": {
        "arguments",
        "data",
        "decoding",
        "graphs",
        "heads",
        "intervention",
        "nn",
        "pieces",
        "recording",
        "running",
        "stacks",
        "telling",
    },
    "exploring": {
        "arguments",
        "exploring",
        "files",
        "graphs",
        "heads",
        "interrupting",
        "nn",
        "recording",
        "running",
        "views",
    },
    "live_views": {"graphs", "running", "views"},
    "session": {"arguments", "views"},
    "execution": set(),
    "site": {
        "asking",
        "core_path",
        "execution",
        "files",
        "seqviz",
        "site",
        "views",
    },  # the reference shows the public face
    "core_path": set(),
    "publishing": {"asking", "core_path", "execution", "files", "site", "views"},
    "presenting": {"asking", "core_path", "execution", "presenting", "site", "views"},
    "grading": {"checks", "data", "deadline", "files", "grading", "seqviz", "site", "views"},
    "kit": {"course_folder", "files", "kit", "views"},
    "course_folder": {"files"},
    "command": {"course_folder", "execution", "files", "grading", "kit", "presenting"},
    "__init__": set(),
}


def room(path: Path) -> str:
    """The room of a module: `nn` for nn/recurrent.py, `training` for training.py."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(source: str):
    """Yield the room of each import from the package, `seqviz` for the package itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            if first == "seqviz":
                yield rest[0] if rest else "seqviz"


def test_imports_go_downwards():
    used = {name: set() for name in FLOORS}
    for path in MODULES:
        assert room(path) in FLOORS, f"{path.name}: say in FLOORS on which floor it stands"
        used[room(path)].update(imported_rooms(path.read_text(encoding="utf-8")))
    assert used == FLOORS, "FLOORS says what each room may import, and no more"


def test_a_file_holds_one_idea():
    lines = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert not {name: n for name, n in lines.items() if n > 300}, "300 are enough for one idea"


def test_a_scene_knows_no_page():
    pure = [p for p in PACKAGE.rglob("*.js") if p.stem in ("scene", "plan", "sentence")]
    page = re.compile(r"\b(document\.|window\.|model\.[gs]et|svg\(|html\()")
    assert pure
    assert not [p.as_posix() for p in pure if page.search(p.read_text(encoding="utf-8"))]


def test_no_module_has_the_name_of_a_public_function():
    """Imported later than the function, it would take its place."""
    public = {name: getattr(sv, name) for name in sv.__all__}
    rooms = [room for room in public.values() if hasattr(room, "__path__")]
    for room in (sv, *rooms):
        modules = {module.name for module in iter_modules(room.__path__)}
        things = {name: getattr(room, name) for name in getattr(room, "__all__", dir(room))}
        functions = {name for name, one in things.items() if not isinstance(one, ModuleType)}
        assert not functions & modules, room.__name__


def test_an_unknown_name_says_what_there_is():
    with pytest.raises(AttributeError, match=r"no attribute 'unrol'.*'setup'"):
        sv.unrol  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'unrol'.*'unroll'"):
        sv.view.unrol  # noqa: B018


def test_the_import_is_fast():
    code = (
        "import time; a = time.perf_counter(); import torch; b = time.perf_counter(); "
        "import seqviz; print(b - a, time.perf_counter() - b)"
    )
    torch, ours = map(float, subprocess.check_output([sys.executable, "-c", code]).split())
    assert ours < 0.1 * torch, f"{ours:.2f} s beyond torch's {torch:.2f}"
