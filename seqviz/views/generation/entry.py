"""The function that shows how a language model writes."""

from collections.abc import Callable, Sequence

from seqviz.views.generation.stops import LUCKS, ROWS
from seqviz.views.generation.values import vocabulary_of
from seqviz.views.generation.widget import NextWords
from seqviz.views.generation.writing import Writer
from seqviz.views.shared.checking import line_or, within

MOST_STEPS, MOST_DEPTH, MOST_BRANCH, MOST_KEPT = 200, 6, 12, 1000


def generation(
    probabilities: Callable[[list[int]], Sequence[float]],
    vocabulary: Sequence[str],
    prompt: Sequence[int] | Sequence[str] | str,
    *,
    tokenizer=None,
    steps: int = 40,
    depth: int = 3,
    branch: int = 4,
    keep: int = 100,
    seed: int = 0,
    joiner: str = " ",
    title: str | None = None,
) -> NextWords:
    """Show what a language model expects next, and what each decoding method keeps of it.

    Bars by rank, as the model has them (outline) and after decoding (filled): greedy, temperature,
    top-k (Fan et al. 2018), nucleus (Holtzman et al. 2020) and plain sampling. A click takes a
    token, and the model goes on from there. Over the bars stands the text with the model's doubt
    before each token and the rank of what was taken; beside them the paths taken as a tree, or
    what the methods write with the same random numbers.

    A saved page has no model. It holds the distributions along the `branch` likeliest tokens,
    `depth` deep, and on the way of each method at its start setting; there the model runs some
    300 times when the view is made. In a notebook the page asks the kernel for any other path.
    Made of a graph or of steps, the page that ``to_html(answers=True)`` writes has the model and
    runs it itself.

    Parameters
    ----------
    probabilities : function from a list of ids to (V,), Graph or Steps
        The distribution of the next token after these ids, the prompt first: an array, a tensor or
        a list of V numbers that sum to 1. If it raises, as at a prompt that is longer than the
        model's positions, the view says so and that run ends there. Or the model as a graph from
        ids (1, time) to logits (1, time, V), ``sv.graphs.exported(model, (ids,))``, or as steps,
        ``sv.graphs.stepped(model)``, which read a token once and are faster.
    vocabulary : sequence of str
        The V tokens by id. Two ids may have one text; the ids are what counts.
    prompt : sequence of int or of str
        What stands there at the start: at least one id, or token of the vocabulary. With a
        tokenizer it may be a text.
    tokenizer : tokenizer, optional
        The model's, one that ``sv.explore`` takes. With it the view has a field, and goes on from
        the text that is written there.
    steps : int
        Tokens that each method writes, 1 to 200.
    depth, branch : int
        The tree that a saved page holds: up to 6 deep, 1 to 12 wide.
    keep : int
        Tokens by name at each place, 12 to 1,000; the others are one number with a curve.
    seed : int
        Luck of the first runs, 0 to 999,999.
    joiner : str
        What stands between two tokens of a text: " " for words, "" for characters and for pieces
        that bring their own blanks.
    title : str, optional
        The heading, one line.

    Returns
    -------
    NextWords
        The view; its controls are `method`, `k`, `p`, `temperature`, `written`, `focus`,
        `compare` and `luck`. With a tokenizer its `text` can be set, too.

    Raises
    ------
    TypeError
        If an argument is of another kind than above.
    ValueError
        If the function does not answer to the prompt, or with anything but V probabilities; if the
        vocabulary or the prompt is empty, or a token or id is not in the vocabulary.

    Examples
    --------
    >>> table = [[0.1, 0.9], [0.75, 0.25]]
    >>> view = generation(lambda ids: table[ids[-1]], ["la", "di"], ["la"], steps=6)
    >>> view.method = "greedy"
    >>> view.alt
    "Next word after 'la'; greedy"
    >>> view.written = ["di", "la"]
    >>> view.written
    [1, 0]
    """
    if not callable(probabilities):
        raise TypeError(
            f"probabilities: expected a function from a list of ids to a distribution, a graph, or "
            f"steps; came {type(probabilities).__name__}"
        )
    words = vocabulary_of(vocabulary, joiner)
    within("steps", steps, 1, MOST_STEPS)
    within("depth", depth, 0, MOST_DEPTH)
    within("branch", branch, 1, MOST_BRANCH)
    within("keep", keep, ROWS, MOST_KEPT)
    within("seed", seed, 0, LUCKS - 1)
    called = line_or("title", title)
    if isinstance(prompt, str) and tokenizer is not None:
        text, ids = prompt, tuple(tokenizer.ids(prompt, len(words)))
    else:
        ids = words.ids("prompt", prompt)
        text = None if tokenizer is None else words.text_of(ids).strip()
    if not ids:
        raise ValueError(
            "prompt: expected at least one token, came none: begin with what begins a text, as a "
            "newline or the model's start token"
        )
    writer = Writer(probabilities, words, ids, min(keep, len(words)))
    return NextWords(writer, tokenizer, text, steps, depth, branch, seed, called)
