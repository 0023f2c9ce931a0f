"""The maps of a run, as layers: which of them are shown, and which modules they came from."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from seqviz.recording import NamedArray
from seqviz.stacks import Place, places

Calls = Mapping[str, Sequence[NamedArray]]


@dataclass(frozen=True)
class Source:
    """Where maps came from: a module's path, and which of its calls if each is a layer."""

    path: str
    call: int | None = None


@dataclass(frozen=True)
class Maps:
    """The maps of a run.

    Attributes
    ----------
    weights : dict of str to list of NamedArray
        As in a record's attention, but that a module which stands for several layers, as ALBERT's
        does, has a path for each of its calls: "attention.call.0", "attention.call.1".
    sources : dict of str to Source
        The module of each path.
    at : dict of str to Place
        The family and the layer of each path.
    left : dict of str to int
        Of paths with maps of another batch, which are left out, its size.
    """

    weights: dict[str, list[NamedArray]]
    sources: dict[str, Source]
    at: dict[str, Place]
    left: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, attention: Calls, lengths: Collection[int], batch: int | None) -> "Maps":
        """Return the maps of a record, without what is none from tokens to tokens.

        That is what is over something else than keys, as over experts; what is of parts of a text,
        of which there are more than the `batch`, if that is known; and what a module does beside
        maps of the texts, of which `lengths` are the numbers of tokens. A module with several of
        these stands for several layers; other calls of a module are steps.
        """
        sides, weights, sources, left = {*lengths, sum(lengths)}, {}, {}, {}
        for path, calls in attention.items():
            over_keys = dict(enumerate(call for call in calls if "key" in call.dims))
            size = {k: _size(call, "batch") for k, call in over_keys.items()}
            maps = {k: call for k, call in over_keys.items() if batch in (None, size[k])}
            if others := size.keys() - maps.keys():
                left[path] = size[min(others)]
            whole = _alike({k: call for k, call in maps.items() if _fits(call, sides)})
            if len(whole) > 1:
                for number, (k, call) in enumerate(whole.items()):
                    name = f"{path}.call.{number}".lstrip(".")
                    weights[name], sources[name] = [call], Source(path, k)
            elif maps:
                weights[path], sources[path] = [*(whole or maps).values()], Source(path)
        return cls(weights, sources, places(weights), left)

    def only(self, layers: Collection[int]) -> "Maps":
        """Return the maps of some layers, by the model's numbers."""
        numbers = {place.layer or 0 for place in self.at.values()}
        if missing := set(layers) - numbers:
            known = ", ".join(map(str, sorted(numbers)))
            raise ValueError(
                f"layers: expected some of {known}, the model's own numbers; came "
                f"{', '.join(map(str, sorted(missing)))}"
            )
        kept = [path for path, place in self.at.items() if (place.layer or 0) in layers]
        at = {path: self.at[path] for path in kept}
        if at != places(kept):
            raise ValueError(
                f"layers: {', '.join(map(repr, kept))} alone do not tell which number is the "
                "layer's: name one layer more"
            )
        weights = {path: self.weights[path] for path in kept}
        return Maps(weights, {path: self.sources[path] for path in kept}, at)


def _size(call: NamedArray, dim: str) -> int:
    """How long an axis of a map is; 1 where there is none."""
    return call.shape[call.dims.index(dim)] if dim in call.dims else 1


def _fits(call: NamedArray, sides: Collection[int]) -> bool:
    """Whether a map is from a whole text to a whole text."""
    return _size(call, "query") in sides and _size(call, "key") in sides


def _alike(maps: dict[int, NamedArray]) -> dict[int, NamedArray]:
    """Those of a module's maps that have the shape of the last."""
    shape = next((call.shape for call in reversed(maps.values())), None)
    return {k: call for k, call in maps.items() if call.shape == shape}
