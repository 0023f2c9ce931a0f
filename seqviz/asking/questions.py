"""Predict, then run: a question whose options open to their explanations."""

import ast
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape

from seqviz.asking.asked import Asked, marked, name_of

made: dict[str, None] = {}  # names of the questions of this notebook, in order


@dataclass(frozen=True)
class Question(Asked):
    """A question with its options, each of which opens to its explanation.

    The first option that is opened is the reader's choice, which the browser keeps.
    """

    question: str
    options: tuple[str, ...]
    answer: str
    because: str
    wrong: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Question and options, without the answer."""
        lines = [f"  {chr(65 + k)}) {option}" for k, option in enumerate(self.options)]
        return "\n".join([f"Predict: {self.question}", *lines])

    @property
    def name(self) -> str:
        """The name under which a browser keeps the choice."""
        return name_of("\n".join([self.question, *self.options]))

    def body(self, lead: str = "Predict.") -> str:
        """The question as HTML, behind a word that leads to it."""
        asked, choices = marked(self.question), []
        for k, option in enumerate(self.options):
            if option == self.answer:
                right, verdict = " data-right", f"<b>✓ Right.</b> {marked(self.because)}"
            else:
                told = marked(self.wrong.get(option, "Try another."))
                right, verdict = "", f"<b>✗ Not this one.</b> {told}"
            choices.append(
                f"<details{right}><summary>{chr(65 + k)}. <span>{marked(option)}</span></summary>"
                f"<p>{verdict}</p></details>"
            )
        return (
            f'<div class="sv-ask" role="group" aria-label="Question" data-question="{self.name}">'
            f"<p><b>{escape(lead)}</b> <span>{asked}</span></p>{''.join(choices)}</div>"
        )


def ask(
    question: str,
    options: Sequence[str],
    answer: str,
    because: str,
    wrong: dict[str, str] | None = None,
) -> Question:
    """Ask before the answer is run; each option opens to say whether and why it is right.

    Parameters
    ----------
    question : str
        The question. Text between backticks is shown as code.
    options : sequence of str
        Two to six options, all different.
    answer : str
        The right one of `options`.
    because : str
        Why it is right.
    wrong : dict of str to str, optional
        For a tempting wrong option, why it is wrong.

    Returns
    -------
    Question
        Shows itself when it is the last line of a cell. It works live, in an exported page,
        with JavaScript off and in an untrusted notebook; the choice is kept where a script runs,
        in the reader's own browser.

    Raises
    ------
    TypeError
        If a text is not a string.
    ValueError
        If the answer or a key of `wrong` is not among the options, or the options repeat.
    """
    if isinstance(options, str) or not isinstance(options, Sequence):
        raise TypeError(f"options must be a list of strings, got {options!r}")
    if wrong is not None and not isinstance(wrong, dict):
        raise TypeError(f"wrong must be a dict of option to explanation, got {wrong!r}")
    options, wrong = tuple(options), dict(wrong or {})
    texts = {"question": question, "answer": answer, "because": because}
    for name, text in [*texts.items(), *(("options", option) for option in options)]:
        if not isinstance(text, str):
            raise TypeError(f"{name} must be text, got {text!r}")
    for text in (*wrong, *wrong.values()):
        if not isinstance(text, str):
            raise TypeError(f"wrong must map options to explanations, got {text!r} among them")
    if not 2 <= len(options) <= 6 or len(set(options)) < len(options):
        raise ValueError(f"options must be two to six different strings, got {list(options)}")
    seen = {_seen(option) for option in options}
    if "" in seen or len(seen) < len(options) or not _seen(question):
        raise ValueError(
            "question and options must be seen, and the options differ to the eye, got "
            f"{[question, *options]}"
        )
    if answer not in options:
        raise ValueError(f"answer must be one of the options {list(options)}, got {answer!r}")
    if stray := [option for option in wrong if option not in options or option == answer]:
        raise ValueError(f"wrong explains the wrong options of {list(options)}, got {stray}")
    asked = Question(question, options, answer, because, wrong)
    made[asked.name] = None
    return asked


def _seen(text: str) -> str:
    """What an eye sees of a text: one form of each letter, no marks without a shape."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())


def question_of(source: str) -> Question:
    """Return the question that a cell's source writes out.

    Raises
    ------
    ValueError
        If it hands in anything but texts and lists.
    """
    call = ast.parse(source).body[0].value
    try:
        texts = [ast.literal_eval(value) for value in call.args]
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        asked = Question(*texts, **named)
        return replace(asked, options=tuple(asked.options), wrong=asked.wrong or {})
    except (TypeError, ValueError) as problem:
        raise ValueError(
            "the question is not written out: give sv.ask texts and lists, not names of them"
        ) from problem
