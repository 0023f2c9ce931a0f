"""What masked words show, as rows of a table."""

from seqviz.pieces import pieces_of
from seqviz.views.masking.draws import MASKED
from seqviz.views.masking.sentence import nearest, percent

HEADER = ["pane", "item", "token", "quantity", "value"]
FATES = ("masked", "replaced", "kept")


def rows_on_screen(view) -> list[list]:
    """Rows of what is on screen: guesses and attention, and the second pane if it is open."""
    rows = _of_guesses(view) if view.mask else _of_overview(view)
    return [HEADER, *rows, *(_of_training(view) if view.training else [])]


def _of_overview(view) -> list[list]:
    """The probability of each token where it alone is masked."""
    here = view.here
    return [
        ["overview", str(k + 1), here.pieces.tokens[k], name, float(here.guesses.truth[k, column])]
        for k in here.maskable
        for column, name in enumerate(view.names[: 1 + view.compared])
    ]


def _of_guesses(view) -> list[list]:
    """The best guesses, the true token with its ranks, the second model's favourite, attention."""
    answer, row, compared = view.answer, view.row, view.compared
    first, second = view.names
    tokens, true = view.vocabulary.shown, view.here.pieces.tokens[view.mask - 1]
    rows = []
    for place, (k, p, q) in enumerate(
        zip(answer.ids[row], answer.p[row], answer.q[row], strict=True), 1
    ):
        rows.append(["guess", str(place), tokens[k], first, float(p)])
        if compared:
            rows.append(["guess", str(place), tokens[k], second, float(q)])
    for column, name in enumerate(view.names[: 1 + compared]):
        rank = str(answer.ranks[row, column])
        rows.append(["true token", f"rank {rank}", true, name, float(answer.truth[row, column])])
    if compared:
        best, p = answer.best[row]
        rows.append(["best of the second", "rank 1", tokens[int(best)], second, float(p)])
    for label, weights in answer.attention.items():
        if label == view.head:
            rows += [
                ["attention", str(k), token, label or "weight", float(weight)]
                for k, (token, weight) in enumerate(
                    zip(view.here.pieces.tokens, weights[row], strict=True), 1
                )
            ]
    return rows


def _of_training(view) -> list[list]:
    """How many tokens became what, and how many are guessed right."""
    rows = []
    if view.draws:
        candidates, *counts = view.draws.counts(view.rate, view.draw)
        rows.append(["draws", "could be chosen", "", "count", float(candidates)])
        rows += [
            ["draws", name, "", "count", float(n)] for name, n in zip(FATES, counts, strict=True)
        ]
        last = zip(
            pieces_of(view.draws.tokens, view.draws.special).tokens,
            view.draws.fates[view.rate][view.draw - 1],
            view.draws.inputs[view.rate][view.draw - 1],
            strict=True,
        )
        for k, (token, fate, i) in enumerate(last, 1):
            if fate:
                read = "[MASK]" if fate == MASKED else view.vocabulary.shown[i]
                rows.append(["draw", str(k), token, f"{FATES[fate - 1]}: {read}", float(fate)])
    if view.rates is not None:
        here = nearest(view.rates, view.rate)
        for k, (rate, accuracy, error) in enumerate(view.rates.tolist()):
            item = "here" if k == here else ""
            rows.append(["accuracy", item, "", f"at {percent(rate)}", accuracy])
            rows.append(["accuracy", item, "", f"standard error at {percent(rate)}", error])
    return rows
