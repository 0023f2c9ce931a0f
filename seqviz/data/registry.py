"""Where each file is: shipped with the package, or public and downloaded once into a cache."""

import hashlib
import os
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pooch

from seqviz.arguments import checked_name
from seqviz.data.transfer import WrongContent, download


class DownloadError(OSError):
    """A public file is not in the cache and could not be brought."""


@dataclass(frozen=True)
class Remote:
    """A public file: its name in the cache, its address, and what it must be.

    Parameters
    ----------
    file : str
        Name of the file in the cache folder.
    url : str
        Its address, fixed to one version.
    size : int
        Its bytes. Of an answer no more than these are read.
    sha256 : str
        The checksum that the file must have.
    licence : str
        Under which licence others offer it.
    note : str
        What it is, in one sentence.
    """

    file: str
    url: str
    size: int
    sha256: str
    licence: str
    note: str


MULTI30K = {
    "train.en": (568929, "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f"),
    "train.fr": (604242, "622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c"),
    "val.en": (21650, "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28"),
    "val.fr": (23001, "ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9"),
    "test_2016_flickr.en": (
        21077,
        "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
    ),
    "test_2016_flickr.fr": (
        22310,
        "6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90",
    ),
}
SST2 = {
    "train": (720259, "ec192f833a64da08f475488a77b0d0b47db47acd0f458bd18433fc793b569920"),
    "dev": (92057, "eddea6b39e601dd4e7a672b53cc40fdf6019fa80522f351206c24340ca5d9359"),
    "test": (188749, "831169c7e2e429d6026e1bdbb542f33b636e3e596caad9602ebc953c205928b7"),
}
REMOTES = {
    remote.file: remote
    for remote in [
        *(
            Remote(
                file=f"multi30k-{name}.gz",
                url="https://github.com/multi30k/dataset/raw/"
                f"a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw/{name}.gz",
                size=size,
                sha256=sha256,
                licence="not named there; its authors point to the terms of Flickr30k",
                note="Multi30k: captions of photographs, one a line.",
            )
            for name, (size, sha256) in MULTI30K.items()
        ),
        *(
            Remote(
                file=f"sst2-{name}.tsv",
                url="https://github.com/clairett/pytorch-sentiment-classification/raw/"
                f"457ffd83de90a9d6d472d8ffc31bbffe40a8b236/data/SST2/{name}.tsv",
                size=size,
                sha256=sha256,
                licence="not named there; collections of data sets call it unknown",
                note="SST-2: sentences of film reviews, each with 1 for praise or 0 for blame.",
            )
            for name, (size, sha256) in SST2.items()
        ),
        Remote(
            file="tinyshakespeare.txt",
            url="https://github.com/karpathy/char-rnn/raw/"
            "6f9487a6fe5b420b7ca9afb0d7c078e37c1d1b4e/data/tinyshakespeare/input.txt",
            size=1115394,
            sha256="86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
            licence="public domain",
            note="Shakespeare's plays, 1.1 million characters of them.",
        ),
    ]
}


def cache_folder() -> Path:
    """Folder of the downloaded files: `SEQVIZ_CACHE`, else the user's cache folder."""
    return Path(os.environ.get("SEQVIZ_CACHE") or pooch.os_cache("seqviz"))


def shipped_folder() -> Path:
    """Folder of the shipped files: inside an installed wheel, else in the repository."""
    package = Path(__file__).parents[1]
    installed = package / "_datasets"
    return installed if installed.is_dir() else package.parent / "datasets"


def fetch(name: str) -> Path:
    """Path of a public file, downloaded when the cache lacks it, its checksum verified.

    Parameters
    ----------
    name : str
        Name of the file in the cache, a key of `REMOTES`.

    Returns
    -------
    pathlib.Path
        The file. It has the registered checksum, also when it was in the cache before.

    Raises
    ------
    TypeError
        If `name` is no string.
    ValueError
        If `name` is not registered, or if what came from the network is not the file. In that
        case nothing of it is kept.
    DownloadError
        If the file in the cache cannot be read, or the network fails: no answer, none in time, or
        a web page in the place of the file. A file with a wrong checksum in the cache stays as it
        was.
    """
    remote, folder = REMOTES[checked_name("name", name, REMOTES)], cache_folder()
    path = folder / remote.file
    by_hand = f"or put {remote.file} from {remote.url} into {folder}"
    if _holds(path, remote.sha256):
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
        download(remote.url, path, remote.size, remote.sha256)
    except OSError as error:  # what requests raises is an OSError too
        reason = f"{type(error).__name__}: {textwrap.shorten(str(error), 120)}"
        if path.exists():
            raise DownloadError(
                f"{path} has not the registered sha256, and a good copy could not be downloaded. "
                f"The file was left as it is. Delete it and try again with a network, {by_hand}. "
                f"({reason})"
            ) from error
        raise DownloadError(
            f"{remote.file} could not be downloaded. Check the network and try again, {by_hand}. "
            f"({reason})"
        ) from error
    except WrongContent as error:
        raise ValueError(
            f"what {remote.url} sent is not {remote.file}: {error}. Nothing of it was kept. "
            f"Try again later, {by_hand} by other means."
        ) from error
    return path


def _holds(path: Path, sha256: str) -> bool:
    """Whether a file is there and has this checksum."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == sha256
    except PermissionError as error:
        raise DownloadError(
            f"{path} is there, but you may not read it. Ask its owner for `chmod a+r {path}`, or "
            "name a folder of your own in SEQVIZ_CACHE."
        ) from error
    except OSError:
        return False
