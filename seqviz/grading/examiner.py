"""Grades submissions: python -m seqviz.grading.examiner, a line of JSON for each, a line back.

A student's cells run in a process of their own, behind walls. Tests run here: that process gets
inputs and gives outputs, and no word of it is a verdict.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from seqviz.deadline import Hanging
from seqviz.grading.cells import SHOWN, TEXT, TOO_LONG
from seqviz.grading.judging import judge
from seqviz.grading.remote import Ended, Remote
from seqviz.grading.sandbox import Limits
from seqviz.grading.watching import adopt, emptied, hold

PRINTED = 2_000_000  # letters of an output
OURS = ("NotRun", "TooLong", "MemoryError", "KeyboardInterrupt")  # what lecturers are told
ROOM = 16_000_000  # letters of all outputs that are kept
EXAMINERS = 2  # times a submission's memory
MORE = "[more outputs than are kept]"
SLOW = "a call did not come to its end"
TEST, GIVEN, THEIRS = "test", "given", "theirs"  # whose a cell is


def failure(name: str, reason: str) -> dict:
    """The output of a cell that failed or was not run to its end."""
    name, reason = _text(name, TEXT), _text(reason, TEXT)
    told = {"ename": name, "evalue": reason, "traceback": [f"{name}: {reason}"]}
    return {"output_type": "error", **told}


def _text(found, most: int) -> str:
    """A text that can be written into a file, and cut."""
    return str(found)[:most].encode(errors="replace").decode()


def examine(cells: Sequence[tuple[str, str]], limits: Limits, files: Path) -> list[list[dict]]:
    """Run all cells, each where it belongs.

    Parameters
    ----------
    cells : sequence of (str, str)
        Of each cell of code whose it is (TEST, GIVEN, THEIRS), and its source.
    limits : Limits
        What the submission may use.
    files : Path
        A folder whose other files lie beside it while it runs.

    Returns
    -------
    list of list of dict
        The outputs of each cell, as a notebook has them.
    """
    given: list[str] = []
    found, room = [], ROOM
    with tempfile.TemporaryDirectory(prefix="seqviz-grading-") as name:
        work, ignored = Path(name), shutil.ignore_patterns("*.ipynb", ".*")
        shutil.copytree(files, work, ignore=ignored, dirs_exist_ok=True)
        with Remote(work, limits) as student:
            for whose, source in cells:
                given += [source] if whose == GIVEN else []
                outputs = _outputs(whose, source, given, student)
                room -= len(json.dumps(outputs))
                cut = room < 0 and whose != TEST
                found.append([_shown(("stream", "stderr", MORE))] if cut else outputs)
        emptied(work)
    return found


def _outputs(whose: str, source: str, given: list[str], student: Remote) -> list[dict]:
    """What a cell gives: a test here, any other in the student's process."""
    try:
        if student.ended:
            raise Ended(student.ended)
        ran = judge(source, given, student.look) if whose == TEST else student.run(source)
        outputs, error = ran
        if error and whose != TEST and error[0] in OURS:  # its text would be told as ours
            late = TOO_LONG.format(seconds=student.limits.cell_seconds)
            error = error[0], late if error[0] == "TooLong" else ""
        return [*map(_shown, outputs), *([failure(*map(str, error))] if error else [])]
    except Ended as reason:
        return [failure("NotRun", str(reason))]
    except Hanging:
        return [failure("TooLong", SLOW)]


def _shown(found: tuple) -> dict:
    """An output as a notebook has it, of the kinds alone that a page without scripts can show."""
    kind, *parts = found
    if kind == "stream":
        name = "stderr" if parts[0] == "stderr" else "stdout"
        return {"output_type": "stream", "name": name, "text": _text(parts[1], PRINTED)}
    shown = {name: _text(parts[0].get(name, ""), PRINTED) for name in SHOWN}
    data = {name: text for name, text in shown.items() if text}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def main() -> None:
    """Examine until there is no more to examine: cells, limits, and the folder of files."""
    adopt()
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        cells, limits, files = json.loads(line)
        try:
            hold(EXAMINERS * limits["memory"])
            found = examine(cells, Limits(**limits), Path(files))
        except Exception as error:  # of what a student's process gave: it counts nothing
            found = f"{type(error).__name__}: {error}"[:200]
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
