"""The verbs of the English-French grammar, and what goes with them."""

from dataclasses import dataclass

from lexicon import LEADERS, PACTS, PERSONS, RULERS, SIGHTS, TEXTS

CREATED = "area area market market committee commission bank company university"
DOCUMENTS = "report decision declaration law"
WRITINGS = "letter letter book report"
BUILDINGS = "house hotel castle church"
VEHICLES = "car boat"


@dataclass(frozen=True)
class Verb:
    """A verb, the nouns that may do it, and those to which it may be done.

    Parameters
    ----------
    past, participle : str
        In English.
    french : str
        The French participle, masculine singular.
    auxiliary : {"avoir", "être"}
        With "être" the participle agrees with the subject.
    subjects, objects : tuple of str
        English nouns. A verb without an object has the kinds of place where it may be done.
    """

    past: str
    participle: str
    french: str
    auxiliary: str
    subjects: tuple[str, ...]
    objects: tuple[str, ...]


def _verbs(table: str) -> dict[str, Verb]:
    verbs = {}
    for row in table.strip().splitlines():
        words, subjects, objects = row.split(" / ")
        past, *forms = words.split()
        verbs[past] = Verb(past, *forms, tuple(subjects.split()), tuple(objects.split()))
    return verbs


DEEDS = _verbs(f"""
signed    signed    signé   avoir / {LEADERS} government company bank / {PACTS}
adopted   adopted   adopté  avoir / {RULERS} / {TEXTS} policy
rejected  rejected  rejeté  avoir / {RULERS} president minister / {TEXTS} policy
prepared  prepared  préparé avoir / {RULERS} minister ambassador / {TEXTS} policy
published published publié  avoir / {RULERS} bank company university / {DOCUMENTS}
created   created   créé    avoir / government parliament commission / {CREATED}
repaired  repaired  réparé  avoir / engineer company man woman / {BUILDINGS} {VEHICLES}
bought    bought    acheté  avoir / {PERSONS} company / house book {VEHICLES}
sold      sold      vendu   avoir / {PERSONS} company / house book {VEHICLES}
visited   visited   visité  avoir / {PERSONS} / {SIGHTS} hotel city village university island
found     found     trouvé  avoir / {PERSONS} / letter book {VEHICLES}
wrote     written   écrit   avoir / {PERSONS} / {WRITINGS}
sent      sent      envoyé  avoir / {PERSONS} government / {WRITINGS}
invited   invited   invité  avoir / {LEADERS} government university / {PERSONS}
""")
DOINGS = _verbs(f"""
worked    worked    travaillé avoir / {PERSONS} / at near in country
spoke     spoken    parlé     avoir / {PERSONS} / at in country listener
waited    waited    attendu   avoir / {PERSONS} / at near in
stayed    stayed    resté     être  / {PERSONS} / at near in country
""")
MOVES = _verbs(f"""
arrived   arrived   arrivé    être  / {PERSONS} / at in country nowhere
left      left      parti     être  / {PERSONS} / nowhere
went      gone      allé      être  / {PERSONS} / to
""")
PLACELESS = ("repaired", "visited", "invited")  # no "visited the church in paris"
