"""The views that run a model, as `sv.view` has them: graphs and tokenizers become what they ask."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

from torch import nn

from seqviz.graphs import Graph, Steps
from seqviz.running.callers import both_readers
from seqviz.running.causes import CauseModel
from seqviz.running.machine_calls import OfReaders, gives_of
from seqviz.running.machines import MachineModel
from seqviz.running.masked_models import MaskedModel
from seqviz.running.tokenizing import Reader, is_of_transformers, reader_of
from seqviz.running.writing_models import Prompts, WritingModel
from seqviz.views.cause import Cause
from seqviz.views.cause import cause as two_texts
from seqviz.views.generation import NextWords
from seqviz.views.generation import generation as next_words
from seqviz.views.machine import Machine
from seqviz.views.machine import machine as whole_model
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


def machine(
    graph: Graph,
    tokenizer,
    text: str,
    *,
    text_pair: str | None = None,
    target: str | None = None,
    labels: Sequence[str] | None = None,
    **more,
) -> Machine:
    """Show a graph as it computes a text, down to one number.

    Parameters
    ----------
    graph : Graph
        A model that attends, as ``sv.graphs.exported(model, (ids,))`` returns it, or of a model
        with an encoder and a decoder, ``(source, target)``.
    tokenizer : tokenizer
        As `sv.explore` takes it; a pair of them for source and target.
    text : str
    text_pair : str, optional
        The second text of a pair, which stays while `text` is edited.
    target : str, optional
        What a decoder reads, with its start token.
    labels : sequence of str, optional
        Names of what the output distinguishes, where these are no tokens.
    **more
        title, precision, and where the controls stand at first: see `seqviz.views.machine`.

    Returns
    -------
    Machine

    Raises
    ------
    TypeError
        If it is no graph, or the tokenizer is of another kind.
    ValueError
        If it reads no ids, never attends, or does not read this text.

    Examples
    --------
    >>> import seqviz as sv
    >>> pieces = sv.data.train_wordpiece(["the animal was tired"], vocab_size=40)
    >>> sizes = {"num_hidden_layers": 2, "num_attention_heads": 2}
    >>> bert = sv.nn.BERTForMaskedLM(sv.nn.BERT(40, 8, **sizes))
    >>> graph = sv.graphs.exported(bert, (pieces.encode("the animal was tired").ids[None],))
    >>> machine(graph, pieces, "the animal", depth=1, block=0).alt
    'The machine BERTForMaskedLM, 2 blocks of 2 heads, 4 tokens; block 0'
    """
    return whole_model(machine_model(graph, tokenizer, text_pair, target, labels), text, **more)


def cause(
    graph: Graph,
    tokenizer,
    text: str,
    other: str,
    *,
    text_pair: str | None = None,
    target: str | None = None,
    labels: Sequence[str] | None = None,
    **more,
) -> Cause:
    """Show what a graph says of a text when states of another are carried into it.

    Parameters
    ----------
    graph, tokenizer, text_pair, target, labels
        As `machine` takes them.
    text, other : str
        This text, into which states are carried, and the one they come from.
    **more
        title, precision, and where the controls stand at first: see `seqviz.views.cause`.

    Returns
    -------
    Cause

    Raises
    ------
    TypeError
        If it is no graph, or the tokenizer is of another kind.
    ValueError
        If it reads no ids, never attends, or does not read one of the texts.

    Examples
    --------
    >>> import seqviz as sv
    >>> texts = "the animal was tired", "the animal was wide"
    >>> pieces = sv.data.train_wordpiece(texts, vocab_size=40)
    >>> sizes = {"num_hidden_layers": 2, "num_attention_heads": 2}
    >>> bert = sv.nn.BERTForMaskedLM(sv.nn.BERT(40, 8, **sizes))
    >>> graph = sv.graphs.exported(bert, (pieces.encode(texts[0]).ids[None],))
    >>> view = cause(graph, pieces, *texts, carried=[{"stage": 0, "token": 4}])
    >>> view.alt.rpartition(", ")[2]
    '1 state carried'
    """
    made = CauseModel(machine_model(graph, tokenizer, text_pair, target, labels))
    return two_texts(made, text, other, **more)


def machine_model(
    graph: Graph, tokenizer, text_pair: str | None, target: str | None, labels
) -> MachineModel:
    """Read texts for a graph."""
    ways = "sv.graphs.exported(model, (ids,)), or use sv.machine, sv.cause"
    refuse_module("graph", graph, "a graph", ways)
    if not isinstance(graph, Graph):
        raise TypeError(f"graph: expected sv.graphs.exported(...), came {type(graph).__name__}")
    readers = both_readers(tokenizer)
    ids = None if target is None else readers[1].read(target, target=True).ids
    made = MachineModel(graph, OfReaders({}, readers, text_pair, ids), labels)
    made.reads.inputs.update(gives_of(graph, made.anatomy))
    return made


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
