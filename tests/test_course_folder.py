"""`seqviz lab`: the notebooks of an installed wheel in a folder of the reader's, and Lab there."""

import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from seqviz import command, course_folder

TOP = Path(__file__).parents[1]


def words_of(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def opened(monkeypatch):
    """What JupyterLab would be started with; its place is taken."""
    started = []

    def launch_instance(options):
        started.append((Path.cwd(), options, os.environ["JUPYTER_CONFIG_PATH"]))

    taken = SimpleNamespace(LabApp=SimpleNamespace(launch_instance=launch_instance))
    monkeypatch.setitem(sys.modules, "jupyterlab", SimpleNamespace(labapp=taken))
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", taken)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "my own")
    return started


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A place of the package with three files of a course, as a wheel has them."""
    package = tmp_path / "installed" / "seqviz"
    (package / "_notebooks" / "studies").mkdir(parents=True)
    for name in ("01_a.ipynb", "02_b.ipynb", "studies/01_a.csv"):
        (package / "_notebooks" / name).write_text(f"shipped {name}")
    monkeypatch.setattr(course_folder, "PACKAGE", package)
    return package / "_notebooks"


def test_a_new_folder_gets_all_that_the_notebooks_read(tmp_path):
    copied, kept = course_folder.fill(tmp_path / "mine")
    assert not kept
    assert {"01_rnn_hello.ipynb", "LETTERS.md", "studies/01_hello.csv"} <= {
        path.as_posix() for path in copied
    }
    assert words_of(tmp_path / "mine") == {
        path: (TOP / "notebooks" / path).read_bytes() for path in copied
    }
    assert not (tmp_path / "mine" / "assignments").exists()  # they hold the answers
    for path in sorted((tmp_path / "mine").glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            for name in re.findall(r'"(studies/[\w./]+)"', cell.source):
                assert (tmp_path / "mine" / name).is_file(), f"{path.name} reads {name}"
            for name in re.findall(r"\]\(([\w./]+\.(?:ipynb|md|csv|py))\b", cell.source):
                assert (tmp_path / "mine" / name).is_file(), f"{path.name} leads to {name}"


def test_a_folder_of_the_course_gets_what_it_lacks_and_nothing_is_overwritten(
    tmp_path, wheel, capsys
):
    mine = tmp_path / "mine"
    (mine / ".venv").mkdir(parents=True)  # hidden: it makes no folder foreign
    assert len(course_folder.fill(mine)[0]) == 3
    (mine / "01_a.ipynb").write_text("my answers")
    (mine / "notes.txt").write_text("my notes")
    (mine / "studies" / "01_a.csv").unlink()
    command.main(["lab", str(mine), "--no-open"])
    told = capsys.readouterr().out.splitlines()
    assert told == [f"{mine}: files copied: 1", "kept as they are: 01_a.ipynb"]
    assert (mine / "01_a.ipynb").read_text() == "my answers"
    assert (mine / "notes.txt").read_text() == "my notes"
    assert (mine / "studies" / "01_a.csv").read_text() == "shipped studies/01_a.csv"


def test_a_copy_that_was_stopped_goes_on(tmp_path, wheel, monkeypatch):
    read = Path.read_bytes

    def stops(path):
        if path.name == "02_b.ipynb":
            raise KeyboardInterrupt
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", stops)
    with pytest.raises(KeyboardInterrupt):
        course_folder.fill(tmp_path / "mine")
    assert list(words_of(tmp_path / "mine")) == [Path("01_a.ipynb")]
    monkeypatch.setattr(Path, "read_bytes", read)
    copied, _ = course_folder.fill(tmp_path / "mine")
    assert len(copied) == 2


def test_a_foreign_folder_is_refused_and_stays_as_it_is(tmp_path, opened):
    for name in ("thesis.tex", "data.csv", "a.py", "b.py"):
        (tmp_path / name).write_text("mine")
    before = words_of(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        command.main(["lab", str(tmp_path)])
    assert re.search(
        r"^seqviz lab: .* holds a.py, b.py, data.csv ... and no notebook of the course. "
        r"Nothing was written; name a new folder: seqviz lab FOLDER$",
        stopped.value.code,
    )
    assert words_of(tmp_path) == before
    assert opened == []


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "mine").write_text("")
    with pytest.raises(SystemExit, match=r"mine is a file; name a folder for the notebooks"):
        command.main(["lab", str(tmp_path / "mine"), "--no-open"])


def test_a_wheel_without_the_notebooks_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(course_folder, "PACKAGE", tmp_path / "installed" / "seqviz")
    monkeypatch.chdir(tmp_path)
    told = r"was installed without its notebooks: there is no .*_notebooks. Install a wheel"
    with pytest.raises(SystemExit, match=told):
        command.main(["lab", "mine", "--no-open"])
    with pytest.raises(SystemExit, match=told):
        command.main(["present", "04"])
    assert list(tmp_path.iterdir()) == []


def test_without_jupyterlab_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    with pytest.raises(SystemExit, match=r"pip install 'seqviz-notebooks\[lab\]'"):
        command.main(["lab", str(tmp_path / "mine")])
    assert list(tmp_path.iterdir()) == []
    command.main(["lab", str(tmp_path / "mine"), "--no-open"])
    assert (tmp_path / "mine" / "01_rnn_hello.ipynb").exists()


def test_lab_opens_at_the_first_notebook_and_then_as_it_was_left(tmp_path, monkeypatch, opened):
    monkeypatch.chdir(tmp_path)
    command.main(["lab", "--no-browser", "--port=9"])
    (where, options, places) = opened[0]
    assert where == tmp_path / "seqviz-notebooks"
    assert options == ["--allow-root", "--no-browser", "--port=9", "01_rnn_hello.ipynb"]
    settings, own = places.split(os.pathsep)
    assert own == "my own"
    (file,) = Path(settings).rglob("*.json")
    plugin = json.loads(file.read_text())["@jupyter-widgets/jupyterlab-manager:plugin"]
    assert plugin == {"saveState": True}

    command.main(["lab"])  # from inside: this folder, not one more in it
    assert opened[1][:2] == (tmp_path / "seqviz-notebooks", ["--allow-root"])
    assert not (tmp_path / "seqviz-notebooks" / "seqviz-notebooks").exists()


def test_an_option_that_only_lab_may_have_is_refused_elsewhere(capsys):
    with pytest.raises(SystemExit):
        command.main(["present", "04", "--no-mathjax"])
    assert "unrecognized arguments: --no-mathjax" in capsys.readouterr().err


def test_the_wheels_folder_comes_before_the_checkouts(wheel):
    assert course_folder.shipped("notebooks") == wheel
    (wheel.parent.parent / ".jupyter").mkdir()
    assert course_folder.shipped("jupyter") == wheel.parent.parent / ".jupyter"
