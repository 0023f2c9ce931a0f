"""Answers to pseudo_log_likelihood: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    def log_probs(ids):  # each hidden token makes all others less sure
        hidden = (ids == 9).double().sum(dim=1)[:, None, None]
        return -(hidden + torch.arange(10) / 10).expand(*ids.shape, 10)

    found = student(log_probs, torch.tensor([1, 5, 6, 2]), torch.tensor([-1, 0, 1, -1]), 9)
    return np.allclose(np.asarray(found), [0, -1.5, -1.6, 0], atol=1e-3)


# %% right: one token at a time
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    scores = []
    for t in range(len(ids)):
        if words[t] < 0:
            scores.append(0.0)
            continue
        row = ids.clone()
        for k in range(t, len(ids)):
            if words[k] == words[t]:
                row[k] = mask_id
        scores.append(float(log_probs(row.unsqueeze(0))[0, t, ids[t]]))
    return scores


# %% right: only rows of ordinary tokens
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.nonzero(words != -1).flatten()
    scores = torch.zeros(len(ids), dtype=torch.float64)
    if len(places) == 0:
        return scores
    later = torch.arange(len(ids)) >= places.unsqueeze(1)
    same = words.unsqueeze(0) == words[places].unsqueeze(1)
    copies = torch.where(later & same, mask_id, ids.expand(len(places), -1))
    found = log_probs(copies)
    own = torch.stack([found[k, t, ids[t]] for k, t in enumerate(places)])
    scores[places] = own.double()
    return scores


# %% right: a triangle of the same word
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    same = words[:, None].eq(words[None]).triu()
    copies = ids[None].repeat(len(ids), 1)
    copies[same] = mask_id
    own = log_probs(copies).diagonal(dim1=0, dim2=1).T  # (time, vocabulary)
    return torch.where(words < 0, 0.0, own.gather(1, ids[:, None])[:, 0])


# %% right: word by word, with numpy at the end
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    scores = np.zeros(len(ids))
    for word in sorted(set(words.tolist()) - {-1}):
        row, places = ids.clone(), torch.nonzero(words == word).flatten().tolist()
        row[places] = mask_id
        for t in places:
            scores[t] = log_probs(row[None]).numpy()[0, t, int(ids[t])]
            row[t] = ids[t]
    return scores


# %% wrong: nothing is hidden: each token sees itself
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    scores = log_probs(ids[None])[0, torch.arange(len(ids)), ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong: all tokens are hidden at once; hide one, or one and the rest of its word
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    hidden = ids.masked_fill(words >= 0, mask_id)
    scores = log_probs(hidden[None])[0, torch.arange(len(ids)), ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong: what follows is hidden to the end of the text, not of the word
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words >= 0) & (places >= places[:, None])
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong: what comes before is hidden
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words >= 0) & (places <= places[:, None])
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong: this is the sum; give a score for each token
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words[:, None] == words) & (places >= places[:, None])
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill(words < 0, 0.0).sum()


# %% wrong: these are probabilities; take their log
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words[:, None] == words) & (places >= places[:, None])
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.exp().masked_fill(words < 0, 0.0)


# %% wrong: special tokens are scored too; they get 0
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words[:, None] == words) & (places >= places[:, None]) & (words >= 0)
    hide = hide | torch.eye(len(ids)).bool()
    return log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]


# %% wrong: the probability of the hiding token itself
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words[:, None] == words) & (places >= places[:, None])
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, mask_id]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong, subtle: later pieces of the same word give it away: hide them too
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = torch.eye(len(ids)).bool()
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong, subtle: earlier pieces of the word are known: hide the later ones only
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = words[:, None] == words
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong, subtle: the later pieces are hidden, not the earlier ones
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words[:, None] == words) & (places <= places[:, None])
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong, subtle: only the next piece is hidden with it
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    far = places - places[:, None]
    hide = (words[:, None] == words) & (far >= 0) & (far <= 1)
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong, subtle: all copies of a token are hidden with it
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words[:, None] == words) & (places >= places[:, None])
    hide = hide | (ids[:, None] == ids)
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill(words < 0, 0.0)


# %% wrong, subtle: the first and the last token are taken for the special ones
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    places = torch.arange(len(ids))
    hide = (words[:, None] == words) & (places >= places[:, None])
    scores = log_probs(ids.repeat(len(ids), 1).masked_fill(hide, mask_id))[places, places, ids]
    return scores.masked_fill((places == 0) | (places == len(ids) - 1), 0.0)


# %% wrong, subtle: the ids themselves are hidden, and never come back
def pseudo_log_likelihood(log_probs, ids, words, mask_id):
    scores, kept = torch.zeros(len(ids)).double(), ids.clone()
    for t in range(len(ids)):
        if words[t] >= 0:
            ids[(words == words[t]) & (torch.arange(len(ids)) >= t)] = mask_id
            scores[t] = log_probs(ids[None])[0, t, kept[t]]
            ids[:] = kept
    ids[words >= 0] = mask_id
    return scores
