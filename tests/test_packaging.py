"""The files that set seqviz up agree with each other."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import rattler
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import seqviz as sv

TOP = Path(__file__).parents[1]
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


@pytest.mark.parametrize("line", CONDA_LINES)
def test_conda_lines_parse_strictly(line):
    assert rattler.MatchSpec(line, strict=True).name is not None


def test_conda_installs_the_package_itself_and_a_supported_python():
    assert {"pip": ["-e ."]} in CONDA
    (python,) = [line.removeprefix("python=") for line in CONDA_LINES if line.startswith("python=")]
    assert python in SpecifierSet(PROJECT["requires-python"])


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


def test_torch_is_not_pinned_for_users():
    assert "==" not in str(requirements()["torch"])


def test_one_version_everywhere():
    citation = yaml.safe_load((TOP / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    assert PROJECT["version"] == citation["version"] == sv.__version__
    assert re.search(r"^## \[([^]]+)\]", changes, re.MULTILINE)[1] == PROJECT["version"]


def test_workflow_uses_what_is_there():
    text = (TOP / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert jobs["linux"]["strategy"]["matrix"]["python"][0] in PROJECT["requires-python"]
    assert "firefox" in jobs
    for action in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", action), action
    for file in re.findall(r"\.ci/[\w.]+", text):
        assert (TOP / file).is_file(), file


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_refuses_an_old_python_by_name(tmp_path):
    folder = tmp_path / "a path with spaces"
    (folder / ".ci").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", ".ci/constraints.txt", ".ci/browser.sh"):
        shutil.copy(TOP / name, folder / name)
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


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
@pytest.mark.parametrize("script", [".ci/run", ".ci/browser.sh"])
def test_scripts_are_sound(script):
    text = (TOP / script).read_text(encoding="utf-8")
    assert "set -euo pipefail" in text
    assert os.access(TOP / script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(TOP / script)]).returncode == 0


def test_the_code_in_the_readme_runs(tmp_path, monkeypatch):
    text = (TOP / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 2
    monkeypatch.chdir(tmp_path)
    scope = {"__name__": "readme"}
    for block in blocks:
        exec(block, scope)
    assert (tmp_path / "hello.html").exists()
