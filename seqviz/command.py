"""The console command.

seqviz present 04                        opens the slides of a notebook in the browser
seqviz present 04 --output deck.html     writes them where you say

seqviz release A4                        makes the copy of an assignment that students get
seqviz collect A4 FOLDER                 takes what was handed in
seqviz grade A4                          grades it
seqviz feedback A4                       writes a page for each student
seqviz points                            writes all points as a table
"""

import argparse
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from seqviz.grading import shell

HERE = Path("notebooks")
OURS = Path(__file__).parents[1] / "notebooks"  # of a checkout
LACKS = "this needs more packages: pip install 'seqviz-notebooks[instructor]' ({})"


def present(notebook: Path, output: Path) -> list[str]:
    """Execute a notebook and write its core cells as slides in one offline page.

    Parameters
    ----------
    notebook : Path
        The notebook.
    output : Path
        The page; its folder is made if it is not there.

    Returns
    -------
    list of str
        What a person should look at: sentences that say less on a slide of their own.

    Raises
    ------
    RuntimeError
        If a cell fails; names it.
    ValueError
        If no cell is tagged `core`, or what one says of its slide is not understood.
    """
    import nbformat

    from seqviz.execution import Run, execute
    from seqviz.presenting import deck

    committed = Run(notebook, nbformat.read(notebook, as_version=4), 0.0, None)
    deck.page(committed)  # says what is wrong before a minute is spent
    text, doubts = deck.page(execute(notebook))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8", newline="\n")
    return doubts


def found(name: str) -> Path:
    """Return the notebook of a number, a name or a path.

    Raises
    ------
    ValueError
        If there is none; names those there are.
    """
    if (path := Path(name)).suffix == ".ipynb" and path.is_file():
        return path
    folder = HERE if HERE.is_dir() else OURS
    there = sorted(folder.glob("*.ipynb"))
    number = name.zfill(2) if name.isdigit() else name.removesuffix(".ipynb")
    fitting = [path for path in there if path.stem == number or path.stem.startswith(f"{number}_")]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(path.stem for path in there) or f"none in {folder.absolute()}"
    raise ValueError(f"no notebook {name!r}; there are: {names}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line that the head of this file describes."""
    parser = argparse.ArgumentParser(prog="seqviz", description="What seqviz does from a shell.")
    commands = parser.add_subparsers(dest="command", required=True)
    presents = commands.add_parser("present", help="a lecture from a notebook's core cells")
    presents.add_argument("notebook", help="04, 04_lstm_gating, or the path of a notebook")
    presents.add_argument("--no-browser", action="store_true", help="write the page, open nothing")
    presents.add_argument(
        "--output", type=Path, help="the page; site/NAME-slides.html if not given"
    )
    shell.add_to(commands)
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "present":
            _present(chosen)
        else:
            shell.run(chosen)
    except ModuleNotFoundError as problem:
        sys.exit(f"seqviz {chosen.command}: {LACKS.format(problem)}")
    except (OSError, RuntimeError, ValueError) as problem:
        sys.exit(f"seqviz {chosen.command}: {problem}")


def _present(chosen: argparse.Namespace) -> None:
    notebook = found(chosen.notebook)
    output = chosen.output or Path("site", f"{notebook.stem}-slides.html")
    print(f"executing {notebook.name}, up to a minute ...", file=sys.stderr)
    doubts = present(notebook, output)
    for doubt in doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    print(output)
    if not chosen.no_browser and not webbrowser.open(output.absolute().as_uri()):
        print(f"no browser was found: open {output} in one", file=sys.stderr)


if __name__ == "__main__":
    main()
