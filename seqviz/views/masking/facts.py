"""What a page is told of masked words before it gets any numbers."""

from collections.abc import Mapping

import numpy as np

from seqviz.pieces import Pieces, pieces_of
from seqviz.views.masking.draws import Draws
from seqviz.views.masking.values import Sentence


def told_of(sentences: Mapping[str, Sentence], marks: str) -> list[dict]:
    """Each sentence: its tokens, where it opens, and the part with its numbers."""
    return [
        {
            "part": name,
            "title": one.title,
            **told_of_pieces(one.pieces),
            "marks": marks,
            "special": list(one.special),
            "compared": one.guesses.compared,
            "opening": one.gains[0] + 1,
            "unread": one.unread,
            "written": list(one.written),
        }
        for name, one in sentences.items()
    ]


def told_of_pieces(found: Pieces) -> dict:
    """Tokens, where words begin, and how each token reads there."""
    return {
        "tokens": found.tokens,
        "starts": found.starts,
        "bare": found.bare,
        "letters": found.letters,
    }


def told_of_training(draws: Draws | None, rates: np.ndarray | None) -> dict | None:
    """The second pane: where its slider stops, the text and the rates of the hump."""
    hump = [] if rates is None else rates[:, 0].tolist()
    if draws is None:
        return {"rates": hump, "hump": hump, "draws": None} if hump else None
    text = {
        **told_of_pieces(pieces_of(draws.tokens, draws.special)),
        "special": list(draws.special),
        "shares": list(draws.shares),
        "counts": [len(fates) for fates in draws.fates.values()],
        "parts": [draws.part(rate) for rate in draws.fates],
    }
    return {"rates": list(draws.fates), "hump": hump, "draws": text}
