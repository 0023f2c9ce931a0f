"""Which way a model is called: by the user's function, as a translator, or with one text."""

from collections.abc import Callable

from torch import nn

from seqviz.nn.seq2seq import Seq2Seq
from seqviz.nn.transformer_seq2seq import TransformerSeq2Seq
from seqviz.running.calling import Call, OfInputs, OneText, parameters_of
from seqviz.running.tokenizing import Reader, is_of_pieces, reader_of
from seqviz.running.translation import Translation, Translator

BY_HAND = "give inputs=, a function of a text that returns (arguments, tokens) for the model"


def caller_of(
    model: nn.Module,
    tokenizer,
    pair: str | None,
    inputs: Callable[[str], tuple] | None,
    target: str | None,
) -> tuple[Callable[[str], Call], Reader | None]:
    """Return what calls a model for a text, and what names the tokens that it predicts.

    Raises
    ------
    TypeError
        If there is no tokenizer, or an argument has none of the types that are known.
    ValueError
        If the model does not read text, or `target` or `pair` do not fit it.
    """
    if inputs is not None:
        return _by_hand(tokenizer, pair, inputs, target)
    name = type(model).__name__
    if tokenizer is None:
        raise TypeError(f"tokenizer: missing: give that of {name} behind the model; or {BY_HAND}")
    if isinstance(model, Seq2Seq | TransformerSeq2Seq):
        return _translator(model, tokenizer, pair, target)
    takes = parameters_of(model)
    main = getattr(model, "main_input_name", None)
    passes_on = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in takes.values())
    if main not in (None, "input_ids") or (main and main not in takes and not passes_on):
        reads = main if main in takes else next(iter(takes), "nothing")
        fix = "look at it with sv.regions, or " if reads == "pixel_values" else ""
        raise ValueError(f"model: {name} reads {reads}, not the ids of a text: {fix}{BY_HAND}")
    config = getattr(model, "config", None)
    if "decoder_input_ids" in takes and getattr(config, "is_encoder_decoder", False):
        readers = both_readers(tokenizer)
        return Translation(model, readers, pair, target), readers[1]
    if target is not None:
        raise ValueError(
            f"target: {name} is no encoder with a decoder of sv.nn or transformers, whose decoders "
            f"are known to read it: leave it out, or {BY_HAND}"
        )
    reader = reader_of(tokenizer)
    return OneText(model, reader, pair), reader


def _by_hand(
    tokenizer, pair: str | None, inputs: Callable, target: str | None
) -> tuple[OfInputs, Reader | None]:
    if not callable(inputs):
        raise TypeError(f"inputs: expected a function of a text, came {type(inputs).__name__}")
    for name, given in (("text_pair", pair), ("target", target)):
        if given is not None:
            raise TypeError(f"{name}: inputs= makes all arguments of the model: leave it out")
    return OfInputs(inputs), None if tokenizer is None else both_readers(tokenizer)[1]


def _translator(
    model: Seq2Seq | TransformerSeq2Seq, tokenizer, pair: str | None, target: str | None
) -> tuple[Translator, Reader]:
    name = type(model).__name__
    if pair is not None:
        raise ValueError(f"text_pair: {name} reads one source: leave it out")
    readers = both_readers(tokenizer)
    return Translator(model, readers, target), readers[1]


def both_readers(tokenizer) -> tuple[Reader, Reader]:
    """What reads the source and the target: a tokenizer for both, or a pair of them."""
    if isinstance(tokenizer, tuple) and len(tokenizer) == 2 and not is_of_pieces(tokenizer):
        return reader_of(tokenizer[0]), reader_of(tokenizer[1])
    reader = reader_of(tokenizer)
    return reader, reader
