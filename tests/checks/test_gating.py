import pytest
import torch

from seqviz import checks


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


RIGHT = {"lstm_step": right_lstm, "gru_step": right_gru, "freeze_f": right_freeze}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass_to_the_tolerance(name):
    check, right = getattr(checks, name), RIGHT[name]

    def moved(by):
        def student(*given):
            answer = right(*given)
            return tuple(a + by for a in answer) if isinstance(answer, tuple) else answer + by

        return student

    assert check(right)
    assert check(moved(1e-12))
    assert "off by up to 1e-06" in check(moved(1e-6)).message


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("nothing", [None, ...])
def test_a_stub_is_not_solved_yet(name, nothing):
    verdict = getattr(checks, name)(lambda *given: nothing)
    assert not verdict
    assert "not solved yet" in verdict.message


def test_torchs_own_cell_passes_when_its_blocks_are_put_in_order():
    def lstm(x, h, c, W, b):
        i, f, o, g = W.chunk(4)
        W, (b_i, b_f, b_o, b_g) = torch.cat([i, f, g, o]), b.chunk(4)
        b = torch.cat([b_i, b_f, b_g, b_o])
        cell = torch.nn.LSTMCell(4, 2, dtype=torch.float64)
        weights = {"weight_ih": W[:, 2:], "weight_hh": W[:, :2], "bias_ih": b, "bias_hh": 0 * b}
        cell.load_state_dict(weights)
        return cell(x, (h, c))

    assert checks.lstm_step(lstm)


def test_a_loop_and_a_matrix_of_lists_pass():
    def slow(i, g, c_0):
        states, c = [], c_0
        for i_t, g_t in zip(i, g, strict=True):
            c = c + i_t * g_t
            states.append(c)
        return torch.stack(states)

    assert checks.freeze_f(slow)
    assert checks.freeze_f(lambda *given: slow(*given).tolist())
    assert checks.lstm_step(lambda *given: [part.tolist() for part in right_lstm(*given)])


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
        (lambda *given: right_lstm(*given)[0][:2], "shape (2, 2)"),
        (lambda *given: (given[1], given[0]), "two tensors of equal shape"),
        (lambda *given: right_lstm(*given) * 2, "must give (h, c)"),
        (lambda *given: 3, "must give (h, c)"),
        (lambda *given: ("a", "b"), "must give (h, c)"),
        (lambda *given: (given[1] * 0, given[2] * 0), "off by up to"),
    ],
)
def test_a_wrong_lstm_fails_with_its_cause(wrong, words):
    verdict = checks.lstm_step(wrong)
    assert not verdict
    assert words in verdict.message


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
        (lambda x, h, W, U, b: x, "shape (3,), expected (2,)"),
        (lambda x, h, W, U, b: h, "off by up to"),
    ],
)
def test_a_wrong_gru_fails_with_its_cause(wrong, words):
    verdict = checks.gru_step(wrong)
    assert not verdict
    assert words in verdict.message


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda i, g, c_0: (i * g).cumsum(0), "c_0 is missing"),
        (lambda i, g, c_0: c_0 + i * g, "nothing is added up"),
        (lambda i, g, c_0: c_0 + (i * g).sum(0), "this is the last state"),
        (lambda i, g, c_0: c_0 + g.cumsum(0), "input gate is missing"),
        (lambda i, g, c_0: (c_0 + i * g).cumsum(0), "counted once for each step"),
        (lambda i, g, c_0: right_freeze(i, g, c_0).tanh(), "not squashed"),
        (lambda i, g, c_0: torch.cat([c_0[None], right_freeze(i, g, c_0)[:-1]]), "begin with c_0"),
        (lambda i, g, c_0: i, "off by up to"),
    ],
)
def test_a_wrong_sum_fails_with_its_cause(wrong, words):
    verdict = checks.freeze_f(wrong)
    assert not verdict
    assert words in verdict.message


def test_an_input_changed_in_place_is_wrong():
    def in_place(i, g, c_0):
        answer = right_freeze(i, g, c_0)
        c_0 += 1
        return answer

    assert "changed its input c_0 in place" in checks.freeze_f(in_place).message
