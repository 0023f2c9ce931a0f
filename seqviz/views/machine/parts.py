"""The numbers of a run by name, as a page asks for them."""

from collections.abc import Iterator, Mapping

import numpy as np


class Parts(Mapping):
    """Values "RUN NODE" and weights "w NODE", each made when it is asked for.

    Parameters
    ----------
    run : str
        What this run is called.
    values, weights : mapping of str to tensor
        By the names of nodes.
    first : list of str
        Nodes that go along with the picture: the others come when they are asked for.
    """

    def __init__(self, run: str, values: Mapping, weights: Mapping, first: list[str]):
        self._of = {run: values, "w": weights}
        self.first = [f"{run} {node}" for node in first]
        self.whole = False  # whether a page holds all of them

    def __getitem__(self, name: str) -> np.ndarray:
        """Return numbers in the order of their shape, as float32."""
        run, _, node = name.partition(" ")
        return np.asarray(self._of[run][node], "<f4")

    def __iter__(self) -> Iterator[str]:
        """Go through what a page holds."""
        if not self.whole:
            return iter(self.first)
        return (f"{run} {node}" for run, of in self._of.items() for node in of)

    def __len__(self) -> int:
        """How many a page holds."""
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        """Whether there is such a part, in the page or not."""
        run, _, node = str(name).partition(" ")
        return node in self._of.get(run, ())
