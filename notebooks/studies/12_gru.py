"""Give the translator of notebook 08 the steps of notebook 12's longest trainings, three seeds.

All else is as in 08_scores.py, whose functions train and measure it.

Run `python notebooks/studies/12_gru.py`; it writes 12_gru.csv beside itself, a row for each net.
Rows that are there are kept.
"""

import csv
import importlib.util
from pathlib import Path

import seqviz as sv

HERE = Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("scores_study", HERE / "08_scores.py")
SCORES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(SCORES)
SCORES.TRAINING["steps"] = 2700  # of "longer" in 12_tricks.py
SEEDS = range(3)


def main() -> None:
    """Write the rows that are not there yet."""
    sv.setup(seed=0)
    path, rows = Path(__file__).with_suffix(".csv"), []
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    for seed in {*SEEDS} - {int(row["seed"]) for row in rows}:
        rows.append(SCORES.row(*SCORES.MAIN, seed)[0])
        print(seed, rows[-1]["exact"], rows[-1]["seconds"], flush=True)
        rows.sort(key=lambda row: int(row["seed"]))
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
