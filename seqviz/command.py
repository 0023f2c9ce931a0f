"""The console command.

seqviz lab                               copies the notebooks into seqviz-notebooks, opens Lab there
seqviz lab FOLDER --no-open              copies them where you say, opens nothing

seqviz present 04                        opens the slides of a notebook in the browser
seqviz present 04 --output deck.html     writes them where you say
seqviz present 04 --vote --host 0.0.0.0  serves them, and phones in the room vote

seqviz kit study                         writes a lesson that is a study: text against view
seqviz kit study --answers FOLDER        says what the files that were handed in show

seqviz release A4                        makes the copy of an assignment that students get
seqviz release A4 --variants class.csv   one for each student, with other numbers and sizes
seqviz collect A4 FOLDER                 takes what was handed in
seqviz grade A4                          grades it
seqviz feedback A4                       writes a page for each student
seqviz points                            writes all points as a table
"""

import argparse
import importlib
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seqviz import course_folder
from seqviz.grading import shell

if TYPE_CHECKING:
    from seqviz.presenting.voting import Room

HERE = Path("notebooks")
LACKS = "this needs more packages: pip install 'seqviz-notebooks[{}]' ({})"


def present(notebook: Path, output: "Path | Room") -> list[str]:
    """Execute a notebook and write its core cells as slides in one offline page.

    Parameters
    ----------
    notebook : Path
        The notebook.
    output : Path or voting.Room
        The page, whose folder is made if it is not there, or the server that gets it.

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
    from seqviz.files import write
    from seqviz.presenting import deck

    committed = Run(notebook, nbformat.read(notebook, as_version=4), 0.0, None)
    deck.page(committed)  # says what is wrong before a minute is spent
    run = execute(notebook)
    if not isinstance(output, Path):
        return output.take(run)
    text, doubts = deck.page(run)
    output.parent.mkdir(parents=True, exist_ok=True)
    write(output, text)
    return doubts


def found(name: str) -> Path:
    """Return the notebook of a number, a name or a path.

    Raises
    ------
    ValueError
        If there is none; names those there are.
    FileNotFoundError
        If this installation has no notebooks.
    """
    if (path := Path(name)).suffix == ".ipynb" and path.is_file():
        return path
    folder = HERE if HERE.is_dir() else course_folder.shipped("notebooks")
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
    lab = commands.add_parser(
        "lab",
        help="the notebooks in a folder of yours, and JupyterLab there",
        description="Other options go to JupyterLab, such as --no-browser or --port=8890.",
    )
    lab.add_argument(
        "folder",
        nargs="?",
        type=Path,
        help="seqviz-notebooks if not given, or the folder you are in if it holds the course",
    )
    lab.add_argument("--no-open", action="store_true", help="copy the notebooks, open nothing")
    presents = commands.add_parser("present", help="a lecture from a notebook's core cells")
    presents.add_argument("notebook", help="04, 04_lstm_gating, or the path of a notebook")
    presents.add_argument("--no-browser", action="store_true", help="write the page, open nothing")
    where = presents.add_mutually_exclusive_group()
    where.add_argument("--output", type=Path, help="the page; site/NAME-slides.html if not given")
    where.add_argument("--vote", action="store_true", help="serve it, and a page for phones")
    presents.add_argument("--host", help="this machine's address for phones; 0.0.0.0: all it has")
    presents.add_argument("--port", type=int, help="for phones; 8765 if not given")
    kit = commands.add_parser(
        "kit", help="a study in one lesson: questions, text or view, questions"
    )
    kit.add_argument("folder", type=Path, help="where the lesson, or the analysis, goes")
    kit.add_argument("--answers", type=Path, help="a folder of the files that students saved")
    shell.add_to(commands)
    chosen, others = parser.parse_known_args(arguments)
    if others and chosen.command != "lab":
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    try:
        if chosen.command == "lab":
            _lab(chosen, others)
        elif chosen.command == "present":
            _present(chosen)
        elif chosen.command == "kit":
            _kit(chosen)
        else:
            shell.run(chosen)
    except ModuleNotFoundError as problem:
        extra = "lab" if chosen.command == "lab" else "instructor"
        sys.exit(f"seqviz {chosen.command}: {LACKS.format(extra, problem)}")
    except (OSError, RuntimeError, ValueError) as problem:
        sys.exit(f"seqviz {chosen.command}: {problem}")


def _lab(chosen: argparse.Namespace, options: list[str]) -> None:
    if not chosen.no_open:
        importlib.import_module("jupyterlab")  # before a file is written
    usual = Path(".") if course_folder.holds_the_course(Path(".")) else Path("seqviz-notebooks")
    folder = (chosen.folder or usual).resolve()
    copied, kept = course_folder.fill(folder)
    print(f"{folder}: files copied: {len(copied)}", flush=True)
    if kept:
        print("kept as they are:", ", ".join(path.as_posix() for path in kept), flush=True)
    if not chosen.no_open:
        first = [path.name for path in copied[:1] if path.suffix == ".ipynb"]
        course_folder.open_lab(folder, [*options, *first])


def _present(chosen: argparse.Namespace) -> None:
    notebook = found(chosen.notebook)
    output = chosen.output or Path("site", f"{notebook.stem}-slides.html")
    address = output.absolute().as_uri()
    if chosen.vote:
        from seqviz.presenting.voting import LOOPBACK, Room

        output = Room(chosen.host or LOOPBACK, 8765 if chosen.port is None else chosen.port)
        address = output.deck
    elif chosen.host or chosen.port is not None:
        raise ValueError("--host and --port are for phones that vote: add --vote")
    print(f"executing {notebook.name}, up to a minute ...", file=sys.stderr)
    doubts = present(notebook, output)
    for doubt in doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    print(output, flush=True)
    if not chosen.no_browser and not webbrowser.open(address):
        print(f"no browser was found: open {output} in one", file=sys.stderr)
    if chosen.vote:
        output.serve()


def _kit(chosen: argparse.Namespace) -> None:
    from seqviz.kit import written

    if chosen.answers and not chosen.answers.is_dir():
        raise ValueError(f"--answers must be a folder of saved files, got {chosen.answers}")
    files = sorted(chosen.answers.glob("*.json")) if chosen.answers else []
    if chosen.answers and not files:
        raise ValueError(f"{chosen.answers} has no answers: students save them as .json")
    result = written(chosen.folder, files)
    print(result or chosen.folder / "lesson.html")


if __name__ == "__main__":
    main()
