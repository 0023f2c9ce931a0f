"""Answers to beam_search: right ones, wrong ones, and a grader that is too weak."""

import math

import torch


# %% weak
def weak(student) -> bool:
    table = torch.tensor([[0.1, 0.6, 0.3], [0.7, 0.2, 0.1], [0.2, 0.3, 0.5]]).double().log()

    def step(ids, state):
        return table[ids], state

    state = torch.zeros(1)
    ids, _ = student(step, lambda s, rows: s[rows], state, 2, 0, 1, 0.0, 6)
    return list(map(int, ids)) == [2, 2, 2, 2, 2, 2]


# %% right: one hypothesis at a time, each with a state of its own
def beam_search(step, select, state, start, stop, k, alpha, most):
    going, ended = [(0.0, [], state)], []
    for n in range(1, most + 1):
        rows, states = [], []
        for _, path, own in going:
            logits, new = step(torch.tensor([path[-1] if path else start]), own)
            rows.append(logits[0].log_softmax(dim=0))
            states.append(new)
        scores = torch.tensor([total for total, _, _ in going], dtype=torch.float64)
        longer = []
        for p, w, s in zip(*grow(scores, torch.stack(rows), k, stop), strict=True):
            one = s.item(), [*going[p][1], w.item()], select(states[p], torch.tensor([0]))
            (ended if w == stop else longer).append((*one[:2], n if w == stop else one[2]))
        going = longer
        best = max((s / ((5 + m) / 6) ** alpha for s, _, m in ended), default=-math.inf)
        if not going or best >= going[0][0] / ((5 + most) / 6) ** alpha:
            break
    ended = ended or [(*one[:2], most) for one in going]
    total, path, n = max(ended, key=lambda one: one[0] / ((5 + one[2]) / 6) ** alpha)
    return path, total / ((5 + n) / 6) ** alpha


# %% right: a tensor of paths, asked at the head of the loop whether to go on
def beam_search(step, select, state, start, stop, k, alpha, most):
    def lp(n):
        return math.exp(alpha * math.log((5 + n) / 6))

    paths = torch.tensor([[start]])
    scores = torch.zeros(1, dtype=torch.float64)
    winner, top = None, -math.inf
    while len(paths) and paths.shape[1] <= most and scores[0].item() / lp(most) > top:
        logits, state = step(paths[:, -1], state)
        log_p = logits - logits.logsumexp(dim=1, keepdim=True)
        parent, token, total = grow(scores, log_p, k, stop)
        longer = torch.cat([paths[parent], token[:, None]], dim=1)
        ends = token == stop
        if ends.any() and total[ends][0].item() / lp(longer.shape[1] - 1) > top:
            winner, top = longer[ends][0, 1:], total[ends][0].item() / lp(longer.shape[1] - 1)
        state = select(state, parent[~ends])
        paths, scores = longer[~ends], total[~ends]
    if winner is None:
        return paths[0, 1:], scores[0] / lp(most)
    return winner, top


# %% right: back pointers, read at the end
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = ((5 + torch.arange(most + 1).double()) / 6) ** alpha
    nodes, last = [(start, -1)], [0]  # (token, node before)
    ids, scores, best = torch.tensor([start]), torch.zeros(1).double(), (-math.inf, None)
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, token, total = grow(scores, logits.log_softmax(dim=1), k, stop)
        rows, fresh = [], []
        for row, (p, w) in enumerate(zip(parent.tolist(), token.tolist(), strict=True)):
            nodes.append((w, last[p]))
            if w == stop:
                best = max(best, (float(total[row] / lp[n]), len(nodes) - 1))
            else:
                rows.append(row)
                fresh.append(len(nodes) - 1)
        if not rows:
            break
        rows = torch.tensor(rows)
        state, ids, scores, last = select(state, parent[rows]), token[rows], total[rows], fresh
        if best[0] >= total[rows[0]] / lp[most]:
            break
    if best[1] is None:
        best = float(scores[0] / lp[n]), last[0]
    path, node = [], best[1]
    while node > 0:
        path.insert(0, nodes[node][0])
        node = nodes[node][1]
    return path, best[0]


# %% right: sums in float32, the step of the search written out
def beam_search(step, select, state, start, stop, k, alpha, most):
    ids, scores, paths = torch.tensor([start]), torch.zeros(1), [[]]
    done, top = [], -math.inf
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        vocab = logits.shape[1]
        score, place = (scores[:, None] + logits.log_softmax(dim=1).float()).flatten().sort()
        score, place = score.flip(0), place.flip(0)
        going = []
        for rank, at in enumerate(place.tolist()):
            path = [*paths[at // vocab], at % vocab]
            if at % vocab != stop and len(going) < k:
                going.append((rank, at, path))
            elif at % vocab == stop and rank < k:
                value = score[rank].item() * (6 / (5 + n)) ** alpha
                if value > top:
                    done, top = path, value
        if not going:
            break
        rank, at, paths = zip(*going, strict=True)
        scores, ids = score[list(rank)], torch.tensor(at) % vocab
        if top >= scores[0].item() * (6 / (5 + most)) ** alpha:
            break
        state = select(state, torch.tensor(at) // vocab)
    return (done, top) if done else (list(paths[0]), scores[0].item() * (6 / (5 + n)) ** alpha)


# %% wrong: this is greedy's sentence
def beam_search(step, select, state, start, stop, k, alpha, most):
    ids, total, word = [], 0.0, start
    while len(ids) < most and word != stop:
        logits, state = step(torch.tensor([word]), state)
        log_p = logits[0].log_softmax(dim=0)
        word = log_p.argmax().item()
        ids.append(word)
        total += log_p[word].item()
    return ids, total / ((5 + len(ids)) / 6) ** alpha


# %% wrong: START is read, not written
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[start]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong: STOP belongs to the ids
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path[:-1], best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong: every hypothesis reads START at each step
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(torch.full((len(scores),), start), state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong: the sum is given, it was only ranked by its score
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row], scores[row].item()))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path, total = max(ended, default=(-math.inf, [], 0))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, total) if ended else (paths[0], scores[0].item())


# %% wrong: no hypothesis that goes on could win any more, and still the net was asked
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong: what was read is read again: hand over the newest token and the state alone
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    first, ids, scores, paths, ended = (
        state,
        torch.tensor([start]),
        torch.zeros(1).double(),
        [[]],
        [],
    )
    for n in range(1, most + 1):
        own = select(first, torch.zeros(len(paths)).long())
        for column in torch.tensor([[start, *path] for path in paths]).T:
            logits, own = step(column, own)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: each continuation gets a state before the best are chosen
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        states = select(state, torch.arange(len(ids)).repeat_interleave(logits.shape[1]))
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(states, parent[on] * logits.shape[1])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the state must follow: select the rows of the parents
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, torch.arange(len(on)) % len(logits))
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the state follows the parents of all that was kept, ended or not
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[: len(on)])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: this divides by n to the power of alpha; Wu's penalty is ((5 + n) / 6) ** alpha
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [max(n, 1) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: n counts stop as well
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((4 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the sums are multiplied by the penalty; divide by it
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** -alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the search ends with the first that finishes
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if ended:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the search ended too early, what goes on may still reach its sum / lp(most)
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if len(ended) >= k:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the bound divides by the penalty of the tokens so far
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[n]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the bound is the sum itself
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item():
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the bound takes the last that goes on, not the best
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[-1].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: what goes on at the end competes; it counts only if nothing has finished
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best = max(ended, default=(-math.inf,))[0]
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    ended += [(s / lp[n], path) for s, path in zip(scores.tolist(), paths, strict=True)]
    return max(ended)[::-1]


# %% wrong, subtle: the finished are ranked by their sums
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    while len(paths[0]) < most:
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item(), paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item():
            break
        state = select(state, parent[on])
    return (path, best / lp[len(path)]) if ended else (paths[0], scores[0].item() / lp[most])


# %% wrong, subtle: a sum that was divided was carried on; add to the plain sums
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        scores = scores / lp[n]
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item():
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item())


# %% wrong, subtle: a sentence may have `most` tokens, stop included
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist() if n < most else ():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong: nothing finished: nothing is found
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return path, best


# %% wrong, subtle: the beam is narrower by each that has finished
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        k -= n > 1 and len(ended) > 0 and len(ended[-1][1]) == n - 1
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong: it has more than `most` tokens
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 2)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 2):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = select(state, parent[on])
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])


# %% wrong, subtle: the state is indexed, select is not used
def beam_search(step, select, state, start, stop, k, alpha, most):
    lp = [((5 + n) / 6) ** alpha for n in range(most + 1)]
    ids, scores, paths, ended = torch.tensor([start]), torch.zeros(1).double(), [[]], []
    for n in range(1, most + 1):
        logits, state = step(ids, state)
        parent, ids, scores = grow(scores, logits.log_softmax(dim=1), k, stop)
        paths = [[*paths[i], w] for i, w in torch.stack([parent, ids], dim=1).tolist()]
        for row in (ids == stop).nonzero()[:, 0].tolist():
            ended.append((scores[row].item() / lp[n], paths[row]))
        on = (ids != stop).nonzero()[:, 0]
        ids, scores, paths = ids[on], scores[on], [paths[row] for row in on]
        best, path = max(ended, default=(-math.inf, []))
        if not paths or best >= scores[0].item() / lp[most]:
            break
        state = state[parent[on]]
    return (path, best) if ended else (paths[0], scores[0].item() / lp[n])
