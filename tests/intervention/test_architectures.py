"""Architectures of transformers, recorded, lensed, patched; the table is bench/causes.csv."""

import pytest

from tests.bench.causes import (
    CLOSE,
    COLUMNS,
    NOT_TOLD,
    OUTCOMES,
    WHOLE,
    examine,
    opened,
    sums,
    table,
)


@pytest.mark.parametrize("model_type", ["albert", "xlnet", "gemma3n_text", "xlm"])
def test_a_kind_of_architecture(model_type):
    row, expected = examine(model_type), table()[model_type]
    for name in ("class", "outcome", "blocks", "own", "found"):
        assert str(row.get(name, "")) == expected[name], (name, row)


def test_the_table_is_of_all_that_read_a_text_and_attend():
    rows = list(table().values())
    assert [row["type"] for row in rows] == sorted(opened())
    assert {row["outcome"] for row in rows} <= set(OUTCOMES)
    assert all(row["why"] for row in rows if row["outcome"] == NOT_TOLD)
    whole = [row for row in rows if row["outcome"] == WHOLE]
    assert len(whole) >= 280, sums(rows)
    for row in whole:
        assert float(row["lens"]) <= CLOSE, row
        assert float(row["patch"]) <= CLOSE, row
    assert set(rows[0]) == set(COLUMNS)
