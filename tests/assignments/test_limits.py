"""What an answer holds is counted in bytes, and from outside where another process holds it."""

import subprocess
import sys

import pytest

from seqviz.grading.remote import Remote
from seqviz.grading.sandbox import Limits

EXAMINED = '''
import sys
from pathlib import Path
from seqviz import checks
from seqviz.grading.remote import Remote
from seqviz.grading.sandbox import Limits
from tests.checks.solutions import EXERCISES

COPIES = """kept = []


def holding(q, read, count):
    def reading(i):
        k, v = read(i)
        kept.append((k.numpy().copy(), v.tolist()[:0]))
        return k, v

    return in_blocks(q, reading, count)"""
exercise = EXERCISES["in_blocks"]
with Remote(Path(sys.argv[1]), Limits()) as student:
    for source in (*exercise.before, exercise.solution, COPIES):
        assert student.run(source)[1] is None
    assert checks.in_blocks(student.look("in_blocks"))
    print(checks.in_blocks(student.look("holding")).message)
'''


def test_bytes_are_counted_from_outside(tmp_path):
    pytest.importorskip("psutil")
    command = [sys.executable, "-c", EXAMINED, tmp_path]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "still holds" in told.stdout


def test_a_process_that_has_others_examines_nothing(tmp_path):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        with pytest.raises(RuntimeError, match="a process of its own"):
            Remote(tmp_path, Limits())
        assert other.poll() is None
        other.communicate(b"\n")
