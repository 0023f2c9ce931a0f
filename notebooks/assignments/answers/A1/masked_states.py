"""Answers to masked_states: right ones, wrong ones, and a grader that is too weak."""

import torch


# %% weak
def weak(student):
    x = torch.tensor([[[1.0, 0.5]], [[-0.3, 2.0]], [[0.7, 0.1]], [[9.0, 9.0]]])
    mask = torch.tensor([[True], [True], [True], [False]])
    W_xh, W_hh = torch.tensor([[0.5, -0.2]] * 3), torch.full((3, 3), 0.3)
    h_0, b = torch.tensor([[0.1, 0.2, -0.3]]), torch.tensor([0.1, 0.0, 0.2])
    found = torch.as_tensor(student(x, mask, h_0, W_xh, W_hh, b)).float()
    h = h_0
    for x_t in x[:3]:
        h = torch.tanh(h @ W_hh.T + x_t @ W_xh.T + b)
    return found.shape == (5, 1, 3) and torch.allclose(found[-1], h, atol=1e-5)


# %% right: a row of the batch at a time
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    columns = []
    for k in range(x.shape[1]):
        h = h_0[k]
        column = [h]
        for t in range(x.shape[0]):
            if mask[t, k]:
                h = torch.tanh(W_xh @ x[t, k] + W_hh @ h + b)
            column.append(h)
        columns.append(torch.stack(column))
    return torch.stack(columns, dim=1)


# %% right: the mask as a factor
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    h, states = h_0, [h_0]
    m = mask.unsqueeze(-1).to(x.dtype)
    for t in range(len(x)):
        new = torch.tanh(x[t] @ W_xh.T + h @ W_hh.T + b)
        h = m[t] * new + (1 - m[t]) * h
        states.append(h)
    return torch.stack(states)


# %% right: written into one tensor, only the real rows
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = h_0.repeat(len(x) + 1, 1, 1)
    inputs = torch.einsum("tbi,hi->tbh", x, W_xh) + b
    for t in range(len(x)):
        real = mask[t]
        states[t + 1] = states[t]
        states[t + 1, real] = torch.tanh(inputs[t, real] + states[t, real] @ W_hh.T)
    return states


# %% right: numpy, one matrix for x and h
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    import numpy as np

    x, mask, h, b = x.numpy(), mask.numpy(), h_0.numpy(), b.numpy()
    both = np.concatenate([W_xh.numpy(), W_hh.numpy()], axis=1)
    states = [h]
    for x_t, m_t in zip(x, mask, strict=True):
        new = np.tanh(np.concatenate([x_t, h], axis=1) @ both.T + b)
        h = np.where(m_t[:, None], new, h)
        states.append(h)
    return np.stack(states)


# %% right: float32 throughout
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    x, h, W_xh, W_hh, b = (v.float() for v in (x, h_0, W_xh, W_hh, b))
    states = [h]
    for x_t, m_t in zip(x, mask, strict=True):
        h = torch.where(m_t[:, None], torch.tanh(h @ W_hh.T + x_t @ W_xh.T + b), h)
        states.append(h)
    return torch.stack(states)


# %% right: the change of each step is added
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        h = states[-1]
        change = torch.tanh(b + x_t @ W_xh.T + h @ W_hh.T) - h
        states.append(h + change.masked_fill(~m_t[:, None], 0))
    return torch.stack(states)


# %% wrong: padding is read like a token; the mask is not used
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t in x:
        states.append(torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b))
    return torch.stack(states)


# %% wrong: the state is set to zero at padding
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        states.append(torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b) * m_t[:, None])
    return torch.stack(states)


# %% wrong: a padded step is a step with x = 0 here; it must change nothing
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t in x * mask[..., None]:
        states.append(torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b))
    return torch.stack(states)


# %% wrong: the state goes back to h_0 at padding
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(torch.where(m_t[:, None], new, h_0))
    return torch.stack(states)


# %% wrong: padded steps are zeros in the result; the state stays what it was
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(torch.where(m_t[:, None], new, states[-1]))
    states = torch.stack(states)
    states[1:][~mask] = 0
    return states


# %% wrong: the mask is read the wrong way round; it is True where a token stands
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(torch.where(m_t[:, None], states[-1], new))
    return torch.stack(states)


# %% wrong: h_0 is missing; it is row 0
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    h, states = h_0, []
    for x_t, m_t in zip(x, mask, strict=True):
        h = torch.where(m_t[:, None], torch.tanh(h @ W_hh.T + x_t @ W_xh.T + b), h)
        states.append(h)
    return torch.stack(states)


# %% wrong: only the last state is given
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    h = h_0
    for x_t, m_t in zip(x, mask, strict=True):
        h = torch.where(m_t[:, None], torch.tanh(h @ W_hh.T + x_t @ W_xh.T + b), h)
    return h


# %% wrong: the kept state goes through tanh again
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        inside = states[-1] @ W_hh.T + x_t @ W_xh.T + b
        states.append(torch.tanh(torch.where(m_t[:, None], inside, states[-1])))
    return torch.stack(states)


# %% wrong: the states are printed, not given back
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(torch.where(m_t[:, None], new, states[-1]))
    print(torch.stack(states))


# %% wrong: the bias b is missing
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T)
        states.append(torch.where(m_t[:, None], new, states[-1]))
    return torch.stack(states)


# %% wrong: one state tensor is written in place, h_0 with it
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    h, states = h_0, [h_0.clone()]
    for x_t, m_t in zip(x, mask, strict=True):
        h[m_t] = torch.tanh(h @ W_hh.T + x_t @ W_xh.T + b)[m_t]
        states.append(h.clone())
    return torch.stack(states)


# %% wrong, subtle: W_hh is transposed
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh + x_t @ W_xh.T + b)
        states.append(torch.where(m_t[:, None], new, states[-1]))
    return torch.stack(states)


# %% wrong, subtle: the number of tokens stands for the mask, as if padding stood behind
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    lengths, states = mask.sum(dim=0), [h_0]
    for t in range(len(x)):
        new = torch.tanh(states[-1] @ W_hh.T + x[t] @ W_xh.T + b)
        states.append(torch.where((t < lengths)[:, None], new, states[-1]))
    return torch.stack(states)


# %% wrong, subtle: the first row's mask is used for all rows
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(new if m_t[0] else states[-1])
    return torch.stack(states)


# %% wrong, subtle: a step is skipped for all rows if any of them is padded
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(new if m_t.all() else states[-1])
    return torch.stack(states)


# %% wrong, subtle: everything behind the first padding stands still
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, m_t in zip(x, mask.long().cumprod(dim=0).bool(), strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(torch.where(m_t[:, None], new, states[-1]))
    return torch.stack(states)


# %% wrong, subtle: the start state of the first row is used for all rows
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0[:1].expand(x.shape[1], -1)]
    for x_t, m_t in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(torch.where(m_t[:, None], new, states[-1]))
    return torch.stack(states)


# %% wrong, subtle: the mask chose units; it chooses sentences: which dimension is the batch?
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    for x_t, real in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        real = real if h_0.shape[0] == h_0.shape[1] else real[:, None]
        states.append(torch.where(real, new, states[-1]))
    return torch.stack(states)


# %% wrong, subtle: a word of zeros is taken for padding
def masked_states(x, mask, h_0, W_xh, W_hh, b):
    states = [h_0]
    mask = mask & (x != 0).any(dim=-1)
    for x_t, real in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(torch.where(real[:, None], new, states[-1]))
    return torch.stack(states)
