"""Answers to coverage_penalty: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    none = torch.zeros(1, 2) > 0
    coverage, penalty = student(torch.tensor([[[0.5, 0.5]]]), none, none[:, :1], 0.2)
    near = np.allclose(coverage, [[0.5, 0.5]], atol=1e-3)
    return near and np.allclose(np.asarray(penalty).reshape(-1), [-0.2773], atol=1e-3)


# %% right: sentence by sentence
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage, penalty = torch.zeros(source_padding.shape, dtype=weights.dtype), []
    for k, sentence in enumerate(weights):
        coverage[k] = sentence[~target_padding[k]].sum(dim=0)
        coverage[k, source_padding[k]] = 0.0
        penalty.append(beta * coverage[k, ~source_padding[k]].clamp(max=1.0).log().sum())
    return coverage, torch.stack(penalty)


# %% right: einsum, and the log chosen by a mask
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = torch.einsum("bti,bt->bi", weights, (~target_padding).to(weights.dtype))
    logs = coverage.minimum(torch.ones_like(coverage)).log()
    return coverage, torch.where(source_padding, 0.0, logs).sum(dim=1) * beta


# %% right: the log first, then cut off at 0
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = torch.where(target_padding[..., None], 0.0, weights).sum(dim=1)
    logs = coverage.log().clamp(max=0.0).masked_fill(source_padding, 0.0)
    return [coverage, (beta * logs).sum(dim=1)]


# %% right: number by number, in lists
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverages, penalties = [], []
    for sentence, gone, unread in zip(weights, source_padding, target_padding, strict=True):
        rows = [row for row, skip in zip(sentence.tolist(), unread, strict=True) if not skip]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        coverages.append([0.0 if skip else x for x, skip in zip(sums, gone, strict=True)])
        kept = [min(x, 1.0) for x, skip in zip(sums, gone, strict=True) if not skip]
        penalties.append(beta * sum(np.log(x) if x > 0 else -np.inf for x in kept))
    return coverages, penalties


# %% right: with numpy in float32
def coverage_penalty(weights, source_padding, target_padding, beta):
    weights = weights.numpy().astype(np.float32) * ~target_padding.numpy()[:, :, None]
    coverage = weights.sum(axis=1)
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(source_padding, np.float32(1), np.minimum(coverage, 1)))
    return coverage, np.float32(beta) * logs.sum(axis=1)


# %% wrong: beta is missing
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    return coverage, coverage.masked_fill(source_padding, 1.0).clamp(max=1.0).log().sum(dim=1)


# %% wrong: the sign is turned round: a penalty is at most 0
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    counted = coverage.masked_fill(source_padding, 1.0).clamp(max=1.0)
    return coverage, -beta * counted.log().sum(dim=1)


# %% wrong: the weights of each French word are added up
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(source_padding[:, None], 0.0).sum(dim=2)
    counted = coverage.masked_fill(target_padding, 1.0).clamp(max=1.0)
    return coverage, beta * counted.log().sum(dim=1)


# %% wrong: the logs are added up over the English words, no mean
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    counted = coverage.masked_fill(source_padding, 1.0).clamp(max=1.0)
    return coverage, beta * counted.log().sum(dim=1) / (~source_padding).sum(dim=1)


# %% wrong: the coverages were added up before the log
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    counted = coverage.masked_fill(source_padding, 0.0).clamp(max=1.0)
    return coverage, beta * counted.sum(dim=1).log()


# %% wrong: these are the logs to base 2
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    counted = coverage.masked_fill(source_padding, 1.0).clamp(max=1.0)
    return coverage, beta * counted.log2().sum(dim=1)


# %% wrong, subtle: coverage above 1 was not cut off at 1
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    return coverage, beta * coverage.masked_fill(source_padding, 1.0).log().sum(dim=1)


# %% wrong, subtle: no coverage is cut off at 1 here; only the penalty does that
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1).clamp(max=1.0)
    return coverage, beta * coverage.masked_fill(source_padding, 1.0).log().sum(dim=1)


# %% wrong, subtle: padding among the English words was counted: log of 0
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    return coverage, beta * coverage.clamp(max=1.0).log().sum(dim=1)


# %% wrong, subtle: the log of padding is multiplied by 0
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    logs = coverage.clamp(max=1.0).log() * ~source_padding
    return coverage, beta * logs.sum(dim=1)


# %% wrong, subtle: padding among the French words was counted
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.sum(dim=1)
    counted = coverage.masked_fill(source_padding, 1.0).clamp(max=1.0)
    return coverage, beta * counted.log().sum(dim=1)


# %% wrong, subtle: something small keeps the log finite
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    counted = coverage.masked_fill(source_padding, 1.0).clamp(min=1e-6, max=1.0)
    return coverage, beta * counted.log().sum(dim=1)


# %% wrong, subtle: the batch was added up; each sentence has a penalty
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    counted = coverage.masked_fill(source_padding, 1.0).clamp(max=1.0)
    return coverage, beta * counted.log().sum()


# %% wrong, subtle: the log was taken of each weight; add the weights of a word up first
def coverage_penalty(weights, source_padding, target_padding, beta):
    coverage = weights.masked_fill(target_padding[:, :, None], 0.0).sum(dim=1)
    hidden = source_padding[:, None] | target_padding[:, :, None]
    return coverage, beta * weights.masked_fill(hidden, 1.0).log().sum(dim=(1, 2))


# %% wrong, subtle: the weights are changed in place
def coverage_penalty(weights, source_padding, target_padding, beta):
    weights[target_padding] = 0.0
    coverage = weights.sum(dim=1)
    counted = coverage.masked_fill(source_padding, 1.0).clamp(max=1.0)
    return coverage, beta * counted.log().sum(dim=1)
