"""Architectures of transformers in one line of sv.explore; the table is tests/bench/exploring.csv.

The weights that the view shows are compared with the model's own `attentions` within 1e-5.
"""

import os
import shutil
import subprocess
import sys

import pytest

from tests.bench import anatomies, answering
from tests.bench.exploring import (
    NO_TEXT,
    OPEN,
    OUTCOMES,
    PART,
    examine,
    examine_with_answers,
    in_one_line,
    table,
)
from tests.bench.small_models import model_types

KINDS = {  # a few kinds, as the table has them
    "bert": OPEN,
    "t5": OPEN,
    "albert": OPEN,  # layers that are one module
    "pegasus_x": PART,  # blocks that share global keys
    "funnel": PART,  # layers that have fewer and fewer queries
    "vit": NO_TEXT,
}


COLUMNS = ("class", "outcome", "own", "found", "shown")


def differs(row, expected, names=COLUMNS):
    """What of a row is not as the table has it."""
    found = {name: (str(row.get(name, "")), expected[name]) for name in names}
    return {name: pair for name, pair in found.items() if len({*pair}) > 1}


@pytest.mark.filterwarnings("ignore:weights. left out")
@pytest.mark.parametrize(("model_type", "outcome"), KINDS.items(), ids=KINDS)
def test_a_kind_of_architecture(model_type, outcome):
    row = examine(model_type)
    assert row["outcome"] == outcome, row.get("why")
    assert not differs(row, table()[model_type]), row.get("why")


def test_the_table_is_of_all_architectures():
    rows = list(table().values())
    assert [row["type"] for row in rows] == sorted(model_types())
    assert {row["outcome"] for row in rows} <= set(OUTCOMES)
    assert all(row["why"] for row in rows if row["outcome"] in OUTCOMES[2:])
    opened = [row for row in rows if row["outcome"] == OPEN]
    assert len(opened) > 280, in_one_line(rows)
    assert all(row["own"] == row["found"] != "0" for row in opened)


def test_the_pages_of_nearly_all_answer_as_python_does():
    rows = [row for row in table().values() if row["shown"]]
    assert all(row["written"] for row in rows)
    assert sum(map(answering.whole, rows)) > 270, answering.sums(rows)


def test_the_parts_of_nearly_all_are_read_as_they_compute():
    rows = [row for row in table().values() if row["shown"]]
    assert all(row["anatomy"] for row in rows)
    exported = [row for row in rows if not row["anatomy"].startswith("ValueError: model: ")]
    right = [row for row in exported if row["anatomy"] == "yes"]
    assert len(right) > 9 / 10 * len(exported), anatomies.sums(rows)
    assert all(row["blocks"] for row in right)


@pytest.mark.skipif(not shutil.which("node"), reason="the worker runs in node")
def test_a_page_of_an_architecture_answers():
    row = examine_with_answers("openai-gpt")
    assert answering.whole(row), row
    assert row["anatomy"] == "yes", row


@pytest.mark.slow
def test_a_sweep_over_all_architectures_gives_the_table(tmp_path):
    path = tmp_path / "exploring.csv"
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.exploring", "--table", str(path)],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-2000:]
    swept, late = table(path), "not done within"  # on a slow machine
    rows = {name: (row, table()[name]) for name, row in swept.items() if late not in row["why"]}
    names = (*COLUMNS, "written", "runs", *anatomies.COLUMNS)
    found = {name: differs(*pair, names) for name, pair in rows.items()}
    other = {name: apart for name, apart in found.items() if apart}
    assert not other
    assert swept.keys() == table().keys()
