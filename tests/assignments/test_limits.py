"""What an answer holds is counted in bytes, and from outside where another process holds it."""

import pytest

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


def test_bytes_are_counted_from_outside(tmp_path):
    pytest.importorskip("psutil")
    exercise = EXERCISES["in_blocks"]
    with Remote(tmp_path, Limits()) as student:
        for source in (*exercise.before, exercise.solution, COPIES):
            assert student.run(source)[1] is None
        assert checks.in_blocks(student.look("in_blocks"))
        refused = checks.in_blocks(student.look("holding"))
    assert "still holds" in refused.message
