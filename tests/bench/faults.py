"""Faults planted one after another: the quick tests must find each.

python -m tests.bench.faults [WORD]    those whose file or fault has the word in it; all without

The checkout must be clean: a fault is written into it, and taken out again.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Fault(NamedTuple):
    """What is written in place of what, and which tests are to fail then."""

    file: str
    right: str
    wrong: str
    tests: str


def planned() -> list[Fault]:
    """The faults of faults.jsonl."""
    lines = Path(__file__).with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    return [Fault(**json.loads(line)) for line in lines]


def found(fault: Fault) -> bool:
    """Whether a test fails while the fault is there."""
    file = ROOT / fault.file
    text = file.read_text(encoding="utf-8")
    if text.count(fault.right) != 1:
        raise ValueError(f"{fault.file}: {fault.right!r} stands there {text.count(fault.right)}x")
    file.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    try:
        command = ["-m", "pytest", "-n", "0", "-x", "-q", "-m", "not slow", *fault.tests.split()]
        done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True)
    finally:
        file.write_text(text, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{fault.file}: pytest could not run:\n{done.stdout.decode()}")
    return done.returncode == 1


def main(word: str = "") -> None:
    """Plant each fault and print what became of it."""
    chosen = [fault for fault in planned() if word in " ".join(fault)]
    missed = 0
    for k, fault in enumerate(chosen, start=1):
        seen = found(fault)
        missed += not seen
        state = "found " if seen else "MISSED"
        print(f"{k:>2} {state} {fault.file}: {fault.wrong.strip()[:60]!r}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} found")


if __name__ == "__main__":
    main(*sys.argv[1:])
