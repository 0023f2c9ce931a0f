"""Word vectors as a map, sums of words, and the senses of a word through the layers."""

import traitlets

from seqviz.views.embedding.questions import Answer, Question, answer_of, known, question_of
from seqviz.views.embedding.senses import Senses
from seqviz.views.embedding.word_map import WordMap
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.traits import Whole, checks, control
from seqviz.views.shared.widget import View, plain, style

TABS = ("map", "senses")
HEADER = ["kind", "layer", "item", "other", "quantity", "value"]


class EmbeddingMap(View):
    """Words, their neighbours and sums of them; `embedding` builds it.

    Attributes
    ----------
    word : str
        The word that is locked, any of the table; "" for none.
    question : str
        The sum that is asked, "king - man + woman" or "man : king :: woman : ?"; "" for none.
    tab : str
        "map", or "senses" where senses were handed in.
    sense_word : str
        Whose sentences the tab of senses shows.
    layer : int
        Which states are seen there, from 0.
    sentence : int
        Which sentence is locked there, from 1; 0 for none.
    zoom : bool
        Whether the map moves closer to what is locked or asked.
    """

    _esm = module("embedding/view.js")
    _css = style("embedding/style.css")

    word = control(traitlets.Unicode(""))
    question = control(traitlets.Unicode(""))
    tab = control(traitlets.Unicode("map"))
    sense_word = control(traitlets.Unicode(""))
    layer = control(Whole(0))
    sentence = control(Whole(0))
    zoom = control(traitlets.Bool(True))

    def __init__(
        self,
        shown: WordMap,
        groups: dict[str, list[int]],
        questions: dict[str, Question],
        senses: dict[str, Senses],
        title: str,
    ) -> None:
        self.shown, self.senses = shown, senses
        self.lexicon = shown.lexicon
        self.answers = {text: answer_of(one, self.lexicon) for text, one in questions.items()}
        group_of = {k: n for n, places in enumerate(groups.values()) for k in places}
        numbers = [group_of.get(k, len(groups)) for k in shown.ids[: shown.count]]
        names = [*groups, *(["other"] if groups and len(groups) in numbers else [])]
        self._groups = [names[n] if groups else "" for n in numbers]
        parts = {
            "map": shown.packed(numbers),
            "pairs": shown.packed_pairs(),
            **{f"sum {text}": shown.packed_answer(a) for text, a in self.answers.items()},
            **{f"senses {word}": one.packed() for word, one in senses.items()},
        }
        n, d = self.lexicon.units.shape
        facts = {
            "title": title,
            "words": n,
            "directions": d,
            "shown": shown.count,
            "neighbours": shown.near.shape[1],
            "far": shown.far,
            "shares": shown.plane.shares.tolist(),
            "groups": names,
            "sums": [self._told(text, answer) for text, answer in self.answers.items()],
            "presets": list(self.answers),
            "senses": {word: one.told() for word, one in senses.items()},
        }
        first = next(iter(senses), "")
        last = len(senses[first].shares) - 1 if senses else 0
        super().__init__(facts, parts, ["map"], sense_word=first, layer=last)

    def _told(self, text: str, answer: Answer) -> dict:
        words, one = self.lexicon.words, answer.question
        expected = None if one.expected is None else words[one.expected]
        return {
            "text": text,
            "inputs": [words[k] for k in one.inputs],
            "expected": expected,
            "rank": answer.rank,
        }

    def _plain(self) -> str:
        """One plain line: of what the picture is, and where its controls stand."""
        if self.tab == "senses":
            one = self.senses[self.sense_word]
            text = f"{self.sense_word!r} in {len(one.sense)} sentences; layer {self.layer}"
            locked = f", sentence {self.sentence}" if self.sentence else ""
            return f"{text} of {len(one.shares) - 1}{locked}"
        locked = f"; word {self.word!r}" if self.word else ""
        asked = f"; sum {self.question!r}" if self.question else ""
        return f"{self.shown.count} of {len(self.lexicon.words):,} words on a map{locked}{asked}"

    def table(self) -> list[list]:
        """Where the words lie on the map, and all cosines: of neighbours, sums and sentences."""
        words, rows = self.lexicon.words, [HEADER]
        points = self.shown.points.tolist()
        for group, k, (x, y) in zip(self._groups, self.shown.ids, points, strict=False):
            rows += [["map", "", words[k], group, *pair] for pair in (("x", x), ("y", y))]
        for place in self.shown.ids[: len(self.shown.near)]:
            near = zip(*self.shown.ten(place), strict=True)
            rows += [["nearest", "", words[place], words[k], "cosine", c] for k, c in near]
        for text, answer in self.answers.items():
            near = zip(answer.ids, answer.cosines.tolist(), strict=True)
            rows += [["sum", "", text, words[k], "cosine", c] for k, c in near]
        return rows + [row for word, one in self.senses.items() for row in one.rows(word)]

    def needs(self) -> list[str]:
        """The map; the answer, the word asked for or the sentences on screen."""
        if self.tab == "senses":
            return ["map", f"senses {self.sense_word}"]
        if self.question:
            return ["map", f"sum {self.question}"]
        return ["map", *({f"word {self.word}"} & self.parts.keys())]

    # ---- the controls

    @checks("word", "question", "tab", "sense_word", "layer", "sentence")
    def _checked(self, name: str, value):
        if name == "word" and value:
            return self._find(known("word", value, self.lexicon))
        if name == "question" and value:
            return self._answered(value)
        tabs = TABS[: 1 + bool(self.senses)]
        if name == "tab" and value not in tabs:
            fix = "" if self.senses else ": 'senses' needs senses="
            raise ValueError(f"tab: expected {' or '.join(map(repr, tabs))}, came {value!r}{fix}")
        if name == "sense_word" and value not in (self.senses or [""]):
            raise ValueError(f"sense_word: expected one of {[*self.senses]}, came {value!r}")
        if name in ("layer", "sentence"):
            most = self._most(name)
            within(name, value, 0, most)
        return value

    def _most(self, name: str) -> int:
        if not self.senses:
            return 0
        one = self.senses[self.sense_word]
        return len(one.shares) - 1 if name == "layer" else len(one.sense)

    @traitlets.observe("word")
    def _one_word(self, _) -> None:
        if self.word:
            self.question = ""

    @traitlets.observe("question")
    def _one_question(self, _) -> None:
        if self.question:
            self.word = ""

    @traitlets.observe("sense_word")
    def _other_sentences(self, _) -> None:
        self.sentence = min(self.sentence, self._most("sentence"))

    # ---- the whole table is here: any word, any sum

    def _find(self, place: int) -> str:
        """Hold a word's neighbours as a part, if the page does not have them."""
        word = self.lexicon.words[place]
        if not self.shown.holds(place) and f"word {word}" not in self.parts:
            self.parts[f"word {word}"] = self.shown.packed_word(place)
        return word

    def _answered(self, text: str) -> str:
        """Hold the answer to a sum as a part; return its text as the page knows it."""
        if text in self.answers:
            return text
        question = question_of("question", text, self.lexicon)
        name = question.text(self.lexicon.words)
        preset = self.answers.get(name)
        if preset and question.expected in (None, preset.question.expected):
            return name
        if question.expected is not None:
            name += f" = {self.lexicon.words[question.expected]}"
        if name not in self.answers:
            answer = answer_of(question, self.lexicon)
            self.answers[name] = answer
            self.parts[f"sum {name}"] = self.shown.packed_answer(answer)
            self.facts = {**self.facts, "sums": [*self.facts["sums"], self._told(name, answer)]}
        return name

    def ask(self, text: str) -> None:
        """Take what a reader writes in the field: a word, or a sum of three.

        Raises
        ------
        ValueError
            If it is neither; names the words of the nearest spelling.
        """
        text = " ".join(text.split())
        if text in self.lexicon.places or not any(sign in text for sign in ("+", ":", "-", "−")):
            self.word = self._find(known("word", text, self.lexicon))
        else:
            self.question = self._answered(text)

    def _answer(self, view, message: dict, buffers: list) -> None:
        """Answer a page that asks for what it does not have."""
        if "ask" not in message:
            return super()._answer(view, message, buffers)
        try:
            self.tab = "map"
            self.ask(message["text"])
        except Exception as error:  # the page says it, and the picture stays
            self.send({"asked": message["ask"], "problem": plain(error, "word", "question")})
        else:
            self.send({"asked": message["ask"]})
