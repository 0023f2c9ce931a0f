"""Checks of notebook 12: a decoder layer with its cache, what a cache holds, a pair by ratio."""

from collections import Counter
from itertools import pairwise

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, check, slipped
from seqviz.checks.verdict import ramp

Layer = tuple[Tensor, Tensor, Tensor]


@check("right, output, keys and values, for five words.")
def next_word() -> Cases:
    """Check `next_word(x, past, memory, weights) -> (y, K, V)`: a decoder layer reads a word more.

    One head, no norm. `x` is (d,), the new word; `past` and `memory` are pairs (K, V), those of the
    words before, (t, d), and those of the source, (time, d); `weights` are the matrices W_q, W_k,
    W_v of self-attention, W_c of the cross-attention's query, W_1 and W_2 of the feed-forward net.

    Source: notebook 12; Vaswani et al. (2017), 3.1.
    """
    for t, time, d, width in ((2, 3, 4, 5), (0, 2, 3, 6), (4, 1, 2, 3), (1, 5, 6, 2), (3, 4, 5, 7)):
        past, memory = (
            tuple((3 * ramp(rows, d, low=low)).sin() for low in (-2.0, 1.5)) for rows in (t, time)
        )
        sizes = [(d, d)] * 4 + [(d, width), (width, d)]
        weights = [(5 * ramp(*size, low=k - 4)).cos() for k, size in enumerate(sizes)]
        given = {"x": (4 * ramp(d)).cos(), "past": past, "memory": memory, "weights": weights}
        right = dict(zip(("y", "K", "V"), _layer(**given), strict=True))
        yield Case(f" after {t} words", given, right, slipped(_layer, LAYER_SLIPS, given))


LAYER_SLIPS = {
    "unseen": "the new word attends to itself, too: its key and value come first into the cache",
    "alone": "the query attends to all the words so far, not to the new one alone",
    "kept": "give back the cache with the new word's key and value in it",
    "front": "the new word's key and value stand behind the others",
    "scale": "the scores are divided by the root of d",
    "shortcut": "self-attention adds to x",
    "early": "the query of cross-attention is made of what self-attention has left",
    "relu": "a ReLU stands between W_1 and W_2",
    "end": "the feed-forward net adds to what came before it",
}


def _layer(x: Tensor, past: Layer, memory: Layer, weights: list[Tensor], slip: str = "") -> Layer:
    """The layer's output and the grown cache, or what one mistake makes of them."""
    W_q, W_k, W_v, W_c, W_1, W_2 = weights
    root = 1 if slip == "scale" else len(x) ** 0.5

    def attended(q: Tensor, K: Tensor, V: Tensor) -> Tensor:
        return (K @ q / root).softmax(0) @ V

    own = [(x @ W)[None] for W in (W_k, W_v)]
    grown = [
        torch.cat([new, kept] if slip == "front" else [kept, new])
        for kept, new in zip(past, own, strict=True)
    ]
    y = attended(x @ W_q, *{"unseen": past, "alone": own}.get(slip, grown))
    y = y if slip == "shortcut" else x + y
    y = y + attended((x if slip == "early" else y) @ W_c, *memory)
    inside = y @ W_1
    more = (inside if slip == "relu" else inside.relu()) @ W_2
    return (more if slip == "end" else y + more, *(past if slip == "kept" else grown))


@check("right for four nets.")
def cache_size() -> Cases:
    """Check `cache_size(layers, d_model, source, written, width)`: the numbers that a cache holds.

    It is the cache of a decoder in beam search: `source` words are read, `written` words have been
    written by each of `width` hypotheses. What the source gives is kept once.

    Source: notebook 12, "One word at a time, with a cache".
    """
    for layers, d, source, written, width in (
        *((6, 512, 30, 25, 3), (2, 64, 12, 14, 1)),
        *((1, 10, 5, 3, 2), (3, 8, 7, 9, 5)),
    ):
        a_word = 2 * layers * d
        slips = {
            "a word has a key and a value": a_word // 2 * (source + width * written),
            "each layer keeps its own": 2 * d * (source + width * written),
            "the source's keys and values are kept, too": a_word * width * written,
            "the hypotheses share the source: it is kept once": a_word * width * (source + written),
            "each hypothesis has written words of its own": a_word * (source + written),
        }
        given = {"layers": layers, "d_model": d, "source": source, "written": written}
        right = a_word * (source + width * written)
        yield Case(f" of {layers} layers", given | {"width": width}, right, slips)


@check("right for four languages.")
def best_pair() -> Cases:
    """Check `best_pair(words, counts)`: the neighbours that come oftener than chance would have it.

    `words` are lists of pieces, `counts` how often each word comes. A pair's score is its count,
    divided by the counts of both its pieces, as WordPiece is often described.

    Source: deck 002, "Byte-pair encodings", changed; Schuster and Nakajima (2012).
    """
    for text in LANGUAGES:
        words, counts = zip(*(one.split(":") for one in text.split()), strict=True)
        words, counts = [word.split("+") for word in words], [*map(int, counts)]
        slips = {
            "this pair is the most frequent; divide by the counts of its pieces": (
                _pair(words, counts, lambda pair, left, right: pair)
            ),
            "divide by the product of the two counts, not by their sum": (
                _pair(words, counts, lambda pair, left, right: pair / (left + right))
            ),
            "divide by the counts of both pieces": (
                _pair(words, counts, lambda pair, left, right: pair / left)
            ),
            "a word counts as often as it comes": _pair(words, [1] * len(words)),
        }
        given = {"words": words, "counts": counts}
        yield Case(f" of {len(words)} words", given, _pair(words, counts), slips)


def _pair(words, counts, score=lambda pair, left, right: pair / (left * right)) -> list[str]:
    """The pair with the highest score of three counts: its own, and those of its pieces."""
    pairs, single = Counter(), Counter()
    for word, count in zip(words, counts, strict=True):
        for piece in word:
            single[piece] += count
        for pair in pairwise(word):
            pairs[pair] += count
    return [*max(pairs, key=lambda pair: score(pairs[pair], *(single[one] for one in pair)))]


LANGUAGES = (  # pieces of words, and how often a word comes; the best pair is one alone
    "b+c:17 b+c+a+d:9 b+b+b:14 b+c+a+c:20 c+b+d:11 c+d+a+d:2",
    "r+o+e:3 l+l+s+t:1 e+t:5 t+l+r+e:11 s+r+w+r+e:3 s+t+w+w+e:12",
    "re+t+re+re+n:5 t+he+re:1 n+re+re:8 re+n+re+t:17 re+re+re:10",
    "t+n+n+t+t:4 he+t+n+re:17 he+he:17 he+re+t+he:18 re+t+t+re+he:4",
)
