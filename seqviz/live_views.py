"""The views that run a model, as `sv.view` has them: graphs and tokenizers become what they ask."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

from torch import nn

from seqviz.graphs import Graph, Steps
from seqviz.running.masked_models import MaskedModel
from seqviz.running.tokenizing import Reader, is_of_transformers, reader_of
from seqviz.running.writing_models import Prompts, WritingModel
from seqviz.views.generation import NextWords
from seqviz.views.generation import generation as next_words
from seqviz.views.masking import MaskedWords
from seqviz.views.masking import masking as masked_words
from seqviz.views.shared.checking import strings

IN_PAGES = "half"  # how exact a graph is there
MASKED = "a function of tokens and positions, a graph, or a pair of graphs"
WRITING = "a function from a list of ids to a distribution, a graph, or steps"


@wraps(masked_words)
def masking(
    sentences: Sequence[Mapping],
    vocabulary: Sequence[str],
    *,
    run=None,
    tokenize=str.split,
    **more,
) -> MaskedWords:
    """Show masked words; see `seqviz.views.masking`."""
    tokenize, reader = read_by(tokenize)
    refuse_module("run", run, MASKED, "sv.graphs.exported(model, (ids,))")
    graphs = [run] if isinstance(run, Graph) else run
    if isinstance(graphs, list | tuple):
        if not (1 <= len(graphs) <= 2 and all(isinstance(one, Graph) for one in graphs)):
            came = f"{type(run).__name__} of {', '.join(type(one).__name__ for one in graphs)}"
            raise TypeError(f"run: expected {MASKED}; came a {came}")
        run = MaskedModel(graphs, reader)
    view = masked_words(sentences, vocabulary, run=run, tokenize=tokenize, **more)
    view.model_in_pages = IN_PAGES if reader and isinstance(run, MaskedModel) else ""
    return view


@wraps(next_words)
def generation(
    probabilities, vocabulary: Sequence[str], prompt, *, tokenizer=None, **more
) -> NextWords:
    """Show what a model writes; see `seqviz.views.generation`."""
    ways = "sv.graphs.stepped(model), or sv.graphs.exported(model, (ids,))"
    refuse_module("probabilities", probabilities, WRITING, ways)
    if isinstance(probabilities, Graph | Steps):
        vocabulary = strings("vocabulary", vocabulary)
        probabilities = WritingModel(probabilities, len(vocabulary))
    prompts = None if tokenizer is None else Prompts(reader_of(tokenizer))
    view = next_words(probabilities, vocabulary, prompt, tokenizer=prompts, **more)
    view.model_in_pages = IN_PAGES if isinstance(probabilities, WritingModel) else ""
    return view


def refuse_module(name: str, given, wanted: str, ways: str) -> None:
    """Refuse a model that is not a graph."""
    if isinstance(given, nn.Module):
        came = f"came the model {type(given).__name__}: hand in {ways}"
        raise TypeError(f"{name}: expected {wanted}; {came}")


def read_by(tokenize) -> tuple[Callable[[str], Sequence[str]], Reader | None]:
    """Return what splits a text, and what reads by it if it is a tokenizer; a function is none."""
    if callable(tokenize) and not is_of_transformers(tokenize):
        return tokenize, None
    try:
        reader = reader_of(tokenize)
    except TypeError as error:
        told = str(error).replace("tokenizer: expected ", "tokenize: expected a function, ", 1)
        raise TypeError(told) from None
    return lambda text: reader.read(text).tokens, reader
