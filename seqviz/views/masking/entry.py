"""The function that shows masked words."""

from collections.abc import Callable, Mapping, Sequence

from seqviz.telling import shown
from seqviz.views.masking.draws import draws_of, rates_of
from seqviz.views.masking.guesses import Vocabulary
from seqviz.views.masking.live import Live
from seqviz.views.masking.values import labels_of, sentences_of
from seqviz.views.masking.widget import MaskedWords
from seqviz.views.shared.checking import line, line_or, strings


def masking(
    sentences: Sequence[Mapping],
    vocabulary: Sequence[str],
    *,
    names: Sequence[str] = ("both sides", "left only"),
    rates=None,
    draws: Mapping | None = None,
    run: Callable[[list[str], tuple[int, ...]], Mapping] | None = None,
    tokenize: Callable[[str], Sequence[str]] = str.split,
    title: str | None = None,
) -> MaskedWords:
    """Hide a token and see what a model guesses that reads both sides; beside it one that cannot.

    Click a token to mask it: the five likeliest guesses of the first model with the probabilities
    that both models give them, the true token with its ranks, and how much the masked position
    attends to each token. Every single mask is computed beforehand, so the picture needs no
    kernel. A second pane shows how training corrupts a text (deck 002; Devlin et al. 2019,
    section 3.1): 15 % of the tokens are chosen, of them 80 % become [MASK], 10 % another token,
    10 % stay.

    Parameters
    ----------
    sentences : sequence of mapping
        1 to 50 sentences of T tokens, T at most 64.

        - ``"tokens"``: the T strings, special ones among them. Pieces are
          known by their marks, those of BERT (##), GPT-2 (Ġ), sentencepiece (▁) and alike.
        - ``"both"``: (T, V), at row t the probabilities of the masked language model for
          position t when t alone is masked. Rows at special tokens are not read.
        - ``"left"``, optional: (T, V), at row t what a left-to-right model expects after the
          tokens before t.
        - ``"attention"``, optional: (T, T), at row t the weights from position t to each token
          when t is masked; or a mapping of label to such an array, as for several heads, with
          the same labels in every sentence.
        - ``"title"``, optional: what it is called in the list of sentences.
        - ``"special"``, optional: positions, from 0, that cannot be masked; without it those of
          [CLS], [SEP], [PAD], [MASK], [UNK] and the like.
    vocabulary : sequence of str
        The V tokens, all different.
    names : sequence of str
        What the two models are called.
    rates : array (R, 3), optional
        Rows (share of masked tokens, accuracy of the guesses, its standard error), from 0 to 1.
    draws : mapping, optional
        ``"tokens"``: a text of T tokens, and ``"masked"``: a mapping from a rate to what
        `sv.data.mask_tokens` returns for it: `inputs` and `fates`, each (T,) or (draws, T), the
        fates 0 not chosen, 1 masked, 2 replaced, 3 kept. ``"shares"``: the three shares that were
        wanted, (0.8, 0.1, 0.1) if left out. ``"special"`` as above.
    run : function (tokens, positions) -> mapping, or one or two graphs, optional
        Runs the models again, for two masks at once and for the reader's own sentence. Either the
        graph of the masked language model, as `sv.graphs.exported(model, (ids,))` returns it, or
        a pair of it and the graph of the left-to-right model; maps are then called
        ``"layer 1, mean"`` or ``"layer 1, head 0"``, counted from 0, and a page that is written
        with ``to_html(answers=True)`` needs no kernel. Or a function, which needs one. It gets a
        list of tokens and the positions, from 0, that are masked at once, and returns ``"both"``
        (P, V) and perhaps ``"left"`` (P, V) and ``"attention"`` (P, T), as above, a row for each
        of these positions. A sentence of one's own calls it with one position after another. A
        [MASK] that is written in it is masked from the start, and no token is the true one there.
    tokenize : function from text to tokens, or a tokenizer, optional
        Turns the reader's own sentence into tokens, special ones among them; without it the text
        is split at blanks. A page that answers needs a tokenizer: one that `sv.explore` takes,
        such as a `sv.data.WordPiece`.
    title : str, optional
        The heading, one line.

    Returns
    -------
    MaskedWords
        The view; its controls are `sentence`, `mask`, `second`, `head`, `compare`, `training`,
        `rate` and `draw`, and with `run` also `text`.

    Raises
    ------
    TypeError
        If an argument is of another kind than above.
    ValueError
        If probabilities or weights do not sum to 1, shapes do not fit, or a token that can be
        masked is not in the vocabulary.

    Examples
    --------
    >>> both = [[0.9, 0.1], [0.2, 0.8]]
    >>> left = [[0.5, 0.5], [0.1, 0.9]]
    >>> one = {"tokens": ["he", "sat"], "both": both, "left": left}
    >>> view = masking([one], ["he", "sat"])
    >>> view.mask = 2
    >>> view.alt
    "Masked words, sentence 1 of 1 with 2 tokens; mask 2, 'sat'"
    """
    words = Vocabulary(vocabulary)
    checked = sentences_of(sentences, words)
    called = [line(f"names[{k}]", name) for k, name in enumerate(strings("names", names))]
    if len(called) != 2:
        raise ValueError(f"names: expected two names, came {called}")
    for name, function in (("run", run), ("tokenize", tokenize)):
        if not (function is None or callable(function) or hasattr(function, "fitted")):
            raise TypeError(f"{name}: expected a function, came {shown(function)}")
    return MaskedWords(
        checked,
        words,
        tuple(called),
        draws_of(draws, words),
        rates_of(rates),
        Live(run, tokenize, words, labels_of(checked)) if run else None,
        line_or("title", title),
    )
