"""A model and a text to a live view: the one file that knows both a model and a view."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from torch import nn

from seqviz.arguments import (
    checked_flag,
    checked_integer,
    checked_name,
    checked_text,
    checked_type,
    refuse_meta_model,
)
from seqviz.exploring.answering import answering_of
from seqviz.exploring.cause import cause
from seqviz.exploring.reasons import Reasons
from seqviz.nn.seq2seq import Seq2Seq
from seqviz.running import Answers, Runner, caller_of
from seqviz.running.translation import Translator
from seqviz.views.attention import attention
from seqviz.views.attention.controls import MEANT
from seqviz.views.attention.entry import set_controls
from seqviz.views.attention.live import NO_GRAPH
from seqviz.views.attention.widget import AttentionExplorer
from seqviz.views.shared.answering import checked_precision

CONTROLS = [name for name in AttentionExplorer.class_traits(control=True) if name != "checkpoint"]
MOST_TEXTS = 1000  # of a list to choose from
A_MODEL = "a model, which is a torch.nn.Module, or a function of a text"


def explore(
    model: nn.Module | Callable,
    tokenizer=None,
    text: str | Sequence[str] | None = None,
    text_pair: str | None = None,
    *,
    inputs: Callable[[str], tuple] | None = None,
    target: str | None = None,
    item: int | None = None,
    layers: Iterable[int] | None = None,
    words: bool | None = None,
    special: Sequence[str] | None = None,
    title: str = "",
    second: str = "",
    sure: Iterable[tuple[int, int]] | None = None,
    possible: Iterable[tuple[int, int]] | None = None,
    answers: bool | str = False,
    **controls,
) -> AttentionExplorer:
    """Look into a model's attention, live: write another text and it runs again.

    Each run is one forward pass in eval mode and without gradients, watched by ``sv.record``: of
    ``sv.nn``, torch.nn, transformers or your own, with whatever attention implementation it has.
    Afterwards the model is as it was, each module's mode too, also after an error. Heads can be
    silenced in the view: the model runs again with ``sv.ablate`` around. It says its five
    likeliest tokens at each position if its output has logits over the vocabulary, else the view
    tells how far each token's last state shifts.

    Parameters
    ----------
    model : nn.Module or function
        A model that attends; on any device, in any precision. Or a function of a text as
        ``sv.view.attention`` takes it, which returns weights and tokens itself.
    tokenizer : tokenizer
        Of transformers or tokenizers, a ``sv.data.WordPiece``, a ``sv.data.Vocabulary`` (of
        letters, or of words split at spaces), or ``(sv.data.BytePairs, its Vocabulary)``. A pair
        ``(source, target)`` of these if a translator has two.
    text : str or sequence of str
        The text, or the source of a model with an encoder and a decoder. The view's field edits it.
        A list of them is there to choose from: the first is run, another when it is chosen.
    text_pair : str, optional
        The second text of a pair, as BERT reads it; it stays while `text` is edited.
    inputs : function of a text, optional
        For a model that takes something else than ids: returns ``(arguments, tokens)``, a tensor,
        a tuple or a dict with which the model is called, and a list of tokens, or a dict with
        "tokens", "key_tokens", "encoder_tokens", "decoder_tokens". The tokenizer, if given, then
        only names what is predicted.
    target : str, optional
        What the decoder reads, behind START. Without it the model writes up to 40 tokens, greedily,
        and runs once over them: these weights are of one run, not of its steps. A translator of
        ``sv.nn`` writes with as many `beams` as the view's control says.
    item : int, optional
        Place in the batch, if `inputs` makes a batch larger than 1.
    layers : iterable of int, optional
        Keep these layers only, by the model's own numbers.
    words : bool, optional
        True begins with pieces merged into words, False leaves them pieces.
    special : sequence of str, optional
        Tokens that can be hidden. Default: the tokenizer's, but those for a mask and for unknown
        words.
    title : str
        The heading, one line.
    second : str
        Another text to compare with: the same head reads both, and their words are lined up.
    sure, possible : iterables of (query, key), optional
        Gold links of `text`, as ``sv.view.attention`` takes them; another text, or one that a
        beam translates differently, has none.
    answers : bool or {"full", "half", "small"}
        Whether the pages that this view is saved as hold the model, which runs there without
        Python, and how exact its numbers are there; True is "half". See ``to_html``.
    **controls
        Where the view's controls stand at first: layer, head, query, key, scale, sort, specials,
        threshold ...

    Returns
    -------
    AttentionExplorer

    Raises
    ------
    TypeError
        If an argument is of another type, there is neither tokenizer nor `inputs`, or an argument
        does not belong to this kind of model.
    ValueError
        If there is no text, or it is empty or longer than the model has positions; if the
        tokenizer is of another model, the model does not read text, never attends, is on the meta
        device, or needs a target; if there is no such layer or control.

    Examples
    --------
    >>> import seqviz as sv
    >>> text = "the animal was tired"
    >>> pieces = sv.data.train_wordpiece([text], vocab_size=40)
    >>> bert = sv.nn.BERT(40, 8, num_hidden_layers=3, num_attention_heads=2)
    >>> view = explore(bert, pieces, text, layer=2, words=True)
    >>> view.here.numbers, view.here.heads, view.layer
    ((0, 1, 2), 2, 2)
    >>> view.text = "it was tired"  # as the field in the page does
    >>> view.cells = "written"  # what the head writes, in place of where it reads
    """
    for name in controls:
        checked_name("control", name, CONTROLS, MEANT)
    if words is not None:
        checked_flag("words", words)
    exact = "half" if answers is True else checked_precision(answers, "answers") if answers else ""
    if text is None:
        raise TypeError("text: missing: write explore(model, tokenizer, 'a text')")
    texts = None if isinstance(text, str) else _checked_texts(text)
    text = texts[0] if texts else text
    for name, given in {"text": text, "text_pair": text_pair, "target": target}.items():
        if given is not None:
            checked_text(name, given)
    if isinstance(model, nn.Module):
        model = getattr(model, "_orig_mod", model)  # of what torch.compile made
        refuse_meta_model(model)
        caller, reader = caller_of(model, tokenizer, text_pair, inputs, target)
        said = Answers(model, reader, None if item is None else checked_integer("item", item, 0))
        told = {} if special is None else {"special": special}
        links = {"text": text, "sure": sure, "possible": possible}
        run = Runner(model, caller, said, _checked_layers(layers), told, links)
        beside = {}
    else:
        if answers:
            raise ValueError(NO_GRAPH)
        of_model = {"tokenizer": tokenizer, "text_pair": text_pair, "inputs": inputs}
        of_model |= {"sure": sure, "possible": possible}
        _check_function(model, of_model | {"target": target, "layers": layers})
        run, beside = model, {"special": special}
    beside |= {"title": title, "second": second, **controls}
    try:
        asking = {name: beside.pop(name) for name in ("why", "cells") if name in beside}
        view = attention(run, text=text, item=item, words=words, **beside)
        if isinstance(run, Runner):
            view.explain_with(Reasons(run, view))
            if isinstance(model, Seq2Seq):  # of others the graph tells, which is made when asked
                view.facts = {**view.facts, "written": False}
            view.answering = partial(answering_of, run, view)
            view.model_in_pages = exact
            fixed = {"text_pair": text_pair, "inputs": inputs, "target": target}
            view.cause_with(partial(cause, model, tokenizer, **fixed))
            if isinstance(caller, Translator) and target is None:
                view.write_with(caller)
        if texts:
            view.facts = {**view.facts, "texts": texts}
        set_controls(view, asking)
        return view
    except RuntimeError as error:
        if isinstance(model, nn.Module) and inputs is None and not _embeds(model):
            raise ValueError(
                f"model: {type(model).__name__} has no embedding and does not take the ids of a "
                f"text ({error}): give inputs="
            ) from error
        raise


def _checked_texts(given) -> list[str]:
    """Check several texts."""
    wanted = "a string, or a list of strings to choose from"
    texts = list(checked_type("text", given, Sequence, wanted))
    if not 0 < len(texts) <= MOST_TEXTS:
        raise ValueError(f"text: expected {wanted}, 1 to {MOST_TEXTS:,}; came {len(texts):,}")
    for k, one in enumerate(texts):
        checked_text(f"text[{k}]", one)
    return texts


def _embeds(model: nn.Module) -> bool:
    return any(isinstance(module, nn.Embedding) for module in model.modules())


def _check_function(model, beside: dict) -> None:
    """Check that this is a function of a text, and that nothing is given that a model needs."""
    if hasattr(model, "convert_ids_to_tokens") or isinstance(beside["tokenizer"], nn.Module):
        raise TypeError("model: is a tokenizer: write explore(model, tokenizer, text)")
    if isinstance(model, type) or not callable(model):
        came = model.__name__ if isinstance(model, type) else type(model).__name__
        fix = f": make one, {came}(...)" if isinstance(model, type) else ""
        raise TypeError(f"model: expected {A_MODEL}; came {came}{fix}")
    for name, given in beside.items():
        if given is not None:
            raise TypeError(
                f"{name}: belongs to a model; a function of a text returns weights and tokens "
                "itself: explore(function, text='...')"
            )


def _checked_layers(layers: Iterable[int] | None) -> frozenset[int] | None:
    if layers is None:
        return None
    wanted = "numbers of layers, such as [0, 3]"
    if isinstance(layers, str):
        raise TypeError(f"layers must be {wanted}, got {layers!r}")
    numbers = [
        checked_integer("each of layers", one, 0)
        for one in checked_type("layers", layers, Iterable, wanted)
    ]
    if not numbers:
        raise ValueError(f"layers must be {wanted}, got none: leave it out for all")
    return frozenset(numbers)
