"""What the view shows, as rows of a table."""

from seqviz.pieces import together
from seqviz.views.generation.sentence import ROWS

HEADER = ["pane", "item", "token", "quantity", "value"]


def rows_on_screen(view) -> list[list]:
    """The text, the next token before and after decoding, and what the methods write."""
    rows = _of_text(view)
    if view.place is not None:
        rows += _of_next(view)
    return [HEADER, *rows, *(_of_runs(view) if view.compare else [])]


def _of_text(view) -> list[list]:
    """Rank and probability of each token, and the doubt before it."""
    ids = [*view.writer.prompt, *view.written]
    (names, _), rows = together([view.vocabulary.shown[k] for k in ids]), []
    for k, (doubt, rank, p) in enumerate(view.history(), len(ids) - len(view.history())):
        start = ["text", str(k + 1), names[k]]
        rows.append([*start, "doubt, bits", float(doubt)])
        rows.append([*start, "rank", float(rank)])
        rows.append([*start, "probability", float(p)])
    return rows


def _of_next(view) -> list[list]:
    place, kept, V = view.place, view.kept, len(view.vocabulary)
    rows = [["next", "", "", "doubt, bits", float(place.doubt)]]
    rows.append(["next", "", "", "kept tokens", float(kept.n)])
    rows.append(["next", "", "", "kept probability", float(kept.mass)])
    for r in range(min(ROWS, V)):
        start = ["next", str(r + 1), view.vocabulary.shown[int(place.ids[r])]]
        rows.append([*start, "model", float(place.p[r])])
        rows.append([*start, view.method, float(kept.after[r])])
    if V > ROWS:
        start = ["next", f"{V - ROWS} others", ""]
        rows.append([*start, "model", max(0.0, 1 - float(place.cumulated[ROWS - 1]))])
        rows.append([*start, view.method, max(0.0, 1 - float(kept.after[:ROWS].cumsum()[-1]))])
    return rows


def _of_runs(view) -> list[list]:
    """What each method writes, as far as the slider goes, and its two numbers."""
    rows = []
    for draw, _, run in view.beside():
        name = draw.method if draw.knob == 0 else f"{draw.method} {draw.knob:g}"
        words, _ = together([view.vocabulary.shown[i] for i in run.ids])
        for k, (word, rank, p) in enumerate(zip(words, run.ranks, run.p, strict=True), 1):
            start = [name, str(k), word]
            rows.append([*start, "rank", float(rank)])
            rows.append([*start, "probability", float(p)])
    return rows
