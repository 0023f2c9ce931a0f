"""Is every architecture that exports read as it computes: its streams, blocks and parts?

`python -m tests.bench.anatomies` opens each that the table `exploring.csv` shows in `sv.machine`,
and compares all that its anatomy says with the numbers of a run, on a text of another length; it
writes the columns of the table. `python -m tests.bench.anatomies bert t5` prints these two.
"""

import sys
import warnings
from collections import Counter

from torch import nn

from seqviz import machine
from seqviz.graphs import anatomy_of
from seqviz.graphs.parts import Anatomy, Box
from seqviz.running.machines import MachineModel
from tests.bench.answering import LENGTH, OTHER
from tests.bench.architectures import sweep, words
from tests.graphs.anatomy_checks import faults

COLUMNS = ["anatomy", "blocks", "boxes"]  # what is wrong, "2 + 2" in two streams, parts unread


def read(model: nn.Module, *given, **more) -> dict:
    """The columns of the table for a model that `sv.machine` is given so."""
    try:
        return of_model(machine(model, *given, **more).model)
    except Exception as error:
        return {"anatomy": words(error)}


def of_model(opened: MachineModel) -> dict:
    """The columns of the table for a machine."""
    graph = opened.graph
    anatomy = anatomy_of(graph)
    length = next(iter(graph.lengths.values()), LENGTH)
    asked = opened.reads(graph, " ".join(OTHER.split()[:length]))
    wrong = faults(graph, anatomy, asked.given)
    rest = f" and {len(wrong) - 2} more" * (len(wrong) > 2)
    return {"anatomy": "; ".join(wrong[:2]) + rest or "yes"} | seen(anatomy)


def seen(anatomy: Anatomy) -> dict:
    """How many blocks each stream has, and which of their parts are boxes."""
    parts = [part for stream in anatomy.streams for block in stream.blocks for part in block.parts]
    boxes = Counter(part.name for part in parts if isinstance(part, Box))
    return {
        "blocks": " + ".join(str(len(stream.blocks)) for stream in anatomy.streams),
        "boxes": ", ".join(f"{count} x {name}" for name, count in boxes.items()),
    }


def sums(rows: list[dict]) -> str:
    """How many are read right."""
    looked = [row for row in rows if row.get("anatomy")]
    right = [row for row in looked if row["anatomy"] == "yes"]
    read = [row for row in looked if row.get("blocks")]
    return f"anatomies of {len(looked)}: {len(read)} read, {len(right)} as the model computes"


def main(types: list[str]) -> None:
    """Print the rows asked for, or write the columns of all."""
    from tests.bench.exploring import TABLE, machine_of, table, write

    rows = table()
    asked = types or [name for name, row in rows.items() if row["shown"]]
    for row in sweep(asked, machine_of, at_once=1):
        print(*(f"{name}: {value}" for name, value in row.items()), sep="  ", flush=True)
        rows[row["type"]] |= row if "anatomy" in row else {"anatomy": row["why"]}
    print(sums([rows[name] for name in asked]))
    if not types:
        write(list(rows.values()), TABLE)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
