"""Kinds, layers and heads as people name them."""

from seqviz.views.attention.values import Attention

NAMED = 4  # of more heads only the number is said


def sizes(kind: Attention) -> str:
    """6 layers with 12 heads over 15 tokens."""
    over = count(len(kind.queries), "token")
    if not kind.same:
        over = f"{count(len(kind.queries), 'query', 'queries')} and {count(len(kind.keys), 'key')}"
    return f"{count(kind.depth, 'layer')} with {count(kind.heads, 'head')} over {over}"


def count(n: int, one: str, many: str | None = None) -> str:
    """1 layer, 2 layers."""
    return f"{n} {one}" if n == 1 else f"{n} {many or one + 's'}"


def place(layer: int | str, head: int | str | list) -> str:
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
