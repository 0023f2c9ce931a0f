"""Runs one submission, in a process of its own: python -m seqviz.grading.runner FROM TO LIMITS.

LIMITS is JSON: seconds of a cell, bytes of memory, bytes that a cell may write.
"""

import json
import sys
from collections.abc import Container
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

TOO_LONG = "stopped after {seconds:g} seconds"
DIED = "the kernel died: out of memory, or the code ended it"


class Bounded(NotebookClient):
    """Runs all cells, whatever fails; what a cell writes beyond its limit is thrown away."""

    most = 1_000_000  # bytes that a cell may write
    written = 0

    def process_message(self, msg, cell, cell_index):
        """Take an output, unless the cell has written enough."""
        kind, content = msg["msg_type"], msg["content"]
        if kind in ("stream", "display_data", "execute_result"):
            self.written += len(content.get("text", "")) + len(str(content.get("data", "")))
            if self.written > self.most:
                return None
        elif kind == "status" and content["execution_state"] == "busy":
            self.written = 0
        return super().process_message(msg, cell, cell_index)


def failure(name: str, reason: str) -> NotebookNode:
    """The output of a cell that was not run to its end."""
    return nbformat.v4.new_output("error", ename=name, evalue=reason, traceback=[reason])


def fail_unrun(notebook: NotebookNode, reason: str, ran: Container[int] = ()) -> None:
    """Give each test that did not come to its end the reason as its error."""
    for k, cell in enumerate(notebook.cells):
        tested = cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code"
        if tested and k not in ran:
            cell.outputs = [failure("NotRun", reason)]


def note_errors(cell: NotebookNode, reply: dict) -> None:
    """A cell that failed has an error in its outputs, also where the code hid it."""
    content = reply["content"]
    if content["status"] != "error":
        return
    if content["ename"] == "TooLong":  # the interrupt has left an error of its own
        cell.outputs = [output for output in cell.outputs if output.output_type != "error"]
    if not any(output.output_type == "error" for output in cell.outputs):
        cell.outputs.append(failure(content["ename"], content["evalue"]))


def bound_memory(size: int) -> None:
    """Limit what this process and its kernel may allocate, where the system can."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(notebook: NotebookNode, seconds: float, most: int) -> None:
    """Run all cells; a test that did not come to its end has an error that says why."""
    slow = {"ename": "TooLong", "evalue": TOO_LONG.format(seconds=seconds), "traceback": []}
    ran = set()

    def executed(cell, cell_index, execute_reply):
        ran.add(cell_index)
        note_errors(cell, execute_reply)

    client = Bounded(
        notebook,
        timeout=seconds,
        interrupt_on_timeout=True,
        allow_errors=True,
        error_on_timeout=slow,
        on_cell_executed=executed,
        kernel_name="python3",
    )
    client.most = most
    reason = DIED
    try:
        client.execute()
    except CellTimeoutError:
        reason = TOO_LONG.format(seconds=seconds)
    except DeadKernelError:
        pass
    fail_unrun(notebook, reason, ran)


def main() -> None:
    """Run the command line that the head of this file describes."""
    source, target, limits = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
    notebook = nbformat.read(source, as_version=4)
    bound_memory(limits["memory"])
    run(notebook, limits["cell_seconds"], limits["written"])
    nbformat.write(notebook, target)


if __name__ == "__main__":
    main()
