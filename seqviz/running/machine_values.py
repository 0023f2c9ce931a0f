"""Values of a graph as a machine reads and changes them: by token, and without heads."""

from collections.abc import Callable, Mapping, Sequence

from torch import Tensor


def rows_of(place: Mapping, value: Tensor) -> Tensor:
    """A value by token, (token, number): all other axes are read at 0."""
    for axis in reversed(range(value.dim())):
        if axis not in (place["token"], place["number"]):
            value = value.select(axis, 0)
    if value.dim() == 1:
        return value[None]
    return value if place["token"] < place["number"] else value.T


def span_of(logits: Tensor) -> tuple[int, int, float] | None:
    """The likeliest span of logits (token, 2): its first and last token, its probability."""
    starts, ends = logits.double().softmax(0).T
    chances = (starts[:, None] * ends).triu()  # that it starts here and ends there
    if chances.isnan().any():
        return None
    best = int(chances.argmax())
    return best // len(ends), best % len(ends), chances.max().item()


def silenced(heads: Sequence[int]) -> Callable[[Tensor], Tensor]:
    """What makes heads of a value (..., query, unit) zero, counted through the axes in front."""

    def change(value: Tensor) -> Tensor:
        flat = value.reshape(-1, *value.shape[-2:]).clone()
        flat[list(heads)] = 0
        return flat.reshape(value.shape)

    return change


def filled(argument, lengths: Mapping):
    """An argument with numbers in place of the names of lengths."""
    if isinstance(argument, list):
        return [filled(one, lengths) for one in argument]
    if isinstance(argument, dict) and argument.get("value") in lengths:
        return lengths[argument["value"]]
    return argument


def first_nodes(anatomy: Mapping) -> list[str]:
    """What the picture of the whole draws, in the order of the model."""
    found = []
    for stream in anatomy["streams"]:
        found += [one["place"] for one in stream["embedded"]]
        found += [stream["norm"], stream["start"]]
        for block in stream["blocks"]:
            for part in block["parts"]:
                found += [part["before"], part["update"]]
                found += [{"node": part["weights"]}] if part["is"] == "attention" else []
            found.append(block["end"])
        found.append(stream["last"])
    return list(dict.fromkeys(place["node"] for place in found if place))
