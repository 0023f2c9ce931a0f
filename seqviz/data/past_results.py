"""Tables of the decks as rows: results and sizes that others published, each with its source."""

import csv

from seqviz.arguments import checked_name
from seqviz.data import registry


def history(name: str) -> list[dict[str, str]]:
    """Read a table of published results.

    Parameters
    ----------
    name : str
        The name of a file in `datasets/history`, without its ending: "elmo", "gpt2", ...

    Returns
    -------
    list of dict of str to str
        A row each, as it was printed; "deck", "slide" and "paper" say where. An empty string stands
        where the table has none.

    Raises
    ------
    TypeError
        If `name` is no string.
    ValueError
        If there is no such table.
    """
    folder = registry.shipped_folder() / "history"
    checked_name("name", name, sorted(path.stem for path in folder.glob("*.csv")))
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
