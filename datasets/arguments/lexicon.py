"""The words of the three domains of `arguments`: what praises, what blames, what does neither."""

from dataclasses import dataclass

PRAISE, NEUTRAL, BLAME = 1, 0, -1


@dataclass(frozen=True)
class Domain:
    """The words that only one domain has.

    Parameters
    ----------
    subjects : tuple of str
        What a paragraph is about.
    purposes : tuple of str
        What it may be good for.
    adjectives, verbs : dict of int to tuple of str
        By stance: `PRAISE`, `NEUTRAL` or `BLAME`.
    objects : tuple of str
        What it acts on or has.
    cues : dict of str to tuple of str
        What may stand before a THE, PRO, CON or O.
    orders : tuple of tuple of str
        The components of a paragraph in their order, each with what ends it.
    """

    subjects: tuple[str, ...]
    purposes: tuple[str, ...]
    adjectives: dict[int, tuple[str, ...]]
    verbs: dict[int, tuple[str, ...]]
    objects: tuple[str, ...]
    cues: dict[str, tuple[str, ...]]
    orders: tuple[tuple[str, ...], ...]

    @property
    def stance(self) -> dict[str, int]:
        """The stance of each word that has one."""
        of = {}
        for words in (self.adjectives, self.verbs):
            for sign in (PRAISE, BLAME):
                of |= dict.fromkeys(words[sign], sign)
        return of


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _three(praise: str, neutral: str, blame: str) -> dict[int, tuple[str, ...]]:
    return {PRAISE: _words(praise), NEUTRAL: _words(neutral), BLAME: _words(blame)}


DOMAINS = {
    "technology": Domain(
        subjects=("python", "java", "linux", "android", "windows", "google", "wikipedia"),
        purposes=("scientific programming", "office work", "our new project", "web servers"),
        adjectives=_three(
            "fast free stable flexible reliable efficient powerful elegant robust compact open "
            "portable rich secure precise smooth clever versatile",
            "digital virtual numerical binary external internal dual parallel graphical "
            "electronic remote linear central vertical relational mobile visual",
            "slow heavy fragile obsolete clumsy vulnerable unstable bulky unreliable awkward "
            "outdated broken primitive faulty weak rigid messy crude",
        ),
        verbs=_three(
            "improve accelerate enhance strengthen enable facilitate boost upgrade",
            "store read print display copy send scan list",
            "break crash damage block corrupt disrupt delay weaken",
        ),
        objects=_words(
            "records memory software hardware files servers programs networks code screens tables "
            "libraries applications engines"
        ),
        cues={
            "THE": ("in my opinion ,", "i think that", "i believe that"),
            "PRO": ("because", "the reason is that", "besides ,"),
            "CON": ("however ,", "on the other hand ,", "but"),
            "O": ("by the way ,", "today", ""),
        },
        orders=(
            ("O .", "THE ,", "PRO .", "PRO .", "CON ."),
            ("THE .", "PRO .", "CON .", "O ."),
            ("O .", "THE .", "PRO ,", "PRO .", "O .", "CON ."),
        ),
    ),
    "town": Domain(
        subjects=(
            *("the tram", "the night market", "the bicycle path", "the walking zone"),
            *("the new harbour", "the festival", "the dam"),
        ),
        purposes=("the old town", "our valley", "the whole county", "the river bank"),
        adjectives=_three(
            "clean safe green quiet healthy beautiful pleasant affordable attractive peaceful "
            "scenic welcoming fresh charming convenient lovely comfortable sunny",
            "municipal northern eastern wooden concrete annual adjacent residential circular "
            "southern coastal underground elevated paved seasonal regional suburban",
            "noisy dirty dangerous crowded ugly toxic expensive harmful filthy grim hostile "
            "costly unpleasant hazardous deadly chaotic contaminated bleak",
        ),
        verbs=_three(
            "save attract preserve welcome benefit restore protect revive",
            "cross follow join surround face divide reach pass",
            "threaten ruin destroy poison spoil waste harm kill",
        ),
        objects=_words(
            "streets shops parks families residents traffic trees houses squares buses bridges "
            "visitors gardens markets"
        ),
        cues={
            "THE": ("therefore", "we conclude that", "so"),
            "PRO": ("since", "given that", "for one thing ,"),
            "CON": ("critics say that", "opponents object :", "although"),
            "O": ("last year", "as planned ,", ""),
        },
        orders=(
            ("O .", "PRO ;", "PRO .", "CON .", "THE ."),
            ("CON ;", "O .", "PRO .", "THE ."),
            ("PRO .", "O .", "CON ;", "PRO .", "THE .", "O ."),
        ),
    ),
    "school": Domain(
        subjects=(
            *("the uniform", "the school garden", "the homework club", "the later start"),
            *("group work", "the debate", "the science day"),
        ),
        purposes=("young learners", "every class", "the first grade", "the autumn term"),
        adjectives=_three(
            "fair lively helpful useful creative inspiring friendly encouraging enjoyable "
            "thoughtful engaging exciting wise fun valuable interesting kind productive",
            "weekly written spoken oral daily academic secondary bilingual musical historical "
            "blank optional monthly printed introductory formal elementary",
            "boring unfair confusing useless dull cruel frustrating shallow pointless painful "
            "lonely harsh difficult meaningless humiliating miserable embarrassing unnecessary",
        ),
        verbs=_three(
            "help encourage inspire reward cheer support comfort educate",
            "involve include accompany require cover concern describe mention",
            "confuse punish distract insult scare exhaust bother alarm",
        ),
        objects=_words(
            "pupils students teachers lessons classes parents children exams books readers "
            "groups subjects songs texts"
        ),
        cues={
            "THE": ("clearly ,", "in short :", "without doubt"),
            "PRO": ("after all ,", "for", "indeed ,"),
            "CON": ("of course ,", "it is true that", "granted ,"),
            "O": ("every week", "this term", ""),
        },
        orders=(
            ("CON ,", "THE .", "PRO .", "O ."),
            ("O .", "CON .", "THE :", "PRO .", "PRO ."),
            ("CON .", "CON .", "O .", "THE .", "PRO ."),
        ),
    ),
}
