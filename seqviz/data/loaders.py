"""The data sets by name, and the weights that are shipped beside them."""

import gzip
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from safetensors import safe_open
from torch import Tensor

from seqviz.arguments import checked_name
from seqviz.data import registry
from seqviz.data.captions import caption_words
from seqviz.data.generators.opinions.opinion import Opinion
from seqviz.data.items import Argued, Labelled, Paragraph, Quadruple, Quoted, Review, Tagged
from seqviz.data.json_lines import read_items
from seqviz.data.pairs import Pair
from seqviz.data.text import Vocabulary

SHIPPED = {  # what the lines of the files are, and what they are about
    "arguments": (Argued, "Paragraphs that argue in three domains, their components marked."),
    "en-es": (Pair, "Short English sentences with Spanish translations."),
    "en-fr": (Pair, "English sentences with French translations and the links of their words."),
    "facts": (Paragraph, "Paragraphs, with the side on which the evidence for each word lies."),
    "newsnames": (Tagged, "News sentences with names; those of val and test are new."),
    "opinions": (Opinion, "Film reviews that praise (1) or blame (0)."),
    "pronouns": (Pair, "Finnish sentences about 'hän', in English about him or her."),
    "quotes": (Quoted, "Talks with quotation marks: who began, and is a word inside or outside?"),
    "relations": (
        Quadruple,
        "Sentences whose words come in families; val and test ask a is to b as c is to d.",
    ),
    "reviews": (Review, "Sentences whose two sides decide together what 'terribly' means."),
    "students": (str, "Short sentences whose subject and verb decide the last word."),
    "tagging": (Tagged, "Sentences with parts of speech and names, some open without context."),
}
NAMES = sorted(["hello", "multi30k", "shakespeare", "sst2", *SHIPPED])
WEIGHTS = [
    "shakespeare_rnn",
    "shakespeare_gpt",
    "quotes_readers",
    "facts_bert",
    "opinions_bilm",
    "shapes_encoder",
]
PARTS = ["train", "val", "test"]
WITHOUT_LABELS = ["stream", "unlabelled"]  # parts of "opinions"

Item = str | Argued | Labelled | Opinion | Pair | Paragraph | Quadruple | Quoted | Review | Tagged
Part = str | list[Item]


class StandInWarning(UserWarning):
    """Data of our own take the place of data that could not be downloaded."""


@dataclass(frozen=True, repr=False)
class Dataset:
    """A data set in three parts.

    Parameters
    ----------
    name : str
        The name it is loaded by.
    train, val, test : str or list
        The parts: contiguous pieces of one long text, or lists of words or sentences. A sentence
        is a string; with labels an `Argued`, `Labelled`, `Quoted`, `Review` or `Tagged`, with a
        translation a `Pair`.
    about : str
        What it is, in one sentence.
    source : str
        "shipped", "downloaded" or "shipped stand-in".
    """

    name: str
    train: Part
    val: Part
    test: Part
    about: str
    source: str

    def __repr__(self) -> str:
        sizes = ", ".join(f"{p} {len(vars(self)[p]):,}" for p in PARTS if p in vars(self))
        unit = "characters" if isinstance(self.train, str) else "items"
        return f"Dataset {self.name} ({self.source}): {sizes} {unit}. {self.about}"


@dataclass(frozen=True, repr=False)
class Transfer(Dataset):
    """A data set with texts that have no label, to learn the language from.

    Parameters
    ----------
    name, train, val, test, about, source
        As in `Dataset`.
    stream : list of str
        From elsewhere: another domain than that of the labelled texts.
    unlabelled : list of str
        Of the domain of the labelled texts.
    """

    stream: list[str]
    unlabelled: list[str]

    def __repr__(self) -> str:
        more = f"stream {len(self.stream):,}, unlabelled {len(self.unlabelled):,}"
        return f"{super().__repr__()} Without labels: {more} texts."


class Downloaded(Dataset):
    """A data set from the network; its test part is looked for when it is first read."""

    def __init__(
        self,
        name: str,
        about: str,
        read: Callable[[str], list[Item]],
        parts: tuple[str, str, str],
    ):
        train, val, test = parts
        super().__init__(name, read(train), read(val), [], about, "downloaded")
        del vars(self)["test"]
        vars(self)["_read_test"] = lambda: read(test)

    @cached_property
    def test(self) -> list[Item]:
        """The test part.

        Raises
        ------
        DownloadError
            If it is not in the cache and cannot be brought.
        """
        return self._read_test()


def load(name: str) -> Dataset:
    """Load a data set.

    Parameters
    ----------
    name : {"arguments", "en-es", "en-fr", "facts", "hello", "multi30k", "newsnames", \
            "opinions", "pronouns", "quotes", "relations", "reviews", "shakespeare", "sst2", \
            "students", "tagging"}
        "arguments": paragraphs that argue, with the claim, what supports it and what speaks against
        it (deck 001), an `Argued` each. "en-es", "en-fr": English sentences with Spanish or French
        translations, a `Pair` each; "en-fr" has the links between their words. "facts": paragraphs
        with the side on which the evidence for each word lies, a `Paragraph` each. "hello": the
        word of deck 000. "multi30k": captions of photographs with French translations, a `Pair`
        each, downloaded once. "newsnames": sentences with names of persons, places and more, those
        of val and test new, a `Tagged` each. "opinions": reviews of films, an `Opinion` each, and
        text without labels in a `Transfer`'s `stream` and `unlabelled`.
        "pronouns": Finnish sentences that tell no gender, with English ones that do, a `Pair` each.
        "quotes": talks with quotation marks, a `Quoted` each. "relations": sentences to learn word
        vectors from, and questions about their words, a `Quadruple` each. "reviews": deck 002's
        "the movie was terribly exciting", a `Review` each. "shakespeare": his plays, downloaded
        once; without a network and with nothing in the cache a short play of our own takes their
        place, with a warning. "sst2": sentences of film reviews that praise or blame (deck 004), a
        `Labelled` each, downloaded once. "students": sentences like deck 002's "the students opened
        their ...". "tagging": sentences with parts of speech and names, a `Tagged` each.

    Returns
    -------
    Dataset

    Raises
    ------
    TypeError
        If `name` is no string.
    ValueError
        If there is no such data set, or a download has a wrong checksum.
    DownloadError
        If "multi30k" or "sst2" is not in the cache and cannot be brought. Their test part is looked
        for when ``.test`` is first read.
    """
    checked_name("name", name, NAMES)
    if name == "hello":
        word = _shipped("hello/hello.txt").strip()
        return Dataset(name, [word], [], [], "One word, to be spelled letter by letter.", "shipped")
    if name == "shakespeare":
        return _shakespeare()
    if name == "multi30k":
        about = "Captions of photographs, in English and in French."
        return Downloaded(name, about, _captions, ("train", "val", "test_2016_flickr"))
    if name == "sst2":
        about = "Sentences of film reviews: praise (1) or blame (0)."
        return Downloaded(name, about, _opinions, ("train", "dev", "test"))
    kind, about = SHIPPED[name]
    made, more = (Transfer, WITHOUT_LABELS) if name == "opinions" else (Dataset, [])
    folder = registry.shipped_folder() / name.replace("-", "_")
    parts = {part: read_items(folder / f"{part}.jsonl", kind) for part in (*PARTS, *more)}
    return made(name, about=about, source="shipped", **parts)


def load_weights(name: str) -> tuple[dict[str, Tensor], Vocabulary, dict[str, int]]:
    """Load the weights of a model that was trained for the notebooks.

    Parameters
    ----------
    name : {"shakespeare_rnn", "shakespeare_gpt", "quotes_readers", "facts_bert", \
            "opinions_bilm", "shapes_encoder"}
        "shakespeare_rnn": a character model of Shakespeare's plays, an `sv.nn.LanguageModel`.
        "shakespeare_gpt": an `sv.nn.GPT` that reads the same plays in byte pairs.
        "quotes_readers": an LSTM and a GRU that read "quotes"; the names of their weights begin
        with "LSTM." and "GRU.", those of the linear layer on top with "LSTM.output.".
        "facts_bert": two nets that know the paragraphs of "facts"; the names of their weights begin
        with "both sides." (an `sv.nn.BERTForMaskedLM`) and "left to right." (the same net with a
        causal mask). "opinions_bilm": a two-way language model of the texts without labels of
        "opinions", an `sv.nn.BiLM`. "shapes_encoder": an `sv.nn.PictureClassifier` that names the
        coloured shapes in pictures of "shapes"; its vocabulary are their names.

    Returns
    -------
    weights : dict of str to torch.Tensor
        For `load_state_dict`, float32.
    vocabulary : Vocabulary
        The tokens it was trained on.
    sizes : dict of str to int
        What the model is built with: `sv.nn.LanguageModel(**sizes)`, `sv.nn.GPT(**sizes)`,
        `sv.nn.BERT(**sizes)`, `sv.nn.LSTM(**sizes)`; `sv.nn.ConvEncoder(**sizes)`, where one is a
        list.

    Raises
    ------
    TypeError
        If `name` is no string.
    ValueError
        If there are no such weights.
    """
    path = registry.shipped_folder() / checked_name("name", name, WEIGHTS) / "model.safetensors"
    with safe_open(path, framework="pt") as file:
        about = file.metadata()
        weights = {key: file.get_tensor(key).float() for key in file.keys()}  # noqa: SIM118
    return weights, Vocabulary(json.loads(about["vocabulary"])), json.loads(about["sizes"])


def _shipped(file: str) -> str:
    return (registry.shipped_folder() / file).read_text(encoding="utf-8")


def _captions(part: str) -> list[Pair]:
    """The pairs of a part of Multi30k, from its two files with a caption in each line."""
    english, french = (
        gzip.decompress(registry.fetch(f"multi30k-{part}.{language}.gz").read_bytes()).decode()
        for language in ("en", "fr")
    )
    lines = zip(english.strip().split("\n"), french.strip().split("\n"), strict=True)
    return [Pair(caption_words(source), caption_words(target)) for source, target in lines]


def _opinions(part: str) -> list[Labelled]:
    """The rows of a part of SST-2."""
    text = registry.fetch(f"sst2-{part}.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.strip().split("\n")]
    return [Labelled(sentence, int(label)) for sentence, label in rows]


def _shakespeare() -> Dataset:
    try:
        text = registry.fetch("tinyshakespeare.txt").read_text(encoding="utf-8")
        about, source = "Shakespeare's plays, one after the other.", "downloaded"
    except registry.DownloadError as error:
        text = _shipped("shakespeare/stand_in.txt")
        about, source = "A short play of our own, in Shakespeare's manner.", "shipped stand-in"
        warnings.warn(
            f"load('shakespeare') gives the shipped stand-in, a play of our own of {len(text):,} "
            f"characters, instead of the real plays: {error}",
            StandInWarning,
            stacklevel=3,
        )
    train, val = int(0.90 * len(text)), int(0.95 * len(text))
    return Dataset("shakespeare", text[:train], text[train:val], text[val:], about, source)
