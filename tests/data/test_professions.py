from collections import Counter

import pytest

from seqviz.data.generators.professions import PROFESSIONS, professions

PARTS = TRAIN, VAL, TEST = professions()
each_part = pytest.mark.parametrize("part", PARTS, ids=["train", "val", "test"])
WORDS = {"on": "is", "oli": "was", "hyvä": "good", "nuori": "young", "vanha": "old"}
WORDS |= {
    **{"lääkäri": "doctor", "insinööri": "engineer", "tuomari": "judge"},
    **{"maanviljelijä": "farmer", "opettaja": "teacher", "opiskelija": "student"},
    **{"kirjailija": "writer", "kirjastonhoitaja": "librarian", "sihteeri": "secretary"},
    **{"tanssija": "dancer", "sairaanhoitaja": "nurse"},
}


def by(part, key):
    """The share of "he" for each key, as a decimal."""
    men, all_ = Counter(), Counter()
    for pair in part:
        men[key(pair)] += pair.target[0] == "he"
        all_[key(pair)] += 1
    return {k: men[k] / all_[k] for k in all_}


def test_sizes():
    assert [len(part) for part in PARTS] == [1320, 220, 220]
    sources = [{pair.source for pair in part} for part in PARTS]
    assert [len(source) for source in sources] == [132, 22, 22]
    assert len(set.union(*sources)) == 176  # none stands in two parts


@each_part
def test_the_shares_are_those_of_the_table(part):
    assert by(part, lambda pair: pair.source[-1]) == {
        finnish: men / 10 for finnish, (_, men) in PROFESSIONS.items()
    }
    shares = by(part, lambda pair: pair.source)
    assert all(share == PROFESSIONS[source[-1]][1] / 10 for source, share in shares.items())


@each_part
def test_the_control_he_and_she_are_equally_frequent(part):
    assert by(part, lambda pair: None) == {None: 0.5}


def test_the_control_nothing_but_the_profession_tells_anything():
    everything = TRAIN + VAL + TEST
    assert set(by(everything, lambda pair: pair.source[:-1]).values()) == {0.5}


@each_part
def test_the_translation_is_right_but_for_the_pronoun(part):
    for pair in part:
        assert pair.source[0] == "hän"
        assert pair.target[0] in ("he", "she")
        finnish, english = " ".join(pair.source[1:]), " ".join(pair.target[1:])
        finnish = finnish.replace("ei ole", "on ei").replace("ei ollut", "oli ei")
        said = [{"ei": "not"}.get(word, WORDS.get(word)) for word in finnish.split()]
        at = 2 if "not" in said else 1
        article = "an" if said[at][0] in "aeo" else "a"
        assert english.split() == [*said[:at], article, *said[at:]]


def test_the_control_nobody_can_guess_three_of_four():
    """The likeliest pronoun of each profession makes ten of ten out of nine of ten."""
    shares = by(TRAIN, lambda pair: pair.source[-1])
    likeliest = {profession: ("she", "he")[share >= 0.5] for profession, share in shares.items()}
    right = sum(likeliest[pair.source[-1]] == pair.target[0] for pair in TEST) / len(TEST)
    assert right == pytest.approx(81 / 110)
