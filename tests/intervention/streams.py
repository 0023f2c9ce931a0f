"""Models with a stream, and the block whose output a hook by hand would change."""

from dataclasses import dataclass, field

import torch
from torch import nn

import seqviz as sv
from tests.recording.small_models import bart, bert, gpt2, llama, t5

IDS = torch.tensor([[5, 9, 3, 7, 4, 30], [8, 6, 11, 2, 12, 13]])
OTHER = torch.tensor([[17, 3, 3, 9, 21, 2], [1, 1, 14, 27, 8, 5]])
PAIR = {"decoder_input_ids": IDS[:, :4]}


class Words(nn.Module):
    """Words to a stream of blocks, and to words again."""

    def __init__(self, blocks, time_first=False, norm=None):
        super().__init__()
        self.words = nn.Embedding(40, 16)
        self.blocks = blocks
        self.norm = norm or nn.Identity()
        self.out = nn.Linear(16, 40)
        self.time_first = time_first

    def forward(self, ids):
        x = self.words(ids.T if self.time_first else ids)
        if isinstance(self.blocks, nn.ModuleList):
            for block in self.blocks:
                x = block(x)
        else:
            x = self.blocks(x)
        x = self.out(self.norm(x))
        return x.transpose(0, 1) if self.time_first else x


class Mix(nn.Module):
    """A block of one's own, without attention."""

    def __init__(self):
        super().__init__()
        self.over_time = nn.Conv1d(16, 16, 3, padding=1)
        self.each = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 16))

    def forward(self, x):
        x = x + self.over_time(x.mT).mT
        return x + self.each(x)


class Twice(nn.Module):
    """One block that is called twice."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Mix()])
        self.words, self.out = nn.Embedding(40, 16), nn.Linear(16, 40)

    def forward(self, ids):
        x = self.words(ids)
        for _ in range(2):
            x = self.blocks[0](x)
        return self.out(x)


class Numbered(nn.Module):
    """Blocks without a list."""

    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(40, 16), nn.Linear(16, 40)
        self.block1, self.block2, self.block3 = Mix(), Mix(), Mix()

    def forward(self, ids):
        return self.out(self.block3(self.block2(self.block1(self.words(ids)))))


class Embedded(nn.Module):
    """Ids as vectors with their positions."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(40, 16), nn.Embedding(9, 16)

    def forward(self, ids):
        return self.words(ids) + self.places.weight[: ids.shape[1]]


def encoder(batch_first):
    layer = nn.TransformerEncoderLayer(16, 4, 12, batch_first=batch_first)
    return Words(nn.TransformerEncoder(layer, 3, enable_nested_tensor=batch_first), not batch_first)


def ours():
    return Words(sv.nn.TransformerEncoder(sv.nn.TransformerEncoderLayer(16, 4, 12), 3), True)


def chain():
    return nn.Sequential(Embedded(), nn.Sequential(Mix(), Mix(), Mix()), nn.Linear(16, 40))


def flat():
    return nn.Sequential(Embedded(), nn.Dropout(), Mix(), Mix(), nn.LayerNorm(16))


def bert_of_words():
    return sv.nn.BERTForMaskedLM(sv.nn.BERT(40, 16, 3, 4, 12, 9))


def albert():
    import transformers

    sizes = {"vocab_size": 40, "hidden_size": 16, "intermediate_size": 8, "embedding_size": 8}
    return transformers.AlbertForMaskedLM(
        transformers.AlbertConfig(**sizes, num_hidden_layers=3, num_attention_heads=4)
    )


@dataclass
class Case:
    """A model, its list of blocks, and the place of the block after which is patched."""

    make: object
    stack: str
    block: str
    layer: object = 1
    blocks: int = 3
    more: dict = field(default_factory=dict)
    time: int = 1  # the axis of the stream


CASES = {
    "sv BERT": Case(bert_of_words, "bert.layers", "bert.layers.1"),
    "sv GPT": Case(lambda: sv.nn.GPT(40, 9, 16, 3, 4), "layers", "layers.1"),
    "sv encoder": Case(ours, "blocks.layers", "blocks.layers.1", time=0),
    "torch encoder": Case(lambda: encoder(True), "blocks.layers", "blocks.layers.1"),
    "torch, time first": Case(lambda: encoder(False), "blocks.layers", "blocks.layers.1", time=0),
    "BERT": Case(bert, "encoder.layer", "encoder.layer.1", blocks=2),
    "GPT-2": Case(gpt2, "transformer.h", "transformer.h.0", 0, 2),
    "Llama": Case(llama, "model.layers", "model.layers.0", 0, 2),
    "T5": Case(t5, "decoder.block", "decoder.block.0", "decoder.block.0", 2, PAIR),
    "T5, encoder": Case(t5, "encoder.block", "encoder.block.1", "encoder.block.1", 2, PAIR),
    "BART": Case(bart, "model.decoder.layers", "model.decoder.layers.1", 1, 2, PAIR),
    "own list": Case(lambda: Words(nn.ModuleList(Mix() for _ in range(3))), "blocks", "blocks.1"),
    "a list of LSTMs": Case(
        lambda: nn.Sequential(nn.Embedding(40, 16), Rnns()), "1.nets", "1.nets.1", 1, 2
    ),
    "own chain": Case(chain, "1", "1.1"),
    "one chain": Case(flat, "", "2", 0, 2),
    "numbered": Case(Numbered, "block*", "block2"),
}  # fmt: skip


class Rnns(nn.Module):
    """LSTMs in a list, one above the other."""

    def __init__(self):
        super().__init__()
        self.nets = nn.ModuleList(nn.LSTM(16, 16, batch_first=True) for _ in range(2))

    def forward(self, x):
        for net in self.nets:
            x = net(x)[0]
        return x


def run(model, ids, **more):
    """What a model says first."""
    takes_names = hasattr(model, "config")
    with torch.no_grad():
        result = model(input_ids=ids, **more) if takes_names else model(ids)
    return result if isinstance(result, torch.Tensor) else result[0]


def made(name):
    """A model in eval mode, the same each time."""
    torch.manual_seed(0)
    return CASES[name].make().eval()
