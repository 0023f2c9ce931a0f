"""What happens inside a model while it runs: each part that can be looked into stands aside."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from torch import nn

from seqviz.arguments import refuse_meta_model
from seqviz.nn.attention import MultiheadAttention
from seqviz.nn.recurrent import Recurrent
from seqviz.nn.scores import Attention
from seqviz.recording.attending import Attending
from seqviz.recording.borrowed import Borrowed, eager, gives_weights
from seqviz.recording.heads import Encoder, Heads
from seqviz.recording.observation import cell_name
from seqviz.recording.records import Record
from seqviz.recording.replay import Replay
from seqviz.recording.stand_in import StandIn
from seqviz.recording.steps import Steps

RECURRENT = {  # what `keep` names, and the arrays that this brings
    "hidden": ("hidden",),
    "cell": ("cell",),
    "gates": ("gates", "from_input", "W_hh", "b_hh", "start", "lengths"),
    "gradients": ("gradients", "cell_gradients"),
}
KINDS = RECURRENT | {"attention": ("attention",)}
NETS = (
    "an RNN, an LSTM or a GRU of sv.nn or torch.nn inside (a cell called in a loop of your own is "
    "not seen)"
)
ATTENTION = (
    "a MultiheadAttention of sv.nn or torch.nn, an Attention of sv.nn, or attention that goes "
    "through transformers' AttentionInterface inside (other models of transformers: call them with "
    "output_attentions=True and take the .attentions of the output)"
)
Parts = dict[str, tuple[nn.Module, type[StandIn]]]  # path to module, and what stands in for it


@contextmanager
def record(model: nn.Module, keep: Sequence[str] = tuple(KINDS)) -> Iterator[Record]:
    """Record what happens inside a model while the block runs.

    Every RNN, LSTM and GRU in the model is recorded, of ``sv.nn`` and of ``torch.nn``, also when
    it is the model: any number of layers, both directions, packed input, dropout between the
    layers. The fused forward of torch's is replaced by the equations with its own weights, its
    dropout is drawn from the same random state, and the two results must agree (1e-5 in float32,
    1e-10 in float64); so is the forward of a class derived from any of them.

    So is every MultiheadAttention, of ``sv.nn`` and of ``torch.nn``, alone or in torch's
    Transformer and its parts; where torch would take a way without weights, the caller gets what
    it gives, and the run with weights must agree at positions that are not padding. So is
    ``sv.nn.Attention``, which a decoder calls once a step: its steps are one map. And so are
    transformers' models whose attention goes through its AttentionInterface, BERT, GPT-2, T5,
    BART, DistilBERT and Llama among them, also in ``generate``: their configs name the eager
    implementation until the block is left (a copy of the model made inside keeps it), which has
    sdpa's results up to rounding. The weights are those that were used: while a model trains with
    dropout, some are 0, the rest larger, and the rows need not sum to 1.

    Gradients flow as ever. What a checkpoint runs again in the backward pass is recorded once; with
    checkpoints call ``loss.backward()`` inside the block, so that both runs are alike. When the
    block is left the model is as it was.

    Parameters
    ----------
    model : nn.Module
        On any device; the arrays are copied to the CPU.
    keep : sequence of str
        The kinds to keep, among "hidden", "cell", "gates" (with what ``Record.traces`` needs),
        "gradients" and "attention"; all that the model has if not given.

    Yields
    ------
    Record

    Raises
    ------
    TypeError
        If `model` is not a module, `keep` is a string or no sequence, or a recorded module is
        called with other arguments than it takes.
    ValueError
        If a kind is unknown; if the model is on the meta device, has nothing to record, or is being
        recorded already; if all that it has are LSTMs with a proj_size; if a torch module off the
        CPU drops units in training, or attention gets a nested tensor.
    AssertionError
        If the equations, or the run with weights, give another result than what they stand for.

    Warns
    -----
    UserWarning
        If a torch.nn.LSTM with a proj_size is left out, a module of transformers gives no weights,
        the record passes 1 GB, or attention is of a decoding whose rows are chosen anew between
        the steps, as in a beam search.

    Examples
    --------
    >>> import torch
    >>> model = torch.nn.ModuleDict({"lstm": torch.nn.LSTM(input_size=3, hidden_size=12)})
    >>> with record(model) as rec:
    ...     output, _ = model["lstm"](torch.ones(24, 1, 3))
    ...     output.sum().backward()
    >>> rec.gates["lstm"][0].at(gate="f", batch=0)
    NamedArray(layer=1, time=24, unit=12; float32)
    >>> rec.gradients["lstm"][0]
    NamedArray(layer=1, time=24, batch=1; float32)

    >>> attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2)
    >>> with record(attention) as rec:
    ...     output, _ = attention(*[torch.ones(5, 1, 8)] * 3, need_weights=False)
    >>> rec.attention[""]
    [NamedArray(batch=1, head=2, query=5, key=5; float32)]
    """
    if not isinstance(model, nn.Module):
        raise TypeError(
            f"model must be a torch module, got {type(model).__name__}: put several into "
            "torch.nn.ModuleList([a, b])"
        )
    refuse_meta_model(model)
    keep = _checked_keep(keep)
    parts = {path: (m, kind) for path, m in model.named_modules() if (kind := _kind(m, keep))}
    _check_parts(model, parts, keep)
    parts = _without_projected(parts)
    cells = {path: cell_name(module) for path, (module, kind) in parts.items() if kind is Replay}
    rec = Record(_arrays(parts, keep), cells)
    before = {path: module.__dict__.get("forward") for path, (module, _) in parts.items()}
    try:
        with eager(model.modules() if _holds(parts, Borrowed) else ()):
            for path, (module, kind) in parts.items():
                module.forward = kind(module, module.forward, rec, path)
            yield rec
    finally:
        for path, (module, _) in parts.items():
            module.__dict__.pop("forward", None)
            if before[path] is not None:
                module.forward = before[path]


def _checked_keep(keep: Sequence[str]) -> tuple[str, ...]:
    if isinstance(keep, str):
        raise TypeError(f"keep must be a tuple of kinds such as ({keep!r},), got the text {keep!r}")
    if isinstance(keep, nn.Module) or not isinstance(keep, Iterable):
        raise TypeError(
            f"keep must be a tuple of kinds such as ('hidden',), got {type(keep).__name__}: two "
            "models are recorded together as torch.nn.ModuleList([a, b])"
        )
    keep = tuple(keep)
    unknown = [kind for kind in keep if kind not in [*KINDS]]
    if unknown or not keep:
        raise ValueError(f"keep must name kinds among {list(KINDS)}, got {unknown or keep}")
    return keep


def _check_parts(model: nn.Module, parts: Parts, keep: tuple[str, ...]) -> None:
    """Refuse a model with nothing to record, or with a module that cannot be."""
    if not _holds(parts, Replay) and not _holds(parts, Attending):
        needs = [NETS] if RECURRENT.keys() & set(keep) else []
        if "attention" in keep:
            needs.append(ATTENTION)
        raise ValueError(
            f"model ({type(model).__name__}) has nothing to record: it needs {', or '.join(needs)} "
            f"for keep={keep} (a scripted or traced model is not seen: record the original)"
        )
    for path, (module, _) in parts.items():
        if isinstance(module.__dict__.get("forward"), StandIn):
            raise ValueError(f"model is being recorded already (module {path!r}): leave that block")


def _without_projected(parts: Parts) -> Parts:
    """Leave out LSTMs whose h is projected, with a warning, or an error if they are all."""
    projected = {
        path: f"module {path!r} has proj_size={module.proj_size}"
        for path, (module, kind) in parts.items()
        if kind is Replay and getattr(module, "proj_size", 0)
    }
    if projected:
        words = (
            f"{', '.join(projected.values())}; an LSTM whose h is projected is not recorded, use "
            "proj_size=0"
        )
        if len(projected) == len(parts):
            raise ValueError(words)
        warnings.warn(words, stacklevel=4)  # the user's line enters record through contextlib
    return {path: part for path, part in parts.items() if path not in projected}


def _holds(parts: Parts, wanted: type[StandIn]) -> bool:
    return any(issubclass(kind, wanted) for _, kind in parts.values())


def _arrays(parts: Parts, keep: tuple[str, ...]) -> dict[str, list[str]]:
    """Which arrays the record has, each with the paths of the modules that give it."""
    source = dict.fromkeys(RECURRENT, Replay) | {"attention": Attending}
    return {
        array: [path for path, (module, kind) in parts.items() if array in kind.kinds(module)]
        for name in KINDS
        if name in keep and _holds(parts, source[name])
        for array in KINDS[name]
    }


def _kind(module: nn.Module, keep: Sequence[str]) -> type[StandIn] | None:
    """What stands in for this module, if anything does."""
    if isinstance(module, Recurrent | nn.RNNBase):
        return Replay if RECURRENT.keys() & set(keep) else None
    if "attention" not in keep:
        return None
    if isinstance(module, MultiheadAttention | nn.MultiheadAttention):
        return Heads
    if isinstance(module, Attention):
        return Steps
    if isinstance(module, nn.TransformerEncoder | nn.TransformerEncoderLayer):
        return Encoder
    return Borrowed if gives_weights(module) else None
