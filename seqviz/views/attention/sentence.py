"""What the explorer shows, in one sentence and as a table."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from seqviz.views.attention.segments import ALL
from seqviz.views.attention.shown import Shown, Side
from seqviz.views.attention.values import Attention
from seqviz.views.shared.wording import readable

NAMED = 4  # of more heads only the number is said
HEADER = [
    *("kind", "layer", "head", "query position", "query", "key position", "key", "weight"),
    *("tokens", "special tokens"),
]
DONE = {
    "shown": [],
    "hidden": ["special tokens hidden"],
    "renormalised": ["special tokens hidden", "rows scaled to 1"],
}


def weight(value: float) -> str:
    """Two decimals, three for a small one, as the page writes it; never a round 0 for one above."""
    if value < 0.001:
        return "<0.001" if value > 0 else "0"
    places = Decimal("0.001" if value < 0.0095 else "0.01")
    return str(Decimal(float(value)).quantize(places, ROUND_HALF_UP))


def change(value: float) -> str:
    """A difference of two weights, with its sign."""
    if value == 0:
        return "0"
    return ("−" if value < 0 else "+") + weight(abs(value))


def cursor(picture: Shown, query: int, key: int, side: str) -> tuple[int, int]:
    """Row and column that the sentence speaks of; `query` and `key` count from 1, 0 is none."""
    sizes = np.abs(picture.weights)
    row = picture.queries.place(query - 1) if query else None
    column = picture.keys.place(key - 1) if key else None
    if side == "query" and row is not None:
        return row, int(sizes[row].argmax()) if column is None else column
    if side == "key" and column is not None:
        return int(sizes[:, column].argmax()) if row is None else row, column
    return strongest(picture)


def token_of(picture: Shown, query: int, key: int, side: str) -> int | None:
    """The token of the query in focus, from 0: the last of a word; None if no row is on screen."""
    if not picture.queries.starts:
        return None
    row, _ = cursor(picture, query, key, side)
    return picture.queries.runs[row][-1]


def strongest(picture: Shown) -> tuple[int, int]:
    """The strongest cell, of those without a special token if one of these is not 0.

    Of a difference it is the cell that changed most.
    """
    sizes = np.abs(picture.weights)
    plain = np.ix_(*(~np.array(side.special) for side in (picture.queries, picture.keys)))
    inner = sizes[plain]
    if inner.size and inner.max() > 0:
        row, column = np.unravel_index(inner.argmax(), inner.shape)
        return int(plain[0].ravel()[row]), int(plain[1].ravel()[column])
    row, column = np.unravel_index(sizes.argmax(), sizes.shape)
    return int(row), int(column)


def headline(
    kind: Attention, name: str, picture: Shown, layer, head, at: tuple, moment: str = ""
) -> str:
    """How much there is, which map is in focus, and its strongest weight at the tokens in focus.

    `at` is query, key, side and step, as the controls stand; `name` is "" if there is one kind
    only, `moment` if there are no checkpoints.
    """
    *controls, step = at
    says = _says(picture, *controls) if picture.queries.starts else _no_row(picture, step)
    merged = ["pieces merged into words"] if picture.words else []
    when = [moment] if moment else []
    texts = [] if picture.between == ALL else [f"from text {picture.between}"]
    where = ", ".join([*when, place(layer, head), *merged, *DONE[picture.specials], *texts])
    return f"Attention{f' ({name})' if name else ''} of {sizes(kind)}; {where}: {says}."


def _says(picture: Shown, query: int, key: int, side: str) -> str:
    """The strongest weight at the tokens in focus."""
    row, column = cursor(picture, query, key, side)
    value, by_key = picture.weights[row, column], side == "key"
    line = picture.weights[:, column] if by_key else picture.weights[row]
    query, key = named(picture.queries, row), named(picture.keys, column)
    if picture.signed:
        return _says_change(query, key, value, by_key, same=not line.any())
    if not line.any() and by_key:
        return f"{key} is attended to by nothing"
    if not line.any():
        masked = (picture.specials, picture.between) == ("shown", ALL)
        why = "as its row is fully masked" if masked else "that is shown"
        return f"{query} attends to nothing {why}"
    most = "most " if value == line.max() else ""
    if by_key:
        return f"{key} is attended to {most}by {query} {weight(value)}"
    return f"{query} attends {most}to {key} {weight(value)}"


def _says_change(query: str, key: str, value: float, by_key: bool, same: bool) -> str:
    """How a weight differs: after minus before."""
    who, verb, whom = query, "attends", f"to {key}"
    if by_key:
        who, verb, whom = key, "is attended to", f"by {query}"
    if same:
        return f"{who} {verb} as before"
    how = "as before" if value == 0 else "less" if value < 0 else "more"
    return f"{who} {verb} {how} {whom} {change(value)}"


def _no_row(picture: Shown, step: int) -> str:
    """A decoder's first tokens can all be hidden, or pieces of a word."""
    pieces = ["not yet a whole word"] if picture.words else []
    hidden = ["hidden"] if picture.specials != "shown" else []
    why = " or ".join([*hidden, *pieces])
    return f"no query is on screen at step {step}: what is written is {why}"


def sizes(kind: Attention) -> str:
    """6 layers with 12 heads over 15 tokens."""
    over = count(len(kind.queries), "token")
    if not kind.same:
        over = f"{count(len(kind.queries), 'query', 'queries')} and {count(len(kind.keys), 'key')}"
    return f"{count(kind.depth, 'layer')} with {count(kind.heads, 'head')} over {over}"


def count(n: int, one: str, many: str | None = None) -> str:
    """1 layer, 2 layers."""
    return f"{n} {one}" if n == 1 else f"{n} {many or one + 's'}"


def place(layer: int | str, head: int | str) -> str:
    """Which map it is: layer 3, head 1; layer 3, mean of heads; mean of layers, head 1."""
    if isinstance(head, list):
        return f"{layer} of {some(head)}"
    if head == "rollout":
        return f"rollout to layer {layer}"
    if isinstance(layer, str) and layer == head:
        return f"{layer} of all heads"
    if isinstance(layer, str):
        return f"{layer} of layers, head {head}"
    return f"layer {layer}, {f'{head} of heads' if isinstance(head, str) else f'head {head}'}"


def some(heads: list) -> str:
    """Some heads: heads 2.1, 3.1 and 5.11, or how many there are."""
    if len(heads) > NAMED:
        return count(len(heads), "head")
    *others, last = (f"{layer}.{head}" for layer, head in heads)
    return f"heads {', '.join(others)} and {last}"


def brief(head: int | str | list) -> str:
    """A head in a table: 3, mean, "2.1 3.1 5.11"."""
    if not isinstance(head, list):
        return str(head)
    return " ".join(f"{layer}.{number}" for layer, number in head)


def named(side: Side, k: int) -> str:
    """“it”, token 11,."""
    return f"“{readable(side.texts[k])}”, token {side.starts[k] + 1},"


def rows(
    kind: Attention, picture: Shown, layer, head, beside: Mapping[str, str] | None = None
) -> list[list]:
    """Rows of what is on screen; the first is the header. `beside` is what all rows say too."""
    beside = beside or {}
    keys = [
        (str(start + 1), text)
        for start, text in zip(picture.keys.starts, picture.keys.texts, strict=True)
    ]
    state = ["words" if picture.words else "pieces", picture.specials, *beside.values()]
    table = [[*HEADER, *beside]]
    for start, text, values in zip(
        picture.queries.starts, picture.queries.texts, picture.weights.tolist(), strict=True
    ):
        front = [kind.name, str(layer), brief(head), str(start + 1), text]
        table += [[*front, *key, value, *state] for key, value in zip(keys, values, strict=True)]
    return table
