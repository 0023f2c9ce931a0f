"""The parts of a data set as files with a line of JSON for each item, read and written."""

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from seqviz.arguments import shown
from seqviz.data.items import Words
from seqviz.data.pairs import Links


def read_items(path: Path, kind: type) -> list:
    """Items of a file: texts, or objects of the fields of a dataclass.

    Words are one text in the file, with spaces between them, and so are links: "0-0 2-1".

    Parameters
    ----------
    path : Path
    kind : type
        The dataclass.

    Returns
    -------
    list

    Raises
    ------
    ValueError
        If a line holds neither a text nor such an object.
    """
    items = []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                items.append(_item(json.loads(line), kind))
            except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
                raise ValueError(
                    f"line {number} of {path} must be a text or the fields of a {kind.__name__} "
                    f"as JSON, got {shown(line)} ({error}): bring the file anew"
                ) from error
    return items


def write_parts(folder: Path, parts: dict[str, Sequence]) -> None:
    """Write each part of a data set into a file of its name.

    Parameters
    ----------
    folder : Path
    parts : dict of str to sequence
        Texts, or objects of a dataclass that `read_items` reads.
    """
    for name, items in parts.items():
        lines = [json.dumps(_plain(item), ensure_ascii=False) for item in items]
        text = "".join(f"{line}\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8", newline="\n")


def _item(value: Any, kind: type) -> Any:
    if isinstance(value, str):
        return value
    return kind(**{field.name: _field(value[field.name], field.type) for field in fields(kind)})


def _field(value: Any, kind: Any) -> Any:
    if kind == Words:
        return tuple(value.split())
    if kind == tuple[Words, ...]:
        return tuple(tuple(text.split()) for text in value)
    if kind == Links:
        return frozenset(tuple(map(int, link.split("-"))) for link in value.split())
    return tuple(value) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """What JSON can say of an item: texts of words and of links, lists of numbers."""
    if isinstance(value, frozenset):
        return " ".join(f"{t}-{s}" for t, s in sorted(value))
    if isinstance(value, tuple):
        return " ".join(value) if isinstance(value[0], str) else [*map(_plain, value)]
    if isinstance(value, str | int):
        return value
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
