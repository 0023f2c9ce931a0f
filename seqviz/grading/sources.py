"""What the source of a cell sets, and which parts of a split cell belong together."""

import ast
import symtable
from collections.abc import Sequence

from IPython.core.inputtransformer2 import TransformerManager

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)


def plain_python(source: str) -> str:
    """A cell without its magics; what a cell magic such as %%time runs is its code."""
    if source.lstrip().startswith("%%"):
        source = source.lstrip().partition("\n")[2]
    return TransformerManager().transform_cell(source)


def parsed(source: str) -> ast.Module | None:
    """The tree of a cell, which may have magics, or None if it cannot be run alone."""
    try:
        tree = ast.parse(plain_python(source))
        compile(tree, "cell", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        return tree
    except (SyntaxError, ValueError):  # a ValueError for a null byte
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
    found = [node for node in body if wanted & names_set([node])]
    kept = [node for node in body if isinstance(node, IMPORTS) or node in found]
    return ast.unparse(ast.Module(kept, [])) if found else ""


def without_later_stubs(parts: Sequence[str]) -> list[str]:
    """Sources without the stubs of functions and classes that were defined before them."""
    made: set[str] = set()
    kept = []
    for part in parts:
        body = getattr(parsed(part), "body", [])
        lines = plain_python(part).splitlines(keepends=True) if body else []
        stubs = []
        for node in body:
            if isinstance(node, DEFINITIONS) and _is_stub(node) and node.name in made:
                stubs.append(node)
            elif not (isinstance(node, DEFINITIONS) and _is_stub(node)):
                made |= names_set([node])
        for node in reversed(stubs):
            first = min(one.lineno for one in (node, *node.decorator_list))
            lines[first - 1 : node.end_lineno] = []
        kept.append("".join(lines) if stubs else part)
    return [part for part in kept if part.strip()]


def _is_stub(node: ast.stmt) -> bool:
    raised = [one.exc for one in ast.walk(node) if isinstance(one, ast.Raise)]
    return any("NotImplementedError" in ast.dump(one) for one in raised if one)


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
