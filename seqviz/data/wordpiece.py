"""Pieces of words as BERT cuts them: WordPiece, by the library tokenizers."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from seqviz.arguments import (
    MANY,
    checked_flag,
    checked_integer,
    checked_text,
    checked_type,
    read_text,
    renamed,
)
from seqviz.data.subwords import checked_length, trained
from seqviz.data.text import Vocabulary

PAD, UNK, CLS, SEP, MASK = MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
INSIDE = "##"  # in front of a piece that does not begin a word


class Encoded(NamedTuple):
    """A text, or a pair of texts, as BERT reads it; made by :meth:`WordPiece.encode`.

    Attributes
    ----------
    ids : torch.Tensor
        (time,), int64: [CLS] text [SEP], or [CLS] text [SEP] second text [SEP].
    tokens : tuple of str
        The pieces.
    words : torch.Tensor
        (time,), int64: the number of the word that a piece is of, counted on through the second
        text; -1 for [CLS] and [SEP]. A sign is a word of its own.
    segments : torch.Tensor
        (time,), int64: 0 up to the first [SEP], 1 behind it.
    """

    ids: Tensor
    tokens: tuple[str, ...]
    words: Tensor
    segments: Tensor


class Padded(NamedTuple):
    """A batch of texts; made by :meth:`WordPiece.pad`. BERT takes ``*batch[:3]``.

    Attributes
    ----------
    input_ids, attention_mask, token_type_ids, words : torch.Tensor
        (batch, time), int64: ids; 1 for a token and 0 for padding; segments; numbers of words, -1
        for padding too.
    """

    input_ids: Tensor
    attention_mask: Tensor
    token_type_ids: Tensor
    words: Tensor


class WordPiece:
    """Texts to word pieces; :func:`train_wordpiece` learns them, `from_vocab` reads BERT's.

    A text is cleaned of control characters, lower-cased and freed of accents, and split at spaces
    and signs; a Chinese character is a word. A word is cut from the left, each time into the
    longest piece that there is, "##" in front of all but the first (decks 001 to 004; Devlin et
    al. 2019; Schuster and Nakajima 2012). A word that cannot be cut, or of more than 100
    characters, is [UNK]. "[MASK]" and the other marks may stand in a text and mean themselves.

    Parameters
    ----------
    pieces : sequence of str
        In the order of their numbers, with [PAD], [UNK], [CLS], [SEP] and [MASK].
    lowercase : bool
        False for a vocabulary that has capitals and accents.

    Attributes
    ----------
    vocabulary : Vocabulary
        The pieces and their numbers.
    pad_id, unk_id, cls_id, sep_id, mask_id : int
        Numbers of the marks.
    special_ids, ordinary_ids : tuple of int
        Those of the marks, and all others.

    Raises
    ------
    TypeError
        If `pieces` is no sequence of strings, or `lowercase` no truth value.
    ValueError
        If a piece comes twice, or a mark is missing.
    """

    def __init__(self, pieces: Sequence[str], lowercase: bool = True):
        try:
            self.vocabulary = Vocabulary(pieces)
        except (TypeError, ValueError) as error:
            raise renamed(error, tokens="pieces") from None
        checked_text("pieces", "".join(self.vocabulary.tokens))
        missing = [mark for mark in MARKS if mark not in self.vocabulary]
        if missing:
            raise ValueError(
                f"pieces must hold {', '.join(MARKS)}, but {', '.join(missing)} are missing: "
                "is this the vocab.txt of a BERT?"
            )
        number = {piece: i for i, piece in enumerate(self.vocabulary.tokens)}
        self.special_ids = tuple(sorted(number[mark] for mark in MARKS))
        self.ordinary_ids = tuple(i for i in range(len(number)) if i not in self.special_ids)
        self.pad_id, self.unk_id, self.cls_id, self.sep_id, self.mask_id = map(number.get, MARKS)
        self._tokenizer = _tokenizer(number, lowercase)
        self._tokenizer.add_special_tokens([*MARKS])

    @classmethod
    def from_vocab(cls, path: str | Path, lowercase: bool = True) -> "WordPiece":
        """Read the vocab.txt of a BERT, a piece in each line.

        Raises
        ------
        FileNotFoundError, ValueError
            If there is no such file, or it is no such vocabulary.
        """
        text = read_text("path", path, "the vocab.txt of a BERT, a piece in each line")
        return cls(text.removesuffix("\n").split("\n"), lowercase)

    def encode(
        self,
        text: str,
        pair: str | None = None,
        *,
        max_length: int | None = None,
        truncate: bool = False,
    ) -> Encoded:
        """Cut a text, or two, into pieces, with [CLS] in front and [SEP] behind each.

        Parameters
        ----------
        text, pair : str
            `pair` is the second text, if there is one. Either may be empty.
        max_length : int, optional
            Pieces at most, marks included, such as the length of a model's position table.
        truncate : bool
            Whether to cut what is longer than `max_length`: the end of the longer text of the two,
            until they fit.

        Returns
        -------
        Encoded
            (ids, tokens, words, segments).

        Raises
        ------
        TypeError
            If a text is no string.
        ValueError
            If there are more pieces than `max_length` and `truncate` is False, `max_length` leaves
            no room for the marks, `truncate` has no `max_length`, or a text is no valid Unicode.
        """
        texts = [checked_text("text", text)]
        if pair is not None:
            texts.append(checked_text("pair", pair))
        cuts = [self._tokenizer.encode(given, add_special_tokens=False) for given in texts]
        kept = self._kept([len(cut) for cut in cuts], max_length, truncate)
        ids, tokens, words, segments = [self.cls_id], [CLS], [-1], [0]
        for segment, (cut, length) in enumerate(zip(cuts, kept, strict=True)):
            before = 1 + max(words)
            ids += [*cut.ids[:length], self.sep_id]
            tokens += [*cut.tokens[:length], SEP]
            words += [*(before + word for word in cut.word_ids[:length]), -1]
            segments += [segment] * (length + 1)
        ids, words, segments = map(torch.tensor, (ids, words, segments))
        return Encoded(ids, tuple(tokens), words, segments)

    @staticmethod
    def _kept(lengths: list[int], max_length: int | None, truncate: bool) -> list[int]:
        """How many pieces of each text stay: as transformers' "longest first" has it."""
        marks = 1 + len(lengths)
        if checked_flag("truncate", truncate) and max_length is None:
            raise ValueError("truncate needs max_length, the most pieces that may stay")
        if max_length is None:
            return lengths
        max_length = checked_integer("max_length", max_length, marks)
        if sum(lengths) + marks <= max_length:
            return lengths
        if not truncate:
            raise ValueError(
                f"text must have at most max_length = {max_length} pieces, marks included, got "
                f"{sum(lengths) + marks}: shorten it, or cut its end with truncate=True"
            )
        room = max_length - marks
        if len(lengths) == 1:
            return [room]
        shorter = min(*lengths, room // 2)
        return [shorter, room - shorter] if lengths[0] <= lengths[1] else [room - shorter, shorter]

    def pad(self, texts: Sequence[Encoded]) -> Padded:
        """Lay encoded texts side by side, the shorter ones filled up with [PAD].

        Parameters
        ----------
        texts : sequence of Encoded
            At least one.

        Returns
        -------
        Padded

        Raises
        ------
        TypeError, ValueError
            If `texts` is no such sequence, or empty.
        """
        for text in checked_type("texts", texts, Sequence, "a list of what encode gives"):
            checked_type("each of texts", text, Encoded, "what encode gives")
        if not texts:
            raise ValueError("texts must hold at least one text, got none")

        rows = [(text.ids, torch.ones_like(text.ids), text.segments, text.words) for text in texts]
        columns = zip(zip(*rows, strict=True), (self.pad_id, 0, 0, -1), strict=True)
        return Padded(*(pad_sequence(column, True, filling) for column, filling in columns))

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __repr__(self) -> str:
        return f"WordPiece with {len(self):,} pieces"


def train_wordpiece(texts: Iterable[str], vocab_size: int, lowercase: bool = True) -> WordPiece:
    """Learn word pieces: join pairs of neighbours, again and again (deck 002), from whole texts.

    The same texts give the same pieces in the same order, on every machine.

    Parameters
    ----------
    texts : iterable of str
        Any texts, not split.
    vocab_size : int
        Pieces, the five marks included. There are fewer if every word has become one piece.
    lowercase : bool
        Whether capitals and accents are taken away, here and later.

    Returns
    -------
    WordPiece

    Raises
    ------
    TypeError
        If `texts` is a string or holds something else than strings, or `vocab_size` is no integer.
    ValueError
        If there is no word, or `vocab_size` is too small for the marks and the letters.

    Examples
    --------
    >>> pieces = train_wordpiece(["low lower lowest slow"], vocab_size=30)
    >>> pieces.encode("Slowest!").tokens
    ('[CLS]', 'slow', '##e', '##st', '[UNK]', '[SEP]')
    """
    vocab_size = checked_integer("vocab_size", vocab_size, 1, MANY)
    if isinstance(texts, str):
        raise TypeError("texts must be a list of texts, got one text: use [text]")
    checked_type("texts", texts, Iterable, "a list of texts")
    texts = [checked_text("each of texts", text) for text in texts]
    tokenizer = _tokenizer(None, lowercase)
    cut, clean = tokenizer.pre_tokenizer.pre_tokenize_str, tokenizer.normalizer.normalize_str
    words = {word for text in texts for word, _ in cut(clean(text))}
    if not words:
        raise ValueError("texts must hold at least one word, got none")
    checked_length("texts", max(words, key=len))
    inside = sorted({INSIDE + letter for word in words for letter in word[1:]})
    least = len(MARKS) + len(inside) + len({letter for word in words for letter in word})
    checked_integer("vocab_size", vocab_size, least)
    from tokenizers.trainers import WordPieceTrainer

    # The library numbers inner letters in an order that changes from run to run, and ties between
    # pairs follow the numbers: given in front as marks, they have an order.
    trainer = WordPieceTrainer(
        vocab_size=vocab_size, special_tokens=[*MARKS, *inside], show_progress=False
    )
    trained(tokenizer, texts, trainer)
    number = tokenizer.get_vocab()
    return WordPiece(sorted(number, key=number.get), lowercase)


def _tokenizer(number: dict[str, int] | None, lowercase: bool):
    """How BERT cleans and splits a text; its library is loaded when it is first used."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    tokenizer = Tokenizer(models.WordPiece(number, unk_token=UNK))
    lowercase = checked_flag("lowercase", lowercase)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer
