"""Checks of the exercises: fixed inputs, and a verdict that says what differs and by how much."""

from importlib import import_module
from pkgutil import walk_packages

from seqviz.checks.agreeing import agree
from seqviz.checks.cases import CHECKS
from seqviz.checks.trying import on_trial
from seqviz.checks.variants import varied
from seqviz.checks.verdict import Verdict, ramp

for module in walk_packages(__path__, f"{__name__}."):
    import_module(module.name)  # a file a subject; each check in it enters CHECKS by its name

globals().update(CHECKS)

__all__ = ["Verdict", "agree", "on_trial", "ramp", "varied", *sorted(CHECKS)]
