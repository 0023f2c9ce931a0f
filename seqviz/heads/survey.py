"""Sums over many sentences, of which scores are made: each sentence is looked at once."""

import numpy as np

from seqviz.heads.sentences import PLACES, RELATIONS, Sentence

LONGEST = 250  # tokens of a sentence: places fit into a byte
VIEWS = 2  # what a query may see: all tokens, or only those up to itself
EVEN = slice(-VIEWS, None)  # behind the heads: what spread their weight evenly over these
SUMS = {  # name: the axes before or behind that of the heads
    "weight": (len(RELATIONS),),
    "square": (len(RELATIONS),),
    "cross": (len(RELATIONS), VIEWS),
    "entropy": (),
    "evenness": (VIEWS,),
    "by_offset": (2 * LONGEST + 1,),
    "squares": (2,),  # of all weights from word to word: back to itself, and forward
    "most": (len(PLACES),),
}


class Survey:
    """Sums of what heads do in the sentences that were added.

    Two heads are appended that spread their weights evenly, one over all tokens, one over those up
    to the query: what they score is what nothing looks like.

    Parameters
    ----------
    heads : int

    Attributes
    ----------
    arrays : dict
        The sums by name, the heads on their first axis.
    vocabulary : dict of str to int
        The row of each word in `received` and `links`.
    strongest : list of array
        Of each sentence the strongest weight between two different words, for each head.
    done : list of array
        Of each sentence what each head does most, a number of `PLACES`.
    """

    def __init__(self, heads: int):
        self.heads = heads
        self.arrays = {name: np.zeros((heads + VIEWS, *axes)) for name, axes in SUMS.items()}
        self.counts = np.zeros((len(RELATIONS), VIEWS))  # queries that have such a key
        self.count_squares = np.zeros((len(RELATIONS), VIEWS))
        self.having = np.zeros((len(RELATIONS), VIEWS))  # sentences that have one
        self.queries = np.zeros(VIEWS)  # that see two tokens or more
        self.words = 0
        self.pairs = np.zeros(2 * LONGEST + 1)
        self.ahead = 0.0  # the most that any head gives to a token behind the query
        self.vocabulary: dict[str, int] = {}
        self.used = np.zeros(0)  # of each word how often it stands there
        self.received = np.zeros((0, heads + VIEWS))
        self.links = np.zeros((0, heads + VIEWS))
        self.strongest: list[np.ndarray] = []
        self.done: list[np.ndarray] = []

    def add(self, maps: np.ndarray, sentence: Sentence) -> bool:
        """Add the weights (head, word, word) of a sentence; False if it has no word to ask about.

        A sentence of one token has none: the first one is no query.
        """
        n, asked = len(sentence), sentence.queries
        if not len(asked):
            return False
        sees = np.stack([np.ones((n, n), bool), sentence.offsets <= 0], axis=-1)
        self.ahead = max(self.ahead, float((maps * ~sees[..., 1]).max()))
        even = np.moveaxis(sees / sees.sum(axis=1, keepdims=True), -1, 0)
        rows = np.concatenate([maps, even])[:, asked].astype(float)
        self._add_relations(rows, sentence, sees)
        self._add_entropy(rows, sees[asked].sum(axis=1))
        self._add_offsets(rows[:, :, asked], sentence.offsets[np.ix_(asked, asked)])
        self._add_words(rows[:, :, asked], [sentence.same[k] for k in asked])
        self.words += len(asked)
        return True

    def _add_relations(self, rows: np.ndarray, sentence: Sentence, sees: np.ndarray) -> None:
        """The weight on keys of each relation, and which place has most of a sentence's."""
        asked = sentence.queries
        related = sentence.relations()[:, asked]
        count = (related[..., None] & sees[asked]).any(axis=2).sum(axis=1)
        flat = rows.reshape(len(rows), -1)
        weight = flat @ related.reshape(len(related), -1).T
        self.arrays["weight"] += weight
        self.arrays["square"] += weight**2
        self.arrays["cross"] += weight[..., None] * count
        self.counts += count
        self.count_squares += count.astype(float) ** 2
        self.having += count > 0
        places = sentence.places()[asked].ravel() == np.arange(len(PLACES))[:, None]
        most = (flat @ places.T).argmax(axis=1)
        self.arrays["most"][np.arange(len(rows)), most] += 1
        self.done.append(most[: self.heads].astype(np.uint8))

    def _add_entropy(self, rows: np.ndarray, seen: np.ndarray) -> None:
        """Bits of each query, and over the most that are possible."""
        bits = -(rows * np.log2(rows, where=rows > 0, out=np.zeros_like(rows))).sum(axis=2)
        self.arrays["entropy"] += bits.sum(axis=1)
        several = seen > 1
        most = np.where(several, np.log2(np.maximum(seen, 2)), np.inf)
        self.arrays["evenness"] += bits @ (1 / most)
        self.queries += several.sum(axis=0)

    def _add_offsets(self, between: np.ndarray, offsets: np.ndarray) -> None:
        """Weights from word to word by how far they reach."""
        order = np.argsort(offsets, axis=None, kind="stable")
        values, count = np.unique(offsets, return_counts=True)
        begin = np.concatenate([[0], np.cumsum(count)[:-1]])
        ordered = between.reshape(len(between), -1)[:, order]
        self.arrays["by_offset"][:, values + LONGEST] += np.add.reduceat(ordered, begin, axis=1)
        self.pairs[values + LONGEST] += count
        forward = (offsets > 0).ravel()
        sides = np.stack([~forward, forward], axis=1)
        self.arrays["squares"] += between.reshape(len(between), -1) ** 2 @ sides

    def _add_words(self, between: np.ndarray, words: list[str]) -> None:
        """Which words link strongly, and which ones are attended to."""
        links = between.copy()
        diagonal = np.arange(len(words))
        links[:, diagonal, diagonal] = 0
        strongest = links.max(axis=2)
        rows = [self.vocabulary.setdefault(word, len(self.vocabulary)) for word in words]
        self._grow(len(self.vocabulary))
        np.add.at(self.used, rows, 1)
        np.add.at(self.links, rows, strongest.T)
        np.add.at(self.received, rows, between.sum(axis=1).T)
        self.strongest.append(strongest.max(axis=1)[: self.heads].astype(np.float32))

    def _grow(self, words: int) -> None:
        """Make room for new words."""
        if words <= len(self.used):
            return
        room = max(words, 2 * len(self.used), 1024)
        for name in ("used", "received", "links"):
            old = getattr(self, name)
            new = np.zeros((room, *old.shape[1:]))
            new[: len(old)] = old
            setattr(self, name, new)

    @property
    def causal(self) -> bool:
        """Whether no query was seen to attend to what stands behind it."""
        return self.ahead == 0

    def __len__(self) -> int:
        return len(self.done)

    # ---- as it can be kept
    PLAIN = ("counts", "count_squares", "having", "queries", "pairs", "used", "received", "links")

    def state(self) -> dict:
        """All of it as arrays, and what JSON holds."""
        n, known = len(self.vocabulary), {name: getattr(self, name) for name in self.PLAIN}
        for name in ("used", "received", "links"):
            known[name] = known[name][:n]
        lists = {"strongest": np.array(self.strongest), "done": np.array(self.done)}
        told = {"words": self.words, "ahead": self.ahead, "vocabulary": list(self.vocabulary)}
        return {"arrays": self.arrays | known | lists, "told": told}

    @classmethod
    def restored(cls, arrays: dict, told: dict) -> "Survey":
        """Return the survey that `state` kept."""
        survey = cls(len(arrays["entropy"]) - VIEWS)
        survey.arrays = {name: arrays[name] for name in SUMS}
        for name in cls.PLAIN:
            setattr(survey, name, arrays[name])
        survey.strongest, survey.done = list(arrays["strongest"]), list(arrays["done"])
        survey.words, survey.ahead = told["words"], told["ahead"]
        survey.vocabulary = {word: k for k, word in enumerate(told["vocabulary"])}
        return survey
