"""Answers to update_windows: right ones, wrong ones, and a grader that is too weak."""

import torch


# %% weak
def weak(student):
    found = student(12, 4, 6)
    return [tuple(map(int, w)) for w in found] == [(0, 0, 4), (2, 4, 8), (6, 8, 12)]


# %% right: from the ends
def update_windows(length, every, back):
    ends = [*range(every, length, every), length]
    starts = [0, *ends[:-1]]
    return [(max(e - back, 0), s, e) for s, e in zip(starts, ends, strict=True)]


# %% right: a while loop, lists in the list
def update_windows(length, every, back):
    found, counted = [], 0
    while counted < length:
        end = counted + every
        if end > length:
            end = length
        begin = end - back
        if begin < 0:
            begin = 0
        found.append([begin, counted, end])
        counted = end
    return found


# %% right: torch
def update_windows(length, every, back):
    first = torch.arange(0, length, every)
    end = (first + every).clamp(max=length)
    return torch.stack([(end - back).clamp(min=0), first, end], dim=1)


# %% right: numpy, by the number of updates
def update_windows(length, every, back):
    import numpy as np

    count = -(-length // every)
    end = np.minimum(every * np.arange(1, count + 1), length)
    return np.stack([np.maximum(end - back, 0), every * np.arange(count), end], axis=1)


# %% right: chunks of the steps themselves
def update_windows(length, every, back):
    found = []
    for chunk in torch.arange(length).split(every):
        first, last = chunk[0].item(), chunk[-1].item()
        read = [step for step in range(last + 1) if step > last - back]
        found.append((read[0], first, last + 1))
    return found


# %% wrong: a window begins before step 0
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((stop - back, first, stop))
    return found


# %% wrong: `back` is counted from the end of the window
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, first - back), first, stop))
    return found


# %% wrong: the windows do not overlap
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((first, first, stop))
    return found


# %% wrong: some steps are counted twice
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, stop - back), max(0, stop - back), stop))
    return found


# %% wrong: the end is the last step, not the one after it
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, stop - back), first, stop - 1))
    return found


# %% wrong: `back` is one step short
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, stop - back + 1), first, stop))
    return found


# %% wrong: only full windows at the beginning
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        if stop < back:
            continue
        found.append((max(0, stop - back), first, stop))
    return found


# %% wrong: two numbers for each update
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, stop - back), stop))
    return found


# %% wrong: whole numbers as floats
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, stop - back) / 1, first, stop))
    return found


# %% wrong: an update after every step
def update_windows(length, every, back):
    found = []
    for first in range(0, length):
        stop = min(first + every, length)
        found.append((max(0, stop - back), first, stop))
    return found


# %% wrong: only the first update
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, stop - back), first, stop))
    return found[:1]


# %% wrong, subtle: the last steps are left out; they get an update as well
def update_windows(length, every, back):
    found = []
    for first in range(0, length - every + 1, every):
        stop = min(first + every, length)
        found.append((max(0, stop - back), first, stop))
    return found


# %% wrong, subtle: the last window runs over the end
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = first + every
        found.append((max(0, stop - back), first, stop))
    return found


# %% wrong, subtle: the last window is moved to be full
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        first = max(0, min(first, length - every))
        found.append((max(0, stop - back), first, stop))
    return found


# %% wrong, subtle: the last update reads `back` steps as well
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, first + every - back), first, stop))
    return found


# %% wrong, subtle: at most one window back
def update_windows(length, every, back):
    found = []
    for first in range(0, length, every):
        stop = min(first + every, length)
        found.append((max(0, first - every, stop - back), first, stop))
    return found
