"""Draws `en_fr`: English sentences, French translations, and the links between their words."""

import random
from itertools import combinations, pairwise, product
from pathlib import Path

from grammar import SINGULARS, drawn_sentence, european_economic_area, together
from lexicon import NOUNS
from phrases import Phrase, pair

from seqviz.data.json_lines import write_parts
from seqviz.data.pairs import Pair

LONGEST = 25  # source words
TRAIN, VAL = 8000, 500  # pairs
TEST = 500  # pairs with a combination of words unseen in training, and as many without one
HELD_OUT = 0.12  # of all combinations
SEALED = 424244  # seed of the test part, which was drawn when all settings stood
REPEATABLE = {
    *("the", "a", "an", "this", "these", "two", "three", "several", "and", "not"),
    *("of", "on", "in", "at", "to", "by", "was", "were", "has", "have"),
}


def make(seed: int = 0) -> dict[str, list[Pair]]:
    """8,000, 500 and 1,000 pairs to train, to validate and to test.

    French puts some adjectives before the noun and some after it, these in mirrored order. They
    agree with it, and so do determiners and participles. Half of the test part has two adjectives
    with a noun in a combination that neither train nor val has; the decks' "the agreement on the
    european economic area was signed in august 1992" is among them. No sentence comes twice.
    Settings of the notebooks were chosen on the pairs of other seeds.
    """
    draw, sealed = random.Random(seed), random.Random(SEALED + seed)
    every = sorted(_all_combinations())
    held_out = {("european", "economic", "area"), *draw.sample(every, int(HELD_OUT * len(every)))}
    decks = european_economic_area()
    known, _ = _drawn(draw, held_out, TRAIN + VAL, 0, set())
    test = _drawn(sealed, held_out, TEST, TEST - 1, {decks.source, *(s.source for s in known)})
    pairs, test = [pair(said) for said in known], [pair(said) for said in sum(test, [decks])]
    sealed.shuffle(test)
    return {"train": pairs[:TRAIN], "val": pairs[TRAIN:], "test": test}


def _drawn(
    draw: random.Random, held_out: set, known: int, new: int, taken: set
) -> tuple[list[Phrase], list[Phrase]]:
    """Sentences that are not taken: so many without a combination held out, so many with one."""
    parts = {}, {}
    while len(parts[0]) < known or len(parts[1]) < new:
        said = drawn_sentence(draw)
        if _is_fine(said) and said.source not in taken:
            is_new = not held_out.isdisjoint(together(said.source))
            if len(parts[is_new]) < (known, new)[is_new]:
                parts[is_new][said.source] = said
    return tuple([*part.values()] for part in parts)


def _all_combinations() -> set[tuple[str, str, str]]:
    return {
        (*two, name)
        for name, noun in NOUNS.items()
        for groups in combinations(noun.adjectives, 2)
        for two in product(*groups)
    }


def _is_fine(said: Phrase) -> bool:
    """Not too long, no noun, verb or adjective twice, nobody born old, no politique politique."""
    source, target = said.source, [linked.word for linked in said.target]
    content = [SINGULARS.get(word, word) for word in source if word not in REPEATABLE]
    once = len({*content}) == len(content) and all(a != b for a, b in pairwise(target))
    return once and len(source) <= LONGEST and not {"born", "old"} <= {*source}


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
