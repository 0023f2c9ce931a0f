"""What the texts of a grammar share: the file is what the grammar gives, and damage is named."""

import re

import numpy as np
import pytest

import seqviz as sv
from seqviz.data import Argued, Labelled, Pair, Paragraph, Quadruple, Quoted, Review, Tagged
from seqviz.data.generators.arguments.grammar import arguments
from seqviz.data.generators.facts.grammar import paragraphs
from seqviz.data.generators.newsnames import newsnames
from seqviz.data.generators.professions import professions
from seqviz.data.generators.quotes import talks
from seqviz.data.generators.relations.grammar import relations
from seqviz.data.generators.reviews import reviews
from seqviz.data.generators.spanish import spanish_pairs
from seqviz.data.generators.synthetic import students
from seqviz.data.generators.tagging import tagging
from seqviz.data.registry import shipped_folder

GRAMMARS = {  # that of "en-fr", which takes longer, is tested in test_grammar.py
    "arguments": arguments,
    "en-es": spanish_pairs,
    "facts": paragraphs,
    "newsnames": newsnames,
    "pronouns": professions,
    "quotes": talks,
    "relations": relations,
    "reviews": reviews,
    "students": students,
    "tagging": tagging,
}
DAMAGED = {
    Argued: [
        *("", "town", "law [THE a ]", "town [THE ]", "town [THE a", "town a ]", "town [WHY a ]"),
        *("town [THE a [PRO b ] ]", "town [THE a]", "town [ THE a ]"),
    ],
    Labelled: ["", "good", "good\t", "good\t2", "\t1", "good 1", "go\tod\t1", "good\t1 "],
    Pair: [
        *("", "a b", "a\t", "\ta", "a\tb\tc", "a\tb/", "a\tb/c", "a\tb/0/1", "a\tb/?", "a\tb/0?"),
        *("a\t/0", "a\tb/-1", "a\tb/0,", "a\tb/0,,0"),
    ],
    Paragraph: ["", ".", "our baker", "anna yawned .", "our baker slept . near the ship ."],
    Quadruple: ["", "gender", "gender king queen man", "gender a b c d e", "size a b c d"],
    Quoted: ["", "tea was cold ?", 'Anna said " tea was cold ?', "Anna said tea was cold"],
    Review: ["", "1", "1 0", "1 0 the movie was good", "2 0 terribly", "terribly good"],
    Tagged: ["", "walk", "the/DET walk", "walk/", "/NOUN", "a/b/c/d"],
}
each_grammar = pytest.mark.parametrize("name", GRAMMARS)


@each_grammar
def test_the_shipped_file_is_what_the_grammar_gives(name):
    parts = GRAMMARS[name]()
    file = name.replace("-", "_")
    text = (shipped_folder() / file / f"{file}.txt").read_text(encoding="utf-8")
    lines = [[getattr(item, "line", item) for item in part] for part in parts]
    assert text == "\n\n".join(map("\n".join, lines)) + "\n"
    data = sv.data.load(name)
    assert (data.train, data.val, data.test) == parts


@each_grammar
def test_the_seed_decides(name):
    make = GRAMMARS[name]
    assert make() == make(seed=0)
    assert make(np.int64(1)) == make(seed=1) != make(seed=0)


@each_grammar
@pytest.mark.parametrize(
    ("seed", "error"), [(-1, ValueError), (None, TypeError), ("0", TypeError), (True, TypeError)]
)
def test_bad_seeds(name, seed, error):
    # Python's generator takes -1 for 1, text and None
    with pytest.raises(error, match=r"^seed must be"):
        GRAMMARS[name](seed)


@pytest.mark.parametrize(
    ("kind", "line"), [(kind, line) for kind, lines in DAMAGED.items() for line in lines]
)
def test_a_damaged_line_is_named(kind, line):
    with pytest.raises(ValueError, match=rf"^line must be .*, got {re.escape(repr(line))}$"):
        kind.from_line(line)
