"""Numbers that say how good a model is."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

import torch
import torch.nn.functional as F
from sacrebleu.metrics import BLEU
from torch import Tensor

from seqviz.arguments import (
    checked_device,
    checked_flag,
    checked_floats,
    checked_integer,
    checked_type,
    checked_words,
    refuse_meta,
)
from seqviz.data.spans import Span, tags_to_spans

__all__ = ["SpanScore", "alignment_error_rate", "bleu", "perplexity", "span_f1"]

Links = AbstractSet[tuple[int, int]]


def perplexity(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> float:
    """Return exp of the mean cross-entropy: the number of tokens a model hesitates between.

    A model that knows nothing has the size of the vocabulary, a perfect one has 1 (deck 002).

    Parameters
    ----------
    logits : Tensor
        (..., vocab), float.
    targets : Tensor
        (...), long: the ids that came next.
    ignore_index : int
        Targets with this value do not count (padding).

    Returns
    -------
    float
        At least 1; computed in float64. Infinite if a target has the logit -inf, probability 0.

    Raises
    ------
    TypeError
        If `logits` is not a float tensor, `targets` not a long one, or `ignore_index` no integer.
    ValueError
        If the shapes do not fit, a target lies outside the vocabulary, none is left to count,
        or the logits are no distribution (NaN, infinite).
    """
    checked_floats("logits", logits)
    if not isinstance(targets, Tensor) or targets.dtype != torch.long:
        got = getattr(targets, "dtype", type(targets).__name__)
        raise TypeError(f"targets must be a torch.long tensor, got {got}")
    if logits.dim() == 0 or logits.shape[:-1] != targets.shape:
        raise ValueError(
            "logits must be (..., vocab) and targets (...), "
            f"got {tuple(logits.shape)} and {tuple(targets.shape)}"
        )
    vocab = logits.shape[-1]
    if vocab == 0:
        raise ValueError(f"logits must have a vocabulary, got shape {tuple(logits.shape)}")
    for name, tensor in (("logits", logits), ("targets", targets)):
        refuse_meta(name, tensor)
    checked_device("targets", targets, logits, "logits")
    ignore_index = checked_integer("ignore_index", ignore_index)
    counted = targets != ignore_index
    logits, targets = logits[counted].detach().double(), targets[counted]  # (n, vocab), (n,)
    if len(targets) == 0:
        raise ValueError("targets must hold at least one id that counts, got none")
    if targets.min() < 0 or targets.max() >= vocab:
        wrong = targets[(targets < 0) | (targets >= vocab)][0].item()
        raise ValueError(f"targets must lie between 0 and {vocab - 1}, got {wrong}")
    if not logits.amax(dim=-1).isfinite().all():  # the maximum of a row with NaN is NaN
        raise ValueError(
            "logits must have a finite maximum in each row, got NaN or infinity: the model has "
            "diverged, lower its lr"
        )
    return F.cross_entropy(logits, targets).exp().item()


def bleu(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """Return the BLEU of a corpus: how many of its n-grams of 1 to 4 words are the reference's.

    100 * BP * exp(mean of ln p_n), p_n being the share of the hypotheses' n-grams that stand in
    their reference, counted over the whole corpus, and BP the brevity penalty (Papineni et al.
    2002). It is sacrebleu's, without its tokenizer and with its smoothing "exp": where no n-gram
    of some n fits, half of one counts, then a quarter for the next such n. Without any word that
    fits, or without any n-gram of 4 words, it is 0.

    Parameters
    ----------
    hypotheses : sequence of sequence of str
        Sentences, split into words. One without words is allowed.
    references : sequence of sequence of str
        A right translation of each.

    Returns
    -------
    float
        From 0 to 100.

    Raises
    ------
    TypeError
        If a sentence is a string, or a word is none.
    ValueError
        If there is no sentence, there are not as many references as hypotheses, a reference is
        empty, or a word holds a space or nothing.
    """
    hypotheses, references = _joined("hypotheses", hypotheses), _joined("references", references)
    if not references or len(hypotheses) != len(references):
        raise ValueError(
            "references must hold one for each hypothesis, and at least one, "
            f"got {len(references)} for {len(hypotheses)}"
        )
    if "" in references:
        raise ValueError(f"references must have words, number {references.index('')} has none")
    return BLEU(tokenize="none", force=True).corpus_score(hypotheses, [references]).score


def _joined(name: str, sentences: Sequence[Sequence[str]]) -> list[str]:
    if isinstance(sentences, str):
        raise TypeError(f"{name} must be a list of sentences, got the text {sentences!r}")
    sentences = [*checked_type(name, sentences, Sequence, "a list of sentences")]
    for sentence in sentences:
        for word in checked_words(f"each of {name}", sentence):
            if word.split() != [word]:
                raise ValueError(f"{name} must hold words without spaces, got {word!r}")
    return [" ".join(sentence) for sentence in sentences]


def alignment_error_rate(
    alignment: Links | Sequence[Links],
    sure: Links | Sequence[Links],
    possible: Links | Sequence[Links],
) -> float:
    """Return 1 - (|A and S| + |A and P|) / (|A| + |S|) (Och and Ney 2003).

    A link that is not possible costs, and so does a sure link that is not found; a possible one
    that is not sure may be found or not.

    Parameters
    ----------
    alignment, sure, possible : set of (int, int), or sequence of such sets
        Links (target, source): A, which is judged, and what people wrote, S within P. With
        sequences, a set for each sentence, the links of all sentences are counted together.

    Returns
    -------
    float
        From 0, every sure link found and nothing that is not possible, to 1.

    Raises
    ------
    TypeError
        If an argument is no set and no sequence of sets.
    ValueError
        If the sequences are not equally long, a sure link is not possible, or there is neither
        a link in `alignment` nor a sure one.
    """
    A, S, P = (
        _sets(name, links)
        for name, links in (("alignment", alignment), ("sure", sure), ("possible", possible))
    )
    if not len(A) == len(S) == len(P):
        raise ValueError(
            "alignment, sure and possible must have a set for each sentence, "
            f"got {len(A)}, {len(S)} and {len(P)}"
        )
    for s, p in zip(S, P, strict=True):
        if not s <= p:
            raise ValueError(
                f"sure must lie within possible, but {min(s - p)} is not in it: use sure | possible"
            )
    size = sum(map(len, A)) + sum(map(len, S))
    if size == 0:
        raise ValueError("alignment and sure must not both be empty: there is nothing to judge")
    agree = sum(len(a & s) + len(a & p) for a, s, p in zip(A, S, P, strict=True))
    return 1 - agree / size


def _sets(name: str, links: Links | Sequence[Links]) -> list[Links]:
    sets = [links] if isinstance(links, AbstractSet) else links
    if isinstance(sets, str) or not isinstance(sets, Sequence):
        raise TypeError(f"{name} must be a set of links, got {type(links).__name__}: use set(...)")
    for one in sets:
        if not isinstance(one, AbstractSet):
            raise TypeError(
                f"{name} must be a set of links (target, source), or a list of such sets, "
                f"got {one!r} in a list: use set(...)"
            )
    return list(sets)


@dataclass(frozen=True)
class SpanScore:
    """How many spans were found, and what follows from it.

    Parameters
    ----------
    right : int
        Spans that are predicted and true: same start, same end, same kind.
    predicted, true : int
        Spans that are predicted; that should be.
    by_kind : dict of str to SpanScore
        The same for each kind alone.
    """

    right: int
    predicted: int
    true: int
    by_kind: dict[str, "SpanScore"] = field(default_factory=dict)

    @property
    def precision(self) -> float:
        """Share of the predicted spans that are right; 0 if there is none."""
        return self.right / max(self.predicted, 1)

    @property
    def recall(self) -> float:
        """Share of the true spans that are found; 0 if there is none."""
        return self.right / max(self.true, 1)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, 2 PR / (P + R); 0 if nothing is right."""
        return 2 * self.right / max(self.predicted + self.true, 1)


def span_f1(
    predicted: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], *, strict: bool = True
) -> SpanScore:
    """Compare the spans of predicted BIO tags with the true ones, over all sentences together.

    A span counts as right if its start, its end and its kind are. An I- that goes on with nothing
    begins a span: the rule of CoNLL (Tjong Kim Sang and De Meulder, 2003), and seqeval's default.

    Parameters
    ----------
    predicted, gold : sequence of sequence of str
        BIO tags of each sentence.
    strict : bool
        Whether an I- that goes on with nothing is refused in `gold`.

    Returns
    -------
    SpanScore
        With `precision`, `recall`, `f1` and, for each kind, `by_kind`.

    Raises
    ------
    TypeError
        If a sentence is a string, or a tag is none.
    ValueError
        If the two differ in length, a tag is none of "O", "B-kind", "I-kind", or an I- in `gold`
        goes on with nothing.

    Examples
    --------
    >>> score = span_f1([["B-PER", "O", "B-LOC"]], [["B-PER", "I-PER", "B-LOC"]])
    >>> score.precision, score.recall, score.by_kind["PER"].f1
    (0.5, 0.5, 0.0)
    """
    checked_flag("strict", strict)
    found, wanted = _spans("predicted", predicted, False), _spans("gold", gold, strict)
    if len(predicted) != len(gold):
        raise ValueError(
            "predicted must hold the tags of as many sentences as gold, "
            f"got {len(predicted)} and {len(gold)}"
        )
    for k, (one, other) in enumerate(zip(predicted, gold, strict=True)):
        if len(one) != len(other):
            raise ValueError(
                f"predicted[{k}] must have a tag for each of gold[{k}]'s {len(other)}, "
                f"got {len(one)}"
            )

    def score(kinds: set[str]) -> SpanScore:
        P, T = ({s for s in spans if s[1].kind in kinds} for spans in (found, wanted))
        return SpanScore(len(P & T), len(P), len(T))

    kinds = {span.kind for _, span in found | wanted}
    by_kind = {kind: score({kind}) for kind in sorted(kinds)}
    return replace(score(kinds), by_kind=by_kind)


def _spans(name: str, sentences: Sequence, strict: bool) -> set[tuple[int, Span]]:
    """Spans of all sentences, each with the number of its sentence."""
    spans = set()
    for k, tags in enumerate(checked_type(name, sentences, Sequence, "a list of BIO tags")):
        try:
            spans |= {(k, span) for span in tags_to_spans(tags, strict=strict)}
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}[{k}]: {error}") from None
    return spans
