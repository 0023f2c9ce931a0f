"""Checks of notebook 18: a mean of the words, labels of word pieces, when not to answer."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare
from seqviz.checks.verdict import Verdict, check, ramp

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


@check
def word_mean(student: Callable) -> Verdict:
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
        tokens = mask.unsqueeze(2).double()
        ends = torch.stack([mask.argmax(1), mask.argmax(1) + mask.sum(1) - 1], dim=1)
        words = mask.scatter(1, ends, 0).unsqueeze(2).double()
        no_cls, no_sep = (mask.scatter(1, end, 0).unsqueeze(2) for end in ends.split(1, dim=1))
        expected = (h * words).sum(1) / words.sum(1)
        padding = 1 - tokens
        mistakes = {
            "padding is in the mean": h.mean(1),
            "the ends of the padded text are left out, not those of each text": h[:, 1:-1].mean(1),
            "[CLS] and [SEP] are in the mean": (h * tokens).sum(1) / tokens.sum(1),
            "[SEP] is in the mean": (h * no_cls).sum(1) / no_cls.sum(1),
            "[CLS] is in the mean": (h * no_sep).sum(1) / no_sep.sum(1),
            "[CLS] and [SEP] are left out of the sum, but counted": (h * words).sum(1)
            / tokens.sum(1),
            "the sum leaves padding out, but it is divided by all places": (h * words).mean(1),
            "this is the sum; divide it by the number of tokens": (h * words).sum(1),
            "it is divided by the words of the whole batch": (h * words).sum(1) / words.sum(),
            "this is the vector at the first place": h[:, 0],
            "the mask is the wrong way round: 1 is a token": (h * padding).sum(1) / padding.sum(1),
            "this is the largest number, not the mean": (
                h.masked_fill(words == 0, -torch.inf).amax(1)
            ),
            "the mean goes over the hidden numbers": h.mean(2),
        }
        answer = call(student, h=h, attention_mask=mask)
        asked = f"word_mean for {batch} texts of {time} places"
        compare(asked, answer, expected, mistakes)
    return Verdict(True, "word_mean: right for four batches.")


@check
def piece_labels(student: Callable) -> Verdict:
    """Check `piece_labels(words, tags)`: (time,), a label for each word piece.

    `words` is (time,), the number of the word that a piece belongs to, -1 for [CLS], [SEP] and
    padding; `tags` holds a number for each word. The first piece of a word gets its word's tag,
    every other place -100.

    Source: Devlin et al. (2019), 5.3.
    """
    for numbers, given in WORDS:
        words, tags = torch.tensor(numbers), torch.tensor(given)
        inside = words >= 0
        first = inside & (words != torch.cat([torch.tensor([-2]), words[:-1]]))
        last = inside & (words != torch.cat([words[1:], torch.tensor([-2])]))
        of_word = tags[words]

        def labelled(where: Tensor, tag: Tensor, rest: int = IGNORED) -> Tensor:
            return torch.where(where, tag, rest)

        mistakes = {
            "all pieces of a word are labelled: a word of three pieces would count three times": (
                labelled(inside, of_word)
            ),
            "the last piece of a word is labelled, not the first": labelled(last, of_word),
            "[CLS], [SEP] and padding have a label: number -1 takes the last tag": (
                labelled(first | ~inside, of_word)
            ),
            "what has no label must be -100, which cross_entropy ignores; 0 is a tag": (
                labelled(first, of_word, 0)
            ),
            "what has no label must be -100, which cross_entropy ignores": (
                labelled(first, of_word, -1)
            ),
            "a text may begin with a later word: the number in words says which tag": (
                labelled(first, tags[(first.cumsum(0) - 1).clamp(min=0)])
            ),
        }
        answer = call(student, words=words, tags=tags)
        asked = f"piece_labels with words {numbers}"
        compare(asked, answer, labelled(first, of_word), mistakes)
    return Verdict(True, "piece_labels: right for six texts.")


@check
def best_threshold_score(student: Callable) -> Verdict:
    """Check `best_threshold_score(margin, f1, has_answer)`: the best mean score, one number.

    A question is answered if its margin is above the threshold, and then scores its F1. If not, it
    scores 1 where there is no answer, and 0 where there is one.

    Source: Rajpurkar, Jia and Liang (2018), 4; Devlin et al. (2019), 4.3.
    """
    for question in QUESTIONS:
        margin, f1 = (torch.tensor(column, dtype=torch.float64) for column in question[:2])
        has_answer = torch.tensor(question[2])
        none = 1 - has_answer.double()  # what silence scores

        def score(answered: Tensor, f1: Tensor = f1, none: Tensor = none) -> Tensor:
            return torch.where(answered, f1, none).mean()

        candidates = torch.cat([margin.new_tensor([-torch.inf]), margin])
        found = torch.stack([score(margin > threshold) for threshold in candidates])
        one_by_one = [  # equal margins in the order of the list, and in the other
            torch.stack(
                [
                    score(torch.isin(torch.arange(len(margin)), ordered[count:]))
                    for count in range(len(margin) + 1)
                ]
            ).max()
            for ordered in (margin.argsort(stable=True), (-margin).argsort(stable=True).flip(0))
        ]
        mistakes = {
            "a threshold at which everything is answered is missing": found[1:].max(),
            "a threshold at which nothing is answered is missing": (
                found[candidates < margin.max()].max()
            ),
            "it is the score at threshold 0; look for the best threshold": score(margin > 0),
            "everything is answered: silence scores 1 where there is no answer": f1.mean(),
            "nothing is answered": none.mean(),
            "questions of equal margin are on the same side of every threshold": one_by_one[0],
            "questions of equal margin are answered together or not at all": one_by_one[1],
            "each question is given its best; there is one threshold for all": (
                torch.maximum(f1, none).mean()
            ),
            "this is the sum; give the mean": found.max() * len(margin),
            "this is the threshold; give the score": candidates[found.argmax()],
            "this is the worst threshold": found.min(),
        }
        answer = call(student, margin=margin, f1=f1, has_answer=has_answer)
        compare(f"best_threshold_score of {len(margin)} questions", answer, found.max(), mistakes)
    return Verdict(True, "best_threshold_score: right for seven sets of questions.")
