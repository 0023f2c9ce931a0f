"""What happens inside a model while it runs: recurrent nets by replay, attention by watching."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from torch import nn

from seqviz.arguments import checked_type, refuse_meta_model
from seqviz.blocks import stacks_of
from seqviz.nn.recurrent import Recurrent
from seqviz.recording.attending import Attending
from seqviz.recording.contexts import Contexts
from seqviz.recording.inside import Inside, watchable, watched
from seqviz.recording.names import named
from seqviz.recording.near_misses import listed
from seqviz.recording.observation import cell_name
from seqviz.recording.records import Record
from seqviz.recording.replay import Replay
from seqviz.recording.stand_in import users_level
from seqviz.recording.states import States
from seqviz.recording.streams import streaming, untold

RECURRENT = {  # what `keep` names, and the arrays that this brings
    "hidden": ("hidden",),
    "cell": ("cell",),
    "gates": ("gates", "from_input", "W_hh", "b_hh", "start", "lengths"),
    "gradients": ("gradients", "cell_gradients"),
}
USUAL = RECURRENT | {"attention": ("attention",)}
ASKED = {"states": ("states",), "contexts": ("contexts",)}  # large: only where `keep` has them
KINDS = USUAL | ASKED
NETS = (
    "an RNN, an LSTM or a GRU of sv.nn or torch.nn inside (a cell called in a loop of your own is "
    "not seen)"
)
NOTHING = "has nothing to record: while it ran no softmax was seen whose result weighs a sum, and "
NO_NETS = (
    "it has no RNN, LSTM or GRU (scripted and traced code, linear attention and kernels of their "
    "own show none: record the original model)"
)
A_CELL = (
    "called in a loop of its own, which is not seen: give an {net} the weights of the cell "
    "(weight_ih_l0 those of weight_ih, and so on) and the whole sequence"
)
Nets = dict[str, Recurrent | nn.RNNBase]  # by path


@contextmanager
def record(
    model: nn.Module, keep: str | Sequence[str] = tuple(USUAL), *, attention: str = "*"
) -> Iterator[Record]:
    """Record what happens inside a model while the block runs.

    Every RNN, LSTM and GRU in the model is recorded, of ``sv.nn`` and of ``torch.nn``, also when
    it is the model: any number of layers, both directions, packed input, dropout between the
    layers. The fused forward of torch's is replaced by the equations with its own weights, its
    dropout is drawn from the same random state, and the two results must agree (1e-5 in float32,
    1e-10 in float64); so is the forward of a class derived from any of them.

    Attention is recorded where it happens, in any module, of ``sv.nn``, ``torch.nn``, transformers
    or your own: a softmax whose result weighs a sum, or ``F.scaled_dot_product_attention``, whose
    weights are computed by its definition and must give its result (1e-5 in float32, 1e-2 in half
    precision). It is kept under the innermost module that runs, call by call. The weights are those
    before dropout. A decoder's steps without heads over the same keys are one map. What the model
    gives stays as it is, bit by bit, but for torch's fast path of a TransformerEncoder, which has
    no weights: it is left, with the results of its layers; and for what torch.compile has compiled,
    which runs uncompiled. Sums over something else than positions, as over experts or the vectors
    of a codebook, have "choice" in place of "key". Batch and heads in one axis are parted by the
    number of heads that the module has as ``num_heads``, ``n_head`` or alike.

    Gradients flow as ever, also through torch.func's, and a second backward. What a checkpoint runs
    again in the backward pass is recorded once; with checkpoints call ``loss.backward()`` inside
    the block, so that both runs are alike. What any thread runs in the block is recorded; what is
    traced or exported there is the model itself. When the block is left the model is as it was.

    Parameters
    ----------
    model : nn.Module
        On any device; the arrays are copied to the CPU.
    keep : str or sequence of str
        The kinds to keep, among "hidden", "cell", "gates" (with what ``Record.traces`` needs),
        "gradients" and "attention", which are kept if the model has them where nothing is given;
        "states", the stream that each block of a model hands on, and "contexts", what each head
        takes from the values.
    attention : str
        Of which modules to keep the attention: a module's name, in which ``*`` stands for any part
        of it, as in ``"layers.*.self_attn"``. What stands inside these modules is kept too.

    Yields
    ------
    Record

    Raises
    ------
    TypeError
        If `model` is not a module, `keep` is no sequence, or a recorded module is called with other
        arguments than it takes.
    ValueError
        If a kind is unknown, or no module has the name that `attention` gives; if the model is on
        the meta device, has nothing to record (an LSTM with a proj_size counts as nothing), or is
        being recorded already; if a torch module off the CPU drops units in training, or attention
        gets a nested tensor.
    AssertionError
        If the equations, or the weights of a fused call, give another result than what they stand
        for.

    Warns
    -----
    UserWarning
        If an LSTM with a proj_size is left out, a module that calls itself attention ran and showed
        none, the record passes 1 GB, or attention is of a decoding whose rows are chosen anew
        between its steps, as beams are.

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

    >>> layer = torch.nn.TransformerEncoderLayer(d_model=8, nhead=2, batch_first=True)
    >>> encoder = torch.nn.TransformerEncoder(layer, num_layers=3)
    >>> with record(encoder, keep="states") as rec:
    ...     output = encoder(torch.ones(1, 5, 8))
    >>> rec.states["layers"]
    [NamedArray(layer=4, batch=1, time=5, unit=8; float32)]
    >>> rec.states["layers"][0].labels["layer"]
    ('embeddings', '0', '1', '2')
    """
    if not isinstance(model, nn.Module):
        raise TypeError(
            f"model must be a torch module, got {type(model).__name__}: put several into "
            "torch.nn.ModuleList([a, b])"
        )
    refuse_meta_model(model)
    keep = _checked_keep(keep)
    nets = _nets(model, keep)
    _check(model, nets, keep, attention)
    cells = {path: cell_name(net) for path, net in nets.items()}
    rec = Record(_arrays(nets, keep), cells)
    attending, states = Attending(rec, attention), States(rec)
    passes = []
    with ExitStack() as stack:
        for path, net in nets.items():
            stack.callback(Replay(net, rec, path).step_aside)
        if "attention" in keep:
            stack.enter_context(watched(model, attending))
        if "contexts" in keep:
            stack.enter_context(watched(model, Contexts(rec)))
        if "states" in keep:
            passes = stack.enter_context(streaming(model, states))
        yield rec
    states.report(model, passes)
    if "attention" in keep and (nets or attending.seen):
        attending.report(model)
    if attending.ran and not nets and not attending.seen:
        has = _cells(model) or NO_NETS
        raise ValueError(f"model ({type(model).__name__}) {NOTHING}{has}{listed(rec.missed)}")


def _cells(model: nn.Module) -> str:
    """What is said of cells that a loop of the model's own calls."""
    cells = {path: m for path, m in model.named_modules() if isinstance(m, nn.RNNCellBase)}
    if not cells:
        return ""
    names = ", ".join(f"{path!r} ({type(cell).__name__})" for path, cell in cells.items())
    net = type(next(iter(cells.values()))).__name__.removesuffix("Cell")
    return f"it has {names}, {A_CELL.format(net=net)}"


def _nets(model: nn.Module, keep: tuple[str, ...]) -> Nets:
    """The recurrent nets to record; those whose h is projected are left out with a warning."""
    if not RECURRENT.keys() & set(keep):
        return {}
    nets = {path: m for path, m in model.named_modules() if isinstance(m, Recurrent | nn.RNNBase)}
    projected = [path for path, net in nets.items() if getattr(net, "proj_size", 0)]
    if projected:
        words = ", ".join(f"module {p!r} has proj_size={nets[p].proj_size}" for p in projected)
        words += "; an LSTM whose h is projected is not recorded, use proj_size=0"
        if len(projected) == len(nets) and not ("attention" in keep and any(watchable(model))):
            raise ValueError(words)
        warnings.warn(words, stacklevel=users_level())
    return {path: net for path, net in nets.items() if path not in projected}


def _checked_keep(keep: Sequence[str]) -> tuple[str, ...]:
    if isinstance(keep, str):
        keep = (keep,)
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


def _check(model: nn.Module, nets: Nets, keep: tuple[str, ...], attention: str) -> None:
    """Refuse a model with nothing to record, or with a module that cannot be."""
    if "states" in keep and not stacks_of(model):
        raise ValueError(untold(model, []))
    attends = {"attention", "contexts"} & set(keep) and any(watchable(model))
    if not nets and not attends and "states" not in keep:
        needs = [NETS] if RECURRENT.keys() & set(keep) else []
        needs += ["modules that run torch's functions"] if not needs or "attention" in keep else []
        raise ValueError(
            f"model ({type(model).__name__}) has nothing to record: it needs {', or '.join(needs)} "
            f"for keep={keep} (a scripted or traced model is not seen: record the original)"
        )
    checked_type("attention", attention, str, "a module's name such as 'layers.*.self_attn'")
    named(model, "attention", attention)
    for path, module in model.named_modules():
        forward = vars(module).get("forward")
        watchers = forward.watchers if isinstance(forward, Inside) else ()
        if isinstance(forward, Replay) or any(isinstance(one, Attending) for one in watchers):
            raise ValueError(f"model is being recorded already (module {path!r}): leave that block")


def _arrays(nets: Nets, keep: tuple[str, ...]) -> dict[str, list[str]]:
    """Which arrays the record has, each with the paths of the nets that give it."""
    arrays = {
        array: [path for path, net in nets.items() if array in Replay.kinds(net)]
        for name in RECURRENT
        if name in keep and nets
        for array in RECURRENT[name]
    }
    return arrays | {kind: [] for kind in ("attention", "contexts", "states") if kind in keep}
