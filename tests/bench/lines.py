"""How many lines each room has, beside its budget: `python -m tests.bench.lines`.

A room that is full says what it lets go when something is added.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITTEN = {".css", ".html", ".j2", ".js", ".py"}
TOP = ("asking", "command", "core_path", "course_folder", "deadline", "execution", "exploring")
TOP += (
    "blocks",
    "files",
    "live_views",
    "publishing",
    "session",
    "stacks",
    "telling",
    "view",
    "__init__",
)

ROOMS = {  # what counts to a room, and how many lines it may have
    "views, all": (["seqviz/views", "seqviz/pieces"], 26_000),
    "of these attention": (["seqviz/views/attention"], 6_200),
    "checks": (["seqviz/checks"], 4_800),
    "data": (["seqviz/data"], 3_200),
    "nn": (["seqviz/nn", "seqviz/arguments.py"], 5_500),
    "recording, running, intervention": (
        ["seqviz/recording", "seqviz/running", "seqviz/intervention"],
        2_900,
    ),
    "site, presenting, grading, top level": (
        ["seqviz/site", "seqviz/presenting", "seqviz/grading", *(f"seqviz/{n}.py" for n in TOP)],
        6_000,
    ),
    "tests": (["tests"], 31_000),
}


def lines(places: list[str]) -> int:
    """How many lines the code below these places has."""
    files = {file for place in places for file in [ROOT / place, *(ROOT / place).rglob("*")]}
    code = [file for file in files if file.is_file() and file.suffix in WRITTEN]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in code)


def main() -> None:
    """Print the table."""
    print(f"{'room':<38} {'lines':>7} {'budget':>7}")
    for room, (places, budget) in ROOMS.items():
        print(f"{room:<38} {lines(places):>7,} {budget:>7,}")


if __name__ == "__main__":
    main()
