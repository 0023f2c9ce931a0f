"""What BERT is pre-trained with, and what it is fine-tuned with: one small net on top each."""

import os
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple, Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import checked_size, checked_type
from seqviz.nn.answer_spans import SpanLogits, best_spans
from seqviz.nn.bert import BERT, BERTOutput, initialise
from seqviz.nn.pretrained import Checkpoint
from seqviz.nn.weight_names import ENCODERS


class PreTrainingLogits(NamedTuple):
    """What :class:`BERTForPreTraining` returns.

    Attributes
    ----------
    prediction_logits : Tensor
        (batch, time, vocab_size).
    seq_relationship_logits : Tensor
        (batch, 2): the second sentence follows the first, or it does not.
    """

    prediction_logits: Tensor
    seq_relationship_logits: Tensor


class WordPrediction(nn.Module):
    """Which word stands here: W_e norm(gelu(W h + b)) + b_v, W_e the word embeddings themselves.

    With a factorised embedding W maps onto its E numbers (decks 002, 004; Devlin et al. 2019; Lan
    et al. 2020).
    """

    def __init__(self, bert: BERT):
        super().__init__()
        self.activation = bert.activation
        self.dense = nn.Linear(bert.hidden_size, bert.embedding_size)
        self.norm = nn.LayerNorm(bert.embedding_size, eps=bert.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(bert.vocab_size))
        initialise(self)

    def forward(self, h: Tensor, word_embeddings: Tensor) -> Tensor:
        """Return logits (..., vocab_size) of h (..., hidden_size)."""
        return F.linear(self.norm(self.activation(self.dense(h))), word_embeddings, self.bias)


class Head(nn.Module, ABC):
    """A :class:`BERT` with a head on it; both are trained.

    Parameters
    ----------
    bert : BERT

    Raises
    ------
    TypeError
        If `bert` is none.
    ValueError
        If it has no pooler, and the head needs one.
    """

    reads_pooler: ClassVar[bool] = False

    def __init__(self, bert: BERT):
        super().__init__()
        self.bert = checked_type("bert", bert, BERT, "a BERT of sv.nn")
        if self.reads_pooler and bert.pooler is None:
            raise ValueError(
                f"bert must have a pooler, whose output {type(self).__name__} reads: make it with "
                "add_pooling_layer=True"
            )

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
    ) -> Any:
        """Return the head's logits; arguments and errors are those of :meth:`BERT.forward`."""
        return self.logits(self.bert(input_ids, attention_mask, token_type_ids))

    @abstractmethod
    def logits(self, output: BERTOutput) -> Any:
        """Return the logits of what BERT gave."""

    @classmethod
    def from_pretrained(cls, name_or_folder: str | os.PathLike) -> Self:
        """Return it with pretrained weights, the head's among them, in eval mode.

        To put a new head on a pretrained BERT, give it ``BERT.from_pretrained(...)``.

        Parameters
        ----------
        name_or_folder : str or path
            As in :meth:`BERT.from_pretrained`.

        Raises
        ------
        TypeError, ValueError, DownloadError
            As from :meth:`BERT.from_pretrained`; the head's weights may not be missing.
        """
        checkpoint = Checkpoint.read(name_or_folder, ENCODERS)
        bert = BERT(**checkpoint.options(), add_pooling_layer=cls.reads_pooler)
        return checkpoint.load_into(cls._with_head(bert, checkpoint))

    @classmethod
    def _with_head(cls, bert: BERT, checkpoint: Checkpoint) -> Self:
        return cls(bert)


class BERTForMaskedLM(Head):
    """Predict the words that are masked: logits of every token (decks 001 to 004; 2019, 3.1)."""

    def __init__(self, bert: BERT):
        super().__init__(bert)
        self.predictions = WordPrediction(bert)

    def logits(self, output: BERTOutput) -> Tensor:
        """Return logits (batch, time, vocab_size)."""
        W_e = self.bert.embeddings.word_embeddings.weight
        return self.predictions(output.last_hidden_state, W_e)


class BERTForPreTraining(Head):
    """Predict masked words and a pair's relation, as BERT is pre-trained (decks 001 to 004; 2019).

    The loss is the sum of two cross-entropies. The relation is next sentence, or ALBERT's sentence
    order: 0 if the second follows the first, 1 if not, in the published weights of both.
    """

    reads_pooler = True

    def __init__(self, bert: BERT):
        super().__init__(bert)
        self.predictions = WordPrediction(bert)
        self.seq_relationship = _linear(bert, 2)

    def logits(self, output: BERTOutput) -> PreTrainingLogits:
        """Return logits of the words (batch, time, vocab_size) and of the relation (batch, 2)."""
        W_e = self.bert.embeddings.word_embeddings.weight
        words = self.predictions(output.last_hidden_state, W_e)
        return PreTrainingLogits(words, self.seq_relationship(output.pooler_output))


class Classifier(Head):
    """A head that tells classes apart: dropout, then one linear map.

    Parameters
    ----------
    bert : BERT
    num_labels : int
        Classes.

    Raises
    ------
    TypeError, ValueError
        As from the others; if `num_labels` is no integer of at least one.
    """

    def __init__(self, bert: BERT, num_labels: int):
        super().__init__(bert)
        self.dropout = nn.Dropout(bert.hidden_dropout_prob)
        self.classifier = _linear(bert, checked_size("num_labels", num_labels, bert.hidden_size))

    @classmethod
    def _with_head(cls, bert: BERT, checkpoint: Checkpoint) -> Self:
        return cls(bert, checkpoint.num_labels)


class BERTForSequenceClassification(Classifier):
    """Classify a sentence, or a pair of them, by the pooled [CLS] (decks 001, 004; 2019, 4.1).

    Parameters
    ----------
    bert : BERT
        With a pooler.
    num_labels : int
        Classes.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type, or `bert` no pooler.
    """

    reads_pooler = True

    def logits(self, output: BERTOutput) -> Tensor:
        """Return logits (batch, num_labels)."""
        return self.classifier(self.dropout(output.pooler_output))


class BERTForTokenClassification(Classifier):
    """Tag each token (decks 001, 004; 2019, 5.3).

    Parameters
    ----------
    bert : BERT
    num_labels : int
        Tags.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type, or `num_labels` is below one.
    """

    def logits(self, output: BERTOutput) -> Tensor:
        """Return logits (batch, time, num_labels)."""
        return self.classifier(self.dropout(output.last_hidden_state))


class BERTForQuestionAnswering(Head):
    """Find an answer in a paragraph: its first and its last token (decks 001, 004; 2019, 4.2, 4.3).

    One linear map gives each token two numbers: how well an answer starts there, and ends there.
    Which span is the best, or [CLS] if none is, says ``best_spans(logits, paragraph)``:
    :func:`seqviz.nn.answer_spans.best_spans`.
    """

    def __init__(self, bert: BERT):
        super().__init__(bert)
        self.qa_outputs = _linear(bert, 2)

    def logits(self, output: BERTOutput) -> SpanLogits:
        """Return logits of starts and of ends, (batch, time) each."""
        return SpanLogits(*self.qa_outputs(output.last_hidden_state).unbind(dim=-1))

    best_spans = staticmethod(best_spans)


def _linear(bert: BERT, size: int) -> nn.Linear:
    head = nn.Linear(bert.hidden_size, size)
    initialise(head)
    return head
