"""Answers to local_mask: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:  # 2 x 3 pixels: the first sees none before it, of the last row few
    found = np.asarray(student(2, 3, (2, 3), (1, 1)))
    return found.shape == (6, 6) and bool(found[0, 4] == found[0, 5])


# %% right: pair by pair, the order as tuples
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden


# %% right: block by block, by slices
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    seen = torch.zeros(height, width, height, width).bool()
    written = torch.zeros(height, width).bool()
    for top in range(0, height, rows):
        for left in range(0, width, columns):
            v = slice(max(top - above, 0), top + rows)
            u = slice(max(left - beside, 0), left + columns + beside)
            for y in range(top, min(top + rows, height)):
                for x in range(left, min(left + columns, width)):
                    written[y, x] = True
                    seen[y, x, v, u] = written[v, u]
    return ~seen.reshape(height * width, -1)


# %% right: with numpy, the order by sorting
def local_mask(height, width, block, memory):
    y, x = (c.ravel() for c in np.mgrid[:height, :width])
    r, c = y // block[0], x // block[1]
    when = np.argsort(np.lexsort((x, y, c, r)))
    down = (y >= (r * block[0] - memory[0])[:, None]) & (y < ((r + 1) * block[0])[:, None])
    first, last = c * block[1] - memory[1], (c + 1) * block[1] + memory[1]
    across = (x >= first[:, None]) & (x < last[:, None])
    return ~(down & across & (when <= when[:, None]))


# %% right: as a list of lists
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden.tolist()


# %% wrong: the mask is the wrong way round: True hides
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = near and one <= (y // rows, x // columns, y, x)
    return hidden


# %% wrong: there is an order: nothing that is written later may be seen
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            hidden[i, j] = not near
    return hidden


# %% wrong: block and memory are (rows, columns): these are exchanged
def local_mask(height, width, block, memory):
    (columns, rows), (beside, above) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden


# %% wrong: row i is a query, column j a key
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[j, i] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden


# %% wrong: the memory lies around the whole block, not around each pixel
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        for j in range(height * width):
            v, u = divmod(j, width)
            near = y - above <= v <= y
            near = near and x - beside <= u <= x + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden


# %% wrong: numbers in place of truth values
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden.float().masked_fill(hidden, -torch.inf)


# %% wrong, subtle: earlier is counted row by row of the picture; pixels are written block by block
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            hidden[i, j] = not (near and (v, u) <= (y, x))
    return hidden


# %% wrong, subtle: only whole blocks have an order here; in a block row by row is written, too
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns)
            hidden[i, j] = not (near and one <= (y // rows, x // columns))
    return hidden


# %% wrong, subtle: a pixel may see itself
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one < (y // rows, x // columns, y, x))
    return hidden


# %% wrong, subtle: columns to the right count in the rows above: those blocks are written before
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden


# %% wrong, subtle: the memory reaches beside the block in the rows above it, too
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            near = near and (v >= top or left <= u < left + columns)
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden


# %% wrong, subtle: pixels are numbered row by row of the picture, not in the order of blocks
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - y % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    place = [divmod(i, width) for i in range(height * width)]
    order = sorted(
        range(height * width),
        key=lambda i: (place[i][0] // rows, place[i][1] // columns, *place[i]),
    )
    return hidden[order][:, order]


# %% wrong, subtle: blocks are counted from the lower end
def local_mask(height, width, block, memory):
    (rows, columns), (above, beside) = block, memory
    hidden = torch.ones(height * width, height * width).bool()
    for i in range(height * width):
        y, x = divmod(i, width)
        top, left = y - (y - height) % rows, x - x % columns
        for j in range(height * width):
            v, u = divmod(j, width)
            near = top - above <= v < top + rows
            near = near and left - beside <= u < left + columns + beside
            one = (v // rows, u // columns, v, u)
            hidden[i, j] = not (near and one <= (y // rows, x // columns, y, x))
    return hidden
