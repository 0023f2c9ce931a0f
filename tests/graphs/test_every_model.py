"""Every model of sv.nn, at four lengths: a graph gives here and in the page what torch gives."""

import inspect

import pytest
import torch
from torch import nn as torch_nn
from torch.utils._pytree import tree_leaves

from seqviz import nn
from seqviz.graphs import exported

pytestmark = pytest.mark.browser

LENGTHS = (1, 2, 7, 13)
CLOSE = {"atol": 2e-6, "rtol": 2e-6}
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


def bert(**more):
    return nn.BERT(12, **BERT, **more)


def gpt():
    return nn.GPT(12, 32, 8, 2, 2)


def encoder_layer():
    return nn.TransformerEncoderLayer(**LAYER)


def decoder_layer():
    return nn.TransformerDecoderLayer(**LAYER)


class OwnMask(torch_nn.TransformerEncoder):
    def forward(self, x):
        return super().forward(x, torch_nn.Transformer.generate_square_subsequent_mask(x.shape[1]))


class Relative(torch_nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True, relative=3)

    def forward(self, x):
        return self.attention(x, x, x)[0]


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
    "ConvBlock": lambda: nn.ConvBlock(8, 3),
    "DenseBlock": lambda: nn.DenseBlock(8, 4),
    "HighwayBlock": lambda: nn.HighwayBlock(8),
    "LSTM": lambda: nn.LSTM(8, 4, 2, batch_first=True, bidirectional=True),
    "LearnedPositions": lambda: nn.LearnedPositions(32, 8),
    "PlainBlock": lambda: nn.PlainBlock(8),
    "ResidualBlock": lambda: nn.ResidualBlock(8),
    "SinusoidalPositions": lambda: nn.SinusoidalPositions(32, 8),
    "TransformerEncoder": lambda: nn.TransformerEncoder(encoder_layer(), 2),
    "TransformerEncoderLayer": encoder_layer,
    "relative": Relative,
    "torch's own mask": lambda: OwnMask(torch_nn.TransformerEncoderLayer(**LAYER), 1),
}
OF_TWO = {
    "Transformer": lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True),
    "TransformerDecoder": lambda: nn.TransformerDecoder(decoder_layer(), 1),
    "TransformerDecoderLayer": decoder_layer,
}
PICTURES = floats(1, 1, 8, 8).abs()
OTHERS = {
    "ALBERT": (
        lambda: bert(share_layers=True, embedding_size=4),
        lambda n: (ids(n), torch.ones(1, n, dtype=torch.long)),
    ),
    "Attention": (lambda: nn.Attention(8, 8), lambda n: (floats(1, 8), states(n))),
    "CausalConv1d": (lambda: nn.CausalConv1d(8, 4, 3, dilation=2), lambda n: (states(n).mT,)),
    "GRU": (lambda: nn.GRU(8, 4, 2, reset="before"), lambda n: (states(n)[0],)),
    "MultiheadAttention": (
        lambda: nn.MultiheadAttention(8, 2, batch_first=True),
        lambda n: (states(n),) * 3,
    ),
    "QuestionAnswerer": (
        lambda: nn.QuestionAnswerer(8, 12, 3, 8, 8),
        lambda n: (states(n), ids(n)),
    ),
    "RNN": (lambda: nn.RNN(8, 4, bias=False, learn_h_0=True), lambda n: (states(n)[0],)),
    "Seq2Seq": (
        lambda: nn.Seq2Seq(12, 12, 8, 8, wiring="luong", cell="LSTM"),
        lambda n: (ids(n), target(n)),
    ),
    "TransformerSeq2Seq": (
        lambda: nn.TransformerSeq2Seq(12, 12, 8, 2, 1, 1, 16),
        lambda n: (ids(n + 1), target(n)),
    ),
    "torch's GRU": (lambda: torch_nn.GRU(8, 4), lambda n: (states(n)[0][:, None],)),
}
OF_ONE_SIZE = {  # pictures; Captioner decodes step by step, LayerMix takes a list
    "Captioner": (lambda: nn.Captioner(8, 12, 8, 8), states(5), target(3)),
    "ConvEncoder": (lambda: nn.ConvEncoder(1, (4, 4)), PICTURES),
    "GlimpseClassifier": (lambda: nn.GlimpseClassifier(8, 3), PICTURES[:, 0]),
    "GloVe": (lambda: nn.GloVe(12, 4), ids(3)[0], ids(3)[0], floats(3).exp()),
    "LayerMix": (lambda: nn.LayerMix(2), [states(5), states(5) + 1]),
    "PictureClassifier": (lambda: nn.PictureClassifier(nn.ConvEncoder(1, (4, 4)), 3), PICTURES),
    "RelativePositions": (lambda: nn.RelativePositions(3, 2, 4), floats(1, 2, 5, 4), 5),
    "SkipGram": (lambda: nn.SkipGram(12, 4), ids(3)[0], ids(3)[0], ids(6).view(3, 2)),
}
MODELS = {
    **{name: (make, lambda n: (ids(n),)) for name, make in OF_IDS.items()},
    **{name: (make, lambda n: (states(n),)) for name, make in OF_STATES.items()},
    **{name: (make, lambda n: (states(n + 1), states(n))) for name, make in OF_TWO.items()},
    **OTHERS,
    **{name: (make, lambda _, g=given: tuple(g)) for name, (make, *given) in OF_ONE_SIZE.items()},
}
NO_CLASS = {"ALBERT", "relative", "torch's GRU", "torch's own mask"}  # another way to use one
DRAWN = {"DRAW"}  # draws random numbers at each step
QUICK = NO_CLASS | {"BERTForMaskedLM", "GPT", "GRU", "LSTM", "PictureClassifier", "RNN"}
QUICK |= {"Transformer", "TransformerSeq2Seq"}  # each has what the others have not


def test_no_model_is_left_out():
    models = {
        name
        for name in nn.__all__
        if inspect.isclass(getattr(nn, name)) and issubclass(getattr(nn, name), torch_nn.Module)
    }
    assert models == {*MODELS} - NO_CLASS | DRAWN


def tensors(given):
    return [one for one in tree_leaves(given) if torch.is_tensor(one)]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in MODELS],
)
def test_a_graph_gives_here_and_in_the_page_what_the_model_gives(in_page, name):
    torch.manual_seed(0)
    make, given = MODELS[name]
    model = make()
    graph = exported(model, given(5), axes={"CausalConv1d": (2,)}.get(name))
    assert model.training
    model.eval()
    lengths = (5,) if name in OF_ONE_SIZE else LENGTHS
    assert name in OF_ONE_SIZE or not graph.lengths
    calls = [tensors(given(n)) for n in lengths]
    for n, call, (found, _) in zip(lengths, calls, in_page(graph, *calls), strict=True):
        with torch.no_grad():
            expected = tensors(model(*given(n)))
        torch.testing.assert_close(graph(*call), expected, **CLOSE, msg=f"{name} {n}")
        expected = [one.float() for one in expected]
        torch.testing.assert_close(found, expected, **CLOSE, msg=f"{name} {n} in the page")
