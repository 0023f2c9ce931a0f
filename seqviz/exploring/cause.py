"""A model and two texts: what is carried from one into the other, and who wrote the answer."""

from collections.abc import Callable, Sequence

from torch import nn

from seqviz.arguments import checked_name
from seqviz.exploring.machine import machine_model
from seqviz.running.causes import CauseModel
from seqviz.views.cause import Cause
from seqviz.views.cause import cause as two_texts

CONTROLS = list(Cause.class_traits(control=True))


def cause(
    model: nn.Module,
    tokenizer=None,
    text: str | None = None,
    other: str | None = None,
    *,
    text_pair: str | None = None,
    inputs: Callable[[str], tuple] | None = None,
    target: str | None = None,
    labels: Sequence[str] | None = None,
    title: str = "",
    precision: str = "half",
    **controls,
) -> Cause:
    """Carry states of one text into another, live: what does the answer depend on?

    A weight says where a head reads; only a state put in another's place says what the answer
    depends on. Both texts stand as grids, a row after each block, with what the output layer would
    say there (early blocks were never trained to be read so). Each cause has its control beside
    it: states from other places, and of the other text's words in another order.

    Parameters
    ----------
    model : nn.Module
        A model that attends, of ``sv.nn``, torch.nn, transformers or your own, in float32 on the
        CPU. It stays as it was.
    tokenizer : tokenizer
        As `sv.explore` takes it; a pair ``(source, target)`` if a translator has two.
    text, other : str
        This text, into which states are carried, and the one they come from.
    text_pair, inputs, target, labels, title, precision
        As `sv.machine` takes them; both texts have the same pair, or target.
    **controls
        Where the view's controls stand at first: carried, token, weighed, tone, shown, stream,
        seed.

    Returns
    -------
    Cause

    Raises
    ------
    TypeError
        If an argument is of another type, or there is neither tokenizer nor `inputs`.
    ValueError
        If a text is empty or too long to be drawn; if the model cannot be written as a graph, the
        message names module and operation; if it never attends.

    Examples
    --------
    >>> import seqviz as sv
    >>> texts = "the animal was tired", "the street was wide"
    >>> pieces = sv.data.train_wordpiece(texts, vocab_size=60)
    >>> bert = sv.nn.BERT(60, 8, num_hidden_layers=2, num_attention_heads=2)
    >>> view = cause(sv.nn.BERTForMaskedLM(bert), pieces, *texts)
    >>> view.carried = [{"stage": 1, "token": 2}]
    >>> view.carried[0]["from_token"]
    2
    """
    for name in controls:
        checked_name("control", name, CONTROLS)
    if other is None:
        raise TypeError("other: missing: write cause(model, tokenizer, 'a text', 'another')")
    made = machine_model(
        model, tokenizer, text, text_pair=text_pair, inputs=inputs, target=target, labels=labels
    )
    return two_texts(CauseModel(made), text, other, title=title, precision=precision, **controls)
