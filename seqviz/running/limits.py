"""What a model cannot read: ids beyond its embedding, texts beyond its positions."""

from contextlib import suppress
from dataclasses import dataclass

from torch import nn

from seqviz.nn.position import longest_text
from seqviz.running.tokenizing import Reader, Reading


@dataclass(frozen=True)
class Limits:
    """The sizes of a model, or of its encoder or decoder.

    Attributes
    ----------
    name : str
        Whose they are, for a message.
    rows : int or None
        Of the embedding: the ids that it knows; None if it has none.
    positions : int or None
        Tokens of the longest text, None if the model does not say.
    """

    name: str
    rows: int | None
    positions: int | None

    @classmethod
    def of(cls, model: nn.Module, embedding: nn.Module | None = None) -> "Limits":
        """Return those of a model; `embedding` is that of its tokens, if it must be told."""
        return cls(
            type(model).__name__,
            _rows(_embedding(model) if embedding is None else embedding),
            longest_text(model),
        )

    def check(self, name: str, reading: Reading, reader: Reader) -> None:
        """Refuse what the model cannot read."""
        if not reading.ids:
            raise ValueError(f"{name}: has no token: write at least one word")
        top, rows = max(reading.ids), self.rows
        if rows is not None and max(reader.size - 1, top) >= rows:
            beyond = "" if top < rows else f" (its id {top} is among those of {name})"
            raise ValueError(
                f"tokenizer: its vocabulary of {reader.size} tokens does not fit {self.name}, with "
                f"{rows} rows of embeddings{beyond}: load the tokenizer that belongs to the model"
            )
        self.check_length(name, len(reading.ids))

    def check_length(self, name: str, length: int) -> None:
        """Refuse more tokens than there are positions."""
        if self.positions is not None and length > self.positions:
            raise ValueError(
                f"{name}: has {length} tokens, but {self.name} has {self.positions} positions: "
                f"shorten it to {self.positions} tokens, special ones among them"
            )


def beyond(model: str, count: int) -> ValueError:
    """What is said where a model looks up a row that no table of it has."""
    return ValueError(
        f"text: has {count} tokens, and {model} looks up a row that a table of it does not have, "
        "of positions perhaps: shorten the text, or give the tokenizer that belongs to the model"
    )


def _embedding(model: nn.Module) -> nn.Module | None:
    """The embedding of a model's tokens: the one that transformers names, else the largest."""
    if hasattr(model, "get_input_embeddings"):
        with suppress(NotImplementedError):  # its way to say that there is none, as in CANINE
            return model.get_input_embeddings()
        return None
    embeddings = (module for module in model.modules() if isinstance(module, nn.Embedding))
    return max(embeddings, key=lambda module: module.num_embeddings, default=None)


def _rows(embedding: nn.Module | None) -> int | None:
    weight = getattr(embedding, "weight", None)
    return None if weight is None else len(weight)
