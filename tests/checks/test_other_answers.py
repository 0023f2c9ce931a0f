"""Right answers of another form than the folded solution's, or by other calls: all are taken."""

import math

import pytest
import torch
import torch.nn.functional as F

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept


def lstm_by_torch(x, h, c, W, b):
    i, f, o, g = W.chunk(4)
    W, (b_i, b_f, b_o, b_g) = torch.cat([i, f, g, o]), b.chunk(4)
    b, hidden = torch.cat([b_i, b_f, b_g, b_o]), h.shape[1]
    cell = torch.nn.LSTMCell(x.shape[1], hidden, dtype=x.dtype)
    weights = {"weight_ih": W[:, hidden:], "weight_hh": W[:, :hidden]}
    cell.load_state_dict(weights | {"bias_ih": b, "bias_hh": 0 * b})
    return cell(x, (h, c))


def step_back_by_autograd(dh_next, h_next, do, W, V):
    state = torch.zeros_like(h_next, requires_grad=True)
    inside = state @ W.T + torch.where(h_next > 0, h_next, -1.0)
    loss = (torch.relu(inside) * dh_next).sum() + (state @ V.T * do).sum()
    return torch.autograd.grad(loss, state)[0]


def gradient_by_autograd(w, near, drawn):
    given = [x.clone().requires_grad_() for x in (w, near, drawn)]
    w, near, drawn = given
    loss = -F.logsigmoid((w * near).sum(1)).mean()
    loss = loss - F.logsigmoid(-(drawn @ w[:, :, None])).sum(1).mean()
    return list(torch.autograd.grad(loss, given))


def detach_before(chunks, state, run, learn):
    for one, two in zip(chunks[::2], chunks[1::2], strict=True):
        first, state = run(one, state.detach())
        second, state = run(two, state)
        learn(first + second)
    return state


def loop_that_steps_once_more(step, first, length, choose):
    tokens = []
    scores, state = step(first, None)
    while len(tokens) < length:
        tokens.append(choose(scores))
        scores, state = step(tokens[-1], state)
    return torch.tensor(tokens)


def mix_by_loop(step, before, state, true, coin, ratio, draw):
    scores, state = step(before, state)
    own = draw(scores)
    chosen = [t if c < ratio else o for t, c, o in zip(true, coin, own, strict=True)]
    return [scores, state, torch.stack(chosen)]


def decode_by_for(step, state, start, stop, most):
    ids = [torch.tensor(start)]
    for _ in range(most):
        logits, state = step(ids[-1].view(1), state)
        ids.append(logits[0].topk(1).indices[0])
        if ids[-1] == stop:
            break
    return torch.stack(ids[1:])


def states_by_index(step, X, h):
    states = [None] * len(X)
    for t in range(len(X) - 1, -1, -1):
        states[t] = h = step(X[t], h)
    return torch.stack(states)


def halves_by_steps(ahead, back, X):
    """Each step runs alone, with the state of the one before."""
    rows = {}
    for net, order in ((ahead, range(len(X))), (back, reversed(range(len(X))))):
        state = None
        for t in order:
            out, state = net(X[t : t + 1], state)
            rows[net, t] = out[0]
    return torch.stack([torch.cat([rows[ahead, t], rows[back, t]], 1) for t in range(len(X))])


def names_by_mending(tags):
    """As a list: mend the tags, then look for each beginning."""
    tags = list(tags)
    for t, tag in enumerate(tags):
        if tag[0] == "I" and (t == 0 or tags[t - 1][1:] != tag[1:]):
            tags[t] = "B" + tag[1:]
    found = []
    for t, tag in enumerate(tags):
        if tag[0] == "B":
            end = t + 1
            while end < len(tags) and tags[end] == "I" + tag[1:]:
                end += 1
            found.append([tag[2:], t, end])
    return found


def step_by_sorting(scores, log_p, k):
    rows = [
        (float(scores[i] + log_p[i, j]), i, j)
        for i in range(len(scores))
        for j in range(log_p.shape[1])
    ]
    best = sorted(rows, reverse=True)[:k]
    return [torch.tensor([row[place] for row in best]) for place in (1, 2, 0)]


def clip_by_torch(gradients, threshold):
    weights = [torch.nn.Parameter(torch.zeros_like(g)) for g in gradients]
    for weight, g in zip(weights, gradients, strict=True):
        weight.grad = g.clone()
    norm = torch.nn.utils.clip_grad_norm_(weights, math.inf)
    for weight in weights:
        if not norm.isfinite():
            weight.grad = torch.zeros_like(weight)
        elif norm > threshold:
            weight.grad *= threshold / norm
    return tuple(weight.grad for weight in weights)


def radius_rescaled(W, steps):
    size = W.abs().max()
    v = torch.linalg.matrix_power(W / size, steps) @ torch.ones(len(W), dtype=W.dtype)
    return size * (v.norm() / math.sqrt(len(W))) ** (1 / steps)


def growth_by_rows(W, states):
    """Take every unit gradient back at once, as a batch of rows; no Jacobian is formed."""
    G, factors = torch.eye(len(W), dtype=W.dtype), []
    for h in reversed(states[1:]):
        G = (G * (1 - h * h)) @ W
        factors.append(torch.linalg.eigvalsh(G.T @ G).max().sqrt())
    return factors


def mask_by_division(e, ids, padding):
    grown = e.exp() * (ids != padding)
    return [(row / row.sum()).tolist() for row in grown]


def error_by_counting(weights, sure, possible):
    links = [(t, row.tolist().index(row.max())) for t, row in enumerate(weights)]
    agree = sum((link in sure) + (link in possible) for link in links)
    size = len(sure) + len(links)
    return torch.tensor((size - agree) / size, dtype=torch.float64)


def shift_by_lists(target):
    rows = target.tolist()
    size = len(rows[0]) - 1
    mask = [[key > query for key in range(size)] for query in range(size)]
    return [[row[:-1] for row in rows], [row[1:] for row in rows], mask]


def merge_as_lists(words):
    best, merged = of_lectures()["merge_once"](words)
    return [list(best), tuple([tuple(pieces), count] for pieces, count in merged)]


def split_by_chunks(x, num_heads):
    heads = torch.stack(x.chunk(num_heads, dim=-1), dim=1)
    return [heads, torch.cat([*heads.unbind(1)], dim=-1)]


def noise_by_loop(counts):
    powers = [float(count) ** 0.75 for count in counts]
    return [power / sum(powers) for power in powers]


def tags_by_words(spans, length):
    def tag(t):
        for kind, start, end in spans:
            if start <= t < end:
                return ("B-" if t == start else "I-") + kind
        return "O"

    return tuple(tag(t) for t in range(length))


def nucleus_from_below(probabilities, p):
    """Keeps the last of equal tokens."""
    ranked, places = probabilities.sort(stable=True)
    kept = torch.where(ranked.flip(0).cumsum(0).flip(0) - ranked < p, ranked, 0)
    return torch.zeros_like(kept).scatter(0, places, kept / kept.sum())


def words_by_loop(words, chance):
    rows = zip(words.tolist(), chance.tolist(), strict=True)
    return [[w >= 0 and row[w] < 0.15 for w in line] for line, row in rows]


ANSWERS = [
    (checks.lstm_step, lstm_by_torch),
    (checks.step_back, step_back_by_autograd),
    (checks.sampling_gradient, gradient_by_autograd),
    (checks.truncated, detach_before),
    (checks.sampling_loop, loop_that_steps_once_more),
    (checks.mixed_step, mix_by_loop),
    (checks.greedy_decode, decode_by_for),
    (checks.from_the_right, states_by_index),
    (checks.two_directions, halves_by_steps),
    (checks.bio_names, names_by_mending),
    (checks.beam_step, step_by_sorting),
    (checks.clip_by_norm, clip_by_torch),
    (checks.spectral_radius, radius_rescaled),
    (checks.worst_growth, growth_by_rows),
    (checks.padded_weights, mask_by_division),
    (checks.alignment_error, error_by_counting),
    (checks.shifted_and_masked, shift_by_lists),
    (checks.merge_once, merge_as_lists),
    (checks.split_heads, split_by_chunks),
    (checks.noise, noise_by_loop),
    (checks.to_tags, tags_by_words),
    (checks.nucleus, nucleus_from_below),
    (checks.whole_words, words_by_loop),
]


@pytest.mark.parametrize(("check", "answer"), ANSWERS, ids=lambda one: one.__name__)
def test_another_way_is_accepted(check, answer):
    accept(check, answer)


def freeze_by_loop(i, g, c_0):
    states, c = [], c_0
    for i_t, g_t in zip(i, g, strict=True):
        c = c + i_t * g_t
        states.append(c.tolist())
    return states


def names_one_by_one(tags):
    yield from names_by_mending(tags)


def analogy_by_loop(vectors, a, b, c):
    rows = [row / row.norm() for row in vectors]
    to = rows[b] - rows[a] + rows[c]
    return max((k for k in range(len(rows)) if k not in (a, b, c)), key=lambda k: to @ rows[k])


def test_what_says_nothing_of_float32_is_accepted():
    assert checks.freeze_f(freeze_by_loop)
    assert checks.bio_names(names_one_by_one)
    assert checks.analogy(analogy_by_loop)
    assert checks.analogy(lambda *given: torch.tensor(analogy_by_loop(*given)))
