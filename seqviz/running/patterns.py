"""Patterns of the library tokenizers (Oniguruma's) as JavaScript writes them, with its flag u."""

import re

ANYWHERE = r"""(?P<property>\\[pP]\{\^?\w+\})
    | (?P<class>\\[sSdDw])
    | (?P<same>\\[nrtfv]|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})
    | (?P<sign>\\[^\w\s])
    """
OUTSIDE = re.compile(
    rf"""{ANYWHERE}
    | (?P<times>(?:\{{\d+(?:,\d*)?\}}|[*+?]\??)(?![+?]))
    | (?P<ignoring>\(\?i:)
    | (?P<opens>\((?:\?(?:[:=!]|<[=!])|(?!\?)))
    | (?P<closes>\))
    | (?P<begins>\[\^?)
    | (?P<any>\.)
    | (?P<plain>[^\\()\[\]{{}}*+?.^$])
    """,
    re.VERBOSE | re.DOTALL,
)
INSIDE = re.compile(  # of brackets
    rf"""{ANYWHERE}
    | (?P<plain>(?!&&)[^\\\[\]])
    | (?P<nested>\[(?![\^:]))
    | (?P<ends>\])
    """,
    re.VERBOSE | re.DOTALL,
)
KINDS = {
    r"\s": r"\p{White_Space}",
    r"\S": r"\P{White_Space}",
    r"\d": r"\p{Nd}",
    r"\D": r"\P{Nd}",
    r"\w": r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}",
}
EASY = ("plain", "same", "times", "sign", "opens", "closes")  # where the case does not matter
OTHER_CASE = {"k": "\u212a", "s": "\u017f"}  # beside the usual one
SYNTAX = frozenset(r"\^$.*+?()[]{}|/-")


def javascript_of(pattern: str) -> str:
    """Return a pattern in JavaScript's words.

    Raises
    ------
    ValueError
        If it holds what JavaScript may read in another way.
    """
    found, at, brackets, ignoring = [], 0, 0, []
    while at < len(pattern):
        match = (INSIDE if brackets else OUTSIDE).match(pattern, at)
        kind = match and match.lastgroup
        either_case = ignoring[-1:] == [True]
        if kind is None or (either_case and not (kind in EASY and match[0].isascii())):
            raise ValueError(f"{pattern[at : at + 12]!r} in the pattern {pattern!r}")
        if kind in ("opens", "ignoring"):
            ignoring.append(kind == "ignoring" or either_case)
        elif kind == "closes":
            ignoring.pop()
        brackets += (kind in ("begins", "nested")) - (kind == "ends")
        found.append(_written(kind, match[0], brackets, ignoring[-1:] == [True]))
        at = match.end()
    return "".join(found)


def _written(kind: str, text: str, brackets: int, ignoring: bool) -> str:
    if kind == "nested" or (kind == "ends" and brackets):
        return ""  # what stands in brackets in brackets is of the outer ones
    if kind == "property":
        negative, name = (text[1] == "P") != text.startswith("^", 3), text[3:-1].removeprefix("^")
        script = "" if len(name) <= 2 else "Script="
        return rf"\{'P' if negative else 'p'}{{{script}{name}}}"
    if kind == "class":
        return KINDS[text] if brackets or text != r"\w" else f"[{KINDS[text]}]"
    if kind == "sign":
        return text if text[1] in SYNTAX and (brackets or text[1] != "-") else text[1]
    if kind == "ignoring":
        return "(?:"
    if kind == "any":
        return r"[^\n]"
    if kind == "plain" and ignoring and text.isalpha():
        return f"[{text.lower()}{text.upper()}{OTHER_CASE.get(text.lower(), '')}]"
    return text
