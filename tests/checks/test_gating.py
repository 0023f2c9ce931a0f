import pytest
import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_lstm = of_lectures()["lstm_step"]
right_gru = of_lectures()["gru_step"]
right_freeze = of_lectures()["freeze_f"]


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
        (checks.lstm_step, lstm_by_torch),
        (checks.lstm_step, lambda *given: torch.stack(right_lstm(*given))),
        (checks.gru_step, gru_by_units),
        (checks.freeze_f, freeze_by_loop),
    ],
)
def test_right_answers_pass(check, answer):
    if answer is freeze_by_loop:  # its lists say nothing of float32
        assert check(answer)
    else:
        accept(check, answer)


def test_a_wrong_lstm_fails_with_its_cause():
    refuse(
        checks.lstm_step,
        lambda x, h, c, W, b: right_lstm(x, h, c.clamp(-1, 1), W, b),
        "off by up to",
    )


def test_a_wrong_gru_fails_with_its_cause():
    refuse(
        checks.gru_step,
        lambda x, h, W, U, b: (
            right_gru(h, x, U, W, b) if len(x) == len(h) else right_gru(x, h, W, U, b)
        ),
        "4 units, is off",
    )


def test_a_wrong_sum_fails_with_its_cause():
    for wrong, words in (
        (
            lambda i, g, c_0: c_0 + (i * g).cumsum(int(len(i) == len(i.T))),
            "4 steps of 4 units, is off",
        ),
        (lambda i, g, c_0: right_freeze(i, g, c_0).clamp(-1, 1), "off by up to"),
    ):
        refuse(checks.freeze_f, wrong, words)
