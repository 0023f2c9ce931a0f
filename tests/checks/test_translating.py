import torch

from seqviz import checks
from seqviz.data.subwords import BEGIN, train_bpe
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_shift = of_lectures()["shifted_and_masked"]
right_merge = of_lectures()["merge_once"]


def shift_by_lists(target):
    rows = target.tolist()
    size = len(rows[0]) - 1
    mask = [[key > query for key in range(size)] for query in range(size)]
    return [[row[:-1] for row in rows], [row[1:] for row in rows], mask]


def noam_by_cases(step, d_model, warmup):
    if step < warmup:
        return torch.tensor(step / (d_model**0.5 * warmup**1.5), dtype=torch.float64)
    return (d_model * step) ** -0.5


def joined(pieces, pair):
    found = []
    for piece in pieces:
        if found and (found[-1], piece) == pair:
            found[-1] += piece
        else:
            found.append(piece)
    return found


def joined_from_the_left(pieces, pair):
    found, at = [], 0
    while at < len(pieces):
        width = 1 + (tuple(pieces[at : at + 2]) == pair)
        found.append("".join(pieces[at : at + width]))
        at += width
    return tuple(found)


def merge_from_the_left(words):
    best, _ = right_merge(words)
    return [list(best), tuple([joined_from_the_left(p, best), count] for p, count in words)]


def test_right_answers_pass():
    for check, answer in (
        (checks.shifted_and_masked, shift_by_lists),
        (checks.noam, noam_by_cases),
        (checks.merge_once, merge_from_the_left),
    ):
        accept(check, answer)


def test_a_mask_of_floats_is_named():
    def student(target):
        *answer, mask = right_shift(target)
        return [*answer, mask.float()]

    refuse(checks.shifted_and_masked, student, "holds floats")


def merged_with(change):
    def student(words):
        pair, merged = right_merge(words)
        return change(words, pair, merged)

    return student


def once_a_word(pieces, pair):
    for at in range(len(pieces) - 1):
        if tuple(pieces[at : at + 2]) == pair:
            return [*pieces[:at], "".join(pair), *pieces[at + 2 :]]
    return pieces


def replaced(words, pair, merged):
    """A replacement in a string does not see where a piece begins."""
    spaced, joint = " ".join(pair), "".join(pair)
    return pair, [(" ".join(p).replace(spaced, joint).split(), n) for p, n in words]


def most_common_unweighted(words, pair, merged):
    pair, _ = right_merge([(pieces, 1) for pieces, _ in words])
    return pair, [(joined(pieces, pair), count) for pieces, count in words]


def test_a_wrong_merge_is_named():
    for change, words in (
        (most_common_unweighted, "as often as it comes"),
        (lambda words, pair, merged: ("".join(pair), merged), "not yet joined"),
        (lambda words, pair, merged: (pair[::-1], merged), "wrong way round"),
        (lambda words, pair, merged: (("x", "q"), merged), "most often"),
        (lambda words, pair, merged: (pair, words), "not joined here"),
        (lambda words, pair, merged: (pair, merged[:-1]), "came back"),
        (replaced, "is another piece"),
        (lambda words, pair, merged: (pair, [([1, 2], 3)]), "a list of (pieces, count)"),
        (lambda words, pair, merged: (torch.ones(2), merged), "a tuple of two pieces"),
        (
            lambda words, pair, merged: (pair, [(once_a_word(p, pair), n) for p, n in words]),
            "wherever it stands",
        ),
        (lambda words, pair, merged: (pair, [(p, 1) for p, _ in merged]), "the count belongs"),
        (lambda words, pair, merged: (pair, [(p[:-1], n) for p, n in merged]), "letters are lost"),
    ):
        refuse(checks.merge_once, merged_with(change), words)


def test_a_merge_in_place_is_refused():
    def student(words):
        pair, merged = right_merge(words)
        words[:] = merged
        return pair, words

    refuse(checks.merge_once, student, "changed its input words in place")


def test_a_merge_is_that_of_the_tokenizer():
    """Where no two pairs come equally often: the exercise is the algorithm that sv.data runs."""
    texts = {"sun": 10, "run": 5, "rum": 12, "gum": 4, "suns": 5}
    words = [([BEGIN, *word], count) for word, count in texts.items()]
    bpe = train_bpe([[word] * count for word, count in texts.items()], merges=3)
    for pair in bpe.merges:
        found, words = right_merge(words)
        assert found == pair
