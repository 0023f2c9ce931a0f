"""Every command line of the README: what it names is there, and its program takes it.

What takes minutes, or a network, is not run, but asked as far as its arguments.
"""

import importlib.util
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from seqviz import command, publishing

TOP = Path(__file__).parents[1]
README = (TOP / "README.md").read_text(encoding="utf-8")
PROGRAMS = r"[!%]?(?:make|seqviz|pip|conda|jupyter|python3?|\.venv/bin/[a-z]+)"


def lines() -> list[str]:
    """Those of its blocks that are no Python, and those amid the text."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    shells = [text for language, text in blocks if language != "python"]
    inline = re.findall(rf"`({PROGRAMS} [^`\n]+)`", README)
    return [line for text in shells for line in text.splitlines() if line.strip()] + inline


def make(given):
    if not shutil.which("make"):
        pytest.skip("no make here")
    asked = ["make", "--dry-run", *given]
    done = subprocess.run(asked, cwd=TOP, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def ours(given, monkeypatch):
    taken = []
    monkeypatch.setattr(command, "_lab", lambda chosen, others: taken.append(others))
    monkeypatch.setattr(command, "_present", lambda chosen: taken.append(chosen.notebook))
    monkeypatch.setattr(command, "_kit", lambda chosen: taken.append(chosen.command))
    monkeypatch.setattr(command.shell, "run", lambda chosen: taken.append(chosen.command))
    command.main(given)
    assert taken[0] in ([], *given)
    assert given[0] != "present" or command.found(given[1]).is_file()


def publishes(given, monkeypatch):
    asked = []

    def publish(what, files, single):
        asked.append((what, [path.name for path in files], single))
        return []

    monkeypatch.setattr(publishing, "publish", publish)
    there = [[*map(str, Path().glob(one))] if "*" in one else [one] for one in given]
    publishing.main([word for words in there for word in words])
    [(what, files, single)] = asked
    assert what == given[0]
    assert files
    assert single == ("--single" in given)


def python(given, monkeypatch):
    _, module, *rest = given
    if module == "seqviz.publishing":
        publishes(rest, monkeypatch)
    else:
        assert importlib.util.find_spec(module), f"no module {module}"


def pip(given):
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = (TOP / ".ci" / "constraints.txt").read_text(encoding="utf-8").split()
    name = re.escape(project["name"])
    for word in given:
        if extra := re.fullmatch(rf"(?:\.|{name})\[(\w+)\]", word):
            assert extra[1] in project["optional-dependencies"]
        elif "==" in word:
            assert word in known, "CI installs another version"
        elif "/" in word and not word.startswith(".venv"):
            assert (TOP / word).is_file(), f"no file {word}"


def conda(given):
    environment = yaml.safe_load((TOP / "environment.yml").read_text(encoding="utf-8"))
    assert given[-1] == "environment.yml" or environment["name"] in given
    if "run" in given:
        jupyter(given[given.index("jupyter") + 1 :])


def jupyter(given):
    assert given[0] == "lab"
    assert (TOP / given[1]).is_file()


ASKS = {
    "make": make,
    "pip": pip,
    "uv": pip,
    "conda": conda,
    "jupyter": jupyter,
    "seqviz": ours,
    "python": python,
    "python3": python,
}


def test_the_readme_has_commands():
    assert len(lines()) > 20


@pytest.mark.parametrize("line", lines())
def test_a_command_line_of_the_readme_is_taken(line, monkeypatch):
    monkeypatch.chdir(TOP)
    program, *given = shlex.split(line, comments=True)
    program = program.removeprefix(".venv/bin/").lstrip("!%")
    needs = (monkeypatch,) if program in ("seqviz", "python", "python3") else ()
    ASKS[program](given, *needs)
