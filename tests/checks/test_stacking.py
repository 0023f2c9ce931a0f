import pytest
import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_states = of_lectures()["from_the_right"]
right_names = of_lectures()["bio_names"]


def states_by_index(step, X, h):
    states = [None] * len(X)
    for t in range(len(X) - 1, -1, -1):
        states[t] = h = step(X[t], h)
    return torch.stack(states)


def names_by_mending(tags):
    """Another right way, as a list: mend the tags, then look for each beginning."""
    tags = list(tags)
    for t, tag in enumerate(tags):
        if tag[0] == "I" and (t == 0 or tags[t - 1][1:] != tag[1:]):
            tags[t] = "B" + tag[1:]
    found = []
    for t, tag in enumerate(tags):
        if tag[0] == "B":
            end = t + 1
            while end < len(tags) and tags[end] == "I" + tag[1:]:
                end += 1
            found.append([tag[2:], t, end])
    return found


def halves_by_steps(ahead, back, X):
    """Each step runs alone, with the state of the one before."""
    rows = {}
    for net, order in ((ahead, range(len(X))), (back, reversed(range(len(X))))):
        state = None
        for t in order:
            out, state = net(X[t : t + 1], state)
            rows[net, t] = out[0]
    return torch.stack([torch.cat([rows[ahead, t], rows[back, t]], 1) for t in range(len(X))])


def names_one_by_one(tags):
    before, start = "O", None
    for t, tag in enumerate([*tags, "O"]):
        goes_on = tag[0] == "I" and before[1:] == tag[1:]
        if start is not None and not goes_on:
            yield before[2:], start, t
        start = start if goes_on else t if tag != "O" else None
        before = tag


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.from_the_right, states_by_index),
        (checks.two_directions, halves_by_steps),
        (checks.bio_names, names_by_mending),
        (checks.bio_names, names_one_by_one),
    ],
)
def test_right_answers_pass(check, answer):
    if answer is names_one_by_one:
        assert check(answer)
    else:
        accept(check, answer)


def test_a_wrong_reading_fails_with_its_cause():
    for wrong, words in (
        (lambda step, X, h: list(right_states(step, X, h)), "torch.stack makes one"),
        (lambda step, X, h: step(X, h), "step reads one row of X, (2,), and a state, (3,)"),
        (lambda step, X, h: [step(X[0], h) for _ in iter(int, 1)], "runs on: X has 4 rows"),
    ):
        refuse(checks.from_the_right, wrong, words)


def test_wrong_names_fail_with_their_cause():
    for wrong, words in (
        (lambda tags: {(k.lstrip("BI-"), a, e) for k, a, e in right_names(tags)}, "BIBLE"),
        (lambda tags: ["PER"], "must give a set"),
        (lambda tags: {(k, float(a), e) for k, a, e in right_names(tags)}, "must give a set"),
    ):
        refuse(checks.bio_names, wrong, words)
