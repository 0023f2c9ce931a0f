"""Answers to mask_spans: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    words = torch.tensor([-1, 0, 1, 1, 2, 3, -1])
    found = torch.as_tensor(student(words, [(1, 2), (0, 1)], 0.5)).tolist()
    return found == [False, False, True, True, True, False, False]


# %% right: token by token
def mask_spans(words, draws, share):
    hidden = [False] * len(words)
    ordinary = sum(int(word) != -1 for word in words)
    for first, number in draws:
        if sum(hidden) >= share * ordinary:
            break
        for k, word in enumerate(words.tolist()):
            if word >= 0 and first <= word <= first + number - 1:
                hidden[k] = True
    return hidden


# %% right: isin, with the words of the span
def mask_spans(words, draws, share):
    hidden = torch.zeros(len(words)) > 0
    for first, number in draws:
        if hidden[words != -1].double().mean() >= share:
            return hidden
        hidden |= torch.isin(words, torch.arange(first, first + number)) & (words != -1)
    return hidden


# %% right: words are collected, tokens counted
def mask_spans(words, draws, share):
    gone = set()
    ordinary = int((words >= 0).sum())
    for first, number in draws:
        if sum(word in gone for word in words.tolist()) < share * ordinary:
            gone.update(range(first, first + number))
    return torch.tensor([word in gone and word >= 0 for word in words.tolist()])


# %% right: with numpy
def mask_spans(words, draws, share):
    words = words.numpy()
    hidden = np.zeros(len(words), dtype=bool)
    for first, number in draws:
        if hidden.sum() >= share * (words >= 0).sum():
            break
        hidden[(words >= 0) & (words >= first) & (words < first + number)] = True
    return hidden


# %% wrong: it goes on when enough is hidden
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return hidden


# %% wrong: the first number is that of a word, not of a token
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        if hidden.sum() >= share * (words >= 0).sum():
            break
        hidden[first : first + number] = True
    return hidden


# %% wrong: a span has one word more
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        if hidden.sum() >= share * (words >= 0).sum():
            break
        hidden = hidden | ((words >= max(first, 0)) & (words <= first + number))
    return hidden


# %% wrong: the second number is taken for the last word
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, last in draws:
        if hidden.sum() >= share * (words >= 0).sum():
            break
        hidden = hidden | ((words >= max(first, 0)) & (words <= last))
    return hidden


# %% wrong: this says what stays; say what is hidden
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        if hidden.sum() >= share * (words >= 0).sum():
            break
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return ~hidden


# %% wrong: only the first piece of each word is hidden
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    starts = torch.cat([torch.tensor([True]), words[1:] != words[:-1]])
    for first, number in draws:
        if hidden.sum() >= share * (words >= 0).sum():
            break
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return hidden & starts


# %% wrong: special tokens are never hidden
def mask_spans(words, draws, share):
    hidden = words < 0
    for first, number in draws:
        if (hidden & (words >= 0)).sum() >= share * (words >= 0).sum():
            break
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return hidden


# %% wrong: special tokens do not count in the share
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        if hidden.sum() >= share * len(words):
            break
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return hidden


# %% wrong, subtle: the share is one of tokens, not of words
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        if len(words[hidden].unique()) >= share * len(words[words >= 0].unique()):
            break
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return hidden


# %% wrong, subtle: it stops only when more than the share is hidden
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        if hidden.sum() > share * (words >= 0).sum():
            break
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return hidden


# %% wrong, subtle: a token that is hidden twice counts once
def mask_spans(words, draws, share):
    hidden, count = torch.zeros_like(words) > 0, 0
    for first, number in draws:
        if count >= share * (words >= 0).sum():
            break
        span = (words >= max(first, 0)) & (words < first + number)
        count, hidden = count + span.sum(), hidden | span
    return hidden


# %% wrong, subtle: only the first draw is used
def mask_spans(words, draws, share):
    first, number = draws[0] if draws else (0, 0)
    return (words >= max(first, 0)) & (words < first + number)


# %% wrong, subtle: a span may reach over the end; hide what there is
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        if hidden.sum() >= share * (words >= 0).sum():
            break
        if first + number <= words.max() + 1:
            hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return hidden


# %% wrong, subtle: the draws are used up
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    while draws and hidden.sum() < share * (words >= 0).sum():
        first, number = draws.pop(0)
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return hidden


# %% wrong, subtle: numbers in the place of truth values
def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words) > 0
    for first, number in draws:
        if hidden.sum() >= share * (words >= 0).sum():
            break
        hidden = hidden | ((words >= max(first, 0)) & (words < first + number))
    return torch.where(hidden, words, torch.zeros_like(words)) > 0


# %% wrong, subtle: the share is asked after a draw, so one is always hidden


def mask_spans(words, draws, share):
    hidden = torch.zeros_like(words, dtype=torch.bool)
    enough = share * int((words >= 0).sum())
    for f, n in draws:
        hidden = hidden | ((words >= f) & (words < f + n))
        if hidden.sum() >= enough:
            break
    return hidden
