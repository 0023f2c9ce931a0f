"""Checks of notebook 15b: spans written as tags, scores by kind, the gradient of two tasks."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp

SPANS = (  # spans of a text, and its number of words
    ([("THE", 1, 4), ("PRO", 5, 6)], 7),
    ([("PRO", 0, 2), ("PRO", 2, 5), ("CON", 5, 6)], 6),
    ([("BIBLE", 5, 9), ("IDEA", 3, 5), ("Other", 0, 1)], 9),
    ([("PER", 4, 6), ("LOC", 0, 1)], 8),
    ([], 3),
)
SENTENCES = (  # predicted and true spans of each sentence
    (
        [
            [("THE", 0, 3), ("PRO", 5, 8), ("CON", 9, 12)],
            [("PRO", 0, 4), ("CON", 6, 9), ("PRO", 10, 12)],
            [],
        ],
        [
            [("THE", 0, 3), ("PRO", 5, 9), ("CON", 9, 11)],
            [("CON", 0, 4), ("CON", 6, 9)],
            [("THE", 2, 4)],
        ],
    ),
    (
        [[("PER", 0, 2), ("LOC", 4, 5)], [("PER", 0, 2)]],
        [[("PER", 0, 2), ("LOC", 4, 5), ("ORG", 6, 9)], [("LOC", 4, 5), ("LOC", 7, 8)]],
    ),
    (
        [[("PRO", 1, 4), ("THE", 5, 8)], [("CON", 0, 2)], []],
        [[("PRO", 1, 3), ("THE", 6, 8)], [], [("CON", 0, 2)]],
    ),
    ([[], []], [[("THE", 0, 2)], []]),
    ([[("THE", 1, 2)]], [[]]),
    ([[], []], [[], []]),
)
TASKS = ((5, 3, 2, 4, 1, 0.5), (4, 6, 3, 1, 2, 2.0), (7, 2, 5, 3, 4, 0.0))


@check("right for 5 texts, touching spans included.")
def to_tags() -> Cases:
    """Check `to_tags(triples, length)`: a list of BIO tags for a text of `length` words.

    `triples` holds spans (kind, start, end), where `end` is the index after the last word.

    Source: deck 001; Ramshaw and Marcus (1995).
    """
    for spans, length in SPANS:
        right = _written(spans, length)
        merged = [
            f"I-{tag[2:]}" if before != "O" and before[2:] == tag[2:] else tag
            for before, tag in zip(["O", *right], right, strict=False)
        ]
        slips = {
            "end is the index after the last word; here it got a tag too": (
                _written(spans, length, more=1)
            ),
            "the last word of each span is left out": _written(spans, length, more=-1),
            "the first word of a span is B-, not I-": _written(spans, length, first="I"),
            "only the first word of a span is B-, the others are I-": (
                _written(spans, length, rest="B")
            ),
            "a span that touches the one before begins with B- as well": merged,
            "words outside are O": ["" if tag == "O" else tag for tag in right],
            "the tags are the kinds alone: B- or I- stands before": [t[2:] or "O" for t in right],
            "there is a tag for each word, also behind the last span": (
                right[: max((end for _, _, end in spans), default=0)]
            ),
        }
        yield Case(f"({spans}, {length})", {"triples": spans, "length": length}, right, slips)


def _written(spans: list, length: int, first="B", rest="I", more=0) -> list[str]:
    """The tags, or those with a mistake."""
    tags = ["O"] * length
    for kind, start, end in spans:
        for t in range(start, min(end + more, length)):
            tags[t] = f"{first if t == start else rest}-{kind}"
    return tags


@check("right for 6 sets of sentences.")
def kind_scores() -> Cases:
    """Check `kind_scores(predicted, gold, kinds)`: precision, recall and F1 of each kind.

    `predicted` and `gold` hold a list of triples (kind, start, end) for each sentence, `kinds`
    names. All sentences count together. What would be divided by 0 is 0.

    Source: deck 001; Tjong Kim Sang and De Meulder (2003).
    """
    for predicted, gold in SENTENCES:
        both = predicted, gold
        kinds = sorted({s[0] for two in both for one in two for s in one} | {"MISC"})
        right = _scores(kinds, predicted, gold)
        P, R, _ = right
        no_kind, no_start, no_end = (
            _scores(kinds, *([[cut(s) for s in one] for one in two] for two in both))
            for cut in (lambda s: (None, *s[1:]), lambda s: s[::2], lambda s: s[:2])
        )
        single = [_scores(kinds, [a], [b]) for a, b in zip(predicted, gold, strict=True)]
        slips = {
            "each kind is counted alone; here all are counted together": no_kind,
            "the start must agree, too": no_start,
            "the end must agree, too": no_end,
            "the same span in another sentence is another span": (
                _scores(kinds, *([[s for one in two for s in one]] for two in both))
            ),
            "count over all sentences, then divide once; this is a mean over sentences": (
                torch.stack(single).mean(0)
            ),
            "precision and recall are exchanged": right[[1, 0, 2]],
            "F1 is the harmonic mean, not the half of the sum": torch.stack([P, R, (P + R) / 2]),
        }
        given = {"predicted": predicted, "gold": gold, "kinds": kinds}
        slips = {text: tuple(slip) for text, slip in slips.items()}
        right = dict(zip(("precision", "recall", "F1"), right, strict=True))
        yield Case(f" of {len(gold)} sentences", given, right, slips)


def _scores(kinds: list, *both: list) -> Tensor:
    """Precision, recall, F1 of each kind, (3, kinds); a kind that is None is every one."""
    found = []
    for kind in kinds:
        P, T = (
            {(k, s) for k, one in enumerate(two) for s in one if s[0] in (kind, None)}
            for two in both
        )
        n, p, t = len(P & T), max(len(P), 1), max(len(T), 1)
        found.append((n / p, n / t, 2 * n / max(len(P) + len(T), 1)))
    return torch.tensor(found, dtype=torch.float64).T


@check("right for three sizes, lam = 0 included.")
def joint_gradients() -> Cases:
    """Check `joint_gradients(x, y, z, W, u, v, lam)`: the gradients of H for W, u and v.

    h = x W is shared. F is half the sum of the squares of h u - y, G that of h v - z, and
    H = F + lam G. x is (n, d), W (d, k), u (k, p), v (k, q), y (n, p), z (n, q).

    Source: deck 001, multi-objective loss and parameter sharing; Caruana (1993).
    """
    for n, d, k, p, q, lam in TASKS:
        x, y, z, W = ramp(n, d), (3 * ramp(n, p)).sin(), (5 * ramp(n, q)).cos(), ramp(d, k).cos()
        u, v = (4 * ramp(k, p)).sin(), (2 * ramp(k, q) + 1).sin()
        h = x @ W
        off, other = h @ u - y, h @ v - z
        F, G = x.T @ off @ u.T, x.T @ other @ v.T
        of_u, of_v = h.T @ off, h.T @ other
        slips = {
            "gradient of W": {
                "only F has reached the shared layer; lam G adds its part": F,
                "only lam G has reached the shared layer; F adds its part": lam * G,
                "the part of G is to be multiplied by lam": F + G,
                "both parts are multiplied by lam; F is not": lam * (F + G),
                "the mean of both is taken; H is a sum": (F + lam * G) / 2,
                "the shared layer's gradient goes through u and v": x.T @ h,
            },
            "gradient of u": {
                "lam stands before G; the head of F does not feel it": lam * of_u,
                "h must be transposed from the left": off.T @ h,
                "the mean over the texts is taken; F is a sum": of_u / n,
            },
            "gradient of v": {
                "the head of G feels lam, too": of_v,
                "lam comes in once, not twice": lam**2 * of_v,
                "the mean over the texts is taken; G is a sum": lam * of_v / n,
            },
        }
        given = {"x": x, "y": y, "z": z, "W": W, "u": u, "v": v, "lam": lam}
        right = dict(zip(slips, (F + lam * G, of_u, lam * of_v), strict=True))
        yield Case(f" at lam = {lam:g}", given, right, by_part(slips))
