"""A small French grammar of the tests' own: it reads a sentence or says what is wrong with it.

It shares nothing with the generator. What it does not know it refuses, so that it errs on the
strict side only.
"""

NOUNS = {  # singular: gender, plural
    "accord": "m accords",
    "actrice": "f actrices",
    "ambassadeur": "m ambassadeurs",
    "banque": "f banques",
    "bateau": "m bateaux",
    "château": "m châteaux",
    "comité": "m comités",
    "commission": "f commissions",
    "convention": "f conventions",
    "crise": "f crises",
    "décision": "f décisions",
    "déclaration": "f déclarations",
    "entreprise": "f entreprises",
    "étudiant": "m étudiants",
    "femme": "f femmes",
    "gouvernement": "m gouvernements",
    "héros": "m héros",
    "homme": "m hommes",
    "hôpital": "m hôpitaux",
    "hôtel": "m hôtels",
    "île": "f îles",
    "ingénieur": "m ingénieurs",
    "lettre": "f lettres",
    "livre": "m livres",
    "loi": "f lois",
    "maison": "f maisons",
    "marché": "m marchés",
    "médecin": "m médecins",
    "ministre": "m ministres",
    "musée": "m musées",
    "parlement": "m parlements",
    "politique": "f politiques",
    "président": "m présidents",
    "rapport": "m rapports",
    "reine": "f reines",
    "rivière": "f rivières",
    "roi": "m rois",
    "traité": "m traités",
    "université": "f universités",
    "village": "m villages",
    "ville": "f villes",
    "voiture": "f voitures",
    "zone": "f zones",
    "école": "f écoles",
    "église": "f églises",
}
MUTE = {"homme", "hommes", "hôpital", "hôpitaux", "hôtel", "hôtels", "hier"}  # l' homme
ASPIRATED = {"héros"}  # le héros

BEFORE = """
petit/petits/petite/petites grand/grands/grande/grandes long/longs/longue/longues
premier/premiers/première/premières jeune/jeunes/jeune/jeunes
nouveau/nouveaux/nouvelle/nouvelles vieux/vieux/vieille/vieilles beau/beaux/belle/belles
"""
LIAISON = {"nouvel": "nouveau", "vieil": "vieux", "bel": "beau"}  # before a vowel
AFTER = (  # the nearer to the noun, the earlier: la zone économique européenne
    """
    économique/économiques/économique/économiques politique/politiques/politique/politiques
    militaire/militaires/militaire/militaires agricole/agricoles/agricole/agricoles
    financier/financiers/financière/financières social/sociaux/sociale/sociales
    """,
    """
    commun/communs/commune/communes européen/européens/européenne/européennes
    français/français/française/françaises allemand/allemands/allemande/allemandes
    italien/italiens/italienne/italiennes
    international/internationaux/internationale/internationales
    """,
    "rouge/rouges/rouge/rouges blanc/blancs/blanche/blanches",
    """
    important/importants/importante/importantes célèbre/célèbres/célèbre/célèbres
    secret/secrets/secrète/secrètes
    """,
)
KINDS = ("ms", "mp", "fs", "fp")

DONE = (
    "signé adopté rejeté préparé publié créé réparé acheté vendu visité trouvé écrit envoyé invité"
)
DOING = "travaillé parlé attendu"  # with avoir, without an object
BEING = "arrivé resté parti allé né"  # with être

CITIES = {"paris", "londres", "rome", "genève", "bruxelles"}
COUNTRIES = {"france": "f", "italie": "f", "allemagne": "f", "portugal": "m", "japon": "m"}
MONTHS = {
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
}
YEARS = {str(year) for year in range(1900, 2000)}
DAYS = {"1er", *map(str, range(2, 32))}
DETERMINERS = {
    **{"le": "ms", "la": "fs", "un": "ms", "une": "fs", "ce": "ms", "cet": "ms", "cette": "fs"},
    **dict.fromkeys(("les", "ces", "deux", "trois", "plusieurs"), "mp fp"),
    "l'": "ms fs",
}
OPEN = {"le": "l'", "la": "l'", "de": "d'", "ne": "n'", "ce": "cet"}  # not before a vowel
OPEN |= {"nouveau": "nouvel", "beau": "bel"}
CLOSED = {"l'", "d'", "n'", "cet", *LIAISON}  # only before a vowel
SPLIT = {("de", "le"), ("de", "les"), ("à", "le"), ("à", "les")}


class NotFrench(ValueError):
    """What is wrong with a sentence."""


def readings(tables):
    """Every form of an adjective: the kinds that it agrees with and its rank after the noun."""
    found = {}
    for rank, table in enumerate(tables):
        for forms in table.split():
            for kind, form in zip(KINDS, forms.split("/"), strict=True):
                found.setdefault(form, (rank, set()))[1].add(kind)
    return found


NOUN_FORMS = {}
for singular, about in NOUNS.items():
    gender, plural = about.split()
    NOUN_FORMS.setdefault(singular, set()).add(f"{gender}s")
    NOUN_FORMS.setdefault(plural, set()).add(f"{gender}p")
BEFORE_FORMS = readings([BEFORE]) | {form: (0, {"ms"}) for form in LIAISON}
AFTER_FORMS = readings(AFTER)
PARTICIPLES = {
    masculine + ending: (masculine, kind)
    for masculine in f"{DONE} {DOING} {BEING}".split()
    for kind, ending in zip(KINDS, ("", "s", "e", "es"), strict=True)
}


def opens_with_vowel(word):
    if word.startswith("h"):
        if word not in MUTE | ASPIRATED:
            raise NotFrench(f"is the h of {word} mute?")
        return word in MUTE
    return word[0] in "aâàeéèêiîoôuûœ"


def check_spelling(words):
    """Elision and contraction, word by word."""
    for word, after in zip(words, [*words[1:], "."], strict=True):
        vowel = opens_with_vowel(after)
        if word in OPEN and vowel and not (word in ("nouveau", "beau") and after in ("et", "a")):
            raise NotFrench(f"{word} {after}: {OPEN[word]} {after}")
        if word in CLOSED and not vowel:
            raise NotFrench(f"{word} {after}: no vowel follows")
        if word == "vieux" and vowel and "ms" in NOUN_FORMS.get(after, ()):
            raise NotFrench(f"vieux {after}: vieil {after} or a plural")
        if (word, after) in SPLIT:
            raise NotFrench(f"{word} {after} must be contracted")


class Reader:
    """Reads a sentence from left to right."""

    def __init__(self, words):
        self.words, self.at = [*words, "."], 0

    def next(self, offset=0):
        return self.words[min(self.at + offset, len(self.words) - 1)]

    def take(self, *expected):
        word = self.next()
        if expected and word not in expected:
            raise NotFrench(f"{word} at word {self.at}: expected one of {sorted(expected)}")
        self.at += 1
        return word

    def sentence(self):
        self.clause()
        while self.next() != ".":
            self.take("et", "mais", "quand")
            self.clause()

    def clause(self):
        """A subject, its verb, what is done to what, where and when."""
        kind = self.group()
        negated = self.next() in ("ne", "n'")
        if negated:
            self.take()
        auxiliary = self.take("a", "ont", "est", "sont")
        if (auxiliary in ("ont", "sont")) != kind.endswith("p"):
            raise NotFrench(f"{auxiliary} with a subject that is {kind}")
        if negated:
            self.take("pas")
        elif self.next() == "pas":
            raise NotFrench("pas without ne")
        if auxiliary in ("a", "ont"):
            self.had(kind, negated)
        else:
            self.was(kind)
        self.adjuncts()

    def had(self, kind, negated):
        """Avoir: passive, or active with an unchanged participle."""
        if self.next() == "été":
            self.take()
            masculine, _ = self.participle(kind)
            if masculine not in DONE.split():
                raise NotFrench(f"{masculine} has no passive")
            if self.next() == "par":
                self.take()
                self.group()
            return
        masculine, _ = self.participle("ms")
        if masculine in BEING.split():
            raise NotFrench(f"{masculine} goes with être")
        if masculine in DONE.split():
            if negated and self.next() in ("un", "une"):
                raise NotFrench("after a negation un, une become de")
            self.group()

    def was(self, kind):
        """Être: a past with a participle that agrees, or a state."""
        if self.next() in PARTICIPLES and self.next() not in AFTER_FORMS:
            masculine, _ = self.participle(kind)
            if masculine not in BEING.split():
                raise NotFrench(f"{masculine} goes with avoir")
            return
        if self.next() == "très":
            self.take()
        word = self.take()
        if word in LIAISON or word not in BEFORE_FORMS | AFTER_FORMS:
            raise NotFrench(f"{word} is no adjective that stands alone")
        if kind not in (BEFORE_FORMS | AFTER_FORMS)[word][1]:
            raise NotFrench(f"{word} does not agree with a subject that is {kind}")

    def participle(self, kind):
        word = self.take()
        if word not in PARTICIPLES:
            raise NotFrench(f"{word} is no participle")
        if PARTICIPLES[word][1] != kind:
            raise NotFrench(f"{word} is not {kind}")
        return PARTICIPLES[word]

    def group(self, article=None):
        """A determiner (or the one in du, des, au, aux), adjectives, noun, adjectives; its kind."""
        determiner = article or self.take(*DETERMINERS)
        if article == "le" and opens_with_vowel(self.next()):
            raise NotFrench(f"{self.next()} needs l' and no contraction")
        before = []
        while self.next() in BEFORE_FORMS:
            before.append(self.take())
        noun = self.take(*NOUN_FORMS)
        kinds = NOUN_FORMS[noun] & {*DETERMINERS[determiner].split()}
        for word in before:
            kinds &= BEFORE_FORMS[word][1]
        rank = -1
        while self.next() in AFTER_FORMS:
            word = self.take()
            if AFTER_FORMS[word][0] <= rank:
                raise NotFrench(f"{word} stands too far from {noun}")
            rank = AFTER_FORMS[word][0]
            kinds &= AFTER_FORMS[word][1]
        if self.next() in BEFORE_FORMS:
            raise NotFrench(f"{self.next()} must stand before {noun}")
        if len(kinds) != 1:
            raise NotFrench(f"the words around {noun} do not agree")
        self.complements()
        return kinds.pop()

    def complements(self):
        match self.next():
            case "sur":
                self.take()
                self.group()
            case "avec":
                self.take()
                self.country()
            case "entre":
                self.take()
                self.country()
                self.take("et")
                self.country()
            case "de" | "d'" | "du" | "des":
                self.of()

    def of(self):
        word = self.take()
        following = self.next()
        if following in MONTHS and word in ("de", "d'"):
            self.month()
        elif following in COUNTRIES:
            self.take()
            if (word == "du") != (COUNTRIES[following] == "m") or word == "des":
                raise NotFrench(f"{word} {following}")
        else:
            self.group(article={"du": "le", "des": "les"}.get(word))

    def country(self):
        article, name = self.take("le", "la", "l'"), self.take(*COUNTRIES)
        if {"le": "m", "la": "f"}.get(article, COUNTRIES[name]) != COUNTRIES[name]:
            raise NotFrench(f"{article} {name}")

    def month(self):
        self.take(*MONTHS)
        self.take(*YEARS)

    def adjuncts(self):
        """Where, to whom and when."""
        while self.next() not in (".", "et", "mais", "quand"):
            self.adjunct()

    def adjunct(self):
        following = self.next(1)
        match self.take("à", "au", "aux", "en", "dans", "près", "hier", "la", "l'", "le"):
            case "à" if following in CITIES:
                self.take()
            case "à":
                self.group()
            case "au" if following in COUNTRIES:
                self.take(*[name for name, gender in COUNTRIES.items() if gender == "m"])
            case "au":
                self.group(article="le")
            case "aux":
                self.group(article="les")
            case "en" if following in MONTHS:
                self.month()
            case "en":
                self.take(*YEARS, *[name for name, gender in COUNTRIES.items() if gender == "f"])
            case "dans":
                self.group()
            case "près":
                self.group(
                    article={"du": "le", "des": "les"}.get(self.take("de", "d'", "du", "des"))
                )
            case "la":
                self.take("semaine")
                self.take("dernière", "suivante", "précédente")
            case "l'":
                self.take("année")
                self.take("dernière", "suivante", "précédente")
            case "le" if following == "mois":
                self.take()
                self.take("dernier", "suivant", "précédent")
            case "le":
                self.take(*DAYS)
                self.month()


def check(words):
    """Read a French sentence; an error says what is wrong with it."""
    check_spelling(words)
    Reader(words).sentence()
