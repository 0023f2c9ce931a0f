"""Which architectures of transformers open in one line of `sv.explore`?

`python -m tests.bench.exploring` builds each of them small, with random weights, opens it with a
tokenizer of 30 words, and looks for the maps that it gives itself (an eager copy, the same
arguments, `output_attentions=True`) among those that the view shows. The table is `exploring.csv`.
What opens is written as a page that answers, and opened in `sv.machine`: see `answering.py` and
`anatomies.py` for these columns.
`python -m tests.bench.exploring bert t5` prints these two, `--table PATH` writes elsewhere.
"""

import csv
import sys
import warnings
from collections import Counter
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, pre_tokenizers

import seqviz as sv
from seqviz.running import caller_of
from seqviz.running.calling import parameters_of
from seqviz.views.attention.widget import AttentionExplorer
from tests.bench import anatomies, answering
from tests.bench.architectures import equal, missing_in, own_maps, report, run, words
from tests.bench.small_models import small_model

TABLE = Path(__file__).with_suffix(".csv")
COLUMNS = [
    "type",
    "class",
    "outcome",
    "own",
    "found",
    "shown",
    "why",
    *answering.COLUMNS,
    *anatomies.COLUMNS,
]
OPEN, PART, ALONE = "open", "part", "open, gives no maps to compare"
NO_TEXT, NO_MAPS, FAILS = "reads no text", "never attends", "does not open"
NEEDS_MORE = "does not run on a text alone"
UNBUILT = "cannot be built small"
OUTCOMES = [OPEN, ALONE, PART, FAILS, NO_MAPS, NEEDS_MORE, NO_TEXT, UNBUILT]
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
TEXT = "w9 w5 w17 w8 w5 w29 w11 w6 w20 w21 w14 w7 w8 w10 w28 w13"
TARGET = "w7 w25 w6 w6 w12 w19 w9"


def tokenizer() -> Tokenizer:
    """Words w5 to w29, with these ids; no marks are put around them."""
    known = {name: k for k, name in enumerate([*MARKS, *(f"w{k}" for k in range(5, 30))])}
    made = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return made


def examine(model_type: str) -> dict:
    """A row of the table."""
    row = {"type": model_type}
    try:
        model = small_model(model_type)
    except Exception as error:
        return row | {"outcome": UNBUILT, "why": words(error)}
    row["class"] = type(model).__name__
    target = target_of(model)
    try:
        maps = maps_shown(model, target)
    except Exception as error:
        return row | {"outcome": not_open(model, target, str(error)), "why": words(error)}
    row["shown"] = len(maps)
    try:
        eager = small_model(model_type, attn_implementation="eager")
        eager.load_state_dict(model.state_dict())
        own, output = own_maps(eager, given(eager, target))
        missing = missing_in(own, maps)
        if missing and not equal(run(model, given(model, target)), output):
            missing = missing_in(own, maps_shown(eager, target))
            row["why"] = "the eager model was opened: it gives other numbers than the plain one"
    except Exception as error:
        return row | {"outcome": ALONE, "why": words(error)}
    row |= {"own": len(own), "found": len(own) - len(missing)}
    if missing:
        row["why"] = f"not shown: {', '.join(f'{p} {tuple(a.shape)}' for p, a in missing.items())}"
    return row | {"outcome": PART if missing else OPEN if own else ALONE}


def examine_with_answers(model_type: str) -> dict:
    """A row of the table, with what becomes of a page that answers."""
    row = examine(model_type)
    if "shown" not in row:
        return row
    model = small_model(model_type)
    answers = answering.answers(view_of(model, target_of(model)))
    return row | answers | anatomy_in(model)


def machine_of(model_type: str) -> dict:
    """The columns of its anatomy alone."""
    return {"type": model_type} | anatomy_in(small_model(model_type))


def anatomy_in(model: torch.nn.Module) -> dict:
    """How a model's parts are read."""
    return anatomies.read(model, tokenizer(), TEXT, target=target_of(model))


def target_of(model: torch.nn.Module) -> str | None:
    """What the decoder reads, if there is one."""
    return TARGET if "decoder_input_ids" in parameters_of(model) else None


def view_of(model: torch.nn.Module, target: str | None) -> AttentionExplorer:
    """A model in one line."""
    return sv.explore(model, tokenizer(), TEXT, target=target)


def maps_shown(model: torch.nn.Module, target: str | None) -> list[torch.Tensor]:
    """The layers that the view of a model holds."""
    view = view_of(model, target)
    return [torch.tensor(layer)[None] for kind in view.kinds.values() for layer in kind.layers]


def given(model: torch.nn.Module, target: str | None) -> dict:
    """The arguments with which `sv.explore` calls a model."""
    return caller_of(model, tokenizer(), None, None, target)[0](TEXT).arguments


def not_open(model: torch.nn.Module, target: str | None, message: str) -> str:
    """What a refusal says, and whether the model runs on these arguments by itself."""
    known = {"not the ids of a text": NO_TEXT, "never attends": NO_MAPS}
    for part, outcome in known.items():
        if part in message:
            return outcome
    try:
        run(model, given(model, target))
    except Exception:
        return NEEDS_MORE
    return FAILS


def in_one_line(rows: list[dict]) -> str:
    """How many open of the architectures that run on a text and attend."""
    counts = Counter(row["outcome"] for row in rows)
    of = sum(counts[outcome] for outcome in (OPEN, ALONE, PART, FAILS))
    return (
        f"{of - counts[FAILS]} of {of} open in one line, {counts[OPEN]} with all maps that the "
        f"model gives itself, within 1e-5; {counts[PART]} show a part of them"
    )


def table(path: Path = TABLE) -> dict[str, dict]:
    """The rows of the table, by type."""
    with path.open(newline="", encoding="utf-8") as file:
        return {row["type"]: row for row in csv.DictReader(file)}


def main(types: list[str], path: Path = TABLE) -> None:
    """Print the rows asked for, or write the table."""
    rows = report(types, examine_with_answers, OUTCOMES, (PART, FAILS))
    print(in_one_line(rows))
    print(answering.sums(rows))
    print(anatomies.sums(rows))
    if not types:
        write(rows, path)


def write(rows: list[dict], path: Path) -> None:
    """Write the table."""
    with path.open("w", newline="", encoding="utf-8") as file:
        written = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        written.writeheader()
        written.writerows(sorted(rows, key=lambda row: row["type"]))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--table"]:
        main([], Path(sys.argv[2]))
    else:
        main(sys.argv[1:])
