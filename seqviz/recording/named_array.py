"""An array whose axes have names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from seqviz.arguments import as_integer, checked_type


@dataclass(frozen=True, eq=False, repr=False)
class NamedArray:
    """An array whose axes have names; numpy takes it as it is.

    Parameters
    ----------
    values : numpy.ndarray
    dims : tuple of str
        A name for each axis.
    labels : dict of str to tuple of str
        For some axes, a name for each place, such as ``{"gate": ("i", "f", "g", "o")}``.
    in_blocks : dict of str to tuple of tuple of str
        The labels of axes whose places are others in each block: those of each, in order. They are
        labels once a block is cut out.

    Raises
    ------
    ValueError
        If the numbers of names and axes differ, or of labels and places.
    """

    values: np.ndarray
    dims: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    in_blocks: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def __post_init__(self):
        checked_type("values", self.values, np.ndarray | np.generic, "a NumPy array")
        checked_type("dims", self.dims, tuple, "a tuple of names")
        checked_type("labels", self.labels, Mapping, "a dict of axis to names")
        if len(self.dims) != self.values.ndim:
            raise ValueError(
                f"dims must name {self.values.ndim} axes of shape {self.shape}, got {self.dims}"
            )
        for dim, labels in self.labels.items():
            if dim not in self.dims or len(labels) != self.shape[self.dims.index(dim)]:
                raise ValueError(
                    f"labels must name every place of an axis of {dict(self._axes())}, "
                    f"got {dim}: {labels}"
                )

    def _axes(self) -> Iterable[tuple[str, int]]:
        return zip(self.dims, self.shape, strict=True)

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return self.values.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.values.ndim

    def number(self, dim: str, place: int | str) -> int:
        """The number of a place on an axis, which is given by number or by label.

        Raises
        ------
        ValueError
            If there is no such axis or place.
        """
        if dim not in self.dims:
            raise ValueError(f"{dim!r} is no axis; there are {', '.join(self.dims)}")
        length, labels = self.shape[self.dims.index(dim)], self.labels.get(dim, ())
        named = isinstance(place, str) and place in labels
        number = labels.index(place) if named else as_integer(place)
        if number is None or not -length <= number < length:
            known = f", or one of {', '.join(labels)}" if labels else ""
            raise ValueError(f"{dim} must be a number below {length}{known}; got {place!r}")
        return number

    def at(self, **places: int | str) -> "NamedArray":
        """Cut out a place on some axes, by number from 0 or by label: ``at(gate="f", batch=0)``.

        Raises
        ------
        ValueError
            If there is no such axis or place.
        """
        where = [slice(None)] * self.ndim
        for dim, place in places.items():
            where[self.dims.index(dim)] = self.number(dim, place)
        dims = tuple(dim for dim in self.dims if dim not in places)
        labels, in_blocks = dict(self.labels), self.in_blocks
        if "block" in places:
            block, in_blocks = self.number("block", places["block"]), {}
            labels |= {dim: of[block] for dim, of in self.in_blocks.items()}
        labels = {dim: names for dim, names in labels.items() if dim in dims}
        return NamedArray(self.values[tuple(where)], dims, labels, in_blocks)

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        axes = ", ".join(f"{dim}={length}" for dim, length in self._axes())
        return f"NamedArray({axes}; {self.values.dtype})"
