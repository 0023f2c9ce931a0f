import pytest

from seqviz.data.generators.en_fr.phrases import NOTHING, pair, phrase


def linked(said):
    """The words of a target with their links, as a line has them."""
    return pair(said).line.split("\t")[1]


def test_a_phrase_says_its_links():
    said = phrase("was signed", "a?0 été=0 signé=1")
    assert said.source == ("was", "signed")
    assert linked(said) == "a/?0 été/0 signé/1"


def test_one_phrase_after_the_other_moves_the_links():
    said = phrase("the king", "le=0 roi=1") + phrase("was born", "est=0 né=1")
    assert said.source == ("the", "king", "was", "born")
    assert linked(said) == "le/0 roi/1 est/2 né/3"
    assert said + NOTHING == NOTHING + said == said


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("the agreement", "le=0 accord=1", "l'/0 accord/1"),
        ("the church", "la=0 église=1", "l'/0 église/1"),
        ("the man", "le=0 homme=1", "l'/0 homme/1"),
        ("the hero", "le=0 héros=1", "le/0 héros/1"),
        ("this island", "ce=0 île=1", "cet/0 île/1"),
        ("of august", "de=0 août=1", "d'/0 août/1"),
        ("not had", "ne=0 a=1", "n'/0 a/1"),
        ("on 8", "le=0 8=1", "le/0 8/1"),
    ],
)
def test_elision(source, target, expected):
    assert linked(phrase(source, target)) == expected


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("of the king", "de=0 le=1 roi=2", "du/0?1 roi/2"),
        ("of the kings", "de=0 les=1 rois=2", "des/0?1 rois/2"),
        ("at the museum", "à=0 le=1 musée=2", "au/0?1 musée/2"),
        ("to the kings", "à=0 les=1 rois=2", "aux/0?1 rois/2"),
        ("of the man", "de=0 le=1 homme=2", "de/0 l'/1 homme/2"),
        ("of the queen", "de=0 la=1 reine=2", "de/0 la/1 reine/2"),
        ("in japan", "à=0 le?1 japon=1", "au/0?1 japon/1"),
        ("near the bridge", "près=0 de?0 le=1 pont=2", "près/0 du/1?0 pont/2"),
    ],
)
def test_contraction_keeps_the_first_sure_link_and_makes_the_rest_possible(
    source, target, expected
):
    assert linked(phrase(source, target)) == expected
