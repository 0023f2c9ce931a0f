"""What the answers of a class say: who gained how much, and how far chance alone gets."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from seqviz.kit.inventory import items, version

ARMS = ("text", "view")
DRAWS = 10_000
FEWEST = 5  # students in an arm
RARE = 0.05  # a share of shuffles: what is rarer is called a difference


@dataclass(frozen=True)
class Result:
    """Gains by arm, in shares of the questions, and their difference, view minus text.

    Attributes
    ----------
    before, after, count : dict of str to float
        Mean shares of right answers, and students, by arm.
    difference : float
        Of the mean gains.
    interval : tuple of float
        Where it lies in 95 % of classes drawn from this one.
    chance : float
        How often shuffled arms differ as much, either way.
    rows : list
        By question: its text, shares right before and after by arm, and the wrong option that
        is chosen most often after, with its cause.
    draws : int
        Of shuffled arms.
    """

    before: dict[str, float]
    after: dict[str, float]
    count: dict[str, int]
    difference: float
    interval: tuple[float, float]
    chance: float
    rows: list[list]
    draws: int

    def __str__(self) -> str:
        """The report."""
        lines = [
            f"{arm}: {self.count[arm]} students, {self.before[arm]:.2f} right before, "
            f"{self.after[arm]:.2f} after"
            for arm in ARMS
        ]
        low, high = self.interval
        told = "a difference" if self.chance < RARE else "no difference shown"
        lines.append(
            f"view minus text: {self.difference:+.2f} of the questions, in 95 % of classes drawn "
            f"from this one {low:+.2f} to {high:+.2f}; shuffled arms differ as much in "
            f"{100 * self.chance:.1f} % of {self.draws:,} draws: {told}"
        )
        return "\n".join(lines)


def read(files: Iterable[Path]) -> tuple[list[str], np.ndarray]:
    """Return the arm of each student, and choices (student, before or after, question).

    Raises
    ------
    ValueError
        If a file is not an export of the lesson, of other questions, or of a student who is there
        already; names it.
    """
    arms, choices, codes = [], [], {}
    for file in files:
        try:
            one = json.loads(Path(file).read_text(encoding="utf-8"))
            code, arm, kind = str(one["code"]), one["arm"], one["version"]
            chosen = np.array([one["before"], one["after"]], dtype=int)
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            raise ValueError(f"{file}: not an export of the lesson ({problem})") from problem
        if kind != version():
            raise ValueError(f"{file}: answers to other questions ({kind}, not {version()})")
        most = [len(item.options) for item in items()]
        if chosen.shape != (2, len(most)) or (chosen < 0).any() or (chosen >= most).any():
            raise ValueError(f"{file}: wants an option for each of {len(most)} questions, twice")
        if arm not in ARMS:
            raise ValueError(f"{file}: arm must be one of {', '.join(ARMS)}, got {arm!r}")
        if code in codes:
            raise ValueError(f"{file}: the same student as {codes[code]}; remove one of the two")
        codes[code] = file
        arms.append(arm)
        choices.append(chosen)
    return arms, np.array(choices)


def analysed(files: Iterable[Path], seed: int = 0, draws: int = DRAWS) -> Result:
    """Compare what the two arms of a class have gained.

    Parameters
    ----------
    files : iterable of Path
        The exports, one a student.
    seed, draws : int
        Of the draws, and how many of each kind.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        As `read`; if an arm has fewer than five students.
    """
    arms, choices = read(files)
    count = {arm: arms.count(arm) for arm in ARMS}
    if few := [arm for arm in ARMS if count[arm] < FEWEST]:
        raise ValueError(f"the arm {few[0]!r} has {count[few[0]]} students, wants {FEWEST}")
    right = choices == [item.right for item in items()]  # (student, before or after, question)
    view = np.array(arms) == "view"
    gain = right[:, 1].mean(1) - right[:, 0].mean(1)
    generator = np.random.default_rng(seed)
    shuffled = [_apart(gain, generator.permutation(view)) for _ in range(draws)]
    drawn = [
        generator.choice(gain[view], view.sum()).mean()
        - generator.choice(gain[~view], (~view).sum()).mean()
        for _ in range(draws)
    ]
    difference = _apart(gain, view)
    of = {arm: right[view == (arm == "view")].mean((0, 2)) for arm in ARMS}
    return Result(
        before={arm: float(of[arm][0]) for arm in ARMS},
        after={arm: float(of[arm][1]) for arm in ARMS},
        count=count,
        difference=float(difference),
        interval=tuple(float(x) for x in np.quantile(drawn, [0.025, 0.975])),
        chance=float(np.mean(np.abs(shuffled) >= abs(difference) - 1e-12)),
        rows=_by_question(right, choices, view),
        draws=draws,
    )


def _apart(gain: np.ndarray, view: np.ndarray) -> float:
    return gain[view].mean() - gain[~view].mean()


def _by_question(right: np.ndarray, choices: np.ndarray, view: np.ndarray) -> list[list]:
    rows = []
    for k, item in enumerate(items()):
        shares = [
            round(float(right[arm, when, k].mean()), 3) for arm in (~view, view) for when in (0, 1)
        ]
        wrong = [option for option in choices[:, 1, k] if option != item.right]
        usual = item.options[np.bincount(wrong).argmax()] if wrong else ""
        rows.append([item.question, *shares, usual, item.slips.get(usual, "")])
    return rows
