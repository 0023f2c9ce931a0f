"""Notebooks to committed pictures and to offline pages.

python -m seqviz.publishing notebooks [FILES]    writes each notebook's outputs into its file
python -m seqviz.publishing site [FILES]         writes site/, one offline page a notebook; with
                                                 --single each holds all that it needs
python -m seqviz.publishing all [FILES]          both, from one execution
python -m seqviz.publishing picture NOTEBOOK     writes its first committed picture for the README
python -m seqviz.publishing again                writes the table of the questions that come back
python -m seqviz.publishing marks [FILES]        marks the core path, minute by minute; runs nothing
"""

import argparse
import base64
import io
import json
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from PIL import Image
from playwright.sync_api import Error as BrowserError
from plotly.offline import get_plotlyjs

from seqviz import asking, core_path, site
from seqviz.asking import question_of
from seqviz.execution import PAGE, PLOTLY, Run, execute
from seqviz.files import write
from seqviz.views.shared import chromium

WIDTH = 900  # CSS pixels, the width of an output in JupyterLab
SCALE = 1.5
FIGURE = 833, 450  # pixels of a plotly figure, as JupyterLab shows its picture until it is drawn
PATIENCE = 60_000  # milliseconds that a figure may take
COLOURS = 128
IMAGE = "([figure, size]) => Plotly.toImage(figure, size)"
SHARED = re.compile(r'<script type="text/plain" data-block="[^"]*">[^<]*</script>')
README_PICTURE = Path(".github/picture.png")


def publish(
    what: str, files: Sequence[Path], folder: Path = Path("site"), single: bool = False
) -> list[Run]:
    """Execute notebooks and write what they show.

    Parameters
    ----------
    what : {"notebooks", "site", "all"}
        Write outputs into the notebooks, or pages into `folder`, or both.
    files : sequence of Path
        The notebooks.
    folder : Path
        Where the pages go.
    single : bool
        Whether each page is to be sent alone, without the others and the files beside them.

    Raises
    ------
    RuntimeError
        If a cell fails, a view does not draw, or outputs that are to be written into a notebook
        come from a stand-in for data; names notebook and cell. Nothing is written then.
    ValueError
        If a plotly figure has no alternative text; names notebook and cell.
    """
    runs = [execute(path, stand_ins=what == "site") for path in files]
    with ThreadPoolExecutor(1) as pool:  # playwright wants a thread without an event loop
        pool.submit(add_pictures, runs).result()
    if what in ("site", "all"):
        site.build(runs, folder, single)
    if what in ("notebooks", "all"):
        for run in runs:
            commit(run)
    return runs


def add_pictures(runs: Sequence[Run]) -> None:
    """Add `image/png` and its alternative text to the output of each view and plotly figure."""
    with chromium.open_browser() as browser:
        draw = _plotly(browser)
        for run in runs:
            shared: list[str] = []  # blocks of the views above, which others do not repeat
            for index, output in run.outputs():
                if PAGE in output.data:
                    own = output.data[PAGE]["page"]
                    picture, said, width = _view(browser, "".join([*shared, own]), run.place(index))
                    shared += SHARED.findall(own)
                elif PLOTLY in output.data:
                    picture, said, width = draw(output.data[PLOTLY], run.place(index))
                else:
                    continue
                alt = output.data["text/plain"]
                alt = f"{alt.removesuffix('.')}. {said.removesuffix('.')}." if said else alt
                output.data["image/png"] = base64.b64encode(_few_colours(picture)).decode() + "\n"
                output.metadata["image/png"] = {"alt": alt, "width": width}


def commit(run: Run) -> None:
    """Write an executed notebook back: pictures instead of live views, no widget state."""
    for _, output in run.outputs():
        output.data.pop(PAGE, None)
    core_path.mark(run.notebook)
    _write(run.notebook, run.path)


def mark(path: Path) -> None:
    """Write the marks of the core path into a notebook; its outputs stay as they are."""
    notebook = nbformat.read(path, as_version=4)
    core_path.mark(notebook)
    _write(notebook, path)


def coming_back(files: Sequence[Path]) -> str:
    """Return the table of the questions that later lectures ask again: those tagged `again`."""
    table = {}
    for path in files:
        cells = nbformat.read(path, as_version=4).cells
        tagged = [cell.source for cell in cells if "again" in cell.metadata.get("tags", [])]
        if tagged:
            table[path.stem.partition("_")[0]] = [asdict(question_of(text)) for text in tagged]
    return json.dumps(table, ensure_ascii=False, indent=1) + "\n"


def _write(notebook: NotebookNode, path: Path) -> None:
    write(path, nbformat.writes(notebook).rstrip("\n") + "\n")


def first_picture(path: Path) -> bytes:
    """The first picture among a notebook's committed outputs, as PNG."""
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                return base64.b64decode(output.data["image/png"])
    raise ValueError(f"{path.name} has no committed picture: run 'make notebooks' first")


def _view(browser, fragment: str, where: str) -> tuple[bytes, str, int]:
    page = f'<!doctype html><meta charset="utf-8"><body style="margin:0">{fragment}</body>'
    try:
        with chromium.shown(browser, page, WIDTH, SCALE) as shown:
            return chromium.photo(shown), chromium.sentence(shown), WIDTH
    except BrowserError as problem:
        raise RuntimeError(f"{where}: the view did not draw: {problem.message}") from problem


def _plotly(browser) -> Callable[[dict, str], tuple[bytes, str, int]]:
    page = browser.new_page(offline=True)
    page.add_script_tag(content=get_plotlyjs())

    def draw(figure: dict, where: str) -> tuple[bytes, str, int]:
        layout = figure["layout"]
        size = {"width": layout.get("width", FIGURE[0]), "height": layout.get("height", FIGURE[1])}
        try:  # waiting ends by itself, `evaluate` would not
            drawn = page.wait_for_function(
                IMAGE, arg=[figure, {"format": "png", **size}], timeout=PATIENCE
            )
        except BrowserError as problem:
            raise RuntimeError(f"{where}: the figure did not draw: {problem.message}") from problem
        return base64.b64decode(drawn.json_value().partition(",")[2]), "", int(size["width"])

    return draw


def _few_colours(picture: bytes) -> bytes:
    image = Image.open(io.BytesIO(picture)).convert("RGBA")
    flat = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    small = io.BytesIO()
    # by how far colours lie apart, not by how often each is there: a rare one stays what it is
    how = {"method": Image.Quantize.MAXCOVERAGE, "kmeans": 1, "dither": Image.Dither.NONE}
    flat.quantize(COLOURS, **how).save(small, "PNG", optimize=True)
    return small.getvalue()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line that the head of this file describes."""
    parser = argparse.ArgumentParser(prog="python -m seqviz.publishing", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", choices=("notebooks", "site", "all", "picture", "marks", "again"))
    parser.add_argument("files", nargs="*", type=Path, help="all of notebooks/ if none is named")
    parser.add_argument("--single", action="store_true", help="pages that need no file beside them")
    chosen = parser.parse_intermixed_args(arguments)
    files = chosen.files or sorted(Path("notebooks").glob("*.ipynb"))
    if not files:
        parser.error("no notebook found: run from the repository's top folder, or name the files")
    if missing := [str(path) for path in files if not path.is_file()]:
        parser.error(f"no such notebook: {', '.join(missing)}")
    if chosen.what == "picture":
        write(README_PICTURE, first_picture(files[0]))
        return
    if chosen.what == "again":
        write(asking.TABLE, coming_back(files))
        return
    if chosen.what == "marks":
        for path in files:
            mark(path)
        return
    for run in publish(chosen.what, files, single=chosen.single):
        size = run.path.stat().st_size / 1000
        memory = f"{run.memory:.0f} MB" if run.memory else "memory not known"
        print(f"{run.path.name}: {run.seconds:.1f} s, {memory}, {size:.0f} kB")


if __name__ == "__main__":
    main()
