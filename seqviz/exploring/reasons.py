"""What a page asks a model of a head: why a weight, what it writes, what it costs to silence it."""

from collections.abc import Mapping, Sequence

import numpy as np
from torch import Tensor

from seqviz.exploring.costs import Costs
from seqviz.exploring.head_writing import lengths_of, update_of
from seqviz.exploring.matching import Seen, as_maps, nearest
from seqviz.exploring.passes import Changes, OneCall, StepByStep
from seqviz.graphs import Graph
from seqviz.graphs.reading import scaled
from seqviz.graphs.values import Values
from seqviz.running.machine_values import silenced
from seqviz.running.runner import Runner
from seqviz.running.translation import Translator
from seqviz.views.attention.values import Attention
from seqviz.views.attention.widget import AttentionExplorer

OTHERWISE = (
    "why: head {head} of layer {layer} is not found in the model's graph, as it attends in another "
    "way than by one softmax a head over scores"
)


def pass_of(runner: Runner) -> OneCall | StepByStep:
    """The graphs of what was run last.

    Raises
    ------
    ValueError
        If the model cannot be written as graphs.
    """
    kind = StepByStep if isinstance(runner.caller, Translator) else OneCall
    return kind(runner.model, runner.call)


def sources_of(graph: Graph) -> dict[str, dict]:
    """Of each attention of a graph, by its weights: the names of its values, and its scale.

    `update` is what its heads add to the stream, "" if they do not, and `added` its axes.
    """
    values = Values(graph)
    updates = {one.weights: update_of(values, one) for one in graph.roles.attentions}
    return {
        one.weights: {
            "query": one.query,
            "key": one.key,
            "scores": one.scores,
            "masked": values.by_name[one.softmax].reads[0],
            "weights": one.weights,
            "value": one.value,
            "context": one.context,
            "scale": scaled(values, one)["scale"],
            "update": updates[one.weights],
            "added": vars(values.place(updates[one.weights])) if updates[one.weights] else None,
        }
        for one in graph.roles.attentions
    }


class Reasons:
    """What an explorer's page asks the model: each part is a method, called as its name begins.

    Parameters
    ----------
    runner : Runner
        Of the view's text.
    view : AttentionExplorer
    """

    def __init__(self, runner: Runner, view: AttentionExplorer):
        self.runner, self.view, self.costs = runner, view, Costs(runner)
        self._known: tuple | None = None  # the last call, its graphs, their maps, their sources
        self._values: tuple | None = None  # all values of a graph without some heads, and of which
        self._lengths: dict[tuple, Tensor] = {}  # of this call, by graph, attention, silent heads

    def why(self, g: int, layer: int, head: int, row: int) -> bytes:
        """Return the numbers of a row of a map, see `packed`; kinds are numbered as by `Parts`.

        Raises
        ------
        ValueError
            If the model cannot be written as a graph, or its head is not found in there.
        """
        whole, seen, sources = self._whole()
        place, silent = self._asked(g, layer, head, seen)
        source = sources[place["graph"]][place["weights"]]
        names = [one for one in source.values() if isinstance(one, str) and one]
        values, at = whole.values_at(row, place["graph"], names, self._changes(silent, seen))
        try:
            return packed(values, source, place["slice"], at)
        except (IndexError, ValueError) as error:
            raise ValueError(OTHERWISE.format(layer=layer, head=head)) from error

    def written(self, g: int, layer: int, head: int) -> bytes:
        """Return what a head writes, weights times lengths of W_O v, float32 (query, key).

        Raises
        ------
        ValueError
            As above, and if the heads do not add vectors W_O v to the model's stream.
        """
        whole, seen, sources = self._whole()
        place, silent = self._asked(g, layer, head, seen)
        name, weights = place["graph"], place["weights"]
        key = name, weights, tuple(silent)
        if key not in self._lengths:
            values = self._all_values(whole, name, silent, seen)
            self._lengths[key] = lengths_of(whole.graphs[name], sources[name][weights], values)
        kind = self.view.parts.kinds[g]
        own = kind.layers[kind.numbers.index(layer)][head]
        return (own * self._lengths[key][place["slice"]].numpy()).astype("<f4").tobytes()

    def cost(self, g: int, layer: int, head: int) -> bytes:
        """Return what it costs at each token to silence a head, float32; see `Costs`."""
        kinds = list(self.view.kinds.values())
        family = kinds[g % len(kinds)].family
        return self.costs(self.view.text, family, layer, head).astype("<f4").tobytes()

    def _all_values(self, whole: OneCall | StepByStep, name: str, silent, seen) -> Values:
        key = self._known[0], name, tuple(silent)
        if self._values is None or self._values[0] != key:
            graph = whole.graphs[name]
            names = [node.name for node in graph.nodes]
            rows = max(len(one.maps[0]) for one in seen if one.graph == name)
            values, _ = whole.values_at(rows - 1, name, names, self._changes(silent, seen))
            self._values = key, values
        return self._values[1]

    def _asked(self, g: int, layer: int, head: int, seen: Sequence[Seen]) -> tuple[dict, list]:
        """Where a head is that is asked for, and which ones are silent there."""
        kinds = list(self.view.kinds.values())
        place = self._head(kinds[g % len(kinds)], layer, head, seen)
        return place, self.view.silent if g >= len(kinds) else []

    def _whole(self) -> tuple[OneCall | StepByStep, list[Seen], dict]:
        runner = self.runner
        if runner.call is None or runner.call.text != self.view.text:
            runner(self.view.text)  # the last run was of a second text
        call = runner.call
        if self._known is None or self._known[0] is not call:
            whole = pass_of(runner)
            sources = {name: sources_of(graph) for name, graph in whole.graphs.items()}
            self._known = call, whole, whole.seen({}), sources
            self._lengths = {}
        return self._known[1:]

    def _head(self, kind: Attention, layer: int, head: int, seen: Sequence[Seen]) -> dict:
        weights = kind.layers[kind.numbers.index(layer)][head]
        place = nearest(weights, head, [one for one in seen if one.maps.shape[1:] == kind.shape])
        if place is None:
            raise ValueError(OTHERWISE.format(layer=layer, head=head))
        return place

    def _changes(self, silent: Sequence[tuple], seen: Sequence[Seen]) -> Changes:
        slices: dict[str, dict[str, list[int]]] = {}
        for name, layer, head in silent:
            place = self._head(self.view.kinds[name], layer, head, seen)
            slices.setdefault(place["graph"], {}).setdefault(place["context"], []).append(
                place["slice"]
            )
        return {
            graph: {name: silenced(heads) for name, heads in of.items()}
            for graph, of in slices.items()
        }


def packed(values: Mapping[str, Tensor], source: Mapping, k: int, row: int) -> bytes:
    """The numbers behind a row of a map as float32.

    How many keys, numbers of q (0 without one) and of a value, and the scale; then q, k by key,
    v by key, scores, what the softmax reads, weights, and the sum.
    """

    def of(name: str) -> np.ndarray:
        return as_maps(values[source[name]].float())[k]

    maps = [of(name) for name in ("scores", "masked", "weights")]
    value = of("value")
    q = of("query")[row] if source["query"] else np.empty(0)
    keys = of("key").T if source["query"] else np.empty((len(value), 0))
    if {one.shape for one in maps} != {maps[2].shape} or maps[2].shape[1] != len(value):
        raise ValueError("scores are of another shape than weights")
    sizes = [len(value), len(q), value.shape[1], source["scale"]]
    rows = [one[row] for one in maps]
    numbers = [sizes, q, keys.ravel(), value.ravel(), *rows, of("context")[row]]
    return np.concatenate(numbers).astype("<f4").tobytes()
