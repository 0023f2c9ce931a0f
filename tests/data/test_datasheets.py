import ast
import gzip
import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

import seqviz as sv
from seqviz.data import loaders, registry

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(path for path in (ROOT / "datasets").iterdir() if path.is_dir())
SECTIONS = ["What", "Where from", "Licence", "How made", "Counts", "Known bias"]


def rows(sheet):
    """The rows `| file | count | count |` of a datasheet's first table."""
    return {
        name: (int(first), int(second))
        for name, first, second in re.findall(r"^\| (\S+\.\w+) \| (\d+) \| (\d+) \|$", sheet, re.M)
    }


def counts(path):
    """Lines and characters of a text; tensors and numbers of a model."""
    if path.suffix in (".csv", ".gz", ".tsv", ".txt"):
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
        return len(text.removesuffix("\n").split("\n")), len(text)
    with safe_open(path, framework="pt") as file:
        tensors = [file.get_tensor(name) for name in file.keys()]  # noqa: SIM118
    return len(tensors), sum(tensor.numel() for tensor in tensors)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_each_folder_has_a_datasheet_with_true_counts(folder):
    sheet = (folder / "README.md").read_text(encoding="utf-8")
    assert sheet.startswith(f"# {folder.name}\n")
    assert re.findall(r"^## (.+)$", sheet, re.M) == SECTIONS
    assert "CC BY 4.0" in sheet
    stated = rows(sheet)
    files = [path for path in folder.iterdir() if path.name != "README.md"]
    downloaded = {*stated} & {*registry.REMOTES}
    assert files or downloaded or "Made when asked for" in sheet
    for path in files:
        assert stated.pop(path.name) == counts(path)
    for name, count in stated.items():  # not shipped, so downloaded
        path = registry.cache_folder() / registry.REMOTES[name].file
        if path.exists():
            assert count == counts(path)


def checksum(tensors):
    """The sha256 of the bytes of `tensors`, little-endian everywhere, or of what is printed."""
    if not isinstance(tensors[0], torch.Tensor):
        return hashlib.sha256(repr(tensors).encode()).hexdigest()
    arrays = [tensor.numpy() for tensor in tensors]
    little = [array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays]
    return hashlib.sha256(b"".join(little)).hexdigest()


MADE_WHEN_ASKED_FOR = [
    folder
    for folder in FOLDERS
    if "Made when asked for" in (folder / "README.md").read_text(encoding="utf-8")
]


@pytest.mark.parametrize("folder", MADE_WHEN_ASKED_FOR, ids=lambda folder: folder.name)
def test_what_is_made_when_asked_for_is_what_the_sheet_says(folder):
    sheet = (folder / "README.md").read_text(encoding="utf-8")
    calls = re.findall(r"^\| `(\w+)\((.+)\)` \| `([0-9a-f]{64})` \|$", sheet, re.M)
    assert len(calls) >= 2
    for name, arguments, stated in calls:
        assert name == folder.name
        given = ast.parse(f"f({arguments})", mode="eval").body.keywords
        tensors = getattr(sv.data, name)(**{k.arg: ast.literal_eval(k.value) for k in given})
        assert checksum(tensors) == stated


def test_a_generator_or_a_loader_stands_behind_each_datasheet():
    made = {folder.name for folder in MADE_WHEN_ASKED_FOR}
    assert made == {"adding", "counter", "echo", "motifs", "recall", "shapes"}
    names = {name.replace("-", "_") for name in loaders.NAMES}
    assert {f.name for f in FOLDERS} - made == names | {*loaders.WEIGHTS, "history", "melodies"}


def test_the_shipped_folder_is_the_repositorys_or_the_wheels(tmp_path, monkeypatch):
    package = tmp_path / "seqviz"
    (package / "data").mkdir(parents=True)
    monkeypatch.setattr(registry, "__file__", str(package / "data" / "registry.py"))
    assert registry.shipped_folder() == tmp_path / "datasets"
    (package / "_datasets").mkdir()
    assert registry.shipped_folder() == package / "_datasets"


@pytest.mark.slow
def test_a_wheel_brings_the_files(tmp_path):
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet"]
    made = subprocess.run(
        [*build, "--wheel-dir", tmp_path, ROOT], capture_output=True, text=True, check=False
    )
    if made.returncode and "hatchling" in made.stderr:
        pytest.skip("pip could not bring the build tool hatchling: no network")
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        inside = set(wheel.namelist())
        wheel.extractall(tmp_path / "site")
    for folder in FOLDERS:
        for path in folder.iterdir():
            assert f"seqviz/_datasets/{folder.name}/{path.name}" in inside
    code = "import seqviz as sv; print(sv.__file__); print(sv.data.load('hello').train)"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "site",
        capture_output=True,
        text=True,
        check=True,
    )
    file, train = run.stdout.splitlines()
    assert Path(file).is_relative_to((tmp_path / "site").resolve())
    assert train == "['hello']"
