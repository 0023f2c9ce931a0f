"""A model and a text to the machine: all of it as it computes."""

from collections.abc import Callable, Sequence

from torch import nn

from seqviz.arguments import checked_name, checked_text, checked_type, refuse_meta_model
from seqviz.exploring.passes import OneCall, graph_of_call
from seqviz.graphs import Graph
from seqviz.running import caller_of
from seqviz.running.calling import Call, OfInputs, OneText
from seqviz.running.limits import beyond
from seqviz.running.machine_calls import MOST, OfFunction, OfReaders, check_length
from seqviz.running.machines import MachineModel
from seqviz.views.machine import Machine
from seqviz.views.machine import machine as whole_model

ONE_LENGTH = (
    "target: {model} could be exported for texts of one length only, and what it writes grows: "
    "give target=, the decoder's text"
)
CONTROLS = list(Machine.class_traits(control=True))


def machine(
    model: nn.Module,
    tokenizer=None,
    text: str | None = None,
    *,
    text_pair: str | None = None,
    inputs: Callable[[str], tuple] | None = None,
    target: str | None = None,
    labels: Sequence[str] | None = None,
    title: str = "",
    precision: str = "half",
    **controls,
) -> Machine:
    """See a whole model as it computes a text, live: from the sentence down to one product.

    The model is written as a graph of torch's operations, as ``sv.graphs.exported`` does, and the
    graph runs: here, and in the pages that the view is saved as. Another text, or a head that is
    silenced, and all numbers change.

    Parameters
    ----------
    model : nn.Module
        A model that attends, of ``sv.nn``, torch.nn, transformers or your own, in float32 on the
        CPU. It stays as it was.
    tokenizer : tokenizer
        As `sv.explore` takes it; a pair ``(source, target)`` if a translator has two.
    text : str
        The text, or the source of a model with an encoder and a decoder.
    text_pair : str, optional
        The second text of a pair, as BERT reads it; it stays while `text` is edited.
    inputs : function of a text, optional
        For a model that takes something else than ids, as `sv.explore` takes it. Pages that the
        view is saved as then hold this text only.
    target : str, optional
        What the decoder reads, behind its start. Without it the model writes up to 40 tokens,
        greedily, and runs once over them.
    labels : sequence of str, optional
        Names of what the output distinguishes, where these are no tokens.
    title : str
        The heading, one line.
    precision : {"half", "full", "small"}
        How exact the model's numbers are in the pages that the view is saved as: float16, float32,
        or tables in int8.
    **controls
        Where the view's controls stand at first: depth, stream, block, part, token, head, key,
        stage, number, sort, silent.

    Returns
    -------
    Machine

    Raises
    ------
    TypeError
        If an argument is of another type, or there is neither tokenizer nor `inputs`.
    ValueError
        If there is no text, or it is empty or too long to be drawn; if the model cannot be written
        as a graph, the message names module and operation; if it never attends.

    Examples
    --------
    >>> import seqviz as sv
    >>> text = "the animal was tired"
    >>> pieces = sv.data.train_wordpiece([text], vocab_size=40)
    >>> bert = sv.nn.BERT(40, 8, num_hidden_layers=2, num_attention_heads=2)
    >>> view = machine(sv.nn.BERTForMaskedLM(bert), pieces, text, depth=1, block=0)
    >>> view.alt
    'The machine BERTForMaskedLM, 2 blocks of 2 heads, 6 tokens; block 0'
    >>> view.silent = [(1, 0)]  # as S does in the page
    """
    for name in controls:
        checked_name("control", name, CONTROLS)
    made = machine_model(
        model, tokenizer, text, text_pair=text_pair, inputs=inputs, target=target, labels=labels
    )
    return whole_model(made, text, title=title, precision=precision, **controls)


def machine_model(
    model: nn.Module,
    tokenizer,
    text: str,
    *,
    text_pair: str | None = None,
    inputs: Callable[[str], tuple] | None = None,
    target: str | None = None,
    labels: Sequence[str] | None = None,
) -> MachineModel:
    """Write a model as a graph, and read texts for it; see `machine`."""
    checked_type("model", model, nn.Module, "a model, which is a torch.nn.Module")
    checked_type("text", text, str, "a string, as in 'a text'")
    for name, given in {"text": text, "text_pair": text_pair, "target": target}.items():
        if given is not None:
            checked_text(name, given)
    model = getattr(model, "_orig_mod", model)  # of what torch.compile made
    refuse_meta_model(model)
    caller, reader = caller_of(model, tokenizer, text_pair, inputs, target)
    call = caller(text)
    tokens = call.tokens.get("encoder_tokens", call.tokens.get("tokens", ()))
    check_length(text, len(tokens), 1, MOST, type(model).__name__)  # before the export, which lasts
    try:
        if isinstance(caller, OfInputs):
            graph, reads = graph_of_call(model, call.arguments), OfFunction(caller, reader)
        else:
            graph, reads = _read(model, caller, call)
    except IndexError as error:
        raise beyond(type(model).__name__, len(tokens)) from error
    return MachineModel(graph, reads, labels or _labels_of(model, graph))


def _read(model: nn.Module, caller: Callable[[str], Call], call: Call) -> tuple[Graph, OfReaders]:
    """A model's graph, and how a text becomes its inputs."""
    whole = OneCall(model, call)
    inputs, graph = whole.facts["inputs"], whole.graph
    if isinstance(caller, OneText):
        return graph, OfReaders(inputs, (caller.reader, caller.reader), caller.pair)
    readers = caller.reads, caller.writes
    if caller.target is not None:
        return graph, OfReaders(inputs, readers, caller.pair, whole.target.tolist())
    if graph.lengths:
        raise ValueError(ONE_LENGTH.format(model=graph.model))
    writing = dict(zip(("start", "stop", "most"), caller.rule, strict=True))
    return graph, OfReaders(inputs, readers, caller.pair, writing=writing)


def _labels_of(model: nn.Module, graph: Graph) -> list[str] | None:
    """The names of classes in a model's config, if its output has as many."""
    named = getattr(getattr(model, "config", None), "id2label", None) or {}
    shapes = [node.shape for node in graph.nodes if node.name == graph.roles.logits]
    return [*named.values()] if shapes and shapes[0][-1] == len(named) else None
