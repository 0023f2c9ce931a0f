"""What the table of positions says; sentence.js says the same."""

from seqviz.views.positions.values import Table
from seqviz.views.shared.grid_values import decimals
from seqviz.views.shared.wording import readable


def sentence(label: str, table: Table, shift: int) -> str:
    """How well one matrix makes the shift where it was not fitted."""
    miss = decimals(100 * float(table.wholes[shift - 1]), 0)
    return (
        f"{readable(label)}: the matrix for “{shift} later” misses the half it was not fitted on "
        f"by {miss} %."
    )
