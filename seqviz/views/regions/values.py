"""Checked films: captions and questions, glimpses, drawings, heads."""

from collections.abc import Mapping, Sequence

from seqviz.views.regions.captions import caption_of
from seqviz.views.regions.drawings import drawing_of
from seqviz.views.regions.films import Film
from seqviz.views.regions.glimpses import glimpses_of
from seqviz.views.regions.patches import attention_of
from seqviz.views.shared.checking import line_or

MOST_FILMS = 24
READERS = {
    "attention": attention_of,
    "words": caption_of,
    "canvases": drawing_of,
    "windows": glimpses_of,
}
KINDS = (
    "'words' with 'picture' and 'weights' for a caption, 'windows' with 'picture' for glimpses, "
    "'canvases' with 'windows' for a drawing, 'attention' with 'picture' and 'grid' for heads"
)


def films_of(given) -> list[Film]:
    """Check a list of films; one film may stand alone."""
    given = [given] if isinstance(given, Mapping) else given
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise TypeError(f"films: expected a list of mappings, came {type(given).__name__}")
    if not 1 <= len(given) <= MOST_FILMS:
        raise ValueError(f"films: expected 1 to {MOST_FILMS} films, came {len(given)}")
    return [film_of(f"films[{k}]", one, k) for k, one in enumerate(given)]


def film_of(where: str, given, k: int) -> Film:
    """Check one film; its keys say of what kind it is."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{where}: expected a mapping, came {type(given).__name__} {given!r:.60}")
    read = next((reader for key, reader in READERS.items() if key in given), None)
    if read is None:
        raise ValueError(f"{where} has {', '.join(map(str, given)) or 'no key'}: expected {KINDS}")
    return read(where, given, line_or(f"{where}['title']", given.get("title"), str(k + 1)))
