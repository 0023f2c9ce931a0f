"""A check is a row of cases; one engine asks the student's function, compares, names the slip."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import update_wrapper
from typing import Any

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, holds_nan, parts, plain, same, sole
from seqviz.checks.variants import drawn
from seqviz.checks.verdict import NOT_MADE, Refused, Verdict

CHECKS: dict[str, Callable[[Callable], Verdict]] = {}  # all checks by name


@dataclass(frozen=True)
class Case:
    """A question to a student's function: what goes in, what is right, what likely slips give.

    Parameters
    ----------
    asked : str
        What a message says behind the function's name: ", 5 × 2," or " of 3 words".
    given : mapping of str to any
        The inputs by name, in the exercise's order.
    right : any
        A tensor or a number; a list, a tuple or a set of plain things. If the answer has parts,
        a dict of such by name, in the exercise's order. None where `read` says all.
    slips : mapping of str to any
        What a likely mistake gives, by the sentence that names it. If the answer has parts, a
        tuple of all of them, or a dict of those that the mistake touches.
    order : str
        The parts in the order in which they are compared, where that is another one.
    zero, tiny, nan : str or mapping of str to str
        What is said of a tiny number in the place of an exact 0, of 0 in the place of a tiny
        number, and of NaN; in parts, of which.
    read : callable
        Makes of the answer what is compared, or raises Refused.
    around : callable
        Takes the student's function and gives a context in which it is called.
    """

    asked: str
    given: Mapping[str, Any]
    right: Any
    slips: Mapping[str, Any] = field(default_factory=dict)
    order: str = ""
    zero: str | Mapping[str, str] = ""
    tiny: str | Mapping[str, str] = ""
    nan: str | Mapping[str, str] = ""
    read: Callable[[Any], Any] = lambda answer: answer
    around: Callable[[Callable], AbstractContextManager] = nullcontext

    def by_parts(self) -> dict[str, Mapping[str, Any]]:
        """The slips as dicts of the parts that they touch."""
        return {
            text: slip if isinstance(slip, Mapping) else dict(zip(self.right, slip, strict=True))
            for text, slip in self.slips.items()
        }

    def of_part(self, part: str) -> "Case":
        """The question that a part of the answer is."""
        own = {text: slip[part] for text, slip in self.by_parts().items() if part in slip}
        said = (said and said.get(part, "") for said in (self.zero, self.tiny, self.nan))
        return Case(self.asked, self.given, self.right[part], own, "", *said)


Cases = Iterator[Case]


def by_part(slips: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Slips of several parts, each part with its own: a sentence may stand in more than one."""
    merged: dict[str, dict[str, Any]] = {}
    for part, own in slips.items():
        for text, value in own.items():
            merged.setdefault(text, {})[part] = value
    return merged


def slipped(reference: Callable, slips: Mapping[str, str], given: Mapping[str, Any]) -> dict:
    """What a reference gives that makes one slip at a time, by the sentence that names it."""
    return {text: reference(**given, slip=slip) for slip, text in slips.items()}


def check(solved: str, name: str = "", gradients: bool = True) -> Callable:
    """Make a check of a function that yields cases: it takes a student's function.

    Gradients are on while it runs, and the random state afterwards is what it was before. Where the
    function of cases takes a `Draw`, the check takes the number of a variant too.

    Parameters
    ----------
    solved : str
        What the verdict says behind the name when all is right.
    name : str
        What the student's function is called, if not as the check.
    gradients : bool
        Whether gradients are on while the student's function runs.
    """

    def decorate(cases: Callable[..., Cases]) -> Callable[..., Verdict]:
        called = name or cases.__name__

        def checked(student: Callable, variant: int | None = None) -> Verdict:
            if not callable(student):
                return Verdict(
                    False,
                    f"sv.checks.{cases.__name__} wants your function itself and got a "
                    f"{type(student).__name__}. Hand in its name alone, without brackets behind "
                    "it.",
                )
            before = NOT_MADE.set(frozenset())
            try:
                with torch.random.fork_rng([]), torch.inference_mode(False), torch.enable_grad():
                    for case in cases() if variant is None else drawn(cases, variant):
                        with case.around(student), torch.set_grad_enabled(gradients):
                            answer = call(student, **case.given)
                        judge(called, case, case.read(answer))
            except Refused as refusal:
                return Verdict(False, str(refusal))
            finally:
                NOT_MADE.reset(before)
            return Verdict(True, f"{called}: {solved}")

        update_wrapper(
            checked, cases, assigned=("__module__", "__name__", "__qualname__", "__doc__")
        )
        del checked.__wrapped__  # its signature is not that of the check
        checked.cases = cases
        CHECKS[cases.__name__] = checked
        return checked

    return decorate


def judge(name: str, case: Case, answer: Any) -> None:
    """Refused where the answer is not right, part by part, with the slip that explains it."""
    if case.right is None:
        return
    if not isinstance(case.right, Mapping):
        _same(f"{name}{case.asked}", answer, case)
        return
    found = parts(name, answer, ", ".join(case.right))
    found = dict(zip(case.right, found, strict=True))
    for part in case.order.split(", ") if case.order else case.right:
        asked, own = f"{name}'s {part}{case.asked}", case.of_part(part)
        try:
            _same(asked, found[part], own)
        except Refused:
            _same(asked, found[part], replace(own, slips=_fitting(case, found, part)))


def _fitting(case: Case, found: Mapping, part: str) -> Mapping[str, Any]:
    """The slips that a wrong part may come from.

    What explains all parts is likelier than what explains this one; a slip that would change a
    part which is right is named last, with a "perhaps".
    """
    fits = {
        text: slip
        for text, slip in case.by_parts().items()
        if part in slip and _is(found[part], slip[part])
    }
    whole = [t for t, slip in fits.items() if all(_is(found[one], slip[one]) for one in slip)]
    likely = [
        text
        for text, slip in fits.items()
        if not any(
            _is(found[one], case.right[one]) and not _is(slip[one], case.right[one]) for one in slip
        )
    ]
    named = whole or likely
    if fits and not named:
        return {f"perhaps {text}": slip[part] for text, slip in fits.items()}
    return {text: fits[text][part] for text in named} or case.of_part(part).slips


def _is(answer: Any, value: Any) -> bool:
    """Whether an answer is what a slip gives."""
    if isinstance(value, Tensor | float | int):
        return same(answer, _tensor(value))
    try:
        return plain("", answer, value) == value
    except Refused:
        return False


def _same(asked: str, answer: Any, case: Case) -> None:
    """Refused where an answer without parts is not right."""
    right, slips = case.right, case.slips
    if isinstance(right, Tensor | float | int):
        wanted = _tensor(right)
        if isinstance(right, Tensor) and right.dtype == torch.bool and _floats(answer):
            raise Refused(
                f"{asked} holds floats, expected truth values, True or False; .bool() makes them."
            )
        if case.nan and holds_nan(answer):
            raise Refused(f"{asked} holds nan: {case.nan}")
        values = compare(asked, answer, wanted, {text: _tensor(x) for text, x in slips.items()})
        if case.zero and values[wanted == 0].any():
            raise Refused(f"{asked.rstrip(',')}: {case.zero}")
        if case.tiny and not values[wanted != 0].all():
            raise Refused(f"{asked.rstrip(',')}: {case.tiny}")
        return
    found = plain(asked, answer, right)
    cause = sole(slips, found, right)
    if found != right:
        shown, wanted = (sorted(x) if isinstance(x, set) else x for x in (found, right))
        raise Refused(f"{asked} gives {shown!r:.400}, expected {wanted!r:.400}{cause}.")


def _tensor(x: Any) -> Tensor:
    """Numbers as a tensor: floats of float64, truth values as whole numbers."""
    if not isinstance(x, Tensor):
        return torch.tensor(x, dtype=torch.float64 if isinstance(x, float) else None)
    return x.long() if x.dtype == torch.bool else x


def _floats(answer: Any) -> bool:
    return isinstance(answer, Tensor) and answer.is_floating_point()
