"""Text to tensors: the data sets, their vocabularies, and batches cut from them."""

from seqviz.data.loaders import Dataset, load, load_weights
from seqviz.data.registry import DownloadError, Remote, fetch
from seqviz.data.text import Vocabulary, Windows, windows

__all__ = [
    "Dataset",
    "DownloadError",
    "Remote",
    "Vocabulary",
    "Windows",
    "fetch",
    "load",
    "load_weights",
    "windows",
]
