"""A task on top of GPT, trained with the language model beside it."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import checked_number, checked_size, checked_type
from seqviz.nn.gpt import GPT
from seqviz.nn.ids import checked_ids
from seqviz.nn.layout import ends_of


class GPTTaskOutput(NamedTuple):
    """What :class:`GPTForSequenceClassification` returns.

    Attributes
    ----------
    logits : Tensor
        (batch, num_labels), of the task.
    lm_logits : Tensor
        (batch, time, vocab), of each next token.
    """

    logits: Tensor
    lm_logits: Tensor


class GPTForSequenceClassification(nn.Module):
    """A linear head on the h of each text's last token (deck 002; Radford et al. 2018, 3.2).

    Parameters
    ----------
    gpt : GPT
        Not copied: it is trained with the head.
    num_labels : int
        Classes.
    dropout : float
        Probability of dropping a number of h before the head, in training.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type, or a number lies outside.
    """

    def __init__(self, gpt: GPT, num_labels: int, dropout: float = 0.1):
        super().__init__()
        self.gpt = checked_type("gpt", gpt, GPT, "a GPT of sv.nn")
        self.dropout = nn.Dropout(checked_number("dropout", dropout, 0, 1))
        size = gpt.tokens.embedding_dim
        self.classifier = nn.Linear(size, checked_size("num_labels", num_labels, size))
        nn.init.normal_(self.classifier.weight, std=0.02)
        nn.init.zeros_(self.classifier.bias)

    def forward(self, ids: Tensor, lengths: Tensor | Sequence[int] | None = None) -> GPTTaskOutput:
        """Return the logits of the task and of the language model.

        Parameters
        ----------
        ids : Tensor
            (batch, time), dtype long. Padding stands behind: under the causal mask no token of
            the text attends to it.
        lengths : Tensor or sequence of int, optional
            (batch,), the tokens of each text; all without.

        Raises
        ------
        TypeError, ValueError
            As from :class:`GPT`, and if `lengths` do not fit.
        """
        h = self.gpt.states(ids)
        last = h[torch.arange(len(ids), device=ids.device), ends_of(ids, lengths) - 1]
        return GPTTaskOutput(self.classifier(self.dropout(last)), self.gpt.logits(h))

    def loss(
        self,
        ids: Tensor,
        labels: Tensor,
        lengths: Tensor | Sequence[int] | None = None,
        lm_weight: float = 0.5,
    ) -> Tensor:
        """Return L_task + lm_weight * L_LM, a single number (Radford et al. 2018, equation 5).

        Parameters
        ----------
        ids, lengths
            As in :meth:`forward`.
        labels : Tensor
            (batch,), dtype long, the classes.
        lm_weight : float
            lambda of the slides, 0 or more.

        Raises
        ------
        TypeError, ValueError
            As from :meth:`forward`, and if `lm_weight` is below zero.
        """
        weight = checked_number("lm_weight", lm_weight, 0)
        found = self(ids, lengths)
        checked_ids("labels", labels, self.classifier.out_features, ids, ("batch",))
        if len(labels) != len(ids):
            raise ValueError(
                f"labels must hold one for each of {len(ids)} texts, got {len(labels)}"
            )
        task = F.cross_entropy(found.logits, labels)
        behind = torch.arange(ids.shape[1], device=ids.device) >= ends_of(ids, lengths)[:, None]
        after = ids.masked_fill(behind, -100)[:, 1:]
        if weight == 0 or (after == -100).all():
            return task
        return task + weight * F.cross_entropy(found.lm_logits[:, :-1].mT, after)
