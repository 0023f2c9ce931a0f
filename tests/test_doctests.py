"""The examples in the docstrings give what they say."""

import doctest
import importlib
from pathlib import Path

import pytest

import seqviz

ROOT = Path(seqviz.__file__).parents[1]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in Path(seqviz.__file__).parent.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name):
    module = importlib.import_module(name)
    own = {n: thing for n, thing in vars(module).items()
           if getattr(thing, "__module__", None) == name}  # fmt: skip
    done = doctest.testmod(module, globs=own)  # what is not the module's own, they must import
    assert done.attempted > 0
    assert done.failed == 0, "the report above says which"
