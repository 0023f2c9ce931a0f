"""Train small models of melodies again and again: which of them goes on with a motif?

All read `sv.data.motifs(notes=21)`, 64 events each, and say the next event at each place. Counted
are the notes of a return from its third on: is the likeliest event the right key? Asked in new
melodies of 21, 42 and 84 notes, and in the control, whose returns are new motifs.

Run `python notebooks/studies/13_positions.py`; it writes 13_positions.csv beside itself, a row for
each training, as they come; runs that are there are kept.
"""

import csv
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import seqviz as sv

NET = {"width": 64, "layers": 2, "heads": 2, "units": 128, "reach": 16}
TRAINING = {"notes": 21, "batch": 16, "lr": 5e-3, "warmup": 100}
STEPS = {"same pitches": 800, "moved": 2500}  # of half-tones: none, or up to five
KINDS = {
    "relative": {},
    "sinusoids": {},
    "learned": {},
    "none": {},
    "LSTM": {},
    "LSTM, 4 x the steps": {"longer": 4},
    "relative, reach 3": {"reach": 3},
    "relative, reach 252": {"reach": 252},
}
MOVED = ("relative", "sinusoids")
RUNS = [(task, kind) for task in STEPS for kind in KINDS if task == "same pitches" or kind in MOVED]
SEEDS = range(3)
LENGTHS = (21, 42, 84)  # notes
TESTED = 200  # melodies of each length
VOCABULARY = sv.data.Vocabulary(
    sorted({event for melody in sv.data.motifs(100) for event in melody.events})
)
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


class Transformer(nn.Module):
    """Layers under a causal mask: positions as vectors of their own, as distances, or none."""

    def __init__(self, kind: str, options: dict):
        super().__init__()
        V, width = len(VOCABULARY), options["width"]
        self.events = nn.Embedding(V, width)
        places = 3 * LENGTHS[-1] + 1
        self.positions = nn.Identity()
        if kind == "sinusoids":
            self.positions = sv.nn.SinusoidalPositions(places, width)
        elif kind == "learned":
            self.positions = sv.nn.LearnedPositions(places, width)
        reach = options["reach"] if kind.startswith("relative") else None
        sizes = (width, options["heads"], options["units"], 0.0)
        more = {"batch_first": True, "norm_first": True, "relative": reach}
        self.layers = nn.ModuleList(
            sv.nn.TransformerEncoderLayer(*sizes, **more) for _ in range(options["layers"])
        )
        self.norm = nn.LayerNorm(width)
        self.output = nn.Linear(width, V)

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (batch, time) to logits of each next event (batch, time, event)."""
        x, mask = self.positions(self.events(ids)), sv.nn.causal_mask(ids.shape[1])
        for layer in self.layers:
            x = layer(x, mask)
        return self.output(self.norm(x))


class PerformanceRNN(nn.Module):
    """An LSTM, twice as wide: about as many weights."""

    def __init__(self, options: dict):
        super().__init__()
        width = options["width"]
        self.events = nn.Embedding(len(VOCABULARY), width)
        self.lstm = nn.LSTM(width, 2 * width, batch_first=True)
        self.output = nn.Linear(2 * width, len(VOCABULARY))

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (batch, time) to logits of each next event (batch, time, event)."""
        return self.output(self.lstm(self.events(ids))[0])


def encoded(melodies: list) -> Tensor:
    """Melodies as ids, (melody, time)."""
    return torch.stack([VOCABULARY.encode(melody.events) for melody in melodies])


@torch.no_grad()
def hits(model: nn.Module, melodies: list) -> list[tuple[int, bool]]:
    """Of each note that a return's first two tell: its place, and whether the model names it."""
    ids = encoded(melodies)
    right = model(ids[:, :-1]).argmax(-1) == ids[:, 1:]
    return [  # note k goes down at event 1 + 3 k
        (k, right[m, 3 * k].item()) for m, melody in enumerate(melodies) for k in melody.continued
    ]


def share(found: list[tuple[int, bool]], first: int = 0) -> float:
    """The share of right ones from note `first` on."""
    kept = [right for k, right in found if k >= first]
    return sum(kept) / len(kept)


def options_of(task: str, kind: str) -> dict:
    """The settings of a training."""
    options = NET | TRAINING | {"steps": STEPS[task], "longer": 1} | KINDS[kind]
    return options | {"steps": options["steps"] * options["longer"]}


def trained(task: str, kind: str, seed: int) -> nn.Module:
    """A model, trained on melodies of 21 notes."""
    options = options_of(task, kind)
    steps, size, warmup = options["steps"], options["batch"], options["warmup"]
    melodies = sv.data.motifs(
        steps * size, seed=seed, notes=options["notes"], transposed=task == "moved"
    )
    torch.manual_seed(seed)
    model = PerformanceRNN(options) if kind.startswith("LSTM") else Transformer(kind, options)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options["lr"], fused=True)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda k: min((k + 1) / warmup, (steps - k) / (steps - warmup))
    )

    def loss(model: nn.Module, ids: Tensor) -> Tensor:
        return F.cross_entropy(model(ids[:, :-1]).mT, ids[:, 1:])

    sv.training.fit(
        model,
        loss,
        encoded(melodies).split(size),
        steps,
        optimizer=optimizer,
        clip_norm=1.0,
        progress=False,
        on_step=lambda *_: rate.step(),
    )
    return model.eval()


def row_of(task: str, kind: str, seed: int) -> dict:
    """Train once and ask."""
    began = time.process_time()
    model = trained(task, kind, seed)
    seconds, moved = time.process_time() - began, task == "moved"
    row = {"task": task, "kind": kind, "seed": seed}
    for notes in LENGTHS:
        new = sv.data.motifs(TESTED, seed=10_000, notes=notes, transposed=moved)
        found = hits(model, new)
        row[f"{notes} notes"] = f"{share(found):.4f}"
        if notes > LENGTHS[0]:
            row[f"{notes} notes, beyond 21"] = f"{share(found, LENGTHS[0]):.4f}"
    control = sv.data.motifs(TESTED, seed=10_000, control=True, notes=42, transposed=moved)
    row["control"] = f"{share(hits(model, control)):.4f}"
    row["weights"] = sum(weight.numel() for weight in model.parameters())
    return row | {"seconds": f"{seconds:.1f}"} | options_of(task, kind) | VERSIONS


def write(path: Path, table: list[dict]) -> None:
    """Write the rows, those of a task side by side."""
    table.sort(key=lambda row: (RUNS.index((row["task"], row["kind"])), int(row["seed"])))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def main() -> None:
    """Write the runs that the table does not have yet."""
    torch.set_num_threads(1)
    path, table = Path(__file__).with_suffix(".csv"), []
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
    done = {(row["task"], row["kind"], int(row["seed"])) for row in table}
    for seed in SEEDS:
        for task, kind in RUNS:
            if (task, kind, seed) not in done:
                table.append(row_of(task, kind, seed))
                print(*[*table[-1].values()][:9], table[-1]["seconds"], flush=True)
                write(path, table)


if __name__ == "__main__":
    main()
