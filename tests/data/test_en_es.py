"""The Spanish pairs, checked with a table of their own."""

from collections import Counter, defaultdict

import seqviz as sv

DATA = sv.data.load("en-es")
ALL = DATA.train + DATA.val + DATA.test
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
VERBS = ("es", "son", "lee", "come", "compra", "ve")


def base(word):
    """The English base of a word: reads, read."""
    return {"reads": "read", "eats": "eat", "buys": "buy", "sees": "see"}.get(word, word)


def wrong(words):
    """The noun phrases, with "es" and what follows, that do not agree or are out of order."""
    groups = []
    for word in words:
        if word in ("el", "la", "los", "las", "ella"):
            groups.append([])
        if word not in ("no", "lee", "come", "compra", "ve"):
            groups[-1].append(word)
    found = []
    for group in groups:
        about = [FORMS[word].split()[1] for word in group]
        nouns = [i for i, word in enumerate(group) if word.removesuffix("s") in NOUNS]
        agrees = len({a[0] for a in about if len(a) == 2}) == len({a[-1] for a in about}) == 1
        if not agrees or (nouns != [1] and group[0] != "ella"):
            found.append(group)
    return found


def test_every_sentence_agrees_and_says_the_same():
    assert [len(part) for part in (DATA.train, DATA.val, DATA.test)] == [200, 50, 50]
    assert len({pair.source for pair in ALL}) == len({pair.target for pair in ALL}) == 300
    known = {word for pair in DATA.train for word in pair.source + pair.target}
    for pair in ALL:
        assert {*pair.source, *pair.target} <= known
        assert wrong(pair.target) == []
        spanish = Counter(FORMS[word].split()[0] for word in pair.target)
        assert Counter(base(word) for word in pair.source if word != "does") == spanish
        assert ("no" in pair.target) == ("not" in pair.source)
        assert "no" not in pair.target or pair.target[pair.target.index("no") + 1] in VERBS
    for bad in ("el casa es blanca", "la casa es blanco", "las casas es blancas",
                "la niña come la roja manzana", "la niña come las manzanas roja"):  # fmt: skip
        assert wrong(bad.split())


def test_the_control_word_by_word_fails():
    votes = defaultdict(Counter)
    for pair in DATA.train:
        for word in pair.target:
            votes[FORMS[word].split()[0]][word] += 1
    best = {english: counts.most_common(1)[0][0] for english, counts in votes.items()}
    right = [
        tuple(best[base(word)] for word in pair.source if word != "does") == pair.target
        for pair in DATA.test
    ]
    assert sum(right) / len(right) <= 0.05
