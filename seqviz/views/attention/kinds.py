"""Stacks of layers and the texts that belong to them, checked: kinds of attention."""

from collections.abc import Mapping

from seqviz.views.attention.input import SOURCES, Stack
from seqviz.views.attention.values import Attention, check_shapes, check_weights, is_causal
from seqviz.views.attention.words import Tokens, text_of

Need = tuple[tuple[str, int], tuple[str, int]]  # queries and keys: argument, number of tokens


def checked(stacks: list[Stack], texts: Mapping[str, Tokens]) -> tuple[list[Attention], list[str]]:
    """Return a kind of attention for each stack, and what there is to warn of."""
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
        found.append(Attention(name, layers.arrays, *sides, *facts, family=family))
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
