"""The forms in which `attention` takes weights: which stacks of layers, over which texts."""

from collections.abc import Mapping

from seqviz.views.attention.families import of_record
from seqviz.views.attention.input import (
    BEAMS,
    FORMS,
    Stack,
    batch_of,
    layers_of,
    rows_may_change,
)
from seqviz.views.attention.words import Tokens

ONE, TWO = ("tokens", "key_tokens"), ("encoder_tokens", "decoder_tokens")
THREE = ("encoder", "cross", "decoder")


def stacks_of(given: Mapping, texts: Mapping[str, Tokens]) -> tuple[list[Stack], list[str]]:
    """Return the stacks in what `attention` was given, and what there is to warn of."""
    weights, item = given["weights"], given["item"]
    three = {name: given[name] for name in THREE if given[name] is not None}
    if three and weights is not None:
        raise TypeError(f"weights: leave them out beside {', '.join(three)}")
    if three:
        return _of_translation(three, item, texts)
    if isinstance(weights, Mapping):
        return of_record(weights, item, texts)
    return _of_array(weights, item, texts)


def _of_array(weights, item: int | None, texts: Mapping) -> tuple[list[Stack], list[str]]:
    layers = layers_of("weights", weights, item)
    if not texts.keys().isdisjoint(TWO):
        raise ValueError(
            "encoder_tokens, decoder_tokens: belong to encoder=, cross= and decoder= or to a "
            "record; of one array the queries are tokens, the keys key_tokens"
        )
    same = "key_tokens" not in texts
    name, keys = ("self", "tokens") if same else ("cross", "key_tokens")
    return [Stack(name, "weights", layers, "tokens", keys)], _beams({"weights": weights}, item)


def _of_translation(
    given: Mapping, item: int | None, texts: Mapping
) -> tuple[list[Stack], list[str]]:
    """Encoder, cross and decoder, those that are given."""
    if wrong := [name for name in ONE if name in texts]:
        raise TypeError(
            f"{' and '.join(wrong)}: belong to weights; with {' and '.join(given)} the tokens are "
            "encoder_tokens and decoder_tokens"
        )
    for name, weights in given.items():
        if isinstance(weights, Mapping):
            raise TypeError(f"{name}: expected {FORMS}; a record goes in as weights")
    batches = {name: batch_of(name, weights) for name, weights in given.items()}
    _check_batches(batches)
    source, target = TWO
    sides = {"encoder": (source, source), "cross": (target, source), "decoder": (target, target)}
    stacks = [
        Stack(name, name, layers_of(name, weights, item), *sides[name])
        for name, weights in given.items()
    ]
    # an encoder of as many texts tells that there are no beams
    return stacks, [] if batches.get("encoder") else _beams(given, item)


def _beams(given: Mapping, item: int | None) -> list[str]:
    """Warn of steps of a batch: weights do not tell whether a row stays with its text."""
    return [
        f"{name}: row {item} of each step was taken, which is right for a batch of texts, but "
        f"{BEAMS}"
        for name, weights in given.items()
        if rows_may_change(name, weights)
    ]


def _check_batches(batches: Mapping[str, int | None]) -> None:
    """Refuse the rows of a beam search: `generate` repeats a text after its encoder has read it."""
    few = batches.get("encoder")
    for name, many in batches.items():
        if few and many and few < many:
            raise ValueError(
                f"{name}: has a batch of {many}, encoder one of {few}: this looks like a beam "
                "search, whose rows change places between the steps, so that no row is one text. "
                "Run the model once over what was found, model(input_ids=..., decoder_input_ids="
                "output.sequences, output_attentions=True) or that with sv.record around, or "
                "generate with num_beams=1. Only if the rows stay, as those that are sampled do, "
                "repeat the encoder's: [layer.repeat_interleave("
                f"{many // few}, 0) for layer in output.encoder_attentions]"
            )
