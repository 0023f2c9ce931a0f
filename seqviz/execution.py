"""A notebook, run from top to bottom in a fresh kernel, with the views that it showed."""

import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

PAGE = "application/vnd.seqviz.page+json"
PLOTLY = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"

# Runs in the kernel first: a view that is shown hands over its page as it stands at that moment.
KEEP_PAGES = f"""
def _keep_pages():
    there = set()
    def bundle(view, include=None, exclude=None):
        from seqviz.views.shared import page
        return {{"text/plain": view.alt, {PAGE!r}: page.kept(view, there)}}, {{}}
    formatter = get_ipython().display_formatter.mimebundle_formatter
    formatter.for_type_by_name("seqviz.views.shared.widget", "View", bundle)
    def written(asked, include=None, exclude=None):
        return {{"text/plain": repr(asked), "text/html": asked._repr_html_()}}, {{}}
    formatter.for_type_by_name("seqviz.asking.asked", "Asked", written)
_keep_pages()
del _keep_pages
"""

# Runs in the kernel too, where the outputs are kept for readers.
REFUSE_STAND_INS = """
def _refuse_stand_ins():
    import warnings
    from seqviz.data.loaders import StandInWarning
    warnings.simplefilter("error", StandInWarning)
_refuse_stand_ins()
del _refuse_stand_ins
"""

# What differs from run to run and says nothing.
ACCIDENTS = ((r"\b0x[0-9a-f]{6,}\b", "0x…"), (r"\S*ipykernel_\d+\S\d+\.py", "<cell>"))


@dataclass(frozen=True)
class Run:
    """An executed notebook.

    Attributes
    ----------
    path : Path
        The notebook's file.
    notebook : NotebookNode
        The notebook with its new outputs. A view's output has its page under `PAGE`, and what
        lies beside it.
    seconds : float
        Time of all cells, the kernel's start not counted.
    memory : float or None
        The most memory that the kernel held, in MB; None where the system does not tell.
    """

    path: Path
    notebook: NotebookNode
    seconds: float
    memory: float | None

    def place(self, index: int) -> str:
        """Name the cell at `index` for a message; people count cells from one."""
        return place(self.path, self.notebook, index)

    @property
    def beside(self) -> dict[str, dict[str, str]]:
        """What lies beside the notebook's page: by address, the blocks of numbers by name."""
        pages = (output.data.get(PAGE, {}) for _, output in self.outputs())
        return {address: file for page in pages for address, file in page.get("beside", {}).items()}

    def outputs(self):
        """Yield (cell index, output) for each output that holds data."""
        for index, cell in enumerate(self.notebook.cells):
            for output in cell.get("outputs", []):
                if "data" in output:
                    yield index, output


def execute(path: Path, timeout: int = 300, stand_ins: bool = True) -> Run:
    """Run a notebook in its own folder, with the kernel of this Python; the file stays as it is.

    Parameters
    ----------
    path : Path
        The notebook.
    timeout : int
        Seconds that one cell may take.
    stand_ins : bool
        Whether data of our own may take the place of data that could not be downloaded.

    Raises
    ------
    RuntimeError
        If a cell fails, takes too long, shows a widget that is not a view, or meets a stand-in
        that is not allowed; names the cell.
    ValueError
        If a plotly figure has no alternative text; names the cell.
    """
    path = Path(path)
    notebook = nbformat.read(path, as_version=4)
    first = KEEP_PAGES if stand_ins else KEEP_PAGES + REFUSE_STAND_INS
    notebook.cells.insert(0, nbformat.v4.new_code_cell(first))
    client = NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        record_timing=False,
        store_widget_state=False,
    )
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    with client.setup_kernel(env=environment):
        client.execute_cell(notebook.cells[0], 0, store_history=False)
        start = time.perf_counter()
        for index, cell in enumerate(notebook.cells[1:], start=1):
            try:
                client.execute_cell(cell, index)
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as problem:
                del notebook.cells[0]
                trace = getattr(problem, "traceback", str(problem))
                message = f"{place(path, notebook, index - 1)} failed:\n{trace}"
                raise RuntimeError(re.sub(r"\x1b\[[0-9;]*m", "", message)) from None
        seconds = time.perf_counter() - start
        memory = peak_memory(client.km.provisioner.pid)
    del notebook.cells[0]
    run = Run(path, notebook, seconds, memory)
    tidy(run)
    return run


def place(path: Path, notebook: NotebookNode, index: int) -> str:
    """Name the cell at `index` of a notebook; people count cells from one."""
    first = notebook.cells[index].source.strip().partition("\n")[0]
    return f"{Path(path).name}, cell {index + 1} ({first[:60]!r})"


def peak_memory(pid: int) -> float | None:
    """The most memory that a living process has held, in MB; None where the system keeps none."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    return int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text(encoding="ascii"))[1]) / 1024


def tidy(run: Run) -> None:
    """Remove what differs from run to run and say in words what each figure shows.

    Raises
    ------
    RuntimeError
        If a cell shows a widget that is not a view; names the cell.
    ValueError
        If a plotly figure has no alternative text; names the cell.
    """
    for index, output in run.outputs():
        if WIDGET in output.data:
            raise RuntimeError(
                f"{run.place(index)}: shows a widget that is not a seqviz view; without a kernel "
                "it would say 'Loading widget' for ever. Show a view, a figure or text instead."
            )
        if PLOTLY in output.data:
            figure = output.data[PLOTLY]
            output.data = {PLOTLY: figure, "text/plain": _plotly_alt(figure, run.place(index))}
        elif "text/plain" in output.data:
            output.data["text/plain"] = _without_accidents(output.data["text/plain"])
    for cell in run.notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.text = _without_accidents(output.text)
    run.notebook.metadata.pop("widgets", None)
    run.notebook.metadata.kernelspec = {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    }
    run.notebook.metadata.language_info = {"name": "python"}


def _plotly_alt(figure: dict, where: str) -> str:
    meta = figure["layout"].get("meta")
    if not isinstance(meta, dict) or not meta.get("alt"):
        raise ValueError(
            f"{where}: the plotly figure has no alternative text; say in one true sentence what it "
            'shows: figure.update_layout(meta={"alt": "..."})'
        )
    return meta["alt"]


def _without_accidents(text: str) -> str:
    for pattern, instead in ACCIDENTS:
        text = re.sub(pattern, instead, text)
    return text
