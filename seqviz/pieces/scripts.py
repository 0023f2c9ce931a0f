"""Where a text may be parted: kinds of letters, scripts without spaces, what belongs together."""

import re
from unicodedata import category

GLUE, TONES, FLAGS = "\u200c\u200d", range(0x1F3FB, 0x1F400), range(0x1F1E6, 0x1F200)
NO_SPACES = re.compile(  # letters of scripts that put no space between words
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u2e80-\u2fdf\u3005-\u3007"
    "\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\ua4cf\ua980-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff]"
)


def breaks(before: str, after: str) -> bool:
    """Whether a script without spaces ends or begins between two pieces of a text.

    What only goes on with the character before, such as a vowel's sign, breaks nothing.
    """
    if not before or not after or goes_on_with_character(before, after):
        return False
    return bool(NO_SPACES.match(before[-1]) or NO_SPACES.match(after[0]))


def goes_on_with_character(before: str, after: str) -> bool:
    """Whether a text begins with a sign, a tone or the other half of what stands before it."""
    last, first = before[-1:], after[:1]
    if not last or not first:
        return False
    flag = ord(first) in FLAGS and ord(last) in FLAGS
    return category(first)[0] == "M" or first in GLUE or last in GLUE or ord(first) in TONES or flag


def letters_of(text: str) -> list[str]:
    """Return the letters as a reader counts them: one with its marks, an emoji of many parts."""
    found = []
    for sign in text:
        if found and goes_on_with_character(found[-1], sign):
            found[-1] += sign
        else:
            found.append(sign)
    return found


def kind_of(letter: str) -> str:
    """Letters, digits and signs: a word's pieces do not mix them."""
    kind = category(letter)[0] if letter else ""
    return {"N": "digit", "L": "letter", "M": "letter"}.get(kind, "sign")
