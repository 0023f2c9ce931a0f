"""Bytes that tokens stand for, as characters: a piece of a character says of which it is one."""

import re
from collections.abc import Sequence
from itertools import groupby
from unicodedata import category

LAST = "</w>"  # behind a word's last piece
UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")  # characters without a shape
ONE_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")  # of SentencePiece
NAMED = "\udfff"  # in front of the name of a part that is no text; no text holds half a character
NAME_OF_BYTES = re.compile(r"bytes?((?: [0-9A-F]{2})+)")


def _byte_letters() -> dict[str, int]:
    """The byte of each letter of byte-level BPE: its own if that is seen, else one from U+0100."""
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in seen]
    letters = [chr(byte) for byte in seen] + [chr(0x100 + k) for k in range(len(hidden))]
    return dict(zip(letters, seen + hidden, strict=True))


BYTES = _byte_letters()


def bytes_of(token: str) -> bytes | None:
    """The bytes that a token of byte-level BPE stands for, None if it is none."""
    if one := ONE_BYTE.fullmatch(token):
        return bytes([int(one[1], 16)])
    end = -len(LAST) if token.endswith(LAST) and token != LAST else None
    letters = token[:end]
    return bytes(map(BYTES.__getitem__, letters)) if BYTES.keys() >= {*letters} else None


def characters(text: bytes, inner: bool = False) -> list[tuple[int, bytes, bool]]:
    """Where each character begins, its bytes, and whether it is whole.

    `inner` leaves out what a cut at the ends explains.
    """
    found, at = [], 0
    while at < len(text):
        size = _size(text[at])
        part = text[at : at + max(1, size)]
        whole = size > 0 and len(part) == size and is_text(part)
        cut = (at < 3 and not size) or (size > 0 and at + size > len(text))
        part = part if whole else part[:1]
        if not (inner and cut):
            found.append((at, part, whole))
        elif size:
            break  # of what is cut at the end the first byte tells
        at += len(part)
    return found


def is_text(part: bytes) -> bool:
    """Whether bytes are whole characters."""
    try:
        part.decode()
    except UnicodeDecodeError:
        return False
    return True


def _size(byte: int) -> int:
    """Bytes of a character by its first one, 0 for one that is not the first."""
    if byte < 0x80:
        return 1
    sizes = {2: (0xC2, 0xE0), 3: (0xE0, 0xF0), 4: (0xF0, 0xF5)}
    return next((size for size, (low, high) in sizes.items() if low <= byte < high), 0)


def spelled(raw: Sequence[bytes]) -> list[tuple[list[str], str, bool]]:
    """Of each token of a run: what it holds in parts, the characters that begin in it, and whether
    it begins inside one.
    """
    if len(raw) == 1 and is_text(raw[0]):
        return [([raw[0].decode()], raw[0].decode(), False)]
    owner = [k for k, one in enumerate(raw) for _ in one]
    parts: list[list[str]] = [[] for _ in raw]
    letters, inside = [""] * len(raw), [False] * len(raw)
    for at, bytes_, whole in characters(b"".join(raw)):
        holders = sorted({*owner[at : at + len(bytes_)]})
        text = bytes_.decode() if whole else f"byte {bytes_.hex().upper()}"
        letters[holders[0]] += text if whole else "\ufffd"
        for n, k in enumerate(holders, 1):
            inside[k] = inside[k] or (n > 1 and not parts[k])
            plain = len(holders) == 1 and whole
            if plain and parts[k] and not parts[k][-1].startswith(NAMED):
                parts[k][-1] += text
            elif plain:
                parts[k].append(text)
            else:
                name = text if not whole else f"{n}/{len(holders)} of {_seen(text)}"
                parts[k].append(NAMED + name)
    return [*zip(parts, letters, inside, strict=True)]


def _seen(text: str) -> str:
    """A character, or its number if it has no shape."""
    return f"U+{ord(text):04X}" if len(text) == 1 and category(text) in UNSEEN else text


def named(parts: Sequence[str]) -> str:
    """The parts of a token as one text; pieces of characters have names."""
    names = [part.removeprefix(NAMED) for part in parts]
    names[1:] = [name.replace(" ", "␣") if name.isspace() else name for name in names[1:]]
    if len(names) > 1:
        names = [name if name.isspace() else _seen(name) for name in names]
    if len(parts) > 1 and all(part.startswith(f"{NAMED}byte ") for part in parts):
        return "bytes " + " ".join(name.removeprefix("byte ") for name in names)
    lead = names.pop(0) if len(names) > 1 and names[0] == " " else ""
    return lead + " + ".join(names)


def together(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Tokens that were read alone, one behind another: their bytes make characters.

    The second list has the characters that begin in each, as a running text shows them, and
    U+FFFD for a byte of none.

    Examples
    --------
    >>> together([" cat", " bytes F0 9F", "byte 98", "byte 80"])
    ([' cat', ' 1/3 of 😀', '2/3 of 😀', '3/3 of 😀'], [' cat', ' 😀', '', ''])
    """
    raw = [_raw(name) for name in names]
    told, letters = [*names], [*names]
    for in_bytes, run in groupby(range(len(names)), lambda k: raw[k] is not None):
        places = [*run] if in_bytes else []
        for k, (parts, own, _) in zip(places, spelled([raw[k] for k in places]), strict=True):
            told[k], letters[k] = named(parts), own
    return told, letters


def _raw(name: str) -> bytes | None:
    """The bytes of a token in whose name bytes stand, None for another."""
    parts = name.lstrip(" ").split(" + ")
    found = [NAME_OF_BYTES.fullmatch(part) for part in parts]
    if not any(found):
        return None
    front = b" " * (len(name) - len(name.lstrip(" ")))
    of_parts = zip(parts, found, strict=True)
    return front + b"".join(bytes.fromhex(m[1]) if m else part.encode() for part, m in of_parts)
