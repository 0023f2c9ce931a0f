"""What a datasheet states is true of the files, and of what is made when asked for."""

import ast
import gzip
import hashlib
import re

import torch
from safetensors import safe_open

import seqviz as sv
from seqviz.data import loaders, registry
from tests.data.making import DATASETS

SHEETS = {
    path.parent.name: path.read_text(encoding="utf-8") for path in DATASETS.glob("*/README.md")
}
SECTIONS = ["What", "Where from", "Licence", "How made", "Counts", "Known bias"]
MADE_WHEN_ASKED_FOR = {"adding", "counter", "echo", "motifs", "recall", "shapes"}


def counts(path):
    """Lines and characters of a text; tensors and numbers of a model."""
    if path.suffix == ".safetensors":
        with safe_open(path, framework="pt") as file:
            tensors = [file.get_tensor(name) for name in file.keys()]  # noqa: SIM118
        return len(tensors), sum(tensor.numel() for tensor in tensors)
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return len(text.removesuffix("\n").split("\n")), len(text)


def test_each_folder_has_a_datasheet_with_true_counts():
    names = {name.replace("-", "_") for name in loaders.NAMES}
    shipped = names | {*loaders.WEIGHTS, "history", "melodies"}
    folders = {path.name for path in DATASETS.iterdir() if path.is_dir()}
    assert {*SHEETS} == folders == shipped | MADE_WHEN_ASKED_FOR
    for name, sheet in SHEETS.items():
        assert sheet.startswith(f"# {name}\n")
        assert re.findall(r"^## (.+)$", sheet, re.M) == SECTIONS, name
        assert "CC BY 4.0" in sheet
        assert ("Made when asked for" in sheet) == (name in MADE_WHEN_ASKED_FOR), name
        assert (f"`python datasets/{name}/make.py`" in sheet) == (
            DATASETS / name / "make.py"
        ).exists()
        stated = {
            file: (int(lines), int(characters))
            for file, lines, characters in re.findall(
                r"^\| (\S+\.\w+) \| (\d+) \| (\d+) \|$", sheet, re.M
            )
        }
        for path in (DATASETS / name).iterdir():
            if path.is_file() and path.suffix not in (".md", ".py"):
                assert stated.pop(path.name) == counts(path), path
        for file, count in stated.items():  # not shipped, so downloaded
            path = registry.cache_folder() / registry.REMOTES[file].file
            assert not path.exists() or count == counts(path), path


def checksum(tensors):
    """The sha256 of the bytes of `tensors`, little-endian everywhere, or of what is printed."""
    if not isinstance(tensors[0], torch.Tensor):
        return hashlib.sha256(repr(tensors).encode()).hexdigest()
    arrays = [tensor.numpy() for tensor in tensors]
    little = [array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays]
    return hashlib.sha256(b"".join(little)).hexdigest()


def test_what_is_made_when_asked_for_is_what_the_sheet_says():
    for folder in MADE_WHEN_ASKED_FOR:
        calls = re.findall(r"^\| `(\w+)\((.+)\)` \| `(\w{64})` \|$", SHEETS[folder], re.M)
        assert len(calls) >= 2
        for name, arguments, stated in calls:
            assert name == folder
            given = ast.parse(f"f({arguments})", mode="eval").body.keywords
            tensors = getattr(sv.data, name)(**{k.arg: ast.literal_eval(k.value) for k in given})
            assert checksum(tensors) == stated, f"{name}({arguments})"


def test_the_shipped_folder_is_the_repositorys_or_the_wheels(tmp_path, monkeypatch):
    package = tmp_path / "seqviz"
    (package / "data").mkdir(parents=True)
    monkeypatch.setattr(registry, "__file__", str(package / "data" / "registry.py"))
    assert registry.shipped_folder() == tmp_path / "datasets"
    (package / "_datasets").mkdir()
    assert registry.shipped_folder() == package / "_datasets"
