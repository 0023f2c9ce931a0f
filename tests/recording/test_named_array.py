"""Named arrays: numpy takes them, and a place is cut by number or by label."""

import numpy as np
import pytest

from seqviz.recording.named_array import NamedArray


def test_named_array():
    array = NamedArray(np.arange(6.0).reshape(2, 3), ("time", "unit"))
    assert repr(array) == "NamedArray(time=2, unit=3; float64)"
    assert array.ndim == 2
    assert np.asarray(array) is array.values
    assert np.asarray(array, dtype="float32").dtype == "float32"
    assert np.array(array) is not array.values
    assert np.add(array, np.ones(3)).shape == (2, 3)
    with pytest.raises(ValueError, match=r"dims must name 2 axes of shape \(2, 3\)"):
        NamedArray(array.values, ("time",))
    with pytest.raises(AttributeError):
        array.dims = ()


def test_a_place_on_an_axis():
    values = np.arange(12).reshape(2, 3, 2)
    array = NamedArray(values, ("gate", "time", "unit"), {"gate": ("i", "f")})
    np.testing.assert_array_equal(array.at(gate="f"), values[1])
    np.testing.assert_array_equal(array.at(time=np.int64(2)), values[:, 2])
    np.testing.assert_array_equal(array.at(gate=0, time=-1), values[0, -1])
    assert array.at(time=1).labels == {"gate": ("i", "f")}
    assert array.at(gate="f").dims == ("time", "unit")
    with pytest.raises(ValueError, match="'batch' is no axis; there are gate, time, unit"):
        array.at(batch=0)
    with pytest.raises(ValueError, match="gate must be a number below 2, or one of i, f; got 'o'"):
        array.at(gate="o")
    with pytest.raises(ValueError, match="time must be a number below 3; got 3"):
        array.at(time=3)
    with pytest.raises(ValueError, match="labels must name every place"):
        NamedArray(values, ("gate", "time", "unit"), {"gate": ("i",)})
