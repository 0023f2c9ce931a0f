"""The race of the layer types: ticks, paths and what an output reads."""

import numpy as np
import pytest
from traitlets import TraitError

from seqviz.view import race


def causal(n, kernel, dilation=1):
    """Output i reads inputs i, i - dilation, ..."""
    i, j = np.indices((n, n))
    return np.isin(i - j, dilation * np.arange(kernel))


def four_lanes(n=9, **more):
    every, same = np.ones((n, n), bool), np.eye(n, dtype=bool)
    lanes = {
        "RNN": {"layers": [same], "own": np.eye(n, k=-1, dtype=bool), "seconds": 0.25},
        "convolution": {"layers": [causal(n, 3)] * 4},
        "dilated": {"layers": [causal(n, 3), causal(n, 3, 3)]},
        "attention": {"layers": [every]},
    }
    return race(lanes, **more)


def test_ticks_paths_and_fields_are_those_of_the_table():
    lanes = four_lanes().lanes
    expected = {"RNN": 9, "convolution": 4, "dilated": 2, "attention": 1}
    assert {name: lane.last for name, lane in lanes.items()} == expected
    assert {name: lane.path for name, lane in lanes.items()} == expected
    assert lanes["attention"].edges == 81
    assert lanes["RNN"].edges == 9 + 8
    for kernel, layers in [(2, 1), (2, 3), (3, 2), (3, 3)]:
        lane = race({"c": {"layers": [causal(16, kernel)] * layers}}).lanes["c"]
        assert lane.reach[15, 0].sum() == 1 + layers * (kernel - 1)
        assert lane.path == layers


def test_a_path_is_the_shortest_way_and_what_reads_nothing_is_there_at_once():
    skip = race({"r": {"layers": [np.eye(8, dtype=bool)], "own": np.tri(8, k=-1, dtype=bool)}})
    assert (skip.lanes["r"].last, skip.lanes["r"].path) == (8, 2)
    lane = race({"a": {"layers": [np.zeros((3, 3), bool)]}}).lanes["a"]
    assert (lane.last, lane.path, lane.edges, lane.reach[1, 0].sum()) == (1, 0, 0, 0)


def test_alt_and_table_tell_the_lanes():
    view = four_lanes()
    view.tick, view.step = 2, 3
    assert view.alt == (
        "Race of layer types over 9 positions: 'RNN', 'convolution', 'dilated', 'attention'; "
        "tick 2, output 3"
    )
    header, *rows = view.table()
    assert header == ["lane", "layer", "output", "tick"]
    assert rows[:9] == [["RNN", "1", str(k), str(k)] for k in range(1, 10)]
    assert rows[9 + 9] == ["convolution", "2", "1", "2"]
    assert len(rows) == 9 * (1 + 4 + 2 + 1)


def test_a_setting_keeps_a_tick_that_there_is():
    def lanes(at):
        return {"c": {"layers": [causal(8, 2)] * at["depth"]}}

    view = race(lanes, over={"depth": [6, 2]})
    view.tick = 6
    view.at = {"depth": 2}
    assert view.tick == 2
    with pytest.raises(TraitError, match="tick: expected 0 to 2, came 3"):
        view.tick = 3


def test_bad_lanes_say_what_is_wrong():
    for lane, error, said in [
        ([1], TypeError, "expected a mapping with the key 'layers', came list"),
        ({}, ValueError, "'layers' is missing"),
        ({"layer": []}, ValueError, "has 'layer'; expected 'layers', 'own', 'seconds'"),
        ({"layers": []}, ValueError, "expected 1 to 16, came 0"),
        ({"layers": [np.ones((3, 3))]}, TypeError, "expected booleans"),
        ({"layers": [np.ones((40, 40), bool)]}, ValueError, "n from 2 to 32"),
        (
            {"layers": [np.ones((3, 3), bool), np.ones((4, 4), bool)]},
            ValueError,
            r"all graphs of shape \(3, 3\), came \(4, 4\)",
        ),
        (
            {"layers": [np.ones((3, 3), bool)], "own": np.ones((3, 3), bool)},
            ValueError,
            r"own'\]\[0, 0\] is True",
        ),
        ({"layers": [np.ones((3, 3), bool)], "seconds": -1}, ValueError, "not negative"),
    ]:
        with pytest.raises(error, match=said):
            race({"a": lane})
