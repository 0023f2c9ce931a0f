from pathlib import Path

import pytest

import seqviz as sv

FOLDER = Path(__file__).parents[2] / "datasets" / "history"


def test_each_row_says_where_it_is_from():
    for path in FOLDER.glob("*.csv"):
        rows = sv.data.history(path.stem)
        assert rows
        for row in rows:
            assert None not in row  # no cell too many
            assert None not in row.values()  # and none missing
            assert row["deck"] in ("000", "001", "002", "003", "004", "")
            assert bool(row["deck"]) == bool(row["slide"])
            assert row["paper"] or row["deck"]


def test_a_table_that_is_not_there():
    with pytest.raises(ValueError, match=r"name must be one of .*'gpt2'"):
        sv.data.history("gpt9")
    with pytest.raises(TypeError, match="name must be one of"):
        sv.data.history(2)
