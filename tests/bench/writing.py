"""Of which architectures of transformers do the parts sum to the answer that they wrote?

`make bench-causes` gives each in the table `causes.csv` an output layer of chance, opens it in
`sv.cause`'s way, and writes into the column `written` what is left of the difference of two logits
behind all that its parts wrote, as a share of the largest logit, or why there is no such sum.
`python -m tests.bench.writing bert t5` prints these two.
"""

import sys
import warnings
from functools import wraps

from torch import nn

from seqviz.exploring.machine import machine_model
from seqviz.graphs import anatomy_of, written
from seqviz.running.machine_values import rows_of
from tests.bench import causes
from tests.bench.architectures import run, sweep, words
from tests.bench.exploring import TEXT, given, target_of, tokenizer
from tests.bench.small_models import small_model

COLUMN = "written"
WORDS, TOKEN = 30, 2
CLOSE = 1e-4


class Headed(nn.Module):
    """A model with an output layer behind its last state; it is called as the model is."""

    def __init__(self, model: nn.Module, width: int):
        super().__init__()
        self.model, self.config = model, model.config
        self.output = nn.Linear(width, WORDS)

        @wraps(model.forward)
        def forward(*args, **kwargs):
            return self.output(self.model(*args, **kwargs)[0])

        self.forward = forward

    def __getattr__(self, name: str):
        """What it has no own of is the model's."""
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("model"), name)


def examine(model_type: str) -> dict:
    """The column of the table."""
    try:
        return {"type": model_type, COLUMN: f"{left_over(model_type):.0e}"}
    except Exception as error:
        return {"type": model_type, COLUMN: words(error)}


def left_over(model_type: str) -> float:
    """What of a difference of two logits no part wrote, as a share of the largest logit."""
    model = small_model(model_type)
    target = target_of(model)
    width = run(model, given(model, target))[0].shape[-1]
    headed = Headed(model, width).eval()
    opened = machine_model(headed, tokenizer(), TEXT, target=target)
    anatomy, values = anatomy_of(opened.graph), opened.run(TEXT).values
    place = opened.anatomy["logits"]
    rows = rows_of(place, values[place["node"]])  # one alone where logits are of the text
    row = rows[min(TOKEN, len(rows) - 1)]
    plus, less = row.topk(2).indices.tolist()
    parts = written(opened.graph, anatomy, values, TOKEN, plus, less)
    blocks = {one.block for one in parts if one.value} - {None}
    silent = {block.number for block in anatomy.streams[-1].blocks} - blocks
    assert not silent, f"nothing of block {min(silent)} writes"
    named = sum(one.value for one in parts if one.kind != "rest")
    return abs(named - (row[plus] - row[less]).item()) / row.abs().max().item()


def close(told: str) -> bool:
    """Whether nearly nothing was left."""
    try:
        return float(told) <= CLOSE
    except ValueError:
        return False


def main(types: list[str]) -> None:
    """Print the rows asked for, or write the column."""
    rows = causes.table()
    for row in sweep(types or rows, examine, at_once=1):
        rows[row["type"]][COLUMN] = row.get(COLUMN) or row["why"]
        if types or not close(rows[row["type"]][COLUMN]):
            print(row, flush=True)
        if not types:
            causes.write(list(rows.values()))
    told = [row[COLUMN] for row in rows.values() if row.get(COLUMN)]
    print(f"written: of {len(told)} the parts of {sum(map(close, told))} sum, within {CLOSE:.0e}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
