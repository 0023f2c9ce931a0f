"""The span that answers a question, from the logits of its start and of its end."""

from typing import NamedTuple

import torch
from torch import Tensor

from seqviz.arguments import checked_integer, checked_number, checked_tensor, checked_type
from seqviz.nn.bert_inputs import check_beside


class SpanLogits(NamedTuple):
    """How well an answer starts at each token, and how well it ends there, (batch, time) each."""

    start_logits: Tensor
    end_logits: Tensor


class Span(NamedTuple):
    """An answer: its first and its last token, which are 0 and 0, [CLS], if there is none.

    Attributes
    ----------
    start, end : int
    score : float
        Start logit plus end logit of the best span in the paragraph.
    null_score : float
        The same of [CLS]: that there is no answer.
    """

    start: int
    end: int
    score: float
    null_score: float


def best_spans(
    logits: SpanLogits, paragraph: Tensor, *, max_length: int = 30, threshold: float = 0.0
) -> list[Span]:
    """Return the best answer of each row: max over start <= end of start logit + end logit.

    There is none if the same sum at [CLS], plus `threshold`, is as large (deck 004; Devlin et al.
    2019, 4.2 and 4.3).

    Parameters
    ----------
    logits : SpanLogits
        What :class:`BERTForQuestionAnswering` returned.
    paragraph : Tensor
        (batch, time), truth values: the tokens of the paragraph, among which the answer is sought.
    max_length : int
        Tokens of the longest answer.
    threshold : float
        How much better than [CLS] an answer must be; ``-math.inf`` where each question has one.

    Returns
    -------
    list of Span
        One for each row.

    Raises
    ------
    TypeError
        If `logits` are others, `paragraph` has no truth values, or a number is none.
    ValueError
        If a shape does not fit, `max_length` is below one, or a row has no paragraph, or one with
        [CLS] in it.

    Examples
    --------
    >>> import torch
    >>> logits = SpanLogits(torch.tensor([[1., 0., 5., 0.]]), torch.tensor([[1., 0., 0., 3.]]))
    >>> best_spans(logits, torch.tensor([[False, True, True, True]]))
    [Span(start=2, end=3, score=8.0, null_score=2.0)]
    """
    start, end = checked_type("logits", logits, SpanLogits, "what the model returned")
    checked_tensor("paragraph", paragraph, [torch.bool], "a tensor of truth values")
    check_beside(start, "paragraph", paragraph, "the logits")
    if paragraph[:, 0].any() or not paragraph.any(dim=1).all():
        raise ValueError(
            "paragraph must be True at some tokens of each row, and not at the first, [CLS]: take "
            "token_type_ids == 1 without [SEP] and padding"
        )
    longest = checked_integer("max_length", max_length, 1)
    threshold = checked_number("threshold", threshold, infinite=True)

    pairs = paragraph.unsqueeze(2) & paragraph.unsqueeze(1)  # (batch, start, end)
    pairs = pairs.triu().tril(longest - 1)
    scores = (start.unsqueeze(2) + end.unsqueeze(1)).masked_fill(~pairs, -torch.inf)
    best, place = scores.flatten(1).max(dim=1)
    nulls = start[:, 0] + end[:, 0]
    spans = []
    for score, null, at in zip(best.tolist(), nulls.tolist(), place.tolist(), strict=True):
        answer = divmod(at, start.shape[1]) if score > null + threshold else (0, 0)
        spans.append(Span(*answer, score, null))
    return spans
