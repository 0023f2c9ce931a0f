"""Masking: the shares hold, whole words stay whole, marks stay, a seed decides."""

import math

import torch
from hypothesis import given
from hypothesis import strategies as st

import seqviz as sv
from tests.refusing import refused

PAD, CLS, SEP, MASK = SPECIAL = (0, 1, 2, 3)
WORDS = range(4, 500)
TOKENS = 1_000_000
SHARES = (0.8, 0.1, 0.1)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def masked(ids, seed=0, replacements=WORDS, **options):
    given = {"special": SPECIAL, "generator": generator(seed)} | options
    return sv.data.mask_tokens(ids, MASK, replacements, **given)


def texts(batch, time, seed=1):
    """Ids with [CLS] in front, [SEP] at the end and some padding behind it."""
    ids = torch.randint(4, 500, (batch, time), generator=generator(seed))
    ids[:, 0], ids[:, -3], ids[:, -2:] = CLS, SEP, PAD
    return ids


def within(count, share, of, errors=3):
    return abs(count - share * of) <= errors * math.sqrt(of * share * (1 - share))


def test_15_percent_are_chosen_and_shared_80_10_10():
    ids = torch.randint(4, 500, (2000, TOKENS // 2000), generator=generator(1))
    inputs, labels, fates = masked(ids)
    counts = fates.flatten().bincount(minlength=4).tolist()
    chosen = sum(counts[1:])
    assert within(chosen, 0.15, TOKENS)
    for count, share in zip(counts[1:], SHARES, strict=True):
        assert within(count, share, chosen)
    assert torch.equal(labels, torch.where(fates > 0, ids, -100))
    assert (inputs[fates == 1] == MASK).all()
    assert torch.isin(inputs[fates == 2], torch.tensor(WORDS)).all()
    same = (fates == 0) | (fates == 3)
    assert torch.equal(inputs[same], ids[same])
    ahead = (inputs - ids)[fates == 2] % len(WORDS)  # any of the others alike: 1 to 495, uniform
    assert (ahead > 0).all()
    counts = ahead.bincount(minlength=len(WORDS))[1:].double()
    expected, degrees = counts.sum() / len(counts), len(counts) - 1
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert abs(chi_square - degrees) <= 4 * math.sqrt(2 * degrees)


def test_marks_are_never_chosen_and_each_row_has_a_chosen_token():
    for time in (5, 12, 40):
        ids = texts(3000, time)
        inputs, labels, fates = masked(ids)
        marks = torch.isin(ids, torch.tensor(SPECIAL))
        assert (fates[marks] == 0).all()
        assert (labels[marks] == -100).all()
        assert torch.equal(inputs[marks], ids[marks])
        assert (fates > 0).any(1).all()
    empty = torch.tensor([[CLS, 7, 8, SEP], [CLS, SEP, PAD, PAD]])  # a row of marks alone
    assert (masked(empty).fates > 0).any(1).tolist() == [True, False]


def test_at_probability_0_one_token_of_each_row_is_chosen_and_at_1_all():
    ids = texts(2000, 9)
    one = masked(ids, probability=0).fates > 0
    assert (one.sum(1) == 1).all()
    for place, count in enumerate(one.sum(0).tolist()):  # each of 5 places alike
        assert count == 0 if place in (0, 6, 7, 8) else within(count, 0.2, 2000)
    everything = masked(ids, probability=1).fates > 0
    assert torch.equal(everything, ~torch.isin(ids, torch.tensor(SPECIAL)))
    for special in ((), SPECIAL):  # what is [MASK] already stays
        fates = masked(torch.tensor([5, MASK, 6]), probability=1, special=special).fates
        assert (fates > 0).tolist() == [True, False, True]


def test_a_share_of_1_is_the_only_fate():
    for fate in (1, 2, 3):
        fates = masked(texts(500, 20), shares=tuple(float(k == fate) for k in (1, 2, 3))).fates
        assert {*fates.unique().tolist()} == {0, fate}


# Whole words.


def numbered(lengths, time):
    """A row of words: [CLS], words of so many pieces, [SEP], padding."""
    numbers = [-1, *(k for k, length in enumerate(lengths) for _ in range(length)), -1]
    ids = [CLS, *range(10, 8 + len(numbers)), SEP]
    padding = time - len(ids)
    return ids + [PAD] * padding, numbers + [-1] * padding


rows = st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=8), min_size=1, max_size=5)


@given(rows, st.integers(0, 2**31), st.floats(0, 1))
def test_a_word_is_chosen_as_a_whole_and_shares_its_fate(rows, seed, probability):
    batch = [numbered(row, 34) for row in rows]
    ids, words = (torch.tensor(side) for side in zip(*batch, strict=True))
    inputs, _, fates = masked(ids, seed, words=words, probability=probability)
    for row in range(len(rows)):
        of = {}
        for word, fate in zip(words[row].tolist(), fates[row].tolist(), strict=True):
            of.setdefault(word, set()).add(fate)
        assert of.pop(-1) == {0}
        assert all(len(set_) == 1 for set_ in of.values())
        assert any(set_ != {0} for set_ in of.values())
    another = fates == 2
    assert (inputs[another] != ids[another]).all()
    later = torch.where(words >= 0, words + 10**9, -1)  # numbers need not begin at 0
    assert masked(ids, seed, words=later, probability=probability).fates.equal(fates)


def test_words_are_chosen_with_the_probability_whatever_their_length():
    batch = [numbered([1, 2, 3, 4] * 5, 52) for _ in range(5000)]
    ids, words = (torch.tensor(side) for side in zip(*batch, strict=True))
    fates = masked(ids, words=words).fates
    first = (words[0] >= 0) & (words[0] != words[0].roll(1))
    chosen = fates[:, first].flatten()
    rate = 0.15 + 0.85**20 / 20  # rows of 20 words, of which one is chosen at least
    assert within((chosen > 0).sum().item(), rate, len(chosen))
    for fate, share in zip((1, 2, 3), SHARES, strict=True):
        assert within((chosen == fate).sum().item(), share, (chosen > 0).sum().item())


def test_equal_numbers_in_two_rows_are_two_words():
    words = torch.tensor([[0, 1]] * 4000)
    chosen = masked(torch.full((4000, 2), 9), words=words, probability=0.5).fates > 0
    assert within((chosen[:, 0] & chosen[:, 1]).sum().item(), 0.25, 4000)
    assert within((chosen[:-1, 1] & chosen[1:, 0]).sum().item(), 0.625**2, 3999)
    inside = masked(torch.tensor([9, PAD, 8]), words=torch.tensor([0, 0, 0]), probability=1).fates
    assert inside[1] == 0  # a mark inside a word is not chosen
    assert inside[0] == inside[2] > 0


# What decides, and what is refused.


def test_the_generator_decides_and_the_ids_stay():
    ids, state = texts(8, 20), torch.get_rng_state()
    before = ids.clone()
    first, again, other = masked(ids, 3), masked(ids, 3), masked(ids, 4)
    for one, two in zip(first, again, strict=True):
        assert torch.equal(one, two)
    assert not torch.equal(first.fates, other.fates)
    assert torch.equal(state, torch.get_rng_state())
    assert torch.equal(ids, before)
    for one, two in zip(masked(ids[:1]), masked(ids[0]), strict=True):
        assert torch.equal(one[0], two)
    for others in ([*reversed(WORDS)], torch.tensor(WORDS), [*WORDS, *WORDS]):
        assert torch.equal(masked(ids, 3, others).inputs, first.inputs)


LINE = torch.tensor([CLS, 5, 6, SEP])


def test_wrong_input():
    def but(**change):
        given = {"ids": LINE, "mask_id": MASK, "replacements": WORDS, "special": SPECIAL}
        return lambda: sv.data.mask_tokens(**given | {"generator": generator()} | change)

    wrong = {
        "ids must be at least 0, got -1": but(ids=LINE - 2),
        "all are special.*leave out an empty": but(ids=torch.tensor([CLS, SEP, PAD])),
        r"words must have the shape of ids, \(4,\), got \(3,\)": but(words=LINE[:3]),
        "words must be at least -1, got -2": but(words=torch.tensor([0, 1, 2, -2])),
        r"neither \[MASK\] nor special.*0, 1, 2, 3\]": but(replacements=range(500)),
        r"at least two ids, got \[7\]": but(replacements=[7, 7]),
        "probability must lie between 0 and 1": but(probability=float("nan")),
        r"sum to 1.*got \(0\.8, 0\.1, 0\.2\)": but(shares=(0.8, 0.1, 0.2)),
    }
    refused(ValueError, wrong)
    wrong = {
        r"ids must be a torch\.long tensor .*, got list": but(ids=[1, 2]),
        "replacements must be a list of ids, got 9": but(replacements=9),
        r"generator must be a torch\.Generator, got 0": but(generator=0),
    }
    refused(TypeError, wrong)
