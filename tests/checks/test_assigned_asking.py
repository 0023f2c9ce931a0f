"""The visible checks of assignment A6, and its solutions beside the package and tokenizers."""

import pytest
import torch
import torch.nn.functional as F

import seqviz as sv
from seqviz import checks
from seqviz.nn.answer_spans import SpanLogits, best_spans
from tests.checks.assigned import Assignment
from tests.checks.styles import ODD, accept, refuse, refuse_odd, with_a_part

A6 = Assignment("A6")
OF_LISTS = ("wordpiece", "pack")  # these give texts and whole numbers, in no other style


@pytest.mark.parametrize("name", [name for name in A6.exercises if name not in OF_LISTS])
def test_solutions_pass_in_every_style(name):
    accept(getattr(checks, name), A6.solutions[name])


@pytest.mark.parametrize("name", OF_LISTS)
def test_solutions_pass(name):
    verdict = getattr(checks, name)(A6.solutions[name])
    assert verdict, verdict


@pytest.mark.parametrize("name", A6.exercises)
def test_what_is_no_answer_is_refused_in_words(name):
    refuse_odd(getattr(checks, name))


@pytest.mark.parametrize("name", ["pack", "span_loss", "best_span"])
def test_a_part_that_is_none_is_refused_in_words(name):
    for odd in ODD:
        for k in (0, 1):
            refuse_odd(getattr(checks, name), with_a_part(A6.solutions[name], k, odd))


@pytest.mark.parametrize(("name", "cause"), A6.right_ones())
def test_right_answers_pass(name, cause):
    verdict = getattr(checks, name)(A6.named(name, cause))
    assert verdict, verdict


@pytest.mark.parametrize(
    ("name", "cause", "words"),
    [
        ("wordpiece", "the shortest piece is taken", "not the shortest"),
        ("wordpiece", "the pieces inside come without their mark", "begin with ##"),
        ("wordpiece", "the word itself is given if it is not known", "not known as a whole"),
        ("wordpiece", "the pieces are joined to a text", "give a list"),
        ("wordpiece", "only the rest that does not fit is [UNK]", "one [UNK], as a whole"),
        (
            "wordpiece",
            "it goes back to shorter pieces until the word can be cut",
            "never goes back",
        ),
        ("mask_spans", "all draws are hidden, whatever the share", "when enough is hidden"),
        ("mask_spans", "a span has one word too many", "one word more"),
        ("mask_spans", "what stays is given", "what is hidden"),
        ("mask_spans", "only the first piece of a word is hidden", "only the first piece"),
        ("mask_spans", "special tokens are hidden too", "never hidden"),
        ("mask_spans", "a span that reaches over the end is left out", "over the end"),
        ("mask_spans", "the draws are used up", "changed its input draws"),
        ("pseudo_log_likelihood", "nothing is hidden", "each token sees itself"),
        ("pseudo_log_likelihood", "all tokens are hidden at once", "hidden at once"),
        ("pseudo_log_likelihood", "everything that follows is hidden", "to the end of the text"),
        ("pseudo_log_likelihood", "the sum is given back", "a score for each token"),
        ("pseudo_log_likelihood", "probabilities, not their logarithms", "take their log"),
        ("pseudo_log_likelihood", "special tokens are scored", "they get 0"),
        ("pseudo_log_likelihood", "each token is hidden alone", "give it away"),
        (
            "pseudo_log_likelihood",
            "the whole word is hidden, its earlier pieces too",
            "hide the later ones only",
        ),
        ("pack", "nothing is cut off", "nothing is cut off"),
        ("pack", "the row is cut, and with it the last [SEP]", "the last [SEP] is lost"),
        ("pack", "the first [SEP] is in segment 1", "belongs to segment 0"),
        ("pack", "there is no [SEP] at the end", "the last [SEP] is missing"),
        ("pack", "segments count from 1", "count from 0"),
        ("pack", "of two that are equally long the first loses", "the second loses"),
        ("pack", "the texts lose their first tokens", "the last ones must go"),
        ("pack", "a text alone gets a second [SEP]", "has one [SEP]"),
        ("pack", "the second text alone is cut", "not always the second"),
        (
            "pack",
            "the longer one is cut to what is left, in one go",
            "longer at that moment",
        ),
        ("pack", "the lists that are given lose their tokens", "changed its input first"),
        ("span_loss", "places that are not allowed take part", "not allowed still get"),
        ("span_loss", "the sum of start and end", "not their sum"),
        ("span_loss", "the 1 at the true place is not taken off", "not taken off"),
        ("span_loss", "the gradients point the other way", "turned round"),
        ("span_loss", "only the true place gets a gradient", "all scores move"),
        ("span_loss", "the minus of the loss is missing", "the minus is missing"),
        ("span_loss", "the sum over the texts", "a mean over the texts"),
        ("best_span", "start and end are chosen apart", "not chosen apart"),
        ("best_span", "the passage is not used", "inside the passage"),
        ("best_span", "there always is an answer", "no answer is never given"),
        ("best_span", "a pair may be one token too long", "counts the tokens"),
        ("best_span", "just the threshold is enough", "more than the threshold"),
        ("best_span", "the threshold has the wrong sign", "the wrong sign"),
        ("best_span", "the threshold is not used", "is not used"),
        ("pack", "two special tokens are counted, not three", "need room"),
        ("mask_spans", "special tokens count in the share", "do not count in the share"),
        ("mask_spans", "the draws are taken for places of tokens", "not of a token"),
        ("best_span", "of equal pairs the last counts", "the first counts"),
    ],
)
def test_slips_are_named(name, cause, words):
    verdict = getattr(checks, name)(A6.named(name, cause))
    assert not verdict
    assert words in verdict.message
    if name not in OF_LISTS and "changed its input" not in words:
        refuse(getattr(checks, name), A6.named(name, cause), words)


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
        found = A6.solutions["wordpiece"](word, set(known))
        assert found == list(cut.encode(word).tokens[1:-1])
        assert found == [token.value for token in other.tokenize(word)]


def test_pseudo_log_likelihood_is_that_of_the_package_s_bert():
    torch.manual_seed(0)
    bert = sv.nn.BERT(12, 8, 2, 2, 16, 16, add_pooling_layer=False)
    net = sv.nn.BERTForMaskedLM(bert).double().eval()
    ids, words = torch.tensor([1, 5, 8, 9, 7, 2]), torch.tensor([-1, 0, 1, 1, 2, -1])
    with torch.no_grad():
        scores = A6.solutions["pseudo_log_likelihood"](
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
    ids, segments = A6.solutions["pack"](*texts, 64, pieces.cls_id, pieces.sep_id)
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
    for got, want in zip(A6.solutions["span_loss"](*given), expected, strict=True):
        torch.testing.assert_close(got, want)


@pytest.mark.parametrize(("longest", "threshold"), [(9, 0.0), (2, 1.0), (1, -1.0)])
def test_best_span_is_that_of_the_package(longest, threshold):
    start, end = torch.randn(2, 20, 9, generator=torch.Generator().manual_seed(1))
    passage = (torch.arange(9) > 2) & (torch.arange(9) < 8)
    limits = {"max_length": longest, "threshold": threshold}
    spans = best_spans(SpanLogits(start, end), passage.expand(20, 9), **limits)
    for k, span in enumerate(spans):
        found = A6.solutions["best_span"](start[k], end[k], passage, longest, threshold)
        assert tuple(found) == span[:2]


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    A6.run_without_hidden_tests()
