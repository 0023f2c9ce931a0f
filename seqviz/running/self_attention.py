"""A sentence through any model: the weights of every head from word to word."""

from collections.abc import Callable
from contextlib import nullcontext

import numpy as np
from torch import Tensor, nn

from seqviz.heads import Sentence, sentence_of
from seqviz.heads.survey import LONGEST
from seqviz.nn.seq2seq import Seq2Seq
from seqviz.nn.transformer_seq2seq import TransformerSeq2Seq
from seqviz.recording import NamedArray
from seqviz.running.callers import both_readers, caller_of
from seqviz.running.calling import OneText
from seqviz.running.limits import Limits
from seqviz.running.runner import Runner
from seqviz.running.tokenizing import Reader, Reading

Head = tuple[int, int]  # layer and head


class SelfAttention:
    """The self-attention of a model, or of the encoder of one that translates.

    Parameters
    ----------
    model : nn.Module
    tokenizer : tokenizer
    inputs : function of a text, optional

    Attributes
    ----------
    name : str
        Of the model.
    heads : list of (layer, head)
        Those that the last sentence was seen by.
    was_cut : bool
        Whether the last sentence was too long.
    """

    def __init__(self, model: nn.Module, tokenizer, inputs: Callable | None = None):
        self.name = type(model).__name__
        self.cutting: Cutting | None = None
        self.heads: list[Head] = []
        self.run = Runner(*self._read(model, tokenizer, inputs), Unasked(), None, {})

    def _read(self, model: nn.Module, tokenizer, inputs: Callable | None) -> tuple:
        """What runs, and what calls it for a sentence."""
        if isinstance(model, Seq2Seq):
            raise ValueError(
                f"model: {self.name} reads with a recurrent net, whose states do not attend to "
                "each other: give a transformer, or look at it with sv.explore"
            )
        if inputs is not None:
            return model, caller_of(model, tokenizer, None, inputs, None)[0]
        if tokenizer is None:
            raise TypeError(
                f"tokenizer: missing: atlas(model, tokenizer, sentences) needs that of {self.name}"
            )
        if isinstance(model, TransformerSeq2Seq):
            table, model = model.source_embedding, Encoder(model)
            caller = OneText(model, both_readers(tokenizer)[0], None)
            caller.limits = Limits.of(model, table)
        elif getattr(getattr(model, "config", None), "is_encoder_decoder", False):
            model = model.get_encoder()
            caller = OneText(model, both_readers(tokenizer)[0], None)
        else:
            caller, _ = caller_of(model, tokenizer, None, None, None)
        self.cutting = caller.reader = Cutting(caller.reader, caller.limits.positions)
        return model, caller

    @property
    def was_cut(self) -> bool:
        """Whether the last sentence was too long."""
        return bool(self.cutting and self.cutting.cut)

    def __call__(self, text: str) -> tuple[np.ndarray, Sentence] | None:
        """Return the weights (head, word, word) and the words; None if it has no token.

        Raises
        ------
        ValueError
            If the model cannot read it, or never attends to the text itself.
        """
        if not text.strip():
            return None
        try:
            told = self.run(text)
        except ValueError:
            if self.cutting and self.cutting.empty:
                return None
            raise
        side = "tokens" if "tokens" in told else "encoder_tokens"
        tokens = told[side]
        if not self.cutting and len(tokens) > LONGEST:
            raise ValueError(f"has {len(tokens)} tokens, expected at most {LONGEST}: cut it")
        maps, self.heads = self._maps(told["weights"], len(tokens))
        words = told.get("words", {})
        words = words.get(side) if isinstance(words, dict) else words
        sentence = sentence_of(tokens, told.get("special", ()), words)
        return sentence.joined(maps), sentence

    def _maps(self, weights: dict, tokens: int) -> tuple[np.ndarray, list[Head]]:
        """The maps from the tokens to themselves, layer by layer, and which heads they are of."""
        found = {path: _squared(calls[-1], tokens) for path, calls in weights.items()}
        maps = {path: one for path, one in found.items() if one is not None}
        if not maps:
            raise ValueError(
                f"model: {self.name} attends, but not from a text's tokens to themselves: look at "
                "it with sv.record"
            )
        places = self.run.maps.at
        layers = [places[path].layer for path in maps]
        alone = {place for path in maps if (place := places[path]).head is not None}
        if None in layers or (len(set(layers)) < len(layers) and not alone):
            layers = range(len(layers))
        numbered = [
            (layer, k if places[path].head is None else places[path].head)
            for layer, (path, one) in zip(layers, maps.items(), strict=True)
            for k in range(len(one))
        ]
        order = sorted(range(len(numbered)), key=numbered.__getitem__)
        return np.concatenate([*maps.values()])[order], [numbered[k] for k in order]


def _squared(call: NamedArray, tokens: int) -> np.ndarray | None:
    """A map (head, query, key) of one text to itself; None if it is another."""
    one = call.values[0] if call.dims[:1] == ("batch",) else call.values
    fits = call.dims[-3:] == ("head", "query", "key") and one.shape[1:] == (tokens, tokens)
    alone = call.dims[:1] != ("batch",) or len(call.values) == 1
    return one.astype(float) if fits and alone and one.ndim == 3 else None


class Encoder(nn.Module):
    """What reads the source of a translator."""

    def __init__(self, translator: TransformerSeq2Seq):
        super().__init__()
        self.translator = translator

    def forward(self, ids: Tensor):
        """Read sources (batch, time)."""
        return self.translator.encode(ids)


class Cutting:
    """Reads as another reader does, and cuts what is too long; special tokens at the end stay.

    Attributes
    ----------
    cut, empty : bool
        Whether the last text was too long, or had no token.
    """

    def __init__(self, reader: Reader, positions: int | None):
        self.reader, self.size, self.special = reader, reader.size, reader.special
        self.most = min(LONGEST, positions or LONGEST)
        self.cut = self.empty = False

    def read(self, text: str, pair: str | None = None, target: bool = False) -> Reading:
        """Return a text as a model reads it."""
        whole = self.reader.read(text, pair, target)
        n = len(whole.ids)
        self.cut, self.empty = n > self.most, n == 0
        if not self.cut:
            return whole
        end = n
        while end and whole.tokens[end - 1] in self.special:
            end -= 1
        kept = [*range(self.most - (n - end)), *range(end, n)]
        lists = whole.ids, whole.tokens, whole.words, whole.segments, whole.texts
        return Reading(*(None if one is None else [one[k] for k in kept] for one in lists))


class Unasked:
    """In place of the answers of a model, which nobody wants to know."""

    def watching(self, attended, count: int) -> nullcontext:
        """Watch nothing."""
        return nullcontext()

    def chosen(self, output, last, count: int) -> None:
        """Choose nothing."""

    def of(self, chosen) -> dict:
        """Tell nothing."""
        return {}
