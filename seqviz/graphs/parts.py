"""The parts of a model as a slide draws them, as values: streams, their blocks, their parts."""

from dataclasses import dataclass, fields, is_dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Place:
    """A value, and which of its axes is which; all other axes are of length 1.

    Attributes
    ----------
    node : str
        Whose value it is.
    token, head, number : int or None
        The axes, from 0; None where there is none.
    """

    node: str
    token: int | None
    head: int | None
    number: int | None


@dataclass(frozen=True)
class Part:
    """One update of a stream.

    Attributes
    ----------
    before, update, after : Place
        The stream, what is added to it, their sum; parts side by side have one before and after.
    norm, post : Place or None
        The norm of what the part reads (pre-norm), the norm of the sum (post-norm).
    path : str
        The module.
    """

    before: Place
    norm: Place | None
    update: Place
    after: Place
    post: Place | None
    path: str


@dataclass(frozen=True)
class Maps:
    """The axes of an attention's scores, masked, softmax and weights."""

    head: int | None
    query: int
    key: int


@dataclass(frozen=True)
class AttentionPart(Part):
    """An update by attention: scores / scale (+ mask) = masked, of which the softmax is taken.

    Attributes
    ----------
    cross : bool
        Whether it attends to another stream.
    attention, heads : int
        Its number in the graph's roles, and how many heads it has.
    query, key, value, context : Place
        Of the products, as they are multiplied, and of their result.
    into : Place or None
        What the last product reads, where the heads' results are gated or normalised first.
    scores, masked, softmax, weights, mask : str
        Nodes; `mask` is "" where nothing is added, and chooses where it is of truth values. Scores
        may lack leading axes of length 1.
    added : tuple of str
        What else is added before the mask, as positions are.
    sinks : bool
        Whether the softmax is also over numbers of no key, which take their share.
    maps : Maps
    scale : float
    cap : float or None
        Where what is scaled is capped, at cap * tanh(· / cap), before the mask is added.
    """

    IS: ClassVar = "attention"
    cross: bool
    attention: int
    heads: int
    query: Place
    key: Place
    value: Place
    context: Place
    into: Place | None
    scores: str
    masked: str
    softmax: str
    weights: str
    mask: str
    added: tuple[str, ...]
    sinks: bool
    maps: Maps
    scale: float
    cap: float | None


@dataclass(frozen=True)
class FeedPart(Part):
    """An update by a feed-forward layer.

    Attributes
    ----------
    up, gate : Place, Place or None
        What the first products give; one goes through the activation: `gate` if there are two.
    act, hidden : Place
        What the activation gives, and what the last product reads: if there is a gate, act * up,
        perhaps normalised.
    name : str
        Of the activation.
    """

    IS: ClassVar = "feed"
    up: Place
    gate: Place | None
    act: Place
    hidden: Place
    name: str


@dataclass(frozen=True)
class Box(Part):
    """An update by another layer, of this name."""

    IS: ClassVar = "box"
    name: str


@dataclass(frozen=True)
class Block:
    """Parts of a stream that belong together: a self-attention, and what comes before the next."""

    number: int
    parts: tuple[Part, ...]
    end: Place


@dataclass(frozen=True)
class Embedded:
    """A term of the sum of embeddings: of a "token", "segment" or "position", else "embedding"."""

    name: str
    place: Place


@dataclass(frozen=True)
class Stream:
    """What is carried from block to block.

    Attributes
    ----------
    side : {"", "encoder", "decoder"}
    tokens : {"source", "target"}
    embedded : tuple of Embedded
    norm : Place or None
        Of the sum of the embeddings.
    start, end, last : Place
        As the first block reads it, behind the last one, and as the output layer reads it.
    blocks : tuple of Block
    """

    side: str
    tokens: str
    embedded: tuple[Embedded, ...]
    norm: Place | None
    start: Place
    blocks: tuple[Block, ...]
    end: Place
    last: Place


@dataclass(frozen=True)
class Anatomy:
    """The parts of a model.

    Attributes
    ----------
    streams : tuple of Stream
        One, or an encoder's and a decoder's.
    logits : Place or None
    probabilities : {"tokens", "text", "span", None}
        Whether the logits are of each token, or of the whole text, or say where a span starts and
        ends: then the probabilities of each number are over the tokens.
    row : int or None
        Of a whole text, the token whose vector alone the output layer reads, None if several are.
    """

    streams: tuple[Stream, ...]
    logits: Place | None
    probabilities: str | None
    row: int | None = None

    def told(self) -> dict:
        """As JSON has it."""
        return _told(self)


def _told(one):
    if is_dataclass(one):
        names = {"is": one.IS} if hasattr(one, "IS") else {}
        return names | {field.name: _told(getattr(one, field.name)) for field in fields(one)}
    return [_told(part) for part in one] if isinstance(one, tuple) else one
