"""Which lines of a program must stand above which others: those that make what a line uses."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Line `above` must stand above line `below`: it makes what that uses, or uses it first."""

    above: int
    below: int
    names: tuple[str, ...]
    makes: bool  # whether `above` makes the names; else `below` changes them


def depths(lines: Sequence[str]) -> list[int]:
    """Spaces before each line."""
    return [len(line) - len(line.lstrip(" ")) for line in lines]


def openers(lines: Sequence[str]) -> list[int]:
    """For each line the line that opens its block; -1 outside of any."""
    depth = depths(lines)
    return [
        next((a for a in range(b - 1, -1, -1) if depth[a] < depth[b]), -1)
        for b in range(len(lines))
    ]


def pairs(lines: Sequence[str]) -> list[Pair]:
    """Return the pairs of lines whose order matters; all other orders compute the same.

    Raises
    ------
    SyntaxError
        If the lines are no program.
    """
    ast.parse("\n".join(lines))
    used, made = zip(*map(_names, lines), strict=True)
    found = []
    for below in range(len(lines)):
        for above in range(below):
            needs = made[above] & used[below]
            changes = made[below] & (used[above] | made[above])
            if needs or changes:
                names = tuple(sorted(needs or changes))
                found.append(Pair(above, below, names, bool(needs)))
    return found


def _names(line: str) -> tuple[set[str], set[str]]:
    """Names that a line uses, and names that it makes or changes."""
    text = line.strip()
    (statement,) = ast.parse(f"{text} pass" if text.endswith(":") else text).body
    used, made = set(), set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            made.add(_base(node))
        elif isinstance(node, ast.arg):
            made.add(node.arg)
    if isinstance(statement, ast.AugAssign):
        used.add(_base(statement.target))
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        made.add(_base(statement.value.func))  # x.append(...) changes x
    return used, made - {""}


def _base(node: ast.expr) -> str:
    """The name that an expression as `h[t]` or `h.grad` starts with; empty without one."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
