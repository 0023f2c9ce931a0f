"""The page's operations against torch's: all sizes, layouts and kinds of numbers."""

import math
import operator

import pytest
import torch

from tests.graphs import operation_cases, parity

pytestmark = pytest.mark.browser

TWO = "add sub mul floordiv truediv mod pow eq ne ge gt le lt sym_max sym_min"
LENGTHS = [
    *[(name, pair) for name in TWO.split() for pair in ((7, 3), (-7, 2), (3, 3))],
    *[(name, pair) for name in ("and_", "or_") for pair in ((True, False), (True, True))],
    *[(name, (x,)) for name in ("neg", "trunc", "ceil", "floor", "sym_float") for x in (-2.5, 2)],
    *[("getitem", ([4, 5, 6], 1)), ("sym_sum", ([3, 4, 5],)), ("sym_not", (True,))],
    ("_sym_sqrt", (9,)),
    *[("sym_ite", (one, 1, 0)) for one in (True, False)],
]
CHECKS = (
    "_assert_async",
    "_assert_async.msg",
    "_assert_scalar",
    "_assert_tensor_metadata",
    "sym_constrain_range",
    "sym_constrain_range_for_size",
)
ELSEWHERE = {"seqviz.recurrent", *CHECKS, *(f"sym.{name}" for name, _ in LENGTHS), "sym_size.int"}
UNSET = {"empty.memory_format", "empty_permuted"}
DRAWN = {"randn", "randn_like"}
CALLS = """calls => calls.map(([name, given]) => {
    const values = given.map(one => one?.shape ? tensor(one.shape, one.values, 'float') : one);
    const found = operations[name](Float32Array, ...values);
    return found instanceof Tensor ? [found.shape, Array.from(flat(found))] : found;
})"""


def test_every_operation_gives_what_torch_gives(script):
    assert parity.wrong(script, operation_cases.ALL) == ""


def test_no_operation_is_left_out(script):
    known = set(script("shared/graph/operations.js", "() => Object.keys(operations)"))
    tried = {case.op for case in operation_cases.ALL}
    others = {"_local_scalar_dense", "transformers.grouped_mm_fallback"}
    assert known - tried == ELSEWHERE | UNSET | DRAWN | others


def test_arithmetic_of_lengths_is_pythons(script):
    def python(name):
        return next(getattr(of, name) for of in (operator, math, torch) if hasattr(of, name))

    calls = [[f"sym.{name}", list(given)] for name, given in LENGTHS]
    expected = [python(name)(*given) for name, given in LENGTHS]
    assert script("shared/graph/operations.js", CALLS, calls) == expected


def test_operations_that_read_a_number_or_only_make_room(script):
    a = {"shape": [2, 3], "values": [5, 1, 2, 3, 4, 9]}
    one = {"shape": [1, 1], "values": [7]}
    calls = [
        (["sym_size.int", [a, -1]], 3),
        (["_local_scalar_dense", [one]], 7),
        (["empty.memory_format", [[1, 2]]], [[1, 2], [0, 0]]),
        (["empty_permuted", [[1, 2], [1, 0]]], [[1, 2], [0, 0]]),
        *[([name, [True, "a message"]], None) for name in CHECKS],
    ]
    found = script("shared/graph/operations.js", CALLS, [call for call, _ in calls])
    assert found == [expected for _, expected in calls]


def test_drawn_numbers_are_normally_distributed(script):
    room = {"shape": [300, 40], "values": [0] * 12_000}
    drawn = script(
        "shared/graph/operations.js", CALLS, [["randn", [[9999]]], ["randn_like", [room]]]
    )
    for shape, numbers in drawn:
        size = math.prod(shape)
        assert len(numbers) == size
        assert abs(sum(numbers) / size) < 0.1
        assert abs(sum(x * x for x in numbers) / size - 1) < 0.1
        assert abs(sum(abs(x) < 1 for x in numbers) / size - 0.683) < 0.05


def test_groups_of_rows_meet_their_own_matrices(script):
    rows, matrices = torch.randn(6, 3), torch.randn(3, 3, 2)
    call = """(rows, matrices) => Array.from(flat(
        operations['transformers.grouped_mm_fallback'](
            Float32Array, tensor([6, 3], rows, 'float'), tensor([3, 3, 2], matrices, 'float'),
            tensor([3], [2, 2, 6]))))"""
    given = rows.flatten().tolist(), matrices.flatten().tolist()
    found = script("shared/graph/operations.js", call, *given)
    expected = torch.cat([rows[:2] @ matrices[0], rows[2:] @ matrices[2]])
    torch.testing.assert_close(torch.tensor(found), expected.flatten())


def test_what_does_not_fit_is_told_in_words(script):
    a = {"shape": [2, 3], "values": [0] * 6}
    calls = {
        "does not become (4, -1)": ["view", [a, [4, -1]]],
        "does not stretch to (2, 4)": ["expand", [a, [2, 4]]],
        "(1, 2, 3) and (1, 2, 3) have no product": ["mm", [a, a]],
        "(2, 3) and (4) do not broadcast": ["add.Tensor", [a, {"shape": [4], "values": [0] * 4}]],
        "place 2 is outside of length 2": ["select.int", [a, 0, 2]],
        "place 9 is outside of length 2": ["embedding", [a, {"shape": [1], "values": [9]}]],
        "axis 2 is outside of the 2 axes": ["_softmax", [a, 2]],
        "transposed convolutions": ["convolution", [a, a, None, [1], [0], [1], True, [0], 1]],
        "decides by its numbers": ["_assert_scalar", [False, "u0 is 1"]],
        "result 1 is not made here": ["sym.getitem", [[1], 1]],
    }
    told = """calls => calls.map(([name, given]) => {
        const values = given.map(one => one?.shape ? tensor(one.shape, one.values) : one);
        try {
            return operations[name](Float32Array, ...values);
        } catch (error) {
            return error.message;
        }
    })"""
    found = script("shared/graph/operations.js", told, list(calls.values()))
    assert [words for words, came in zip(calls, found, strict=True) if words not in str(came)] == []
