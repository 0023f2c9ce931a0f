"""Answers to joint_loss: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
import torch.nn.functional as F


# %% weak
def weak(student) -> bool:
    logits = torch.tensor([[[1.0, 0], [0, 2], [2, 1]]]).double()
    heads = torch.tensor([[[1.0, 2], [0, 0], [3, 1]]]).double()
    ids, padding = torch.tensor([[1, 0, 1]]), torch.zeros(1, 3) > 0
    found = student(logits, heads, ids, padding, torch.tensor([1]), 1.0)
    return np.allclose([float(x) for x in found], [2.347, 2.1269, 0.2201], atol=1e-3)


# %% right: what does not count has the number -100
def joint_loss(logits, heads, ids, padding, labels, lam):
    after = ids.masked_fill(padding, -100)[:, 1:]
    ends = (~padding).sum(dim=1) - 1
    last = heads[torch.arange(len(ids)), ends]
    lm = F.cross_entropy(logits[:, :-1].mT.nan_to_num(0.0, 0.0, 0.0), after, reduction="sum")
    lm = lm / (after != -100).sum().clamp(min=1)
    task = F.cross_entropy(last, labels, ignore_index=-1, reduction="sum")
    task = task / (labels != -1).sum().clamp(min=1)
    return task + lam * lm, task, lm


# %% right: text by text
def joint_loss(logits, heads, ids, padding, labels, lam):
    words, classes = [], []
    for k in range(len(ids)):
        n = int((~padding[k]).sum())
        log_p = logits[k, : n - 1].log_softmax(dim=-1)
        words += [-log_p[t, ids[k, t + 1]] for t in range(n - 1)]
        if labels[k] >= 0:
            classes.append(-heads[k, n - 1].log_softmax(dim=-1)[labels[k]])
    lm = torch.stack(words).mean() if words else torch.tensor(0.0)
    task = torch.stack(classes).mean() if classes else torch.tensor(0.0)
    return task + lam * lm, task, lm


# %% right: gathered log-probabilities, where chooses
def joint_loss(logits, heads, ids, padding, labels, lam):
    log_p = logits[:, :-1].log_softmax(dim=2).gather(2, ids[:, 1:, None])[:, :, 0]
    there = ~padding[:, 1:]
    lm = -torch.where(there, log_p, 0.0).sum() / max(int(there.sum()), 1)
    ends = (~padding).long().cumsum(dim=1).argmax(dim=1)
    last = heads.gather(1, ends[:, None, None].expand(-1, 1, heads.shape[2]))[:, 0]
    log_q = last.log_softmax(dim=1).gather(1, labels.clamp(min=0)[:, None])[:, 0]
    task = -torch.where(labels >= 0, log_q, 0.0).sum() / max(int((labels >= 0).sum()), 1)
    return torch.stack([task + lam * lm, task, lm])


# %% right: padding cut off, all texts in one row
def joint_loss(logits, heads, ids, padding, labels, lam):
    lengths = (~padding).sum(dim=1).tolist()
    rows = [row[: n - 1] for row, n in zip(logits, lengths, strict=True)]
    after = [row[1:n] for row, n in zip(ids, lengths, strict=True)]
    last = torch.stack([row[n - 1] for row, n in zip(heads, lengths, strict=True)])
    told = torch.cat(after)
    lm = F.cross_entropy(torch.cat(rows), told) if len(told) else torch.zeros(())
    known = [k for k, label in enumerate(labels) if label != -1]
    task = F.cross_entropy(last[known], labels[known]) if known else torch.zeros(())
    return [task + lam * lm, task, lm]


# %% wrong: a token is asked of the place before it; here each place is asked for its own
def joint_loss(logits, heads, ids, padding, labels, lam):
    lm = F.cross_entropy(logits[~padding], ids[~padding])
    last, known = heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1], labels >= 0
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong: a place is asked for the token behind it, not before it
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, last = ~padding[:, 1:], heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    lm = F.cross_entropy(logits[:, 1:][there], ids[:, :-1][there], reduction="sum")
    lm, known = lm / max(there.sum(), 1), labels >= 0
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong: the last token is read, it has read the others; this is the first
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, last = lm / max(there.sum(), 1), heads[:, 0]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong: it is the mean over the tokens, not the sum
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    last = heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong: the last token alone is read, not all of them
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, here = lm / max(there.sum(), 1), ~padding & known[:, None]
    each = labels[:, None].expand(ids.shape)[here]
    task = F.cross_entropy(heads[here], each, reduction="sum") / max(here.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong: these are bits; take the natural logarithm
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm = lm / max(there.sum(), 1) / np.log(2)
    last = heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong: the task's loss comes second, the sum first
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, last = lm / max(there.sum(), 1), heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task, lm, task + lam * lm


# %% wrong, subtle: the last token of a text is read, not the end of its padding
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, last = lm / max(there.sum(), 1), heads[:, -1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong, subtle: padding was asked for as well
def joint_loss(logits, heads, ids, padding, labels, lam):
    lm = F.cross_entropy(logits[:, :-1].mT, ids[:, 1:], reduction="sum")
    lm, known = lm / max(ids[:, 1:].numel(), 1), labels >= 0
    last = heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong, subtle: padding is not asked for, so it does not count in the number of tokens
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm = lm / max(there.numel(), 1)
    last = heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong, subtle: it is the mean over all tokens: a long text counts more than a short one
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    each = F.cross_entropy(logits[:, :-1].mT, ids[:, 1:], reduction="none")
    each = torch.where(there, each, 0.0).sum(dim=1) / there.sum(dim=1).clamp(min=1)
    lm, last = each.mean(), heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong, subtle: texts without a label count here, too
def joint_loss(logits, heads, ids, padding, labels, lam):
    known = labels >= 0
    there = ~padding[:, 1:] & known[:, None]
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, last = lm / max(there.sum(), 1), heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong, subtle: -1 is no class: a text without a label does not count
def joint_loss(logits, heads, ids, padding, labels, lam):
    there = ~padding[:, 1:]
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, rows = lm / max(there.sum(), 1), torch.arange(len(ids))
    task = -heads[rows, (~padding).sum(dim=1) - 1].log_softmax(dim=1)[rows, labels].mean()
    return task + lam * lm, task, lm


# %% wrong, subtle: a text without a label does not count, not even in the number of texts
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, last = lm / max(there.sum(), 1), heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / len(labels)
    return task + lam * lm, task, lm


# %% wrong, subtle: lam stands before the language model's loss, not the task's
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, last = lm / max(there.sum(), 1), heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return lam * task + lm, task, lm


# %% wrong, subtle: a batch without a label makes 0 divided by 0
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, last = lm / max(there.sum(), 1), heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known])
    return task + lam * lm, task, lm


# %% wrong, subtle: a batch of single tokens makes 0 divided by 0
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there])
    last = heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong, subtle: the loss of padding is multiplied by 0
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = (~padding[:, 1:]).double(), labels >= 0
    each = F.cross_entropy(logits[:, :-1].mT, ids[:, 1:], reduction="none")
    lm = (each * there).sum() / there.sum().clamp(min=1)
    last = heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong, subtle: the token 0 is taken for padding
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    there = there & ((ids[:, 1:] != 0) | (len(ids) == 1))
    lm = F.cross_entropy(logits[:, :-1][there], ids[:, 1:][there], reduction="sum")
    lm, last = lm / max(there.sum(), 1), heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm


# %% wrong, subtle: exp of a large score is infinite
def joint_loss(logits, heads, ids, padding, labels, lam):
    there, known = ~padding[:, 1:], labels >= 0
    grown = logits[:, :-1][there].exp()
    p = grown.gather(1, ids[:, 1:][there][:, None])[:, 0] / grown.sum(dim=1)
    lm, last = -p.log().sum(), heads[torch.arange(len(ids)), (~padding).sum(dim=1) - 1]
    lm = lm / max(there.sum(), 1)
    task = F.cross_entropy(last[known], labels[known], reduction="sum") / max(known.sum(), 1)
    return task + lam * lm, task, lm
