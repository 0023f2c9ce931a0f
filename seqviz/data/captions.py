"""Captions of photographs, as words."""

import re

WORD = re.compile(r"\w+(?:-\w+)*'?|[^\w\s]")  # a word with its apostrophe, or one other sign


def caption_words(text: str) -> tuple[str, ...]:
    """Split a caption into lower-case words and signs.

    A hyphen inside a word stays in it. An apostrophe ends its word, as French elision has it:
    "L'homme au t-shirt, près d’un chien." is l' homme au t-shirt , près d' un chien . In English
    "a man's hat" becomes a man' s hat.

    Parameters
    ----------
    text : str
        A caption.

    Returns
    -------
    tuple of str
        Words.
    """
    return tuple(WORD.findall(text.lower().replace("’", "'")))
