"""The function that shows word vectors."""

from collections.abc import Mapping, Sequence

from seqviz.views.embedding.questions import questions_of
from seqviz.views.embedding.senses import senses_of
from seqviz.views.embedding.values import groups_of, lexicon_of, shown_of
from seqviz.views.embedding.widget import EmbeddingMap
from seqviz.views.embedding.word_map import map_of
from seqviz.views.shared.checking import line_or


def embedding(
    words: Sequence[str],
    vectors,
    *,
    shown: Sequence[str] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    analogies: Sequence[tuple[str, str, str, str]] = (),
    senses: Mapping[str, Sequence[Mapping]] | None = None,
    title: str | None = None,
) -> EmbeddingMap:
    """Lay words out by their vectors, and see where the map of two directions misleads.

    Beside the map stand the ten nearest words of one, counted by cosine in all directions; a
    dashed ray goes to those that are near there and look far on the map. A click locks a word.
    One field takes a word, `king - man + woman` or `man : king :: woman : ?`. A second tab
    follows one word in several sentences through the layers of a model.

    Parameters
    ----------
    words : sequence of str
        The n words of the table, all different.
    vectors : array (n, d)
        A row for each. Cosines are taken of them as they are; take their mean off first if all
        of them share a direction, as those of a trained model do.
    shown : sequence of str, optional
        4 to 500 words of the map, the most important first. Without it those of `groups`, and
        without these the first 150.
    groups : mapping of str to sequence of str, optional
        1 to 5 groups of shown words; each has a shape.
    analogies : sequence of (a, b, c, expected), optional
        "a is to b as c is to expected": b - a + c is asked. They work without a kernel; with one
        any word and any sum does.
    senses : mapping of str to sequence of mapping, optional
        For a word 3 to 16 mappings, 2 or 3 senses of at least two sentences each:

        - ``"sentence"``: its tokens, or a text that is split at blanks.
        - ``"at"``: which of the tokens the word is, from 0.
        - ``"sense"``: the name of its sense there.
        - ``"states"``: (layers, d), the word's state at each layer; of one shape for all.
    title : str, optional
        The heading, one line.

    Returns
    -------
    EmbeddingMap
        The view; its controls are `word`, `question`, `tab`, `sense_word`, `layer`, `sentence`
        (counted sense by sense) and `zoom`.

    Raises
    ------
    TypeError
        If an argument is of another kind than above.
    ValueError
        If a word is not in the table (names the nearest spelling), comes twice or has a zero
        vector; if an analogy's answer equals an input; if sentences have one sense only.

    Notes
    -----
    The map is the first two principal components of the shown words at length 1. In a plane
    b - a + c is exactly the fourth corner of the parallelogram. Mikolov, Yih and Zweig (2013)
    asked such sums, and left their inputs out of the ranking. Peters et al. (2018), section 5.3,
    told senses apart by the nearest state.

    Examples
    --------
    >>> vectors = [[1, 0.1], [0.9, 0.2], [0, 1], [-1, 0.3]]
    >>> view = embedding(["cat", "dog", "sun", "sea"], vectors)
    >>> view.word = "cat"
    >>> view.alt
    "4 of 4 words on a map; word 'cat'"
    """
    lexicon = lexicon_of(words, vectors)
    grouped = groups_of(groups, lexicon)
    places = shown_of(shown, grouped, lexicon)
    questions = questions_of(analogies, lexicon)
    return EmbeddingMap(
        map_of(lexicon, places),
        grouped,
        questions,
        senses_of(senses),
        line_or("title", title),
    )
