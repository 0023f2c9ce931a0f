"""The French of the grammar, read by another one (tests/data/french.py), and that one tested."""

import random

import pytest

import seqviz as sv
from seqviz.data.generators.en_fr.grammar import translations
from tests.data.french import NotFrench, check

RIGHT = """
l' accord sur la zone économique européenne a été signé en août 1992
le nouvel hôpital militaire a été créé par la première commission le 1er mai 1998
un vieil homme est parti
un vieux héros est parti
les lettres n' ont pas été envoyées aux reines d' italie
ces actrices françaises sont allées au japon l' année dernière
l' ambassadeur du portugal a parlé aux étudiants de l' université hier
le traité entre la france et l' allemagne est très important
cet hôtel rouge n' est pas grand
la commission a adopté la politique agricole commune le mois dernier
deux beaux châteaux ont été réparés mais le roi n' a pas visité les châteaux
le roi a vendu l' île la semaine précédente et les lois ont été adoptées le mois suivant
la reine est née à genève en 1994 quand le médecin est resté près des îles
""".strip()

WRONG = [  # what is wrong: a sentence
    ("elision", "le accord a été signé"),
    ("elision", "la église a été réparée"),
    ("elision", "les lois ne ont pas été signées"),
    ("elision", "la loi de avril 1992 a été signée"),
    ("elision of an aspirated h", "l' héros est parti"),
    ("no vowel", "l' roi est parti"),
    ("no vowel", "la lettre n' sont pas longue"),
    ("liaison", "le nouveau accord a été signé"),
    ("liaison", "un vieux homme est parti"),
    ("liaison", "ce homme est parti"),
    ("liaison", "cet roi est parti"),
    ("liaison", "un vieil héros est parti"),
    ("contraction", "le président de le comité est parti"),
    ("contraction", "le roi a parlé à les reines"),
    ("contraction", "le roi est allé au hôpital"),
    ("contraction", "le roi est allé au école"),
    ("gender of the article", "la accord a été signé"),
    ("gender of the article", "un loi a été signée"),
    ("number of the article", "les loi a été signée"),
    ("number of the article", "ce traités ont été signés"),
    ("gender of the adjective", "la zone européen a été créée"),
    ("number of the adjective", "les zones européenne ont été créées"),
    ("gender of the adjective", "la petit maison a été vendue"),
    ("place of the adjective", "l' européen accord a été signé"),
    ("place of the adjective", "la maison petite a été vendue"),
    ("order of the adjectives", "la zone européenne économique a été créée"),
    ("agreement of the participle", "la loi a été signé"),
    ("agreement of the participle", "les traités ont été signé"),
    ("agreement of the participle", "la reine est arrivé"),
    ("agreement of the participle", "la reine a signée le traité"),
    ("number of the verb", "les rois a signé le traité"),
    ("number of the verb", "la reine sont partie"),
    ("auxiliary", "la reine a arrivé"),
    ("auxiliary", "le roi est travaillé à paris"),
    ("agreement of the state", "la maison est vieux"),
    ("form of the state", "le roi est vieil"),
    ("negation", "le roi n' a signé le traité"),
    ("negation", "le roi a pas signé le traité"),
    ("negation", "le roi n' a pas signé un traité"),
    ("country", "le roi est allé en japon"),
    ("country", "le roi est allé au italie"),
    ("country", "l' ambassadeur de japon est parti"),
    ("country", "le traité avec la japon a été signé"),
    ("date", "le traité a été signé en 3 août 1992"),
    ("date", "le traité a été signé dans 1992"),
    ("time", "le roi est parti la dernière semaine"),
    ("unknown word", "le chat est parti"),
    ("nothing follows", "le roi a signé"),
    ("too much", "le roi est parti roi"),
]
SIBLINGS = [  # other forms in the place of a word: none of them can be right as well
    *(("le", "la"), ("un", "une"), ("ce", "cette"), ("a", "ont"), ("est", "sont")),
    *(("du", "de"), ("au", "à"), ("aux", "à"), ("d'", "de"), ("n'", "ne"), ("cet", "ce")),
    *(("signé", "signée"), ("signée", "signé"), ("publiés", "publiées"), ("créée", "créés")),
    *(("arrivé", "arrivés"), ("allée", "allé"), ("nés", "né"), ("envoyées", "envoyée")),
    *(("petit", "petite"), ("grande", "grand"), ("nouvel", "nouveau"), ("nouvelle", "nouveau")),
    *(("vieil", "vieux"), ("belle", "bel"), ("premier", "première"), ("jeunes", "jeune")),
    *(("français", "française"), ("allemande", "allemand"), ("européen", "européens")),
    *(("économiques", "économique"), ("importante", "important"), ("financier", "financière")),
    *(("accord", "accords"), ("lois", "loi"), ("reine", "reines"), ("hommes", "homme")),
    *(("en", "à"), ("pas", "très"), ("dernière", "dernier"), ("dernier", "dernière")),
    *(("suivante", "suivant"), ("suivant", "suivante"), ("précédente", "précédent")),
]


def errors(sentences):
    found = []
    for words in sentences:
        try:
            check(words)
        except NotFrench as error:
            found.append((" ".join(words), str(error)))
    return found


@pytest.mark.parametrize("sentence", RIGHT.splitlines())
def test_the_reader_takes_good_french(sentence):
    check(sentence.split())


@pytest.mark.parametrize(("what", "sentence"), WRONG)
def test_the_reader_refuses_bad_french(what, sentence):
    with pytest.raises(NotFrench):
        check(sentence.split())


@pytest.fixture(scope="module")
def sentences():
    data = sv.data.load("en-fr")  # what the grammar gives, as test_grammar.py proves
    return [pair.target for pair in data.train[:1000] + data.val + data.test]


@pytest.mark.parametrize(("word", "wrong"), SIBLINGS)
def test_the_reader_refuses_every_wrong_form(sentences, word, wrong):
    changed = [
        tuple(wrong if i == at else w for i, w in enumerate(words))
        for words in sentences
        for at in [words.index(word) if word in words else -1]
        if at >= 0
    ]
    assert changed
    assert len(errors(changed)) == len(changed)


def test_the_reader_refuses_two_words_exchanged(sentences):
    draw = random.Random(0)
    changed = []
    for words in sentences:
        at = draw.randrange(len(words) - 1)
        changed.append((*words[:at], words[at + 1], words[at], *words[at + 2 :]))
    assert len(errors(changed)) > 0.99 * len(changed)


def test_2500_sentences_are_good_french(sentences):
    assert len(sentences) == 2500
    assert errors(sentences) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_9500_sentences_of_another_draw_are_good_french(seed):
    drawn = {pair.target for part in translations(seed) for pair in part}
    assert len(drawn) > 9400
    assert errors(drawn) == []
