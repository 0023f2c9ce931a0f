import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_states(step, X, h):
    states = []
    for x in X.flip(0):
        h = step(x, h)
        states.append(h)
    return torch.stack(states).flip(0)


def states_by_index(step, X, h):
    states = [None] * len(X)
    for t in range(len(X) - 1, -1, -1):
        states[t] = h = step(X[t], h)
    return torch.stack(states)


def read(step, X, h):
    return right_states(step, X.flip(0), h).flip(0)


def right_halves(ahead, back, X):
    return torch.cat([ahead(X)[0], back(X.flip(0))[0].flip(0)], dim=-1)


def right_names(tags):
    found, start, kind = set(), None, None
    for t, tag in enumerate([*tags, "O"]):
        if start is not None and tag != f"I-{kind}":
            found.add((kind, start, t))
            start = None
        if tag != "O" and start is None:
            start, kind = t, tag[2:]
    return found


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
        (checks.from_the_right, right_states),
        (checks.from_the_right, states_by_index),
        (checks.two_directions, right_halves),
        (checks.two_directions, halves_by_steps),
        (checks.bio_names, right_names),
        (checks.bio_names, names_by_mending),
        (checks.bio_names, names_one_by_one),
    ],
)
def test_right_answers_pass(check, answer):
    if answer is names_one_by_one:
        assert check(answer)
    else:
        accept(check, answer)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda step, X, h: right_states(step, X, h).flip(0), "order of reading"),
        (read, "reads from the left"),
        (lambda step, X, h: read(step, X, h).flip(0), "turned round"),
        (lambda step, X, h: right_states(step, X, 0 * h), "start h is not used"),
        (lambda step, X, h: torch.stack([step(x, h) for x in X]), "not carried"),
        (
            lambda step, X, h: torch.cat([right_states(step, X, h), h[None]]),
            "stands among the states",
        ),
        (lambda step, X, h: list(right_states(step, X, h)), "torch.stack makes one"),
        (
            lambda step, X, h: torch.cat([right_states(step, X, h)[1:], h[None]]),
            "the state before X[t]",
        ),
        (lambda step, X, h: right_states(step, X, h)[0], "expected"),
        (lambda step, X, h: right_states(step, X[:4], h), "has shape (4, 2), expected (6, 2)"),
        (lambda step, X, h: step(X, h), "step reads one row of X, (2,), and a state, (3,)"),
        (lambda step, X, h: [step(X[0], h) for _ in iter(int, 1)], "runs on: X has 4 rows"),
    ],
)
def test_a_wrong_reading_fails_with_its_cause(wrong, words):
    refuse(checks.from_the_right, wrong, words)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda a, b, X: torch.cat([a(X)[0], b(X.flip(0))[0]], -1), "not turned round again"),
        (lambda a, b, X: torch.cat([a(X)[0], b(X)[0]], -1), "turn X round"),
        (lambda a, b, X: torch.cat([a(X)[0], b(X)[0].flip(0)], -1), "read from the left, and"),
        (lambda a, b, X: torch.cat([b(X.flip(0))[0].flip(0), a(X)[0]], -1), "stands first"),
        (lambda a, b, X: a(X)[0] + b(X.flip(0))[0].flip(0), "are added"),
        (lambda a, b, X: torch.cat([a(X)[0], b(X.flip(0))[0].flip(0)], 0), "along time"),
        (lambda a, b, X: torch.cat([a(X)[0], b(X.flip(0))[0].flip(0)], 1), "along the batch"),
        (lambda a, b, X: torch.cat([a(X)[0], a(X.flip(0))[0].flip(0)], -1), "ahead is used twice"),
        (lambda a, b, X: right_halves(a, b, X[:, :2]), "expected (3, 4, 4)"),
        (lambda a, b, X: right_halves(a, b, X).squeeze(1), "one dimension too few"),
        (lambda a, b, X: right_halves(a, b, X)[:, :, :6], "expected (1, 3, 8)"),
    ],
)
def test_a_wrong_joining_fails_with_its_cause(wrong, words):
    refuse(checks.two_directions, wrong, words)


def strict(tags):
    kept, before = [], "O"
    for tag in tags:
        before = tag if tag[0] != "I" or before[1:] == tag[1:] else "O"
        kept.append(before)
    return right_names(kept)


def merging(tags):
    """A B- goes on with the name before it."""
    return right_names([tag.replace("B-", "I-") for tag in tags])


def through_o(tags):
    """An I- after an O goes on with the last name of its kind."""
    kinds, mended = {"O": "O"}, []
    for tag in tags:
        last = next((t for t in reversed(mended) if t != "O"), "O")
        gap = tag[0] == "I" and mended and mended[-1] == "O" and last[1:] == tag[1:]
        mended.append(kinds.get(tag, tag))
        if gap:
            mended[-2] = tag
    return right_names(mended)


def of_the_last_kind(tags):
    """An I- behind an I- is of the same name."""
    tags = [*tags]
    for t in range(1, len(tags)):
        if tags[t][0] == tags[t - 1][0] == "I":
            tags[t] = tags[t - 1]
    return right_names(tags)


def of_any_kind(tags):
    found, start = set(), None
    for t, tag in enumerate([*tags, "O"]):
        if start is not None and tag[0] != "I":
            found.add((tags[start][2:], start, t))
            start = None
        if start is None and tag != "O":
            start = t
    return found


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (strict, "is dropped"),
        (of_any_kind, "of another kind goes on"),
        (merging, "does not close"),
        (lambda tags: {n for n in right_names(tags) if n[2] < len(tags)}, "end of the sentence"),
        (lambda tags: {(k, a, e - 1) for k, a, e in right_names(tags)}, "one more"),
        (lambda tags: set(), "expected"),
        (lambda tags: {(k.lstrip("BI-"), a, e) for k, a, e in right_names(tags)}, "BIBLE"),
        (lambda tags: {(k, a, min(e, a + 3)) for k, a, e in right_names(tags)}, "('ORG', 0, 4)]."),
        (of_the_last_kind, '"B-LOC I-PER I-PER I-IDEA".split()) gives'),
        (lambda tags: {n for n in right_names(tags) if n[2] - n[1] > 1}, "one word are missing"),
        (lambda tags: ["PER"], "must give a set"),
        (lambda tags: {(k, float(a), e) for k, a, e in right_names(tags)}, "must give a set"),
        (through_o, '"B-PER O I-PER".split()) gives'),
    ],
)
def test_wrong_names_fail_with_their_cause(wrong, words):
    refuse(checks.bio_names, wrong, words)
