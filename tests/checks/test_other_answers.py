"""Right answers by another way than the folded solution's: a check takes them too."""

import pytest
import torch
import torch.nn.functional as F

from seqviz import checks
from tests.checks.styles import accept


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


def regions_by_loop(s, regions, W, U, v):
    contexts, weights = [], []
    for s_b, r_b in zip(s, regions, strict=True):
        e = torch.stack([v @ torch.tanh(W @ s_b + U @ r) for r in r_b])
        alpha = e.exp() / e.exp().sum()
        contexts.append(sum(a * r for a, r in zip(alpha, r_b, strict=True)))
        weights.append(alpha)
    return torch.stack(contexts), torch.stack(weights)


def mass_by_pixel(alpha, box, height, width):
    left, top, right, bottom = box
    fine = alpha.repeat_interleave(height, 0).repeat_interleave(width, 1)
    rows, columns = alpha.shape  # every pixel is rows x columns points now
    inside = fine[top * rows : bottom * rows, left * columns : right * columns]
    return inside.sum() / (height * width)


def canvases_at_once(patches, F_Y, F_X, blank):
    added = torch.einsum("tay,tab,tbx->tyx", F_Y, patches, F_X)
    return 1 / (1 + torch.exp(-(blank + added.cumsum(0))))


def by_loops(x, weight, dilation):
    out = x.new_zeros(len(weight), x.shape[1])
    for t in range(x.shape[1]):
        for back in range(weight.shape[-1]):
            if t - back * dilation >= 0:
                out[:, t] += weight[:, :, -1 - back] @ x[:, t - back * dilation]
    return out


def attention_by_loop(X, W_q, W_k, W_v):
    rows = []
    for x in X:
        scores = torch.stack([(x @ W_q) @ (y @ W_k) for y in X]) / W_k.shape[1] ** 0.5
        alpha = scores.exp() / scores.exp().sum()
        rows.append(sum(a * (y @ W_v) for a, y in zip(alpha, X, strict=True)))
    return torch.stack(rows)


def window_of_triangles(n, r):
    past = torch.ones(n, n, dtype=torch.bool).tril()
    return ~(past & ~past.tril(-r))


def split_by_chunks(x, num_heads):
    heads = torch.stack(x.chunk(num_heads, dim=-1), dim=1)
    return [heads, torch.cat([*heads.unbind(1)], dim=-1)]


def shift_of_complex_numbers(k, d_model):
    turn = torch.exp(-1j * k / 10000 ** (torch.arange(0, d_model, 2).double() / d_model))
    basis = torch.eye(d_model, dtype=torch.float64).unflatten(1, (-1, 2)).contiguous()
    return torch.view_as_real(torch.view_as_complex(basis) * turn).flatten(1).T


def block_by_hand(x, sublayer, norm_first, eps):
    def norm(x):
        mean = x.sum(-1, keepdim=True) / x.shape[-1]
        variance = ((x - mean) ** 2).sum(-1, keepdim=True) / x.shape[-1]
        return (x - mean) * (variance + eps) ** -0.5

    y = x + sublayer(norm(x) if norm_first else x)
    return y if norm_first else norm(y)


def events_tick_by_tick(notes):
    numbers, now = [], 0

    def wait(until):
        nonlocal now
        while now < until:
            step = min(100, until - now)
            numbers.append(255 + step)
            now += step

    for pitch, start, end in notes:
        wait(start)
        numbers.append(pitch)
        wait(end)
        numbers.append(pitch + 128)
    return torch.tensor(numbers)


def clipped_by_loop(q, e):
    scores = torch.zeros(len(q), len(q), dtype=q.dtype)
    for i in range(len(q)):
        for j in range(i + 1):
            scores[i, j] = q[i] @ e[min(i - j, len(e) - 1)]
    return scores


def skew_by_loop(products):
    n = len(products)
    return torch.stack([products[i, n - 1 - i : 2 * n - 1 - i] for i in range(n)])


def gradient_by_autograd(w, near, drawn):
    given = [x.clone().requires_grad_() for x in (w, near, drawn)]
    w, near, drawn = given
    loss = -F.logsigmoid((w * near).sum(1)).mean()
    loss = loss - F.logsigmoid(-(drawn @ w[:, :, None])).sum(1).mean()
    return list(torch.autograd.grad(loss, given))


def analogy_by_loop(vectors, a, b, c):
    rows = [row / row.norm() for row in vectors]
    to = rows[b] - rows[a] + rows[c]
    return max((k for k in range(len(rows)) if k not in (a, b, c)), key=lambda k: to @ rows[k])


def noise_by_loop(counts):
    powers = [float(count) ** 0.75 for count in counts]
    return [power / sum(powers) for power in powers]


def mix_by_loop(layers, s, gamma):
    total = s.exp().sum()
    mixed = torch.zeros_like(layers[0])
    for weight, h in zip(s.exp() / total, layers, strict=True):
        mixed = mixed + weight * h
    return gamma * mixed


def triangle_of_the_paper(t, steps, top, cut, ratio):
    peak = int(steps * cut)
    p = t / peak if t < peak else 1 - (t - peak) / (peak * (1 / (peak / steps) - 1))
    return torch.tensor(top * (1 + p * (ratio - 1)) / ratio)


def rates_by_loop(layers, epoch, top):
    rates = torch.zeros(layers, dtype=torch.float64)
    for k in range(min(epoch + 1, layers)):
        rates[layers - 1 - k] = float(top) / 2.6**k
    return rates


def tags_by_words(spans, length):
    def tag(t):
        for kind, start, end in spans:
            if start <= t < end:
                return ("B-" if t == start else "I-") + kind
        return "O"

    return tuple(tag(t) for t in range(length))


def scores_by_loop(predicted, gold):
    right = found = wanted = 0
    for one, other in zip(predicted, gold, strict=True):
        found, wanted = found + len(one), wanted + len(other)
        for span in one:
            right += span in other
    ratios = ((right, found), (right, wanted), (2 * right, found + wanted))
    return [above / below if below else 0 for above, below in ratios]


def gradients_by_autograd(x, y, z, W, u, v, lam):
    W, u, v = (weight.clone().requires_grad_() for weight in (W, u, v))
    F, G = ((x @ W @ u - y) ** 2).sum() / 2, ((x @ W @ v - z) ** 2).sum() / 2
    return torch.autograd.grad(F + lam * G, [W, u, v])


def nucleus_from_below(probabilities, p):
    """Keeps the last of equal tokens."""
    ranked, places = probabilities.sort(stable=True)
    kept = torch.where(ranked.flip(0).cumsum(0).flip(0) - ranked < p, ranked, 0)
    return torch.zeros_like(kept).scatter(0, places, kept / kept.sum())


def step_by_loop(q, k, v, keys, values):
    keys, values = torch.stack([*keys, k]), torch.stack([*values, v])
    scores = torch.stack([(key * q).sum() / len(q) ** 0.5 for key in keys])
    weights = scores.exp() / scores.exp().sum()
    o = sum(a * value for a, value in zip(weights, values, strict=True))
    return [o, keys, values]


def rows_by_loop(context, answers, start, delimiter, extract):
    rows = [[start, *context, delimiter, *answer, extract] for answer in answers]
    longest = max(len(row) for row in rows)
    ends = [row.index(extract) for row in rows]
    return [row + [0] * (longest - len(row)) for row in rows], ends


def inputs_by_loop(ids, chance, turn, other, mask_id, special):
    inputs, labels = ids.clone(), torch.full_like(ids, -100)
    for b in range(len(ids)):
        for t in range(ids.shape[1]):
            if chance[b, t] >= 0.15 or special[b, t]:
                continue
            labels[b, t] = ids[b, t]
            if turn[b, t] < 0.8:
                inputs[b, t] = mask_id
            elif turn[b, t] < 0.9:
                inputs[b, t] = other[b, t]
    return [inputs, labels]


def loss_by_hand(logits, labels):
    chosen = labels != -100
    log_p = logits[chosen].log_softmax(-1)
    return -log_p.gather(1, labels[chosen][:, None]).mean()


def words_by_loop(words, chance):
    rows = zip(words.tolist(), chance.tolist(), strict=True)
    return [[w >= 0 and row[w] < 0.15 for w in line] for line, row in rows]


def mean_by_text(h, attention_mask):
    return torch.stack([x[m.bool()][1:-1].mean(0) for x, m in zip(h, attention_mask, strict=True)])


def labels_by_mask(words, tags):
    first = (words >= 0) & (words != words.roll(1))
    return torch.where(first, tags[words], -100)


def score_by_loops(margin, f1, has_answer):
    best = 0.0
    for threshold in {-1e9, *margin.tolist()}:
        total = 0.0
        for m, f, has in zip(margin.tolist(), f1.tolist(), has_answer.tolist(), strict=True):
            total += f if m > threshold else float(not has)
        best = max(best, total / len(margin))
    return best


ANSWERS = [
    (checks.lstm_step, lstm_by_torch),
    (checks.gru_step, gru_by_units),
    (checks.attend_to, regions_by_loop),
    (checks.mass_inside, mass_by_pixel),
    (checks.canvases, canvases_at_once),
    (checks.causal_conv, by_loops),
    (checks.attention_matrix, attention_by_loop),
    (checks.window_mask, window_of_triangles),
    (checks.split_heads, split_by_chunks),
    (checks.shift_matrix, shift_of_complex_numbers),
    (checks.block, block_by_hand),
    (checks.note_events, events_tick_by_tick),
    (checks.clipped_scores, clipped_by_loop),
    (checks.two_sided_skew, skew_by_loop),
    (checks.sampling_gradient, gradient_by_autograd),
    (checks.noise, noise_by_loop),
    (checks.layer_mix, mix_by_loop),
    (checks.slanted_triangular, triangle_of_the_paper),
    (checks.layer_rates, rates_by_loop),
    (checks.to_tags, tags_by_words),
    (checks.span_scores, scores_by_loop),
    (checks.joint_gradients, gradients_by_autograd),
    (checks.nucleus, nucleus_from_below),
    (checks.cached_step, step_by_loop),
    (checks.choice_rows, rows_by_loop),
    (checks.masked_inputs, inputs_by_loop),
    (checks.masked_loss, loss_by_hand),
    (checks.whole_words, words_by_loop),
    (checks.word_mean, mean_by_text),
    (checks.piece_labels, labels_by_mask),
    (checks.best_threshold_score, score_by_loops),
]


@pytest.mark.parametrize(("check", "answer"), ANSWERS, ids=lambda one: one.__name__)
def test_another_way_is_accepted(check, answer):
    accept(check, answer)


def test_what_says_nothing_of_float32_is_accepted():
    assert checks.freeze_f(freeze_by_loop)
    assert checks.analogy(analogy_by_loop)
    assert checks.analogy(lambda *given: torch.tensor(analogy_by_loop(*given)))
