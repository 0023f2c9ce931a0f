"""What a page needs to split a text as a reader does: its vocabulary, rules, and frames."""

import json
from base64 import b64encode
from collections.abc import Iterable

import numpy as np
from tokenizers import Tokenizer

from seqviz.data.wordpiece import CLS, SEP
from seqviz.running.patterns import escaped, javascript_of
from seqviz.running.tokenizing import (
    OfTokenizers,
    OfTransformers,
    OfVocabulary,
    OfWordPiece,
    Reader,
)

NORMALIZERS = {
    *("BertNormalizer", "ByteLevel", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt"),
    *("Precompiled", "Prepend", "Replace", "Strip", "StripAccents"),
}
CUTTERS = {
    *("BertPreTokenizer", "ByteLevel", "Digits", "Metaspace", "Punctuation", "Split"),
    *("Whitespace", "WhitespaceSplit"),
}
SETTINGS = {  # of a model, beside its vocabulary
    "BPE": (*("unk_token", "fuse_unk", "byte_fallback", "ignore_merges", "end_of_word_suffix"),),
    "Unigram": ("unk_id", "byte_fallback"),
    "WordLevel": ("unk_token",),
    "WordPiece": ("unk_token", "continuing_subword_prefix", "max_input_chars_per_word"),
}
PLACES = ("single_word", "lstrip", "rstrip", "normalized")  # of a token that is written in a text
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
        return _of_word_piece(reader)
    if isinstance(reader, OfTokenizers):
        cut = reader.tokenizer.truncation
        return _of_tokenizer(reader.tokenizer, reader) | {
            "tokens_as_written": True,
            "frames_empty": True,
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


def _of_word_piece(reader: OfWordPiece) -> dict:
    pieces = reader.pieces
    marks = {"cls": (CLS, pieces.cls_id), "sep": (SEP, pieces.sep_id)}
    return _splitting(pieces._tokenizer) | {
        "kind": "tokenizer",
        "special": [*reader.special],
        "frames": _frames({"type": "BertProcessing"} | marks),
        "frames_empty": True,
        "segments": "two",
        "words_as_cut": True,
    }


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
    return _of_tokenizer(backend, reader) | {"segments": segments}


def _of_tokenizer(tokenizer: Tokenizer, reader: Reader) -> dict:
    """What a tokenizer says of itself, with what stands around a text."""
    told = _splitting(tokenizer)
    for token in told["added"]:
        name = reader.names([token["id"]])[0]
        if name != token["content"]:
            token["name"] = name
    return told | {
        "kind": "tokenizer",
        "special": [*reader.special],
        "frames": _frames(json.loads(tokenizer.to_str())["post_processor"]),
    }


def _splitting(tokenizer: Tokenizer) -> dict:
    """What splits a text, without what stands around it."""
    if tokenizer.encode_special_tokens:
        raise _refusal("it splits special tokens that are written in the text")
    try:
        said = json.loads(tokenizer.to_str())
    except Exception as problem:  # the library raises no other
        raise _refusal(f"it has a part that is written in Python ({problem})") from None
    normalizers = _steps(said["normalizer"], NORMALIZERS, "normalizer", "normalizers")
    cutters = _steps(said["pre_tokenizer"], CUTTERS, "pre-tokenizer", "pretokenizers")
    for n, one in enumerate(cutters):
        if one.get("prepend_scheme") == "first" and (n or normalizers):
            raise _refusal("its pre-tokenizer 'Metaspace' marks what is first in a rewritten text")
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


def _steps(given: dict | None, known: Iterable[str], role: str, inner: str) -> list[dict]:
    """The parts of a normalizer or pre-tokenizer in their order, patterns in JavaScript's words."""
    if given is None:
        return []
    if given["type"] == "Sequence":
        return [step for one in given[inner] for step in _steps(one, known, role, inner)]
    if given["type"] not in known:
        raise _refusal(f"its {role} {given['type']!r} is not known there")
    if given["type"] == "Metaspace":
        given |= {"pattern": {"String": given["replacement"]}}
    if "pattern" not in given:
        return [given]
    ((kind, pattern),) = given["pattern"].items()
    try:
        return [given | {"pattern": (escaped if kind == "String" else javascript_of)(pattern)}]
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
        return [*tokens], model | {"scores": _packed(scores)}
    tokens = [None] * (1 + max(said["vocab"].values(), default=-1))
    for token, number in said["vocab"].items():
        tokens[number] = token
    if kind == "BPE":
        model["merges"] = _merges(said["merges"], said["vocab"])
    return tokens, model


def _packed(scores: Iterable[float]) -> dict:
    """Numbers as bytes, in as few as hold them exactly."""
    wide = np.array(scores, "<f8")
    form = "float32" if (wide == wide.astype("<f4")).all() else "float64"
    return {"form": form, "base64": b64encode(wide.astype(form).tobytes()).decode()}


def _merges(pairs: list[list[str]], numbers: dict[str, int]) -> dict:
    """Of each merge what it makes, as a step from the one before, and where that is cut."""
    made = [numbers[left + right] for left, right in pairs]
    steps = np.diff(made, prepend=0).tolist()
    return {"steps": steps, "cuts": [len(left.encode("utf-16-le")) // 2 for left, _ in pairs]}


def _frames(processor: dict | None) -> dict:
    """What stands around one text and around two."""
    kind = None if processor is None else processor["type"]
    if kind == "Sequence":
        inner = [one for one in processor["processors"] if one["type"] != "ByteLevel"]
        if len(inner) > 1:
            raise _refusal("it has several post-processors")
        return _frames(inner[0] if inner else None)
    if kind == "TemplateProcessing":
        return {form: _template(processor, form) for form in ("single", "pair")}
    first, second = {"text": 0, "segment": 0}, {"text": 1, "segment": 1}
    if kind in (None, "ByteLevel"):
        return {"single": [first], "pair": [first, second]}
    if kind not in ("BertProcessing", "RobertaProcessing"):
        raise _refusal(f"its post-processor {kind!r} is not known there")
    cls, sep = (
        {"id": number, "token": token, "segment": 0}
        for token, number in (processor["cls"], processor["sep"])
    )
    behind = [second, sep | {"segment": 1}]
    if kind == "RobertaProcessing":
        behind = [sep, second | {"segment": 0}, sep]
    return {"single": [cls, first, sep], "pair": [cls, first, sep, *behind]}


def _template(processor: dict, form: str) -> list[dict]:
    """The pieces of a template: special tokens, and each text once."""
    frame = []
    for piece in processor[form]:
        ((kind, told),) = piece.items()
        segment = {"segment": told["type_id"]}
        if kind == "Sequence":
            frame.append({"text": "AB".index(told["id"])} | segment)
        else:
            named = processor["special_tokens"][told["id"]]
            tokens = zip(named["ids"], named["tokens"], strict=True)
            frame += [{"id": number, "token": token} | segment for number, token in tokens]
    texts = sorted(piece["text"] for piece in frame if "text" in piece)
    if texts != ([0] if form == "single" else [0, 1]):
        raise _refusal(f"its template for a {form} does not have each text once")
    return frame


def _refusal(why: str) -> ValueError:
    return ValueError(
        f"answers: the page cannot split a text as this tokenizer does: {why}; write the page "
        "without answers"
    )
