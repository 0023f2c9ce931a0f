"""Which modules of a model are its blocks, told from the lists in which they stand."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import nn

NUMBERS = re.compile("[0-9]+")
LISTS = nn.ModuleList | nn.ModuleDict | nn.Sequential
Modules = Mapping[str, nn.Module]


@dataclass(frozen=True)
class Stack:
    """Modules of one list, which a model may call one after the other.

    Attributes
    ----------
    path : str
        Of the list; of numbered modules without one their path, ``*`` in place of the number.
    blocks : dict of str to nn.Module
        By path. A module that stands there several times is there once.
    owners : dict of str to nn.Module
        Those whose call is a pass through all blocks: the module that holds the list, and the list
        itself if it can be called.
    """

    path: str
    blocks: Modules
    owners: Modules


def stacks_of(model: nn.Module) -> list[Stack]:
    """Find the lists of blocks in a model, those inside of blocks left out.

    Which of them run, and hand on a stream, only a run tells.

    Examples
    --------
    >>> from torch import nn
    >>> (stack,) = stacks_of(nn.Transformer(8, 2, custom_decoder=nn.Identity()))
    >>> stack.path, len(stack.blocks), list(stack.owners)
    ('encoder.layers', 6, ['encoder'])
    """
    seen: set[int] = set()
    return [stack for stack in _within(model, "", {}) if _new(stack, seen)]


def _new(stack: Stack, seen: set[int]) -> bool:
    """Whether a stack has a block that no stack before it has."""
    ids = {id(block) for block in stack.blocks.values()}
    new = not ids <= seen
    seen |= ids
    return new


def _within(module: nn.Module, path: str, owners: Modules) -> Iterator[Stack]:
    """The stacks inside a module, which `owners` call."""
    if type(module).forward is not nn.Module.forward and not isinstance(module, nn.ModuleList):
        keep = owners if isinstance(module, nn.Sequential) else {}
        owners = {**keep, path: module}
    prefix = f"{path}." if path else ""
    groups = {path: _of_list(module)} if isinstance(module, LISTS) else _numbered(module, prefix)
    inside: set[str] = set()
    for name, blocks in groups.items():
        if blocks:
            inside |= blocks.keys()
            once = {id(block): key for key, block in reversed(blocks.items())}
            named = {prefix + key: blocks[key] for key in blocks if once[id(blocks[key])] == key}
            yield Stack(name, named, owners)
    for name, child in module._modules.items():
        if child is not None and name not in inside:
            yield from _within(child, prefix + name, owners)


def _of_list(modules: nn.Module) -> dict[str, nn.Module]:
    """The blocks of a list, by their names in it."""
    blocks = {k: one for k, one in modules._modules.items() if _may_be_block(one)}
    if not isinstance(modules, nn.Sequential):
        return blocks
    kinds = [type(one) for one in blocks.values()]
    if any(kinds.count(kind) > 1 for kind in kinds):  # beside an embedding and a head
        return {k: one for k, one in blocks.items() if kinds.count(type(one)) > 1}
    inside = (stack for one in blocks.values() for stack in _within(one, "", {}))
    return {} if any(len(stack.blocks) > 1 for stack in inside) else blocks


def _numbered(module: nn.Module, prefix: str) -> dict[str, dict[str, nn.Module]]:
    """Modules of one class whose names differ in a number only, two at least."""
    groups: dict[tuple[str, type], dict[str, nn.Module]] = {}
    for name, child in module._modules.items():
        if NUMBERS.search(name) and _may_be_block(child):
            key = NUMBERS.sub("*", name), type(child)
            groups.setdefault(key, {})[name] = child
    return {prefix + name: group for (name, _), group in groups.items() if len(group) > 1}


def _may_be_block(module: nn.Module | None) -> bool:
    """Whether a module can be called and is made of others, or runs over time by itself."""
    closed = nn.ModuleList | nn.ModuleDict | nn.ParameterList | torch.jit.ScriptModule
    if module is None or isinstance(module, closed):
        return False
    return isinstance(module, nn.RNNBase) or any(
        one is not None for one in module._modules.values()
    )
