"""Every model of sv.nn, at four lengths, in the page's interpreter: the numbers of torch."""

import inspect

import pytest
import torch
from torch import nn as torch_nn
from torch.utils._pytree import tree_leaves

from seqviz import nn
from seqviz.graphs import exported

LENGTHS = (1, 2, 7, 13)
BERT = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
LAYER = {"d_model": 8, "nhead": 2, "dim_feedforward": 16, "batch_first": True}


def ids(length):
    return torch.arange(3, 3 + length)[None] % 8 + 3


def floats(*shape):
    return torch.linspace(-1, 1, torch.Size(shape).numel()).sin().reshape(shape)


def states(length):
    return floats(1, length, 8)


def target(length):
    return torch.cat([torch.ones(1, 1, dtype=torch.long), ids(length)], dim=1)


def bert():
    return nn.BERT(12, **BERT)


def gpt():
    return nn.GPT(12, 32, 8, 2, 2)


def encoder_layer():
    return nn.TransformerEncoderLayer(**LAYER)


def decoder_layer():
    return nn.TransformerDecoderLayer(**LAYER)


OF_IDS = {
    "BERT": bert,
    "BERTForMaskedLM": lambda: nn.BERTForMaskedLM(bert()),
    "BERTForPreTraining": lambda: nn.BERTForPreTraining(bert()),
    "BERTForQuestionAnswering": lambda: nn.BERTForQuestionAnswering(bert()),
    "BERTForSequenceClassification": lambda: nn.BERTForSequenceClassification(bert(), 3),
    "BERTForTokenClassification": lambda: nn.BERTForTokenClassification(bert(), 3),
    "BiLM": lambda: nn.BiLM(12, 8),
    "GPT": gpt,
    "GPTForSequenceClassification": lambda: nn.GPTForSequenceClassification(gpt(), 3),
    "LanguageModel": lambda: nn.LanguageModel(12, 8, learn_h_0=True),
}
OF_STATES = {
    "ConvBlock": (lambda: nn.ConvBlock(8, 3), states),
    "DenseBlock": (lambda: nn.DenseBlock(8, 4), states),
    "GRU": (lambda: nn.GRU(8, 4, 2, batch_first=True, reset="before"), states),
    "HighwayBlock": (lambda: nn.HighwayBlock(8), states),
    "LSTM": (lambda: nn.LSTM(8, 4, batch_first=True, bidirectional=True), states),
    "LearnedPositions": (lambda: nn.LearnedPositions(32, 8), states),
    "PlainBlock": (lambda: nn.PlainBlock(8), states),
    "RNN": (lambda: nn.RNN(8, 4, nonlinearity="relu", batch_first=True), states),
    "ResidualBlock": (lambda: nn.ResidualBlock(8), states),
    "SinusoidalPositions": (lambda: nn.SinusoidalPositions(32, 8), states),
    "TransformerEncoder": (lambda: nn.TransformerEncoder(encoder_layer(), 2), states),
    "TransformerEncoderLayer": (encoder_layer, states),
}
PICTURES = floats(1, 1, 8, 8).abs()
OTHERS = {
    "Attention": (lambda: nn.Attention(8, 8), lambda n: (floats(1, 8), states(n))),
    "CausalConv1d": (lambda: nn.CausalConv1d(8, 4, 3, dilation=2), lambda n: (states(n).mT,)),
    "MultiheadAttention": (
        lambda: nn.MultiheadAttention(8, 2, batch_first=True),
        lambda n: (states(n),) * 3,
    ),
    "Captioner": (lambda: nn.Captioner(8, 12, 8, 8), lambda n: (states(n), target(3))),
    "ConvEncoder": (lambda: nn.ConvEncoder(1, (4, 4)), lambda _: (PICTURES,)),
    "GlimpseClassifier": (lambda: nn.GlimpseClassifier(8, 3), lambda _: (PICTURES[:, 0],)),
    "GloVe": (lambda: nn.GloVe(12, 4), lambda _: (ids(3)[0], ids(3)[0], floats(3).exp())),
    "LayerMix": (lambda: nn.LayerMix(2), lambda n: ([states(n), states(n) + 1],)),
    "PictureClassifier": (
        lambda: nn.PictureClassifier(nn.ConvEncoder(1, (4, 4)), 3),
        lambda _: (PICTURES,),
    ),
    "QuestionAnswerer": (
        lambda: nn.QuestionAnswerer(8, 12, 3, 8, 8),
        lambda n: (states(n), ids(n)),
    ),
    "RelativePositions": (
        lambda: nn.RelativePositions(3, 2, 4),
        lambda _: (floats(1, 2, 5, 4), 5),
    ),
    "Seq2Seq": (
        lambda: nn.Seq2Seq(12, 12, 8, 8, wiring="luong", cell="LSTM"),
        lambda n: (ids(n), target(n)),
    ),
    "SkipGram": (lambda: nn.SkipGram(12, 4), lambda _: (ids(3)[0], ids(3)[0], ids(6).view(3, 2))),
    "Transformer": (
        lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True),
        lambda n: (states(n + 1), states(n)),
    ),
    "TransformerDecoder": (
        lambda: nn.TransformerDecoder(decoder_layer(), 1),
        lambda n: (states(n + 1), states(n)),
    ),
    "TransformerDecoderLayer": (decoder_layer, lambda n: (states(n + 1), states(n))),
    "TransformerSeq2Seq": (
        lambda: nn.TransformerSeq2Seq(12, 12, 8, 2, 1, 1, 16),
        lambda n: (ids(n + 1), target(n)),
    ),
}
DRAWN = {"DRAW"}  # draws random numbers at each step
MODELS = {
    **{name: (make, lambda n: (ids(n),)) for name, make in OF_IDS.items()},
    **{name: (make, lambda n, of=of: (of(n),)) for name, (make, of) in OF_STATES.items()},
    **OTHERS,
}
# Pictures have one size; Captioner decodes step by step, LayerMix takes a list.
OF_ONE_SIZE = {
    "Captioner",
    "LayerMix",
    "ConvEncoder",
    "GlimpseClassifier",
    "GloVe",
    "PictureClassifier",
    "RelativePositions",
    "SkipGram",
}


def test_no_model_is_left_out():
    models = {
        name
        for name in nn.__all__
        if inspect.isclass(getattr(nn, name)) and issubclass(getattr(nn, name), torch_nn.Module)
    }
    assert models == {*MODELS, *DRAWN}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_a_model_runs_in_the_page_as_in_torch(in_page, name):
    torch.manual_seed(0)
    make, given = MODELS[name]
    model = make().eval()
    axes = {"CausalConv1d": (2,)}.get(name)
    graph = exported(model, given(5), axes=axes)
    lengths = (5,) if name in OF_ONE_SIZE else LENGTHS
    assert name in OF_ONE_SIZE or not graph.lengths
    calls = [[one for one in tree_leaves(given(n)) if torch.is_tensor(one)] for n in lengths]
    for n, (found, _) in zip(lengths, in_page(graph, *calls), strict=True):
        with torch.no_grad():
            expected = [one for one in tree_leaves(model(*given(n))) if torch.is_tensor(one)]
        for one, other in zip(found, expected, strict=True):
            torch.testing.assert_close(one, other.float(), atol=1e-5, rtol=1e-5, msg=f"{name} {n}")
