"""Small tokenizers, one for each kind of part that the library tokenizers has."""

import struct
from functools import cache

from tokenizers import AddedToken, Regex, Tokenizer
from tokenizers import normalizers as N
from tokenizers import pre_tokenizers as P
from tokenizers import processors as R
from tokenizers.models import BPE, Unigram, WordLevel, WordPiece
from tokenizers.trainers import BpeTrainer, UnigramTrainer, WordLevelTrainer, WordPieceTrainer

TRAINERS = {BPE: BpeTrainer, Unigram: UnigramTrainer, WordLevel: WordLevelTrainer}
TRAINERS |= {WordPiece: WordPieceTrainer}
LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
GPT_4O = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
LINES = (
    "The quick brown foxes jumped over 1234 lazy dogs, didn't they? It's so: unbelievable!",
    "naïve café, Ångström; the film's a rumination on love and loss",
    "日本語の猫 哈尔滨 สวัสดี العربية 👩\u200d👩\u200d👧 🇫🇷",
    "the theatre there then them, low lower lowest slow slower",
)
BYTES = ["<unk>", "<s>", *(f"<0x{byte:02X}>" for byte in range(256))]
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
REPLACED = {"①": "1", "㎏": "kg", "é": "é", "ﬁ": "fi", "\u200b": " ", "ß": "", "हि": "HI", "Ω": "Ω"}


def table_of(texts):
    """SentencePiece's table: a trie in one array, a block of 256 places for each node."""
    keys = {key.encode(): value for key, value in texts.items()}
    prefixes = sorted({key[:n] for key in keys for n in range(len(key) + 1)}, key=len)
    place = {b"": 0}
    units, ends = [0] * 256 * (len(prefixes) + 1), b"\0"
    for block, prefix in enumerate(prefixes, 1):
        base, at = 256 * block, place[prefix]
        units[at] |= (base ^ at) << 10 | (prefix in keys) << 8
        if prefix in keys:
            units[base] = 1 << 31 | len(ends)
            ends += keys[prefix].encode() + b"\0"
        for longer in prefixes:
            if longer[:-1] == prefix and longer:
                place[longer] = base ^ longer[-1]
                units[place[longer]] = longer[-1]
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + ends


def made(model, normalizer=None, cutter=None, frame=None, marks=(), size=420, **options):
    """A tokenizer that has learned from the lines; lists of parts are sequences."""
    tokenizer = Tokenizer(model)
    if normalizer:
        parts = normalizer if isinstance(normalizer, list) else [normalizer]
        tokenizer.normalizer = N.Sequence(parts)
    if cutter:
        tokenizer.pre_tokenizer = P.Sequence(cutter if isinstance(cutter, list) else [cutter])
    options |= {"vocab_size": size, "special_tokens": [*marks], "show_progress": False}
    tokenizer.train_from_iterator(LINES * 5, TRAINERS[type(model)](**options))
    if frame:
        tokenizer.post_processor = frame(lambda name: (name, tokenizer.token_to_id(name)))
    return tokenizer


def in_bytes(cutter, frame=None, marks=(), normalizer=None, size=420, **options):
    model = BPE(**options)
    more = {"initial_alphabet": P.ByteLevel.alphabet()}
    if model.end_of_word_suffix:
        more["end_of_word_suffix"] = model.end_of_word_suffix
    return made(model, normalizer, cutter, frame, marks, size, **more)


def few_letters(**options):
    return made(BPE(**options), None, P.Whitespace(), None, ["<unk>"], limit_alphabet=20)


def with_fallback(normalizer, cutter, **options):
    model = BPE(byte_fallback=True, unk_token="<unk>", **options)
    return made(model, normalizer, cutter, None, BYTES)


def unigram(normalizer, cutter=None, frame=None):
    marks = ["<pad>", "</s>", "<unk>"]
    cutter = cutter or P.Metaspace()
    return made(Unigram(), normalizer, cutter, frame, marks, 160, unk_token="<unk>")


def unigram_of_bytes():
    scores = {"▁": -2.5, "▁the": -1.5, "th": -3.25, "e": -3.0, "n": -3.0, "en": -6.0, "he": -2.0}
    scores |= {"x": -1.0, "xqu": -9.0, "uab": -1.0, "ab": -9.0, "il": -4.0}  # x, unknown q, uab?
    pieces = [("<unk>", 0.0), *scores.items(), *((name, -9.0) for name in BYTES[2:])]
    tokenizer = Tokenizer(Unigram(pieces, 0, byte_fallback=True))
    tokenizer.pre_tokenizer = P.Metaspace()
    return tokenizer


def word_pieces(normalizer, cutter=None, frame=None):
    model = WordPiece(unk_token="[UNK]", max_input_chars_per_word=20)
    return made(model, normalizer, cutter or P.BertPreTokenizer(), frame, MARKS, 250)


def words(*cutters, **parts):
    return made(WordLevel(unk_token="[UNK]"), cutter=[*cutters], marks=MARKS, **parts)


def split(pattern, behaviour="isolated", **options):
    return P.Split(Regex(pattern), behaviour, **options)


def level(prefix=False, regex=True):
    return P.ByteLevel(add_prefix_space=prefix, use_regex=regex)


def template(single, pair, *names):
    return lambda named: R.TemplateProcessing(
        single=single, pair=pair, special_tokens=[*map(named, names)]
    )


def bert(named):
    return R.BertProcessing(named("[SEP]"), named("[CLS]"))


def roberta(named):
    return R.RobertaProcessing(named("</s>"), named("<s>"))


def llama(named):
    frame = template("<s> $A", "<s> $A <s>:1 $B:1", "<s>")(named)
    return R.Sequence([R.ByteLevel(trim_offsets=False), frame])


def with_added(tokenizer, *tokens):
    tokenizer.add_tokens([*tokens])
    return tokenizer


def cutting(tokenizer):
    """One that cuts what is longer than ten tokens, and fills up what is shorter."""
    tokenizer.enable_truncation(10)
    tokenizer.enable_padding(length=12, pad_token="[PAD]")
    return tokenizer


@cache
def kinds():
    """Tokenizers by name."""
    t5 = template("$A </s>", "$A </s> $B </s>", "</s>")
    xlnet = template("$A </s> <pad>:2", "$A </s> $B:1 </s>:1 <pad>:2", "</s>", "<pad>")
    of_clip = [N.NFC(), N.Replace(Regex(r"\s+"), " "), N.Lowercase()]
    clip = [split(CLIP, "removed", invert=True), level()]
    spaces = N.Replace(Regex(" {2,}"), " ")
    plain = [N.Replace("``", '"'), N.NFKD(), N.StripAccents(), N.Lowercase()]
    in_lines = P.Metaspace(prepend_scheme="first", split=False)
    vowel = "[aeiou]"
    joined = {
        "next": (
            *(P.Punctuation("contiguous"), split(vowel, "merged_with_next")),
            P.Split(" ", "removed"),
        ),
        "last": (
            *(P.Punctuation("merged_with_previous"), P.Split(".", "merged_with_next")),
            split(vowel, "merged_with_previous", invert=True),
        ),
    }
    return {
        "GPT-2": in_bytes(level(), lambda _: R.ByteLevel(), ["<|endoftext|>"]),
        "RoBERTa": with_added(
            in_bytes(level(), roberta, ["<s>", "</s>", "<mask>"]),
            AddedToken("<mask>", lstrip=True, special=True),
        ),
        "bytes behind a blank": in_bytes(level(prefix=True), normalizer=N.NFC()),
        "Llama 3": in_bytes(
            [split(LLAMA_3), level(regex=False)], llama, ["<s>"], ignore_merges=True
        ),
        "GPT-4o": in_bytes([split(GPT_4O), level(regex=False)]),
        "CLIP": in_bytes(
            clip, None, ["<unk>"], of_clip, 620, unk_token="<unk>", end_of_word_suffix="</w>"
        ),
        "Llama": with_fallback(None, in_lines, fuse_unk=True),
        "Llama as it was": with_fallback([N.Prepend("▁"), N.Replace(" ", "▁")], None),
        "Gemma": with_fallback(N.Replace(" ", "▁"), P.Split(" ", "merged_with_previous")),
        "unknown as one": few_letters(unk_token="<unk>", fuse_unk=True),
        "unknown left out": few_letters(),
        "T5": unigram([N.NFKC(), spaces, N.Strip()], None, t5),
        "by a table": unigram(N.Precompiled(table_of(REPLACED)), None, t5),
        "ALBERT": unigram(plain, [P.WhitespaceSplit(), P.Metaspace()]),
        "XLNet": unigram(N.NFKC(), [P.Digits(True), P.Metaspace()], xlnet),
        "a whole text": unigram(None, P.Metaspace(prepend_scheme="never", split=False)),
        "bytes of what is unknown": unigram_of_bytes(),
        "BERT with capitals": word_pieces(N.BertNormalizer(lowercase=False), None, bert),
        "BERT in parts": word_pieces(
            [N.NFD(), N.Lowercase(), N.StripAccents()],
            [P.Whitespace(), P.Digits(), P.Punctuation()],
        ),
        "words": words(P.Whitespace()),
        "words at blanks": words(P.WhitespaceSplit(), normalizer=N.Strip(left=True, right=False)),
        "words of a few": cutting(words(P.Whitespace())),
        **{f"joined to the {to}": words(*cutters) for to, cutters in joined.items()},
        "added": with_added(
            word_pieces(N.BertNormalizer(), None, bert),
            AddedToken("Ärger", normalized=True),
            AddedToken("the ", normalized=False),
            AddedToken("the", normalized=False),
            AddedToken(" <x> ", lstrip=True, rstrip=True, normalized=False),
            "über den",
        ),
    }
