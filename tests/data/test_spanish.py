"""The Spanish pairs, checked with a table of their own."""

from collections import Counter, defaultdict

import pytest

from seqviz.data.generators.spanish import spanish_pairs

PARTS = TRAIN, VAL, TEST = spanish_pairs()
ALL = [pair for part in PARTS for pair in part]
FORMS = {  # Spanish: English, and what it agrees with
    **{"casa": "house fs", "casas": "houses fp", "carta": "letter fs", "cartas": "letters fp"},
    **{"manzana": "apple fs", "manzanas": "apples fp", "coche": "car ms", "coches": "cars mp"},
    **{"libro": "book ms", "libros": "books mp", "tomate": "tomato ms"},
    **{"tomates": "tomatoes mp", "niño": "boy ms", "niña": "girl fs", "mujer": "woman fs"},
    **{"el": "the ms", "la": "the fs", "los": "the mp", "las": "the fp"},
    **{"es": "is s", "son": "are p"},
    **{"rojo": "red ms", "roja": "red fs", "rojos": "red mp", "rojas": "red fp"},
    **{"blanco": "white ms", "blanca": "white fs", "blancos": "white mp", "blancas": "white fp"},
    **{"nuevo": "new ms", "nueva": "new fs", "nuevos": "new mp", "nuevas": "new fp"},
    **{"viejo": "old ms", "vieja": "old fs", "viejos": "old mp", "viejas": "old fp"},
    **{"pequeño": "small ms", "pequeña": "small fs"},
    **{"pequeños": "small mp", "pequeñas": "small fp"},
    **{"lee": "read s", "come": "eat s", "compra": "buy s", "ve": "see s"},
    **{"ella": "she fs", "no": "not -"},
}
NOUNS = {"casa", "carta", "manzana", "coche", "libro", "tomate", "niño", "niña", "mujer"}


def groups(words):
    """The noun phrases of a Spanish sentence, with "es" or "son" and what follows it."""
    found = []
    for word in words:
        if word in ("el", "la", "los", "las", "ella"):
            found.append([])
        if word not in ("no", "lee", "come", "compra", "ve"):
            found[-1].append(word)
    return found


def base(word):
    """The English base of a word: reads, read."""
    return {"reads": "read", "eats": "eat", "buys": "buy", "sees": "see"}.get(word, word)


def test_sizes():
    assert [len(part) for part in PARTS] == [200, 50, 50]
    assert len({pair.source for pair in ALL}) == len({pair.target for pair in ALL}) == 300
    for side in ("source", "target"):
        words = {word for pair in TRAIN for word in getattr(pair, side)}
        assert {word for pair in VAL + TEST for word in getattr(pair, side)} <= words
    assert not any(pair.possible for pair in ALL)


def wrong(words):
    """The noun phrases whose words do not agree, or stand in the wrong order."""
    found = []
    for group in groups(words):
        about = [FORMS[word].split()[1] for word in group]
        gender = {a[0] for a in about if len(a) == 2}
        number = {a[-1] for a in about}
        nouns = [i for i, word in enumerate(group) if word.removesuffix("s") in NOUNS]
        if len(gender) != 1 or len(number) != 1 or (nouns != [1] and group[0] != "ella"):
            found.append(group)
    return found


def test_every_sentence_agrees():
    assert [pair.target for pair in ALL if wrong(pair.target)] == []


@pytest.mark.parametrize(
    "sentence",
    [
        *("el casa es blanca", "la casa es blanco", "la casas son blancas", "las casas es blancas"),
        *("la niña come la roja manzana", "la niña come las manzanas roja"),
    ],
)
def test_the_check_refuses_bad_spanish(sentence):
    assert wrong(sentence.split())


def test_both_sides_have_the_same_words():
    for pair in ALL:
        spanish = Counter(FORMS[word].split()[0] for word in pair.target)
        english = Counter(base(word) for word in pair.source if word != "does")
        assert english == spanish, pair


def test_no_stands_before_the_verb():
    for pair in ALL:
        assert ("no" in pair.target) == ("not" in pair.source)
        if "no" in pair.target:
            after = pair.target[pair.target.index("no") + 1]
            assert after in ("es", "son", "lee", "come", "compra", "ve")


def test_the_control_word_by_word_fails():
    votes = defaultdict(Counter)
    for pair in TRAIN:
        for word in pair.target:
            votes[FORMS[word].split()[0]][word] += 1
    best = {english: counts.most_common(1)[0][0] for english, counts in votes.items()}
    right = [
        tuple(best[base(word)] for word in pair.source if word != "does") == pair.target
        for pair in TEST
    ]
    assert sum(right) / len(right) <= 0.05
