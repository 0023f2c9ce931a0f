"""The first line of every notebook."""

import random

import numpy as np
import torch

from seqviz.arguments import checked_integer
from seqviz.views.shared import palette


def setup(seed: int = 0, threads: int = 1) -> None:
    """Fix the random seeds, the number of threads and the look of plotly figures.

    Parameters
    ----------
    seed : int
        Seed of Python's, NumPy's and torch's generators.
    threads : int
        Threads that torch may use. One is the fastest for models of this size on a laptop:
        with more, the threads wait for each other longer than they compute, and far longer
        as soon as another program keeps a core busy.

    Raises
    ------
    TypeError
        If `seed` or `threads` is not an integer.
    ValueError
        If `seed` is negative or above 2**64 - 1, or `threads` is not 1 to 1024.
    """
    seed = checked_integer("seed", seed, 0, 2**64 - 1)
    threads = checked_integer("threads", threads, 1, 1024)
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002  (the generator that other libraries share)
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    palette.use_in_plotly()
