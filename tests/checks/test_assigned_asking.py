"""The visible checks of assignment A6, and its solutions beside the package and tokenizers."""

import pytest
import torch
import torch.nn.functional as F

import seqviz as sv
from seqviz import checks
from seqviz.nn.answer_spans import SpanLogits, best_spans
from tests.checks.solutions import solution
from tests.checks.styles import refuse


def test_log_probs_is_asked_for_batches():
    refuse(
        checks.pseudo_log_likelihood,
        lambda log_probs, ids, words, mask_id: log_probs(ids)[0],
        "takes ids (batch, time)",
    )


def test_mask_spans_gives_truth_values():
    counted = lambda words, draws, share: words * 0 + 2  # noqa: E731
    refuse(checks.mask_spans, counted, "True or False")


WORDS = ["doctor", "doctors", "signs", "unsigned", "snowballs", "x", "1998", "parliamentarian"]


def test_wordpiece_is_the_package_s_and_tokenizers():
    tokenizers = pytest.importorskip("tokenizers")
    english = [" ".join(pair.source) for pair in sv.data.load("en-fr").train[:400]]
    cut = sv.data.train_wordpiece(english, vocab_size=200)
    known = cut.vocabulary.tokens
    ids = {token: k for k, token in enumerate(known)}
    other = tokenizers.models.WordPiece(ids, unk_token="[UNK]")
    for word in WORDS:
        found = solution("wordpiece")(word, set(known))
        assert found == list(cut.encode(word).tokens[1:-1])
        assert found == [token.value for token in other.tokenize(word)]


def test_pseudo_log_likelihood_is_that_of_the_package_s_bert():
    torch.manual_seed(0)
    bert = sv.nn.BERT(12, 8, 2, 2, 16, 16, add_pooling_layer=False)
    net = sv.nn.BERTForMaskedLM(bert).double().eval()
    ids, words = torch.tensor([1, 5, 8, 9, 7, 2]), torch.tensor([-1, 0, 1, 1, 2, -1])
    with torch.no_grad():
        scores = solution("pseudo_log_likelihood")(
            lambda rows: net(rows).log_softmax(dim=-1), ids, words, 4
        )
        for t, gone in ((1, [1]), (2, [2, 3]), (3, [3]), (4, [4])):
            hidden = ids.index_fill(0, torch.tensor(gone), 4)
            loss = F.cross_entropy(net(hidden[None])[0, t], ids[t])
            torch.testing.assert_close(scores[t], -loss)
    assert scores[[0, 5]].tolist() == [0, 0]


def test_pack_is_the_package_s():
    pieces = sv.data.WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh"])
    first, second = "a b c", "d e f g h"
    row = pieces.encode(first, second)
    texts = [pieces.vocabulary.encode(text.split()).tolist() for text in (first, second)]
    ids, segments = solution("pack")(*texts, 64, pieces.cls_id, pieces.sep_id)
    batch = pieces.pad([row])
    assert ids == row.ids.tolist()
    assert segments == batch.token_type_ids[0].tolist()


def test_span_loss_is_autograd_through_torch_s_cross_entropy():
    made = torch.Generator().manual_seed(0)
    start, end = (torch.randn(3, 6, generator=made).double().requires_grad_() for _ in "se")
    allowed = torch.arange(6) != 2
    starts, ends = torch.tensor([0, 3, 4]), torch.tensor([0, 5, 4])
    masked = [z.masked_fill(~allowed, -torch.inf) for z in (start, end)]
    loss = sum(F.cross_entropy(z, true) for z, true in zip(masked, (starts, ends), strict=True)) / 2
    expected = (loss.detach(), *torch.autograd.grad(loss, (start, end)))
    given = (start.detach(), end.detach(), starts, ends, allowed.expand(3, 6))
    for got, want in zip(solution("span_loss")(*given), expected, strict=True):
        torch.testing.assert_close(got, want)


@pytest.mark.parametrize(("longest", "threshold"), [(9, 0.0), (2, 1.0), (1, -1.0)])
def test_best_span_is_that_of_the_package(longest, threshold):
    start, end = torch.randn(2, 20, 9, generator=torch.Generator().manual_seed(1))
    passage = (torch.arange(9) > 2) & (torch.arange(9) < 8)
    limits = {"max_length": longest, "threshold": threshold}
    spans = best_spans(SpanLogits(start, end), passage.expand(20, 9), **limits)
    for k, span in enumerate(spans):
        found = solution("best_span")(start[k], end[k], passage, longest, threshold)
        assert tuple(found) == span[:2]
