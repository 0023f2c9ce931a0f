"""Train the nets of notebook 06 on the noisy counter: wirings, contexts and forcing schedules.

Run `python notebooks/studies/06_forcing.py`; it writes 06_forcing.csv (what each net learns, at
the best of three learning rates), 06_exposure.csv (how the net with both arrows reads its own
text) and 06_output_recurrence.csv (what a training step costs) beside itself.
"""

import csv
import math
import platform
import time
from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv

SETTINGS = {"length": 12, "batch": 64, "glitch": 0.1, "hidden_size": 48, "steps": 800}
FORCINGS = ("0", "0.25", "0.5", "0.75", "1", "annealed")
RATES, SEEDS = (0.003, 0.01, 0.03), range(3)
LENGTHS = (12, 48, 192)
EXPOSED, EXPOSURE_RATE, EXPOSURE_SEEDS, SEQUENCES = FORCINGS[:5], 0.01, range(5), 20_000
START = 10


class Writer(nn.Module):
    """A net that reads the symbol before and the context, and may have one arrow cut."""

    def __init__(self, wiring: str, context: str = "every step"):
        super().__init__()
        self.wiring, self.context = wiring, context
        self.rnn = sv.nn.RNN(11 + 3, SETTINGS["hidden_size"])
        self.output = nn.Linear(SETTINGS["hidden_size"], 10)
        if wiring == "output":
            self.rnn.weight_hh_l0.requires_grad_(False).zero_()

    def forward(self, before, steps, h=None):
        """Symbols before (time, batch) and steps (batch,) to scores (time, batch, 10)."""
        told = F.one_hot(steps - 1, 3).expand(*before.shape, 3)
        if self.context == "step 0":
            told = told * (before == START).unsqueeze(-1)
        if self.wiring == "hidden":
            before = torch.full_like(before, START)
        x = torch.cat([F.one_hot(before, 11), told], dim=-1).float()
        if self.wiring == "output":  # no arrow from step to step: all times at once
            b = self.rnn.bias_ih_l0 + self.rnn.bias_hh_l0
            return self.output(torch.tanh(F.linear(x, self.rnn.weight_ih_l0, b))), h
        states, h = self.rnn(x, h)
        return self.output(states), h

    def step(self, before, steps, h):
        """One time: before (batch,) to scores (batch, 10)."""
        scores, h = self(before.unsqueeze(0), steps, h)
        return scores[0], h


def roll(step, steps, symbols, ratio):
    """Give the true symbol with probability `ratio`, else the net's own draw; the first is true."""
    before, state = torch.full_like(steps, START), None
    scores, fed = [], []
    for t, true in enumerate(symbols):
        z, state = step(before, steps, state)
        own = z.detach().softmax(dim=-1).multinomial(1)[:, 0]
        forced = torch.rand(len(true)) < (ratio if t > 0 else 1.0)
        before = torch.where(forced, true, own)
        scores.append(z)
        fed.append(before)
    return torch.stack(scores), torch.stack(fed)


def forced(model, steps, symbols):
    """Scores with every true symbol given: one call."""
    before = torch.cat([torch.full_like(symbols[:1], START), symbols[:-1]])
    return model(before, steps)[0]


def perfect(before, steps, state=None):
    """The reader that knows the rule: symbols before (batch,) to log-probabilities (batch, 10)."""
    glitch = SETTINGS["glitch"]
    t, votes = state or (0, torch.zeros(len(before), 10))
    if t > 0:
        votes = votes + F.one_hot((before - (t - 1) * steps) % 10, 10)
    belief = (votes * math.log((1 - glitch) / (glitch / 9))).softmax(dim=1)
    p = (1 - glitch) * belief + glitch / 9 * (1 - belief)
    starts = (torch.arange(10) - t * steps[:, None]) % 10
    return p.gather(1, starts).log(), (t + 1, votes)


def trained(wiring: str, context: str, forcing: str, lr: float, seed: int) -> tuple:
    """A net, trained once, and its history."""
    length, batch, glitch = SETTINGS["length"], SETTINGS["batch"], SETTINGS["glitch"]
    batches = [sv.data.counter(length, batch, glitch, seed=k) for k in range(300)]
    torch.manual_seed(seed)
    model = Writer(wiring, context)
    ratio = 1.0 if forcing == "annealed" else float(forcing)

    def loss(model, data):
        steps, symbols, _ = data
        if forcing == "1":
            scores = forced(model, steps, symbols)
        else:
            scores, _ = roll(model.step, steps, symbols, ratio)
        return F.cross_entropy(scores.flatten(0, 1), symbols.flatten())

    def anneal(step, _):
        nonlocal ratio
        if forcing == "annealed":
            ratio = 1 - step / SETTINGS["steps"]

    history = sv.training.fit(
        model,
        loss,
        batches,
        SETTINGS["steps"],
        lr=lr,
        clip_norm=1.0,
        progress=False,
        on_step=anneal,
    )
    return model, history


def row(wiring: str, context: str, forcing: str, lr: float, seed: int) -> dict:
    """Train once; measure with the truth given and running free, on 2,000 unseen counters."""
    began = time.perf_counter()
    model, history = trained(wiring, context, forcing, lr, seed)
    length, glitch = SETTINGS["length"], SETTINGS["glitch"]
    steps, symbols, counts = sv.data.counter(length, 2000, glitch, seed=1_000_000)
    with torch.no_grad():
        given = forced(model, steps, symbols)
        free, fed = roll(model.step, steps, symbols, 0.0)
    log_p = given.log_softmax(dim=-1).gather(-1, symbols.unsqueeze(-1)).sum(dim=0).mean()
    goes_on = ((fed[2:] - fed[1:-1]) % 10 == steps).float().mean()
    by_step = {
        name: (scores.argmax(dim=-1) != counts).float().mean(dim=1)[1:]
        for name, scores in (("given", given), ("free", free))
    }
    return {
        "wiring": wiring,
        "context": context,
        "forcing": forcing,
        "lr": lr,
        "seed": seed,
        **SETTINGS,
        "training_loss": f"{sum(history.loss[-100:]) / 100:.4f}",
        "log_likelihood": f"{log_p.item():.3f}",
        "goes_on": f"{goes_on.item():.4f}",
        **{name: f"{errors.mean().item():.4f}" for name, errors in by_step.items()},
        **{
            f"{name}_by_step": " ".join(f"{e:.4f}" for e in errors.tolist())
            for name, errors in by_step.items()
        },
        "seconds": f"{time.perf_counter() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def exposure(forcing: str, seed: int) -> dict:
    """Train once; measure how far it is from the perfect reader on three texts, in nats a step."""
    began = time.perf_counter()
    model, _ = trained("both", "every step", forcing, EXPOSURE_RATE, seed)
    length, glitch = SETTINGS["length"], SETTINGS["glitch"]
    steps, symbols, counts = sv.data.counter(length, SEQUENCES, glitch, seed=2_000_000)
    with torch.no_grad():
        scores, own = roll(model.step, steps, symbols, 0.0)
        wrong = (scores.argmax(dim=-1) != counts).float().mean(dim=1)[1:]
        texts = {"data": symbols, "perfect": roll(perfect, steps, symbols, 0.0)[1], "own": own}
        kl = {}
        for name, text in texts.items():
            best, _ = roll(perfect, steps, text, 1.0)  # log-probabilities
            ours = forced(model, steps, text).log_softmax(dim=-1)
            kl[f"kl_{name}"] = f"{(best.exp() * (best - ours)).sum(dim=-1).mean().item():.4f}"
    return {
        "wiring": "both",
        "context": "every step",
        "forcing": forcing,
        "lr": EXPOSURE_RATE,
        "seed": seed,
        **SETTINGS,
        "sequences": SEQUENCES,
        **kl,
        "free_by_step": " ".join(f"{e:.4f}" for e in wrong.tolist()),
        "seconds": f"{time.perf_counter() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def cost(wiring: str, way: str, length: int, repeats: int = 7) -> dict:
    """Milliseconds of processor time of a training step (forward, backward), the best of some."""
    torch.manual_seed(0)
    model = Writer(wiring)
    steps, symbols, _ = sv.data.counter(length, SETTINGS["batch"], SETTINGS["glitch"])
    times = []
    for _ in range(repeats):
        began = time.process_time()
        if way == "one call":
            scores = forced(model, steps, symbols)
        else:
            scores, _ = roll(model.step, steps, symbols, 1.0)
        F.cross_entropy(scores.flatten(0, 1), symbols.flatten()).backward()
        times.append(time.process_time() - began)
    return {
        "wiring": wiring,
        "way": way,
        "length": length,
        "batch": SETTINGS["batch"],
        "hidden_size": SETTINGS["hidden_size"],
        "seed": 0,
        "milliseconds": f"{1000 * min(times):.3f}",
        "seconds": f"{sum(times):.3f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def grid() -> list[tuple[str, str, str]]:
    """Wiring, context and forcing of each net that is trained."""
    return [
        *product(("both", "output"), ("every step",), FORCINGS),
        ("hidden", "every step", "1"),
        *product(("both", "output"), ("step 0",), ("1",)),
    ]


def best_rate(wiring: str, context: str, forcing: str) -> list[dict]:
    """A net at each learning rate and seed: the rows of the rate with the lowest training loss."""
    by_rate = [[row(wiring, context, forcing, lr, seed) for seed in SEEDS] for lr in RATES]
    return min(by_rate, key=lambda rows: sum(float(row["training_loss"]) for row in rows))


def write(name: str, rows: list[dict]) -> None:
    """Write a table beside this file."""
    path = Path(__file__).with_name(name)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


def main() -> None:
    """Write the tables."""
    sv.setup(seed=0)
    ways = product(("output", "both"), ("one call", "loop"), LENGTHS)
    write("06_output_recurrence.csv", [cost(*way) for way in ways])
    write("06_exposure.csv", [exposure(*net) for net in product(EXPOSED, EXPOSURE_SEEDS)])
    write("06_forcing.csv", [row for net in grid() for row in best_rate(*net)])


if __name__ == "__main__":
    main()
