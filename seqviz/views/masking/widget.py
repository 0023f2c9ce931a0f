"""Masked words: hide a token, and see what a model that reads both sides guesses."""

from collections.abc import Callable

import numpy as np
import traitlets

from seqviz.telling import count
from seqviz.views.masking.draws import Draws
from seqviz.views.masking.facts import told_of, told_of_training
from seqviz.views.masking.guesses import Guesses, Vocabulary
from seqviz.views.masking.live import GRAPH, Live
from seqviz.views.masking.values import MOST_SENTENCES, Sentence, labels_of
from seqviz.views.shared.answering import Answering
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.codec import packed
from seqviz.views.shared.traits import Number, Whole, checks, control
from seqviz.views.shared.widget import View, plain, style, told

HEADER = ["pane", "at", "item", "token", "quantity", "value"]
USUAL = 0.15  # the share of tokens that BERT hides


class MaskedWords(View):
    """Guesses for masked tokens; `masking` builds it.

    Attributes
    ----------
    sentence : int
        Which sentence is on screen, from 1.
    mask, second : int
        Positions that are masked, from 1; 0 for none. A second mask runs the model.
    head : str
        Label of the attention map, where there are several.
    compare : bool
        Whether the second model stands beside the first.
    training : bool
        Whether the second pane is open: how training corrupts a text.
    rate : float
        The share of tokens that is chosen there, one of those that were handed in.
    draw : int
        How many draws are counted there, from 1.
    text : str
        The reader's own sentence; set it, or write in the page, and the model runs.
    """

    _esm = module("masking/view.js")
    _css = style("masking/style.css")

    sentence = control(Whole(1))
    mask = control(Whole(0))
    second = control(Whole(0))
    head = control(traitlets.Unicode(""))
    compare = control(traitlets.Bool(True))
    training = control(traitlets.Bool(False))
    rate = control(Number(0.0))
    draw = control(Whole(0))

    def __init__(
        self,
        sentences: list[Sentence],
        vocabulary: Vocabulary,
        names: tuple[str, str],
        draws: Draws | None,
        rates: np.ndarray | None,
        live: Live | None,
        title: str,
    ) -> None:
        self.vocabulary, self.names, self.live = vocabulary, names, live
        self.draws, self.rates = draws, rates
        self.sentences = {f"sentence {k}": one for k, one in enumerate(sentences, 1)}
        self.pairs: dict[str, tuple[Sentence, dict, Guesses]] = {}  # with two masks, and where
        self._labels = labels_of(sentences)
        parts = {name: one.guesses.packed(vocabulary) for name, one in self.sentences.items()}
        if draws:
            parts |= {draws.part(rate): draws.packed(rate, vocabulary) for rate in draws.fates}
        if rates is not None:
            parts["rates"] = packed(accuracy=rates[:, 1], error=rates[:, 2])
        facts = {
            "title": title,
            "names": list(names),
            "vocabulary": len(vocabulary),
            "heads": self._labels,
            "live": live is not None,
            "mask": live.mask if live else "",
            "text": "",
            "sentences": told_of(self.sentences, vocabulary.marks),
            "pairs": [],  # the parts with answers to two masks
            "training": told_of_training(draws, rates),
        }
        self._rates = facts["training"]["rates"] if facts["training"] else [0.0]
        super().__init__(
            facts,
            parts,
            ["sentence 1"],
            mask=sentences[0].gains[0] + 1,
            head=next(iter(self._labels), ""),
            rate=min(self._rates, key=lambda rate: abs(rate - USUAL)),
            draw=1 if draws else 0,
        )

    def _answering(self, precision: str) -> Answering:
        """What a page needs to ask the model: graphs, what splits a text, the ids of sentences."""
        if self.live is None:
            raise ValueError(f"answers: this view has no model: {GRAPH}")
        return self.live.answering(precision, list(self.sentences.values()))

    @property
    def here(self) -> Sentence:
        """The sentence on screen."""
        return self.sentences[self._part]

    @property
    def _part(self) -> str:
        return list(self.sentences)[self.sentence - 1]

    @property
    def _pair(self) -> str:
        """The part with the answer to both masks."""
        return pair_name(self._part, self.mask, self.second)

    def needs(self) -> list[str]:
        """The sentence, the answer to two masks, and what the second pane draws."""
        names = [self._part, *([self._pair] if self.second else [])]
        if self.training:
            names += [self.draws.part(self.rate)] if self.draws else []
            names += ["rates"] * (self.rates is not None)
        return names

    def _plain(self) -> str:
        """One plain line: of what the picture is, and where its controls stand."""
        tokens = self.here.pieces.bare
        masks = [f"{k}, {tokens[k - 1]!r}" for k in (self.mask, self.second) if k]
        masked = "; mask " + " and ".join(masks) if masks else ""
        head = f", {self.head!r}" if self.head else ""
        where = (
            f"sentence {self.sentence} of {len(self.sentences)} with {count(len(tokens), 'token')}"
        )
        training = f"; {self.draw} draws at rate {self.rate:g}" if self.training else ""
        return f"Masked words, {where}{masked}{head}{training}"

    def table(self) -> list[list]:
        """All guesses and weights, sentence by sentence; what became of tokens; the accuracies."""
        words, rows = self.vocabulary.shown, [HEADER]
        held = {
            name: (one, {k: k for k in one.maskable}, one.guesses)
            for name, one in self.sentences.items()
        }
        for name, (one, places, guesses) in {**held, **self.pairs}.items():
            found = guesses.rows(places, one.pieces.tokens, one.written, self.names, words)
            rows += [[name, *row] for row in found]
        if self.draws:
            rows += self.draws.rows(words)
        for rate, accuracy, error in [] if self.rates is None else self.rates.tolist():
            start = ["accuracy", f"{rate:g}", "", ""]
            rows += [[*start, "share", accuracy], [*start, "standard error", error]]
        return rows

    # ---- the controls

    @checks("sentence", "mask", "second", "head", "training", "rate", "draw")
    def _checked(self, name: str, value):
        if name == "sentence":
            within(name, value, 1, len(self.sentences))
        elif name in ("mask", "second"):
            self._check_mask(name, value)
        elif name == "head" and value not in (self._labels or [""]):
            raise ValueError(f"head: expected one of {self._labels}, came {value!r}")
        elif name == "training" and value and not self.facts["training"]:
            raise ValueError("training: there is no second pane: hand in draws or rates")
        elif name == "rate" and value not in self._rates:
            raise ValueError(f"rate: expected one of {self._rates}, came {value}")
        elif name == "draw":
            count = len(self.draws.fates[self.rate]) if self.draws else 0
            within(name, value, min(1, count), count)
        return value

    def _check_mask(self, name: str, value: int) -> None:
        within(name, value, 0, len(self.here.tokens))
        if value:
            self.here.check_maskable(name, value - 1)
        if name == "second" and value:
            if not self.mask:
                raise ValueError("second: expected a first mask before it, came mask 0")
            self._ask(self.sentence, [self.mask, value])

    @traitlets.observe("sentence")
    def _open(self, _) -> None:
        self.second = 0
        self.mask = self.here.gains[0] + 1

    @traitlets.observe("mask")
    def _leave_the_second(self, _) -> None:
        if self.second and (not self.mask or self._pair not in self.pairs):
            self.second = 0

    @traitlets.observe("rate")
    def _stay_inside(self, _) -> None:
        if self.draws:
            self.draw = min(self.draw, len(self.draws.fates[self.rate]))

    # ---- the model runs again

    def _ask(self, sentence: int, masks: list[int]) -> None:
        """Hold the answer to two masks as a part; the model runs if it did not yet."""
        part = list(self.sentences)[within("sentence", sentence, 1, len(self.sentences)) - 1]
        here = self.sentences[part]
        first, second = (within("masks", k, 1, len(here.tokens)) - 1 for k in sorted(masks))
        if first == second:
            raise ValueError(f"second: expected another token than mask {first + 1}")
        name = pair_name(part, *masks)
        if name in self.pairs:
            return
        if self.live is None:
            raise ValueError("second: two masks run the model: hand in run=")
        for k in (first, second):
            here.check_maskable("masks", k)
        try:
            found = self.live.guesses(here.tokens, [first, second])
        except (LookupError, TypeError, ValueError):
            raise
        except Exception as error:  # one that would leave a control half set
            raise ValueError(f"second: no answer: {told(error)}") from error
        self.pairs[name] = here, {0: first, 1: second}, found
        self.parts = {**self.parts, name: found.packed(self.vocabulary)}
        self.facts = {**self.facts, "pairs": list(self.pairs)}

    @property
    def text(self) -> str:
        """The reader's own sentence."""
        return self.facts["text"]

    @text.setter
    def text(self, text: str) -> None:
        self._read(text, lambda done, of: None)
        self.sentence = len(self.sentences)

    def _read(self, text: str, hears: Callable[[int, int], None]) -> None:
        """Run the model on a text and hold it as one more sentence."""
        if self.live is None:
            raise ValueError("text: a sentence of your own runs the model: hand in run=")
        if not isinstance(text, str):
            raise TypeError(f"text: expected a string, came {text!r}")
        if len(self.sentences) == MOST_SENTENCES:
            raise ValueError(f"text: {MOST_SENTENCES} sentences are the most: make a new view")
        made = self.live.sentence(text, hears)
        name = f"sentence {len(self.sentences) + 1}"
        self.sentences[name] = made
        self.parts = {**self.parts, name: made.guesses.packed(self.vocabulary)}
        self.facts = {
            **self.facts,
            "sentences": told_of(self.sentences, self.vocabulary.marks),
            "text": text,
        }

    def _answer(self, view, message: dict, buffers: list) -> None:
        """Tell a page that asks how far the model is, and at the end what there is or what failed.

        The page gets its answer by its own number, and what it shows then, as a part.
        """
        if "ask" not in message:
            return super()._answer(view, message, buffers)

        def tell(**news) -> None:
            self.send({"asked": message["ask"], **news})

        tell(done=0)
        try:
            if "text" in message:
                self._read(message["text"], lambda done, of: tell(done=done, of=of))
            else:
                self._ask(message["sentence"], message["masks"])
        except Exception as error:  # the page says it, and the picture stays
            tell(problem=plain(error, "text"))
        else:
            tell(sentence=len(self.sentences))


def pair_name(part: str, *masks: int) -> str:
    """The part with the answer to two masks of a sentence."""
    return f"{part}: {min(masks)} {max(masks)}"
