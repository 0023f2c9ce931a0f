"""Train the two readers that notebook 04 loads: an LSTM and a GRU of twelve units, on `quotes`.

Each says at every word whether it is inside or outside of quotation marks, and at the end who spoke
first. Run `python notebooks/studies/04_readers.py FOLDER` (some three seconds); it writes
FOLDER/model.safetensors and prints the figures of its datasheet.
"""

import argparse
import json
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor, nn

import seqviz as sv

ANSWERS = sv.data.Vocabulary(["outside", "inside", "Anna", "Ben", "Cora", "Dan"])
UNITS, BATCH, RATE = 12, 60, 0.02
STEPS = {"LSTM": 200, "GRU": 250}

quotes = sv.data.load("quotes")
WORDS = sv.data.Vocabulary(sorted({word for talk in quotes.train for word in talk.words}))


class Reader(nn.Module):
    """A recurrent cell, and a linear layer that answers at each word."""

    def __init__(self, cell: nn.Module):
        super().__init__()
        self.cell = cell
        self.output = nn.Linear(cell.hidden_size, len(ANSWERS))

    def forward(self, x: Tensor) -> Tensor:
        """Read words one-hot (time, talk, word), give scores (time, talk, answer)."""
        states, self.last = self.cell(x)
        return self.output(states)


def tensors(talks: list) -> tuple[Tensor, Tensor]:
    """Words one-hot (time, talk, word), right answers (time, talk)."""
    ids = torch.stack([WORDS.encode(talk.words) for talk in talks], dim=1)
    right = torch.stack([ANSWERS.encode(talk.labels) for talk in talks], dim=1)
    return F.one_hot(ids, len(WORDS)).float(), right


def started(kind: str, keep: float, closed: bool) -> nn.Module:
    """A cell whose keeping gate starts at bias `keep`; of an LSTM, i nearly closed if `closed`."""
    cell = getattr(sv.nn, kind)(len(WORDS), UNITS)
    nn.init.constant_(cell.bias_ih_l0[UNITS : 2 * UNITS], keep)
    nn.init.zeros_(cell.bias_hh_l0[UNITS : 2 * UNITS])
    if closed and kind == "LSTM":
        nn.init.constant_(cell.bias_ih_l0[:UNITS], -2.0)
    return cell


def train(kind: str, keep: float = 3.0, closed: bool = True, price: float = 0.1) -> Reader:
    """Train a reader; `price` weighs the mean square of the last c of an LSTM in the loss."""
    torch.manual_seed(0)
    reader = Reader(started(kind, keep, closed))
    starts = range(0, len(quotes.train), BATCH)
    batches = [tensors(quotes.train[start : start + BATCH]) for start in starts]

    def loss(model, batch):
        x, right = batch
        scores = model(x)
        total = F.cross_entropy(scores.flatten(0, 1), right.flatten())
        total = total + F.cross_entropy(scores[-1], right[-1])  # one word in 26 asks who
        if kind == "LSTM":
            total = total + price * model.last[1].square().mean()
        return total

    sv.training.fit(reader, loss, batches, STEPS[kind], lr=RATE, clip_norm=1.0, progress=False)
    return reader


@torch.no_grad()
def right_answers(reader: Reader, talks: list) -> tuple[float, float]:
    """Share of right answers: who began, inside or outside."""
    x, right = tensors(talks)
    hits = (reader(x).argmax(dim=-1) == right).float()
    return hits[-1].mean().item(), hits[:-1].mean().item()


def main() -> None:
    """Train both, save them, and print what the datasheet says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    torch.set_num_threads(1)
    weights = {}
    for kind in STEPS:
        reader = train(kind)
        weights |= {f"{kind}.{name}": value for name, value in reader.state_dict().items()}
        for part in ("val", "test"):
            who, inside = right_answers(reader, getattr(quotes, part))
            print(f"{kind}, {part}: who {who:.3f}, inside or outside {inside:.3f}")
    sizes = {"input_size": len(WORDS), "hidden_size": UNITS}
    about = {"vocabulary": json.dumps(WORDS.tokens), "sizes": json.dumps(sizes)}
    save_file(weights, folder / "model.safetensors", metadata=about)
    print(len(weights), "tensors,", sum(value.numel() for value in weights.values()), "numbers")


if __name__ == "__main__":
    main()
