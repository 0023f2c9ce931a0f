"""All checks at once: each is right about its solution, names each of its slips, bears oddities."""

import pytest
import torch

from seqviz.checks.cases import CHECKS, judge
from seqviz.checks.comparing import same
from seqviz.checks.verdict import NOT_MADE, Refused
from tests.checks.solutions import EXERCISES, of_lectures, solution
from tests.checks.styles import ODD, accept, single, to_lists

PLAIN = ("wordpiece", "pack", "best_pair")  # texts and whole numbers: these have no other style
HEADS = ("beam_search", "best_sentence")  # slips that give the same are told by what they share
IN_STEPS = ("spectral_radius",)  # 300 steps in float32 add up


def told(name, cases, slip, style=lambda answer: answer):
    """What a check says to answers that make one slip wherever it shows."""
    before = NOT_MADE.set(frozenset())
    try:
        for case in cases:
            answer = case.slips.get(slip, case.right)
            if isinstance(case.right, dict):
                parts = case.right | answer if isinstance(answer, dict) else None
                answer = tuple(parts.values()) if parts else answer
            judge(name, case, style(answer))
    except Refused as refusal:
        return str(refusal)
    finally:
        NOT_MADE.reset(before)
    return ""


@pytest.mark.parametrize("name", CHECKS)
def test_each_slip_is_named_and_the_right_answer_is_not(name):
    cases = list(CHECKS[name].cases())
    assert told(name, cases, "") == ""
    for slip in dict.fromkeys(slip for case in cases for slip in case.slips):
        shown = slip.split(": ")[0] if name in HEADS else slip
        assert shown in told(name, cases, slip)
        assert told(name, cases, slip, single), slip


@pytest.mark.parametrize("name", CHECKS)
def test_sizes_differ_from_case_to_case(name):
    def sizes(given):
        return [x.shape if isinstance(x, torch.Tensor) else x for x in given.values()]

    asked = [str(sizes(case.given)) for case in CHECKS[name].cases()]
    assert len(set(asked)) > 1


@pytest.mark.parametrize("name", CHECKS)
def test_the_solution_is_right_in_every_style(name):
    check = CHECKS[name]
    answer = solution(name) if name in EXERCISES else of_lectures()[name]
    if name in (*PLAIN, *IN_STEPS):
        verdict = check(answer)
        assert verdict, verdict
    else:
        accept(check, answer)
    assert check(to_lists(answer)) or name == "clip_by_norm"  # which asks for tensors


@pytest.mark.parametrize("name", CHECKS)
def test_what_is_no_answer_is_refused_in_words(name):
    *_, case = CHECKS[name].cases()
    answers = list(ODD)
    if isinstance(case.right, dict):
        right = list(case.right.values())
        for k, part in enumerate(right):
            number = isinstance(part, float | torch.Tensor)
            odd = [x for x in ODD if not (number and same(x, torch.as_tensor(part)))]
            answers += [[*right[:k], x, *right[k + 1 :]] for x in odd]
    for answer in answers:
        with pytest.raises(Refused):
            judge(name, case, case.read(answer))
