"""Answers to picture_logits: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
import torch.nn.functional as F


# %% weak
def weak(student) -> bool:  # the pairs of a place with itself
    q, e_rows = torch.tensor([[[1.0]], [[2.0]]]), torch.tensor([[5.0], [10.0], [5.0]])
    found = np.asarray(student(q, e_rows, torch.tensor([[2.0]])))
    return found.shape == (2, 2) and np.allclose(found.diagonal(), [12, 24])


# %% right: a vector for each pair
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down + rows - 1] + e_columns[across + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2)


# %% right: both parts by skewing
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape

    def skew(products):  # (many, n, 2n - 1) to (many, n, n)
        n = products.shape[1]
        flat = F.pad(products, (0, 1)).flatten(1)[:, n - 1 : -1]
        return flat.unflatten(1, (n, 2 * n - 1))[..., :n]

    down = skew((q @ e_rows.T).transpose(0, 1)).transpose(0, 1)
    across = skew(q @ e_columns.T)
    return (down[..., None] + across[:, :, None]).reshape(rows * columns, -1)


# %% right: row of keys by row of keys, by slices
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    found = torch.zeros(rows, columns, rows, columns, dtype=q.dtype)
    for y in range(rows):
        for x in range(columns):
            e = e_rows[rows - 1 - y : 2 * rows - 1 - y, None]
            e = e + e_columns[columns - 1 - x : 2 * columns - 1 - x]
            found[y, x] = e @ q[y, x]
    return found.reshape(rows * columns, rows * columns)


# %% right: with numpy in float32
def picture_logits(q, e_rows, e_columns):
    q, e_rows, e_columns = (x.numpy().astype(np.float32) for x in (q, e_rows, e_columns))
    rows, columns, _ = q.shape
    y, x = np.arange(rows), np.arange(columns)
    by_row = np.einsum("yxd,yvd->yxv", q, e_rows[y - y[:, None] + rows - 1])
    by_column = np.einsum("yxd,xud->yxu", q, e_columns[x - x[:, None] + columns - 1])
    both = by_row[:, :, :, None] + by_column[:, :, None, :]
    return both.reshape(rows * columns, -1)


# %% wrong: row i is a query, column j a key
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down + rows - 1] + e_columns[across + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2).T


# %% wrong: the columns are missing: e_columns counts as well
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y = torch.arange(rows * columns) // columns
    down = y - y[:, None]
    e = e_rows[down + rows - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2)


# %% wrong: the rows are missing: e_rows counts as well
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    x = torch.arange(rows * columns) % columns
    across = x - x[:, None]
    e = e_columns[across + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2)


# %% wrong: the query meets the sum of both vectors, not their product
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down + rows - 1] * e_columns[across + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2)


# %% wrong: the distance 0 stands in the middle of e: one place off
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down + rows - 2] + e_columns[across + columns - 2]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2)


# %% wrong: the scores have four dimensions
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down + rows - 1] + e_columns[across + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2).view(rows, columns, rows, columns)


# %% wrong, subtle: the distance goes from query to key, j - i: these are turned round
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y[:, None] - y, x[:, None] - x
    e = e_rows[down + rows - 1] + e_columns[across + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2)


# %% wrong, subtle: a distance has a sign: above is not below
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down.abs() + rows - 1] + e_columns[across.abs() + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2)


# %% wrong, subtle: it is the query that meets e, not the key
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down + rows - 1] + e_columns[across + columns - 1]
    return (q.flatten(0, 1)[None] * e).sum(dim=2)


# %% wrong, subtle: the keys are numbered row by row, not column by column
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down + rows - 1] + e_columns[across + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2).view(-1, rows, columns).mT.flatten(1)


# %% wrong, subtle: do not divide by the square root of d: q . e alone is asked for
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y, x = torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).T
    down, across = y - y[:, None], x - x[:, None]
    e = e_rows[down + rows - 1] + e_columns[across + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2) / q.shape[2] ** 0.5


# %% wrong, subtle: the places are one line, and its distance goes on from row to row
def picture_logits(q, e_rows, e_columns):
    rows, columns, _ = q.shape
    y = torch.arange(rows * columns) // columns
    down = y - y[:, None]
    line = torch.arange(rows * columns)
    far = line - line[:, None]
    e = e_rows[down + rows - 1] + e_columns[far.clamp(1 - columns, columns - 1) + columns - 1]
    return (q.flatten(0, 1)[:, None] * e).sum(dim=2)
