import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_lstm(x, h, c, W, b):
    i, f, o, g = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def right_gru(x, h, W, U, b):
    W_r, W_u, W_n = W.chunk(3)
    x_r, x_u, x_n = (U @ x + b).chunk(3)
    r, u = torch.sigmoid(W_r @ h + x_r), torch.sigmoid(W_u @ h + x_u)
    return (1 - u) * h + u * torch.tanh(W_n @ (r * h) + x_n)


def right_freeze(i, g, c_0):
    return c_0 + (i * g).cumsum(dim=0)


def lstm_by_torch(x, h, c, W, b):
    i, f, o, g = W.chunk(4)
    W, (b_i, b_f, b_o, b_g) = torch.cat([i, f, g, o]), b.chunk(4)
    b, hidden = torch.cat([b_i, b_f, b_g, b_o]), h.shape[1]
    cell = torch.nn.LSTMCell(x.shape[1], hidden, dtype=x.dtype)
    weights = {"weight_ih": W[:, hidden:], "weight_hh": W[:, :hidden]}
    cell.load_state_dict(weights | {"bias_ih": b, "bias_hh": 0 * b})
    return cell(x, (h, c))


def gru_by_units(x, h, W, U, b):
    size, new = len(h), []
    gates = torch.sigmoid(W[: 2 * size] @ h + U[: 2 * size] @ x + b[: 2 * size])
    for k in range(size):
        row = 2 * size + k
        n = torch.tanh((W[row] * gates[:size] * h).sum() + (U[row] * x).sum() + b[row])
        new.append(h[k] + gates[size + k] * (n - h[k]))
    return torch.stack(new)


def freeze_by_loop(i, g, c_0):
    states, c = [], c_0
    for i_t, g_t in zip(i, g, strict=True):
        c = c + i_t * g_t
        states.append(c.tolist())
    return states


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.lstm_step, right_lstm),
        (checks.lstm_step, lstm_by_torch),
        (checks.lstm_step, lambda *given: torch.stack(right_lstm(*given))),
        (checks.gru_step, right_gru),
        (checks.gru_step, gru_by_units),
        (checks.freeze_f, right_freeze),
        (checks.freeze_f, freeze_by_loop),
    ],
)
def test_right_answers_pass(check, answer):
    if answer is freeze_by_loop:  # its lists say nothing of float32
        assert check(answer)
    else:
        accept(check, answer)


def lstm(order="ifog", stacked="hx", bias=1, candidate=torch.tanh, squash=torch.tanh):
    def student(x, h, c, W, b):
        parts = {"h": h, "x": x}
        rows = torch.cat([parts[name] for name in stacked], dim=1) @ W.T + bias * b
        gates = dict(zip(order, rows.chunk(4, dim=1), strict=True))
        new = gates["f"].sigmoid() * c + gates["i"].sigmoid() * candidate(gates["g"])
        return gates["o"].sigmoid() * squash(new), new

    return student


def from_the_old(x, h, c, W, b):
    rows = torch.cat([h, x], dim=1) @ W.T + b
    return rows.chunk(4, dim=1)[2].sigmoid() * c.tanh(), right_lstm(x, h, c, W, b)[1]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda *given: right_lstm(*given)[::-1], "wrong order, give (h, c)"),
        (lstm(order="ifgo"), "read as i, f, g, o"),
        (lstm(order="fiog"), "input and the forget gate are swapped"),
        (lstm(stacked="xh"), "x is stacked on h"),
        (lstm(bias=0), "bias b is missing"),
        (lstm(squash=lambda c: c), "h lacks the tanh"),
        (from_the_old, "made of the old c"),
        (lstm(candidate=torch.sigmoid), "candidate g goes through a sigmoid"),
        (lstm(candidate=lambda g: g), "candidate g has no tanh"),
        (lambda *given: [part[0] for part in right_lstm(*given)], "first sequence only"),
        (lambda *given: [part[:, :2] for part in right_lstm(*given)], "expected (2, 5)"),
        (lambda *given: (right_lstm(*given)[0], right_lstm(*given)[1].tanh()), "new c is squashed"),
        (lambda *given: right_lstm(*given) * 2, "two things, h, c; it gives a tuple of 4"),
        (
            lambda x, h, *others: (
                right_lstm(h, x, *others) if x.shape == h.shape else right_lstm(x, h, *others)
            ),
            "x is stacked on h",
        ),
        (lambda x, h, c, W, b: right_lstm(x, h, c.clamp(-1, 1), W, b), "off by up to"),
        (lambda *given: (given[1] * 0, given[2] * 0), "off by up to"),
    ],
)
def test_a_wrong_lstm_fails_with_its_cause(wrong, words):
    refuse(checks.lstm_step, wrong, words)


def gru(
    inside=lambda r, u, h: r * h,
    kept=lambda r, u, h: (1 - u) * h,
    new=lambda u: u,
    order=(0, 1),
    bias=1,
    squash=torch.tanh,
):
    def student(x, h, W, U, b):
        W_h, x_h = W.chunk(3), (U @ x + bias * b).chunk(3)
        r, u = (torch.sigmoid(W_h[k] @ h + x_h[k]) for k in order)
        n = squash(W_h[2] @ inside(r, u, h) + x_h[2])
        return kept(r, u, h) + new(u) * n

    return student


def reset_after(x, h, W, U, b):
    W_r, W_u, W_n = W.chunk(3)
    x_r, x_u, x_n = (U @ x + b).chunk(3)
    r, u = torch.sigmoid(W_r @ h + x_r), torch.sigmoid(W_u @ h + x_u)
    return (1 - u) * h + u * torch.tanh(r * (W_n @ h) + x_n)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (gru(kept=lambda r, u, h: u * h, new=lambda u: 1 - u), "u and 1 - u are swapped"),
        (gru(inside=lambda r, u, h: h), "the blank is still empty"),
        (gru(inside=lambda r, u, h: u * h), "update gate stands where the reset"),
        (reset_after, "after the product, as in torch"),
        (gru(kept=lambda r, u, h: (1 - u) * r * h), "the old state in the mix is reset too"),
        (gru(squash=lambda n: n), "the candidate has no tanh"),
        (gru(order=(1, 0)), "read as u, r, candidate"),
        (gru(bias=0), "bias b is missing"),
        (gru(kept=lambda r, u, h: 0, new=lambda u: 1), "this is the candidate"),
        (
            lambda x, h, W, U, b: (
                right_gru(h, x, U, W, b) if len(x) == len(h) else right_gru(x, h, W, U, b)
            ),
            "4 units, is off",
        ),
        (lambda x, h, W, U, b: x, "shape (3,), expected (2,)"),
        (lambda x, h, W, U, b: h, "off by up to"),
        (lambda x, h, W, U, b: right_gru(x, h, W, U, b)[:2], "expected (4,)"),
    ],
)
def test_a_wrong_gru_fails_with_its_cause(wrong, words):
    refuse(checks.gru_step, wrong, words)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda i, g, c_0: (i * g).cumsum(0), "c_0 is missing"),
        (
            lambda i, g, c_0: c_0 + (i * g).cumsum(int(len(i) == len(i.T))),
            "4 steps of 4 units, is off",
        ),
        (lambda i, g, c_0: c_0 + i * g, "nothing is added up"),
        (lambda i, g, c_0: c_0 + (i * g).sum(0), "this is the last state"),
        (lambda i, g, c_0: c_0 + g.cumsum(0), "input gate is missing"),
        (lambda i, g, c_0: (c_0 + i * g).cumsum(0), "counted once for each step"),
        (lambda i, g, c_0: right_freeze(i, g, c_0).tanh(), "not squashed"),
        (lambda i, g, c_0: torch.cat([c_0[None], right_freeze(i, g, c_0)[:-1]]), "begin with c_0"),
        (lambda i, g, c_0: i, "off by up to"),
        (lambda i, g, c_0: right_freeze(i, g, c_0)[:4], "expected (6, 1)"),
        (lambda i, g, c_0: right_freeze(i, g, c_0).clamp(-1, 1), "off by up to"),
        (lambda i, g, c_0: torch.cat([c_0[None], right_freeze(i, g, c_0)]), "c_0 stands before"),
    ],
)
def test_a_wrong_sum_fails_with_its_cause(wrong, words):
    refuse(checks.freeze_f, wrong, words)
