"""The words of the English-French grammar: their forms, and what goes with what."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Noun:
    """A noun and the adjectives it may have, in the order in which English puts them."""

    english: tuple[str, str]  # singular, plural
    french: tuple[str, str]
    feminine: bool
    adjectives: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Adjective:
    """An adjective; French puts it before the noun or after it."""

    before: bool
    forms: tuple[str, ...]  # masculine singular, plural, feminine singular, plural
    before_vowel: str  # masculine singular in "le nouvel accord"


# English; French masculine singular and plural, feminine singular and plural; before a vowel
BEFORE = """
small     petit    petits    petite    petites
large     grand    grands    grande    grandes
great     grand    grands    grande    grandes
long      long     longs     longue    longues
first     premier  premiers  première  premières
young     jeune    jeunes    jeune     jeunes
new       nouveau  nouveaux  nouvelle  nouvelles  nouvel
old       vieux    vieux     vieille   vieilles   vieil
beautiful beau     beaux     belle     belles     bel
"""
AFTER = """
important     important     importants     importante     importantes
famous        célèbre       célèbres       célèbre        célèbres
secret        secret        secrets        secrète        secrètes
red           rouge         rouges         rouge          rouges
white         blanc         blancs         blanche        blanches
common        commun        communs        commune        communes
european      européen      européens      européenne     européennes
french        français      français       française      françaises
german        allemand      allemands      allemande      allemandes
italian       italien       italiens       italienne      italiennes
international international internationaux internationale internationales
economic      économique    économiques    économique     économiques
political     politique     politiques     politique      politiques
military      militaire     militaires     militaire      militaires
agricultural  agricole      agricoles      agricole       agricoles
financial     financier     financiers     financière     financières
social        social        sociaux        sociale        sociales
"""


def _adjective(row: str, before: bool) -> Adjective:
    _, masculine, *others = row.split()
    return Adjective(before, (masculine, *others[:3]), others[3] if others[3:] else masculine)


ADJECTIVES = {
    row.split()[0]: _adjective(row, before)
    for table, before in ((BEFORE, True), (AFTER, False))
    for row in table.strip().splitlines()
}

NATIONS = "french german italian"
ORIGINS = f"european {NATIONS} international"
MATTERS = "economic political military agricultural financial social"
# What adjectives a noun may have, one of each group, in the order of English. Then the nouns:
# English singular and plural, French singular and plural, gender.
NOUNS_BY_ADJECTIVES = {
    f"new first / important secret / {ORIGINS} / {MATTERS}": """
        agreement   agreements   accord      accords      m
        treaty      treaties     traité      traités      m
        convention  conventions  convention  conventions  f
        declaration declarations déclaration déclarations f
        decision    decisions    décision    décisions    f
        """,
    f"new first long / important secret / {ORIGINS} / {MATTERS}": """
        report      reports      rapport     rapports     m
        """,
    f"new first / important / european {NATIONS} / {MATTERS}": """
        law         laws         loi         lois         f
        """,
    "new large / common european international / economic military agricultural": """
        area        areas        zone        zones        f
        """,
    "new large / important / common european international / agricultural financial": """
        market      markets      marché      marchés      m
        """,
    f"new / important / common european international / {MATTERS}": """
        policy      policies     politique   politiques   f
        """,
    f"new first / important / {ORIGINS} / economic political financial social": """
        crisis      crises       crise       crises       f
        """,
    f"new first / important / {ORIGINS} / {MATTERS}": """
        commission  commissions  commission  commissions  f
        committee   committees   comité      comités      m
        """,
    f"new / {NATIONS}": """
        government  governments  gouvernement gouvernements m
        parliament  parliaments  parlement   parlements   m
        """,
    f"new old small large / {ORIGINS}": """
        bank        banks        banque      banques      f
        company     companies    entreprise  entreprises  f
        """,
    f"new old small large famous / {NATIONS}": """
        university  universities université  universités  f
        """,
    f"new young old famous / {NATIONS}": """
        minister    ministers    ministre    ministres    m
        president   presidents   président   présidents   m
        ambassador  ambassadors  ambassadeur ambassadeurs m
        """,
    f"new young old great famous / {NATIONS}": """
        king        kings        roi         rois         m
        queen       queens       reine       reines       f
        """,
    f"young old great famous / {NATIONS}": """
        engineer    engineers    ingénieur   ingénieurs   m
        doctor      doctors      médecin     médecins     m
        hero        heroes       héros       héros        m
        actress     actresses    actrice     actrices     f
        """,
    f"new young / {NATIONS}": """
        student     students     étudiant    étudiants    m
        """,
    f"young old famous / {NATIONS}": """
        man         men          homme       hommes       m
        woman       women        femme       femmes       f
        """,
    f"small large old new beautiful / white red / {NATIONS}": """
        house       houses       maison      maisons      f
        hotel       hotels       hôtel       hôtels       m
        castle      castles      château     châteaux     m
        car         cars         voiture     voitures     f
        boat        boats        bateau      bateaux      m
        """,
    f"small large old new beautiful famous / {NATIONS}": """
        church      churches     église      églises      f
        museum      museums      musée       musées       m
        """,
    f"small large old new / {NATIONS} / military": """
        hospital    hospitals    hôpital     hôpitaux     m
        school      schools      école       écoles       f
        """,
    "long first new old / important secret": """
        letter      letters      lettre      lettres      f
        """,
    f"long first new old beautiful / important famous / white red / {NATIONS}": """
        book        books        livre       livres       m
        """,
    f"small large old beautiful famous / {NATIONS}": """
        city        cities       ville       villes       f
        village     villages     village     villages     m
        island      islands      île         îles         f
        """,
    "long large small beautiful": """
        river       rivers       rivière     rivières     f
        """,
}


def _noun(row: str, adjectives: str) -> Noun:
    one, many, un, plusieurs, gender = row.split()
    groups = tuple(tuple(group.split()) for group in adjectives.split(" / "))
    return Noun((one, many), (un, plusieurs), gender == "f", groups)


NOUNS = {
    row.split()[0]: _noun(row, adjectives)
    for adjectives, rows in NOUNS_BY_ADJECTIVES.items()
    for row in rows.strip().splitlines()
}

LEADERS = "minister president king queen ambassador"
PEOPLE = "student engineer doctor woman man hero actress"
PERSONS = f"{LEADERS} {PEOPLE}"
RULERS = "government parliament commission committee"
PACTS = "agreement treaty convention declaration"
TEXTS = f"{PACTS} report decision law"
TOPICS = "area market policy crisis"
SIGHTS = "church museum hospital school castle"
OF = {  # what may stand after a noun and "of"
    "president": "commission committee bank company university parliament",
    "minister": "government",
    "student": "university school",
    "engineer": "company",
    "doctor": "hospital",
    "church": "city village",
    "museum": "city university",
    "hospital": "city university",
    "school": "city village",
    "castle": "king queen",
    "policy": "government commission bank",
    "market": "city village",
    "report": "commission committee government bank",
    "decision": "commission committee government parliament",
    "declaration": "president minister government king queen",
    "law": "parliament government king",
}
CITIES = {
    "paris": "paris",
    "london": "londres",
    "rome": "rome",
    "geneva": "genève",
    "brussels": "bruxelles",
}
COUNTRIES = {  # with their article
    "france": ("la", "france"),
    "italy": ("la", "italie"),
    "germany": ("la", "allemagne"),
    "portugal": ("le", "portugal"),
    "japan": ("le", "japon"),
}
MONTHS = {
    "january": "janvier",
    "february": "février",
    "march": "mars",
    "april": "avril",
    "may": "mai",
    "june": "juin",
    "july": "juillet",
    "august": "août",
    "september": "septembre",
    "october": "octobre",
    "november": "novembre",
    "december": "décembre",
}
DAYS = {"1": "1er", "3": "3", "8": "8", "14": "14", "20": "20"}
YEARS = ("1989", "1991", "1992", "1994", "1995", "1998")
