"""Answers to token_loss: right ones, wrong ones, and a grader that is too weak."""

import torch
import torch.nn.functional as F


# %% weak
def weak(student):
    scores = torch.tensor([[[0.5, -0.2, 1.0]], [[2.0, 0.1, 0.3]], [[1.0, 1.0, 4.0]]])
    targets = torch.tensor([[2], [1], [-100]])
    loss, _ = student(scores, targets, targets >= 0)
    log_p = scores[:, 0].log_softmax(dim=-1)
    return abs(float(loss) + (log_p[0, 2] + log_p[1, 1]) / 2) < 1e-5


# %% right: token by token
def token_loss(scores, targets, mask):
    d_scores, count, loss = torch.zeros_like(scores), int(mask.sum()), 0.0
    for t in range(len(scores)):
        for k in range(scores.shape[1]):
            if mask[t, k]:
                p = scores[t, k].softmax(dim=0)
                loss = loss - scores[t, k].log_softmax(dim=0)[targets[t, k]] / count
                d_scores[t, k] = p / count
                d_scores[t, k, targets[t, k]] -= 1 / count
    return loss, d_scores


# %% right: only the real rows, put back into zeros
def token_loss(scores, targets, mask):
    rows, wanted = scores[mask], targets[mask]
    n, count = torch.arange(len(rows)), max(len(rows), 1)
    d = rows.softmax(dim=-1)
    loss = (rows.logsumexp(dim=-1) - rows[n, wanted]).sum() / count
    d[n, wanted] -= 1
    d_scores = torch.zeros_like(scores)
    d_scores[mask] = d / count
    return loss, d_scores


# %% right: numpy, with the highest score taken off
def token_loss(scores, targets, mask):
    import numpy as np

    z, m = scores.numpy().astype(np.float64), mask.numpy()[..., None]
    y = np.where(mask.numpy(), targets.numpy(), 0)
    z = z - z.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    onehot = np.eye(z.shape[-1])[y]
    count = max(1, m.sum())
    return -(log_p * onehot * m).sum() / count, (np.exp(log_p) - onehot) * m / count


# %% right: autograd of the loss that leaves -100 out
def token_loss(scores, targets, mask):
    z = scores.clone().requires_grad_()
    wanted = targets.masked_fill(~mask, -100).flatten()
    loss = F.cross_entropy(z.flatten(0, 1), wanted, ignore_index=-100, reduction="sum")
    loss = loss / max(1, int(mask.sum()))
    return loss.detach(), torch.autograd.grad(loss, z)[0]


# %% right: gather and scatter, the division last
def token_loss(scores, targets, mask):
    place = targets.clamp(min=0).unsqueeze(-1)
    log_p = scores.log_softmax(-1)
    count = mask.sum().item() or 1
    loss = -log_p.gather(2, place).squeeze(-1).masked_fill(~mask, 0).sum() / count
    d = log_p.exp().scatter_add(2, place, -torch.ones_like(scores[..., :1]))
    return loss, d.masked_fill(~mask[..., None], 0) / count


# %% wrong: padding is counted in the number you divide by
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask[..., None] / mask.numel()
    return -(onehot * share * log_p).sum(), (log_p.exp() - onehot) * share


# %% wrong: this is the sum over the tokens, not their mean
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    m = mask[..., None]
    return -(onehot * m * log_p).sum(), (log_p.exp() - onehot) * m


# %% wrong: padding is counted as if it were tokens
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    return -(onehot * log_p).sum() / mask.numel(), (log_p.exp() - onehot) / mask.numel()


# %% wrong: the sign is wrong; a loss is minus a log probability
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask[..., None].to(scores) / mask.sum().clamp(min=1)
    return (onehot * share * log_p).sum(), (onehot - log_p.exp()) * share


# %% wrong: the softmax goes over the batch
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask[..., None].to(scores) / mask.sum().clamp(min=1)
    return -(onehot * share * log_p).sum(), (log_p.exp() - onehot) * share


# %% wrong: the loss alone is given back
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    return -(onehot * mask[..., None] * log_p).sum() / mask.sum().clamp(min=1)


# %% wrong: this is the perplexity
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask[..., None].to(scores) / mask.sum().clamp(min=1)
    return (-(onehot * share * log_p).sum()).exp(), (log_p.exp() - onehot) * share


# %% wrong: a target of -100 is looked up
def token_loss(scores, targets, mask):
    each = -scores.log_softmax(dim=-1).gather(2, targets[..., None])[..., 0]
    count = mask.sum().clamp(min=1)
    d = scores.softmax(dim=-1) - F.one_hot(targets, scores.shape[-1])
    return (each * mask).sum() / count, d * mask[..., None] / count


# %% wrong: the -100 of the targets are overwritten
def token_loss(scores, targets, mask):
    targets[~mask] = 0
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets, scores.shape[-1])
    share = mask[..., None].to(scores) / mask.sum().clamp(min=1)
    return -(onehot * share * log_p).sum(), (log_p.exp() - onehot) * share


# %% wrong, subtle: this is a mean over sentences of their means; every token counts alike
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask / mask.sum(dim=0).clamp(min=1) / mask.shape[1]
    share = share[..., None]
    return -(onehot * share * log_p).sum(), (log_p.exp() - onehot) * share


# %% wrong, subtle: the mask alone says what counts, not the -100
def token_loss(scores, targets, mask):
    real = targets != -100
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(real, 0), scores.shape[-1])
    share = real[..., None].to(scores) / real.sum().clamp(min=1)
    return -(onehot * share * log_p).sum(), (log_p.exp() - onehot) * share


# %% wrong, subtle: exp overflows
def token_loss(scores, targets, mask):
    p = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask[..., None].to(scores) / mask.sum().clamp(min=1)
    log_p = (p * onehot).sum(dim=-1, keepdim=True).log()
    return -(log_p * share).sum(), (p - onehot) * share


# %% wrong, subtle: 0 / 0 without a token
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask[..., None].to(scores) / mask.sum()
    return -(onehot * share * log_p).sum(), (log_p.exp() - onehot) * share


# %% wrong, subtle: this is the gradient of the sum, not of the mean
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    m = mask[..., None]
    return -(onehot * m * log_p).sum() / m.sum().clamp(min=1), (log_p.exp() - onehot) * m


# %% wrong, subtle: padding gets a gradient
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    count = mask.sum().clamp(min=1)
    return -(onehot * mask[..., None] * log_p).sum() / count, (log_p.exp() - onehot) / count


# %% wrong, subtle: a small number keeps the log from 0
def token_loss(scores, targets, mask):
    p = scores.softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask[..., None].to(scores) / mask.sum().clamp(min=1)
    return -((p + 1e-9).log() * onehot * share).sum(), (p - onehot) * share


# %% wrong, subtle: tokens that cost nothing are not counted
def token_loss(scores, targets, mask):
    log_p = scores.log_softmax(dim=-1)
    onehot = F.one_hot(targets.where(mask, 0), scores.shape[-1])
    share = mask[..., None].to(scores) / (
        mask & (log_p.gather(2, targets.where(mask, 0)[..., None])[..., 0] != 0)
    ).sum().clamp(min=1)  # 1 / N or 0
    return -(onehot * share * log_p).sum(), (log_p.exp() - onehot) * share
