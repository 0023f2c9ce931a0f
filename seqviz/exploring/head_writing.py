"""What heads write: how long the vector is that a key adds to a query, from a model's graph.

A head adds alpha_ij W_O v_j to query i for each key j. The weight alpha alone tells where it reads;
the length of the whole vector tells what comes of it (Kobayashi and others 2020, section 3).
"""

from collections.abc import Callable, Iterator, Mapping

import torch
from torch import Tensor

from seqviz.graphs import Graph
from seqviz.graphs.graph import Attention
from seqviz.graphs.values import Values
from seqviz.running.machine_values import rows_of

EXACT = 1e-3  # by which the vectors of all keys may miss what was added, of its largest number
NO_STREAM = (
    "cells: {model} adds what its heads read to no stream, as a Transformer does, so there is no "
    "W_O: look at the weights"
)
NO_SUM = (
    "cells: {model} normalises what a head reads, or changes it in another way, before it adds "
    "that up, so it is no sum over the keys: look at the weights"
)


def update_of(values: Values, one: Attention) -> str:
    """The name of what an attention's heads add to the stream, "" if they add nothing."""
    made = (
        block.update
        for block in values.graph.roles.stream
        if values.made_of(block.update, one.context)
        and not values.made_of(block.before, one.context)
    )
    return next(made, "")


def lengths_of(graph: Graph, source: Mapping, values: Mapping[str, Tensor]) -> Tensor:
    """Return how long W_O v is, of each head and key, (heads, keys).

    The vectors v of a head's keys stand in place of what its queries read, as many at a time as
    there are queries, while all other heads read nothing. A silenced head writes nothing.

    Parameters
    ----------
    graph : Graph
    source : mapping
        The names of an attention's values, as `sources_of` gives them.
    values : mapping of str to Tensor
        Of all nodes and inputs of a run.

    Raises
    ------
    ValueError
        If the heads add to no stream, or what is no sum over the keys.
    """
    if not source["update"]:
        raise ValueError(NO_STREAM.format(model=graph.model))
    shape = values[source["context"]].shape

    def added(read: Tensor) -> Tensor:
        given = read.reshape(shape)
        update = graph.behind(source["context"], given, values, source["update"])
        return rows_of(source["added"], update)

    names = "value", "weights", "context"
    vectors, weights, context = (_by_head(values[source[name]]) for name in names)
    vectors = vectors * context.any(-1).any(-1)[:, None, None]  # of silenced heads it is zero
    nothing = added(torch.zeros(shape))
    each = torch.stack([torch.cat([*_each(added, vectors, k, shape)]) for k in range(len(vectors))])
    each -= nothing[:1]
    whole = rows_of(source["added"], values[source["update"]]) - nothing
    off = torch.einsum("hqk,hkd->qd", weights, each) - whole
    if off.abs().max() > EXACT * whole.abs().max():
        raise ValueError(NO_SUM.format(model=graph.model))
    return each.norm(dim=-1)


def _each(
    added: Callable[[Tensor], Tensor], vectors: Tensor, head: int, shape: torch.Size
) -> Iterator[Tensor]:
    """What is added for the vectors of a head, some rows at a time."""
    queries = shape[-2]
    for some in vectors[head].split(queries):
        read = torch.zeros(len(vectors), queries, shape[-1])
        read[head, : len(some)] = some
        yield added(read)[: len(some)]


def _by_head(value: Tensor) -> Tensor:
    return value.float().reshape(-1, *value.shape[-2:])
