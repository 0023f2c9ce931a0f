"""Every head of every layer, one in focus: who looks at whom, and how hard."""

import warnings
from collections.abc import Callable, Iterable, Sequence

import traitlets

from seqviz.view.attention_explorer.controls import (
    agreed,
    checked,
    in_focus,
    one_of,
    place_of,
    sorts,
)
from seqviz.view.attention_explorer.live import of_arguments, reader
from seqviz.view.attention_explorer.parts import Parts, described, ending
from seqviz.view.attention_explorer.sentence import headline, rows
from seqviz.view.attention_explorer.shown import Screen, Shown
from seqviz.view.attention_explorer.values import Attention
from seqviz.view.base import View, script, style
from seqviz.view.checking import line

FILES = ("weights", "maps", "grid", "heatmap", "lines", "list", "controls", "hands", "explorer")


def control(trait: traitlets.TraitType) -> traitlets.TraitType:
    """A trait that the page shares and that a picture is taken with."""
    return trait.tag(sync=True, control=True)


class Place(traitlets.Any):
    """A number or a word; None goes to the view's check as well."""

    allow_none = False


class AttentionExplorer(View):
    """Attention weights of all heads; `attention` builds it.

    Attributes
    ----------
    kind : str
        Which attention, where there are several: "encoder", "cross", "decoder", or a path.
    layer : int or str
        From 0; "mean" or "max" over the layers.
    head : int or str
        From 0; "mean" or "max" over the heads, "rollout" through the layers up to `layer`.
    query, key : int
        The tokens in focus, from 1; 0 for none.
    side : str
        "query" or "key": which of the two is locked.
    step : int
        Of cross-attention, only the first so many queries are shown, as a decoder writes them; 0
        for all.
    threshold : float
        Lines of smaller weight are not drawn.
    scale : str
        "linear", "log" (four decades) or "row" (each row from 0 to its maximum).
    specials : str
        "shown", "hidden", or "renormalised": hidden, and the rest of each row scaled to 1.
    words : bool
        Whether pieces are merged into words.
    rollup : str
        "mean", "max" or "rollout": what stands beside the heads for all of a layer.
    sort : str
        "place", the name of a head's score of what is shown, or "cell": by the weight of the
        cell in focus.
    text : str
        What a live view shows; set it, or write in the page, and the model runs again.
    least : float
        Heads whose score is below this are faded; above it for "entropy" and "error", where low
        is best. 0 for none.
    """

    _esm = script(*(f"attention_explorer/{name}.js" for name in FILES))
    _css = style("attention_explorer/explorer.css")

    kind = control(traitlets.Unicode())
    layer = control(Place(0))
    head = control(Place(0))
    query = control(traitlets.Int(0))
    key = control(traitlets.Int(0))
    step = control(traitlets.Int(0))
    side = control(traitlets.Enum(["query", "key"], "query"))
    threshold = control(traitlets.Float(0.02))
    scale = control(traitlets.Enum(["linear", "log", "row"], "linear"))
    specials = control(traitlets.Enum(["shown", "hidden", "renormalised"], "shown"))
    words = control(traitlets.Bool(False))
    rollup = control(traitlets.Enum(["mean", "max", "rollout"], "mean"))
    sort = control(traitlets.Unicode("place"))
    least = control(traitlets.Float(0.0))

    def __init__(self, kinds: list[Attention], half: bool, title: str, **controls) -> None:
        self.kinds = {kind.name: kind for kind in kinds}
        self._read, self._half = None, half
        facts = {
            "kinds": [described(kind) for kind in kinds],
            "precision": "half" if half else "byte",
            "title": title,
        }
        controls = {"kind": kinds[0].name, **controls}
        parts = Parts(kinds, half)
        first = ["0 scores", *in_focus(0, controls["layer"], controls["head"])]
        super().__init__(facts, parts, first, **controls)

    def listen(self, read: Callable[[str], list[Attention]], text: str) -> None:
        """Let the page write a text, of which `read` makes the kinds of attention."""
        self._read = read
        self.facts = {**self.facts, "text": text}

    @property
    def text(self) -> str:
        """The text that a live view shows."""
        if self._read is None:
            raise AttributeError("text: only a view made of a function of a text has one")
        return self.facts["text"]

    @text.setter
    def text(self, text: str) -> None:
        before = self.text
        kinds = self._read(text)
        if text == before:
            return
        self.kinds = {kind.name: kind for kind in kinds}
        self.parts = Parts(kinds, self._half)
        with self.hold_sync():
            self.query = self.key = self.step = 0
            self.kind = self.kind if self.kind in self.kinds else kinds[0].name
            self._stay_inside()
            self.first = {name: self.part(name) for name in [*self.needs(), self._thumbs]}
            facts = {"kinds": [described(kind) for kind in kinds], "text": text}
            self.facts = {**self.facts, **facts}

    def _answer(self, view, message: dict, buffers: list) -> None:
        if "text" not in message:
            return super()._answer(view, message, buffers)
        problem = ""
        try:
            self.text = message["text"]
        except (TypeError, ValueError) as error:  # the page says it, and the person writes again
            problem = str(error)
        self.send({"text": message["text"], "problem": problem})

    @property
    def here(self) -> Attention:
        """The kind in focus."""
        return self.kinds[self.kind]

    @property
    def _number(self) -> int:
        """The number of the kind in focus."""
        return list(self.kinds).index(self.kind)

    @property
    def _thumbs(self) -> str:
        """The part with the thumbnails as they are at first."""
        return f"{self._number} thumbs"

    def _repr_mimebundle_(self, **kwargs):
        if self._thumbs not in self.first:  # a page of its own makes them itself
            names = dict.fromkeys([*self.first, *self.needs(), self._thumbs])
            self.first = {name: self.part(name) for name in names}
        return super()._repr_mimebundle_(**kwargs)

    def needs(self) -> list[str]:
        """The scores of the kind in focus and the map in focus; a mean or maximum is asked for."""
        scores = f"{self._number} scores{ending(*self.here.state(self.words, self.specials))}"
        return [scores, *in_focus(self._number, self.layer, self.head)]

    @traitlets.validate(
        "kind", "layer", "head", "query", "key", "step", "threshold", "sort", "least"
    )
    def _checked(self, proposal):
        name, value = proposal.trait.name, proposal.value
        try:
            return checked(name, value, self.kinds, self.kind)
        except (TypeError, ValueError) as problem:  # only at a TraitError the old value comes back
            raise traitlets.TraitError(str(problem)) from None

    @traitlets.observe("kind")
    def _stay_inside(self, _=None) -> None:
        here = self.here
        if isinstance(self.layer, int):
            self.layer = min(self.layer, here.depth - 1)
        if isinstance(self.head, int):
            self.head = min(self.head, here.heads - 1)
        elif self.head == "rollout" and not here.same:
            self.head = "mean"
        if self.query > len(here.queries):
            self.query = 0
        if self.key > len(here.keys):
            self.key = 0
        self.step = 0
        if self.sort not in sorts(here):
            self.sort = "place"

    @traitlets.observe("layer", "head")
    def _agree(self, change) -> None:
        layer, head = agreed(self.layer, self.head, self.here.depth, change.name)
        if layer != self.layer:
            self.layer = layer
        if head != self.head:
            self.head = head

    @property
    def shown(self) -> Shown:
        """The map in focus as it stands on screen."""
        screen = Screen(self.here, self.words, self.specials)
        return screen.shown(*self.parts.read(self._number, self.layer, self.head))

    @property
    def alt(self) -> str:
        """One true sentence: what the picture shows now."""
        name = self.kind if len(self.kinds) > 1 else ""
        at = self.query, self.key, self.side
        return headline(self.here, name, self.shown, self.layer, self.head, at)

    def table(self) -> list[list]:
        """Rows of what is on screen: every cell of the map in focus."""
        return rows(self.here, self.shown, self.layer, self.head)


def attention(
    weights=None,
    tokens: Sequence[str] | None = None,
    *,
    key_tokens: Sequence[str] | None = None,
    encoder=None,
    cross=None,
    decoder=None,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    item: int | None = None,
    words=None,
    special: Sequence[str] | None = None,
    sure: Iterable[tuple[int, int]] | None = None,
    possible: Iterable[tuple[int, int]] | None = None,
    precision: str = "byte",
    title: str = "",
    layer: int | str = 0,
    head: int | str = 0,
    text: str | None = None,
) -> AttentionExplorer:
    """Show attention weights: all heads at once, one of them as a heat map and as lines.

    Point at a token to see whom it looks at and how hard; words are merged from pieces, special
    tokens hidden, heads sorted. A weight travels as one byte, within 0.4 % of its row's largest,
    where special tokens are hidden of the largest that is left; means, rollout and scores are
    computed from the floats. Layers and heads count from 0.

    Parameters
    ----------
    weights : array, tuple or mapping, or function of a text
        NumPy arrays, torch tensors or lists of numbers from 0, each row the softmax over the keys;
        the arrays are read again while the view is open, so do not write to them:

        - (query, key), (heads, query, key) or (layers, heads, query, key).
        - `attentions` of transformers: a tuple of layers (batch, heads, query, key), or the steps
          that `generate` returns, put together to one map of all steps.
        - `rec.attention` of a record: path to list of calls. Paths that differ in their numbers
          only are layers of one kind; with several kinds there is a switch. They are called
          encoder, cross and decoder where the paths say so, else by their paths.
        - A function makes the view live: it takes the text in the view's field and returns these
          arguments by name, ``{"weights": ..., "tokens": ..., "key_tokens": ...}``. A ValueError
          that it raises is shown beside the field. The field needs a running kernel.
    tokens : sequence of str
        A token for each query, and for each key if `key_tokens` is None. A string stands for its
        characters.
    key_tokens : sequence of str, optional
        The tokens of the keys, for cross-attention.
    encoder, cross, decoder : as weights, optional
        Up to three kinds of a model that translates, in place of `weights`; depths may differ.
    encoder_tokens, decoder_tokens : sequence of str, optional
        Their tokens: cross-attention has queries from the decoder, keys from the encoder.
    item : int, optional
        Place in the batch, from 0; needed if the batch is larger than 1.
    words : sequence of int or None, optional
        The word of each token, as `word_ids()` of a tokenizer gives them, if there are two lists
        of tokens a tuple of two or a dict such as ``{"tokens": ..., "key_tokens": ...}``. None
        finds pieces by the marks of BERT (##), GPT-2 (Ġ) and sentencepiece (▁), False leaves them.
    special : sequence of str, optional
        Tokens that can be hidden. Default: those of BERT, RoBERTa, GPT-2, T5 and BART.
    sure, possible : set of (query, key), optional
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
    layer, head : int or str
        What is in focus first: a number, "mean" or "max", for head also "rollout" (Abnar and
        Zuidema 2020).

    Returns
    -------
    AttentionExplorer
        The view. Set its controls; save it with `to_html`, `to_svg`, `to_png`, `to_csv`.

    Raises
    ------
    TypeError
        If something is no array of numbers, no string, no list of calls.
    ValueError
        If a shape, a number of tokens, a batch or a place does not fit, a weight is NaN, infinite
        or negative, or a model gave no weights; the message names the fix.

    Warns
    -----
    UserWarning
        If a row does not sum to 1 within 1e-3, or 1e-2 in half precision. A row of zeros is fully
        masked and fine.

    Examples
    --------
    >>> view = attention([[0.9, 0.1], [0.25, 0.75]], ["it", "works"])
    >>> view.query = 2
    >>> view.alt.partition(": ")[2]
    '“works”, token 2, looks hardest at “works”, token 2, 0.75.'
    """
    one_of("precision", precision, ["byte", "half"])
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
        "sure": sure,
        "possible": possible,
    }
    read = None
    if callable(weights):
        read = reader(given)
        found = read(text)
    elif text is not None:
        raise TypeError("text: only for weights that are a function of a text")
    else:
        found, problems = of_arguments(**given)
        for problem in problems:
            warnings.warn(problem, stacklevel=2)
    layer, head = place_of("layer", layer, found[0]), place_of("head", head, found[0])
    layer, head = agreed(layer, head, found[0].depth, "head")
    view = AttentionExplorer(
        found, precision == "half", line("title", title), layer=layer, head=head
    )
    if read:
        view.listen(read, text)
    return view
