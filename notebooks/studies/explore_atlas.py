"""What the 72 heads of a real pretrained encoder do over 1,000 sentences, and a control.

The encoder is all-MiniLM-L6-v2 (6 layers of 12 heads, BERT's architecture), the sentences are the
first 1,000 of the training part of SST-2, film reviews. The control is the same net with the
numbers of each of its weights in another order, over the first 200: there no kind is to be found.

Run `python notebooks/studies/explore_atlas.py`; it writes beside itself explore_atlas.npz, which
`sv.view.atlas` shows, and explore_atlas.csv, a row for each head of both nets.
"""

import csv
import platform
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import nn

import seqviz as sv
from seqviz.nn.weight_files import find_vocabulary

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
SENTENCES = {"trained": 1000, "shuffled": 200}
SEED = 0
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


def shuffled(net: nn.Module, seed: int) -> nn.Module:
    """The net with the numbers of each weight in another order."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in net.parameters():
            order = torch.randperm(weight.numel(), generator=draw)
            weight.copy_(weight.flatten()[order].view_as(weight))
    return net


def rows(name: str, view, seconds: float) -> Iterator[dict]:
    """A row for each head, and one for an even spread of the weights."""
    header, *table = view.table()
    for row in table:
        scores = {
            column: f"{value:.4f}" if isinstance(value, float) else value
            for column, value in zip(header, row, strict=True)
        }
        counted = {column: text for column, text in scores.items() if column.startswith("most")}
        scores |= {column: text.split(".")[0] for column, text in counted.items()}
        sentences = view.found.told["sentences"]
        yield {"net": name, **scores, "sentences": sentences, "seed": SEED} | {
            "seconds": f"{seconds:.0f}",
            "model": MODEL,
            **VERSIONS,
        }


def main() -> None:
    """Write both files."""
    sv.setup(seed=SEED)
    pieces = sv.data.WordPiece.from_vocab(find_vocabulary(MODEL))
    texts = [review.text for review in sv.data.load("sst2").train[: max(SENTENCES.values())]]
    path, written = Path(__file__), []
    for name, count in SENTENCES.items():
        net = sv.nn.BERT.from_pretrained(MODEL)
        net = net if name == "trained" else shuffled(net, SEED)
        began = time.perf_counter()
        view = sv.atlas(net, pieces, texts[:count])
        written += rows(name, view, time.perf_counter() - began)
        if name == "trained":
            view.save(path.with_suffix(".npz"))
    with path.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, written[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(written)


if __name__ == "__main__":
    main()
