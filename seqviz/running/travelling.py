"""Graphs on their way to a page, and the line that tells its reader of them."""

from collections.abc import Mapping

from seqviz.graphs import Graph, Packed, packed

FORMS = {"full": "float32", "half": "float16", "small": "float16 and int8"}


def travelling(graphs: Mapping[str, Graph], precision: str) -> tuple[dict[str, Packed], str]:
    """Return the graphs packed, by the same names, and what the page says of them."""
    found = {name: packed(graph, precision) for name, graph in graphs.items()}
    size = sum(len(one.numbers) for one in found.values()) / 1e6
    models = " and ".join(f"{graph.model} with {graph.size:,} weights" for graph in graphs.values())
    return found, f"In this page: {models}, {size:.1f} MB in {FORMS[precision]}."
