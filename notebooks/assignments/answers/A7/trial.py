"""Answers to trial: right ones, wrong ones, and a grader that is too weak."""

import seqviz as sv

FRAME = "the guest soon yawned beside our {} . the guest was tired with this [MASK] ."
JOBS = ["captain", "baker", "king", "butcher"]
PAIRS = [(FRAME.format(a), FRAME.format(b)) for a in JOBS for b in JOBS if a != b]
PERSON, MASK = 7, 15


def patched(text, other, layer, head, token):
    (_, x, _), (_, y, rec) = run(text), run(other)
    place = {"layer": layer, "head": head, "token": token}
    with sv.patch(speaker()[0], from_=rec, **place):
        effect = carried(x, y, run(text)[1])
    return {"text": text, "other": other, **place, "effect": effect}


def tried(claim, patch, control, finding, pairs=PAIRS):
    patches, controls = ([patched(*pair, *at) for pair in pairs] for at in (patch, control))
    return {"claim": claim, "patches": patches, "controls": controls, "finding": finding}


# %% weak
def weak(student) -> bool:
    found = student()
    sides = found["patches"], found["controls"]
    means = [sum(row["effect"] for row in rows) / len(rows) for rows in sides]
    return found["finding"] == (means[0] > means[1])


# %% right: a head, beside another head
def trial():
    return tried("Head 1.3 brings the goods to [MASK].", (1, 3, MASK), (1, 0, MASK), True)


# %% right: a state, beside that of another token
def trial():
    return tried("After layer 0 the person holds it.", (0, None, PERSON), (0, None, 4), True)


# %% right: an honest no
def trial():
    return tried("Head 1.0 brings the goods, more than 1.3.", (1, 0, MASK), (1, 3, MASK), False)


# %% right: rounded numbers
def trial():
    found = tried("Head 1.1 brings a fifth.", (1, 1, MASK), (1, 2, MASK), True)
    for row in found["patches"] + found["controls"]:
        row["effect"] = round(row["effect"], 3)
    return found


# %% wrong: hand in what the patch of this row gives when it runs
def trial():
    found = tried("Head 0.2 brings the goods.", (0, 2, MASK), (0, 1, MASK), True)
    for row in found["patches"]:
        row["effect"] = 0.8
    return found


# %% wrong: differs from its patch in layer and head
def trial():
    return tried("Head 1.3 brings the goods.", (1, 3, MASK), (0, 0, MASK), True)


# %% wrong: is its patch once more
def trial():
    return tried("Head 1.3 brings the goods.", (1, 3, MASK), (1, 3, MASK), False)


# %% wrong: no control moves anything
def trial():
    return tried("After layer 1 it is at [MASK].", (1, None, MASK), (1, None, PERSON), True)


# %% wrong: each patch carries all
def trial():
    place = "embeddings", None, PERSON
    return tried("The embeddings have it.", place, (0, None, PERSON), True)


# %% wrong: the claim must name the place of its patches
def trial():
    return tried("Some head brings the goods.", (1, 3, MASK), (1, 0, MASK), True)


# %% wrong: that is a finding
def trial():
    return tried("Head 1.3 does nothing.", (1, 3, MASK), (1, 0, MASK), False)


# %% wrong, subtle: within the noise, and no finding
def trial():
    return tried("Head 0.3 brings a little.", (0, 3, PERSON), (0, 0, PERSON), True)


# %% wrong, subtle: are of the same two texts
def trial():
    return tried("Head 1.3 brings it.", (1, 3, MASK), (1, 0, MASK), True, PAIRS[:2] * 5)


# %% wrong, subtle: is picked by its number, and so is high by chance
def trial():
    found = tried("Head 0.1 brings the goods.", (0, 1, PERSON), (0, 0, PERSON), True)
    for k, (text, other) in enumerate(PAIRS):
        rows = [patched(text, other, 0, head, PERSON) for head in range(1, 4)]
        found["patches"][k] = max(rows, key=lambda row: row["effect"])
    return found


# %% wrong, subtle: effect is 0.000, measured again
def trial():
    found = tried("Head 1.1 brings the goods.", (1, 1, MASK), (1, 3, MASK), True)
    for row in found["controls"]:
        row["effect"] = 0.0
    return found
