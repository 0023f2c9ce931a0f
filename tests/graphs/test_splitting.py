"""Texts to ids in the page: what Python's readers make of them, exactly."""

import json
import random
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import tokenizers
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

import seqviz as sv
from seqviz.data import registry
from seqviz.pieces import readable as readable_guesses
from seqviz.pieces.spelling import BYTES
from seqviz.running.patterns import javascript_of
from seqviz.running.spelling import told_of
from seqviz.running.tokenizing import reader_of
from seqviz.views.attention.words import _segments_of, _side
from tests.graphs.tokenizers_of_all_kinds import LINES, REPLACED, kinds, template
from tests.nn.saved_models import encoder_folder

pytestmark = pytest.mark.browser

HARD = (
    "",
    "   ",
    "\t\n",
    "[MASK] a [CLS]b [mask]  <mask> x<mask>y <s></s> </s>hi <|endoftext|> hello<s>world[SEP]",
    " the  the  ärger ÄRGER film films the film. <x>  <x> über den",
    "I'LL 'ſ don't DON'T we'Re 'S",
    "1234567 ½ Ⅷ ٣٤٥ 3.14",
    "a\u0301\u0327b Å ﬁ ① ㎏ ｱｶﾞ Ḍ̇ q̣̇ İstanbul ΣΑΣ ß ẞ ǅ",
    "สวัสดีครับ ภาษาไทย العربية السّلام हिन्दी है",
    "👩‍👩‍👧‍👦👍🏽🇫🇷🇩🇪 ☃️ 𠀀𪜀𫝀𫠠𬺡龦 a𫠠b日本語ひらがなカタカナ한국어",
    "a\x00b\x07c\x1bd\x7fe\x85f\x9fg\xad x\u2028y\u2029z\u3000w\u00a0v\u200bu na\ufffdme \ufeff",
    "ab" * 150,
    "哈" * 60,
    "..!!?? --''``\"\"  two  spaces   here ",
    "\r\n\r\n a\n\n b \n",
    "<0x41> ▁a ▁ ▁▁b Ġ Ċ ##ing ## a</w> </w> un@@ @@",
    "\ufdd0\uffff\U0010ffff",
    "xquab trailing   ",
    "".join(REPLACED) + " x①y e\u0301 हिन्दी 한각 e\u0301\u0323 ①\u0301 \u200b\u200b",
)
READ = """(told, lines) => {
    const reader = readerOf(told);
    return lines.map(([text, pair]) => {
        try {
            return reader.read(text, pair);
        } catch (problem) {
            return problem.message;
        }
    });
}"""
SIDES = "(sides, guesses) => [sides.map(side => sideOf(...side)), guessesRead(guesses)]"


DATA = Path(__file__).parents[2] / "datasets"


def drawn(most):
    """Lines of our data sets as they stand in their files."""
    files = [DATA / name / "test.jsonl" for name in ("en_es", "en_fr", "newsnames", "pronouns")]
    return [line for file in files for line in file.read_text("utf-8").splitlines()[:most]]


def alone(lines):
    return [(line, None) for line in lines]


def reading_of(reader, text, pair):
    """What Python reads, or what the page says of what Python refuses."""
    try:
        return vars(reader.read(text, pair))
    except Exception as problem:
        return str(problem)


def side(reader, tokens, words, texts):
    """Tokens as a view of attention takes them."""
    found = _side("tokens", tokens, frozenset(reader.special), words)
    if texts is not None:
        found = replace(found, segments=_segments_of(texts, tokens))
    return {key: value for key, value in vars(found).items() if key != "of_sentence"}


def readable(guesses):
    """Guesses as Python reads them."""
    read = readable_guesses([[(token, 0.1) for token in of_place] for of_place in guesses])
    return [[token for token, _ in of_place] for of_place in read]


def told_by(script, file, call, *given):
    """What a function gives; as one text, which travels faster than what it holds."""
    whole = f"text => JSON.stringify(({call})(...JSON.parse(text)))"
    return json.loads(script(f"shared/splitting/{file}.js", whole, json.dumps(given)))


def check(script, name, reader, lines):
    """Ask Python and the page for the same; five names at a place are as guesses of a head."""
    told = told_of(reader)
    assert json.loads(json.dumps(told)) == told, name
    expected = [reading_of(reader, *line) for line in lines]
    found = told_by(script, "readers", READ, told, lines)
    for line, one, other in zip(lines, expected, found, strict=True):
        assert other == one, (name, line)
    ids = [(7 * k) % (reader.size + 2) for k in range(200)] + [reader.size + 1]
    names = reader.names(ids)
    call = "(told, ids) => [readerOf(told).names(ids), readerOf(told).special]"
    assert told_by(script, "readers", call, told, ids) == [names, [*reader.special]], name
    whole = [
        (one["tokens"], one["words"], one["texts"]) for one in expected if isinstance(one, dict)
    ]
    given = [[tokens, [*reader.special], words, texts] for tokens, words, texts in whole]
    guesses = [names[k : k + 5] for k in range(0, len(names), 5)]
    sides, read = told_by(script, "sides", SIDES, given, guesses)
    for one, came in zip(whole, sides, strict=True):
        assert came == side(reader, *one), (name, one)
    assert read == readable(guesses), name


def fast(tokenizer, kind=transformers.PreTrainedTokenizerFast):
    """The same as a tokenizer of transformers."""
    if tokenizer.token_to_id("[CLS]") is None:
        special = {"unk_token": "<unk>"} if tokenizer.token_to_id("<unk>") is not None else {}
    else:
        roles = ("pad", "unk", "cls", "sep", "mask")
        special = {f"{role}_token": f"[{role.upper()}]" for role in roles}
    return kind(tokenizer_object=tokenizer, **special)


def test_every_kind_of_tokenizer_reads_as_in_python(script):
    lines = [*HARD, *drawn(4), *LINES]
    for name, tokenizer in kinds().items():
        check(script, name, reader_of(tokenizer), [*alone(lines), *pairwise(lines[:10])])
        pairs = [*pairwise(lines[3:9])]
        check(script, f"{name} of transformers", reader_of(fast(tokenizer)), pairs)


def test_vocabularies_read_as_in_python(script):
    lines = [*HARD, *drawn(4), *LINES]
    sentences = [line.split() for line in drawn(200)]
    pieces = sv.data.train_bpe(sentences, merges=200)
    known = sorted({piece for words in sentences for piece in pieces.split(words)})
    letters = sorted({*"".join(drawn(50))})
    marks = ["<pad>", "<s>", "</s>"]
    for name, given in {
        "pieces": (pieces, sv.data.Vocabulary(["<unk>", *marks, *known])),
        "pieces without <unk>": (pieces, sv.data.Vocabulary([*marks, *known])),
        "letters": sv.data.Vocabulary(letters),
        "letters with <unk>": sv.data.Vocabulary(["<unk>", *marks, *letters]),
        "words": sv.data.Vocabulary(sorted({word for words in sentences for word in words})),
        "few": sv.data.Vocabulary(["'", '"', "\n"]),
        "word pieces": sv.data.train_wordpiece(drawn(200), 400),
        "word pieces with capitals": sv.data.train_wordpiece(drawn(200), 500, lowercase=False),
    }.items():
        odd = ["a▁b", "it's \"a\" '\\'\x00\u200b\U000e0001"]
        pairs = [*pairwise(lines[:4])] if isinstance(given, sv.data.WordPiece) else []
        check(script, name, reader_of(given), alone(lines + odd) + pairs)


def test_real_lines_by_berts_vocabulary_and_by_bytes(script):
    cache = registry.cache_folder()
    files = [cache / "sst2-dev.tsv", cache / "tinyshakespeare.txt"]
    if missing := [file for file in files if not file.exists()]:
        pytest.skip(f"needs {missing[0]}: sv.data.load('sst2'), sv.data.load('shakespeare')")
    reviews, plays = (file.read_text("utf-8").split("\n") for file in files)
    lines = [review.split("\t")[0] for review in reviews[:120]] + [*filter(None, plays[:120])]
    folder = encoder_folder()
    for name, tokenizer in {
        "ours": sv.data.WordPiece.from_vocab(folder / "vocab.txt"),
        "BERT": transformers.AutoTokenizer.from_pretrained(folder),
        "bytes": kinds()["GPT-2"],
        "SentencePiece": kinds()["T5"],
    }.items():
        more = [*pairwise(lines[:40]), *alone(HARD)]
        check(script, name, reader_of(tokenizer), alone(lines) + more)


def test_tokens_in_any_order_are_read_as_in_python(script):
    draw = random.Random(0)
    letters, ends = [*BYTES], ("##", "@@", "</w>", "▁", "Ġ", "<0xE5>", "<x>", "[SEP]", "", " ", "#")
    words = [
        *("the", "naïve", "猫", "가", "ส", "ี", "👍🏽", "🇫", "12", "e\u0301", "\u200d", "Ċ", "ðŁĺĢ")
    ]
    special, sides, guesses = ["[SEP]", "猫"], [], []
    for turn in range(600):
        kinds_of_text = draw.sample((letters, ends, words, letters[160:]), draw.randint(1, 3))
        tokens = [
            "".join(draw.choice(draw.choice(kinds_of_text)) for _ in range(draw.randint(1, 4)))
            for _ in range(draw.randint(1, 9))
        ]
        numbers = [draw.choice((None, 0, 1, 2)) for _ in tokens]
        sides.append([tokens, special, (None, False, numbers)[turn % 3]])
        guesses.append(tokens)
    found, read = told_by(script, "sides", SIDES, sides, guesses)
    for (tokens, _, numbers), one in zip(sides, found, strict=True):
        expected = vars(_side("tokens", tokens, frozenset(special), numbers))
        assert one == {key: expected[key] for key in one}, (tokens, numbers)
    assert read == readable(guesses)


def test_what_the_page_cannot_split_is_refused():
    given = lambda pattern: pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")  # noqa: E731
    cases = {
        "its pretokenizer 'UnicodeScripts'": ("pre_tokenizer", pre_tokenizers.UnicodeScripts()),
        "'Split' has '(?i)a' in the pattern": ("pre_tokenizer", given("(?i)a")),
        "its model 'BPE' has dropout": ("model", models.BPE({"a": 0}, [], dropout=0.5)),
        "not have each text once": ("post_processor", template("$A", "$A $B $A")(None)),
        "written in Python": ("pre_tokenizer", pre_tokenizers.PreTokenizer.custom(Own())),
        "it splits special tokens": ("encode_special_tokens", True),
    }
    refused = {}
    for why, (name, part) in cases.items():
        refused[why] = Tokenizer(models.WordLevel({"a": 0}, unk_token="a"))
        setattr(refused[why], name, part)
    rewritten, whole = (Tokenizer.from_str(kinds()[name].to_str()) for name in ("Llama", "words"))
    rewritten.normalizer = normalizers.NFC()
    refused["'Metaspace' marks what is first in a rewritten text"] = rewritten
    refused["one of its added tokens is single_word"] = whole
    whole.add_tokens([tokenizers.AddedToken("film", single_word=True)])
    refused["CanineTokenizer is written in Python"] = transformers.CanineTokenizer()
    refused["Odd changes what its backend_tokenizer gives"] = fast(kinds()["words"], Odd)
    for why, tokenizer in refused.items():
        with pytest.raises(ValueError, match=re.escape(why)) as error:
            told_of(reader_of(tokenizer))
        assert str(error.value).startswith("answers: the page cannot split a text as this")
        assert str(error.value).endswith("; write the page without answers")


class Own:
    """A part that is no part of the library."""

    def pre_tokenize(self, text):
        """Leave a text as it is."""


class Odd(transformers.PreTrainedTokenizerFast):
    """One that does more than its backend."""

    def __call__(self, text, pair=None):
        return super().__call__(text + text, pair)


def test_patterns_mean_the_same_in_both_languages(script):
    texts = [*HARD[2:14], *LINES]
    for pattern in (
        r"\s+\S|\d{2,3}|\w",
        r"[\w'-]+|[^\s\w.]",
        r"(?<=a)b|(?<!a)[bc]|(?i:s|K)t*?",
        r"\p{Han}+|\P{L}|\p{^Lu}\x41?",
        r"[\]\-\S]{2}|.\-\'",
        r" ?[^(\s|[.,!?…。，、।۔،])]+",
    ):
        found = tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")
        expected = [[part for part, _ in found.pre_tokenize_str(text)] for text in texts]
        step = {
            "type": "Split",
            "pattern": {"Regex": javascript_of(pattern)},
            "behavior": "Isolated",
        }
        call = "(step, texts) => texts.map(text => cutIntoWords(text, [step]))"
        assert told_by(script, "cutting", call, step, texts) == expected, pattern
    odd = ("a++", "[a&&b]", "[[:alpha:]]", r"\bA", "a{2}+", "(?<name>a)", "(?i:[a-z])", "(?i:é)")
    for refused in (*odd, "^a"):
        with pytest.raises(ValueError, match="in the pattern"):
            javascript_of(refused)


@pytest.mark.alone
def test_a_page_of_text_is_split_at_once(script):
    text = " ".join(drawn(60))[:5_000]
    call = """(told, text) => {
        const reader = readerOf(told);
        const times = [0, 1, 2].map(k => {
            const start = performance.now();
            reader.read(text.slice(k));
            return performance.now() - start;
        });
        return Math.min(...times);
    }"""
    for name in ("GPT-2", "Llama", "T5", "by a table", "BERT with capitals"):
        assert told_by(script, "readers", call, told_of(reader_of(kinds()[name])), text) < 100, name
