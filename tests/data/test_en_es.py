"""The Spanish pairs: words alone, without agreement and order, do not make them."""

from collections import Counter, defaultdict

import seqviz as sv

DATA = sv.data.load("en-es")
ENGLISH = {  # of each Spanish form
    **{"casa": "house", "casas": "houses", "carta": "letter", "cartas": "letters"},
    **{"manzana": "apple", "manzanas": "apples", "coche": "car", "coches": "cars"},
    **{"libro": "book", "libros": "books", "tomate": "tomato"},
    **{"tomates": "tomatoes", "niño": "boy", "niña": "girl", "mujer": "woman"},
    **{"el": "the", "la": "the", "los": "the", "las": "the"},
    **{"es": "is", "son": "are"},
    **{"rojo": "red", "roja": "red", "rojos": "red", "rojas": "red"},
    **{"blanco": "white", "blanca": "white", "blancos": "white", "blancas": "white"},
    **{"nuevo": "new", "nueva": "new", "nuevos": "new", "nuevas": "new"},
    **{"viejo": "old", "vieja": "old", "viejos": "old", "viejas": "old"},
    **{"pequeño": "small", "pequeña": "small"},
    **{"pequeños": "small", "pequeñas": "small"},
    **{"lee": "read", "come": "eat", "compra": "buy", "ve": "see"},
    **{"ella": "she", "no": "not"},
}


def base(word):
    """The English base of a word: reads, read."""
    return {"reads": "read", "eats": "eat", "buys": "buy", "sees": "see"}.get(word, word)


def test_the_control_word_by_word_fails():
    votes = defaultdict(Counter)
    for pair in DATA.train:
        for word in pair.target:
            votes[ENGLISH[word]][word] += 1
    best = {english: counts.most_common(1)[0][0] for english, counts in votes.items()}
    right = [
        tuple(best[base(word)] for word in pair.source if word != "does") == pair.target
        for pair in DATA.test
    ]
    assert sum(right) / len(right) <= 0.05
