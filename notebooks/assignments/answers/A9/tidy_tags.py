"""Answers to tidy_tags: right ones, wrong ones, and a grader that is too weak."""

import math
from functools import cache

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    p = torch.tensor([[0.2, 0.7, 0.1], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]]).double()
    found, score = student(p.log(), ["O", "B-X", "I-X"])
    return [*found] == ["B-X", "I-X", "O"] and abs(score - math.log(0.294)) < 1e-3


# %% right: a table of scores, and where each came from
def tidy_tags(log_p, tags):
    if not len(log_p):
        return [], 0.0
    may = torch.tensor([[t[0] != "I" or b[1:] == t[1:] for t in tags] for b in tags])
    cost = torch.zeros(may.shape).double().masked_fill(~may, -torch.inf)
    first = torch.tensor([-torch.inf if t[0] == "I" else 0.0 for t in tags]).double()
    score, ways = first + log_p[0], []
    for row in log_p[1:]:
        best, came = (score[:, None] + cost).max(dim=0)
        score = best + row
        ways.append(came)
    k = int(score.argmax())
    found = [k]
    for came in reversed(ways):
        found.append(int(came[found[-1]]))
    return [tags[k] for k in reversed(found)], score.max()


# %% right: from the right, remembered
def tidy_tags(log_p, tags):
    @cache
    def best(t, before):  # of what follows
        if t == len(log_p):
            return 0.0, ()
        found = []
        for k, tag in enumerate(tags):
            if tag[0] == "I" and before not in (tag, "B" + tag[1:]):
                continue
            score, rest = best(t + 1, tag)
            found.append((score + log_p[t, k].item(), (tag, *rest)))
        return max(found)

    score, found = best(0, "O")
    return list(found), score


# %% right: span by span
def tidy_tags(log_p, tags):
    p, kinds = log_p.tolist(), [tag[2:] for tag in tags if tag[0] == "B"]
    at = {tag: k for k, tag in enumerate(tags)}
    best = [(0.0, [])]
    for end in range(1, len(p) + 1):
        score, found = best[end - 1]
        ways = [(score + p[end - 1][at["O"]], [*found, "O"])]
        for kind in kinds:
            inside = 0.0
            for start in range(end - 1, -1, -1):
                score, found = best[start]
                whole = score + p[start][at["B-" + kind]] + inside
                row = ["B-" + kind] + ["I-" + kind] * (end - start - 1)
                ways.append((whole, found + row))
                inside += p[start][at["I-" + kind]]
        best.append(max(ways))
    return best[-1][1], best[-1][0]


# %% right: all prefixes, the best for each last tag kept
def tidy_tags(log_p, tags):
    kept = [([], 0.0)]
    for row in log_p.numpy():
        longer = {}
        for found, score in kept:
            opened = found[-1][2:] if found else ""
            for tag, x in zip(tags, row, strict=True):
                whole = tag[0] != "I" or tag[2:] == opened
                if whole and score + x > longer.get(tag, ([], -np.inf))[1]:
                    longer[tag] = [*found, tag], score + x
        kept = [*longer.values()]
    return max(kept, key=lambda way: way[1])


# %% wrong: each word got its best tag; together they must fit
def tidy_tags(log_p, tags):
    if not len(log_p):
        return [], 0.0
    score, places = log_p.max(dim=1)
    return [tags[k] for k in places], score.sum()


# %% wrong: each word got the best tag that fits the one before; a later one may speak against it
def tidy_tags(log_p, tags):
    found, total = [], 0.0
    for row in log_p.tolist():
        before = found[-1] if found else "O"
        pairs = zip(row, tags, strict=True)
        score, tag = max(p for p in pairs if p[1][0] != "I" or p[1][2:] == before[2:])
        found, total = [*found, tag], total + score
    return found, total


# %% wrong: the best tags were taken, and each I that does not fit made a B
def tidy_tags(log_p, tags):
    found, total = [], 0.0
    for row in log_p:
        tag, before = tags[row.argmax()], found[-1] if found else "O"
        if tag[0] == "I" and tag[2:] != before[2:]:
            tag = "B" + tag[1:]
        found.append(tag)
        total += row[tags.index(tag)].item()
    return found, total


# %% wrong: the best tags were taken, and each I that does not fit made an O
def tidy_tags(log_p, tags):
    found, total = [], 0.0
    for row in log_p:
        tag, before = tags[row.argmax()], found[-1] if found else "O"
        if tag[0] == "I" and tag[2:] != before[2:]:
            tag = "O"
        found.append(tag)
        total += row[tags.index(tag)].item()
    return found, total


# %% wrong: I goes on with a span; it may not follow O
def tidy_tags(log_p, tags):
    best = {"": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [b for b in best if tag[0] != "I" or b[2:] == tag[2:] or b == "O"]
            if ok:
                before, found = max(best[b] for b in ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1]


# %% wrong: this is the mean; give the sum
def tidy_tags(log_p, tags):
    best = {"O": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b[2:] == tag[2:]]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    score, found = max(best.values())
    return found, score / max(len(found), 1)


# %% wrong: this is a probability; give its logarithm
def tidy_tags(log_p, tags):
    best = {"O": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b[2:] == tag[2:]]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    score, found = max(best.values())
    return found, math.exp(score)


# %% wrong, subtle: a text cannot begin with I
def tidy_tags(log_p, tags):
    best = {}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b[2:] == tag[2:]]
            if ok or not best:
                before, found = max(ok) if ok else (0.0, [])
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1] if best else ([], 0.0)


# %% wrong, subtle: I goes on with the kind before it; it may not change the kind
def tidy_tags(log_p, tags):
    best = {"O": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b != "O"]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1]


# %% wrong, subtle: I may follow I: a span may have three words
def tidy_tags(log_p, tags):
    best = {"O": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b == "B" + tag[1:]]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1]


# %% wrong, subtle: two spans may touch: B may follow any tag
def tidy_tags(log_p, tags):
    best = {"O": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if b[2:] == tag[2:] != "" or b == "O" or tag == "O"]
            ok = [way for way in ok if tag[0] != "B" or way[1][-1:] in ([], ["O"])]
            ok = [way for way in ok if tag[0] != "I" or way[1][-1:] not in ([], ["O"])]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1]


# %% wrong, subtle: this is the score of the best tags, whether they fit or not
def tidy_tags(log_p, tags):
    best = {"O": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b[2:] == tag[2:]]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[1], sum(max(row) for row in log_p.tolist())


# %% wrong, subtle: kinds must be equal, not begin with the same letter
def tidy_tags(log_p, tags):
    best = {"O": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b[2:3] == tag[2:3]]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1]


# %% wrong, subtle: a kind ends at the second dash
def tidy_tags(log_p, tags):
    best, cut = {"O": (0.0, [])}, lambda tag: tag.split("-")[1:2]
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or cut(b) == cut(tag)]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1]


# %% wrong, subtle: O stands first among the tags
def tidy_tags(log_p, tags):
    columns = ["O", *(tag for tag in tags if tag != "O")]
    best = {"O": (0.0, [])}
    for row in log_p.tolist():
        longer = {}
        for tag, score in zip(columns, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b[2:] == tag[2:]]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1]


# %% wrong, subtle: two rows are kept, whatever their last tags
def tidy_tags(log_p, tags):
    kept = [(0.0, [])]
    for row in log_p.tolist():
        longer = []
        for before, found in kept:
            opened = found[-1][2:] if found else ""
            for tag, score in zip(tags, row, strict=True):
                if tag[0] != "I" or tag[2:] == opened:
                    longer.append((before + score, [*found, tag]))
        kept = sorted(longer, reverse=True)[:2]
    return kept[0][::-1]


# %% wrong, subtle: a text of no words has no best row
def tidy_tags(log_p, tags):
    best = {tag: (p, [tag]) for tag, p in zip(tags, log_p[0].tolist(), strict=True)}
    best = {tag: way for tag, way in best.items() if tag[0] != "I"}
    for row in log_p[1:].tolist():
        longer = {}
        for tag, score in zip(tags, row, strict=True):
            ok = [best[b] for b in best if tag[0] != "I" or b[2:] == tag[2:]]
            if ok:
                before, found = max(ok)
                longer[tag] = before + score, [*found, tag]
        best = longer
    return max(best.values())[::-1]
