"""Where a number is in a model: the stages of a token's vector, as stages.js lists them."""

from collections.abc import Iterator, Mapping

ROLES = {
    "attention": ("norm", "query", "key", "value", "context", "into", "update", "after", "post"),
    "feed": ("norm", "gate", "up", "act", "hidden", "update", "after", "post"),
    "box": ("norm", "update", "after", "post"),
}
Place = Mapping  # node, and which of its axes counts tokens, heads and numbers


def stages_of(anatomy: Mapping) -> dict[str, tuple[str, Place]]:
    """Return the side of the tokens and the place of each stage, by its name, "0.2.1.query"."""
    return {
        f"{k}.{name}": (side, place)
        for k, stream in enumerate(anatomy["streams"])
        for name, side, place in _of_stream(anatomy, stream)
    }


def _of_stream(anatomy: Mapping, stream: Mapping) -> Iterator[tuple[str, str, Place]]:
    own, start, end = stream["tokens"], stream["start"], stream["end"]
    for k, one in enumerate(stream["embedded"]):
        yield f"e{k}", own, one["place"]
    if stream["norm"] and stream["norm"]["node"] != start["node"]:
        yield "norm", own, stream["norm"]
    yield "x", own, start
    for block in stream["blocks"]:
        for number, part in enumerate(block["parts"]):
            for role in _roles_of(part, block["end"]):
                other = part.get("cross") and role in ("key", "value")
                side = anatomy["streams"][0]["tokens"] if other else own
                yield f"{block['number']}.{number}.{role}", side, part[role]
        yield f"{block['number']}.end", own, block["end"]
    if stream["last"]["node"] != end["node"]:
        yield "last", own, stream["last"]


def _roles_of(part: Mapping, end: Place) -> Iterator[str]:
    """The roles that are stages of their own: an act that is the hidden layer is one."""
    last = "post" if part["post"] else "after"
    for role in ROLES[part["is"]]:
        place = part[role]
        twice = role == "hidden" and part["act"] and part["act"]["node"] == place["node"]
        ends = role == last and place and place["node"] == end["node"]
        if place and not (twice or ends):
            yield role
