"""Calls with bad input: each is refused before anything changes, by argument and with the fix."""

import sys
from functools import partial

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz.recording import NamedArray, Record
from tests.refusing import refused

NAN, META = float("nan"), {"device": "meta"}
IDS = torch.tensor([0, 1, 2, 2, 3])
LOGITS = torch.zeros(5, 4)
LETTERS = sv.data.Vocabulary("helo")
WORDS = sv.data.sentence_vocabulary([["a", "b"]])
PAIR = sv.data.Pair(("a",), ("b",))
X = torch.zeros(3, 2, 4)  # (time, batch, d_model)
TIMES = NamedArray(np.zeros((5, 2)), ("time", "unit"))


def step(ids, state):
    return torch.zeros(len(ids), 4), state


def gives(result):
    return lambda ids, state: result


def steps(decode, **options):
    return lambda given=step, prompt=(0,), length=2: decode(given, list(prompt), length, **options)


def fit(**options):
    model = torch.nn.Linear(2, 1)
    given = {"batches": [torch.ones(1, 2)], "steps": 1, "progress": False} | options
    return lambda: sv.training.fit(model, lambda m, x: m(x).sum(), **given)


def perplexity(logits=LOGITS, targets=IDS, **options):
    return lambda: sv.metrics.perplexity(logits, targets, **options)


def traces(**options):
    model = sv.nn.LSTM(3, 4)
    with sv.record(model) as rec:
        model(torch.zeros(5, 1, 3))
    return lambda: rec.traces(**options)


def recorded(model, **options):
    def call():
        with sv.record(model, **options):
            pass

    return call


TRANSLATOR = sv.nn.Seq2Seq(5, 5, 4, 4)
READER = sv.nn.BERT(9, 4, 1, 1, 4, 6)  # 9 tokens, 6 positions


def explored(model=READER, tokenizer=LETTERS, text="hello", pair=None, **options):
    return lambda: sv.explore(model, tokenizer, text, pair, **options)


def prepared(result, **options):
    return explored(tokenizer=None, inputs=lambda text: result, **options)


FLAG = r"must be True or False, got .*: write \w+=True or \w+=False"
NUMBERS = "must hold numbers, .*on the meta device"
FLAGS = {
    "bias": lambda flag: sv.nn.LSTM(3, 4, bias=flag),
    "batch_first": lambda flag: sv.nn.MultiheadAttention(4, 2, batch_first=flag),
    "bidirectional": lambda flag: sv.nn.Seq2Seq(5, 5, 4, 4, bidirectional=flag),
    "learn_h_0": lambda flag: sv.nn.LanguageModel(4, 3, learn_h_0=flag),
    "need_weights": lambda flag: sv.nn.MultiheadAttention(4, 2)(X, X, X, need_weights=flag),
    "progress": lambda flag: fit(progress=flag)(),
}
COUNTS = {
    "num_layers": lambda count: sv.nn.LSTM(3, 4, count),
    "attention_dim": lambda count: sv.nn.Seq2Seq(5, 5, 4, 4, attention_dim=count),
    "num_heads": lambda count: sv.nn.MultiheadAttention(4, count),
    "vocab_size": lambda count: sv.nn.LanguageModel(count, 3),
    "growth": lambda count: sv.nn.DenseBlock(3, count),
    "steps": lambda count: fit(steps=count)(),
    "stop": lambda count: sv.decoding.greedy(step, [0], 2, stop=count),
    "width": lambda count: sv.decoding.beam(step, [0], 2, width=count),
    "ignore_index": lambda count: sv.metrics.perplexity(LOGITS, IDS, ignore_index=count),
    "least": lambda count: sv.data.sentence_vocabulary([["a"]], least=count),
    "batch_size": lambda count: sv.data.windows(IDS, 2, batch_size=count),
    "delay": lambda count: sv.data.echo(9, batch=1, delay=count),
    "threads": lambda count: sv.setup(threads=count),
    "call": lambda count: traces(call=count)(),
}
OTHER = [  # the call, the argument that its message names, and what else it says
    (lambda: sv.nn.LSTM(3, 4, 1, 0.5), "bias", f"{FLAG}, and another argument with its name"),
    (lambda: sv.nn.RNN(3, 4, nonlinearity=["tanh"]), "nonlinearity", "'relu'.*give one name"),
    (lambda: sv.nn.LanguageModel(4, 3)(IDS.to("meta")), "ids", NUMBERS),
    (lambda: TRANSLATOR.encode(IDS[None].to("meta")), "source", NUMBERS),
    (lambda: sv.nn.LSTM(3, 4)(torch.zeros(5, 1, 3, **META)), "input", r"use input.to\('cpu'\)"),
    (
        lambda: sv.nn.LSTM(3, 4)(torch.zeros(5, 1, 3), lengths=IDS[:1].to("meta")),
        "lengths",
        "numbers",
    ),
    (
        lambda: sv.nn.Attention(3, 3)(torch.zeros(1, 3, **META), torch.zeros(1, 5, 3)),
        "query",
        r"use query.to\('cpu'\)",
    ),
    (
        lambda: sv.nn.Attention(3, 3)(torch.zeros(1, 3), torch.zeros(1, 5, 3), projected=5),
        "projected",
        r"score.project\(keys\)",
    ),
    (fit(optimizer={}), "optimizer", r"torch.optim.SGD\(model.parameters\(\)"),
    (
        fit(optimizer=torch.optim.SGD(torch.nn.Linear(2, 1).parameters(), 0.1)),
        "optimizer",
        "2 of its 2 are not among them: make it with model.parameters",
    ),
    (
        lambda: sv.training.fit(torch.nn.Tanh(), print, [IDS], 1),
        "model",
        "parameters that require a gradient",
    ),
    (
        lambda: sv.training.fit(torch.nn.Linear(2, 1, **META), print, [IDS], 1),
        "model",
        "weight is on the meta device.*to_empty",
    ),
    (perplexity(LOGITS + np.inf), "logits", "finite maximum.*lower its lr"),
    (perplexity(LOGITS.to("meta")), "logits", NUMBERS),
    (perplexity(LOGITS[:, :0]), "logits", "vocabulary"),
    (steps(sv.decoding.greedy, stop=2**64), "stop", r"at most 2\*\*63 - 1"),
    (steps(sv.decoding.greedy, stop=-1), "stop", "at least 0"),
    (steps(sv.decoding.sample, generator=5), "generator", "torch.Generator"),
    (steps(sv.decoding.beam, select=5), "select", r"select\(state, rows\)"),
    (lambda: sv.data.load(["hello"]), "name", "'shakespeare'.*give one name"),
    (lambda: sv.data.Vocabulary([]), "tokens", "at least one token"),
    (lambda: sv.data.sentence_vocabulary([]), "sentences", "lower least, or give more"),
    (lambda: sv.data.sentence_vocabulary([5]), "sentences", "a list of words"),
    (lambda: LETTERS.decode([torch.tensor(2.9)]), "ids", "integers"),
    (lambda: sv.data.encode_sentence(LETTERS.tokens, ["a"]), "vocabulary", "sentence_vocabulary"),
    (lambda: sv.data.encode_sentence(WORDS, "a b"), "words", r"use text.split\(\)"),
    (lambda: sv.data.pair_batches([PAIR], "ab", WORDS, 1), "source", "sentence_vocabulary"),
    (lambda: sv.data.pair_batches(["a"], WORDS, WORDS, 1), "pairs", r"sv\.data\.Pair"),
    (lambda: sv.data.Pair("ab", ("c",)), "source", r"use tuple\("),
    (lambda: sv.data.Pair(("a",), ("c",), {(0, 0)}), "sure", "a frozenset"),
    (lambda: sv.data.counter(3, 1, glitch=NAN), "glitch", "between 0 and 1"),
    (lambda: TIMES.at(time=torch.tensor(2.9)), "time", "a number below 5"),
    (lambda: NamedArray([1, 2], ("time",)), "values", "a NumPy array"),
    (lambda: NamedArray(np.zeros(2), ["time"]), "dims", "a tuple"),
    (lambda: Record.load(True), "path", "path of a file"),
    (lambda: Record({}, {}).save(5), "path", "path of a file"),
    (traces(path=["lstm"]), "path", "give one name"),
    (recorded(sv.nn.LSTM(3, 4, **META)), "model", "weight_ih_l0 is on the meta device.*to_empty"),
    (recorded(sv.nn.LSTM(3, 4), keep=[["hidden"]]), "keep", "'hidden'"),
    (explored(text=None), "text", "missing: write explore"),
    (explored(answers="yes"), "answers", "'yes'"),
    (explored(second="hex"), "second", "what is not in the vocabulary: 'x'"),
    (explored(TRANSLATOR, target=5), "target", "must be a text, got 5"),
    (explored(tokenizer=None), "tokenizer", "missing.*behind the model; or give inputs="),
    (explored(tokenizer="bert"), "tokenizer", "came 'bert': load a tokenizer by its name"),
    (explored(tokenizer=(LETTERS, WORDS)), "tokenizer", "came tuple"),
    (explored(tokenizer=sv.data.train_bpe([["a"]], 1)), "tokenizer", r"\(pieces, vocabulary\)"),
    (explored(tokenizer=sv.data.Vocabulary("helo123456")), "tokenizer", "10 tokens.*9 rows"),
    (explored(LETTERS, READER), "model", r"is a tokenizer: write explore\(model, tokenizer, text"),
    (explored("bert"), "model", "torch.nn.Module, or a function of a text; came str"),
    (explored(sv.nn.BERT), "model", r"make one, BERT\("),
    (explored(sv.nn.Transformer(8, 2, 1, 1)), "model", "takes src, tgt.*give inputs="),
    (explored(TRANSLATOR, pair="he", target="he"), "text_pair", "leave it out"),
    (explored(print), "tokenizer", "a function of a text returns weights and tokens itself"),
    (explored(print, None, layers=[0]), "layers", "a function of a text returns"),
    (explored(layers=3), "layers", r"such as \[0, 3\], got 3"),
    (explored(layers=[]), "layers", "got none: leave it out for all"),
    (explored(laier=1), "control", "'laier'; did you mean 'layer'"),
    (explored(inputs=5), "inputs", "a function of a text, came int"),
    (prepared(IDS[None], pair="he"), "text_pair", "leave it out"),
    (prepared(IDS[None]), "inputs", r"must return \(arguments, tokens\).*came Tensor"),
    (prepared(("hello", "hello")), "inputs", "came str as arguments"),
    (prepared((IDS[None], {"queries": "hello"})), "inputs", "'queries'"),
    (lambda: sv.ask("?", ["a", "b"], "a", 5), "because", "text"),
    (lambda: sv.ask("?", ["a", "b"], "a", "b", ["b"]), "wrong", "a dict"),
]
PICTURES = torch.rand(2, 5, 3)  # regions
BIG, PAST = 10**400, 10**9
NET = sv.nn.Transformer(4, 2, 1, 1, 4)
LAYER = NET.encoder.layers[0]
GPT = sv.nn.GPT(9, 6, 4, 1, 1)
TEXTS, TASK = torch.tensor([[1, 2, 3], [2, 3, 4]]), sv.nn.GPTForSequenceClassification(GPT, 2)
LETTER_MODEL, CAPTIONS = sv.nn.LanguageModel(9, 4), sv.nn.Captioner(3, 7, 4, 4)
FOREIGN = LETTER_MODEL.step(TEXTS[:, 0])[1]
HOSTILE = {  # by kind: the argument, and a call that cannot be meant
    "limits": [
        ("texts", lambda: sv.data.train_wordpiece(["ab" * 300000], 30)),
        ("sentences", lambda: sv.data.train_bpe([["ab" * 300000]], 30)),
        ("vocab_size", lambda: sv.data.train_wordpiece(["ab"], PAST)),
        ("batch", lambda: sv.data.adding(10**5, 10**5)),
        ("length", lambda: sv.data.counter(PAST, 1)),
        ("num_layers", lambda: sv.nn.BiLM(9, 4, 10**5000)),
        ("num_encoder_layers", lambda: sv.nn.Transformer(4, 2, 10**12)),
        ("size", lambda: sv.nn.causal_mask(10**6)),
        ("hidden_size", lambda: sv.nn.GRU(3, 10**6)),
        ("max_distance", lambda: sv.nn.RelativePositions(10**12, 2, 4)),
        ("length", lambda: sv.decoding.greedy(step, [0], 10**12)),
    ],
    "numbers": [
        ("prompt", lambda: sv.decoding.greedy(step, torch.tensor([1j]), 2)),
        ("prompt", lambda: sv.decoding.greedy(step, [BIG], 2)),
        ("dropout", lambda: sv.nn.Captioner(3, 7, 4, 4, dropout=NAN)),
        ("layer_norm_eps", lambda: sv.nn.BERT(9, 4, 1, 1, layer_norm_eps=np.inf)),
        ("labels", lambda: TASK.loss(TEXTS, torch.tensor([0.0, 1.0]))),
        ("labels", lambda: TASK.loss(TEXTS, torch.tensor([0, 7]))),
        ("label", lambda: sv.data.Review(("a",), 0, NAN, 0)),
        ("logits", lambda: sv.decoding.with_temperature(torch.tensor([[np.inf, 1, 2]]), 1.0)),
        ("logits", lambda: sv.decoding.nucleus(torch.tensor([[NAN, 1]]), 0.5)),
        ("lr", fit(lr=BIG)),
        ("tgt_mask", lambda: NET(X, X, tgt_mask=torch.full((3, 3), NAN))),
    ],
    "flags": [
        ("strict", lambda: sv.metrics.span_f1([["O"]], [["O"]], strict="no")),
        ("is_causal", lambda: LAYER(X, is_causal="no")),
    ],
    "kinds": [
        ("norm", lambda: sv.nn.TransformerEncoder(LAYER, 1, norm="x")),
        ("device", lambda: sv.nn.GRU(3, 4, device="gpu")),
        ("name_or_folder", lambda: sv.nn.GPT.from_pretrained("a" * 5000)),
        ("path", lambda: sv.data.WordPiece.from_vocab(sys.executable)),
        ("path", lambda: sv.data.WordPiece.from_vocab("")),
        ("state", lambda: GPT.step(TEXTS[:, 0], FOREIGN)),
        ("state", lambda: LETTER_MODEL.step(TEXTS[:, 0], GPT.step(TEXTS[:, 0])[1])),
        ("rows", lambda: LETTER_MODEL.select(FOREIGN, 5)),
        ("lengths", lambda: sv.nn.BiLM(9, 4, 1).loss(TEXTS, [3.0, 2.0])),
        ("x", lambda: sv.nn.ResidualBlock(4)(X[..., :3])),
        ("notes", lambda: sv.data.notes_to_events(5)),
        ("notes", lambda: sv.data.sound([(60, 0)])),
        ("scenes", lambda: sv.data.pictures_of([])),
        ("line", lambda: sv.data.Argued.from_line(5)),
        ("pieces", lambda: sv.data.WordPiece(["\ud800", *"ab"])),
        ("node", lambda: sv.decoding.beam(step, [0], 1).path(99)),
        ("model", explored(torch.nn.Linear(3, 3))),
    ],
    "the caller's names": [
        ("captions", lambda: CAPTIONS(PICTURES, TEXTS.float())),
        ("src_mask", lambda: LAYER(X, src_mask="x")),
        ("num_encoder_layers", lambda: sv.nn.Transformer(4, 2, 0)),
        ("relative", lambda: sv.nn.MultiheadAttention(4, 2, relative="x")),
        ("pieces", lambda: sv.data.WordPiece(["a", "a"])),
    ],
}
WRONG_STEPS = [
    (None, r"return two things, .*got NoneType: end it with `return logits, state`"),
    (torch.zeros(2, 4), r"return two things.*got a tensor \(2, 4\)"),
    (([[0.0, 1.0]], None), "logits as a float tensor .*got 1 things"),
    ((torch.zeros(1, 0), None), "logits of at least one token"),
    ((torch.zeros(1, 4, **META), None), NUMBERS),
]


ERRORS = TypeError, ValueError


def test_it_names_the_argument_and_the_fix():
    for call, argument, says in OTHER:
        refused(ERRORS, {rf"\b{argument}\b.*{says}": call})


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_cannot_be_meant_is_refused_by_the_callers_name(kind):
    for argument, call in HOSTILE[kind]:
        refused(ERRORS, {rf"\b{argument}\b": call})


def test_only_true_and_false_are_truth_values():
    calls = {rf"\b{name}\b.*{FLAG}": partial(call, "False") for name, call in FLAGS.items()}
    refused(TypeError, calls)


def test_a_count_is_an_integer():
    wanted = "must be (an integer|a number below)"
    refused(ERRORS, {rf"\b{name}\b.*{wanted}": partial(call, 2.0) for name, call in COUNTS.items()})


def test_a_step_that_gives_something_else():
    for decode in (sv.decoding.greedy, sv.decoding.sample, sv.decoding.beam):
        for result, says in WRONG_STEPS:
            refused(ERRORS, {rf"\bstep\b.*{says}": partial(steps(decode), gives(result))})


def test_training_refuses_before_the_weights_move():
    model = torch.nn.Linear(2, 1)
    before = model.weight.clone()
    for options in ({"on_step": 5}, {"checkpoint": 5}, {"progress": "no"}, {"optimizer": {}}):
        given = {"steps": 1, "progress": False} | options
        with pytest.raises(TypeError):
            sv.training.fit(model, lambda m, x: m(x).sum(), [torch.ones(1, 2)], **given)
    assert torch.equal(model.weight, before)


def test_a_target_of_probability_0_has_infinite_perplexity():
    logits = torch.tensor([[0.0, -np.inf]])
    assert sv.metrics.perplexity(logits, torch.tensor([1])) == np.inf
    assert sv.metrics.perplexity(logits, torch.tensor([0])) == 1
