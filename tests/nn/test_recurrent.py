"""sv.nn's RNN, LSTM and GRU are torch's, number for number."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence

from seqviz import nn
from seqviz.nn import GRU, LSTM, RNN
from seqviz.nn.unrolling import unroll
from tests.nn import parity
from tests.nn.parity import CLOSE, twins
from tests.pairwise import pairwise
from tests.refusing import refused

KINDS = ["RNN", "LSTM", "GRU"]
LENGTHS = [3, 7, 1, 5]


def tensors(state):
    return list(state) if isinstance(state, tuple) else [state]


def everything(module, x, lengths=None, hx=()):
    """Output, last states and all gradients."""

    def run(x, *hx):
        if lengths is not None:
            ordered = sorted(lengths, reverse=True) == lengths
            x = pack_padded_sequence(
                x, lengths, batch_first=module.batch_first, enforce_sorted=ordered
            )
        output, last = module(x, hx if len(hx) > 1 else hx[0] if hx else None)
        return (output if lengths is None else output.data, *tensors(last))

    return parity.everything(module, [x, *hx], run)


@pytest.mark.parametrize(
    ("kind", "layers", "two", "bias", "batch_first", "packed", "given", "unbatched"),
    pairwise(
        KINDS, [1, 3], *[[False, True]] * 3, [None, "sorted", "not"], [False, True], [False, True]
    ),
)
def test_outputs_last_states_and_gradients_are_torchs(
    kind, layers, two, bias, batch_first, packed, given, unbatched
):
    options = {"bias": bias, "batch_first": batch_first, "bidirectional": two}
    if kind == "RNN" and not bias:
        options["nonlinearity"] = "relu"
    theirs, ours = twins(kind, 3, 5, layers, **options)
    unbatched = unbatched and packed is None
    x = torch.randn(7, 3) if unbatched else torch.randn(7, 4, 3)
    x = (x.transpose(0, 1) if batch_first and not unbatched else x).double()
    lengths = {"sorted": [7, 5, 5, 1], "not": LENGTHS}.get(packed)
    shape = (layers * (1 + two), *(() if unbatched else (4,)), 5)
    hx = [torch.randn(shape).double() for _ in range(1 + (kind == "LSTM")) if given]
    expected = everything(theirs, x, lengths, hx)
    torch.testing.assert_close(everything(ours, x, lengths, hx), expected, **CLOSE)


@pytest.mark.parametrize("kind", KINDS)
def test_equal_seed_gives_equal_weights_in_order_and_they_go_both_ways(kind):
    for bias, dtype in ((True, None), (False, torch.float64)):
        modules = []
        for home in (torch.nn, nn):
            torch.manual_seed(3)
            modules.append(getattr(home, kind)(4, 5, 3, bias=bias, bidirectional=True, dtype=dtype))
        theirs, ours = modules
        assert list(ours.state_dict()) == list(theirs.state_dict())
        torch.testing.assert_close(ours.state_dict(), theirs.state_dict(), rtol=0, atol=0)
        theirs.load_state_dict(
            getattr(nn, kind)(4, 5, 3, bias=bias, bidirectional=True).state_dict()
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("two", [False, True])
def test_padded_and_packed_batches_give_the_states_of_one_by_one(kind, two):
    module = getattr(nn, kind)(3, 5, 2, bidirectional=two).double()
    x = torch.randn(7, 4, 3, dtype=torch.float64)
    x[torch.arange(7).unsqueeze(1) >= torch.tensor(LENGTHS)] = torch.nan  # padding is never read
    padded, last = module(x, lengths=LENGTHS)
    padded.sum().backward()
    assert all(p.grad.isfinite().all() for p in module.parameters())
    packed, packed_last = module(pack_padded_sequence(x, LENGTHS, enforce_sorted=False))
    torch.testing.assert_close(pad_packed_sequence(packed)[0], padded, **CLOSE)
    torch.testing.assert_close(packed_last, last, **CLOSE)
    for k, length in enumerate(LENGTHS):
        alone, alone_last = module(x[:length, k])
        torch.testing.assert_close(padded[:length, k], alone, **CLOSE)
        assert not padded[length:, k].any()
        for many, one in zip(tensors(last), tensors(alone_last), strict=True):
            torch.testing.assert_close(many[:, k], one, **CLOSE)


def slides_gru(x, h, gru):
    """One step of decks 000 and 003, column by column."""
    W_xr, W_xz, W_xn = gru.weight_ih_l0.chunk(3)
    W_hr, W_hz, W_hn = gru.weight_hh_l0.chunk(3)
    b_r, b_z, b_n = gru.bias_l0.chunk(3)
    r = torch.sigmoid(W_xr @ x + W_hr @ h + b_r)
    z = torch.sigmoid(W_xz @ x + W_hz @ h + b_z)
    n = torch.tanh(W_xn @ x + W_hn @ (r * h) + b_n)
    return (1 - z) * n + z * h


def test_gru_with_reset_before_is_the_slides():
    gru = GRU(3, 4, reset="before").double()
    assert [name for name, _ in gru.named_parameters()] == [
        "weight_ih_l0",
        "weight_hh_l0",
        "bias_l0",
    ]
    x, h = torch.randn(5, 3, dtype=torch.float64), torch.randn(4, dtype=torch.float64)
    output, _ = gru(x, h[None])
    for t in range(5):
        h = slides_gru(x[t], h, gru)
        torch.testing.assert_close(output[t], h, **CLOSE)


def test_gru_with_reset_before_in_layers_directions_and_unequal_lengths():
    gru = GRU(3, 4, 2, bidirectional=True, reset="before").double()
    x = torch.randn(7, 4, 3, dtype=torch.float64)
    padded, _ = gru(x, lengths=LENGTHS)
    for k, length in enumerate(LENGTHS):
        torch.testing.assert_close(padded[:length, k], gru(x[:length, k])[0], **CLOSE)
    other = GRU(3, 4, 2, bidirectional=True, reset="before").double()
    other.load_state_dict(gru.state_dict())
    torch.testing.assert_close(other(x), gru(x))
    assert GRU(3, 4, bias=False, reset="before")(torch.ones(2, 3))[0].shape == (2, 4)


def test_torchs_gru_does_not_fit_reset_before():
    weights = torch.nn.GRU(3, 4).state_dict()
    with pytest.raises(RuntimeError, match=r"another function with a single bias.*reset=\"after\""):
        GRU(3, 4, reset="before").load_state_dict(weights)
    without = torch.nn.GRU(3, 4, bias=False).state_dict()
    with pytest.raises(RuntimeError, match="another function"):
        GRU(3, 4, bias=False, reset="before").load_state_dict(without)
    with pytest.raises(ValueError, match="reset must be one of 'after', 'before', got 'none'"):
        GRU(3, 4, reset="none")


def test_learned_h_0():
    rnn, places = RNN(4, 5, 2, bidirectional=True, learn_h_0=True), 4
    assert not rnn.h_0.any()
    theirs = torch.nn.RNN(4, 5, 2, bidirectional=True).state_dict()
    assert rnn.load_state_dict(theirs, strict=False).missing_keys == ["h_0"]
    with torch.no_grad():
        rnn.h_0.normal_()
    x = torch.randn(3, 6, 4)
    output, h_n = rnn(x)
    torch.testing.assert_close((output, h_n), rnn(x, rnn.h_0.expand(places, 6, 5)))
    output.sum().backward()
    assert (rnn.h_0.grad != 0).all()
    assert rnn(torch.randn(3, 4))[1].shape == (places, 5)


def test_dropout_acts_between_layers_while_training_only():
    module, x = LSTM(4, 50, 2, dropout=0.5), torch.randn(5, 2, 4)
    first, second = (unroll(module, x).layers for _ in range(2))
    assert torch.equal(first[0].states[-1][0], second[0].states[-1][0])
    assert not torch.equal(first[1].states[-1][0], second[1].states[-1][0])
    module.eval()
    assert torch.equal(module(x)[0], module(x)[0])
    with pytest.warns(UserWarning, match="between layers") as caught:
        GRU(4, 5, dropout=0.5)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_dropout_draws_what_torchs_draws(kind, packed):
    theirs, ours = twins(kind, 3, 6, 3, dropout=0.4, bidirectional=True)
    x = torch.randn(7, 4, 3, dtype=torch.float64)
    results = []
    for module in (theirs, ours):
        torch.manual_seed(1)
        results.append(everything(module, x, LENGTHS if packed else None))
    torch.testing.assert_close(results[1], results[0], **CLOSE)


def test_what_does_not_fit():
    rnn, gru, lstm = RNN(3, 5), GRU(3, 5), LSTM(3, 5)
    x, h, padded = torch.zeros(2, 1, 3), torch.zeros(1, 5), torch.zeros(7, 2, 3)
    wrong = {
        "'tanh', 'relu', got 'sigmoid'": lambda: RNN(3, 3, 1, "sigmoid"),
        "proj_size must be 0, got 2": lambda: LSTM(3, 4, proj_size=2),
        r"input = 3, got shape \(2, 1, 4\)": lambda: rnn(torch.zeros(2, 1, 4)),
        r"packed .*input = 3, got .*\(2, 4\)": lambda: lstm(pack_sequence([torch.zeros(2, 4)])),
        r"h_0 must have shape \(1, 1, 5\)": lambda: rnn(x, h),
        "between 1 and 7, the padded length, got 8": lambda: lstm(padded, lengths=[2, 8]),
        "got 0: leave empty sequences out": lambda: lstm(padded, lengths=[0, 7]),
        "lengths must not be given with a packed input": lambda: gru(
            pack_sequence([torch.zeros(2, 3)]), lengths=[2]
        ),
    }
    refused(ValueError, wrong)
    wrong = {
        "one-hot": lambda: rnn(x.long()),
        r"input.to\(torch.float32\)": lambda: gru(x.double()),
        "h_0 must be a torch.float32": lambda: rnn(x[:, 0], h.long()),
        r"tuple \(h_0, c_0\).*got Tensor": lambda: lstm(x[:, 0], h),
        r"\(h_0, c_0\).*got 1 tensors": lambda: lstm(x[:, 0], (h,)),
        "lengths must be whole numbers, got torch.bool": lambda: lstm(padded, lengths=[True, True]),
        r"dtype must be a float type.*got torch\.int64": lambda: GRU(3, 4, dtype=torch.int64),
    }
    refused(TypeError, wrong)


def test_half_precision_and_autocast_are_near():
    for kind in KINDS:
        module, x = getattr(nn, kind)(3, 5, 2, bidirectional=True), torch.randn(4, 2, 3)
        expected, _ = module(x)
        with torch.autocast("cpu", torch.bfloat16):
            output, last = module(x)
            module(x, last)
        torch.testing.assert_close(output.float(), expected, rtol=0, atol=0.03)
        for dtype in (torch.float16, torch.bfloat16):
            output, last = module.to(dtype)(x.to(dtype))
            assert output.dtype == tensors(last)[0].dtype == dtype
            torch.testing.assert_close(output.float(), expected, rtol=0, atol=0.03)


def test_small_integers_as_lengths():
    output, _ = LSTM(3, 4)(torch.randn(300, 2, 3), lengths=torch.tensor([100, 20]).to(torch.int8))
    assert output[99, 0].any()
    assert not output[100:, 0].any()
