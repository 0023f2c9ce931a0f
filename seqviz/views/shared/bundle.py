"""The one module of a view: anywidget loads its JavaScript from a text, which cannot import."""

import re
from collections import Counter
from pathlib import Path

ROOMS = Path(__file__).parents[1]
IMPORT = re.compile(r"^import \{([^}]*)\} from '(\.[^']*)';\n", re.MULTILINE)
NAME = re.compile(r"^(export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
LEFT = re.compile(r"^(?:import\b|export (?!default)).*", re.MULTILINE)
COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n", re.MULTILINE)  # in lines of their own
INDENT = re.compile(r"^ +", re.MULTILINE)


def module(entry: str) -> str:
    """Join a file of `view/` and all that it imports, each after what it imports.

    Comments in lines of their own and indents stay at home: they are a third of the text.

    Raises
    ------
    ValueError
        If files import each other in a circle; if a name is imported that its file does not
        export; if two files have one top-level name; if a template spans lines.
    """
    files = in_order(ROOMS / entry, ())
    names = Counter(name for text in files.values() for _, name in NAME.findall(text))
    if twice := [name for name, times in names.items() if times > 1]:
        raise ValueError(f"{entry}: {twice[0]!r} has two meanings; rename one of them")
    return "".join(bare(file, text) for file, text in files.items())


def in_order(file: Path, importers: tuple[Path, ...]) -> dict[Path, str]:
    """A file's text behind the texts of what it imports."""
    if file in importers:
        circle = " imports ".join(path.name for path in (*importers, file))
        raise ValueError(f"{circle}: move what both need into a file of its own")
    text = file.read_text(encoding="utf-8")
    files = {}
    for names, place in IMPORT.findall(text):
        other = (file.parent / place).resolve()
        files |= in_order(other, (*importers, file))
        exported = {name for export, name in NAME.findall(files[other]) if export}
        wanted = {name.strip() for name in names.split(",")} - {""}
        if missing := sorted(wanted - exported):
            raise ValueError(f"{file.name} imports {missing[0]!r}, which {place} does not export")
    return files | {file: text}


def bare(file: Path, text: str) -> str:
    """A file as it stands in the module: without imports, exports, comments and indents."""
    text = COMMENT.sub("", IMPORT.sub("", text))
    text = re.sub(r"^export (?!default)", "", text, flags=re.MULTILINE)
    if wrong := LEFT.search(text):
        raise ValueError(f"{file.name}: expected imports of names in braces, came {wrong[0]!r}")
    if any(line.count("`") % 2 for line in text.splitlines()):
        raise ValueError(f"{file.name}: a template spans lines; join them, as indents are cut")
    return INDENT.sub("", text).lstrip("\n")
