"""Several hypotheses at once: at each step the best few survive."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from seqviz.arguments import MANY, checked_integer, checked_number
from seqviz.decoding.beam_tree import BeamTree
from seqviz.decoding.model_steps import (
    Prompt,
    Step,
    checked_logits,
    checked_prompt,
    checked_step,
    checked_stop,
    read,
)

Select = Callable[[Any, Tensor], Any]


@torch.no_grad()
def beam(
    step: Step,
    prompt: Prompt,
    length: int,
    *,
    width: int = 3,
    stop: int | None = None,
    length_penalty: float = 0.0,
    state: Any = None,
    select: Select | None = None,
) -> BeamTree | list[BeamTree]:
    """Continue a prompt along the `width` best hypotheses, and keep the whole tree (deck 002).

    At each step every hypothesis is continued with its `width` most probable tokens, and of all
    these the best are kept, as many as `width`. One that ends with `stop` is set aside and holds
    its place: the others go on with one place less. The search is over when none is left, or
    after `length` tokens. Width 1 is :func:`greedy`.

    Parameters
    ----------
    step, prompt, length
        As in :func:`greedy`. The batch of a step is every hypothesis that goes on, sentence after
        sentence.
    width : int
        Hypotheses kept at a step, the deck's k.
    stop : int, optional
        An id that ends a hypothesis; it is included.
    length_penalty : float
        Hypotheses are ranked by (sum of log-probabilities) / (number of tokens)**length_penalty:
        0 is the sum, which is lower for a longer one, and 1 its mean. Wu et al. 2016, eq. 14, have
        ((5 + tokens) / 6) in the place of the number of tokens.
    state : optional
        As in :func:`greedy`, with a row for each row of the prompt.
    select : callable, optional
        ``select(state, rows)`` gives the state with these rows of its batch, a tensor of ids that
        may name a row twice: ``Seq2Seq.select`` or ``LanguageModel.select``. Not needed for a
        state that is None or one tensor with the batch first.

    Returns
    -------
    BeamTree, or list of BeamTree
        One for each row of a prompt (batch, time); hypotheses of different rows never compete.

    Raises
    ------
    TypeError
        If an argument has the wrong type, or the state needs a `select` and has none.
    ValueError
        If `prompt` is empty, `length` or `width` below one, `length_penalty` negative or not
        finite, or the logits are no distribution (NaN).
    """
    checked_step(step)
    prompt = checked_prompt(prompt)
    length = checked_integer("length", length, 1, MANY)
    width = checked_integer("width", width, 1, MANY)
    stop = checked_stop(stop)
    if select is not None and not callable(select):
        raise TypeError(f"select must be a function select(state, rows), got {select!r}")
    length_penalty = checked_number("length_penalty", length_penalty, 0)

    unread = torch.atleast_2d(prompt)
    searches = [_Search(width, stop) for _ in unread]
    for _ in range(length):
        logits, state = read(step, unread, state)
        token, log_p = _children(logits, len(unread), width)
        rows, ids, first = [], [], 0
        for search in searches:
            after = first + len(search.node)
            parents, tokens = search.grow(token[first:after], log_p[first:after])
            rows.extend(first + parents)
            ids.extend(tokens)
            first = after
        if not rows:
            break
        rows = prompt.new_tensor(rows)
        state = select(state, rows) if select else _rows_of(state, rows, len(unread))
        unread = prompt.new_tensor(ids).unsqueeze(1)
    trees = [search.tree(length_penalty) for search in searches]
    return trees if prompt.dim() == 2 else trees[0]


def _children(logits: Tensor, batch: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the most probable tokens of each row and their log-probabilities, (batch, width)."""
    logits = checked_logits(logits, torch.ones(batch, dtype=torch.bool)).double()
    token = logits.sort(dim=1, descending=True, stable=True).indices[:, :width]
    return token.numpy(), logits.log_softmax(dim=1).gather(1, token).numpy()


class _Search:
    """The tree of one sentence while it grows, and the hypotheses that go on."""

    def __init__(self, width: int, stop: int | None):
        self.width = self.places = width
        self.stop = stop
        self.node, self.score = np.array([-1]), np.array([0.0])  # of those that go on
        self.steps, self.size = [], 0

    def grow(self, token: np.ndarray, log_p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Take the children (hypothesis, width) and keep the best.

        Return which hypothesis each one that goes on continues, and its token.
        """
        possible = log_p > -np.inf
        row, _ = possible.nonzero()
        token, log_p = token[possible], log_p[possible]
        score = self.score[row] + log_p
        kept = np.zeros(len(score), dtype=bool)
        kept[np.argsort(-score, kind="stable")[: self.places]] = True
        finished = kept & (token == self.stop)
        step = np.full(len(score), len(self.steps) + 1)
        self.steps.append((step, self.node[row], token, log_p, score, kept, finished))
        going = kept & ~finished
        self.places -= finished.sum()
        self.node, self.score = self.size + going.nonzero()[0], score[going]
        self.size += len(score)
        return row[going], token[going]

    def tree(self, length_penalty: float) -> BeamTree:
        """Put the steps together."""
        columns = (np.concatenate(column) for column in zip(*self.steps, strict=True))
        return BeamTree(*columns, self.width, length_penalty)


def _rows_of(state: Any, rows: Tensor, batch: int) -> Any:
    """Take rows of a state that needs no model to know its batch."""
    if state is None:
        return None
    if isinstance(state, Tensor) and len(state) == batch:
        return state.index_select(0, rows)
    got = f"shape {tuple(state.shape)}" if isinstance(state, Tensor) else type(state).__name__
    raise TypeError(
        f"select must be given for a state that is no tensor ({batch}, ...), got {got}: "
        "select=model.select, or a function select(state, rows)"
    )
