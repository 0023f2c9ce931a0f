"""Calls of every operation: sizes that differ, axes from the end, nothing at all, NaN, infinity."""

import torch

from tests.graphs.parity import Case

GENERATOR = torch.Generator().manual_seed(0)
INF, NAN = float("inf"), float("nan")


def f(*shape):
    return torch.randn(shape, generator=GENERATOR)


def w(*shape, low=-5, high=6):
    return torch.randint(low, high, shape, generator=GENERATOR)


def t(*shape):
    return torch.rand(shape, generator=GENERATOR) < 0.5


def p(*shape, of=2):
    """Places along an axis of `of`, also from its end."""
    return w(*shape, low=-of, high=of)


def n(*shape, of=2):
    """Places along an axis of `of`."""
    return w(*shape, low=0, high=of)


ODD = torch.tensor([[0.0, -0.5, 2.5, -1.5, NAN], [INF, -INF, 1e-3, -7.3, 3.0]])
EVEN = torch.tensor([[1.0, NAN, -2.5, 3.0, 2.0], [INF, 4.0, 1e-3, 7.3, -INF]])
TIES = torch.tensor([[3.0, 1.0, 3.0, NAN, -INF, 1.0, NAN], [0.0, 0.0, 5.0, INF, 5.0, -2.0, 1.0]])
POSITIVE, WIDE = f(3, 4).abs() + 0.1, torch.linspace(-7, 7, 200)
A, B, C = f(2, 3, 4), f(3, 1), f(4)  # floats that broadcast
K, J = w(2, 3, 4), w(3, 1, low=1)  # whole numbers
T, U = t(2, 3, 4), t(4)  # truth values
EMPTY, SET = f(0, 3), w(4, low=0, high=9).unique()
L = torch.tensor  # of a list

CALLS = {  # by the names of operations; calls stand between semicolons
    # shapes
    "view view_copy": "A, [6, 4]; K, [4, -1]; A, [2, 1, 3, 2, 2]; EMPTY, [3, 0]; C[0], [1, 1];"
    "T, [-1]",
    "permute": "A, [2, 0, 1]; A, [0, -1, -2]; C[0], []",
    "expand": "B, [2, 3, 4]; B, [-1, 5]; C[0], [2, 3]; f(1, 1), [0, 3]",
    "unsqueeze": "A, 0; A, -1; A, 2; C[0], 0",
    "squeeze.dims": "f(1, 3, 1), [0, 1]; f(1, 3, 1), [-1, 0]; A, [1]",
    "select.int": "A, 1, 2; A, -1, -3; K, 0, 1",
    "slice.Tensor": "A, 1, 1, 3; A, -1, -3, 99, 2; A, 0; A, 2, 3, 1; A, 1, -9, -1;T, 2, 1, None, 3",
    "split_with_sizes": "A, [1, 3], -1; K, [2, 0, 1], 1",
    "diagonal": "f(3, 4); f(3, 4), -1; A, 1, 2, 0; A, -2, -1, -2; f(2, 3), 7",
    "as_strided": "f(4, 6), [3, 2, 2], [6, 3, 1], 1",
    "unfold": "A, -1, 3, 1; A, 1, 2, 1; f(9), 0, 3, 2",
    "repeat": "A, [2, 1, 3]; C, [2, 3, 1]; C, [2, 0]; C[0], [3]",
    "flip": "A, [0, -1]; K, [1]; EMPTY, [0, 1]",
    "clone alias lift_fresh_copy": "A; K; T",
    "cat": "[A, f(2, 2, 4)], 1; [A, A, f(2, 3, 1)], -1; [f(0), C, C]; [K, J.expand(2, 3, 4)], 2;"
    "[C, w(2)]; [f(0)]",
    "constant_pad_nd": "A, [1, 2]; A, [0, 1, 2, 0, 1, 1], 7.5; A, [-1, 2, 1, -2], -INF;"
    "K, [1, 1, -1, 0], 3; EMPTY, [1, 1, 1, 0], 2.0",
    "copy": "A, B; K, A * 3; T, A; C, w(4)",
    # numbers one by one
    "neg abs sign": "A; K; ODD",
    "exp expm1 tanh sigmoid erf relu isnan isinf": "A; ODD",
    "sin cos tan reciprocal": "A",
    "log log2 log1p sqrt rsqrt": "POSITIVE; ODD",
    "floor ceil round trunc": "A * 3; ODD; C[0]",
    "logical_not": "A; K; T; ODD",
    "bitwise_not": "K; T",
    "erf sigmoid": "WIDE; L([-200.0, 200.0])",
    "gelu": "A * 3; A * 3, 'tanh'; WIDE",
    "elu": "A; A, 1.5, 0.7, 2.0",
    "leaky_relu": "A; A, 0.2",
    "hardtanh": "A * 2; A * 9, -0.5, 6.0",
    "clamp": "A, -0.5, 0.5; A, None, 0.1; K, 0; ODD, -1.0, 1.0",
    "clamp.Tensor": "A, B, B + 1; A, None, C; K, J",
    # numbers that broadcast
    "add.Tensor sub.Tensor mul.Tensor remainder.Tensor fmod.Tensor eq.Tensor ne.Tensor lt.Tensor "
    "le.Tensor gt.Tensor ge.Tensor": "A, B; K, J; f(1), EMPTY; A, J; ODD, EVEN; f(1, 4), f(3, 1)",
    "add.Scalar sub.Scalar mul.Scalar remainder.Scalar fmod.Scalar eq.Scalar ne.Scalar lt.Scalar "
    "le.Scalar gt.Scalar ge.Scalar": "A, 0.3; K, 2; A, -2; K, 1.5; L([0.1, 0.3]), 0.1",
    "add.Tensor": "A, B, 2; K, J, -3; A, 0.1, 0.5; T, U; A, T",
    "sub.Tensor": "A, B, 2; A, C[0]",
    "mul.Tensor": "T, U; T, A",
    "div.Tensor": "A, B; K, J; ODD, EVEN",
    "div.Scalar": "A, 3; K, 2",
    "div.Tensor_mode": "A, B, 'floor'; K, J, 'floor'; K, J, 'trunc'; K, J, None",
    "pow.Tensor_Tensor": "POSITIVE, f(4); w(3, low=1), J",
    "pow.Tensor_Scalar": "A, 3; POSITIVE, 0.5; K, 2",
    "pow.Scalar": "2, A; 10000.0, C",
    "atan2": "A, B",
    "maximum minimum": "A, B; K, J; ODD, EVEN",
    "bitwise_and.Tensor bitwise_or.Tensor bitwise_xor.Tensor": "K, J; T, U; K << 40, (J << 40) + 7",
    "bitwise_and.Scalar bitwise_or.Scalar bitwise_xor.Scalar": "K, 6",
    "logical_and logical_or logical_xor": "A, T; K, J; T, U; ODD, EVEN",
    "where.self": "U, A, B; T, f(1), K; B > 0, K, J; U, C, L(-INF)",
    # rows
    "_softmax _log_softmax": "A, -1, False; A, 1, False; A, 0, False; EMPTY, 1, False;"
    "L([[-INF, -INF], [0.0, -INF]]), 1, False; A * 90, 2, False; C[0], 0, False",
    "cumsum cumprod": "A, -1; A, 1; K, 0; T, 2; EMPTY, 0; C[0], 0",
    "sort": "A; A, 1, True; SET; EMPTY, 0; C[0]",
    "sort.stable": "TIES, True; TIES, True, -1, True; K, True, 1",
    "topk": "A, 2; A, 3, 1, False; A, 1, 0; A, 0, 2",
    "native_layer_norm": "A, [4], C, f(4), 1e-5; A, [3, 4], None, None, 1e-3",
    "native_group_norm": "f(2, 6, 5), f(6), f(6), 2, 6, 5, 3, 1e-5;"
    "f(1, 4, 3), None, None, 1, 4, 3, 2, 1e-5",
    "_native_batch_norm_legit_no_training": "f(2, 3, 5), f(3), f(3), f(3), f(3).abs(), 0.1, 1e-5;"
    "f(2, 3), None, None, f(3), f(3).abs(), 0.1, 1e-5",
    # one number of many
    "mean.dim sum.dim_IntList amax amin var.correction": "A, [0, 2]; A, [-1]",
    "sum.dim_IntList": "A, [1], True; K, [0, -1]; T, [2]; EMPTY, [0]; EMPTY, [1]; A, []",
    "mean.dim": "A, [-1, 0], True; EMPTY, [0]",
    "mean": "A; C[0]",
    "prod": "A; K; EMPTY",
    "prod.dim_int": "A, 1; K, -1, True; EMPTY, 0",
    "amax amin": "A, [0, -1], True; K, [1]; ODD, [1]; A, []",
    "max min": "A; K; ODD",
    "max.dim min.dim argmax argmin": "A, 1; A, -1, True; ODD, 1; TIES[:, :3], -1; SET, 0",
    "argmax argmin": "A; K",
    "any": "T; K; ODD; EMPTY; -A",
    "any.dim": "T, 1; K, -1, True; EMPTY, 1; ODD - ODD, 0",
    "any.dims": "T, [0, 2]; T, [1], True",
    "var.correction": "A, [1], 0, True; A, None, 1; A, [0, 2], 2",
    "linalg_vector_norm": "A; A, 1, [1]; A, 3, [0, 2], True; A, INF, [1]; A, -INF, [-1];"
    "K.float(), 0, [1]",
    "histc": "A, 5, -1, 1; A, 4; ODD[0, :4], 3, -1, 3; C * 0 + 1, 3",
    # products and windows
    "mm": "f(5, 7), f(7, 3); f(9, 2), f(2, 11); f(1, 5), f(5, 6); f(4, 0), f(0, 3);"
    "f(0, 4), f(4, 3); f(6, 1), f(1, 5); w(3, 4), w(4, 2); f(3, 6), f(6, 1)",
    "bmm": "f(3, 5, 6), f(3, 6, 4); f(1, 1, 9), f(1, 9, 1); f(3, 2, 0), f(3, 0, 4);"
    "f(0, 2, 3), f(0, 3, 4)",
    "addmm": "f(3), f(5, 4), f(4, 3); f(5, 1), f(5, 4), f(4, 3); f(3), f(5, 4), f(4, 3), 0.5, 2.0;"
    "L([NAN] * 3), f(5, 4), f(4, 3), 0, 1",
    "convolution": "f(2, 3, 9), f(4, 3, 2), f(4), [2], [1], [2], False, [0], 1;"
    "f(1, 4, 7), f(6, 2, 3), None, [1], [0], [1], False, [0], 2;"
    "f(2, 3, 6, 7), f(4, 3, 2, 3), f(4), [1, 2], [2, 1], [1, 2], False, [0, 0], 1;"
    "f(2, 4, 5, 6), f(4, 1, 3, 2), f(4), [2, 1], [1, 0], [1, 1], False, [0, 0], 4;"
    "f(1, 2, 3, 4, 5), f(3, 2, 2, 2, 2), None, [1], [0], [1], False, [0], 1",
    "max_pool2d_with_indices": "f(2, 3, 7, 9), [2, 3]; f(1, 2, 7, 8), [3, 3], [2, 2], [1, 1];"
    "f(2, 5, 8), [2, 3], [2, 2], [0, 1], [2, 1];"
    "-f(1, 2, 6, 7).abs(), [3, 2], [2, 3], [1, 1], [1, 1], True",
    "avg_pool2d": "f(2, 3, 7, 9), [2, 3]; f(1, 2, 7, 8), [3, 3], [2, 2], [1, 1];"
    "f(2, 5, 8), [2, 3], [2, 2], [1, 1], False, False; f(1, 2, 6, 7), [3, 2], [2, 3], [1, 1], True;"
    "f(1, 2, 6, 7), [3, 2], [2, 3], [1, 0], True, False;"
    "f(1, 2, 6, 7), [3, 2], [2, 3], [0, 0], False, True, 5",
    # places
    "embedding": "f(6, 3), n(2, 4, of=6); f(6, 3), n(0)",
    "nonzero": "T; K; t(5); t(0, 3)",
    "index.Tensor": "A, [None, p(5, of=3)]; A, [p(2, 1, of=2), p(3, of=3)]; A, [n(0)];"
    "A, [None, p(2, 2, of=3), p(2, of=4)]; A, [p(2), None, p(5, 1, of=4)]; A, [None, None, U];"
    "K, [T]; A, [t(2, 3)]; EMPTY, [None, n(2, of=3)];"
    "f(2, 3, 4, 5), [None, p(2, of=3), None, L([[4]])]",
    "index_put": "A, [None, L([2, 0])], f(2, 1); A, [None, L([1, 1, -1])], f(2, 3, 4), True;"
    "A, [T], L(2.5); K, [L([1]), None, L([3, 0])], w(1);"
    "f(2, 3, 4, 5), [None, L([2, 0]), None, L([[4]])], f(4)",
    "index_select": "A, 1, L([2, 0, 2]); K, -1, L([3])",
    "gather": "A, 1, n(2, 5, 4, of=3); A, -1, n(1, 3, 2, of=4); K, 0, n(3, 1, 1)",
    "scatter.src": "A, 1, L([[[2, 1]], [[0, 2]]]), f(2, 3, 4)",
    "scatter.value": "A, -1, n(2, 2, 3, of=4), 1.5; T, 0, n(1, 3, 4), 1",
    "scatter_add": "A, 2, n(2, 3, 5, of=4), f(2, 3, 5)",
    "slice_scatter": "A, f(2, 2, 4), 1, 1, 3; A, f(2, 3, 2), -1, 0, 99, 2",
    "masked_scatter": "A, T, f(24); A, U, f(30); A, t(3, 1), f(24)",
    # made of nothing
    "full": "[2, 3], 1.5; [], 2.0; [0, 2], 1.0; [2, 1], -INF",
    "full_like": "A, 2.5; K, 3",
    "scalar_tensor": "2.5; -INF",
    "arange.start_step": "2, 9, 3; 9, 2, -3; 0.0, 1.0, 0.3; 0, 5, 1; -1.5, 2.0, 1; 0, 0, 1",
}
CASTS = {
    torch.bool: {"_to_copy": "ODD; K", "full": "[4], True"},
    torch.int64: {"_to_copy": "f(3, 4) * 9; T; K", "full": "[2, 3], 7", "scalar_tensor": "3"},
    torch.float32: {"_to_copy": "K; T; A"},
}


def cases():
    for dtype, table in [(None, CALLS), *CASTS.items()]:
        for names, calls in table.items():
            for call in calls.split(";"):
                given = eval(f"({call},)")
                yield from (Case(name, given, dtype) for name in names.split())


ALL = [*cases()]
