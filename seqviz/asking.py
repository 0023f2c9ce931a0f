"""Predict, then run: a question whose options open to their explanations."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

STYLE = Path(__file__).with_suffix(".css")


@dataclass(frozen=True)
class Question:
    """A question with its options; shows itself as HTML that needs no script and no kernel."""

    question: str
    options: tuple[str, ...]
    answer: str
    because: str
    wrong: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Question and options, without the answer."""
        lines = [f"  {chr(65 + k)}) {option}" for k, option in enumerate(self.options)]
        return "\n".join([f"Predict: {self.question}", *lines])

    def _repr_html_(self) -> str:
        choices = []
        for k, option in enumerate(self.options):
            if option == self.answer:
                verdict = f"<b>✓ Right.</b> {marked(self.because)}"
            else:
                verdict = f"<b>✗ Not this one.</b> {marked(self.wrong.get(option, 'Try another.'))}"
            choices.append(
                f"<details><summary>{chr(65 + k)}. {marked(option)}</summary>"
                f"<p>{verdict}</p></details>"
            )
        return (
            f"<style>{STYLE.read_text(encoding='utf-8')}</style>"
            f'<div class="sv-ask" role="group" aria-label="Question">'
            f"<p><b>Predict.</b> {marked(self.question)}</p>{''.join(choices)}</div>"
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
        with JavaScript off and in an untrusted notebook.

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
    if answer not in options:
        raise ValueError(f"answer must be one of the options {list(options)}, got {answer!r}")
    if stray := [option for option in wrong if option not in options or option == answer]:
        raise ValueError(f"wrong explains the wrong options of {list(options)}, got {stray}")
    return Question(question, options, answer, because, wrong)


def marked(text: str) -> str:
    """Return text as HTML; what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
