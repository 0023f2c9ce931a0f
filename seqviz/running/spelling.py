"""What a page needs to split a text as a reader does: its vocabulary, rules, and frames."""

import json
from typing import TYPE_CHECKING

import numpy as np

from seqviz.data.wordpiece import CLS, SEP
from seqviz.running.patterns import javascript_of
from seqviz.running.tokenizing import (
    OfTokenizers,
    OfTransformers,
    OfVocabulary,
    OfWordPiece,
    Reader,
)

if TYPE_CHECKING:  # a browser's Python has no such library: loaded when first used
    from tokenizers import Encoding, Tokenizer
    from tokenizers.processors import PostProcessor

KNOWN = {
    "normalizer": {
        *("BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD"),
        *("Precompiled", "Prepend", "Replace", "Strip", "StripAccents"),
    },
    "pretokenizer": {
        *("BertPreTokenizer", "ByteLevel", "Digits", "Metaspace", "Punctuation", "Split"),
        *("Whitespace", "WhitespaceSplit"),
    },
}
SETTINGS = {  # of a model, beside its vocabulary
    "BPE": (*("unk_token", "fuse_unk", "byte_fallback", "ignore_merges", "end_of_word_suffix"),),
    "Unigram": ("unk_id", "byte_fallback"),
    "WordLevel": ("unk_token",),
    "WordPiece": ("unk_token", "continuing_subword_prefix", "max_input_chars_per_word"),
}
PLACES = ("lstrip", "rstrip", "normalized")  # of a token that is written in a text
PROBES = (("Who is it?", None), ("Who is it?", "It was her."))


def told_of(reader: Reader) -> dict:
    """Return what `splitting/readers.js` needs to read as a reader does, as JSON can hold it.

    Raises
    ------
    ValueError
        If the page cannot split a text as its tokenizer does.
    """
    if isinstance(reader, OfVocabulary):
        return _of_vocabulary(reader)
    if isinstance(reader, OfWordPiece):
        from tokenizers.processors import BertProcessing

        marks = (SEP, reader.pieces.sep_id), (CLS, reader.pieces.cls_id)
        told = _of_tokenizer(reader, reader.pieces._tokenizer, BertProcessing(*marks))
        return told | {"segments": "two", "words_as_cut": True}
    if isinstance(reader, OfTokenizers):
        tokenizer, cut = reader.tokenizer, reader.tokenizer.truncation
        return _of_tokenizer(reader, tokenizer, tokenizer.post_processor) | {
            "tokens_as_written": True,
            "segments": "two",
            "longest": cut and cut["max_length"],
        }
    if isinstance(reader, OfTransformers):
        return _of_transformers(reader)
    raise _refusal(f"its reader is a {type(reader).__name__}")


def _of_vocabulary(reader: OfVocabulary) -> dict:
    kind = "letters" if reader.letters else "words" if reader.pieces is None else "pairs"
    told = {"kind": kind, "vocabulary": [*reader.vocabulary.tokens], "special": [*reader.special]}
    if kind == "pairs":
        told["pieces"] = _splitting(reader.pieces._tokenizer)
    return told


def _of_transformers(reader: OfTransformers) -> dict:
    tokenizer = reader.tokenizer
    kind = type(tokenizer).__name__
    if not tokenizer.is_fast:
        raise _refusal(f"{kind} is written in Python")
    readings = [reader.read(*probe) for probe in PROBES]
    backend = tokenizer.backend_tokenizer
    for probe, reading in zip(PROBES, readings, strict=True):
        plain = backend.encode(*probe)
        if (reading.ids, reading.segments or plain.type_ids) != (plain.ids, plain.type_ids):
            raise _refusal(f"{kind} changes what its backend_tokenizer gives")
    segments = "never" if readings[0].segments is None else "always"
    return _of_tokenizer(reader, backend, backend.post_processor) | {"segments": segments}


def _of_tokenizer(reader: Reader, tokenizer: "Tokenizer", frames: "PostProcessor | None") -> dict:
    told = _splitting(tokenizer)
    for token in told["added"]:
        (token["name"],) = reader.names([token["id"]])
    return told | {
        "kind": "tokenizer",
        "special": [*reader.special],
        "frames": _frames(frames),
    }


def _splitting(tokenizer: "Tokenizer") -> dict:
    """What splits a text, without what stands around it."""
    if tokenizer.encode_special_tokens:
        raise _refusal("it splits special tokens that are written in the text")
    try:
        said = json.loads(tokenizer.to_str())
    except Exception as problem:  # the library raises no other
        raise _refusal(f"it has a part that is written in Python ({problem})") from None
    normalizers = _steps(said["normalizer"], "normalizer")
    cutters = _steps(said["pre_tokenizer"], "pretokenizer")
    for n, one in enumerate(cutters):
        if one.get("prepend_scheme") == "first" and (n or normalizers):
            raise _refusal("its pretokenizer 'Metaspace' marks what is first in a rewritten text")
    if any(one["single_word"] for one in said["added_tokens"]):
        raise _refusal("one of its added tokens is single_word")
    tokens, model = _model(said["model"])
    added = [
        {"id": one["id"], "content": one["content"]} | {name: True for name in PLACES if one[name]}
        for one in said["added_tokens"]
    ]
    return {
        "vocabulary": tokens,
        "normalizers": normalizers,
        "cutters": cutters,
        "model": model,
        "added": added,
    }


def _steps(given: dict | None, role: str) -> list[dict]:
    """The parts of a normalizer or pre-tokenizer in their order, patterns in JavaScript's words."""
    if given is None:
        return []
    if given["type"] == "Sequence":
        return [step for one in given[f"{role}s"] for step in _steps(one, role)]
    if given["type"] not in KNOWN[role]:
        raise _refusal(f"its {role} {given['type']!r} is not known there")
    regex = given.get("pattern", {}).get("Regex")
    if regex is None:
        return [given]
    try:
        return [given | {"pattern": {"Regex": javascript_of(regex)}}]
    except ValueError as problem:
        raise _refusal(f"its {role} {given['type']!r} has {problem}") from None


def _model(said: dict) -> tuple[list[str | None], dict]:
    """The tokens in the order of their numbers, and the rest of a model."""
    kind = said["type"]
    if kind not in SETTINGS:
        raise _refusal(f"its model {kind!r} is not known there")
    if said.get("dropout") or (kind == "BPE" and said["continuing_subword_prefix"]):
        raise _refusal(f"its model {kind!r} has dropout or a prefix")
    model = {"type": kind} | {name: said.get(name) for name in SETTINGS[kind]}
    if kind == "Unigram":
        tokens, scores = zip(*said["vocab"], strict=True)
        return [*tokens], model | {"scores": [*scores]}
    tokens = [None] * (1 + max(said["vocab"].values(), default=-1))
    for token, number in said["vocab"].items():
        tokens[number] = token
    if kind == "BPE":
        model["merges"] = _merges(said["merges"], said["vocab"])
    return tokens, model


def _merges(pairs: list[list[str]], numbers: dict[str, int]) -> dict:
    """Of each merge what it makes, as a step from the one before, and where that is cut."""
    made = [numbers[left + right] for left, right in pairs]
    steps = np.diff(made, prepend=0).tolist()
    return {"steps": steps, "cuts": [len(left.encode("utf-16-le")) // 2 for left, _ in pairs]}


def _frames(processor: "PostProcessor | None") -> dict:
    """What stands around one text and around two: it is put around a letter."""
    from tokenizers import Tokenizer, models

    plain = Tokenizer(models.WordLevel({"a": 0}))
    if processor is not None:
        plain.post_processor = processor
    return {
        "single": _frame(plain.encode("a"), [0]),
        "pair": _frame(plain.encode("a", "a"), [0, 1]),
    }


def _frame(framed: "Encoding", texts: list[int]) -> list[dict]:
    """Special tokens, and each text once."""
    rows = zip(framed.ids, framed.tokens, framed.type_ids, framed.sequence_ids, strict=True)
    frame = [
        {"id": number, "token": token, "segment": segment, "text": text}
        for number, token, segment, text in rows
    ]
    if [one["text"] for one in frame if one["text"] is not None] != texts:
        raise _refusal("what stands around texts does not have each text once")
    return frame


def _refusal(why: str) -> ValueError:
    return ValueError(
        f"answers: the page cannot split a text as this tokenizer does: {why}; write the page "
        "without answers"
    )
