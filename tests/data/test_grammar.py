from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest

import seqviz as sv
from seqviz.data.generators.en_fr.grammar import together, translations
from seqviz.data.pairs import Pair
from seqviz.data.registry import shipped_folder

DATA = sv.data.load("en-fr")  # what the grammar gives, as one of the tests proves
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
ALL = [pair for part in PARTS for pair in part]
DECKS = "the agreement on the european economic area was signed in august 1992"
SEVERAL = {  # French words that stand for several English ones
    "un une": {"a", "an"},
    "à au": {"at", "in", "to"},
    "du des": {"of", "the"},
    "le": {"the", "on"},
    "en": {"in", "to"},
    "été": {"was", "were"},
    "est": {"is", "was", "has"},
    "sont": {"are", "were", "have"},
    "grand grands grande grandes": {"large", "great"},
    "allé allés allée allées": {"went", "gone"},
    "parlé": {"spoke", "spoken"},
    "écrit": {"wrote", "written"},
    "héros": {"hero", "heroes"},
    "politique": {"policy", "political"},
    "politiques": {"policies", "political"},
}
each_part = pytest.mark.parametrize("part", PARTS, ids=["train", "val", "test"])


def line(english):
    """The pair of an English sentence, as a line of the file."""
    return {" ".join(pair.source): pair for pair in ALL}[english].line


def first_link(pair):
    """Target position: the source position of its sure link, else of a possible one."""
    links = dict(sorted(pair.possible, reverse=True))
    return links | dict(pair.sure)


def piece(pair, start, stop):
    """The French words linked to some English ones, as a line has them."""
    inside = sorted({t for t, s in pair.possible if start <= s < stop})
    moved = [
        frozenset((inside.index(t), s - start) for t, s in links if t in inside)
        for links in (pair.sure, pair.possible)
    ]
    target = tuple(pair.target[t] for t in inside)
    return Pair(pair.source[start:stop], target, *moved).line.split("\t")[1]


def words_made(pair):
    """Source position: the target words that come from it, in their order."""
    made = defaultdict(tuple)
    for t, s in sorted(first_link(pair).items()):
        made[s] += (pair.target[t],)
    return made


def most_frequent_translations():
    votes = defaultdict(Counter)
    for pair in TRAIN:
        made = words_made(pair)
        for s, word in enumerate(pair.source):
            votes[word][made[s]] += 1
    return {word: counts.most_common(1)[0][0] for word, counts in votes.items()}


def test_sizes_and_words():
    assert [len(part) for part in PARTS] == [8000, 500, 1000]
    english = Counter(word for pair in TRAIN for word in pair.source)
    french = Counter(word for pair in TRAIN for word in pair.target)
    assert (len(english), len(french)) == (209, 335)
    assert min(english.values()) >= 15
    assert min(french.values()) >= 5
    for pair in VAL + TEST:
        assert {*pair.source} <= {*english}
        assert {*pair.target} <= {*french}
    assert all(word == word.lower() for word in [*english, *french])


@each_part
def test_every_length_is_there(part):
    buckets = Counter((len(pair.source) - 1) // 5 for pair in part)
    assert sorted(buckets) == [0, 1, 2, 3, 4]
    assert min(buckets.values()) >= 15
    assert max(len(pair.source) for pair in part) == 25
    assert max(len(pair.target) for pair in part) <= 30


def test_no_sentence_comes_twice():
    assert len({pair.source for pair in ALL}) == len(ALL) == 9500


def test_a_week_a_month_and_a_year_do_not_tell_the_word_before_them():
    for span in ("week", "month", "year"):
        before = Counter(
            pair.source[k - 1]
            for pair in TRAIN
            for k, word in enumerate(pair.source)
            if word == span
        )
        assert before.keys() == {"last", "following", "previous"}
        assert min(before.values()) > 0.2 * before.total()


def test_no_french_word_stands_beside_itself():
    """ "the political policy" would be "la politique politique"."""
    assert not [pair.target for pair in ALL if any(a == b for a, b in pairwise(pair.target))]


def test_no_noun_verb_or_adjective_comes_twice():
    few = {"and", "the", "in", "on", "to", "of", "a", "by", "has", "have", "was", "were", "not"}
    few |= {"an", "at", "two", "three", "several", "this", "these"}
    for pair in ALL:
        assert {word for word, n in Counter(pair.source).items() if n > 1} <= few


def test_held_out_combinations_stand_in_test_only():
    train, val, test = [{c for p in part for c in together(p.source)} for part in PARTS]
    new = test - train - val
    assert ("european", "economic", "area") in new
    assert len(new) == 157
    assert sum(not new.isdisjoint(together(pair.source)) for pair in TEST) == 516
    alone = {(word, noun) for *two, noun in train for word in two}
    pairs = {tuple(two) for *two, _ in train}
    known = [c for c in new if c[:2] in pairs and {(c[0], c[2]), (c[1], c[2])} <= alone]
    assert len(known) > 0.9 * len(new)  # each two of the three were seen


def test_combinations_are_found():
    words = ["the", "new", "old", "red", "car", "of", "the", "small", "white", "boats"]
    assert together(words) == {
        ("new", "old", "car"),
        ("new", "red", "car"),
        ("old", "red", "car"),
        ("small", "white", "boat"),
    }
    assert together(["the", "red", "and", "small", "car"]) == set()


def test_the_sentence_of_the_decks_stands_in_test_only():
    assert line(DECKS) == (
        f"{DECKS}\tl'/0 accord/1 sur/2 la/3 zone/6 économique/5 européenne/4 "
        "a/?7 été/7 signé/8 en/9 août/10 1992/11"
    )
    assert [DECKS.split() in [[*p.source] for p in part] for part in PARTS] == [False, False, True]


def test_the_grammar_draws_every_piece_of_that_sentence():
    drawn = [f" {' '.join(pair.source)} " for pair in TRAIN]
    for piece in (
        " agreement on the european ",
        " european economic ",
        " economic area ",
        " was signed in ",
        " in august 1992 ",
    ):
        assert any(piece in sentence for sentence in drawn), piece


@each_part
def test_every_french_word_has_a_link_and_at_most_one_is_sure(part):
    for pair in part:
        assert {t for t, _ in pair.possible} == {*range(len(pair.target))}
        assert max(Counter(t for t, _ in pair.sure).values()) == 1
        assert all(s < len(pair.source) for _, s in pair.possible)


@each_part
def test_possible_links_are_few(part):
    possible = sum(len(pair.possible) for pair in part)
    assert possible / sum(len(pair.sure) for pair in part) <= 1.15


@each_part
def test_only_english_words_that_french_says_with_another_word_have_no_sure_link(part):
    free = {
        pair.source[s]
        for pair in part
        for s in {*range(len(pair.source))} - {s for _, s in pair.sure}
    }
    assert free == {"the"}  # of "of the", "to the": du, au


def test_a_french_word_is_linked_to_its_own_meaning():
    meanings = defaultdict(set)
    for pair in ALL:
        for t, s in pair.sure:
            meanings[pair.target[t]].add(pair.source[s])
    several = {word: english for word, english in meanings.items() if len(english) > 1}
    expected = {word: english for words, english in SEVERAL.items() for word in words.split()}
    assert several == expected


RULES = [  # a piece of an English sentence, and what the rules of the datasheet make of it
    ("the new treaty", "le/0 nouveau/1 traité/2"),
    ("the treaty was signed", "le/0 traité/1 a/?2 été/2 signé/3"),
    ("treaty was not signed", "traité/0 n'/?2 a/?1 pas/2 été/1 signé/3"),
    ("king has not sold", "roi/0 n'/?2 a/1 pas/2 vendu/3"),
    ("king left", "roi/0 est/?1 parti/1"),
    ("king has left", "roi/0 est/1 parti/2"),
    ("king was born", "roi/0 est/1 né/2"),
    ("king is very old", "roi/0 est/1 très/2 vieux/3"),
    ("castle of the king", "château/0 du/1?2 roi/3"),
    ("to the kings", "aux/0?1 rois/2"),
    ("at the university", "à/0 l'/1 université/2"),
    ("near the castle", "près/0 du/1?0 château/2"),
    ("near the university", "près/0 de/?0 l'/1 université/2"),
    ("in japan", "au/0?1 japon/1"),
    ("in italy", "en/0 italie/1"),
    ("with japan", "avec/0 le/?1 japon/1"),
    ("of italy", "d'/0 italie/1"),
    ("in august 1992", "en/0 août/1 1992/2"),
    ("of august", "d'/0 août/1"),
    ("on 1 may", "le/0 1er/1 mai/2"),
    ("last week", "la/?1 semaine/1 dernière/0"),
    ("the following week", "la/0 semaine/2 suivante/1"),
    ("the previous year", "l'/0 année/2 précédente/1"),
    ("by the king", "par/0 le/1 roi/2"),
]


@pytest.mark.parametrize(("english", "expected"), RULES)
def test_the_links_follow_the_rules(english, expected):
    words = tuple(english.split())
    found = set()
    for pair in ALL:
        for start in range(len(pair.source) - len(words) + 1):
            if pair.source[start : start + len(words)] == words:
                found.add(piece(pair, start, start + len(words)))
    assert found == {expected}


def test_the_shipped_file_is_what_the_grammar_gives():
    assert translations() == PARTS
    text = "\n\n".join("\n".join(pair.line for pair in part) for part in PARTS) + "\n"
    path = shipped_folder() / "en_fr" / "en_fr.txt"
    assert path.read_text(encoding="utf-8") == text


def test_the_seed_decides():
    one = translations(np.int64(1))
    assert DECKS in {" ".join(pair.source) for pair in one[2]}
    mine, other = [{p.source: p for part in parts for p in part} for parts in (PARTS, one)]
    both = {*mine} & {*other}
    assert 100 < len(both) < 2000
    assert all(mine[source] == other[source] for source in both)  # one translation each


@pytest.mark.parametrize(
    ("seed", "error"), [(-1, ValueError), (None, TypeError), ("0", TypeError), (True, TypeError)]
)
def test_bad_seeds(seed, error):
    with pytest.raises(error, match=r"^seed must be"):
        translations(seed)


def share_right(translate):
    return sum(tuple(translate(pair)) == pair.target for pair in TEST) / len(TEST)


def test_the_control_word_by_word_fails():
    best = most_frequent_translations()
    assert share_right(lambda pair: [f for word in pair.source for f in best[word]]) <= 0.02


def test_the_control_the_right_order_without_agreement_fails():
    best = most_frequent_translations()

    def translate(pair):
        order = dict.fromkeys(s for _, s in sorted(first_link(pair).items()))
        return [french for s in order for french in best[pair.source[s]]]

    assert share_right(translate) <= 0.03


def test_the_control_the_right_words_in_the_order_of_english_fail():
    def translate(pair):
        links = first_link(pair)
        return [pair.target[t] for t in sorted(links, key=lambda t: (links[t], t))]

    assert share_right(translate) <= 0.14
    assert share_right(lambda pair: [pair.target[t] for t in sorted(first_link(pair))]) == 1
