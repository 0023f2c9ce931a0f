"""Answers to both_ways: right ones, wrong ones, and a grader that is too weak."""

import torch


# %% weak
def weak(student) -> bool:
    there = torch.tensor([[0.9, 0.1], [0.2, 0.8]])
    back = torch.tensor([[0.7, 0.3], [0.1, 0.9]])
    return {(int(t), int(i)) for t, i in student(there, back)} == {(0, 0), (1, 1)}


# %% right: word by word
def both_ways(there, back):
    links = set()
    for t in range(len(there)):
        i = int(there[t].argmax())
        if there[t, i] > 0 and back[i].max() > 0 and int(back[i].argmax()) == t:
            links.add((t, i))
    return links


# %% right: with numpy
def both_ways(there, back):
    there, back = there.numpy(), back.numpy()
    ahead, behind = there.argmax(axis=1), back.argmax(axis=1)
    return {
        (t, int(i))
        for t, i in enumerate(ahead)
        if behind[i] == t and there[t].any() and back[i].any()
    }


# %% right: two tables of truth values
def both_ways(there, back):
    marks = []
    for weights in (there, back):
        mark = torch.zeros_like(weights, dtype=torch.bool)
        mark[torch.arange(len(weights)), weights.argmax(dim=1)] = True
        marks.append(mark & (weights.sum(dim=1, keepdim=True) > 0))
    return set(map(tuple, (marks[0] & marks[1].T).nonzero().tolist()))


# %% right: from lists, the second net's links turned round
def both_ways(there, back):
    def links(rows):
        return {(k, row.index(max(row))) for k, row in enumerate(rows) if max(row) > 0}

    turned = {(t, i) for i, t in links(back.tolist())}
    return frozenset(links(there.tolist()) & turned)


# %% wrong: the number of links is given
def both_ways(there, back):
    ahead = set(enumerate(there.argmax(dim=1).tolist()))
    return len(ahead & {(t, i) for i, t in enumerate(back.argmax(dim=1).tolist())})


# %% wrong: the least weight makes the link
def both_ways(there, back):
    ahead = {(t, row.argmin().item()) for t, row in enumerate(there) if row.any()}
    return ahead & {(row.argmin().item(), i) for i, row in enumerate(back) if row.any()}


# %% wrong: links that only one of the nets has
def both_ways(there, back):
    ahead = {(t, row.argmax().item()) for t, row in enumerate(there) if row.any()}
    return ahead ^ {(row.argmax().item(), i) for i, row in enumerate(back) if row.any()}


# %% wrong: every cell that is not 0 in both
def both_ways(there, back):
    return set(map(tuple, ((there > 0) & (back.T > 0)).nonzero().tolist()))


# %% wrong, subtle: these are the links of either net; give those of both
def both_ways(there, back):
    ahead = {(t, row.argmax().item()) for t, row in enumerate(there) if row.any()}
    return ahead | {(row.argmax().item(), i) for i, row in enumerate(back) if row.any()}


# %% wrong, subtle: these are the links of the first net alone
def both_ways(there, back):
    return {(t, row.argmax().item()) for t, row in enumerate(there) if row.any()}


# %% wrong, subtle: the links of the second net are (source, target): turn them first
def both_ways(there, back):
    ahead = {(t, row.argmax().item()) for t, row in enumerate(there) if row.any()}
    return ahead & {(i, row.argmax().item()) for i, row in enumerate(back) if row.any()}


# %% wrong, subtle: the links are the wrong way round: they are (target, source)
def both_ways(there, back):
    ahead = {(row.argmax().item(), t) for t, row in enumerate(there) if row.any()}
    return ahead & {(i, row.argmax().item()) for i, row in enumerate(back) if row.any()}


# %% wrong, subtle: the largest of each column counts in back; each of its rows has one
def both_ways(there, back):
    ahead = {(t, row.argmax().item()) for t, row in enumerate(there) if row.any()}
    return ahead & {(t, row.argmax().item()) for t, row in enumerate(back.T) if row.any()}


# %% wrong, subtle: back was not read: these are rows and columns of there
def both_ways(there, back):
    ahead = {(t, row.argmax().item()) for t, row in enumerate(there) if row.any()}
    return ahead & {(row.argmax().item(), i) for i, row in enumerate(there.T) if row.any()}


# %% wrong, subtle: a row of zeros makes no link
def both_ways(there, back):
    ahead = set(enumerate(there.argmax(dim=1).tolist()))
    return ahead & {(t, i) for i, t in enumerate(back.argmax(dim=1).tolist())}


# %% wrong, subtle: of equal weights only the first counts
def both_ways(there, back):
    one = (there == there.amax(dim=1, keepdim=True)) & (there > 0)
    other = (back == back.amax(dim=1, keepdim=True)) & (back > 0)
    return set(map(tuple, (one & other.T).nonzero().tolist()))


# %% wrong, subtle: of equal weights the first counts
def both_ways(there, back):
    def last(row):
        return len(row) - 1 - row.flip(0).argmax().item()

    ahead = {(t, last(row)) for t, row in enumerate(there) if row.any()}
    return ahead & {(last(row), i) for i, row in enumerate(back) if row.any()}


# %% wrong, subtle: no link at all; if your links hold tensors, no two are equal: make ints
def both_ways(there, back):
    return set(map(tuple, ((there > 0.5) & (back.T > 0.5)).nonzero().tolist()))


# %% wrong, subtle: the mean of both maps makes a link in each row
def both_ways(there, back):
    together = there + back.T
    return {(t, row.argmax().item()) for t, row in enumerate(together) if row.any()}


# %% wrong, subtle: a row that adds up to little counts as empty
def both_ways(there, back):
    ahead = {(t, row.argmax().item()) for t, row in enumerate(there) if row.sum() > 0.5}
    behind = {(row.argmax().item(), i) for i, row in enumerate(back) if row.sum() > 0.5}
    return ahead & behind


# %% wrong, subtle: only the first net's empty rows are left out


def both_ways(there, back):
    ahead = {(t, row.argmax().item()) for t, row in enumerate(there) if row.any()}
    behind = {(row.argmax().item(), i) for i, row in enumerate(back)}
    return ahead & behind
