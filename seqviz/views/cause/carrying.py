"""What is carried from one text into another, checked."""

from collections.abc import Mapping, Sequence

from seqviz.views.shared.checking import whole, within

KNOWN = ("stream", "stage", "token", "head", "from_stage", "from_token")
EXAMPLE = 'a list of dicts such as [{"stage": 1, "token": 2}]'


def carried_of(given, facts: Mapping) -> list[dict]:
    """Check what is carried, and fill in where it comes from; of one place the last one counts."""
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
        raise TypeError(f"carried: expected {EXAMPLE}, came {given!r}")
    found = [_one(f"carried[{k}]", one, facts) for k, one in enumerate(given)]
    places = {(one["stream"], one["stage"], one["token"], str(one["head"])): one for one in found}
    return list(places.values())


def _one(name: str, given, facts: Mapping) -> dict:
    if not isinstance(given, Mapping) or not {"stage", "token"} <= given.keys():
        raise TypeError(f"{name}: expected a dict with stage and token, came {given!r}")
    if wrong := [key for key in given if key not in KNOWN]:
        raise ValueError(f"{name}: has no {wrong[0]!r}, expected {', '.join(KNOWN)}")
    streams = facts["streams"]
    stream = within(f"{name}: stream", given.get("stream", len(streams) - 1), 0, len(streams) - 1)
    told = streams[stream]
    here, there = (len(tokens[told["tokens"]]) for tokens in facts["tokens"])
    token = within(f"{name}: token", given["token"], 0, here - 1)
    stage = within(f"{name}: stage", given["stage"], 0, len(told["blocks"]))
    origin = given.get("from_token", token)
    head = _head(name, given.get("head"), told, stage)
    if head and given.get("from_stage", stage) != stage:
        raise ValueError(f"{name}: from_stage: a head stays in its block: leave it out")
    return {
        "stream": stream,
        "stage": stage,
        "token": token,
        "head": head,
        "from_stage": within(
            f"{name}: from_stage", given.get("from_stage", stage), 0, len(told["blocks"])
        ),
        "from_token": within(f"{name}: from_token", origin, 0, there - 1),
    }


def _head(name: str, given, told: Mapping, stage: int) -> list[int] | None:
    """Which attention and which of its heads, in the block that ends at the stage."""
    if given is None:
        return None
    heads = {
        part["attention"]: part["heads"]
        for part in (told["blocks"][stage - 1]["parts"] if stage else ())
        if part["is"] == "attention"
    }
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise ValueError(f"{name}: head: expected (attention, head), came {given!r}")
    attention = whole(f"{name}: head", given[0])
    if attention not in heads:
        known = ", ".join(map(str, heads)) or "none"
        raise ValueError(
            f"{name}: head: attention {attention} is not in the block before stage {stage}, "
            f"expected {known}"
        )
    return [attention, within(f"{name}: head", given[1], 0, heads[attention] - 1)]
