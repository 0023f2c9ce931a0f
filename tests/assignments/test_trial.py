"""A claim on trial: what is refused, each with a sentence that names the fix."""

import pytest

from seqviz.checks import on_trial
from tests.assignments.reading import SOURCES, exercises
from tests.assignments.test_matrix import passes
from tests.checks.solutions import run_without_hidden_tests

(TRIAL,) = (one for path in SOURCES for one in exercises(path) if one.name == "trial")
TEXTS = [(f"a {k} b", f"a {k} c") for k in range(10)]


def effect(text, other, layer, head, token):
    """What would be measured: head 1.2 does much, all else a little, not twice the same."""
    return (0.5 if (layer, head) == (1, 2) else 0.1) + 0.01 * TEXTS.index((text, other))


def rows(layer, head, token=3):
    places = [(*pair, layer, head, token) for pair in TEXTS]
    names = ("text", "other", "layer", "head", "token")
    return [dict(zip(names, one, strict=True)) | {"effect": effect(*one)} for one in places]


def handed_in(**changed):
    found = {"claim": "Head 1.2 does it.", "patches": rows(1, 2), "controls": rows(1, 0)}
    return found | {"finding": True} | changed


def row_of(side, k, **changed):
    found = handed_in()
    found[side][k] |= changed
    return found


REFUSED = {
    "no dict": ([1], "expected a dict of claim, patches, controls, finding"),
    "a claim that is no sentence": (handed_in(claim=3), "claim must be a sentence"),
    "a word for a verdict": (handed_in(finding="yes"), "finding True or False"),
    "nine pairs": (handed_in(patches=rows(1, 2)[:9]), "a list of 10 to 60 rows"),
    "a row without a token": (handed_in(patches=[{"text": "a"}] * 10), "patches[0] has no other"),
    "fewer patches": (handed_in(controls=rows(1, 0) + rows(1, 0)[:1]), "give each one its own"),
    "a token from the end": (row_of("patches", 4, token=-1), "token must be a number from 0"),
    "a longer text": (row_of("patches", 2, other="a 2 c d"), "make them equally long"),
    "one text": (row_of("patches", 2, other="a 2 b"), "must be two texts"),
    "other texts": (row_of("controls", 2, text="z 2 b"), "is of other texts than its patch"),
    "a state against a head": (handed_in(controls=rows(1, None)), "a head for a head"),
    "another thing in each pair": (
        handed_in(controls=[*rows(1, 0)[:9], *rows(0, 2)[9:]]),
        "change the same thing in all",
    ),
    "no number": (row_of("patches", 1, effect="much"), "cannot be measured again"),
    "nan": (row_of("controls", 1, effect=float("nan")), "effect is nan, measured again 0.110"),
    "two nothings": (
        handed_in(claim="0.1", patches=rows(0, 1), controls=rows(0, 3)),
        "within the noise, and no finding",
    ),
}


def test_what_does_not_follow_is_refused_in_words():
    assert on_trial(handed_in, effect)
    nothing = {"claim": "0.1", "patches": rows(0, 1), "controls": rows(0, 3), "finding": False}
    assert on_trial(lambda: nothing, effect), "an honest no passes"
    for name, (found, words) in REFUSED.items():
        verdict = on_trial(lambda found=found: found, effect)
        assert not verdict, name
        assert words in verdict.message, name


def test_what_cannot_be_run_again_is_told():
    def missing(*row):
        raise ValueError("layer=7 did not run")

    for again, words in {
        missing: "layer=7 did not run",
        lambda *_: float("nan"): "same answer",
    }.items():
        assert words in on_trial(handed_in, again).message


@pytest.mark.slow
def test_each_wrong_answer_is_told_its_cause():
    for answer in TRIAL.answers()[0]:
        told = passes(TRIAL, answer.code)
        assert (answer.cause in told) == (answer.kind != "right"), (answer.cause, told)


@pytest.mark.slow
def test_the_notebook_runs():
    run_without_hidden_tests("A7")
