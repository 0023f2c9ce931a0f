"""What a model says at each token: the likeliest guesses of its head, or its last state."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from torch import Tensor, nn

from seqviz.recording.inside import watchable
from seqviz.recording.names import within
from seqviz.recording.tensors import tensors_in
from seqviz.running.limits import Limits
from seqviz.running.tokenizing import Reader

MOST = 5
BESIDE = ("attention", "encoder", "past", "state")  # in the names of outputs that are no answer


class Answers:
    """Finds what a model says in what it returns.

    Parameters
    ----------
    model : nn.Module
    reader : Reader or None
        Names the tokens that are guessed; without it there are states only.
    item : int or None
        Place in the batch.
    """

    def __init__(self, model: nn.Module, reader: Reader | None, item: int | None):
        self.model, self.reader, self.item = model, reader, item
        self.sizes = set() if reader is None else {reader.size, *_rows(model)}

    @contextmanager
    def watching(self, attended: Collection[str], count: int) -> Iterator[list[Tensor]]:
        """Hold the last vectors of so many tokens that a part of the model gave which attends.

        `attended` holds the paths of the modules that have attended up to now.
        """
        last: list[Tensor] = []

        def gave(path: str, module: nn.Module, given: object, output: object) -> None:
            if any(within(one, path) for one in attended):
                rows = (self._rows_of(one, count) for one in tensors_in(output))
                last[:] = [one for one in rows if one is not None][:1] or last

        hooks = [
            module.register_forward_hook(partial(gave, path))
            for path, module in watchable(self.model)
            if path
        ]
        try:
            yield last
        finally:
            for hook in hooks:
                hook.remove()

    def of(self, chosen: tuple[str, Tensor] | None) -> dict:
        """Return what :meth:`chosen` gave as `sv.view.attention` takes it.

        Returns
        -------
        dict
            "guesses": a list of (token, probability), likeliest first, for each token; or
            "states": an array (token, unit), float32; or nothing.
        """
        if chosen is None:
            return {}
        name, rows = chosen
        return {name: self._guesses(rows) if name == "guesses" else rows.float().cpu().numpy()}

    def chosen(self, output: object, last: list[Tensor], count: int) -> tuple[str, Tensor] | None:
        """Return "guesses" and the logits at so many tokens; else "states" and these; else None.

        Parameters
        ----------
        output : object
            What the model returned.
        last : list of Tensor
            What :meth:`watching` held.
        count : int
            Tokens of the side that predicts.

        Returns
        -------
        tuple of str and Tensor, (token, unit), or None
        """
        found = [(name, self._rows_of(leaf, count)) for name, leaf in leaves(output)]
        found = [(name, rows) for name, rows in found if rows is not None]
        said = [rows for name, rows in found if not any(word in name for word in BESIDE)]
        heads = [rows for rows in said if rows.shape[1] in self.sizes]
        if heads:
            return "guesses", heads[0]
        states = [rows for name, rows in found if name == "last_hidden_state"]
        states += [rows for rows in said for one in last if rows.shape == one.shape]
        states += [*last, *said]
        return ("states", states[0]) if states else None

    def _rows_of(self, leaf: Tensor, count: int) -> Tensor | None:
        """A vector for each of so many tokens, (time, unit), if the tensor has them."""
        if not leaf.is_floating_point():
            return None
        item = self.item or 0
        if leaf.dim() == 3 and leaf.shape[1] == count and item < len(leaf):
            return leaf[item]
        alone = leaf.dim() == 2 and self.item is None and count > 1
        return leaf if alone and len(leaf) == count else None

    def _guesses(self, logits: Tensor) -> list[list[tuple[str, float]]]:
        chances, ids = logits.float().softmax(-1).topk(min(MOST, logits.shape[1]))
        return [
            list(zip(self.reader.names(row), of_row, strict=True))
            for row, of_row in zip(ids.tolist(), chances.tolist(), strict=True)
        ]


def leaves(output: object, name: str = "") -> Iterator[tuple[str, Tensor]]:
    """The tensors of an output, each with the name under which it stands there, "" if it is all."""
    if isinstance(output, Tensor):
        yield name, output
        return
    inside = ()
    if isinstance(output, Mapping):
        inside = output.items()
    elif hasattr(output, "_asdict"):
        inside = output._asdict().items()
    elif isinstance(output, tuple | list):
        inside = enumerate(output)
    for part, one in inside:
        yield from leaves(one, f"{name}.{part}".lstrip("."))


def _rows(model: nn.Module) -> Iterator[int]:
    """How many tokens a model may predict: the rows of its embedding, of its head."""
    rows = Limits.of(model).rows
    if rows is not None:
        yield rows
    if hasattr(model, "get_output_embeddings"):
        weight = getattr(model.get_output_embeddings(), "weight", None)
        if weight is not None:
            yield len(weight)
