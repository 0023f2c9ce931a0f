"""What a slide takes from a markdown cell: its blocks, its sentences, the one that goes large."""

import re
from dataclasses import dataclass

from seqviz.core_path import MARK

BOLD = re.compile(r"\*\*(.+?)\*\*")
# What stands for something in the sentences before: on a slide of its own it hangs in the air.
# "It" further on in a sentence mostly stands for something in that sentence.
HANGS = re.compile(
    r"\b(?:these|this|those)\b|^(?:\S+ ){0,3}?(?:its?|they|them|their|so)\b", re.IGNORECASE
)
SOURCE = re.compile(r"\s*\[(?:decks?|papers?) [^\]]*\]")
LABEL = re.compile(r"^\*\*[^*]{1,30}[.:]\*\*\s+")
END = re.compile(r"([.?!][\"')*]*)\s+(?=[A-Z0-9\"'(`$*])")
PIECE = re.compile(
    r"(?P<formula>\$\$.+?\$\$|\\begin\{(\w+\*?)\}.+?\\end\{\2\})"
    r"|(?P<fold><details>.*?</details>)"
    r"|(?P<code>^```.*?^```$)"
    r"|(?P<heading>^\#{1,6} .+?$)"
    r"|(?P<table>(?:^\|[^\n]*\n?)+)"
    r"|(?P<list>(?:^(?:[-*]|\d+\.) [^\n]*(?:\n[^\n]+)*\n?)+)",
    re.MULTILINE | re.DOTALL,
)
FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*)</details>", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A piece of a markdown cell; `kind` is prose, or the name of a group of `PIECE`."""

    kind: str
    text: str


def blocks(source: str) -> list[Block]:
    """Cut a markdown cell into its pieces, in order; the mark of the core path is left out."""
    source = MARK.sub("", source)
    found, last = [], 0
    for piece in PIECE.finditer(source):
        found.append(Block("prose", source[last : piece.start()].strip()))
        found.append(Block(piece.lastgroup or "formula", piece[0].strip()))
        last = piece.end()
    found.append(Block("prose", source[last:].strip()))
    return [block for block in found if block.text]


def sentences(text: str) -> list[str]:
    """Cut prose into sentences; where they come from, in brackets, is left out."""
    text = " ".join(SOURCE.sub("", text).split())
    return END.sub(r"\1\n", text).split("\n") if text else []


def said(pieces: list[Block]) -> str:
    """Return the sentence that goes large: the first with a bold phrase, else the first."""
    prose = [block.text for block in pieces if block.kind == "prose"]
    each = [s for text in prose for par in text.split("\n\n") for s in _labelled(sentences(par))]
    chosen = next((sentence for sentence in each if BOLD.search(sentence)), *each[:1] or [""])
    return re.sub(r":$", ".", chosen)


def hangs(sentence: str) -> str | None:
    """Return the word by which a sentence hangs on one before it, if there is such a word."""
    plain = re.sub(r"`[^`]*`|\$[^$]*\$|(?<!\*)\*\w+\*(?!\*)|\*\*|\"", "", sentence).strip()
    found = HANGS.search(plain)
    return found[0].split()[-1] if found else None


def words(pieces: list[Block]) -> int:
    """Count the words of prose."""
    return sum(len(block.text.split()) for block in pieces if block.kind == "prose")


def lines_of(formula: str) -> list[str]:
    r"""Cut a displayed formula at each `\qquad` outside of braces: a slide has a line for each."""
    body = formula.strip().removeprefix("$$").removesuffix("$$").strip()
    lines, depth, last = [], 0, 0
    for token in re.finditer(r"\\qquad|\\begin|\\end|(?<!\\)[{}]", body):
        if token[0] == r"\qquad":
            if depth == 0:
                lines.append(body[last : token.start()].strip())
                last = token.end()
        else:
            depth += 1 if token[0] in ("{", r"\begin") else -1
    return [line for line in (*lines, body[last:].strip()) if line]


def unfolded(block: Block) -> tuple[str, str]:
    """Return what a folded piece is called and what it holds."""
    title, body = FOLD.fullmatch(block.text).groups()
    return title.strip(), body.strip()


def _labelled(each: list[str]) -> list[str]:
    """Leave a label such as **Goal.** out; it is cut off as a sentence of its own."""
    return [LABEL.sub("", s) for s in each if not re.fullmatch(r"\*\*[^*]{1,30}[.:]\*\*", s)]
