"""Machines to draw: what a view is told of a run, and all of its parts, made by Python alone."""

import re
from functools import cache

import torch

from seqviz import data, nn
from seqviz.graphs import exported
from seqviz.running.machine_calls import OfReaders
from seqviz.running.machines import MachineModel
from seqviz.running.tokenizing import reader_of

MOUSE = "one mouse lay near the oven . something [MASK] ."
JULIET = "JULIET : / O Romeo , Romeo ! wherefore art"
ANIMAL = "the animal was tired and did not cross the street"
TEXTS = {"bert": MOUSE, "gpt": JULIET, "translator": ANIMAL}


@cache
def model(name: str) -> MachineModel:
    """What runs a machine: "bert" of notebook 17, "gpt" of 16, a "translator" of chance."""
    torch.manual_seed(0)
    return {"bert": _bert, "gpt": _gpt, "translator": _translator}[name]()


@cache
def world(name: str, text: str = "", silent: tuple = ()) -> dict:
    """The facts of a run, and its parts by name as lists of floats.

    Heads that are `silent` are (attention, head).
    """
    one = model(name)
    run = one.run(text or TEXTS[name], silent)
    facts = {"title": "", "run": "0", "silent": [list(head) for head in silent], **one.facts(run)}
    facts["before"] = {"answers": one.answers(one.run(run.text, before=run))} if silent else None
    values = {f"0 {name}": run.values[name] for name in facts["shapes"]}
    weights = {f"w {name}": one for name, one in one.graph.weights.items()}
    parts = {name: one.float().flatten().tolist() for name, one in (values | weights).items()}
    return {"facts": facts, "parts": parts}


def _bert():
    lines = [paragraph.line for paragraph in data.load("facts").train]
    words = sorted({word for line in lines for word in line.split()})
    pieces = data.WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words])
    net = nn.BERTForMaskedLM(nn.BERT(len(pieces), 64, 2, 4, 128, 64, add_pooling_layer=False))
    saved, *_ = data.load_weights("facts_bert")
    start = "both sides."
    own = {name.removeprefix(start): w for name, w in saved.items() if name.startswith(start)}
    net.load_state_dict(own)
    graph = exported(net.eval(), (pieces.encode(MOUSE).ids[None],))
    return _read(graph, reader_of(pieces))


def _gpt():
    plays = data.load("shakespeare")
    words = re.findall(r"[\w'-]+|[^\w\s]", plays.train.replace("\n", " / "))
    weights, vocabulary, sizes = data.load_weights("shakespeare_gpt")
    net = nn.GPT(**sizes).eval()
    net.load_state_dict(weights)
    reader = reader_of((data.train_bpe([words], 1000), vocabulary))
    return _read(exported(net, (torch.tensor([reader.read(JULIET).ids]),)), reader)


def _translator():
    words = data.Vocabulary(["<pad>", "<start>", "<stop>", "<unk>", *sorted({*ANIMAL.split()})])
    size = len(words)
    net = nn.TransformerSeq2Seq(size, size, 16, 2, 2, 2, 32).eval()
    with torch.no_grad():  # heads that do not attend to all alike
        for weight in net.parameters():
            weight.mul_(4 if weight.dim() > 1 else 1)
    reader = reader_of(words)
    ids = reader.read(ANIMAL).ids
    graph = exported(net, (torch.tensor([ids]), torch.tensor([[1, *ids[:4]]])))
    inputs = dict(zip(graph.inputs, ("ids", "target"), strict=True))
    writing = {"start": [1], "stop": [2], "most": 8}
    return MachineModel(graph, OfReaders(inputs, (reader, reader), writing=writing))


def _read(graph, reader):
    inputs = {name: "ids" if name in graph.roles.ids else "mask" for name in graph.inputs}
    return MachineModel(graph, OfReaders(inputs, (reader, reader)))
