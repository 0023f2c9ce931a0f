"""The English-French pairs: links by rule, agreement and order that words alone do not give."""

from collections import Counter, defaultdict

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("en-fr")
PARTS = TRAIN, _, TEST = DATA.train, DATA.val, DATA.test
ALL = [pair for part in PARTS for pair in part]
DECKS = "the agreement on the european economic area was signed in august 1992"
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
    ("an old man", "un/0 vieil/1 homme/2"),
    ("old hero", "vieux/0 héros/1"),
    ("new agreement", "nouvel/0 accord/1"),
    ("this island", "cette/0 île/1"),
    ("the queen arrived", "la/0 reine/1 est/?2 arrivée/2"),
    ("the treaties were signed", "les/0 traités/1 ont/?2 été/2 signés/3"),
    ("the laws were rejected", "les/0 lois/1 ont/?2 été/2 rejetées/3"),
    (DECKS, "l'/0 accord/1 sur/2 la/3 zone/6 économique/5 européenne/4 "
            "a/?7 été/7 signé/8 en/9 août/10 1992/11"),
]  # fmt: skip


def first_link(pair):
    """Target position: the source position of its sure link, else of a possible one."""
    links = dict(sorted(pair.possible, reverse=True))
    return links | dict(pair.sure)


def piece(pair, start, stop):
    """The French words linked to some English ones: word/sure?possible."""
    said = []
    for t, word in enumerate(pair.target):
        sure, possible = (
            [s - start for at, s in sorted(links) if at == t and start <= s < stop]
            for links in (pair.sure, pair.possible - pair.sure)
        )
        if sure or possible:
            beside = "?" + ",".join(map(str, possible)) if possible else ""
            said.append(f"{word}/{','.join(map(str, sure))}{beside}")
    return " ".join(said)


def test_held_out_combinations_stand_in_test_only():
    together = maker("en_fr").together
    train, val, test = [{c for p in part for c in together(p.source)} for part in PARTS]
    new = test - train - val
    assert ("european", "economic", "area") in new
    assert len(new) == 157
    assert sum(not new.isdisjoint(together(pair.source)) for pair in TEST) == 516
    assert [DECKS.split() in [[*p.source] for p in part] for part in PARTS] == [False, False, True]


def test_every_french_word_has_a_link_and_at_most_one_is_sure():
    for pair in ALL:
        assert {t for t, _ in pair.possible} == {*range(len(pair.target))}
        assert max(Counter(t for t, _ in pair.sure).values()) == 1
        free = {*range(len(pair.source))} - {s for _, s in pair.sure}
        assert {pair.source[s] for s in free} <= {"the"}  # of "of the", "to the": du, au
    assert sum(len(pair.possible) for pair in ALL) <= 1.15 * sum(len(pair.sure) for pair in ALL)


def test_the_links_follow_the_rules():
    lines = {" ".join(pair.source): pair for pair in ALL}
    for english, expected in RULES:
        words, found = tuple(english.split()), set()
        for pair in (pair for line, pair in lines.items() if english in line):
            for start in range(len(pair.source) - len(words) + 1):
                if pair.source[start : start + len(words)] == words:
                    found.add(piece(pair, start, start + len(words)))
        assert found == {expected}, english


def share_right(translate):
    return sum(tuple(translate(pair)) == pair.target for pair in TEST) / len(TEST)


def test_the_control_words_without_order_or_agreement_fail():
    votes = defaultdict(Counter)
    for pair in TRAIN:
        made = defaultdict(tuple)
        for t, s in sorted(first_link(pair).items()):
            made[s] += (pair.target[t],)
        for s, word in enumerate(pair.source):
            votes[word][made[s]] += 1
    best = {word: counts.most_common(1)[0][0] for word, counts in votes.items()}

    def in_order(pair):
        order = dict.fromkeys(s for _, s in sorted(first_link(pair).items()))
        return [french for s in order for french in best[pair.source[s]]]

    def right_words(pair):
        links = first_link(pair)
        return [pair.target[t] for t in sorted(links, key=lambda t: (links[t], t))]

    assert share_right(lambda pair: [f for word in pair.source for f in best[word]]) <= 0.02
    assert share_right(in_order) <= 0.03
    assert share_right(right_words) <= 0.14
