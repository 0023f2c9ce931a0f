"""Causes: what is no place, no head, no pair of texts is refused by name, and the view stays."""

import pytest

from tests.views.views import small_cause

CARRIED = {
    "stage: expected 0 to 1, came 5": {"stage": 5, "token": 1},
    "token: expected 0 to": {"stage": 1, "token": 99},
    "stream: expected 0 to 0": {"stage": 1, "token": 1, "stream": 1},
    "expected a dict with stage and token": {"token": 1},
    "attention 3 is not in the block before stage 1": {"stage": 1, "token": 1, "head": (3, 0)},
    "head: expected 0 to 1, came 7": {"stage": 1, "token": 1, "head": (0, 7)},
    "a head stays in its block": {"stage": 1, "token": 1, "head": (0, 1), "from_stage": 0},
    "has no 'to'": {"stage": 1, "token": 1, "to": 2},
}
TEXTS = {
    "texts: expected two strings": (["he"], ["he", "sat", "he"], "he", ["he", 3], None),
    "other: is empty": (["he", " "],),
    "text: is empty": (["", "he"],),
}


def test_what_cannot_be_carried_or_read_is_refused_by_name():
    view = small_cause()
    before, texts = view.carried, view.texts
    for message, one in CARRIED.items():
        with pytest.raises(Exception, match=message):
            view.carried = [one]
    for message, wrong in TEXTS.items():
        for one in wrong:
            with pytest.raises((TypeError, ValueError), match=message):
                view.texts = one
    with pytest.raises(ValueError, match="seed: expected 0 to 10000"):
        view.seed = -1
    assert (view.carried, view.texts) == (before, texts)
    view.texts = ["he", "he sat"]
    assert view.carried == [] or view.carried[0]["token"] < len(view.facts["tokens"][0]["source"])
