"""Calls of every operation: sizes that differ, axes from the end, nothing at all, NaN, infinity."""

import torch

from tests.graphs.parity import Case

GENERATOR = torch.Generator().manual_seed(0)
INF, NAN = float("inf"), float("nan")


def floats(*shape):
    return torch.randn(shape, generator=GENERATOR)


def wholes(*shape, low=-5, high=6):
    return torch.randint(low, high, shape, generator=GENERATOR)


def truths(*shape):
    return torch.rand(shape, generator=GENERATOR) < 0.5


def cases(op, *calls, **options):
    return [Case(op, call if isinstance(call, tuple) else (call,), **options) for call in calls]


ODD = torch.tensor([[0.0, -0.5, 2.5, -1.5, NAN], [INF, -INF, 1e-3, -7.3, 3.0]])
EVEN = torch.tensor([[1.0, NAN, -2.5, 3.0, 2.0], [INF, 4.0, 1e-3, 7.3, -INF]])
TIES = torch.tensor([[3.0, 1.0, 3.0, NAN, -INF, 1.0, NAN], [0.0, 0.0, 5.0, INF, 5.0, -2.0, 1.0]])
POSITIVE = floats(3, 4).abs() + 0.1
A, B, C = floats(2, 3, 4), floats(3, 1), floats(4)
K, J = wholes(2, 3, 4), wholes(3, 1, low=1)
T, U = truths(2, 3, 4), truths(4)
EMPTY = floats(0, 3)

VIEWS = [
    *cases(
        "view", (A, [6, 4]), (A, [4, -1]), (A, [2, 1, 3, 2, 2]), (EMPTY, [3, 0]), (C[0], [1, 1])
    ),
    *cases("_unsafe_view", (A, [3, 8])),
    *cases("reshape", (K, [-1]), (T, [24])),
    *cases("permute", (A, [2, 0, 1]), (A, [0, -1, -2]), (C[0], [])),
    *cases("expand", (B, [2, 3, 4]), (B, [-1, 5]), (C[0], [2, 3]), (floats(1, 1), [0, 3])),
    *cases("unsqueeze", (A, 0), (A, -1), (A, 2), (C[0], 0)),
    *cases("squeeze.dims", (floats(1, 3, 1), [0, 1]), (floats(1, 3, 1), [-1, 0])),
    *cases("squeeze.dim", (floats(1, 3, 1), 2), (A, 1)),
    *cases("select.int", (A, 1, 2), (A, -1, -3), (K, 0, 1)),
    *cases("slice.Tensor", (A, 1, 1, 3), (A, -1, -3, 99, 2), (A, 0), (A, 2, 3, 1), (A, 1, -9, -1)),
    *cases("split_with_sizes", (A, [1, 3], -1), (K, [2, 0, 1], 1)),
    *cases("diagonal", (floats(3, 4),), (floats(3, 4), -1), (A, 1, 2, 0), (A, -2, -1, -2)),
    *cases("as_strided", (floats(4, 6), [3, 2, 2], [6, 3, 1], 1)),
    *cases("unfold", (A, -1, 3, 1), (A, 1, 2, 1), (floats(9), 0, 3, 2)),
    *cases("repeat", (A, [2, 1, 3]), (C, [2, 3, 1]), (C, [2, 0]), (C[0], [3])),
    *cases("flip", (A, [0, -1]), (K, [1]), (EMPTY, [0, 1])),
    *cases("clone", A),
    *cases("alias", K),
    *cases("detach", T),
    *cases("cat", ([A, floats(2, 2, 4)], 1), ([A, A, floats(2, 3, 1)], -1)),
    *cases(
        "cat", ([floats(0), C, C],), ([K, J.expand(2, 3, 4)], 2), ([C, wholes(2)],), ([floats(0)],)
    ),
    *cases("constant_pad_nd", (A, [1, 2]), (A, [0, 1, 2, 0, 1, 1], 7.5), (A, [-1, 2, 1, -2], -INF)),
    *cases("constant_pad_nd", (K, [1, 1, -1, 0], 3), (EMPTY, [1, 1, 1, 0], 2.0)),
    *cases("_to_copy", ODD, dtype=torch.bool),
    *cases("_to_copy", (floats(3, 4) * 9,), T, dtype=torch.int64),
    *cases("_to_copy", K, T, A, dtype=torch.float32),
    *cases("copy", (A, B), (K, A * 3), (T, A)),
    *cases("unsqueeze_copy", (A, 1)),
    *cases("view_copy", (A, [24])),
    *cases("diagonal_copy", (A, 0, 1, 2)),
    *cases("unfold_copy", (A, 2, 2, 2)),
    *cases("lift_fresh_copy", C),
]
ONES = [
    *[case for op in ("neg", "abs", "sign") for case in cases(op, A, K, ODD)],
    *[
        case
        for op in ("exp", "expm1", "tanh", "sigmoid", "erf", "relu")
        for case in cases(op, A, ODD)
    ],
    *[case for op in ("sin", "cos", "tan", "reciprocal") for case in cases(op, A)],
    *[
        case
        for op in ("log", "log2", "log1p", "sqrt", "rsqrt")
        for case in cases(op, POSITIVE, ODD)
    ],
    *[case for op in ("floor", "ceil", "round", "trunc") for case in cases(op, A * 3, ODD)],
    *[case for op in ("isnan", "isinf", "isfinite") for case in cases(op, A, ODD)],
    *cases("logical_not", A, K, T, ODD),
    *cases("bitwise_not", K, T),
    *cases("erf", torch.linspace(-7, 7, 200)),
    *cases("gelu", A * 3, (A * 3, "tanh"), torch.linspace(-7, 7, 200)),
    *cases("silu", A, torch.tensor([-200.0, 200.0])),
    *cases("softplus", A, (A * 9, 2.0, 3.0)),
    *cases("elu", A, (A, 1.5, 0.7, 2.0)),
    *cases("leaky_relu", A, (A, 0.2)),
    *cases("hardtanh", A * 2, (A * 9, -0.5, 6.0)),
    *cases("clamp", (A, -0.5, 0.5), (A, None, 0.1), (K, 0), (ODD, -1.0, 1.0)),
    *cases("clamp.Tensor", (A, B, B + 1), (A, None, C), (K, J)),
]
NUMBERS = [
    *[
        case
        for op in ("add", "sub", "mul", "remainder", "fmod", "eq", "ne", "lt", "le", "gt", "ge")
        for case in [
            *cases(f"{op}.Tensor", (A, B), (K, J), (floats(1), EMPTY), (A, J), (ODD, EVEN)),
            *cases(f"{op}.Scalar", (A, 0.3), (K, 2), (A, -2), (K, 1.5)),
        ]
    ],
    *cases("add.Tensor", (A, B, 2), (K, J, -3), (A, 0.1, 0.5), (T, U), (A, T)),
    *cases("sub.Tensor", (A, B, 2), (A, C[0])),
    *cases("mul.Tensor", (T, U), (T, A), (floats(1, 4), floats(3, 1))),
    *cases("div.Tensor", (A, B), (K, J), (ODD, EVEN)),
    *cases("div.Scalar", (A, 3), (K, 2)),
    *cases("div.Tensor_mode", (A, B, "floor"), (K, J, "floor"), (K, J, "trunc"), (K, J, None)),
    *cases("floor_divide", (K, J), (A, B)),
    *cases("eq.Scalar", (torch.tensor([0.1, 0.3]), 0.1)),
    *cases("gt.Scalar", (torch.tensor([0.1, 0.7]), 0.1)),
    *cases("pow.Tensor_Tensor", (POSITIVE, floats(4)), (K, J)),
    *cases("pow.Tensor_Scalar", (A, 3), (POSITIVE, 0.5), (K, 2)),
    *cases("pow.Scalar", (2, A), (10000.0, C)),
    *cases("atan2", (A, B)),
    *[case for op in ("maximum", "minimum") for case in cases(op, (A, B), (K, J), (ODD, EVEN))],
    *[
        case
        for op in ("bitwise_and", "bitwise_or", "bitwise_xor")
        for case in [
            *cases(f"{op}.Tensor", (K, J), (T, U), (K * 2**40, J * 2**40 + 7)),
            *cases(f"{op}.Scalar", (K, 6)),
        ]
    ],
    *[
        case
        for op in ("logical_and", "logical_or", "logical_xor")
        for case in cases(op, (A, T), (K, J), (T, U), (ODD, EVEN))
    ],
    *cases("where.self", (U, A, B), (T, floats(1), K), (B > 0, K, J), (U, C, torch.tensor(-INF))),
]
ROWS = [
    *[
        case
        for op in ("_softmax", "_log_softmax")
        for case in cases(op, (A, -1, False), (A, 1, False), (A, 0, False), (EMPTY, 1, False))
    ],
    *cases("_softmax", (torch.full((2, 3), -INF), 1, False), (A * 90, 2, False), (C[0], 0, False)),
    *[
        case
        for op in ("cumsum", "cumprod")
        for case in cases(op, (A, -1), (A, 1), (K, 0), (T, 2), (EMPTY, 0), (C[0], 0))
    ],
    *cases("sort", (A,), (A, 1, True), (TIES[:, :3], 0), (K[0].unique(),), (EMPTY, 0)),
    *cases("sort.stable", (TIES, True), (TIES, True, -1, True), (K, True, 1)),
    *cases("topk", (A, 2), (A, 3, 1, False), (A, 1, 0), (A, 0, 2)),
    *cases(
        "native_layer_norm", (A, [4], C, floats(4), 1e-5), (A, [3, 4], None, None, 1e-3), results=1
    ),
    *cases(
        "native_group_norm", (floats(2, 6, 5), floats(6), floats(6), 2, 6, 5, 3, 1e-5), results=1
    ),
    *cases("native_group_norm", (floats(1, 4, 3), None, None, 1, 4, 3, 2, 1e-5), results=1),
    *cases(
        "_native_batch_norm_legit_no_training",
        (floats(2, 3, 5), floats(3), floats(3), floats(3), floats(3).abs(), 0.1, 1e-5),
        (floats(2, 3), None, None, floats(3), floats(3).abs(), 0.1, 1e-5),
        results=1,
    ),
]
REDUCED = [
    *[
        case
        for op in (
            "mean.dim",
            "sum.dim_IntList",
            "amax",
            "amin",
            "var.correction",
            "std.correction",
        )
        for case in cases(op, (A, [0, 2]), (A, [-1]), (A, [1]))
    ],
    *cases(
        "sum.dim_IntList",
        (A, [1], True),
        (K, [0, -1]),
        (T, [2]),
        (EMPTY, [0]),
        (EMPTY, [1]),
        (A, []),
    ),
    *cases("mean.dim", (A, [-1, 0], True), (EMPTY, [0])),
    *cases("mean", A),
    *cases("sum", A, K, T, EMPTY),
    *cases("prod", A, K, EMPTY),
    *cases("prod.dim_int", (A, 1), (K, -1, True), (EMPTY, 0)),
    *cases("amax", (A, [0, -1], True), (K, [1]), (ODD, [1]), (A, [])),
    *cases("amin", (K, [1]), (ODD, [1])),
    *[case for op in ("max", "min") for case in cases(op, A, K, ODD)],
    *[
        case
        for op in ("max.dim", "min.dim")
        for case in cases(
            op, (A, 1), (A, -1, True), (ODD, 1), (TIES[:, :3], -1), (K[0].unique(), 0)
        )
    ],
    *[
        case
        for op in ("argmax", "argmin")
        for case in cases(op, (A,), (A, 1), (A, -1, True), (ODD, 1), (TIES[:, :3], 1))
    ],
    *cases("any", T, K, ODD, EMPTY, -A),
    *cases("any.dim", (T, 1), (K, -1, True), (EMPTY, 1), (ODD - ODD, 0)),
    *cases("any.dims", (T, [0, 2]), (T, [1], True)),
    *cases("var.correction", (A, [1], 0, True), (A, None, 1), (A, [0, 2], 2)),
    *cases("std.correction", (A, [-1], 0), (A, None)),
    *cases(
        "linalg_vector_norm",
        (A,),
        (A, 1, [1]),
        (A, 3, [0, 2], True),
        (A, INF, [1]),
        (A, -INF, [-1]),
    ),
    *cases("linalg_vector_norm", (K.float(), 0, [1])),
    *cases("histc", (A, 5, -1, 1), (A, 4), (ODD[0, :4], 3, -1, 3), (torch.ones(4), 3)),
]
PRODUCTS = [
    *cases(
        "mm",
        (floats(5, 7), floats(7, 3)),
        (floats(9, 2), floats(2, 11)),
        (floats(1, 5), floats(5, 6)),
    ),
    *cases(
        "mm",
        (floats(4, 0), floats(0, 3)),
        (floats(0, 4), floats(4, 3)),
        (floats(6, 1), floats(1, 5)),
    ),
    *cases("mm", (wholes(3, 4), wholes(4, 2)), (floats(3, 6), floats(6, 1))),
    *cases("bmm", (floats(3, 5, 6), floats(3, 6, 4)), (floats(1, 1, 9), floats(1, 9, 1))),
    *cases("bmm", (floats(3, 2, 0), floats(3, 0, 4)), (floats(0, 2, 3), floats(0, 3, 4))),
    *cases(
        "addmm", (floats(3), floats(5, 4), floats(4, 3)), (floats(5, 1), floats(5, 4), floats(4, 3))
    ),
    *cases("addmm", (floats(3), floats(5, 4), floats(4, 3), 0.5, 2.0)),
    *cases("addmm", (torch.full((3,), NAN), floats(5, 4), floats(4, 3), 0, 1)),
    *cases("baddbmm", (floats(2, 1, 3), floats(2, 5, 4), floats(2, 4, 3), 2.0, 0.5)),
]
WINDOWS = [
    *cases(
        "convolution",
        (floats(2, 3, 9), floats(4, 3, 2), floats(4), [2], [1], [2], False, [0], 1),
        (floats(1, 4, 7), floats(6, 2, 3), None, [1], [0], [1], False, [0], 2),
        (
            floats(2, 3, 6, 7),
            floats(4, 3, 2, 3),
            floats(4),
            [1, 2],
            [2, 1],
            [1, 2],
            False,
            [0, 0],
            1,
        ),
        (
            floats(2, 4, 5, 6),
            floats(4, 1, 3, 2),
            floats(4),
            [2, 1],
            [1, 0],
            [1, 1],
            False,
            [0, 0],
            4,
        ),
        (
            floats(1, 2, 3, 4, 5),
            floats(3, 2, 2, 2, 2),
            None,
            [1] * 3,
            [0] * 3,
            [1] * 3,
            False,
            [0] * 3,
            1,
        ),
    ),
    *cases(
        "max_pool2d_with_indices",
        (floats(2, 3, 7, 9), [2, 3]),
        (floats(1, 2, 7, 8), [3], [2], [1]),
        (floats(2, 5, 8), [2, 3], [2, 2], [0, 1], [2, 1]),
        (-floats(1, 2, 6, 7).abs(), [3, 2], [2, 3], [1, 1], [1, 1], True),
        results=1,
    ),
    *cases(
        "avg_pool2d",
        (floats(2, 3, 7, 9), [2, 3]),
        (floats(1, 2, 7, 8), [3], [2], [1]),
        (floats(2, 5, 8), [2, 3], [2, 2], [1, 1], False, False),
        (floats(1, 2, 6, 7), [3, 2], [2, 3], [1, 1], True),
        (floats(1, 2, 6, 7), [3, 2], [2, 3], [1, 0], True, False),
        (floats(1, 2, 6, 7), [3, 2], [2, 3], [0, 0], False, True, 5),
    ),
]
PLACES = [
    *cases("embedding", (floats(6, 3), wholes(2, 4, low=0)), (floats(6, 3), wholes(0, low=0))),
    *cases("nonzero", T, K, truths(5), truths(0, 3)),
    *cases(
        "index.Tensor",
        (A, [None, wholes(5, low=-3, high=3)]),
        (A, [wholes(2, 1, low=0, high=2), wholes(3, low=-3, high=3)]),
        (A, [None, wholes(2, 2, low=0, high=3), wholes(2, low=-4, high=4)]),
        (A, [wholes(2, low=0, high=2), None, wholes(5, 1, low=0, high=4)]),
        (A, [None, None, U]),
        (K, [T]),
        (A, [truths(2, 3)]),
        (A, [wholes(0, low=0)]),
        (EMPTY, [None, wholes(2, low=0, high=3)]),
    ),
    *cases(
        "index_put",
        (A, [None, torch.tensor([2, 0])], floats(2, 1)),
        (A, [None, torch.tensor([1, 1, -1])], floats(2, 3, 4), True),
        (A, [T], torch.tensor(2.5)),
        (K, [torch.tensor([1]), None, torch.tensor([3, 0])], wholes(1)),
    ),
    *cases("index_select", (A, 1, torch.tensor([2, 0, 2])), (K, -1, torch.tensor([3]))),
    *cases(
        "gather",
        (A, 1, wholes(2, 5, 4, low=0, high=3)),
        (A, -1, wholes(1, 3, 2, low=0, high=4)),
        (K, 0, wholes(3, 1, 1, low=0, high=2)),
    ),
    *cases("scatter.src", (A, 1, torch.tensor([[[2, 1]], [[0, 2]]]), floats(2, 3, 4))),
    *cases(
        "scatter.value",
        (A, -1, wholes(2, 2, 3, low=0, high=4), 1.5),
        (T, 0, wholes(1, 3, 4, low=0, high=2), 1),
    ),
    *cases("scatter_add", (A, 2, wholes(2, 3, 5, low=0, high=4), floats(2, 3, 5))),
    *cases("slice_scatter", (A, floats(2, 2, 4), 1, 1, 3), (A, floats(2, 3, 2), -1, 0, 99, 2)),
    *cases("select_scatter", (A, floats(2, 4), 1, -1), (K, wholes(3, 4), 0, 1)),
    *cases("masked_scatter", (A, T, floats(24)), (A, U, floats(30)), (A, truths(3, 1), floats(24))),
]
MADE = [
    *cases("full", ([2, 3], 1.5), ([], 2.0), ([0, 2], 1.0), ([2, 1], -INF)),
    *cases("full", ([2, 3], 7), dtype=torch.int64),
    *cases("full", ([4], True), dtype=torch.bool),
    *cases("full_like", (A, 2.5), (K, 3)),
    *cases("new_full", (K, [3], 2), (A, [2, 0], 2)),
    *cases("scalar_tensor", (2.5,)),
    *cases("scalar_tensor", (3,), dtype=torch.int64),
    *cases("arange", (5,), (0,), (2.5,)),
    *cases("arange.start", (2, 7), (-1.5, 2.0)),
    *cases("arange.start_step", (2, 9, 3), (9, 2, -3), (0.0, 1.0, 0.3)),
    *[case for op in ("tril", "triu") for case in cases(op, A, (A, 1), (K, -1), (T, 2), EMPTY)],
]
ALL = [*VIEWS, *ONES, *NUMBERS, *ROWS, *REDUCED, *PRODUCTS, *WINDOWS, *PLACES, *MADE]
