"""Small tokenizers, one for each kind of part that the library tokenizers has."""

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, processors, trainers
from tokenizers import pre_tokenizers as cutters

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
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def trained(model, trainer, normalizer=None, cutter=None, frame=None, marks=(), size=0, **options):
    tokenizer = Tokenizer(model)
    if normalizer:
        tokenizer.normalizer = normalizer
    if cutter:
        tokenizer.pre_tokenizer = cutter
    options |= {"special_tokens": [*marks], "show_progress": False}
    tokenizer.train_from_iterator(LINES * 5, trainer(vocab_size=size or 420, **options))
    if frame:
        tokenizer.post_processor = frame(tokenizer.token_to_id)
    return tokenizer


def byte_pairs(normalizer=None, cutter=None, frame=None, marks=(), model=None, **options):
    model = models.BPE(**(model or {}))
    return trained(model, trainers.BpeTrainer, normalizer, cutter, frame, marks, **options)


def in_bytes(*given, **options):
    options |= {"initial_alphabet": cutters.ByteLevel.alphabet()}
    return byte_pairs(*given, **options)


def unigram(normalizer=None, cutter=None, frame=None):
    return trained(
        models.Unigram(),
        trainers.UnigramTrainer,
        normalizer,
        cutter,
        frame,
        ["<pad>", "</s>", "<unk>"],
        unk_token="<unk>",
        size=160,
    )


def word_pieces(normalizer=None, cutter=None, frame=None):
    model = models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=20)
    return trained(model, trainers.WordPieceTrainer, normalizer, cutter, frame, MARKS, size=250)


def words(normalizer=None, cutter=None):
    model = models.WordLevel(unk_token="[UNK]")
    return trained(model, trainers.WordLevelTrainer, normalizer, cutter, None, MARKS)


def sequence(*parts):
    kind = normalizers if isinstance(parts[0], normalizers.Normalizer) else cutters
    return kind.Sequence([*parts])


def split(pattern, behaviour="isolated", **options):
    return cutters.Split(Regex(pattern), behaviour, **options)


def level(prefix=False, regex=True):
    return cutters.ByteLevel(add_prefix_space=prefix, use_regex=regex)


def template(single, pair, *names):
    def frame(number):
        special = [(name, number(name)) for name in names]
        return processors.TemplateProcessing(single=single, pair=pair, special_tokens=special)

    return frame


def bert(number):
    return processors.BertProcessing(("[SEP]", number("[SEP]")), ("[CLS]", number("[CLS]")))


def roberta(number):
    return processors.RobertaProcessing(("</s>", number("</s>")), ("<s>", number("<s>")))


def llama(number):
    frame = template("<s> $A", "<s> $A <s>:1 $B:1", "<s>")(number)
    return processors.Sequence([processors.ByteLevel(trim_offsets=False), frame])


def with_added(tokenizer, *tokens):
    tokenizer.add_tokens([*tokens])
    return tokenizer


def byte_fallback(fuse):
    return {"byte_fallback": True, "unk_token": "<unk>", "fuse_unk": fuse}


def kinds():
    """Tokenizers by name."""
    part, cut = normalizers, cutters
    small = {"size": 400}
    clean, sign = part.BertNormalizer(), cut.BertPreTokenizer()
    unknown = {"unk_token": "<unk>"}
    return {
        "GPT-2": in_bytes(None, level(), lambda _: processors.ByteLevel(), ["<|endoftext|>"]),
        "RoBERTa": with_added(
            in_bytes(None, level(), roberta, ["<s>", "</s>", "<mask>"]),
            AddedToken("<mask>", lstrip=True, special=True),
        ),
        "bytes behind a blank": in_bytes(part.NFC(), level(prefix=True)),
        "bytes as a normalizer": in_bytes(part.ByteLevel(), split("Ġ?[^Ġ]+")),
        "Llama 3": in_bytes(
            None,
            sequence(split(LLAMA_3), level(regex=False)),
            llama,
            ["<s>"],
            {"ignore_merges": True},
        ),
        "GPT-4o": in_bytes(None, sequence(split(GPT_4O), level(regex=False))),
        "CLIP": in_bytes(
            sequence(part.NFC(), part.Replace(Regex(r"\s+"), " "), part.Lowercase()),
            sequence(split(CLIP, "removed", invert=True), level()),
            None,
            ["<unk>"],
            unknown | {"end_of_word_suffix": "</w>"},
            end_of_word_suffix="</w>",
            size=620,
        ),
        "GPT-1": byte_pairs(
            clean,
            sign,
            None,
            ["<unk>"],
            unknown | {"end_of_word_suffix": "</w>"},
            end_of_word_suffix="</w>",
        ),
        "Llama": byte_pairs(
            None,
            cut.Metaspace(prepend_scheme="first", split=False),
            None,
            ["<unk>", "<s>", *BYTES],
            byte_fallback(fuse=True),
            **small,
        ),
        "Llama as it was": byte_pairs(
            sequence(part.Prepend("▁"), part.Replace(" ", "▁")),
            None,
            None,
            ["<unk>", "<s>", *BYTES],
            byte_fallback(fuse=False),
            **small,
        ),
        "Gemma": byte_pairs(
            part.Replace(" ", "▁"), cut.Split(" ", "merged_with_previous"), None, ["<unk>"], unknown
        ),
        "unknown as one": byte_pairs(
            None,
            cut.WhitespaceSplit(),
            None,
            ["<unk>"],
            unknown | {"fuse_unk": True},
            size=60,
            limit_alphabet=20,
        ),
        "unknown left out": byte_pairs(None, cut.Whitespace(), size=60, limit_alphabet=20),
        "T5": unigram(
            sequence(part.NFKC(), part.Replace(Regex(" {2,}"), " "), part.Strip()),
            cut.Metaspace(),
            template("$A </s>", "$A </s> $B </s>", "</s>"),
        ),
        "ALBERT": unigram(
            sequence(part.Replace("``", '"'), part.NFKD(), part.StripAccents(), part.Lowercase()),
            sequence(cut.WhitespaceSplit(), cut.Metaspace()),
        ),
        "XLNet": unigram(
            sequence(part.Nmt(), part.NFKC()),
            sequence(cut.Digits(True), cut.Metaspace()),
            template("$A </s> <pad>:2", "$A </s> $B:1 </s>:1 <pad>:2", "</s>", "<pad>"),
        ),
        "unigram of a whole text": unigram(
            None, cut.Metaspace(prepend_scheme="never", split=False)
        ),
        "BERT": word_pieces(clean, sign, bert),
        "BERT with capitals": word_pieces(part.BertNormalizer(lowercase=False), sign),
        "BERT that cleans nothing": word_pieces(
            part.BertNormalizer(False, False, strip_accents=False, lowercase=True), sign
        ),
        "BERT in parts": word_pieces(
            sequence(part.NFD(), part.Lowercase(), part.StripAccents()),
            sequence(cut.Whitespace(), cut.Digits(), cut.Punctuation()),
        ),
        "words": words(None, cut.Whitespace()),
        "words at blanks": words(part.Strip(left=True, right=False), cut.WhitespaceSplit()),
        "joined to the next": words(
            None,
            sequence(
                cut.Punctuation("contiguous"),
                split("[aeiou]", "merged_with_next"),
                cut.Split(" ", "removed"),
            ),
        ),
        "joined to the last": words(
            None,
            sequence(
                cut.Punctuation("merged_with_previous"),
                split("[aeiou]", "merged_with_previous", invert=True),
                cut.Split(".", "merged_with_next"),
            ),
        ),
        "added": with_added(
            word_pieces(clean, sign, bert),
            AddedToken("Ärger", normalized=True),
            AddedToken("film", single_word=True),
            AddedToken("the ", normalized=False),
            AddedToken("the", normalized=False),
            AddedToken(" <x> ", lstrip=True, rstrip=True, normalized=False),
            "über den",
        ),
    }
