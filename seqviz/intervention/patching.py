"""Replace the state of a model's stream after a block, or what a head gives, while it runs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_integer, checked_type
from seqviz.blocks import stacks_of
from seqviz.intervention.heads import AtHeads, checked_heads
from seqviz.intervention.sources import OfRun, Place, Source, checked_tokens, once, source_of
from seqviz.recording import NamedArray, Record
from seqviz.recording.contexts import by_head
from seqviz.recording.inside import watched
from seqviz.recording.streams import EMBEDDINGS, Pass, State, Watcher, streaming, untold
from seqviz.telling import shown

Vector = Tensor | Sequence[float]


@contextmanager
def patch(
    model: nn.Module,
    *,
    layer: int | str,
    token: int | Sequence[int],
    value: Vector | str | None = None,
    from_: Record | NamedArray | None = None,
    from_token: int | Sequence[int] | None = None,
    head: int | Sequence[int] | None = None,
) -> Iterator[None]:
    """Replace a state of a model's stream while the block runs.

    What a block hands on to the next one is replaced at some tokens, in any model whose blocks can
    be told: of ``sv.nn``, ``torch.nn``, transformers, or your own in a ModuleList or Sequential.
    Blocks of code nest, and go together with ``sv.record``, which keeps the states with which the
    run went on, and ``sv.ablate``; of two that replace the same state the outer stays. When the
    block is left the model is as it was.

    A patch is a cause, of one text: show beside it what other states do in the same place.

    Parameters
    ----------
    model : nn.Module
    layer : int or str
        The block after which the state is replaced, from 0, counted as they are called: a layer
        that is called several times counts each time. Or its name, such as ``"decoder.layers.1"``,
        where a number would name several. ``"embeddings"`` is what the first block reads, of an
        encoder and a decoder ``"decoder.layers.embeddings"``. With `head` as in ``sv.ablate``.
    token : int or sequence of int
        Which positions, from 0; those below 0 count from the end.
    value : tensor or sequence of numbers, or "mean"
        What takes the state's place: a vector, one for each token, or (batch, token, unit); or the
        mean over the batch, at each token.
    from_ : Record or NamedArray
        Instead of `value`: another run, as ``sv.record(model, keep="states")`` gave it, or one call
        of it, ``rec.states["layers"][0]``. Its state at the same layer and token is taken. For a
        head it is one with ``keep="contexts"``.
    from_token : int or sequence of int, optional
        The tokens of the other run, as many, if they are not the same.
    head : int or sequence of int, optional
        Replace what these heads take from the values, not the state.

    Raises
    ------
    TypeError
        If an argument has another type, or not one of `value` and `from_` is given.
    ValueError
        If there is no such layer, token or head, or `layer` names several; if a state has another
        width, or the other run another number of texts, or no such token; if the batch is one and
        `value` is "mean"; if the model's blocks cannot be told: what was found.

    Examples
    --------
    >>> import torch
    >>> layer = torch.nn.TransformerEncoderLayer(d_model=8, nhead=2, batch_first=True)
    >>> model = torch.nn.TransformerEncoder(layer, num_layers=3)
    >>> with patch(model, layer=2, token=4, value=torch.zeros(8)):
    ...     states = model(torch.ones(1, 5, 8))
    >>> states[0, 4].tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    checked_type("model", model, nn.Module, "a torch module")
    tokens = checked_tokens("token", token)
    others = None if from_token is None else checked_tokens("from_token", from_token)
    source = source_of(value, from_, others)
    if head is not None:
        heads = HeadPatch(model, layer, checked_heads(head), tokens, source)
        with watched(model, heads):
            yield
        heads.check()
        return
    states = StatePatch(model, layer, tokens, source)
    with streaming(model, states, first=True) as passes:
        yield
    states.check(passes)


class StatePatch(Watcher):
    """Watches a model's streams, and replaces a state."""

    def __init__(self, model: nn.Module, layer: int | str, tokens: list[int], source: Source):
        self.model, self.tokens, self.source = model, tokens, source
        self.layer = self._checked(layer)
        self.deepest: dict[str, int] = {}  # by stack, the last block that ran
        self.done: dict[str, int] = {}  # by stack, where a state was replaced
        self.again: set[str] = set()  # stacks in whose pass it has been

    def _checked(self, layer: int | str) -> int | str:
        if not isinstance(layer, str):
            return checked_integer("layer", layer, 0)
        stacks = stacks_of(self.model)
        names = [path for stack in stacks for path in stack.blocks]
        starts = [EMBEDDINGS, *(f"{stack.path}.{EMBEDDINGS}".lstrip(".") for stack in stacks)]
        if stacks and layer not in (*names, *starts):
            ends = [dict.fromkeys(repr([*one.blocks][k]) for k in (0, -1)) for one in stacks]
            some = ", ".join([*map(" to ".join, ends), *map(repr, starts)])
            raise ValueError(f"layer must be a block's number or one of {some}; got {shown(layer)}")
        return layer

    def _is_here(self, at: State) -> bool:
        if at.layer < 0:
            return self.layer in (EMBEDDINGS, f"{at.stack}.{EMBEDDINGS}".lstrip("."))
        return self.layer in (at.layer, at.block)

    def state(self, at: State) -> Tensor | None:
        """Return the rows of a stream, with others at some tokens."""
        self.deepest |= {at.stack: at.layer} if at.layer >= 0 else {}
        if not self._is_here(at):
            return None
        self._check_alone(at)
        self.done[at.stack] = at.layer
        self.again.add(at.stack)
        tokens = once("token", self.tokens, at.rows.shape[1], "the model reads")
        rows = at.rows.clone()
        old = rows[:, tokens]
        name = EMBEDDINGS if at.layer < 0 else str(at.layer)
        place = Place("states", at.stack, {"layer": name}, self.tokens)
        rows[:, tokens] = self.source(old.flatten(2), place).view_as(old)
        return rows

    def _check_alone(self, at: State) -> None:
        stacks = dict.fromkeys((*self.done, at.stack))
        if len(stacks) > 1:
            end = f".{EMBEDDINGS}" if at.layer < 0 else ""
            known = ", ".join(repr(f"{stack}{end}") for stack in stacks)
            name = at.stack + end if end else at.block
            raise ValueError(
                f"layer={self.layer!r} is several, of the blocks in {known}: give a name, as in "
                f"layer={name!r}"
            )
        if at.stack in self.again and self.done[at.stack] != at.layer:
            raise ValueError(
                f"layer={self.layer!r} is called several times, as calls {self.done[at.stack]} and "
                f"{at.layer} of {at.stack!r}: give the number of the call, as in "
                f"layer={self.done[at.stack]}"
            )

    def ended(self, stack: str) -> None:
        """Forget what was replaced in the pass before."""
        self.again.discard(stack)

    def broken(self, stack: str, why: str) -> None:
        """Refuse to have replaced what is no stream."""
        if stack in self.done:
            raise ValueError(
                f"layer={self.layer!r} is no block: what the modules of {stack!r} give is not "
                f"handed on, {why}"
            )

    def check(self, passes: list[Pass]) -> None:
        """Refuse a run in which nothing was replaced."""
        began = any(one.began for one in passes)
        if self.done or not (began or self.deepest or not passes):
            return
        if not self.deepest:
            raise ValueError(untold(self.model, passes))
        known = "; ".join(f"0 to {last} of {path!r}" for path, last in self.deepest.items())
        raise ValueError(
            f"layer={self.layer!r} did not run, so no state was replaced: expected "
            f"{EMBEDDINGS!r}, or {known}"
        )


class HeadPatch(AtHeads):
    """Watches a model's attention, and replaces what some heads give at some queries."""

    done_to = "replaced"

    def __init__(
        self,
        model: nn.Module,
        layer: int | str,
        heads: list[int],
        tokens: list[int],
        source: Source,
    ):
        super().__init__(model, layer, heads)
        self.tokens, self.source = tokens, source
        self.passed: set[str] | None = None  # modules that attended in this run of the model

    def entered(self, path: str) -> None:
        """Note that the model runs, and that a run of it begins."""
        super().entered(path)
        if not path:
            self.passed = set()

    def _check_one_pass(self, path: str) -> None:
        """Refuse another run's one pass for all passes through tied layers."""
        if self.passed is None or not isinstance(self.source, OfRun):
            return
        if path in self.passed:
            raise ValueError(
                f"layer={self.layer!r}: module {path!r} attends several times in one run, as tied "
                "layers do, and from_ has a head of one pass: leave head= out, and replace the "
                "state after one of them, or hand in what stands in all of them as value="
            )
        self.passed.add(path)

    def _instead(self, path: str, values: Tensor, names: list[str], chosen: Tensor) -> Tensor:
        if "block" in names or "query" not in names:
            raise ValueError(
                f"layer={self.layer!r}: module {path!r} attends in blocks, or step by step, where "
                "a token has no place of its own: silence its heads with sv.ablate"
            )
        self._check_one_pass(path)
        values = values.clone()
        rows, dims = by_head(values, names)  # a view: what is set in it is set in the values
        sizes = rows.shape[1 : 1 + dims.count("head")]
        tokens = once("token", self.tokens, rows.shape[-2], "the model has")
        for head in chosen.flatten().nonzero().flatten():
            one = rows[(slice(None), *torch.unravel_index(head, sizes))]
            place = Place("contexts", path, {"head": int(head)}, self.tokens)
            one[:, tokens] = self.source(one[:, tokens], place)
        return values
