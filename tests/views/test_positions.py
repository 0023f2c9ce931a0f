"""Tables of positions: their pairs, the matrix of a shift, what it misses."""

import numpy as np
import pytest
import traitlets

from seqviz.nn import LearnedPositions, sinusoids
from seqviz.view import positions


def random_table(n=64, d=8, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def both(**more):
    return positions({"sines": sinusoids(48, 8), "random": random_table(48)}, **more)


@pytest.mark.parametrize("n", [8, 48, 129, 512])
def test_every_shift_of_sines_is_one_matrix(n):
    table = positions(sinusoids(n, 16)).shown
    assert table.wholes.max() < 1e-3
    assert table.errors.shape == (min(32, n // 4), 8)


def test_the_matrix_of_sines_is_their_rotation():
    table = positions(sinusoids(64, 8)).shown
    for pair in range(2):  # the quick ones; a slow one sees little of its round
        angle = 5 / 10000 ** (pair / 4)
        c, s = np.cos(angle), np.sin(angle)
        np.testing.assert_allclose(table.matrices[4, pair], [[c, -s], [s, c]], atol=1e-4)


def test_rows_that_know_nothing_of_each_other_are_missed_wholly():
    table = positions(random_table(512)).shown
    assert table.wholes.min() > 0.9
    learned = positions(LearnedPositions(64, 8).table)
    assert learned.shown.wholes.min() > 0.9


def test_what_is_missed_is_measured_where_nothing_was_fitted():
    given = np.tile(random_table(1, 4), (32, 1))  # constant: the shift is the identity ...
    assert positions(given).shown.wholes.max() < 1e-6
    given[16:] *= -1  # ... and of another half it is so as well, by the same matrix
    assert positions(given).shown.wholes.max() < 1e-6
    given[16:] = random_table(16, 4)
    assert positions(given).shown.wholes.min() > 0.2
    assert positions(np.zeros((8, 2))).shown.wholes.tolist() == [0, 0]
    given = random_table(16, 2)
    given[12:] = 0
    assert positions(given).shown.wholes[3] == 1


def test_positions_count_from_zero_and_a_shift_that_is_not_there_is_refused():
    view = both()
    view.position = 7
    assert view.step == 8
    with pytest.raises(ValueError, match="position: expected 0 to 47, came 48"):
        view.position = 48
    with pytest.raises(traitlets.TraitError, match="shift: expected 1 to 12, came 20"):
        both(shift=20)


def test_alt_and_table_tell_all_tables():
    view = both(shift=3)
    view.pair, view.position = 0, 10
    assert view.alt == (
        "48 positions in 8 dimensions: 'sines', 'random'; sines, pair 0, shift 3, position 10"
    )
    header, *rows = view.table()
    assert header == ["table", "position", "dimension", "value"]
    assert len(rows) == 2 * 48 * 8
    assert rows[8 * 10] == ["sines", "10", "0", pytest.approx(np.sin(10), abs=1e-6)]
    assert rows[-1] == ["random", "47", "7", pytest.approx(random_table(48)[47, 7], abs=1e-6)]


def test_bad_tables_name_the_fix():
    for tables, error, words in [
        (np.zeros((1, 16, 4)), ValueError, "take the batch away"),
        (np.zeros((16, 5)), ValueError, "expected an even d_model from 2 to 512"),
        (np.zeros((7, 4)), ValueError, "expected 8 to 512 positions, came 7"),
        ({"a": np.zeros((8, 2)), "b": np.zeros((8, 4))}, ValueError, "tables of one shape"),
        ({str(k): np.zeros((8, 2)) for k in range(5)}, ValueError, "at most 4, came 5"),
    ]:
        with pytest.raises(error, match=words):
            positions(tables)
