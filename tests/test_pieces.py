"""Tokens as people read them: of each kind of tokenizer, in any script, cut anywhere."""

import random

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers, trainers

from seqviz.pieces import alone, distinct, pieces_of, running
from seqviz.pieces.spelling import BYTES

LETTERS = {byte: letter for letter, byte in BYTES.items()}


def byte_level(*texts, size):
    """The letters of GPT-2 for the bytes of each text, in pieces of a size."""
    words = ["".join(LETTERS[byte] for byte in text.encode()) for text in texts]
    return [word[k : k + size] for word in words for k in range(0, len(word), size)]


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        # byte-level BPE
        (["Ġca", "fÃ©"], "café"),
        (["Ġhi", "ĠðŁ", "ĺ", "Ģ", "Ġyes"], "hi|😀|yes"),
        (["The", "Ġcat", "Ġsat"], "The|cat|sat"),
        (["Ġit", "'s", "Ġ20", "24", "!", "Ċ", "So"], "it|'s|2024|!|\n|So"),
        (byte_level(" हिन्दी", " है", size=5), "हिन्दी|है"),
        (byte_level("👍🏽", " 🇫🇷", " ok", size=3), "👍🏽|🇫🇷|ok"),
        (["<s>", "Ġna", "Ã¯ve", "<end>"], "<s>|naïve|<end>"),
        # CLIP, GPT-1
        (["un", "seen</w>", "caf", "Ã©</w>", ".</w>"], "unseen|café|."),
        # fastBPE
        (["un@@", "be@@", "liev@@", "able", "caf@@", "é"], "unbelievable|café"),
        # SentencePiece, with bytes
        (["▁un", "seen", "▁", "cat", ".", "</s>"], "unseen|cat|.|</s>"),
        (["▁Hi", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "▁yo"], "Hi|😀|yo"),
        # WordPiece
        (["[CLS]", "un", "##seen", "##", "it", "[SEP]"], "[CLS]|unseen|##|it|[SEP]"),
        # scripts without spaces
        (["▁我", "喜欢", "猫", "。", "▁你", "好", "吗", "？"], "我|喜欢|猫|。|你|好|吗|？"),
        (byte_level("我喜欢猫。", "你好", size=3), "我|喜|欢|猫|。|你|好"),
        (["これ", "##は", "##ペン", "##です", "。"], "これ|は|ペン|です|。"),
        (["▁สวัส", "ดี", "ครับ"], "สวัส|ดี|ครับ"),
        (["▁ខ្ញុំ", "ស្រឡាញ់", "ឆ្មា"], "ខ្ញុំ|ស្រឡាញ់|ឆ្មា"),
        (["▁나는", "고양", "이를"], "나는고양이를"),  # Korean has spaces
        (["▁", "男", "孩", "▁", "猫"], "男|孩|猫"),  # a mark alone is no word
        (["<s>", "▁", "<0xE7>", "<0x94>", "<0xB7>", "好", "</s>"], "<s>|男|好|</s>"),
        (["Ġ", "à¹Ģà¸Ķ", "à¸ģ"], "เด|ก"),
        (["▁ส", "ี", "แดง"], "สี|แดง"),  # a vowel's sign begins nothing
        # what one text says, another's mark is
        (["@@", "Ġ-", "1", "Ġ+", "2", "Ġ@@", "Ġdef"], "@@|-|1|+|2|@@|def"),
        (["<</w>", "b</w>", "></w>", "[</w>"], "<|b|>|["),
        (["Ġtitle", "Ġ##a", "##Ċ", "Ġyes"], "title|##a|##\n|yes"),
        # no marks: what looks like them is a text
        (["café", "naïve", "à"], "café|naïve|à"),
        (["C#", "#", "#a", "a@b", "##"], "C#|#|#a|a@b|##"),
        (list("Ã©"), "Ã|©"),  # characters
    ],
)
def test_words_of_pieces(tokens, words):
    found = pieces_of(tokens)
    assert found.words(found.starts) == words.split("|")


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        (["Ġcaf", "Ã©", "Ġun"], ["Ġcaf", "é", "Ġun"]),
        (["ĠðŁ", "ĺĢ"], ["Ġ1/2 of 😀", "2/2 of 😀"]),
        (["ðŁ", "ĺ", "Ģ"], ["1/3 of 😀", "2/3 of 😀", "3/3 of 😀"]),
        (byte_level("我们", size=4), ["我 + 1/2 of 们", "2/2 of 们"]),
        (["▁a", "<0xC3>", "<0xA9>"], ["▁a", "1/2 of é", "2/2 of é"]),
        (["<mask>", "ĺĢ", "Ġa"], ["<mask>", "bytes 98 80", "Ġa"]),
        (["Ã©</w>", "a</w>"], ["é</w>", "a</w>"]),
        (["a", "âĢ", "ĭ", "Ġb"], ["a", "1/2 of U+200B", "2/2 of U+200B", "Ġb"]),  # unseen
        (["ðŁĳ¨", "âĢįðŁ", "ĳ©"], ["👨", "U+200D + 1/2 of 👩", "2/2 of 👩"]),
    ],
)
def test_a_piece_of_a_character_says_of_which(tokens, shown):
    assert pieces_of(tokens).tokens == shown


@pytest.mark.parametrize(
    ("tokens", "bare", "text"),
    [
        (["Ġcat", "s", "Ã©", "ðŁ"], ["cat", "s", "é", "bytes F0 9F"], [" cat", "s", "é"]),
        (["▁cat", "s", "</s>"], ["cat", "s", "</s>"], [" cat", "s", "</s>"]),
        (["cat", "##s", "[SEP]"], ["cat", "s", "[SEP]"], [" cat", "s", "[SEP]"]),
        (["cat</w>", "un"], ["cat", "un"], ["cat ", "un"]),
        (["cat", "un@@"], ["cat", "un"], ["cat ", "un"]),
        (["cat", "sat"], ["cat", "sat"], ["cat", "sat"]),
    ],
)
def test_tokens_of_a_vocabulary(tokens, bare, text):
    found = alone(tokens)
    assert found.bare == bare
    assert running(found)[: len(text)] == text


def test_twins_of_a_vocabulary_keep_their_marks():
    assert distinct(["Ġcat", "cat", "Ġdog", "Ã©"]) == ["Ġcat", "cat", "dog", "é"]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(TEXT, st.integers(0, 2**32 - 1))
def test_no_letter_is_lost_wherever_bytes_are_cut(text, seed):
    tokens = ["Ġa"]
    letters = "".join(LETTERS[byte] for byte in text.encode())
    drawn = random.Random(seed)
    while letters:
        size = drawn.randint(1, 4)
        tokens, letters = [*tokens, letters[:size]], letters[size:]
    found = pieces_of(tokens)
    if not any(token.startswith(("<", "[", "##")) or "@@" in token for token in tokens):
        read = "".join(found.letters)
        assert [c for c in read if c != " "] == [c for c in f"a{text}" if c != " "]


def test_a_trained_tokenizer_gives_back_its_text():
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    text = "the café 😀 naïve cats 我们 saw"
    trainer = trainers.BpeTrainer(
        vocab_size=290, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    made.train_from_iterator([text] * 3, trainer)
    found = pieces_of(made.encode(text).tokens)
    assert "".join(found.words(found.starts)) == text.replace(" ", "")
