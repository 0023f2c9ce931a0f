"""The families of a record, each a stack of layers: which the tokens fit, and what they are."""

import re
from collections.abc import Iterable, Mapping

import numpy as np

from seqviz.stacks import places
from seqviz.telling import count
from seqviz.views.attention.input import (
    NO_WEIGHTS,
    SOURCES,
    Layers,
    Stack,
    Unfit,
    assembled,
    joined,
    layer_of,
)
from seqviz.views.attention.positions import are_parts, dims_of, laid_over
from seqviz.views.attention.values import check_shapes
from seqviz.views.attention.words import Tokens, text_of
from seqviz.views.shared.checking import line

CROSS = ("cross", "encoder_attn", "encdec", "multihead_attn", "src_attn")  # in a module's path
MERGED = "decoder + cross"  # one softmax over what a decoder wrote and what its encoder read
NO_TEXT = re.compile(r"(?<![a-z])(vision|visual|image|pixel|patch|audio)")
Shape = tuple[int, int]
Texts = Mapping[str, Tokens]


def of_record(record: Mapping, item: int | None, texts: Texts) -> tuple[list[Stack], list[str]]:
    """Return the families that the tokens fit and a warning of the others; an error if none fits.

    It is one, too, if tokens were given that no family reads: then a family is wrong, not left out.
    """
    given = list(texts)
    found, unfit = families("weights", record, item)
    shapes, misshapen = _shapes(found)
    unfit |= misshapen
    roles = _roles(texts, shapes)
    sides = {family: _named_sides(texts, roles[family], shapes[family]) for family in shapes}
    fitting = [family for family in shapes if _fit(texts, sides[family], shapes[family])]
    read = {one for family in fitting for side in sides[family] for one in side.split(" + ")}
    shown = _of_text(fitting) if len(given) == 1 else fitting
    if not fitting or not read.issuperset(given):
        if unfit and len(fitting) == len(shapes):
            raise next(iter(unfit.values()))
        text = _of_text(list(shapes))
        _check_lengths(given, [shapes[family] for family in text])
        # the first that the tokens do not fit is named: one that reads them, and no pooling head
        shown = sorted(shapes, key=lambda family: (family not in text, 1 in shapes[family]))
    left = {family: shape for family, shape in shapes.items() if family not in shown} | unfit
    names = _names({family: roles[family] for family in shown})
    stacks = [Stack(names[f], f"weights of {f!r}", found[f], *sides[f], f) for f in shown]
    return stacks, [_left_out(left, fitting)] if left else []


def families(
    name: str, given: Mapping, item: int | None
) -> tuple[dict[str, Layers], dict[str, Unfit]]:
    """Group a record, path to list of calls, by family; and say what is wrong with the others."""
    at = places(map(str, given))
    grouped: dict[str, dict[str, list]] = {}
    for path, calls in given.items():
        if not isinstance(calls, (list, tuple)):
            raise TypeError(
                f"{name}[{path!r}]: expected a list of calls, as rec.attention has, came "
                f"{type(calls).__name__}: of a model's output hand in its .attentions"
            )
        if calls:  # else its module did not run
            grouped.setdefault(at[str(path)].family, {})[path] = calls
    if not grouped:
        fix = "run the model inside the block" if given else NO_WEIGHTS
        raise ValueError(f"{name}: no call was recorded: {fix}")
    found, unfit = {}, {}
    for family, members in grouped.items():
        try:
            stacked = {
                path: _module(f"{name}[{path!r}]", calls, item) for path, calls in members.items()
            }
            found[family] = _stack(name, stacked, at)
        except Unfit as problem:
            unfit[family] = problem
    return found, unfit


def _module(where: str, calls: list, item: int | None) -> Layers:
    """One layer of all calls of a module."""
    steps = [layer_of(f"{where}[{k}]", call, item) for k, call in enumerate(calls)]
    if are_parts(calls):
        return Layers([laid_over(joined(steps).arrays)], joined(steps).half)
    fix = (
        "hand in one of them, {path: calls[-1:] for path, calls in rec.attention.items()}, the "
        "whole of a run without a cache; of a module that stands for several layers, "
        "{f'layer {k}': [call] for k, call in enumerate(calls)}"
    )
    if any("block" in dims_of(call) for call in calls) and len(calls) > 1:
        fix = (
            "some positions attend to all and all to them, and where these stand is not known: "
            "record one text alone; or hand in what is inside the blocks, {path: [call for call "
            "in calls if 'block' in call.dims] for path, calls in rec.attention.items()}, which "
            "leaves these out"
        )
    return assembled(where, steps, fix)


def _stack(name: str, modules: Mapping[str, Layers], at: Mapping) -> Layers:
    """The layers of a family in the order of their numbers, those with a module a head joined."""
    ordered = sorted(modules, key=lambda path: (at[str(path)].layer or 0, at[str(path)].head or 0))
    layers: dict[int, list] = {}
    for path in ordered:
        layers.setdefault(at[str(path)].layer or 0, []).append(path)
    stacked = joined(
        [_heads(name, {path: modules[path] for path in paths}) for paths in layers.values()]
    )
    return Layers(stacked.arrays, stacked.half, tuple(layers))


def _heads(name: str, modules: Mapping[str, Layers]) -> Layers:
    """One layer of a module for each head, or of one for all."""
    first, *others = modules
    one = joined(list(modules.values()))
    for path, array in zip(others, one.arrays[1:], strict=True):
        if array.shape[1:] != one.arrays[0].shape[1:]:
            raise Unfit(
                f"{name}[{path!r}]: has shape {array.shape}, {first!r} {one.arrays[0].shape} "
                "(heads, query, key): expected the same queries and keys of all heads of a layer"
            )
    return Layers([np.concatenate(one.arrays)], one.half) if others else one


def _shapes(found: Mapping[str, Layers]) -> tuple[dict[str, Shape], dict[str, Unfit]]:
    """Queries and keys of each family, and what is wrong with those whose layers differ."""
    shapes, unfit = {}, {}
    for family, layers in found.items():
        try:
            shapes[family] = check_shapes(f"weights of {family!r}", layers)[1:]
        except Unfit as problem:
            unfit[family] = problem
    return shapes, unfit


def _of_text(fitting: list[str]) -> list[str]:
    """Of the families that a single text fits those that read one, if any does."""
    return [family for family in fitting if not NO_TEXT.search(family.lower())] or fitting


def _check_lengths(given: list[str], shapes: Iterable[Shape]) -> None:
    lengths = sorted({side for shape in shapes for side in shape} - {1})
    if len(lengths) > 1 and len(given) == 1:
        raise ValueError(
            f"weights: this record is of texts with {lengths} tokens, came one list: hand in "
            "encoder_tokens and decoder_tokens, or tokens and key_tokens"
        )


def _left_out(left: Mapping[str, Shape | Unfit], fitting: list[str]) -> str:
    """What is not shown of a record, why, and how to look at it."""
    reasons = []
    for family, why in left.items():
        if family in fitting:
            reason = "its path says that it reads no text"
        elif isinstance(why, Unfit):
            reason = str(why)
        else:
            queries, keys = why
            reason = f"{count(queries, 'query', 'queries')} and {count(keys, 'key')}"
        reasons.append(f"{family!r} ({reason})")
    text = f"weights: left out: {', '.join(reasons)}"
    return text + _alone([family for family, why in left.items() if not isinstance(why, Unfit)])


def _alone(families: list[str]) -> str:
    """How to look at the first of these families, if there is one."""
    if not families:
        return ""
    start, star, _ = families[0].partition("*")
    *_, end = families[0].split("*")
    tests = [
        f"path.{test}({part!r})"
        for test, part in (("startswith", start), ("endswith", end))
        if part
    ]
    test = " and ".join(tests) if star else f"path == {start!r}"
    return (
        ": look at one alone, with tokens of its own, by handing in "
        f"{{path: calls for path, calls in rec.attention.items() if {test}}}"
    )


def _fit(texts: Texts, sides: tuple[str, str], shape: Shape) -> bool:
    """Whether these arguments hold a token for each query and for each key."""
    return [len(text_of(texts, name) or ()) for name in sides] == list(shape)


def _roles(texts: Texts, shapes: Mapping[str, Shape]) -> dict[str, str]:
    """What each family is: "encoder", "cross", "decoder" ..., or "" if its path does not tell."""
    has_decoder = any("decoder" in path.lower() for path in shapes)
    target, source = _texts(texts)
    both = tuple(len(texts.get(side, ())) for side in (target, source))

    def role(path: str, queries: int, keys: int) -> str:
        path = path.lower()
        if target != source and (queries, keys) == (both[0], sum(both)):
            return MERGED
        alone = len(shapes) == 1 and "key_tokens" in texts
        if alone or queries != keys or any(mark in path for mark in CROSS):
            return "cross"
        if "decoder" in path:
            return "decoder"
        # a BERT that decodes has its layers in an "encoder" as well
        return "encoder" if has_decoder and "encoder" in path else ""

    return {path: role(path, *shape) for path, shape in shapes.items()}


def _names(roles: Mapping[str, str]) -> dict[str, str]:
    """The names of families: their roles where these tell them apart, else their paths."""
    whole = "cross" if roles.get("") == "cross" else "self"  # the name of path ""
    whole = "whole model" if whole in roles else whole
    names = roles if _distinct(roles.values()) else {path: path or whole for path in roles}
    return {path: line("weights", name) for path, name in names.items()}


def _distinct(roles: Iterable[str]) -> bool:
    """Whether these roles, of several paths, are names for them."""
    roles = list(roles)
    return len(roles) > 1 and all(roles) and len(set(roles)) == len(roles)


def _texts(texts: Texts) -> tuple[str, str]:
    """Which arguments hold the tokens that a model writes and those that it reads."""
    target = "decoder_tokens" if "decoder_tokens" in texts else "tokens"
    others = [name for name in SOURCES if name in texts]
    return target, others[0] if others else target


def _named_sides(texts: Texts, role: str, shape: Shape) -> tuple[str, str]:
    """Which arguments hold the tokens of a family: by its role, else by its sizes."""
    target, source = _texts(texts)
    if role == MERGED:
        return target, f"{target} + {source}"
    if role == "cross":
        return target, source
    fits = len(texts.get(target, ())) == shape[0]
    side = source if role == "encoder" or not (role or fits) else target
    return side, side
