"""Tests run by the examiner: with our own helpers, and a student's functions from afar."""

import ast
import builtins
import io
import symtable
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout

from seqviz.checks.verdict import Refused
from seqviz.grading.cells import named
from seqviz.grading.sources import IMPORTS, names_set, parsed

Outputs = tuple[list, tuple[str, str] | None]


def names_read(tree: ast.AST) -> set[str]:
    """The names that code reads and does not set itself, in all its functions."""
    table, found = [symtable.symtable(ast.unparse(tree), "test", "exec")], set()
    while table:
        one = table.pop()
        table += one.get_children()
        found |= {
            name.get_name()
            for name in one.get_symbols()
            if name.is_referenced() and (name.is_global() or one.get_type() == "module")
        }
    return found


def helpers(test: str, given: Sequence[str]) -> tuple[list[ast.stmt], set[str]]:
    """What a test needs of the cells before it, and the names that none of them sets.

    Parameters
    ----------
    test : str
        The source of the test's cell.
    given : sequence of str
        The sources of the locked cells before it, in their order.

    Returns
    -------
    list of ast.stmt
        All imports, and the statements that set what the test reads, or what these read.
    set of str
        The names that a student's code has to set.
    """
    statements = [node for source in given for node in getattr(parsed(source), "body", [])]
    sets = [names_set([node]) for node in statements]
    kept = {k for k, node in enumerate(statements) if isinstance(node, IMPORTS)}
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for k in kept
        for alias in statements[k].names
    }
    wanted, seen = names_read(ast.parse(test)) - names_set(ast.parse(test).body), set()
    while new := wanted - seen:
        seen |= new
        for k, names in enumerate(sets):
            if names & new and k not in kept:
                kept.add(k)
                wanted |= names_read(statements[k])
    found = imported.union(*(sets[k] for k in kept))
    return [statements[k] for k in sorted(kept)], wanted - found - set(vars(builtins))


def judge(test: str, given: Sequence[str], look: Callable) -> Outputs:
    """Run a test: what it prints, and the name and text of its error, None if it passes.

    Parameters
    ----------
    test : str
        The source of its cell.
    given : sequence of str
        Those of the locked cells before it.
    look : callable
        Takes a name that the student's code has to set, and gives a function or a value.
    """
    kept, theirs = helpers(test, given)
    names: dict = {"__name__": "examiner"}
    printed = io.StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(io.StringIO()):
            names |= {name: look(name) for name in sorted(theirs)}
            _execute(kept, names)
            exec(compile(test, "test", "exec"), names)
        error = None
    except (Exception, Refused) as refused:
        error = named(refused, 0)
    return [("stream", "stdout", printed.getvalue())] if printed.getvalue() else [], error


def _execute(statements: Sequence[ast.stmt], names: Mapping) -> None:
    tree = ast.Module(list(statements), [])
    exec(compile(ast.fix_missing_locations(tree), "given", "exec"), names)
