"""The heads of BERT: transformers' logits and gradients, one matrix for words in and words out."""

import itertools
import math

import pytest
import torch
from torch.nn.functional import cross_entropy

from seqviz import nn
from seqviz.nn.answer_spans import SpanLogits
from tests.nn.saved_models import BERT, IDS, MASK, SEGMENTS, saved
from tests.refusing import refused

CLOSE = {"rtol": 0, "atol": 1e-5}
INPUTS = {"input_ids": IDS, "attention_mask": MASK, "token_type_ids": SEGMENTS}
NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
LABELS = torch.where(IDS % 3 == 0, IDS, -100)
RELATION = torch.tensor([0, 1, 1])
PRETRAINING = pytest.mark.parametrize("family", ["Bert", "Albert"])


def bert(**options):
    torch.manual_seed(0)
    return nn.BERT(**(BERT | options)).eval()


def of_words_and_relation(words, relation):
    return cross_entropy(words.flatten(0, 1), LABELS.flatten()) + cross_entropy(relation, RELATION)


@PRETRAINING
def test_gradients_of_pre_training_are_transformers(family, tmp_path):
    off = NO_DROPOUT | ({"classifier_dropout_prob": 0.0} if family == "Albert" else {})
    theirs = saved(tmp_path, f"{family}ForPreTraining", **off).train()
    ours = nn.BERTForPreTraining.from_pretrained(tmp_path).train()
    of_words_and_relation(*theirs(**INPUTS)[:2]).backward()
    of_words_and_relation(*ours(**INPUTS)).backward()
    for weight in theirs.parameters():  # the gradients as a model, by the same map of names
        weight.data = torch.zeros_like(weight) if weight.grad is None else weight.grad
    theirs.save_pretrained(tmp_path)
    expected = dict(nn.BERTForPreTraining.from_pretrained(tmp_path).named_parameters())
    assert any(weight.any() for weight in expected.values())
    for name, weight in ours.named_parameters():
        torch.testing.assert_close(weight.grad, expected[name].data, **CLOSE, msg=name)


def test_dropout_acts_where_it_acts_in_transformers(tmp_path):
    dropout = {"hidden_dropout_prob": 0.4, "attention_probs_dropout_prob": 0.3}
    theirs = saved(tmp_path, "BertForPreTraining", **dropout).train()
    theirs.set_attn_implementation("eager")
    ours = nn.BERTForPreTraining.from_pretrained(tmp_path).train()
    torch.manual_seed(1)
    expected = theirs(**INPUTS).to_tuple()
    torch.manual_seed(1)
    torch.testing.assert_close(tuple(ours(**INPUTS)), expected, **CLOSE)


@pytest.mark.parametrize("options", [{}, {"embedding_size": 10}], ids=["BERT", "factorised"])
def test_words_go_in_and_come_out_by_one_matrix(options):
    model = nn.BERTForMaskedLM(bert(**options))
    words = model.bert.embeddings.word_embeddings.weight
    assert model.predictions.dense.weight.shape == (words.shape[1], 24)
    assert not [name for name in model.state_dict() if "decoder" in name]
    logits = model(**INPUTS)
    assert logits.shape == (3, 7, 40)
    with torch.no_grad():
        words[25] += 1  # a token that no text has
    changed = (model(**INPUTS) != logits).any(dim=0).any(dim=0)
    assert changed.nonzero().tolist() == [[25]]
    model(**INPUTS)[..., 25].sum().backward()
    assert words.grad[25].any(), "out"
    assert words.grad[9].any(), "in"


@pytest.mark.parametrize("kind", ["BERTForSequenceClassification", "BERTForTokenClassification"])
def test_dropout_before_a_classifier(kind):
    model = getattr(nn, kind)(bert(hidden_dropout_prob=0.5), 2).eval()
    output = model.bert(**INPUTS)
    assert torch.equal(model.logits(output), model.logits(output))
    model.train()
    assert not torch.equal(model.logits(output), model.logits(output))


def test_a_new_head_starts_small():
    model = nn.BERTForSequenceClassification(bert(hidden_size=600), 100)
    assert model.classifier.weight.std().item() == pytest.approx(0.02, rel=0.05)
    assert not model.classifier.bias.any()


@pytest.mark.parametrize("longest", [1, 2, 4, 9])
@pytest.mark.parametrize("threshold", [-2, 0, 1.5])
def test_the_best_span_is_that_of_all_spans(longest, threshold):
    start, end = torch.randn(2, 20, 7, dtype=torch.float64)
    paragraph = torch.rand(20, 7) < 0.8
    paragraph[:, 0], paragraph[:, -1] = False, True
    spans = nn.BERTForQuestionAnswering.best_spans(
        SpanLogits(start, end), paragraph, max_length=longest, threshold=threshold
    )
    for row, span in enumerate(spans):
        allowed = paragraph[row].nonzero().flatten().tolist()
        scores = {
            (i, j): (start[row, i] + end[row, j]).item()
            for i, j in itertools.product(allowed, allowed)
            if i <= j < i + longest
        }
        best, null = max(scores, key=scores.get), (start[row, 0] + end[row, 0]).item()
        answer = best if scores[best] > null + threshold else (0, 0)
        assert (span.start, span.end) == answer
        assert (span.score, span.null_score) == pytest.approx((scores[best], null))


def test_no_answer_is_at_cls():
    start = torch.tensor([[2.0, 0.0, 1.0, 9.0]])
    end = torch.tensor([[2.0, 9.0, 1.5, 0.0]])
    paragraph = torch.tensor([[False, False, True, False]])
    best = nn.BERTForQuestionAnswering.best_spans
    assert best(SpanLogits(start, end), paragraph) == [(0, 0, 2.5, 4.0)]
    assert best(SpanLogits(start, end), paragraph, threshold=-2)[0][:2] == (2, 2)
    assert best(SpanLogits(start, end), paragraph, threshold=-1.5)[0][:2] == (0, 0), "not above"
    assert best(SpanLogits(start, end), paragraph, threshold=-math.inf)[0][:2] == (2, 2)


def test_what_does_not_fit():
    best, paragraph = nn.BERTForQuestionAnswering.best_spans, MASK.bool()
    paragraph[:, 0] = False
    logits, without = (
        SpanLogits(torch.zeros(3, 7), torch.zeros(3, 7)),
        bert(add_pooling_layer=False),
    )
    best(logits, paragraph)
    wrong = {
        r"shape of the logits \(3, 7\), got \(1, 7\)": lambda: best(logits, paragraph[:1]),
        r"not at the first, \[CLS\]": lambda: best(logits, MASK.bool()),
        "True at some tokens of each row": lambda: best(logits, SEGMENTS.bool()),
        "max_length must be at least 1": lambda: best(logits, paragraph, max_length=0),
        "bert must have a pooler.*add_pooling": lambda: nn.BERTForPreTraining(without),
    }
    refused(ValueError, wrong)
    wrong = {
        "logits must be what the model returned": lambda: best((1, 2), paragraph),
        r"tensor of truth values, got torch\.int64": lambda: best(logits, MASK),
        "bert must be a BERT of sv.nn, got 'Lin": lambda: nn.BERTForMaskedLM(torch.nn.Linear(2, 2)),
    }
    refused(TypeError, wrong)
