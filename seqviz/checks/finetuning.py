"""Checks of notebook 18: a mean of the words, labels of word pieces, when not to answer."""

import torch
from torch import Tensor, cat, inf, where

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp

IGNORED = -100  # the label that torch's cross_entropy leaves out
WORDS = (  # word numbers of a text's pieces, tags of its words
    ([-1, 0, 1, 1, 2, 3, 3, 3, -1], [4, 2, 2, 5]),
    ([-1, 0, 1, 2, -1], [3, 1, 6]),
    ([-1, 0, 0, 1, -1, -1, -1], [5, 2]),
    ([-1, 2, 2, 3, 4, 4, -1], [6, 1, 3, 8, 2]),
    ([-1, 1, 2, 2, -1, -1], [9, 4, 0, 0]),
    ([-1, 5, 5, 6, 6, 6, -1, 8, -1], [0, 9, 1, 7, 2, 3, 3, 1, 3]),
)
QUESTIONS = (  # of each: score minus null score, F1 of the span, whether there is an answer
    ((2.0, 0.5, -1.0, 3.0, -2.5), (1.0, 0.375, 0.75, 0.0, 0.0), (True, True, True, False, False)),
    ((1.5, 1.5, 2.5, 4.0), (0.0, 1.0, 0.5, 0.75), (False, True, True, True)),
    ((-3.0, -1.0, -2.0), (0.25, 1.0, 0.5), (True, True, True)),
    ((0.5, 2.0, 1.0, 3.5, 0.25, 1.25), (0.0,) * 6, (False,) * 6),
    (
        (41.0002, -350.0, 41.0001, 40.9998, 900.0, 41.0003, 41.0),
        (0.75, 0.0, 0.0, 0.0, 1.0, 0.5, 0.0),
        (True, *[False] * 3, True, True, False),
    ),
    ((-250.5,), (0.5,), (True,)),
    ((-4.0, 2.5, -4.0, -4.0, -4.5), (1.0, 0.5, 0.0, 0.0, 0.0), (True, True, *[False] * 3)),
)


@check("right for four batches.")
def word_mean() -> Cases:
    """Check `word_mean(h, attention_mask)`: (batch, hidden), the mean of each text's vectors.

    `h` is (batch, time, hidden), `attention_mask` (batch, time), 1 at tokens and 0 at padding. The
    first token of a text is [CLS], the last is [SEP]; the mean leaves both out.

    Source: Reimers and Gurevych (2019), 3.
    """
    for rows, hidden in (
        ([[1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0]], 4),
        ([[1, 1, 1, 1], [1, 1, 1, 0]], 5),
        ([[0, 0, 1, 1, 1], [1, 1, 1, 1, 0], [0, 1, 1, 1, 1]], 3),
        ([[1, 1, 1, 1, 0, 0, 0, 0]], 2),
    ):
        mask = torch.tensor(rows)
        batch, time = mask.shape
        h = (5 * ramp(batch, time, hidden)).sin().float()
        ends = torch.stack([mask.argmax(1), mask.argmax(1) + mask.sum(1) - 1], dim=1)
        tokens, words = mask[..., None], mask.scatter(1, ends, 0)[..., None]
        no_cls, no_sep = (mask.scatter(1, end, 0)[..., None] for end in ends.split(1, dim=1))

        def mean(some: Tensor) -> Tensor:
            return (h * some.double()).sum(1) / some.sum(1)

        total = (h * words.double()).sum(1)
        slips = {
            "padding is in the mean": h.mean(1),
            "the ends of the padded text are left out, not those of each text": h[:, 1:-1].mean(1),
            "[CLS] and [SEP] are in the mean": mean(tokens),
            "[SEP] is in the mean": mean(no_cls),
            "[CLS] is in the mean": mean(no_sep),
            "[CLS] and [SEP] are left out of the sum, but counted": total / tokens.sum(1),
            "the sum leaves padding out, but it is divided by all places": total / time,
            "this is the sum; divide it by the number of tokens": total,
            "it is divided by the words of the whole batch": total / words.sum(),
            "this is the vector at the first place": h[:, 0],
            "the mask is the wrong way round: 1 is a token": mean(1 - tokens),
            "this is the largest number, not the mean": h.masked_fill(words == 0, -inf).amax(1),
            "the mean goes over the hidden numbers": h.mean(2),
        }
        given = {"h": h, "attention_mask": mask}
        yield Case(f" for {batch} texts of {time} places", given, mean(words), slips)


@check("right for six texts.")
def piece_labels() -> Cases:
    """Check `piece_labels(words, tags)`: (time,), a label for each word piece.

    `words` is (time,), the number of the word that a piece belongs to, -1 for [CLS], [SEP] and
    padding; `tags` holds a number for each word. The first piece of a word gets its word's tag,
    every other place -100.

    Source: Devlin et al. (2019), 5.3.
    """
    for numbers, given in WORDS:
        words, tags = torch.tensor(numbers), torch.tensor(given)
        inside, tag, other = words >= 0, tags[words], torch.tensor([-2])
        first = inside & (words != cat([other, words[:-1]]))
        last = inside & (words != cat([words[1:], other]))
        in_order = tags[(first.cumsum(0) - 1).clamp(min=0)]
        slips = {
            "all pieces of a word are labelled: a word of three pieces would count three times": (
                where(inside, tag, IGNORED)
            ),
            "the last piece of a word is labelled, not the first": where(last, tag, IGNORED),
            "[CLS], [SEP] and padding have a label: number -1 takes the last tag": (
                where(first | ~inside, tag, IGNORED)
            ),
            "what has no label must be -100, which cross_entropy ignores; 0 is a tag": (
                where(first, tag, 0)
            ),
            "what has no label must be -100, which cross_entropy ignores": where(first, tag, -1),
            "a text may begin with a later word: the number in words says which tag": (
                where(first, in_order, IGNORED)
            ),
        }
        right = where(first, tag, IGNORED)
        yield Case(f" with words {numbers}", {"words": words, "tags": tags}, right, slips)


@check("right for seven sets of questions.")
def best_threshold_score() -> Cases:
    """Check `best_threshold_score(margin, f1, has_answer)`: the best mean score, one number.

    A question is answered if its margin is above the threshold, and then scores its F1. If not, it
    scores 1 where there is no answer, and 0 where there is one.

    Source: Rajpurkar, Jia and Liang (2018), 4; Devlin et al. (2019), 4.3.
    """
    for question in QUESTIONS:
        margin, f1 = (torch.tensor(column, dtype=torch.float64) for column in question[:2])
        has_answer, count = torch.tensor(question[2]), len(margin)
        none = 1 - has_answer.double()  # what silence scores

        def score(answered: Tensor) -> Tensor:
            return where(answered, f1, none).mean()

        def one_by_one(order: Tensor) -> Tensor:
            """The best where questions of equal margin fall silent one after the other."""
            ranks = order.argsort()
            return torch.stack([score(ranks >= silent) for silent in range(count + 1)]).max()

        candidates = cat([margin.new_tensor([-torch.inf]), margin])
        found = torch.stack([score(margin > threshold) for threshold in candidates])
        best = found.max()
        slips = {
            "a threshold at which everything is answered is missing": found[1:].max(),
            "a threshold at which nothing is answered is missing": (
                found[candidates < margin.max()].max()
            ),
            "it is the score at threshold 0; look for the best threshold": score(margin > 0),
            "everything is answered: silence scores 1 where there is no answer": f1.mean(),
            "nothing is answered": none.mean(),
            "questions of equal margin are on the same side of every threshold": (
                one_by_one(margin.argsort(stable=True))
            ),
            "questions of equal margin are answered together or not at all": (
                one_by_one((-margin).argsort(stable=True).flip(0))
            ),
            "each question is given its best; there is one threshold for all": (
                torch.maximum(f1, none).mean()
            ),
            "this is the sum; give the mean": best * count,
            "this is the threshold; give the score": candidates[found.argmax()],
            "this is the worst threshold": found.min(),
        }
        given = {"margin": margin, "f1": f1, "has_answer": has_answer}
        yield Case(f" of {count} questions", given, best, slips)
