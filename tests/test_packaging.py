"""The files that set seqviz up agree with each other."""

import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import sysconfig
import time
import tomllib
import urllib.request
import venv
import zipfile
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
import rattler
import yaml
from jupyter_client import KernelManager
from nbclient import NotebookClient
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import seqviz as sv
from tests.browser.drivers import find_firefox

TOP = Path(__file__).parents[1]
WORKFLOWS = TOP / ".github" / "workflows"
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA = yaml.safe_load((TOP / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
PINS = (TOP / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
CONDA_LINES = [line for line in CONDA if isinstance(line, str)]
CONDAS_OWN = {"python", "pip"}


def requirements(*extras):
    lines = list(PROJECT["dependencies"])
    for extra in extras:
        lines += PROJECT["optional-dependencies"][extra]
    found = [Requirement(line) for line in lines]
    return {r.name: r.specifier for r in found if r.name != PROJECT["name"]}


def test_conda_and_pip_name_the_same_packages_and_ranges():
    conda = {}
    for line in CONDA_LINES:
        name, specifier = re.fullmatch(r"([a-z0-9-]+)(.*)", line).groups()
        if name not in CONDAS_OWN:
            conda[{"pytorch-cpu": "torch"}.get(name, name)] = SpecifierSet(specifier)
    assert conda == requirements("lab")


def test_conda_installs_the_package_itself_and_a_supported_python():
    for line in CONDA_LINES:
        assert rattler.MatchSpec(line, strict=True).name is not None, line
    assert {"pip": ["-e ."]} in CONDA
    (python,) = [line.removeprefix("python=") for line in CONDA_LINES if line.startswith("python=")]
    assert python in SpecifierSet(PROJECT["requires-python"])


def test_an_install_makes_nothing_importable_but_the_package(tmp_path):
    """A folder `datasets` on the path is a library to transformers, whose trainer then dies."""
    folders = [path.name for path in TOP.iterdir() if path.is_dir() and path.name.isidentifier()]
    code = f"""from importlib.util import find_spec
for name in {folders}:
    spec = find_spec(name)
    print(*(spec and spec.submodule_search_locations or []), sep="\\n")"""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    here = [line for line in found.stdout.split() if Path(line).is_relative_to(TOP)]
    assert {*here} <= {str(TOP / "seqviz")}


@pytest.mark.slow
def test_binder_takes_the_environment():
    pytest.importorskip("repo2docker", reason="repo2docker is not installed")
    plan = subprocess.run(
        [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(TOP)],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert plan.returncode == 0, plan.stderr
    assert "environment.yml" in plan.stdout + plan.stderr


def test_constraints_are_plain_pins_that_fit_the_ranges():
    pins = dict(re.fullmatch(r"([A-Za-z0-9_.-]+)==([0-9A-Za-z.]+)", line).groups() for line in PINS)
    pins = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pins.items()}
    assert pins["torch"] == "2.13.0"
    for name, specifier in requirements("lab", "instructor", "test").items():
        assert Version(pins[name]) in specifier, name
    assert "==" not in str(requirements()["torch"]), "users are not bound to our torch"


def test_one_version_everywhere():
    citation = yaml.safe_load((TOP / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    assert PROJECT["version"] == citation["version"] == sv.__version__
    assert re.search(r"^## \[([^]]+)\]", changes, re.MULTILINE)[1] == PROJECT["version"]


def test_workflows_use_what_is_there():
    texts = {file.stem: file.read_text(encoding="utf-8") for file in WORKFLOWS.glob("*.yml")}
    jobs = {name: yaml.safe_load(text)["jobs"] for name, text in texts.items()}
    assert jobs["ci"]["linux"]["strategy"]["matrix"]["python"][0] in PROJECT["requires-python"]
    assert "firefox" in jobs["ci"]
    assert {"second-runner", "real-hosts"} == jobs["hosts"].keys()
    text = "".join(texts.values())
    for folder in re.findall(r"pytest .*(tests/\w+)", text):
        assert (TOP / folder).is_dir(), folder
    for action in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", action), action
    for file in re.findall(r"\.ci/[\w.]+", text):
        assert (TOP / file).is_file(), file


def checkout(folder):
    """What make reads, elsewhere."""
    (folder / ".ci").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", ".ci/constraints.txt", ".ci/browser.sh"):
        shutil.copy(TOP / name, folder / name)
    return folder


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    ("target", "failing"),
    [("test", "ruff check"), ("test", "not alone"), ("test-all", "tests"), ("test-all", None)],
)
def test_make_measures_what_runs_alone_whatever_failed_before(tmp_path, target, failing):
    (checkout(tmp_path) / ".ci" / "browser.sh").write_text("")
    (tmp_path / ".ci" / "scripts.sh").write_text("")
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\necho "$*" >> ran\ncase "$*" in *"{failing}"*) exit 1;; esac\n')
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    (tmp_path / ".venv").mkdir()
    done = subprocess.run(
        ["make", "BIN=bin", target],
        cwd=tmp_path,
        env={**os.environ, "MAKEFLAGS": ""},
        capture_output=True,
        text=True,
    )
    ran = (tmp_path / "ran").read_text().splitlines()
    assert (done.returncode != 0) == (failing is not None), done.stderr
    assert [line for line in ran if "pytest" in line][-1].startswith("-m pytest -n 0 -m alone")
    firefox = target == "test-all" and find_firefox() is not None
    assert sum("pytest" in line for line in ran) == 2 + firefox


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_refuses_an_old_python_by_name(tmp_path):
    folder = checkout(tmp_path / "a path with spaces")
    old = folder / "old-python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.18 && exit 0\nexit 1\n')
    old.chmod(old.stat().st_mode | stat.S_IXUSR)
    done = subprocess.run(
        ["make", "PYTHON=./old-python", "lab"],
        cwd=folder,
        env={**os.environ, "MAKEFLAGS": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "needs Python 3.11 or newer; './old-python' is Python 3.9.18" in done.stderr
    assert not (folder / ".venv").exists()


def test_the_code_in_the_readme_runs(tmp_path, monkeypatch):
    text = (TOP / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 2
    monkeypatch.chdir(tmp_path)
    scope = {"__name__": "readme"}
    for block in blocks:
        exec(block, scope)
    assert (tmp_path / "hello.html").exists()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "--wheel-dir", folder]
    made = subprocess.run([*build, TOP], capture_output=True, text=True)
    if made.returncode and "hatchling" in made.stderr:
        pytest.skip("pip could not bring the build tool hatchling: no network")
    assert made.returncode == 0, made.stderr
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_has_all_of_the_package_and_no_answers(wheel):
    ours = {
        path.relative_to(TOP).as_posix()
        for path in (TOP / "seqviz").rglob("*")
        if path.is_file() and not {"__pycache__", "_datasets"} & {*path.parts}
    }
    with zipfile.ZipFile(wheel) as files:
        inside = set(files.namelist())
        marked = [name for name in inside if b"BEGIN SOLUTION\\n" in files.read(name)]
    data = {f"seqviz/_{path.relative_to(TOP).as_posix()}" for path in TOP.glob("datasets/*/*.*")}
    makers = {name for name in data if name.endswith(".py")}
    assert not (ours | data - makers) - inside
    assert makers.isdisjoint(inside)
    assert {"seqviz/py.typed", "seqviz/_notebooks/studies/01_hello.csv"} <= inside
    assert not [name for name in inside if "assignments" in name]
    assert marked == []
    assert wheel.stat().st_size < 20e6


@pytest.fixture(scope="module")
def fresh(wheel, tmp_path_factory):
    """A new environment: of seqviz the wheel alone, other packages borrowed from this one."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, symlinks=os.name == "posix", with_pip=False)
    bin_ = folder / ("Scripts" if os.name == "nt" else "bin")
    places = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    own = Path(places["purelib"])
    # the .pth files in the folder that a .pth names stay unread, that of this checkout too
    (own / "borrowed.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n", encoding="utf-8")
    install = [bin_ / "python", "-m", "pip", "install", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*install, "--ignore-installed", wheel], check=True)
    return bin_


@contextmanager
def served(command, where, log):
    """Run a server until it says its address; end it."""
    share = Path(sys.prefix, "share", "jupyter")
    places = {
        "JUPYTERLAB_DIR": share / "lab",
        "JUPYTER_PATH": share,
        "JUPYTER_CONFIG_DIR": where / "configuration",
        "JUPYTER_CONFIG_PATH": Path(sys.prefix, "etc", "jupyter"),
    }
    env = os.environ | {name: str(place) for name, place in places.items()}
    with log.open("wb") as told:
        server = subprocess.Popen(command, cwd=where, env=env, stdout=told, stderr=told)
    try:
        for _ in range(600):
            text = log.read_text(encoding="utf-8", errors="replace")
            if found := re.search(r"(http://127\.0\.0\.1:\d+)/lab", text):
                break
            assert server.poll() is None, text
            time.sleep(0.1)
        yield found[1]
    finally:
        server.terminate()
        server.wait(30)


@pytest.mark.slow
def test_the_wheel_alone_opens_lab_in_a_folder_of_the_notebooks(fresh, tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--no-browser", f"--port={port}", "--IdentityProvider.token="]
    command = [fresh / "seqviz", "lab", "mine", *options]
    with served(command, tmp_path, tmp_path / "log.txt") as address:

        def asked(path):
            with urllib.request.urlopen(f"{address}/{path}", timeout=60) as answer:
                return json.load(answer)

        there = {one["name"] for one in asked("api/contents")["content"]}
        assert {path.name for path in (TOP / "notebooks").glob("*.ipynb")} <= there
        assert "assignments" not in there
        plugin = asked("lab/api/settings/@jupyter-widgets/jupyterlab-manager:plugin")
        assert plugin["schema"]["properties"]["saveState"]["default"] is True


@pytest.mark.slow
@pytest.mark.parametrize("name", ["your_own_model", "10_beyond_recurrence"])
def test_a_notebook_of_the_wheel_runs_in_its_folder(fresh, tmp_path, name):
    subprocess.run([fresh / "seqviz", "lab", "mine", "--no-open"], cwd=tmp_path, check=True)
    kernel = KernelManager()
    kernel.kernel_spec.argv[0] = str(fresh / "python")
    notebook = nbformat.read(tmp_path / "mine" / f"{name}.ipynb", as_version=4)
    where = "import seqviz; print(seqviz.__file__)"
    notebook.cells.append(nbformat.v4.new_code_cell(where))
    client = NotebookClient(
        notebook, km=kernel, timeout=300, resources={"metadata": {"path": str(tmp_path / "mine")}}
    )
    client.execute()
    assert Path(notebook.cells[-1].outputs[0].text.strip()).is_relative_to(fresh.parent)
