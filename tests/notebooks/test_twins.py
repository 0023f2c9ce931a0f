"""What a lecture writes by hand is what its study, or the package, has too."""

import random

import numpy as np
import pytest
import torch
from sacrebleu.metrics import BLEU
from torch.nn.utils.rnn import pack_sequence

import seqviz as sv
from tests.checks.solutions import of_lectures
from tests.notebooks.parts import Notebook, script


def alike(mine, theirs, *inputs):
    """Two modules of one form give the same, and the same gradients."""
    theirs.load_state_dict(mine.state_dict())
    for net in (mine, theirs):
        torch.manual_seed(2)  # of dropout
        net(*inputs).square().sum().backward()
    for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad)


def test_03_the_highway_layer():
    names = Notebook("03_vanishing_gradients").defined("class Highway")
    alike(names["Highway"](5), sv.nn.HighwayBlock(5), torch.randn(4, 5))


def test_05_the_reader_and_its_spans():
    names = Notebook("05_deep_bidirectional").defined("def reverse", "class Reader", "def spans")
    study, tagging = script("05_terribly"), script("05_tagging")
    ids, lengths = torch.randint(9, (6, 3)), torch.tensor([6, 2, 4])
    for ways in ("forward", "backward", "forward + backward", "both"):
        readers = (names["Reader"](ways, 9, 5, 2), study.Reader(ways, 9, 5, 2))
        alike(*readers, ids, lengths)
    draw = random.Random(0)
    for _ in range(100):
        tags = draw.choices(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"], k=draw.randint(1, 7))
        assert names["spans"](tags) == tagging.spans(tags), tags
    assert sv.checks.bio_names(tagging.loose_spans)  # the rule of exercise 3


def test_07_the_parts_of_bleu_are_sacrebleus():
    hypothesis = "the law was signed by the minister"
    references = ["the law was signed in august", "it was by the minister"]
    words = hypothesis.split(), [text.split() for text in references]
    precisions, brevity = of_lectures()["bleu_parts"](*words)
    score = BLEU(tokenize="none", force=True, smooth_method="none").corpus_score(
        [hypothesis], [[text] for text in references]
    )
    assert score.precisions == pytest.approx([100 * p for p in precisions])
    assert score.bp == pytest.approx(brevity)


def test_11_the_score_of_a_line_that_repeats_is_the_studys():
    study, score = script("11_heads"), of_lectures()["induction_score"]
    for period in (4, 9, 12):
        alpha = torch.rand(1, 1, study.LENGTH, study.LENGTH).double().softmax(-1)
        alpha[..., 0] = 0  # nothing stands before it; the study does not look at that
        _, theirs = study.head_scores(alpha, torch.tensor([[period]]))
        mine = score(alpha[0, 0], torch.arange(study.LENGTH) % period)
        torch.testing.assert_close(mine, theirs[0])


def test_12_the_layer_of_the_exercise_is_the_librarys_without_its_norms():
    """Word by word with a cache, it says what sv.nn's layer says of all words at once."""
    torch.manual_seed(0)
    layer = sv.nn.TransformerDecoderLayer(6, 1, 9, 0.0, norm_first=True, bias=False).double()
    layer.norm1 = layer.norm2 = layer.norm3 = torch.nn.Identity()
    own, cross = layer.self_attn, layer.multihead_attn
    (Q, K, V), (C, *source) = (x.in_proj_weight.detach().chunk(3) for x in (own, cross))
    for attention in (own, cross):
        attention.out_proj.weight.data = torch.eye(6).double()
    weights = [W.T.detach() for W in (Q, K, V, C, layer.linear1.weight, layer.linear2.weight)]
    text, memory = (torch.randn(n, 6).double() for n in (5, 3))
    whole = layer(text, memory, tgt_mask=sv.nn.causal_mask(5))
    past, kept = (text[:0], text[:0]), [memory @ W.T for W in source]
    for x, right in zip(text, whole, strict=True):
        y, *past = of_lectures()["next_word"](x, past, kept, weights)
        torch.testing.assert_close(y, right)


def test_15a_the_slanted_triangle():
    mine = Notebook("15a_contextual_transfer").defined("def slanted(step")["slanted"]
    for steps in (10, 60, 250):
        theirs = [script("15a_transfer").slanted(step, steps) for step in range(steps + 1)]
        np.testing.assert_allclose([mine(step, steps) for step in range(steps + 1)], theirs)


def test_15b_features_tagger_and_scores():
    study, notebook = script("15b_arguments"), Notebook("15b_arguments_and_tasks")
    cells = ("def structural(words)", "ENDINGS = (", "class Tagger(nn.Module)", "def spans(tags)")
    names = notebook.defined(*cells, "def scores(predicted, gold)", MARKS=study.MARKS)
    for paragraph in sv.data.load("arguments").val[:6]:
        for features in ("structural", "lexical"):
            mine, theirs = names[features](paragraph.words), getattr(study, features)
            assert torch.equal(mine, theirs(paragraph.words))
    mine, theirs = (make(5, 7, 3).eval() for make in (names["Tagger"], study.Tagger))
    mine.load_state_dict(theirs.state_dict())
    texts = [torch.randn(n, 5) for n in (4, 9, 1)]
    order = pack_sequence([torch.full((len(x),), k) for k, x in enumerate(texts)], False).data
    for task in range(2):
        together = mine(texts, task)
        torch.testing.assert_close(together, theirs(texts, task))
        for k, x in enumerate(texts):  # beside others as alone
            torch.testing.assert_close(together[order == k], mine([x], task))
    draw, tags = random.Random(1), ["O", *(f"{a}-{b}" for a in "BI" for b in ("THE", "PRO"))]
    for _ in range(100):
        sizes = [draw.randrange(1, 9) for _ in range(3)]
        gold, guess = ([draw.choices(tags, k=n) for n in sizes] for _ in range(2))
        score = sv.metrics.span_f1(guess, gold, strict=False)
        wanted = score.precision, score.recall, score.f1
        assert names["scores"](guess, gold) == pytest.approx(wanted, abs=1e-12)


def test_18_the_class_and_its_batches():
    cells = "def masked_mean(", "def padded(", "class OverMean"
    names = Notebook("18_bert_finetuning").defined(*cells)
    study = script("18_finetuning")
    ids = torch.tensor([[5, 9, 3, 7, 4, 2], [8, 6, 11, 2, 0, 0], [30, 1, 2, 0, 0, 0]])
    nets = (
        make(sv.nn.BERT(40, 24, 3, 4, 20, 16), 2) for make in (names["OverMean"], study.OverMean)
    )
    alike(*nets, ids, (ids != 0).long())
    draw = random.Random(0)
    for _ in range(50):
        lengths = [draw.randint(2, 300) for _ in range(draw.randint(1, 40))]
        places = draw.randint(8, 400)
        texts = [sv.data.Encoded(torch.zeros(n).long(), (), None, None) for n in lengths]
        batches = names["by_length"](texts, places)
        assert study.by_length(texts, places) == batches
        assert sorted(k for batch in batches for k in batch) == [*range(len(texts))]
        for batch in batches:
            longest = max(lengths[k] for k in batch)
            assert len(batch) * (longest + -longest % 8) <= places or len(batch) == 1
