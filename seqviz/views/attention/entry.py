"""From weights of any kind, or a function of a text, to the attention explorer."""

import warnings
from collections.abc import Iterable, Mapping, Sequence

from traitlets import TraitError

from seqviz.views.attention.checkpoints import ALONE, Label, of_checkpoints
from seqviz.views.attention.controls import MEANT, agreed, heads_of, one_of, place_of
from seqviz.views.attention.kinds import kinds_of
from seqviz.views.attention.reading import reader
from seqviz.views.attention.silence import takes_silent
from seqviz.views.attention.widget import AttentionExplorer
from seqviz.views.shared.checking import line

GIVEN = ("checkpoint", "layer", "head", "words")  # arguments of their own, or none at the start
CONTROLS = [name for name in AttentionExplorer.class_traits(control=True) if name not in GIVEN]
RECORDED = (
    "with sv.record(model) as rec: model(ids), then attention(rec.attention, tokens); or "
    "sv.explore(model, tokenizer, text)"
)


def attention(
    weights=None,
    tokens: Sequence[str] | None = None,
    *,
    key_tokens: Sequence[str] | None = None,
    checkpoints: Mapping[Label, object] | None = None,
    encoder=None,
    cross=None,
    decoder=None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    item: int | None = None,
    words=None,
    special: Sequence[str] | None = None,
    segments: Sequence[int | None] | None = None,
    sure: Iterable[tuple[int, int]] | None = None,
    possible: Iterable[tuple[int, int]] | None = None,
    precision: str = "byte",
    title: str = "",
    layer: int | str | None = None,
    head: int | str | list = 0,
    text: str | None = None,
    **controls,
) -> AttentionExplorer:
    """Show attention weights: all heads at once, one of them as a heat map and as lines.

    Point at a token to see what it attends to, with which weight; words are merged from pieces,
    special tokens hidden, heads sorted. A weight travels as one byte, within 0.4 % of its row's
    largest, where special tokens are hidden of the largest that is left; a word merged of n pieces
    adds up their errors, to at most sqrt(n) times 0.4 %. Means, rollout and scores are computed
    from the floats, sums agree with the rows' totals. `table` and `to_csv` hold every weight of all
    heads as it was handed in; the page's own CSV has the map on screen, with the digits that its
    bytes tell. A notebook saves all heads of up to 2 MB, so that it answers again before its
    cell runs. Heads count from 0, as do the
    layers of arrays; those of a record bear the model's own numbers.

    Parameters
    ----------
    weights : array, tuple or mapping, or function of a text
        NumPy arrays, torch tensors or lists of numbers from 0, each row the softmax over the keys;
        the arrays are read again while the view is open, so do not write to them. Below 1.2e-38,
        float32's smallest normal number, a float64 weight counts as 0:

        - (query, key), (heads, query, key) or (layers, heads, query, key): one array has no batch;
          hand in a batch as a tuple of layers or as a record, and say which with `item`.
        - `attentions` of transformers: a tuple of layers (batch, heads, query, key), or the steps
          that `generate` returns, put together to one map of all steps. Not of a beam search: its
          rows change places between the steps, and the weights do not tell, so that steps of a
          batch are warned of (and refused beside an `encoder` of fewer texts). Run the model once
          over what it found: ``model(output.sequences, output_attentions=True).attentions``.
        - `rec.attention` of a record: path to list of calls. Paths that differ in the layer's
          number only are layers of one kind, as are a layer's modules of a head each; with several
          kinds there is a switch. They are called encoder, cross and decoder where the paths say
          so, "decoder + cross" where one softmax is over the keys of both, else by their paths.
          A kind that the tokens do not fit is left out, as are the pixels and sounds of a model
          that reads words too, with a warning. A window of the keys stands at the positions that
          its labels say.
        - A function makes the view live: it takes the text in the view's field and returns these
          arguments by name, ``{"weights": ..., "tokens": ..., "key_tokens": ...}``. An error
          that it raises is shown beside the field. The field needs a running kernel. If it takes
          the keyword ``silent``, heads can be silenced by a click or with `view.silent`: it gets
          a list of (family, layer, head), with the family of a record as `seqviz.stacks.places`
          names it, else the kind's name, and runs the model without them. It may also return
          ``"guesses"``, at each token a list of at most five (token, probability), the likeliest
          first, or ``"states"``, an array (tokens, width); both are of `tokens`, or of
          `decoder_tokens` where there are two texts; guesses are shown always, states
          before and after. ``"reads": "picture"`` says that the text names a picture.
    tokens : sequence of str
        A token for each query, and for each key if `key_tokens` is None. A string stands for its
        characters.
    key_tokens : sequence of str, optional
        The tokens of the keys, for cross-attention.
    checkpoints : mapping of int or str to weights, optional
        In place of `weights`, those of 1 to 60 checkpoints of one model by their training step
        (put in order) or label, each in any form but a function, with the same kinds, layers,
        heads and tokens: at most 40 MB of heads. A slider goes through them, and under it stands
        the weight in focus at each: lock a cell and see when the head appears.
    encoder, cross, decoder : as weights, optional
        Up to three kinds of a model that translates, in place of `weights`; depths may differ.
    encoder_tokens, decoder_tokens : sequence of str, optional
        Their tokens: cross-attention has queries from the decoder, keys from the encoder.
    item : int, optional
        Place in the batch, from 0; needed if the batch is larger than 1.
    words : sequence of int, bool or None, optional
        The word of each token, as `word_ids()` of a tokenizer gives them, if there are two lists
        of tokens a tuple of two or a dict such as ``{"tokens": ..., "key_tokens": ...}``. None
        finds pieces by the marks of BERT (##), GPT-2 (Ġ), sentencepiece (▁), CLIP (</w>) and
        fastBPE (@@), False leaves them. Scripts without spaces stay pieces.
    special : sequence of str, optional
        Tokens that can be hidden. Default: those of BERT, RoBERTa, GPT-2, T5 and BART.
    segments : sequence of int or None, optional
        Which of several texts each of `tokens` is of, as a tokenizer's `token_type_ids` say; None
        for a token of none. A control then shows what one text reads of another.
    sure, possible : set of (query, key) or array (pairs, 2), optional
        Gold links from 0, drawn as outlines; the sure ones are possible too. They belong to the
        cross-attention, or to the only kind. The score "error" is then the alignment error rate
        1 - (|A & S| + |A & P|) / (|A| + |S|) (Och and Ney 2003) of the links A from each query to
        its strongest key, special tokens left out.
    precision : str
        "byte", or "half": float16, two bytes a weight, within 0.05 % of the row's largest.
    title : str
        The heading, one line.
    text : str, optional
        The first text of a live view.
    layer, head : int or str, optional
        What is in focus first: a number, from the last if below 0, "mean" or "max", for head also
        "rollout" (Abnar and Zuidema 2020), or a list of (layer, head) for the mean over these.
        Default: the first layer.
    **controls
        Where the other controls of `AttentionExplorer` stand at first: query, key, side, scale,
        sort, specials, between, threshold, rollup, least, step, kind, silent, show, second, why,
        cells. ``words=True`` begins with pieces merged into words.

    Returns
    -------
    AttentionExplorer
        The view. Set its controls; save it with `to_html`, `to_svg`, `to_png`, `to_csv` or with
        its buttons.

    Raises
    ------
    TypeError
        If something is no array of numbers, no string, no list of calls.
    ValueError
        If a shape, a number of tokens, a batch or a place does not fit, a weight is NaN, infinite
        or negative, rows are no softmax, or a model gave no weights; the message names the fix.

    Warns
    -----
    UserWarning
        If a row does not sum to 1 within 1e-3, or 1e-2 in half precision. A row of zeros is fully
        masked and fine. If something of a record is left out. If steps of a batch larger than 1
        come without their encoder, as a beam search may have made them.

    Examples
    --------
    >>> view = attention([[0.9, 0.1], [0.25, 0.75]], ["it", "works"])
    >>> view.query = 2
    >>> view.alt
    "Attention of 1 layer with 1 head over 2 tokens; layer 0, head 0, query 'works'"
    >>> view.table()[1]
    ['self', '0', '0', '1', 'it', '1', 'it', 0.9]
    """
    half = one_of("precision", precision, ["byte", "half"]) == "half"
    _refuse_no_weights(weights)
    for name in controls:
        if name not in CONTROLS:
            raise TypeError(
                f"{name}: no argument, and none of the controls {', '.join(CONTROLS)}"
                + (f"; did you mean {MEANT[name.lower()]!r}?" if name.lower() in MEANT else "")
            )
    if "kind" in controls:  # layer and head are of that kind, and set after it
        controls = {**({} if layer is None else {"layer": layer}), "head": head, **controls}
        layer, head = None, 0
    if words is True:
        words, controls = None, {**controls, "words": True}
    given = {
        "weights": weights,
        "tokens": tokens,
        "key_tokens": key_tokens,
        "encoder": encoder,
        "cross": cross,
        "decoder": decoder,
        "encoder_tokens": encoder_tokens,
        "decoder_tokens": decoder_tokens,
        "item": item,
        "words": words,
        "special": special,
        "segments": segments,
        "sure": sure,
        "possible": possible,
    }
    read, problems = None, []
    if text is not None and not callable(weights):
        raise TypeError("text: only for weights that are a function of a text")
    if checkpoints is not None:
        found, problems = of_checkpoints(checkpoints, given, half)
    elif callable(weights):
        read = reader(given)
        answer = read(text)
        found = {ALONE: answer.kinds}
    else:
        kinds, problems, _ = kinds_of(given)
        found = {ALONE: kinds}
    for problem in problems:
        warnings.warn(problem, stacklevel=2)
    first = next(iter(found.values()))[0]
    last = first.numbers[-1]
    layer = first.numbers[0] if layer is None else place_of("layer", layer, first)
    head = heads_of(head, first) if isinstance(head, list) else place_of("head", head, first)
    layer, head = agreed(layer, head, last, "head")
    view = AttentionExplorer(found, half, line("title", title), layer=layer, head=head)
    if read:
        view.listen(read, text, answer, takes_silent(weights))
    set_controls(view, controls)
    return view


def set_controls(view: AttentionExplorer, controls: Mapping) -> None:
    """Set a view's controls, the kind of attention first, as others are checked against it."""
    for name in sorted(controls, key=lambda name: name != "kind"):
        try:
            setattr(view, name, controls[name])
        except TraitError as problem:
            raise ValueError(str(problem)) from None


def _refuse_no_weights(given) -> None:
    """Refuse a model, a record, and a block that was never entered, each with what to write."""
    name = type(given).__name__
    if hasattr(given, "named_modules"):
        raise TypeError(f"weights: came a model, {name}: record it: {RECORDED}")
    if hasattr(given, "attention") and hasattr(given, "traces"):
        raise TypeError("weights: came a record: hand in rec.attention")
    if hasattr(given, "__enter__") and hasattr(given, "gen"):
        raise TypeError(f"weights: came a block that was not entered: write {RECORDED}")
    if hasattr(given, "attentions"):
        raise TypeError(f"weights: came a model's output, {name}: hand in its .attentions")
