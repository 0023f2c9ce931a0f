"""From the arguments of `attention` to checked kinds of attention: layers over texts."""

from collections.abc import Mapping

from seqviz.views.attention.families import of_record
from seqviz.views.attention.gold import with_gold
from seqviz.views.attention.input import (
    BEAMS,
    FORMS,
    SOURCES,
    Stack,
    batch_of,
    layers_of,
    rows_may_change,
)
from seqviz.views.attention.values import Attention, check_shapes, check_weights, is_causal
from seqviz.views.attention.words import Tokens, text_of, texts_of

ONE, TWO = ("tokens", "key_tokens"), ("encoder_tokens", "decoder_tokens")
THREE = ("encoder", "cross", "decoder")
PIECES = ("words", "special", "segments")  # of each text, or beside the function of all
Need = tuple[tuple[str, int], tuple[str, int]]  # queries and keys: argument, number of tokens


def kinds_of(given: Mapping) -> tuple[list[Attention], list[str], dict[str, Tokens]]:
    """Return the kinds of attention, what there is to warn of, and the tokens of each argument.

    `given` are all arguments.
    """
    pieces = (given[name] for name in PIECES)
    texts = texts_of({name: given[name] for name in (*ONE, *TWO)}, *pieces)
    stacks, warnings = _stacks(given, texts)
    kinds, more = _checked(stacks, texts)
    return with_gold(kinds, given["sure"], given["possible"]), warnings + more, texts


def _stacks(given: Mapping, texts: Mapping[str, Tokens]) -> tuple[list[Stack], list[str]]:
    """The stacks of layers in the form that was given, and what there is to warn of."""
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


def _checked(stacks: list[Stack], texts: Mapping[str, Tokens]) -> tuple[list[Attention], list[str]]:
    """A kind of attention for each stack, and what there is to warn of."""
    needs = [
        tuple(zip((one.queries, one.keys), check_shapes(one.where, one.layers)[1:], strict=True))
        for one in stacks
    ]
    found, warnings = [], []
    for (name, where, layers, queries, keys, family), need in zip(stacks, needs, strict=True):
        same = queries == keys
        causal = same and is_causal(layers)
        _check_counts(where, need, needs if same else [need], causal, texts)
        sums, warning = check_weights(where, layers)
        if warning:
            warnings.append(warning)
        sides = text_of(texts, queries), text_of(texts, keys)
        facts = same, causal, sums, layers.numbers
        family = name if family is None else family
        names = queries, keys
        found.append(Attention(name, layers.arrays, *sides, *facts, family=family, sides=names))
    return found, warnings


def _check_counts(
    where: str, need: Need, needs: list[Need], causal: bool, texts: Mapping[str, Tokens]
) -> None:
    (queries, rows), (keys, columns) = need
    for (name, wanted), one in zip(need, ("query", "key"), strict=True):
        text = text_of(texts, name)
        if text is None:
            raise ValueError(f"{name}: missing: expected {wanted}, one for each {one} of {where}")
        came = len(text)
        if came == wanted:
            continue
        if text.of_sentence:
            fix = "a string stands for its characters: hand in the list that a tokenizer gives"
        elif queries == keys and rows != columns:
            fix = "queries and keys differ: give the keys' tokens as key_tokens"
        elif _swapped(needs, texts):
            other = next(other for other in texts if other != name)
            fix = f"{name} and {other} are swapped"
        else:
            decodes = causal or queries != keys or name == "decoder_tokens"
            written = decodes and name not in SOURCES
            fix = _cause(name, came - wanted, written)
        raise ValueError(
            f"{name}: expected {wanted}, one for each {one} of {where} with {rows} queries "
            f"and {columns} keys, came {came}: {fix}"
        )


def _swapped(needs: list[Need], texts: Mapping[str, Tokens]) -> bool:
    """Whether two lists of tokens fit the other way round."""
    lengths = {name: len(text) for name, text in texts.items()}
    other = dict(zip(lengths, reversed(lengths.values()), strict=True))
    fits = all(other.get(name) == wanted for need in needs for name, wanted in need)
    return fits and len(lengths) == 2


def _cause(name: str, more: int, written: bool) -> str:
    """Why there are so many tokens more than weights; a model may have `written` them."""
    if written and more == 1:
        return f"the last token that a causal model wrote was never read: leave it out, {name}[:-1]"
    if written and more > 1:
        return "a prompt, or padding, is in the tokens but not in the weights"
    found = "in the tokens but not in the weights" if more > 0 else "missing"
    return (
        f"special tokens such as [CLS], [SEP] and </s> or padding are {found}: take "
        "tokenizer.convert_ids_to_tokens(ids[item]) of the ids that the model read, or cut the "
        "weights to the tokens"
    )
