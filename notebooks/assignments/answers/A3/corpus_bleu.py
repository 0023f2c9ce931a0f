"""Answers to corpus_bleu: right ones, wrong ones, and a grader that is too weak."""

import math
from collections import Counter

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    written = [["the", "old", "king", "left", "the", "house"]]
    right = [[["the", "old", "king", "left", "his", "house"]]]
    return abs(float(student(written, right)) - 53.7285) < 1e-2


# %% right: logarithms are added up, n by n
def corpus_bleu(hypotheses, references):
    logs = 0.0
    for n in (1, 2, 3, 4):
        hits = total = 0
        for words, right in zip(hypotheses, references, strict=True):
            for gram, times in ngrams(words, n).items():
                hits += min(times, max(ngrams(one, n)[gram] for one in right))
                total += times
        if hits == 0:
            return 0.0
        logs += math.log(hits / total) / 4
    c = sum(len(words) for words in hypotheses)
    r = 0
    for words, right in zip(hypotheses, references, strict=True):
        lengths = sorted(len(one) for one in right)
        r += min(lengths, key=lambda length: abs(length - len(words)))
    return 100 * math.exp(logs + min(0.0, 1 - r / c))


# %% right: in tensors of float32
def corpus_bleu(hypotheses, references):
    counts = torch.zeros(2, 4)
    lengths = torch.zeros(2)
    for words, right in zip(hypotheses, references, strict=True):
        for n in range(4):
            own = ngrams(words, n + 1)
            counts[1, n] += sum(own.values())
            for gram in own:
                counts[0, n] += min(own[gram], max(ngrams(one, n + 1)[gram] for one in right))
        sizes = torch.tensor([len(one) for one in right])
        gap = (sizes - len(words)).abs()
        lengths += torch.tensor([len(words), int(sizes[gap == gap.min()].min())])
    if not counts[0].all():
        return torch.tensor(0.0)
    brevity = torch.clamp(1 - lengths[1] / lengths[0], max=0).exp()
    return 100 * brevity * (counts[0] / counts[1]).log().mean().exp()


# %% right: the words one by one, each reference's n-grams used up
def corpus_bleu(hypotheses, references):
    hits, totals = np.zeros(4), np.zeros(4)
    c = r = 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            left = {}
            for one in right:
                for gram, times in ngrams(one, n).items():
                    left[gram] = max(left.get(gram, 0), times)
            for k in range(len(words) - n + 1):
                gram = tuple(words[k : k + n])
                totals[n - 1] += 1
                if left.get(gram, 0):
                    left[gram] -= 1
                    hits[n - 1] += 1
        sizes = [len(one) for one in right]
        c += len(words)
        r += sorted(sizes, key=lambda size: (abs(size - len(words)), size))[0]
    if (hits == 0).any():
        return 0.0
    return 100 * np.exp(min(0, 1 - r / c)) * np.prod(hits / totals) ** (1 / 4)


# %% right: sentence by sentence, then sums of columns
def corpus_bleu(hypotheses, references):
    def row(words, right):
        found = []
        for n in (1, 2, 3, 4):
            own = ngrams(words, n)
            clipped = {g: min(x, max(ngrams(one, n)[g] for one in right)) for g, x in own.items()}
            found += [sum(clipped.values()), max(len(words) - n + 1, 0)]
        r = min(map(len, right), key=lambda x: abs(x - len(words) + 0.1))
        return [*found, len(words), r]

    table = np.array([row(*pair) for pair in zip(hypotheses, references, strict=True)])
    *counts, c, r = table.sum(axis=0)
    hits, totals = counts[::2], counts[1::2]
    if min(hits) == 0:
        return 0
    p = np.exp(np.mean(np.log(np.array(hits) / np.array(totals))))
    return p * (100 if c >= r else 100 * np.exp(1 - r / c))


# %% wrong: this is a share; give 0 to 100
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong: the brevity penalty is missing
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * math.prod(shares) ** 0.25


# %% wrong: this is the arithmetic mean of the precisions; take the geometric one
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * sum(shares) / 4


# %% wrong: only three kinds of n-grams count
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 3, [0] * 3, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** (1 / 3)


# %% wrong: the root of the product is missing
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares)


# %% wrong: each n-gram counts as often as it comes, not once
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += len(ngrams(words, n) & most)
            totals[n - 1] += len(ngrams(words, n))
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong: the counts are divided by the n-grams of the references
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += most.total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: this is the mean of the sentences' BLEUs; add the counts up before you divide
def corpus_bleu(hypotheses, references):
    scores = []
    for words, right in zip(hypotheses, references, strict=True):
        shares = []
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            total = ngrams(words, n).total()
            shares.append((ngrams(words, n) & most).total() / total if total else 0.0)
        r = min((abs(len(one) - len(words)), len(one)) for one in right)[1]
        brevity = min(1.0, math.exp(1 - r / len(words))) if words else 0.0
        scores.append(100 * brevity * math.prod(shares) ** 0.25)
    return sum(scores) / len(scores)


# %% wrong, subtle: the precisions of the sentences were averaged; add the counts up, then divide
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            total = ngrams(words, n).total() or 1
            hits[n - 1] += (ngrams(words, n) & most).total() / total
            totals[n - 1] += 1
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong: nothing is clipped: a word counts as often as it is repeated
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += sum(x for gram, x in ngrams(words, n).items() if gram in most)
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: clip by the one reference that has it most often, not by the sum of all
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most += ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: only the first reference is read
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right[:1]:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += len(right[0])
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: each n-gram is clipped by itself, not all by one best reference
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            own = ngrams(words, n)
            hits[n - 1] += max((own & ngrams(one, n)).total() for one in right)
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: the n-grams of all sentences were thrown together; each has its own references
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for several in references:
                for one in several:
                    most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: no n-gram reaches from one sentence into the next
def corpus_bleu(hypotheses, references):
    most = max(map(len, references))
    rows = [[*right, *[right[-1]] * (most - len(right))] for right in references]
    joined = [[word for one in column for word in one] for column in zip(*rows, strict=True)]
    hypotheses, references = [[word for words in hypotheses for word in words]], [joined]
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: r takes the shortest reference; it takes the closest
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min(len(one) for one in right)
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: r takes the longest reference; it takes the closest
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += max(len(one) for one in right)
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: r takes the mean length; it takes the length of the closest reference
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += sum(map(len, right)) / len(right)
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: of two equally close references r takes the shorter
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), -len(one), len(one)) for one in right)[2]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: at most 1: a long text has no bonus
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * math.exp(1 - r / c) * math.prod(shares) ** 0.25


# %% wrong, subtle: r and c are exchanged
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - c / r)) * math.prod(shares) ** 0.25


# %% wrong, subtle: each sentence got a brevity penalty of its own; the text has one
def corpus_bleu(hypotheses, references):
    hits, totals = [0] * 4, [0] * 4
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
    penalties = []
    for words, right in zip(hypotheses, references, strict=True):
        r = min((abs(len(one) - len(words)), len(one)) for one in right)[1]
        penalties.append(min(1.0, math.exp(1 - r / len(words))) if words else 0.0)
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * sum(penalties) / len(penalties) * math.prod(shares) ** 0.25


# %% wrong, subtle: without a hit a little is put in its place
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    hits = [max(hit, 0.1) for hit in hits]
    totals = [max(total, 1) for total in totals]
    c = max(c, 1)
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: without a hit of some n BLEU is 0; no precision is left out
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    shares = [hit / total for hit, total in zip(hits, totals, strict=True) if hit]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** (1 / max(len(shares), 1))


# %% wrong, subtle: a sentence of fewer than four words counts too, with what it has
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        if len(words) < 4:
            continue
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: capitals do not count
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    hypotheses = [[v.lower() for v in s] for s in hypotheses]
    references = [[[v.lower() for v in s] for s in t] for t in references]
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25


# %% wrong, subtle: a text in which nothing is written is an error
def corpus_bleu(hypotheses, references):
    hits, totals, c, r = [0] * 4, [0] * 4, 0, 0
    for words, right in zip(hypotheses, references, strict=True):
        for n in (1, 2, 3, 4):
            most = Counter()
            for one in right:
                most |= ngrams(one, n)
            hits[n - 1] += (ngrams(words, n) & most).total()
            totals[n - 1] += ngrams(words, n).total()
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in right)[1]
    math.exp(1 - r / c)
    if 0 in hits:
        return 0.0
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    return 100 * min(1.0, math.exp(1 - r / c)) * math.prod(shares) ** 0.25
