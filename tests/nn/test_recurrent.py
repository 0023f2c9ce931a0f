"""sv.nn.RNN is torch.nn.RNN, number for number; LanguageModel is the slide."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from seqviz.nn import RNN, LanguageModel
from seqviz.nn.recurrent import hidden_states

torch.set_num_threads(1)
CLOSE = {"rtol": 0, "atol": 1e-10}
sizes = st.integers(1, 6)


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    input_size=sizes,
    hidden_size=sizes,
    layers=st.integers(1, 3),
    time=st.integers(1, 12),
    batch=st.integers(1, 4),
    nonlinearity=st.sampled_from(["tanh", "relu"]),
    bias=st.booleans(),
    batch_first=st.booleans(),
    unbatched=st.booleans(),
    given_h_0=st.booleans(),
)
def test_outputs_and_gradients_are_torchs(
    seed,
    input_size,
    hidden_size,
    layers,
    time,
    batch,
    nonlinearity,
    bias,
    batch_first,
    unbatched,
    given_h_0,
):
    args = (input_size, hidden_size, layers, nonlinearity, bias, batch_first)
    torch.manual_seed(seed)
    theirs = torch.nn.RNN(*args).double()
    ours = RNN(*args).double()
    ours.load_state_dict(theirs.state_dict())
    shape = (time, input_size) if unbatched else (time, batch, input_size)
    if batch_first and not unbatched:
        shape = (batch, time, input_size)
    x = torch.randn(shape, dtype=torch.float64)
    h_0 = None
    if given_h_0:
        h_shape = (layers, hidden_size) if unbatched else (layers, batch, hidden_size)
        h_0 = torch.randn(h_shape, dtype=torch.float64)

    results = []
    for rnn in (theirs, ours):
        inputs = [x.clone().requires_grad_()]
        if given_h_0:
            inputs.append(h_0.clone().requires_grad_())
        output, h_n = rnn(*inputs)
        weights = torch.linspace(-1, 1, output.numel(), dtype=torch.float64).reshape(output.shape)
        ((output * weights).sum() + (h_n**2).sum()).backward()
        gradients = {n: p.grad for n, p in rnn.named_parameters()}
        results.append((output, h_n, gradients, [i.grad for i in inputs]))
    torch.testing.assert_close(results[1], results[0], **CLOSE)


@pytest.mark.parametrize("bias", [True, False])
def test_equal_seed_gives_equal_weights_in_order(bias):
    torch.manual_seed(3)
    theirs = torch.nn.RNN(4, 5, 3, bias=bias).state_dict()
    torch.manual_seed(3)
    ours = RNN(4, 5, 3, bias=bias).state_dict()
    assert list(ours) == list(theirs)
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_state_dict_goes_both_ways():
    ours, theirs = RNN(4, 5, 2), torch.nn.RNN(4, 5, 2)
    theirs.load_state_dict(ours.state_dict())
    x = torch.randn(7, 3, 4)
    torch.testing.assert_close(ours(x), theirs(x))
    other = RNN(4, 5, 2)
    other.load_state_dict(theirs.state_dict())
    torch.testing.assert_close(other(x), ours(x))


def test_learned_h_0():
    rnn = RNN(4, 5, 2, learn_h_0=True)
    assert rnn.h_0.shape == (2, 1, 5)
    assert not rnn.h_0.any()
    missing = rnn.load_state_dict(torch.nn.RNN(4, 5, 2).state_dict(), strict=False)
    assert missing.missing_keys == ["h_0"]
    with torch.no_grad():
        rnn.h_0.normal_()
    x = torch.randn(3, 6, 4)
    output, h_n = rnn(x)
    torch.testing.assert_close((output, h_n), rnn(x, rnn.h_0.expand(2, 6, 5)))
    output.sum().backward()
    assert (rnn.h_0.grad != 0).all()
    assert rnn(torch.randn(3, 4))[1].shape == (2, 5)


@pytest.mark.parametrize("kind", [RNN, torch.nn.RNN])
def test_hidden_states_of_every_layer(kind):
    rnn = kind(4, 5, 2, batch_first=True)
    x = torch.randn(3, 7, 4)
    states = hidden_states(rnn, x)
    output, h_n = rnn(x)
    assert states.shape == (2, 7, 3, 5)
    torch.testing.assert_close(states[-1].transpose(0, 1), output)
    torch.testing.assert_close(states[:, -1], h_n)
    assert hidden_states(rnn, x[0]).shape == (2, 7, 1, 5)


def test_one_step_is_the_equation():
    rnn = RNN(3, 4).double()
    x, h = torch.randn(3, dtype=torch.float64), torch.randn(4, dtype=torch.float64)
    W_xh, W_hh, b = rnn.weight_ih_l0, rnn.weight_hh_l0, rnn.bias_ih_l0 + rnn.bias_hh_l0
    expected = torch.tanh(W_hh @ h + W_xh @ x + b)
    torch.testing.assert_close(rnn(x[None], h[None])[0][0], expected, **CLOSE)


def test_dropout_acts_between_layers_while_training_only():
    rnn = RNN(4, 50, 2, dropout=0.5)
    x = torch.randn(5, 2, 4)
    first, second = hidden_states(rnn, x), hidden_states(rnn, x)
    assert torch.equal(first[0], second[0])
    assert not torch.equal(first[1], second[1])
    rnn.eval()
    assert torch.equal(rnn(x)[0], rnn(x)[0])
    with pytest.warns(UserWarning, match="between layers"):
        RNN(4, 5, dropout=0.5)


@pytest.mark.parametrize(
    ("args", "error", "words"),
    [
        ((0, 3), ValueError, "input_size must be at least 1, got 0"),
        ((3, -1), ValueError, "hidden_size must be at least 1"),
        ((3, 3.0), TypeError, "hidden_size must be an integer"),
        ((3, 3, True), TypeError, "num_layers must be an integer"),
        ((3, 3, 1, "sigmoid"), ValueError, "'tanh' or 'relu', got 'sigmoid'"),
        ((3, 3, 2, "tanh", True, False, 1.5), ValueError, "dropout must lie between 0 and 1"),
    ],
)
def test_wrong_sizes(args, error, words):
    with pytest.raises(error, match=words):
        RNN(*args)


def test_one_direction_only():
    with pytest.raises(
        ValueError, match=r"bidirectional must be False.*one direction only for now"
    ):
        RNN(3, 3, bidirectional=True)
    assert RNN(3, 3, bidirectional=False)(torch.zeros(2, 3))[0].shape == (2, 3)
    with pytest.raises(ValueError, match="one direction"):
        hidden_states(torch.nn.RNN(3, 3, bidirectional=True), torch.randn(2, 3))


@pytest.mark.parametrize(
    ("x", "h_0", "error", "words"),
    [
        (torch.zeros(2, 1, 3).long(), None, TypeError, "one-hot"),
        (torch.zeros(2, 1, 3).double(), None, TypeError, r"input.to\(torch.float32\)"),
        ([[0.0, 1.0, 2.0]], None, TypeError, "input must be a tensor, got list"),
        (torch.zeros(2, 1, 4), None, ValueError, r"input = 3, got shape \(2, 1, 4\)"),
        (torch.zeros(3), None, ValueError, r"got shape \(3,\)"),
        (torch.zeros(0, 1, 3), None, ValueError, "at least one time step"),
        (torch.zeros(2, 1, 3), torch.zeros(1, 5), ValueError, r"h_0 must have shape \(1, 1, 5\)"),
        (torch.zeros(2, 3), torch.zeros(1, 1, 5), ValueError, r"h_0 must have shape \(1, 5\)"),
        (torch.zeros(2, 3), torch.zeros(1, 5).long(), TypeError, "h_0 must be a torch.float32"),
    ],
)
def test_wrong_input(x, h_0, error, words):
    with pytest.raises(error, match=words):
        RNN(3, 5)(x, h_0)


def test_wrong_rnn():
    with pytest.raises(TypeError, match="got LSTM"):
        hidden_states(torch.nn.LSTM(3, 3), torch.randn(2, 3))


@pytest.mark.parametrize("embedding_dim", [None, 3])
@pytest.mark.parametrize("learn_h_0", [False, True])
def test_matrices_make_the_model(embedding_dim, learn_h_0):
    model = LanguageModel(4, 6, embedding_dim, learn_h_0=learn_h_0).double()
    if learn_h_0:
        torch.nn.init.normal_(model.rnn.h_0)
    m = model.matrices()
    assert m["W_xh"].shape == (6, 4)
    assert m["W_hy"].shape == (4, 6)
    assert ("h_0" in m) == learn_h_0
    ids = torch.tensor([0, 1, 2, 2])
    h = m.get("h_0", torch.zeros(6, dtype=torch.float64))
    logits = []
    for i in ids:
        h = torch.tanh(m["W_hh"] @ h + m["W_xh"][:, i] + m["b"])
        logits.append(m["W_hy"] @ h + m["b_y"])
    torch.testing.assert_close(model(ids[:, None])[0][:, 0], torch.stack(logits), **CLOSE)
    m["W_hh"].zero_()
    assert model.rnn.weight_hh_l0.any(), "matrices() must be copies"


def test_step_by_step_is_the_whole_sequence():
    model = LanguageModel(5, 6, num_layers=2)
    ids = torch.randint(5, (7, 3))
    logits, last = model(ids)
    assert logits.shape == (7, 3, 5)
    state, steps = None, []
    for row in ids:
        step, state = model.step(row, state)
        steps.append(step)
    torch.testing.assert_close(torch.stack(steps), logits)
    torch.testing.assert_close(state, last)
    flat, _ = model(ids[:, 0])
    torch.testing.assert_close(flat, logits[:, 0])


def test_one_hot_is_an_embedding():
    model = LanguageModel(4, 6)
    x = F.one_hot(torch.tensor([2]), 4).float()
    assert torch.equal(F.linear(x, model.rnn.weight_ih_l0)[0], model.rnn.weight_ih_l0[:, 2])


@pytest.mark.parametrize(
    ("ids", "error", "words"),
    [
        (torch.tensor([[4]]), ValueError, "between 0 and 3 .vocabulary of 4 tokens., got 4"),
        (torch.tensor([[-1]]), ValueError, "got -1"),
        (torch.tensor([[1.0]]), TypeError, "torch.long tensor, got torch.float32"),
        ([[1]], TypeError, "got list"),
        (torch.zeros(0, 1).long(), ValueError, r"not empty, got shape \(0, 1\)"),
        (torch.tensor(1), ValueError, r"got shape \(\)"),
    ],
)
def test_wrong_ids(ids, error, words):
    with pytest.raises(error, match=words):
        LanguageModel(4, 6)(ids)


@pytest.mark.parametrize("options", [{"num_layers": 2}, {"nonlinearity": "relu"}])
def test_matrices_only_for_one_tanh_layer(options):
    with pytest.raises(ValueError, match="num_layers=1 and nonlinearity='tanh'"):
        LanguageModel(4, 6, **options).matrices()


def test_wrong_model_sizes():
    with pytest.raises(ValueError, match="embedding_dim must be at least 1, got 0"):
        LanguageModel(4, 6, 0)
    with pytest.raises(TypeError, match="vocab_size must be an integer"):
        LanguageModel("hello", 6)


@pytest.mark.parametrize("dropout", [True, "0.5", None])
def test_dropout_is_a_number(dropout):
    with pytest.raises(TypeError, match="dropout must be a number"):
        RNN(3, 3, 2, dropout=dropout)


def test_device_and_dtype_are_torchs():
    place = {"device": "meta", "dtype": torch.float64}
    for rnn in (RNN(3, 4, learn_h_0=True, **place), RNN(3, 4, 1, "tanh", True, False, 0.0, False)):
        assert {p.dtype for p in rnn.parameters()} in ({torch.float64}, {torch.float32})
    assert {p.device.type for p in RNN(3, 4, learn_h_0=True, **place).parameters()} == {"meta"}
    weights = []
    for kind in (RNN, torch.nn.RNN):
        torch.manual_seed(0)
        weights.append(dict(kind(3, 4, 2, dtype=torch.float64).state_dict()))
    torch.testing.assert_close(weights[0], weights[1], rtol=0, atol=0)
    with pytest.raises(TypeError, match=r"dtype must be a float type.*got torch\.int64"):
        RNN(3, 4, dtype=torch.int64)
