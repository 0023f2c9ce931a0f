"""The sentence over the view, made from the numbers on screen; sentence.js says the same."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from seqviz.views.generation.decoding import Kept, kept_at
from seqviz.views.shared.wording import readable

LETTERS = 20  # of a token
ROWS = 12  # tokens that stand by name
ALIKE = 1.5  # two counts that differ by less are about the same
HOT, COLD = 1.5, 0.5  # temperatures with a word of their own
SPREAD = 0.5  # of the probability in the tail: then it babbles


def chance(p: float) -> str:
    """A probability, never a round 0 or 1 for one that is not."""
    if 0 < p < 0.0005:
        return "<0.001"
    if 0.995 <= p < 1:
        return ">0.99"
    digits = "0.001" if 0 < p < 0.0095 else "0.01"
    return str(Decimal(float(p)).quantize(Decimal(digits), ROUND_HALF_UP))


def bits(doubt: float) -> str:
    """Bits of doubt with one decimal."""
    return str(Decimal(float(doubt)).quantize(Decimal("0.1"), ROUND_HALF_UP))


def shown(token: str, most: int = LETTERS) -> str:
    """A token with a mark for each blank at its ends."""
    bare = token.strip(" ")
    if not bare:
        return readable(token, most)
    start = len(token) - len(token.lstrip(" "))
    end = len(token) - len(token.rstrip(" "))
    return readable("␣" * start + bare + "␣" * end, most)


def quoted(token: str) -> str:
    """A token in quotes."""
    return f"“{shown(token)}”"


def period(ids: Sequence[int]) -> tuple[int, int] | None:
    """The end of a text that goes round: its shortest period, and where the first round begins.

    Two whole rounds must stand there.
    """
    for size in range(1, len(ids) // 2 + 1):
        start = len(ids) - size
        while start > 0 and ids[start - 1] == ids[start - 1 + size]:
            start -= 1
        if len(ids) - start >= 2 * size:
            return size, start
    return None


def headline(view) -> str:
    """The sentence for a view of `generation`, as the page writes it."""
    if view.place is None:
        return f"Here the model stops: {view.problem}"
    here, following, V = view.kept, view.following, len(view.vocabulary)
    word = quoted(view.vocabulary.shown[int(view.place.ids[view.focus - 1])])
    if view.method == "greedy":
        return _greedy(view)
    if view.method == "sample":
        return _sample(view, V)
    if view.method == "temperature":
        return _temperature(view, here)
    after = following and kept_at(following, view.method, view.knob, V)
    if view.method == "top-k":
        return _top_k(int(view.knob), here, after, word, V)
    return _nucleus(view.knob, here, after, word, V)


def tokens(n: int) -> str:
    """So many tokens."""
    return f"{n:,} token{'s' * (n != 1)}"


def _greedy(view) -> str:
    first = quoted(view.vocabulary.shown[int(view.place.ids[0])])
    start = f"Greedy takes {first} ({chance(view.place.p[0])}) and always the first: "
    found = period(view.greedy_run.ids)
    if found is None:
        return start + "no luck, so every run is the same."
    size, at = found
    same = "the same token" if size == 1 else f"the same {size} tokens"
    return f"{start}from the prompt it repeats {same} from token {at + 1} on."


def _tail(place) -> float:
    return max(0.0, 1 - float(place.cumulated[ROWS - 1]))


def _sample(view, V: int) -> str:
    doubt = bits(view.place.doubt)
    if V <= ROWS:
        start = f"Plain sampling draws from all {tokens(V)}, as the model says"
        return f"{start}: {doubt} bits of doubt."
    named = view.place.p[ROWS:]
    first = f", the likeliest of them {chance(named[0])}" if len(named) else ""
    return (
        f"Plain sampling cuts nothing: the {tokens(V - ROWS)} below rank {ROWS} have "
        f"{chance(_tail(view.place))} together{first}."
    )


def _temperature(view, here: Kept) -> str:
    T, place = view.knob, view.place
    if T == 1:
        doubt = f"{bits(place.doubt)} bits of doubt"
        return f"Temperature 1 leaves the model as it is: {doubt}, no cut."
    before, after = chance(place.p[0]), chance(here.after[0])
    if T < 1:
        end = ", nearly greedy." if T < COLD else ", and thins out the tail."
        first = quoted(view.vocabulary.shown[int(place.ids[0])])
        return f"Temperature {T:.1f} feeds the first: {first} from {before} to {after}{end}"
    if len(view.vocabulary) <= ROWS:
        return f"Temperature {T:.1f} flattens: the first goes from {before} to {after}."
    rest = max(0.0, 1 - float(here.after[:ROWS].sum()))
    end = ", so it babbles." if T > HOT and rest > SPREAD else "."
    return (
        f"Temperature {T:.1f} feeds the tail: the tokens below rank {ROWS} go from "
        f"{chance(_tail(place))} to {chance(rest)}{end}"
    )


def _top_k(k: int, here: Kept, after: Kept | None, word: str, V: int) -> str:
    if k == V:
        return f"k = {k} keeps all {tokens(V)}: nothing is cut, this is plain sampling."
    start = f"k = {k} keeps {chance(here.mass)} of the probability here"
    then = f", {chance(after.mass)} after {word}" if after else ""
    return f"{start}{then}: top-k cuts by rank, whatever the doubt."


def _nucleus(p: float, here: Kept, after: Kept | None, word: str, V: int) -> str:
    if here.n == V:
        return f"p = {p:.2f} keeps all {tokens(V)}: nothing is cut, this is plain sampling."
    start = f"p = {p:.2f} keeps {here.n:,} of {tokens(V)} here"
    if after is None:
        return f"{start}: the fewest that have p together, so the doubt decides."
    many, few = max(here.n, after.n), min(here.n, after.n)
    if many < ALIKE * few:
        end = "about the same doubt, about as many tokens."
    else:
        end = "nucleus follows the model’s doubt, top-k does not."
    return f"{start}, {after.n:,} after {word}: {end}"
