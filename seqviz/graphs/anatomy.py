"""The parts of a model as a slide draws them: its streams, their blocks, and where each value is.

All is told from a graph's operations, the flow of its values and their lengths, never from names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from seqviz.graphs.graph import Graph, Node
from seqviz.graphs.parts import (
    Anatomy,
    AttentionPart,
    Block,
    Box,
    Embedded,
    FeedPart,
    Part,
    Place,
    Stream,
)
from seqviz.graphs.reading import MIXING, Update, part_of
from seqviz.graphs.roles import MOVES, PRODUCTS, kind
from seqviz.graphs.values import Values

FILLED = {"full", "full_like", "zeros", "zeros_like", "new_zeros", "ones_like"}
READING = {"gather", "index", "index_select", *MOVES}
KINDS = ("token", "segment", "position", "embedding")  # of embeddings, in the order of a slide


def anatomy_of(graph: Graph) -> Anatomy:
    """Read the parts of a model from its graph.

    Raises
    ------
    ValueError
        If there is no stream of blocks that could be drawn: what is missing, and what to do.

    Examples
    --------
    >>> import torch, seqviz as sv
    >>> graph = sv.graphs.exported(sv.nn.GPT(12, 32, 8, 2, 2), (torch.ones(1, 5).long(),))
    >>> [part.IS for part in anatomy_of(graph).streams[0].blocks[1].parts]
    ['attention', 'feed']
    """
    values = Values(graph)
    chains = [chain for chain in _chains(values) if any(_attends(values, one) for one in chain)]
    streams = [_stream(values, chain) for chain in chains]
    parts = [part for stream in streams for block in stream.blocks for part in block.parts]
    crosses = any(isinstance(part, AttentionPart) and part.cross for part in parts)
    if len(streams) != 1 + crosses:
        raise ValueError(_refused(graph, chains))
    if crosses:
        streams = [
            replace(streams[0], side="encoder"),
            replace(streams[1], side="decoder", tokens="target"),
        ]
    return _with_answers(values, tuple(streams))


def _attends(values: Values, one: Update) -> bool:
    """Whether an update of a vector a token is made by attention with queries and keys."""
    if one.attends is None or not values.is_flat(one.before):
        return False
    return bool(values.graph.roles.attentions[one.attends].query)


def _refused(graph: Graph, chains: Sequence[Sequence[Update]]) -> str:
    if not graph.roles.attentions:
        return (
            f"graph: {graph.model} never attends, expected a model with blocks of attention: "
            "look at its values with sv.record"
        )
    if not chains:
        return (
            f"graph: {graph.model} attends, but adds what it finds to no stream, expected blocks "
            "with shortcuts, as a Transformer has: look at its weights with sv.explore"
        )
    attends = (one.attends for one in chains[-1] if one.attends is not None)
    return (
        f"graph: {graph.model} has {len(chains)} streams that attend, expected one, or an "
        "encoder's and a decoder's that attends to it; the last begins before "
        f"{graph.roles.attentions[next(attends)].path!r}, as what it reads is no sum x + f(x), "
        "but comes of a gate, a long skip, or another part: give one part of the model"
    )


# ---- streams
def _chains(values: Values) -> list[list[Update]]:
    """The updates of each stream, in order."""
    chains, ends = [], {}  # which chain ends with a value, or with its norm
    for one in _updates(values):
        k = next((ends[name] for name in _back(values, one.before) if name in ends), None)
        if k is None:
            k = ends[values.same(one.before)] = len(chains)
            chains.append([])
        chains[k].append(one)
        for name in (one.after, *values.norms_of(one.after)):
            ends[values.same(name)] = k
    return [_normed(values, chain) for chain in chains]


def _updates(values: Values) -> Iterator[Update]:
    """The updates of the graph's stream; what two layers side by side give is two of them."""
    roles = values.graph.roles
    for one in roles.stream:
        before, update, after = map(values.plain, (one.before, one.update, one.after))
        found = []
        for part in _side_by_side(values, before, update):
            own = values.above[part] & ~values.above[before]
            attends = [k for k, a in enumerate(roles.attentions) if own & values.bits[a.context]]
            found.append(Update(before, part, after, attends[-1] if attends else None))
        yield from sorted(found, key=lambda part: part.attends is None)


def _side_by_side(values: Values, before: str, update: str) -> list[str]:
    """The terms of an update that are made by layers of their own."""
    node = values.by_name[update]
    if kind(node) != "add" or len(values.tensors(node)) != 2:
        return [update]
    terms = [values.plain(name) for name in node.reads]
    made = [{layer.name for layer in values.made_by(before, name)} for name in terms]
    return terms if all(made) and made[0].isdisjoint(made[1]) else [update]


def _back(values: Values, name: str) -> Iterator[str]:
    """A value, and what it is when scaled and normalised, back to the next layer or sum."""
    while name:
        name = values.same(name)
        yield name
        node = values.by_name.get(name)
        reads = [one for one in values.tensors(node) if one in values.text] if node else []
        norm = values.norm_among([name])
        alone = len(reads) == 1 and kind(node) in ("mul", "div", *MOVES)
        name = values.norms[norm] if norm else reads[0] if alone else values.unmasked(name)


def _normed(values: Values, chain: Sequence[Update]) -> list[Update]:
    """The updates with their norms."""
    found, read = [], set()
    for one, later in zip(chain, (*chain[1:], None), strict=True):
        read.update(_back(values, one.before))
        norm, after = _norm_before(values, one, read), values.norms_of(one.after)
        if later is not None:
            read_next = {*_back(values, later.before)}
            after = [name for name in after if values.same(name) in read_next]
        found.append(replace(one, norm=norm, post="" if norm or not after else after[0]))
    return found


def _norm_before(values: Values, one: Update, stream: set[str]) -> str:
    """The norm of the stream that an update's first layers read, "" where they read it as it is."""
    for layer in values.made_by(one.before, one.update):
        norm = values.norm_among([values.read_by(layer)])
        if norm and values.same(norm) not in stream and values.same(values.norms[norm]) in stream:
            return norm
    return ""


def _stream(values: Values, chain: Sequence[Update]) -> Stream:
    blocks, parts = [], []
    *_, origin = _back(values, chain[0].before)
    for part in (part_of(values, one, origin) for one in chain):
        if _begins(part, parts):
            blocks.append(_block(len(blocks), parts))
            parts = []
        parts.append(part)
    blocks.append(_block(len(blocks), parts))
    start, end = values.place(chain[0].before), blocks[-1].end
    embedded, norm = _embedded(values, start.node)
    return Stream("", "source", embedded, norm, start, tuple(blocks), end, _last(values, end))


def _begins(part: Part, before: list[Part]) -> bool:
    """Whether a block begins with a part: with the next that lets tokens see each other."""
    if isinstance(part, AttentionPart):
        return not part.cross and any(map(_mixes, before))
    fed = any(isinstance(one, FeedPart) for one in before)
    return _mixes(part) and (fed or isinstance((*before, part)[0], Box)) and bool(before)


def _mixes(part: Part) -> bool:
    if isinstance(part, AttentionPart):
        return not part.cross
    return isinstance(part, Box) and part.name in MIXING


def _block(number: int, parts: list[Part]) -> Block:
    return Block(number, tuple(parts), parts[-1].post or parts[-1].after)


# ---- ends
def _embedded(values: Values, start: str) -> tuple[tuple[Embedded, ...], Place | None]:
    """The terms of the sum of embeddings that x is made of, and the norm of the sum."""
    name, norm = start, None
    while True:
        name = values.plain(name)
        layer = values.layer_of(name)
        if one := values.norm_among([name]):
            norm, name = norm or values.place(one), values.norms[one]
        elif layer is not None and kind(layer) in PRODUCTS:
            name = values.read_by(layer)
        elif masked := values.unmasked(name):
            name = masked
        else:
            break
    terms = list(_terms(values, name))
    tables = [read for term in terms if (read := _read_by_ids(values, term)) in values.inputs]
    first = next((name for name in values.inputs if name in tables), None)
    found = [Embedded(_name(values, term, first), values.place(term)) for term in terms]
    return tuple(sorted(found, key=lambda one: KINDS.index(one.name))), norm


def _terms(values: Values, name: str) -> Iterator[str]:
    node = values.by_name.get(values.plain(name))
    if node is not None and kind(node) == "add" and len(values.tensors(node)) == 2:
        for read in node.reads:
            yield from _terms(values, read)
    else:
        yield values.plain(name)


def _read_by_ids(values: Values, term: str) -> str | None:
    """By what a table is read for a term."""
    for node in values.upwards(term, {*MOVES, "mul", "div", "native_layer_norm"}):
        if kind(node) == "embedding":
            return values.same(node.reads[1])
    return None


def _name(values: Values, term: str, first: str | None) -> str:
    """What a term is the embedding of."""
    ids = _read_by_ids(values, term)
    if ids is None:
        return "embedding" if term in values.text else "position"
    if ids in values.inputs:
        return "token" if ids == first else "segment"
    if _is_constant(values, ids):
        return "segment"
    above = {kind(node) for node in values.nodes if values.made_of(ids, node.name)}
    counted = ids not in values.text or above & {"arange", "cumsum"}
    return "position" if counted else "token"


def _is_constant(values: Values, name: str) -> bool:
    """Whether a value is the same number everywhere."""
    if name in values.weights:
        return values.graph.weights[name].unique().numel() < 2
    node = values.by_name.get(name)
    if node is None or kind(node) in FILLED:
        return node is not None
    return kind(node) in READING and _is_constant(values, node.reads[0])


def _last(values: Values, end: Place) -> Place:
    """The norm of a stream's end, if it is the last."""
    found = values.norms_of(end.node)
    return values.place(found[0]) if found else end


def _with_answers(values: Values, streams: tuple[Stream, ...]) -> Anatomy:
    """The anatomy, with what the output layer reads and gives."""
    name, end = values.graph.roles.logits, values.graph.roles.stream[-1].after
    product = values.output_layer(name, end) if name else None
    if product is None:
        return Anatomy(streams, None, None)
    spans = _is_span(values, product, end)
    place = values.place(product.name if spans else name)
    if not isinstance(values.shapes[place.node][place.number], int):
        return Anatomy(streams, None, None)
    last = values.place(values.read_by(product))
    streams = (*streams[:-1], replace(streams[-1], last=last))
    if place.token is not None:
        return Anatomy(streams, place, "span" if spans else "tokens")
    return Anatomy(streams, place, "text", _row_read(values, name, end))


def _is_span(values: Values, product: Node, end: str) -> bool:
    """Whether two numbers of a token are outputs of their own: where a span starts and ends."""
    outputs = [one for one in values.graph.outputs if values.output_layer(one, end) is product]
    *tokens, number = (size for size in values.shapes[product.name] if size != 1)
    own = [[size for size in values.shapes[one] if size != 1] for one in outputs]
    return number == 2 and own == [tokens, tokens]


def _row_read(values: Values, name: str, end: str) -> int | None:
    """The token whose row of the stream's end becomes the answer, None if several do."""
    for node in values.nodes:
        if kind(node) != "select" or not values.made_of(name, node.name):
            continue
        (read,), (_, axis, at) = node.reads, node.arguments
        if values.made_of(read, end) and axis == values.place(read).token:
            return at if isinstance(at, int) else None
    return None
