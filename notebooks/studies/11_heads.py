"""Train the small language models of notebook 11 on lines that repeat, and name their heads.

A line is a random piece of 4 to 12 symbols, written again and again. From the second copy on,
the next symbol can be known: find where this symbol stood before, and read what followed. Six
variants, three seeds each; a variant differs from the first in the one thing that it says.

Run `python notebooks/studies/11_heads.py`; it writes 11_heads.csv (a row for each head of each
net, and one for the net whole) beside itself.
"""

import csv
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import seqviz as sv

NET = {"d_model": 64, "nhead": 2, "num_layers": 2, "dim_feedforward": 128, "norm_first": True}
NET |= {"positions": "sinusoidal"}
VARIANTS = {
    "two layers": {},
    "one layer": {"num_layers": 1},
    "four heads": {"nhead": 4},
    "post-norm": {"norm_first": False},
    "learned positions": {"positions": "learned"},
    "no positions": {"positions": "none"},
}
SYMBOLS, LENGTH, SHORTEST = 40, 24, 4
TRAINING = {"batch": 32, "steps": 1000, "lr": 6e-3}
SEEDS = range(3)
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


class Repeater(nn.Module):
    """A language model of attention alone: embedding, positions, causal layers, logits."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        num_layers: int,
        dim_feedforward: int,
        norm_first: bool,
        positions: str,
    ):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS, d_model)
        tables = {"sinusoidal": sv.nn.SinusoidalPositions, "learned": sv.nn.LearnedPositions}
        self.positions = (
            tables[positions](LENGTH, d_model) if positions in tables else nn.Identity()
        )
        layer = sv.nn.TransformerEncoderLayer(
            d_model, nhead, dim_feedforward, dropout=0, batch_first=True, norm_first=norm_first
        )
        self.encoder = sv.nn.TransformerEncoder(layer, num_layers, nn.LayerNorm(d_model))
        for weight in self.encoder.parameters():
            if weight.dim() > 1:  # each layer its own start
                nn.init.xavier_uniform_(weight)
        self.output = nn.Linear(d_model, SYMBOLS)

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (batch, time) to logits (batch, time, symbol)."""
        x = self.positions(self.embedding(ids))
        return self.output(self.encoder(x, mask=sv.nn.causal_mask(ids.shape[1])))


def lines(batch: int) -> tuple[Tensor, Tensor]:
    """Lines (batch, LENGTH) and the length of the piece that each repeats (batch, 1)."""
    period = torch.randint(SHORTEST, LENGTH // 2 + 1, (batch, 1))
    pieces = torch.randint(SYMBOLS, (batch, LENGTH // 2))
    return pieces.gather(1, torch.arange(LENGTH) % period), period


def known(period: Tensor) -> Tensor:
    """Where the next symbol can be known (batch, LENGTH - 1): from the second copy on."""
    return torch.arange(LENGTH - 1) >= period


def loss(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Cross-entropy where the next symbol can be known."""
    ids, period = batch
    where = known(period)
    return F.cross_entropy(model(ids)[:, :-1][where], ids[:, 1:][where])


class Lines:
    """New lines at each step."""

    def __iter__(self):
        while True:
            yield lines(TRAINING["batch"])


@torch.no_grad()
def accuracy(model: nn.Module, ids: Tensor, period: Tensor) -> float:
    """Share of next symbols that are right, where they can be known."""
    where = known(period)
    right = model(ids)[:, :-1].argmax(dim=-1) == ids[:, 1:]
    return right[where].double().mean().item()


def head_scores(alpha: Tensor, period: Tensor) -> tuple[Tensor, Tensor]:
    """Previous-token and induction score of each head, from alpha (batch, head, query, key).

    The first is the mean weight on the position before, the second the mean weight, where the
    next symbol can be known, on the positions that follow an earlier copy of this symbol.
    """
    t = torch.arange(LENGTH)
    previous = alpha[:, :, t[1:], t[:-1]].mean(dim=(0, 2))
    distance = t.unsqueeze(1) - t  # (query, key)
    after_copy = ((distance + 1) % period.unsqueeze(2) == 0) & (distance >= 0)
    where = (t >= period).double()  # (batch, query)
    weight = (alpha * after_copy.unsqueeze(1)).sum(dim=3)  # (batch, head, query)
    induction = (weight * where.unsqueeze(1)).sum(dim=(0, 2)) / where.sum()
    return previous, induction


def measured(model: nn.Module, ids: Tensor, period: Tensor) -> list[dict]:
    """The two scores of each head, and the accuracy when it is silenced."""
    with sv.record(model) as rec, torch.no_grad():
        model(ids)
    heads = []
    for layer, (path, (alpha,)) in enumerate(rec.attention.items()):
        scores = head_scores(torch.tensor(alpha.values).double(), period)
        for head, (previous, induction) in enumerate(zip(*scores, strict=True)):
            with sv.ablate(model, layer=path, head=head):
                without = accuracy(model, ids, period)
            heads.append(
                {
                    "layer": layer,
                    "head": head,
                    "previous": f"{previous.item():.4f}",
                    "induction": f"{induction.item():.4f}",
                    "accuracy_without": f"{without:.4f}",
                }
            )
        with sv.ablate(model, layer=path, head=range(model.encoder.layers[0].self_attn.num_heads)):
            without = accuracy(model, ids, period)
        heads.append({"layer": layer, "head": "all", "accuracy_without": f"{without:.4f}"})
    return heads


def trained(variant: str, seed: int) -> tuple[nn.Module, sv.training.History]:
    """A net of a variant, and the history of its training."""
    torch.manual_seed(seed)
    model = Repeater(**NET | VARIANTS[variant])
    steps = TRAINING["steps"]
    history = sv.training.fit(
        model, loss, Lines(), steps, lr=TRAINING["lr"], clip_norm=1.0, progress=False
    )
    return model.eval(), history


def rows(variant: str, seed: int) -> list[dict]:
    """Train once and measure: a row for the net, and one for each head."""
    began = time.process_time()
    model, history = trained(variant, seed)
    seconds = time.process_time() - began
    torch.manual_seed(1000)
    test = lines(256)
    shared = {"variant": variant, "seed": seed, **NET, **VARIANTS[variant], **TRAINING}
    net = {
        "loss": f"{sum(history.loss[-50:]) / 50:.4f}",
        "accuracy": f"{accuracy(model, *test):.4f}",
        "seconds": f"{seconds:.1f}",
    }
    columns = ("layer", "head", "previous", "induction", "accuracy_without")
    empty = dict.fromkeys(columns, "")
    found = [shared | empty | one | net | VERSIONS for one in measured(model, *test)]
    return [shared | empty | net | VERSIONS, *found]


def main() -> None:
    """Write the table."""
    sv.setup(seed=0)
    table, path = [], Path(__file__).with_suffix(".csv")
    for variant in VARIANTS:
        for seed in SEEDS:
            table += (new := rows(variant, seed))
            print(variant, seed, new[0]["accuracy"], new[0]["seconds"], flush=True)
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, table[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(table)


if __name__ == "__main__":
    main()
