"""A claim on trial: patches beside their controls, measured again, and what was told of them."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from seqviz.checks.calling import call
from seqviz.checks.verdict import Refused, Verdict

PARTS = ("claim", "patches", "controls", "finding")
TEXTS, PLACE = ("text", "other"), ("layer", "head", "token")
ROW = (*TEXTS, *PLACE, "effect")
LEAST, MOST = 10, 60  # pairs of texts
CLOSE = 2e-3  # by which an effect may be rounded
NOTHING = 1e-6  # an effect that rounding alone makes
Rows = Sequence[Mapping]


def on_trial(student: Callable, again: Callable[..., float]) -> Verdict:
    """Check a claim that was tested by patches, each with its control.

    Parameters
    ----------
    student : callable
        Takes nothing, gives a dict: "claim", a sentence that names the place, as in "head 1.2" or
        "layer 0"; "patches" and "controls", as many rows; "finding", whether the patches do more
        than the controls. A row is a dict of "text", "other", "layer", "head" (None for a state),
        "token" and "effect".
    again : callable
        Takes a row's text, other, layer, head and token, and measures its effect.

    Returns
    -------
    Verdict
        An honest "no" passes as a "yes" does.

    Examples
    --------
    >>> found = on_trial(lambda: {"claim": "Head 1.2 writes the word."}, again=lambda *row: 0.5)
    >>> print(found.message.partition(": expected")[0])
    trial: the answer has no patches, controls, finding
    """
    try:
        claim, patches, controls, finding = _handed_in(call(student))
        _check_claim(claim, patches)
        _check_controls(patches, controls)
        effects = [
            _measured(name, rows, again)
            for name, rows in zip(PARTS[1:3], (patches, controls), strict=True)
        ]
        return Verdict(True, f"trial: {_judged(*effects, finding)}")
    except Refused as refusal:
        return Verdict(False, f"trial: {refusal}")


# ---- what was handed in
def _handed_in(found) -> tuple[str, Rows, Rows, bool]:
    parts = [_named(found, PARTS, "the answer")[name] for name in PARTS]
    claim, *sides, finding = parts
    if not isinstance(claim, str) or type(finding) is not bool:
        raise Refused("claim must be a sentence, and finding True or False.")
    for name, rows in zip(PARTS[1:3], sides, strict=True):
        if not isinstance(rows, list | tuple) or not LEAST <= len(rows) <= MOST:
            raise Refused(f"{name} must be a list of {LEAST} to {MOST} rows, a pair of texts each.")
        for k, row in enumerate(rows):
            _check_row(f"{name}[{k}]", _named(row, ROW, f"{name}[{k}]"))
    if len(sides[0]) != len(sides[1]):
        raise Refused(
            f"{len(sides[0])} patches have {len(sides[1])} controls: give each one its own."
        )
    return claim, *sides, finding


def _named(found, names: Sequence[str], where: str) -> Mapping:
    missing = [name for name in names if not isinstance(found, Mapping) or name not in found]
    if missing:
        raise Refused(
            f"{where} has no {', '.join(missing)}: expected a dict of {', '.join(names)}."
        )
    return found


def _check_row(where: str, row: Mapping) -> None:
    numbers = {"token": row["token"]} | {
        name: row[name]
        for name, instead in (("layer", "embeddings"), ("head", None))
        if row[name] != instead
    }
    for name, number in numbers.items():
        if type(number) is not int or number < 0:
            raise Refused(f"{where}: {name} must be a number from 0, got {number!r:.40}.")
    texts = [row[name] for name in TEXTS]
    if not all(isinstance(text, str) for text in texts) or texts[0] == texts[1]:
        raise Refused(f"{where}: text and other must be two texts.")
    if len(texts[0].split()) != len(texts[1].split()):
        raise Refused(
            f"{where}: text has {len(texts[0].split())} words and other {len(texts[1].split())}: "
            "make them equally long, so that a token stands for the same place in both."
        )


# ---- one claim, and one difference
def _check_claim(claim: str, patches: Rows) -> None:
    places = {(row["layer"], row["head"]) for row in patches}
    if len(places) > 1:
        raise Refused(
            f"the patches are in {len(places)} places: one claim is about one layer and head. The "
            "best place of each pair is picked by its number, and so is high by chance."
        )
    ((layer, head),) = places
    name = str(layer) if head is None else f"{layer}.{head}"
    if name not in claim:
        raise Refused(f"the claim must name the place of its patches, {name}, got {claim!r:.80}.")
    seen: dict[tuple, int] = {}
    for k, row in enumerate(patches):
        pair = row["text"], row["other"]
        if pair in seen:
            raise Refused(
                f"patches[{seen[pair]}] and patches[{k}] are of the same two texts, and count "
                "once: write another pair."
            )
        seen[pair] = k


def _check_controls(patches: Rows, controls: Rows) -> None:
    different = set()
    for k, (patch, control) in enumerate(zip(patches, controls, strict=True)):
        where = f"controls[{k}]"
        if any(patch[name] != control[name] for name in TEXTS):
            raise Refused(f"{where} is of other texts than its patch: take the same two.")
        names = [name for name in PLACE if patch[name] != control[name]]
        if not names:
            raise Refused(
                f"{where} is its patch once more: change one thing, the layer, head or token."
            )
        if len(names) > 1:
            raise Refused(
                f"{where} differs from its patch in {' and '.join(names)}, so nobody can tell "
                "which of them made the difference: change one of them only."
            )
        if None in (patch["head"], control["head"]) and names == ["head"]:
            raise Refused(
                f"{where} sets a whole state against a head: take a head for a head, a state for "
                "a state."
            )
        different.update(names)
    if len(different) > 1:
        raise Refused(
            f"the controls differ from their patches in {' or '.join(sorted(different))}, from "
            "pair to pair: change the same thing in all."
        )


# ---- numbers
def _measured(name: str, rows: Rows, again: Callable) -> np.ndarray:
    """The effects, measured again."""
    found = []
    for k, row in enumerate(rows):
        where = f"{name}[{k}]"
        try:
            effect = float(again(*(row[one] for one in (*TEXTS, *PLACE))))
            told = float(row["effect"])
        except (LookupError, RuntimeError, TypeError, ValueError) as error:
            raise Refused(
                f"{where} cannot be measured again: {str(error).splitlines()[0]}"
            ) from None
        if not np.isfinite(effect):
            raise Refused(f"{where}: both texts get the same answer: nothing can be carried over.")
        if not abs(told - effect) <= CLOSE:
            raise Refused(
                f"{where}: effect is {told:.3f}, measured again {effect:.3f}: hand in what the "
                "patch of this row gives when it runs, no other number."
            )
        found.append(effect)
    return np.array(found)


def _judged(effects: np.ndarray, controls: np.ndarray, finding: bool) -> str:
    """What the numbers say, refused where something else was told."""
    if np.abs(controls).max() < NOTHING:
        raise Refused(
            "no control moves anything: from there nothing reaches the answer, whatever is "
            "claimed. Take a control that could have moved it."
        )
    if np.abs(effects - 1).max() < NOTHING:
        raise Refused(
            "each patch carries all: it replaces the one other word, or the very state that "
            "answers. Take a place between them."
        )
    more = effects - controls
    mean, noise = more.mean(), 2 * more.std(ddof=1) / len(more) ** 0.5
    told = f"the patches do {mean:.3f} more than their controls, and two errors are {noise:.3f}"
    if finding and mean <= noise:
        raise Refused(
            f"{told}: that is within the noise, and no finding. Say finding=False, which counts "
            "as much, or test more pairs."
        )
    if not finding and mean > noise:
        raise Refused(f"{told}: that is a finding. Say finding=True.")
    word = "a finding" if finding else "no finding"
    return f"of {len(more)} pairs, measured again, {told}: {word}, as you say."
