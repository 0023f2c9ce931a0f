"""Every head of a model over many sentences: run once, kept, shown."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from torch import nn

from seqviz.arguments import (
    checked_flag,
    checked_name,
    checked_path,
    checked_text,
    checked_type,
    refuse_meta_model,
)
from seqviz.exploring.sentences import Sentences
from seqviz.running.self_attention import SelfAttention
from seqviz.views.atlas import Atlas
from seqviz.views.atlas import atlas as atlas_of

MANY = "sentences must be a list of texts"


def atlas(
    model: nn.Module,
    tokenizer=None,
    sentences: Iterable[str] | None = None,
    *,
    inputs: Callable[[str], tuple] | None = None,
    checkpoint: str | os.PathLike | None = None,
    progress: bool = True,
    title: str = "",
    **controls,
) -> Atlas:
    """See what every head does over many sentences, and open any of them with its sentences.

    One sentence shows what a head can do, many show what it does. Each runs once, alone, in eval
    mode and without gradients, watched by ``sv.record``; those that are shown run once more. Pieces
    of a word are joined: it is attended to with the weights of all its pieces. What is asked about
    are words; special tokens and the first token are attended to, and ask nothing.

    Ctrl-C finishes the sentence, saves the checkpoint if there is one, and shows what was seen up
    to there; a second Ctrl-C stops at once. Called again with the same arguments it goes on.

    Parameters
    ----------
    model : nn.Module
        A model that attends; on any device, in any precision. Of a translator its encoder.
    tokenizer : tokenizer
        As `sv.explore` takes it.
    sentences : iterable of str
        Those without a word are left out, and counted; one of more than 250 tokens, or than the
        model has positions for, is cut, and counted.
    inputs : function of a text, optional
        For a model that takes something else than ids, as `sv.explore` takes it.
    checkpoint : path, optional
        File to save to and to resume from.
    progress : bool
        Whether to show a bar.
    title : str
        The heading, one line.
    **controls
        Where the view's controls stand at first: x, y, head, kind, find, sort, sentence.

    Returns
    -------
    Atlas
        ``view.save("atlas.npz")`` writes what was found, ``sv.view.atlas("atlas.npz")`` shows it
        again.

    Raises
    ------
    TypeError
        If an argument is of another type, or there is neither tokenizer nor `inputs`.
    ValueError
        If no sentence has a word, or one cannot be read; if the tokenizer is of another model, or
        the model never attends to the text itself; if the checkpoint is of another model or of
        other sentences.

    Examples
    --------
    >>> import seqviz as sv
    >>> texts = ["the animal was tired", "it was the animal"]
    >>> pieces = sv.data.train_wordpiece(texts, vocab_size=40)
    >>> bert = sv.nn.BERT(len(pieces), 8, num_hidden_layers=3, num_attention_heads=2)
    >>> view = atlas(bert, pieces, texts, progress=False)
    >>> view.alt
    'Atlas of BERT: 6 heads in 3 layers over 2 sentences; first by distance'
    >>> view.head = "2.1"  # as a click on it does
    """
    for name in controls:
        checked_name("control", name, list(Atlas.class_traits(control=True)))
    checked_type("model", model, nn.Module, "a model, which is a torch.nn.Module")
    model = getattr(model, "_orig_mod", model)  # of what torch.compile made
    refuse_meta_model(model)
    texts = _checked_texts(sentences)
    path = None if checkpoint is None else checked_path("checkpoint", checkpoint)
    attending = SelfAttention(model, tokenizer, inputs)
    run = Sentences(attending, texts, path, checked_flag("progress", progress))
    run.survey_all()
    return atlas_of(run.found(), title=title, **controls)


def _checked_texts(sentences) -> list[str]:
    if sentences is None:
        raise TypeError("sentences: missing: write atlas(model, tokenizer, ['a text', 'another'])")
    if isinstance(sentences, str | Path):
        raise TypeError(f"{MANY}, got the text {sentences!r:.60}: put it into a list")
    texts = list(checked_type("sentences", sentences, Iterable, "a list of texts"))
    for k, text in enumerate(texts):
        checked_text(f"sentences[{k}]", text)
    if not any(text.strip() for text in texts):
        came = "none" if not texts else f"{len(texts)}, all of them empty"
        raise ValueError(f"{MANY}, got {came}: give at least one with a word")
    return texts
