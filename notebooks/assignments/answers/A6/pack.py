"""Answers to pack: right ones, wrong ones, and a grader that is too weak."""

import torch


# %% weak
def weak(student) -> bool:
    ids, segments = student([5, 6], [7, 8, 9, 10, 11], 9, 1, 2)
    return list(ids) == [1, 5, 6, 2, 7, 8, 9, 10, 2] and list(segments) == [0] * 4 + [1] * 5


# %% right: copies lose their last tokens
def pack(first, second, max_length, cls_id, sep_id):
    first, pair = list(first), list(second or [])
    room = max_length - 2 if second is None else max_length - 3
    while len(first) + len(pair) > room:
        if len(first) > len(pair):
            first.pop()
        else:
            pair.pop()
    ids = [cls_id, *first, sep_id]
    segments = [0 for _ in ids]
    if second is not None:
        ids = ids + pair + [sep_id]
        segments = segments + [1 for _ in pair] + [1]
    return ids, segments


# %% right: what is too much is taken off in two steps
def pack(first, second, max_length, cls_id, sep_id):
    if second is None:
        ids = [cls_id, *first[: max_length - 2], sep_id]
        return ids, [0] * len(ids)
    n, m = len(first), len(second)
    over = max(0, n + m + 3 - max_length)
    apart = min(over, abs(n - m))  # first the longer one comes down to the shorter
    n, m = (n - apart, m) if n > m else (n, m - apart)
    over -= apart
    n, m = n - over // 2, m - (over + 1) // 2  # then both, the second first
    ids = [cls_id, *first[:n], sep_id, *second[:m], sep_id]
    return ids, [int(k > n + 1) for k in range(len(ids))]


# %% right: tensors
def pack(first, second, max_length, cls_id, sep_id):
    texts = [list(first)] if second is None else [list(first), list(second)]
    while sum(map(len, texts)) + len(texts) + 1 > max_length:
        sizes = [len(text) for text in texts]
        texts[-1 if sizes[-1] >= sizes[0] else 0].pop()
    ids, segments = [cls_id], [0]
    for k, text in enumerate(texts):
        ids += [*text, sep_id]
        segments += [k] * (len(text) + 1)
    return torch.tensor(ids), torch.tensor(segments)


# %% right: the best of all pairs of lengths
def pack(first, second, max_length, cls_id, sep_id):
    if second is None:
        ids = [cls_id, *first, sep_id] if len(first) + 2 <= max_length else None
        ids = ids or [cls_id, *first[: max_length - 2], sep_id]
        return [ids, [0] * len(ids)]
    fits = [
        (-n - m, abs(n - m), -n, n, m)
        for n in range(len(first) + 1)
        for m in range(len(second) + 1)
        if n + m + 3 <= max_length
    ]
    *_, n, m = min(fits)
    left, right = [cls_id, *first[:n], sep_id], [*second[:m], sep_id]
    return [left + right, [0] * len(left) + [1] * len(right)]


# %% wrong: nothing is cut off: at most max_length
def pack(first, second, max_length, cls_id, sep_id):
    ids = [cls_id, *first, sep_id]
    if second is None:
        return ids, [0] * len(ids)
    return [*ids, *second, sep_id], [0] * len(ids) + [1] * (len(second) + 1)


# %% wrong: the row is cut at its end: the last [SEP] is lost
def pack(first, second, max_length, cls_id, sep_id):
    ids = [cls_id, *first, sep_id]
    segments = [0] * len(ids)
    if second is not None:
        ids, segments = [*ids, *second, sep_id], segments + [1] * (len(second) + 1)
    return ids[:max_length], segments[:max_length]


# %% wrong: the first [SEP] belongs to segment 0
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - (2 if second is None else 3)
    while n + m > room:
        n, m = (n - 1, m) if n > m else (n, m - 1)
    ids = [cls_id, *first[:n], sep_id]
    if second is None:
        return ids, [0] * len(ids)
    return [*ids, *second[:m], sep_id], [0] * (n + 1) + [1] * (m + 2)


# %% wrong: the last [SEP] is missing
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - (1 if second is None else 2)
    while n + m > room:
        n, m = (n - 1, m) if n > m else (n, m - 1)
    ids = [cls_id, *first[:n]]
    if second is None:
        return ids, [0] * len(ids)
    return [*ids, sep_id, *second[:m]], [0] * (n + 2) + [1] * m


# %% wrong: segments count from 0
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - (2 if second is None else 3)
    while n + m > room:
        n, m = (n - 1, m) if n > m else (n, m - 1)
    ids = [cls_id, *first[:n], sep_id]
    if second is None:
        return ids, [1] * len(ids)
    return [*ids, *second[:m], sep_id], [1] * (n + 2) + [2] * (m + 1)


# %% wrong: the row is filled up with zeros
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - (2 if second is None else 3)
    while n + m > room:
        n, m = (n - 1, m) if n > m else (n, m - 1)
    ids, segments = [cls_id, *first[:n], sep_id], [0] * (n + 2)
    if second is not None:
        ids, segments = [*ids, *second[:m], sep_id], segments + [1] * (m + 1)
    empty = max_length + 1 - len(ids)
    return ids + [0] * empty, segments + [0] * empty


# %% wrong, subtle: the longer text loses, not always the second
def pack(first, second, max_length, cls_id, sep_id):
    if second is None:
        ids = [cls_id, *first[: max_length - 2], sep_id]
        return ids, [0] * len(ids)
    ids = [cls_id, *first, sep_id]
    room = max(max_length - len(ids) - 1, 0)
    second = second[:room]
    return [*ids, *second, sep_id], [0] * len(ids) + [1] * (len(second) + 1)


# %% wrong, subtle: of two that are equally long the second loses
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - (2 if second is None else 3)
    while n + m > room:
        n, m = (n - 1, m) if n >= m else (n, m - 1)
    ids = [cls_id, *first[:n], sep_id]
    if second is None:
        return ids, [0] * len(ids)
    return [*ids, *second[:m], sep_id], [0] * (n + 2) + [1] * (m + 1)


# %% wrong, subtle: the texts lose their first tokens; the last ones must go
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - (2 if second is None else 3)
    while n + m > room:
        n, m = (n - 1, m) if n > m else (n, m - 1)
    ids = [cls_id, *first[len(first) - n :], sep_id]
    if second is None:
        return ids, [0] * len(ids)
    kept = second[:m] if n == len(first) else second[len(second) - m :]
    return [*ids, *kept, sep_id], [0] * (n + 2) + [1] * (m + 1)


# %% wrong, subtle: three special tokens need room, two with one text
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - (2 if n > 2 else 3)
    while n + m > room:
        n, m = (n - 1, m) if n > m else (n, m - 1)
    ids = [cls_id, *first[:n], sep_id]
    if second is None:
        return ids, [0] * len(ids)
    return [*ids, *second[:m], sep_id], [0] * (n + 2) + [1] * (m + 1)


# %% wrong, subtle: a text alone has one [SEP]
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - 3
    while n + m > room:
        n, m = (n - 1, m) if n > m else (n, m - 1)
    ids = [cls_id, *first[:n], sep_id, *(second or [])[:m], sep_id]
    return ids, [0] * (n + 2) + [1] * (m + 1)


# %% wrong, subtle: always the text that is longer at that moment loses one
def pack(first, second, max_length, cls_id, sep_id):
    n, m = len(first), len(second or [])
    room = max_length - (2 if second is None else 3)
    if n + m > room:
        n, m = (max(room - m, 0), m) if n > m else (n, max(room - n, 0))
    ids = [cls_id, *first[:n], sep_id]
    if second is None:
        return ids, [0] * len(ids)
    return [*ids, *second[:m], sep_id], [0] * (n + 2) + [1] * (m + 1)


# %% wrong, subtle: the lists that are given lose their tokens
def pack(first, second, max_length, cls_id, sep_id):
    room = max_length - (2 if second is None else 3)
    pair = [] if second is None else second
    while len(first) + len(pair) > room:
        (first if len(first) > len(pair) else pair).pop()
    ids = [cls_id, *first, sep_id]
    if second is None:
        return ids, [0] * len(ids)
    return [*ids, *pair, sep_id], [0] * (len(first) + 2) + [1] * (len(pair) + 1)


# %% wrong, subtle: the last token is taken out by its value, where it first stands


def pack(first, second, max_length, cls_id, sep_id):
    a, b = list(first), list(second or [])
    room = max_length - (2 if second is None else 3)
    while len(a) + len(b) > room:
        x = a if len(a) > len(b) else b
        x.remove(x[-1])
    ids = [cls_id, *a, sep_id] + ([] if second is None else [*b, sep_id])
    return ids, [0] * (len(a) + 2) + ([] if second is None else [1] * (len(b) + 1))
