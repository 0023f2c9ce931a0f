"""The sentences over a film of steps, from the numbers on screen; sentence.js says the same."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from seqviz.views.regions.films import Film
from seqviz.views.shared.wording import readable

LETTERS = 24  # of a word or a name
PLACE = 0.5  # of the weight, from which on the place is right
ALIKE = 0.5  # of the weight that two words share, from which on it is one place
FEW = 0.25  # of the regions, up to which half of the weight lies in a few
SEEN, WRITTEN = 0.2, 0.002  # of a region, from which on it counts as seen, as written
COARSE = 2  # times the area of the last window, from which on the first one is wide


@dataclass(frozen=True)
class Focus:
    """Where the controls of a view stand; steps and regions count from 0, None is none."""

    at: int
    other: int | None
    region: int | None
    locked: bool


def portion(value: float) -> str:
    """A share with two decimals, never a round 0 or 1 for one that is not."""
    if 0 < value < 0.005:
        return "<0.01"
    if 0.995 <= value < 1:
        return ">0.99"
    return str(Decimal(float(value)).quantize(Decimal("0.01"), ROUND_HALF_UP) + Decimal(0))


def percent(value: float) -> str:
    """A share in whole per cent, never a round 0 or 100 for one that is not."""
    size = abs(float(value))
    if 0 < size < 0.005:
        return "<1 %"
    if 0.995 <= size < 1:
        return ">99 %"
    whole = Decimal(100 * size).quantize(Decimal(1), ROUND_HALF_UP)
    return f"{'−' if value < 0 else ''}{whole} %"


def named(text: str) -> str:
    """A name as people read it."""
    return readable(text, LETTERS)


def called(film: Film, k: int) -> str:
    """A word in quotes; one that comes twice has its place."""
    twin = film.words.count(film.words[k]) > 1
    return f"“{named(film.words[k])}”" + (f" (word {k + 1})" if twin else "")


def headline(film: Film, focus: Focus) -> str:
    """The sentence for a film, as the page writes it."""
    if focus.region is not None:
        return {"glimpses": _seen_there, "drawing": _written_there}.get(film.kind, _attended_there)(
            film, focus
        )
    pair = focus.other is not None
    if film.kind == "glimpses":
        return _two_glimpses(film, focus) if pair else _glimpse(film, focus.at)
    if film.kind == "drawing":
        return _two_canvases(film, focus) if pair else _canvas(film, focus.at)
    return _two_words(film, focus) if pair else _word(film, focus.at)


# ---- words


def _attended_there(film, focus: Focus) -> str:
    r = focus.region
    box = film.places[r]
    there = f" in the {named(list(film.boxes)[box])}" if box >= 0 else ""
    if focus.locked:
        weight = portion(film.regions[focus.at, r])
        return f"{called(film, focus.at)} puts {weight} of its weight on this region{there}."
    first, *rest = sorted(range(film.steps), key=lambda k: -film.regions[k, r])[:2]
    then = "".join(f", then {called(film, k)}, {portion(film.regions[k, r])}" for k in rest)
    most = f"{called(film, first)} attends to it most, {portion(film.regions[first, r])}"
    return f"This region{there}: {most}{then}."


def _two_words(film, focus: Focus) -> str:
    a, b = film.regions[focus.at].tolist(), film.regions[focus.other].tolist()
    shared = sum(map(min, a, b))
    place = "the same place" if shared > ALIKE else "different places"
    return (
        f"{called(film, focus.at)} and {called(film, focus.other)} attend to {place}: they share "
        f"{portion(shared)} of their weight."
    )


def _word(film, k: int) -> str:
    names = [named(list(film.boxes)[b]) for b in film.gold[k]]
    weights = [film.inside[k, b] for b in film.gold[k]]
    if k in film.wrong:
        return _wrong(film, k, names, weights)
    word = called(film, k)
    if not names:
        half = f"{film.half[k]} of {len(film.regions[k])}"
        if film.half[k] > FEW * len(film.regions[k]):
            return (
                f"{word} attends to no one place: half of its weight is spread over {half} regions."
            )
        return f"{word} attends to a few places: half of its weight lies in {half} regions."
    if len(names) > 1:
        parts = [f"{portion(w)} to the {name}" for w, name in zip(weights, names, strict=True)]
        return f"{word} attends with {', '.join(parts[:-1])} and {parts[-1]}."
    area = film.areas[film.gold[k][0]]
    where = f"to the {names[0]}" if weights[0] > area else "elsewhere"
    at = "inside it" if weights[0] > area else f"inside the {names[0]}"
    return (
        f"{word} attends {where}: {portion(weights[0])} of its weight lies {at}, "
        f"on {portion(area)} of the picture."
    )


def _wrong(film, k: int, names: list[str], weights: list) -> str:
    says, right = f"“{named(film.words[k])}”", f"“{named(film.wrong[k])}”"
    if not names:
        return f"Wrong word: it says {says}, right is {right}."
    weight = portion(weights[0])
    if weights[0] > PLACE:
        return (
            f"Right place, wrong word: {weight} of its weight lies inside the {names[0]}, yet it "
            f"says {says}."
        )
    return (
        f"Wrong word: it says {says}, right is {right}; {weight} of its weight lies inside the "
        f"{names[0]}."
    )


# ---- glimpses


def _seen_there(film, focus: Focus) -> str:
    seen = film.regions[:, focus.region]
    best = int(seen.argmax())
    if seen[best] < SEEN:
        return "This place: no glimpse sees it."
    return f"This place: glimpse {best + 1} sees {percent(seen[best])} of it."


def _says(film, k: int) -> str:
    return f"says {named(film.classes[film.best[k]])}: {portion(film.p[k, film.best[k]])}"


def _two_glimpses(film, focus: Focus) -> str:
    a, b = focus.at, focus.other
    return f"Glimpse {a + 1} {_says(film, a)}, glimpse {b + 1} {_says(film, b)}."


def _glimpse(film, k: int) -> str:
    best, share = film.best, percent(film.shares[k])
    p = portion(film.p[k, best[k]])
    wrong = film.label is not None and best[k] != film.label
    if k and best[k] != best[k - 1]:
        was, now = (named(film.classes[best[t]]) for t in (k - 1, k))
        end = f"; it is {named(film.classes[film.label])}" if wrong else ""
        change = f"Glimpse {k + 1} changes its mind: {was} becomes {now}, {p}"
        return f"{change}, with {share} of the pixels seen{end}."
    after = f"After {k + 1} glimpse{'s' * (k > 0)}, {share} of the pixels, it {_says(film, k)}"
    if not wrong:
        return f"{after}."
    surer = k > 0 and film.p[k, best[k]] > film.p[k - 1, best[k]]
    truth = named(film.classes[film.label])
    return f"{after}. {'Surer, not right: it' if surer else 'It'} is {truth}."


# ---- drawings


def _written_there(film, focus: Focus) -> str:
    written = film.regions[:, focus.region]
    best = int(written.argmax())
    if written[best] < WRITTEN:
        return "This place: no window has written here."
    return f"This place: window {best + 1} writes most of it."


def _two_canvases(film, focus: Focus) -> str:
    a, b = focus.at, focus.other
    done = [percent(film.done[t]) for t in (a, b)]
    return (
        f"From window {a + 1} to window {b + 1} the {film.goal} goes from {done[0]} to {done[1]}."
    )


def _canvas(film, k: int) -> str:
    n, gain = film.steps, film.gains[k]
    change = f"added {percent(gain)}" if gain >= 0 else f"took {percent(-gain)} away"
    areas = film.windows[[0, -1], 2].astype(float) * film.windows[[0, -1], 3].astype(float)
    coarse = areas[0] >= COARSE * areas[1] and film.gains[0] > gain >= 0
    if k == n - 1 and n > 1 and coarse:
        return f"Coarse first, detail last: the last of {n} windows {change}."
    return (
        f"After {k + 1} of {n} window{'s' * (n > 1)} {percent(film.done[k])} of the {film.goal} is "
        f"there: this one {change}."
    )
