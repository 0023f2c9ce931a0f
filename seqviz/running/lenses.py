"""A model's output layer laid on its stream after each block: what it would say there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_integer, checked_type
from seqviz.recording.named_array import NamedArray
from seqviz.recording.observation import to_numpy
from seqviz.recording.streams import EMBEDDINGS, Pass, State, Watcher, streaming, untold
from seqviz.running.answers import BESIDE, leaves
from seqviz.running.tokenizing import reader_of

Said = list[list[tuple[str, float]]]  # by token, then likeliest first


@dataclass(frozen=True)
class Lens:
    """What a model would say after each of its blocks.

    Attributes
    ----------
    logits : NamedArray, (layer, batch, time, word)
        The first row is of what the first block reads, "embeddings", the last the model's own.
        Without time where the model says one thing of a text.
    """

    logits: NamedArray

    def words(self, tokenizer, k: int = 1, item: int = 0) -> list[Said]:
        """Return the likeliest words, with their probabilities.

        Parameters
        ----------
        tokenizer
            That of the model: any that ``sv.explore`` takes.
        k : int
            How many.
        item : int
            Which text of the batch.

        Returns
        -------
        list
            By layer, then by token: a list of (word, probability), likeliest first.

        Raises
        ------
        ValueError
            If the model gives fewer numbers than the tokenizer has words: it has no output layer.
        """
        reader, logits = reader_of(tokenizer), self.logits
        if logits.shape[-1] < reader.size or "time" not in logits.dims:
            raise ValueError(
                f"tokenizer has {reader.size} words, and the model gives {logits.shape[-1]} "
                "numbers, so they are no words: give a model with its output layer, as "
                "BertForMaskedLM is one of a BertModel"
            )
        k = checked_integer("k", k, 1, logits.shape[-1])
        chances = torch.tensor(logits.at(batch=item).values).float().softmax(-1)
        chances, ids = (found.tolist() for found in chances.topk(k))
        return [
            [
                list(zip(reader.names(of_token), chances[row][place], strict=True))
                for place, of_token in enumerate(of_layer)
            ]
            for row, of_layer in enumerate(ids)
        ]


def lens(model: nn.Module, *inputs, shuffled: int | None = None, **more) -> Lens:
    """Lay a model's output layer on its stream after each block.

    What comes behind the last block, norm, pooler and output layer, belongs to it: the model runs
    once for its states, then once for each earlier block, whose state takes the last one's place
    at all tokens. So the last row is the model's own answer, to the bit. Of an encoder with a
    decoder it is the decoder's stream.

    Read early rows with caution: no early layer was trained to be read by the output layer. What
    it says there may be noise that looks like a word. The control is the same lens on the same
    model with its blocks in another order, ``shuffled``: what is read there as well is not found
    by the layers one after the other.

    Parameters
    ----------
    model : nn.Module
        In eval mode; any whose blocks can be told, as in ``sv.patch``.
    *inputs, **more
        What the model is called with.
    shuffled : int, optional
        The seed of another order of the blocks.

    Returns
    -------
    Lens

    Raises
    ------
    TypeError
        If `model` is no module, or `shuffled` no integer.
    ValueError
        If the model's blocks cannot be told, change the shape of their stream, run several times,
        or are one module where they should be shuffled; if the model drops units, as in training,
        or gives no numbers for a batch.
    AssertionError
        If the last row is not what the model says.

    Examples
    --------
    >>> import torch, seqviz as sv
    >>> model, ids = sv.nn.GPT(12, 32, 8, 3, 2).eval(), torch.tensor([[4, 7, 1, 1, 9]])
    >>> found = lens(model, ids)
    >>> found.logits
    NamedArray(layer=4, batch=1, time=5, word=12; float32)
    >>> bool((found.logits.at(layer=-1).values == model(ids).detach().numpy()).all())
    True
    >>> control = lens(model, ids, shuffled=0)
    """
    checked_type("model", model, nn.Module, "a torch module")
    if model.training:
        raise ValueError("model drops units in training mode: call model.eval()")
    order = nullcontext() if shuffled is None else _in_another_order(model, inputs, more, shuffled)
    with order, torch.no_grad():
        return Lens(_laid_on(model, inputs, more))


def _laid_on(model: nn.Module, inputs: tuple, more: dict) -> NamedArray:
    output, states = _states(model, inputs, more)
    last, rows = states[-1], []
    for at in states:
        laid, _ = _run(model, inputs, more, Instead(last, at.rows))
        rows.append(_said(laid, last.rows))
    said = _said(output, last.rows)
    if not torch.equal(rows[-1].nan_to_num(), said.nan_to_num()):
        apart = (rows[-1] - said).abs().max()
        raise AssertionError(
            f"the last row is not what the model says, {apart:.1e} apart: the model does not give "
            "the same when it runs again"
        )
    dims = ("layer", "batch", "time", "word") if said.dim() == 3 else ("layer", "batch", "word")
    labels = {"layer": (EMBEDDINGS, *map(str, range(len(rows) - 1)))}
    return NamedArray(to_numpy(torch.stack(rows)), dims, labels)


class Kept(Watcher):
    """Keeps the states of the stream that ends last."""

    def __init__(self):
        self.going: dict[str, list[State]] = {}
        self.ends: list[str] = []
        self.states: list[State] = []

    def state(self, at: State) -> None:
        """Keep a state."""
        before = self.going.get(at.stack, []) if at.layer >= 0 else []
        rows = at.rows.clone()  # the model may change it in its place
        self.going[at.stack] = [*before, replace(at, rows=rows)]

    def ended(self, stack: str) -> None:
        """Note that these states are whole."""
        states = self.going.pop(stack, [])
        if len(states) > 1:
            self.ends.append(stack)
            self.states = states

    def broken(self, stack: str, why: str) -> None:
        """Leave a list out whose modules give no stream."""
        self.going.pop(stack, None)

    def check(self, model: nn.Module, passes: list[Pass]) -> None:
        """Refuse states of which none can take another's place."""
        if not self.states:
            raise ValueError(untold(model, passes))
        stack = self.states[0].stack
        if (times := self.ends.count(stack)) > 1:
            raise ValueError(
                f"model: its blocks {stack!r} run {times} times in one call, expected once: give a "
                "part of the model that runs them once"
            )
        shapes = {tuple(at.rows.shape) for at in self.states}
        if len(shapes) > 1:
            raise ValueError(
                f"model: the blocks of {stack!r} hand on streams of shapes "
                f"{', '.join(map(str, shapes))}, so no state fits another's place"
            )


class Instead(Watcher):
    """Puts one state in the place of the last one."""

    def __init__(self, last: State, rows: Tensor):
        self.last, self.rows = last, rows

    def state(self, at: State) -> Tensor | None:
        """Return the state behind the last block."""
        here = (at.stack, at.layer) == (self.last.stack, self.last.layer)
        return self.rows if here else None


def _states(model: nn.Module, inputs: tuple, more: dict) -> tuple[object, list[State]]:
    """What a model gives, and the states of the stream that this comes from."""
    kept = Kept()
    output, passes = _run(model, inputs, more, kept)
    kept.check(model, passes)
    return output, kept.states


def _run(
    model: nn.Module, inputs: tuple, more: dict, watcher: Watcher
) -> tuple[object, list[Pass]]:
    """Run a model, which draws the same random numbers each time."""
    with torch.random.fork_rng(), streaming(model, watcher) as passes:
        torch.manual_seed(0)
        return model(*inputs, **more), passes


def _said(output: object, rows: Tensor) -> Tensor:
    """What a model says: its logits, else its last states; (batch, time, word) or (batch, word)."""
    found = [(name, one) for name, one in leaves(output) if one.is_floating_point()]
    sizes = tuple(rows.shape[:2])

    def rank(named: tuple[str, Tensor]) -> tuple:
        name, leaf = named
        beside = name != "last_hidden_state" and any(word in name for word in BESIDE)
        return beside, leaf.dim() != 3, "logits" not in name

    for _, leaf in sorted(found, key=rank):
        if leaf.dim() == 2 and sizes == (1, len(leaf)):
            return leaf.unsqueeze(0)  # a model without a batch
        if leaf.dim() == 3 and tuple(leaf.shape[:2]) == sizes[::-1] != sizes:
            return leaf.transpose(0, 1)
        if leaf.dim() in (2, 3) and len(leaf) == sizes[0]:
            return leaf
    shapes = ", ".join(f"{name or 'output'} {tuple(one.shape)}" for name, one in found)
    raise ValueError(
        f"model: gives {shapes or 'no numbers'}, expected logits (batch, time, word) of a batch of "
        f"{sizes[0]}"
    )


@contextmanager
def _in_another_order(model: nn.Module, inputs: tuple, more: dict, seed: int) -> Iterator[None]:
    """Call the blocks of a model in another order while the block of code runs."""
    generator = torch.Generator().manual_seed(checked_integer("shuffled", seed, 0))
    with torch.no_grad():
        _, states = _states(model, inputs, more)
    names = list(dict.fromkeys(at.block for at in states if at.layer >= 0))
    if len(names) < 2:
        raise ValueError(
            f"shuffled: the blocks of {states[0].stack!r} are one module, {names[0]!r}, which has "
            "no other order"
        )
    blocks = [model.get_submodule(name) for name in names]
    order = torch.randperm(len(names), generator=generator).tolist()
    if order == sorted(order):
        order = [*order[1:], order[0]]
    try:
        _place(model, names, [blocks[k] for k in order])
        yield
    finally:
        _place(model, names, blocks)


def _place(model: nn.Module, names: Sequence[str], blocks: Sequence[nn.Module]) -> None:
    for name, block in zip(names, blocks, strict=True):
        parent, _, own = name.rpartition(".")
        model.get_submodule(parent)._modules[own] = block
