"""Which kinds of attention there are, and which tokens belong to them."""

from collections.abc import Iterable, Mapping

from seqviz.view.attention_explorer.input import (
    BEAMS,
    FORMS,
    Layers,
    batch_of,
    layers_of,
    rows_may_change,
)
from seqviz.view.attention_explorer.values import Attention, check_shapes, check_weights, is_causal
from seqviz.view.attention_explorer.words import SPECIAL, one_after_another, side_of
from seqviz.view.shared.checking import strings

Need = tuple[tuple[str, int], tuple[str, int]]  # queries and keys: argument, number of tokens
SOURCES = ("encoder_tokens", "key_tokens")  # texts that a model reads but never writes
ONE, TWO = ("tokens", "key_tokens"), ("encoder_tokens", "decoder_tokens")


class Kinds:
    """Checks of all that `attention` takes; `found` are the kinds, `warnings` what to warn of."""

    def __init__(self, tokens: Mapping, item: int | None, words, special) -> None:
        self.item = item
        self.found: list[Attention] = []
        self.warnings: list[str] = []
        given = {name: _listed(name, value) for name, value in tokens.items() if value is not None}
        marked = frozenset(SPECIAL if special is None else _special(special))
        words = _words(words, list(given))
        self.sides = {
            name: side_of(name, value, marked, words[name]) for name, value in given.items()
        }

    def add(self, kinds: list[tuple[str, str, Layers, str, str]]) -> None:
        """Check kinds: name, where it was given, layers, the arguments with queries and keys."""
        needs = [
            tuple(zip(sides, check_shapes(where, layers)[1:], strict=True))
            for _, where, layers, *sides in kinds
        ]
        for (name, where, layers, queries, keys), need in zip(kinds, needs, strict=True):
            same = queries == keys
            causal = same and is_causal(layers)
            self._check_counts(where, need, needs if same else [need], causal)
            sums, warning = check_weights(where, layers)
            if warning:
                self.warnings.append(warning)
            sides = self.sides[queries], self.sides[keys]
            facts = *sides, same, causal, sums, layers.numbers
            self.found.append(Attention(name, layers.arrays, *facts))

    def fit(self, sides: tuple[str, str], shape: tuple[int, int]) -> bool:
        """Whether these arguments hold a token for each query and for each key."""
        given = [len(self.sides.get(name, ())) for name in sides]
        return given == list(shape)

    def both(self, first: str, second: str) -> str:
        """Make the tokens of two arguments one side, and return its name."""
        name = f"{first} + {second}"
        self.sides[name] = one_after_another(self.sides[first], self.sides[second])
        return name

    def warn_of_beams(self, name: str, given) -> None:
        """Warn of steps of a batch: weights do not tell whether a row stays with its text."""
        if rows_may_change(name, given):
            self.warnings.append(
                f"{name}: row {self.item} of each step was taken, which is right for a batch of "
                f"texts, but {BEAMS}"
            )

    def _check_counts(self, where: str, need: Need, needs: list[Need], causal: bool) -> None:
        (queries, rows), (keys, columns) = need
        for (name, wanted), one in zip(need, ("query", "key"), strict=True):
            if name not in self.sides:
                raise ValueError(
                    f"{name}: missing: expected {wanted}, one for each {one} of {where}"
                )
            came = len(self.sides[name])
            if came == wanted:
                continue
            if queries == keys and rows != columns:
                fix = "queries and keys differ: give the keys' tokens as key_tokens"
            elif self._swapped(needs):
                other = next(other for other in self.sides if other != name)
                fix = f"{name} and {other} are swapped"
            else:
                decodes = causal or queries != keys or name == "decoder_tokens"
                written = decodes and name not in SOURCES
                fix = _cause(name, came - wanted, written)
            raise ValueError(
                f"{name}: expected {wanted}, one for each {one} of {where} with {rows} queries "
                f"and {columns} keys, came {came}: {fix}"
            )

    def _swapped(self, needs: list[Need]) -> bool:
        """Whether two lists of tokens fit the other way round."""
        lengths = {name: len(side) for name, side in self.sides.items()}
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


def _listed(name: str, given) -> list[str]:
    if isinstance(given, (set, frozenset)):
        raise TypeError(
            f"{name}: expected a list of strings, came a {type(given).__name__}, which has no "
            "order and no repeats: hand in the list, as convert_ids_to_tokens gives it"
        )
    return strings(name, given)


def _special(given) -> list[str]:
    if isinstance(given, str):
        raise TypeError(f"special: expected a list of strings, came {given!r}: write [{given!r}]")
    return strings("special", given)


def _words(given, names: list[str]) -> dict:
    """None, False or word numbers for each argument with tokens."""
    if given is None or given is False:
        return dict.fromkeys(names, given)
    if isinstance(given, Mapping):
        short = {name.removesuffix("_tokens"): name for name in names}
        found = {short.get(name, name): value for name, value in given.items()}
        if unknown := sorted(map(str, found.keys() - set(names))):
            raise ValueError(f"words: {', '.join(unknown)} is none of {', '.join(names)}")
        return dict.fromkeys(names) | found
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(
            f"words: expected None, False or the list that word_ids() gives, came {given!r}"
        )
    given = list(given)
    nested = any(isinstance(one, (list, tuple)) for one in given)
    if len(names) == 1 and not nested:
        return {names[0]: given}
    if len(names) != len(given) or not nested:
        raise ValueError(
            f"words: expected {len(names)} lists, for {' and '.join(names)}, came "
            f"{len(given)} {'lists' if nested else 'numbers'}: hand in a tuple of two lists"
        )
    return dict(zip(names, given, strict=True))


def of_weights(kinds: Kinds, weights) -> None:
    """Add the kind of `weights`, one array of any form."""
    layers = layers_of("weights", weights, kinds.item)
    if "encoder_tokens" in kinds.sides or "decoder_tokens" in kinds.sides:
        raise ValueError(
            "encoder_tokens, decoder_tokens: belong to encoder=, cross= and decoder= or to a "
            "record; of one array the queries are tokens, the keys key_tokens"
        )
    kinds.warn_of_beams("weights", weights)
    same = "key_tokens" not in kinds.sides
    keys = "tokens" if same else "key_tokens"
    kinds.add([("self" if same else "cross", "weights", layers, "tokens", keys)])


def of_translation(kinds: Kinds, given: Mapping) -> None:
    """Add encoder, cross and decoder, those that are given."""
    sides = {"encoder": TWO[:1] * 2, "cross": TWO[::-1], "decoder": TWO[1:] * 2}
    if wrong := [name for name in ONE if name in kinds.sides]:
        raise TypeError(
            f"{' and '.join(wrong)}: belong to weights; with {' and '.join(given)} the tokens are "
            "encoder_tokens and decoder_tokens"
        )
    for name, weights in given.items():
        if isinstance(weights, Mapping):
            raise TypeError(f"{name}: expected {FORMS}; a record goes in as weights")
    batches = {name: batch_of(name, weights) for name, weights in given.items()}
    _check_batches(batches)
    found = {name: layers_of(name, weights, kinds.item) for name, weights in given.items()}
    if not batches.get("encoder"):  # an encoder of as many texts tells that there are no beams
        for name, weights in given.items():
            kinds.warn_of_beams(name, weights)
    kinds.add([(name, name, layers, *sides[name]) for name, layers in found.items()])


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
