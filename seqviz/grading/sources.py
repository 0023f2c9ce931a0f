"""What the source of a cell sets, and which parts of a split cell belong together."""

import ast
import re
import symtable
from collections.abc import Sequence
from functools import lru_cache
from textwrap import dedent

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
MAGIC = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?+[ \t]*)$", re.MULTILINE)
DEEP = (SyntaxError, ValueError, RecursionError, MemoryError)  # a ValueError for a null byte


def plain_python(source: str) -> str:
    """A cell whose magics do nothing; what a cell magic such as %%time runs is its code."""
    if source.lstrip().startswith("%%"):
        source = source.lstrip().partition("\n")[2]
    return MAGIC.sub(r"\1pass", dedent(source))


@lru_cache(maxsize=1000)
def parsed(source: str) -> ast.Module | None:
    """The tree of a cell, which may have magics, or None if it cannot be run alone."""
    for text in dict.fromkeys((source, plain_python(source))):
        try:
            tree = ast.parse(text)
            compile(tree, "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            ast.unparse(tree)  # what follows can go as deep
            return tree
        except DEEP:
            continue
    return None


def defined(source: str) -> set[str]:
    """The functions and classes that a cell defines; if there are none, the names it sets."""
    body = getattr(parsed(source), "body", [])
    return {node.name for node in body if isinstance(node, DEFINITIONS)} or names_set(body)


def names_set(body: Sequence[ast.stmt]) -> set[str]:
    """All names that statements set, in whichever branch; not those that they import."""
    tree = ast.Module([node for node in body if not isinstance(node, IMPORTS)], [])
    try:
        table = symtable.symtable(ast.unparse(tree), "cell", "exec")
    except SyntaxError:  # an await outside a function
        return {node.name for node in body if isinstance(node, DEFINITIONS)}
    return {one.get_name() for one in table.get_symbols() if one.is_assigned()}


def sets(source: str) -> set[str]:
    """All names that a cell sets."""
    return names_set(getattr(parsed(source), "body", []))


def parts_that_set(source: str, wanted: set[str]) -> str:
    """The imports of a cell and its statements that set a wanted name; "" if none does."""
    body = getattr(parsed(source), "body", [])
    wants = [bool(wanted & names_set([node])) for node in body]
    kept = [
        node
        for node, is_wanted in zip(body, wants, strict=True)
        if is_wanted or isinstance(node, IMPORTS)
    ]
    return ast.unparse(ast.Module(kept, [])) if any(wants) else ""


def without_later_stubs(parts: Sequence[str]) -> list[str]:
    """Sources without the stubs of functions and classes that were defined before them."""
    made: set[str] = set()
    kept = []
    for part in parts:
        body, rest = getattr(parsed(part), "body", []), []
        for node in body:
            if not _is_stub(node):
                made |= names_set([node])
            elif node.name in made:
                continue
            rest.append(node)
        kept.append(part if len(rest) == len(body) else ast.unparse(ast.Module(rest, [])))
    return [part for part in kept if part.strip()]


def _is_stub(node: ast.stmt) -> bool:
    raised = [one.exc for one in ast.walk(node) if isinstance(one, ast.Raise) and one.exc]
    names = {getattr(part, "id", "") for one in raised for part in ast.walk(one)}
    return isinstance(node, DEFINITIONS) and "NotImplementedError" in names


def go_on(parts: Sequence[tuple[str | None, str]]) -> bool:
    """Whether named sources are the parts of one that was split: as one they can be run."""
    (name, whole), *rest = parts
    for other, part in rest:
        code = [line for line in part.splitlines() if line.strip() and line[0] != "#"]
        begins = code[0][0].isspace() if code else False
        ours = other in (None, name) or not parsed(part)
        if parsed(whole) and not (begins and ours):
            return False
        whole += "\n" + part
        name = name or other
    return parsed(whole) is not None
