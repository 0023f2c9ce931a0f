"""What `metadata.slide` of a cell says of its slide, checked."""

from collections.abc import Mapping

from nbformat import NotebookNode

SHOWS = ("all", "output", "pictures")  # of a cell of code: plumbing is not for a class


def checked(cell: NotebookNode) -> dict:
    """Return what a cell says of its slide.

    Raises
    ------
    ValueError
        If it is not understood.
    """
    says = cell.metadata.get("slide", {})
    known = {"headline", "say"} if cell.cell_type == "markdown" else {"headline", "focus", "show"}
    if not isinstance(says, Mapping) or set(says) - known:
        raise ValueError(
            f"metadata.slide of a {cell.cell_type} cell holds {sorted(known)}, got {says!r}"
        )
    lines = says.get("headline", "")
    focus = says.get("focus", [])
    if not isinstance(says.get("say", ""), str):
        raise ValueError(f"metadata.slide.say must be text, got {says['say']!r}")
    if not isinstance(lines, str) and not all(isinstance(line, str) for line in lines):
        raise ValueError(f"metadata.slide.headline must be text or a list of it, got {lines!r}")
    if not isinstance(lines, str) and len(lines) != len(focus) + 1:
        raise ValueError(
            f"metadata.slide.headline has {len(lines)} texts for {len(focus)} steps of focus; "
            f"give one for all, or {len(focus) + 1}: before the first step, and at each"
        )
    if says.get("show", "all") not in SHOWS:
        raise ValueError(f"metadata.slide.show must be one of {SHOWS}, got {says['show']!r}")
    last = cell.source.count("\n") + 1
    for part in focus:
        if len(part) != 2 or not 1 <= part[0] <= part[1] <= last:
            raise ValueError(
                f"metadata.slide.focus must be pairs of lines from 1 to {last}, got {part!r}"
            )
    return dict(says)
