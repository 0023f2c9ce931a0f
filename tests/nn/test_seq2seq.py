"""Sequence to sequence: both wirings and none, alone and in batches, at once and step by step."""

import pytest
import torch
import torch.nn.functional as F

from seqviz.decoding import beam, greedy
from seqviz.nn import Seq2Seq
from tests.refusing import refused

CLOSE = {"rtol": 0, "atol": 1e-10}
MODELS = {
    "no attention": {"attention": None},
    "bahdanau": {"wiring": "bahdanau"},
    "luong": {"wiring": "luong"},
    "two directions": {"bidirectional": True, "attention": "general"},
    "no attention, two directions": {"bidirectional": True, "attention": None},
    "residual": {"residual": True, "bidirectional": True, "wiring": "luong"},
    "LSTM": {"cell": "LSTM", "num_layers": 2, "bidirectional": True},
    "luong with LSTM": {"cell": "LSTM", "num_layers": 2, "wiring": "luong"},
    "RNN": {"cell": "RNN", "attention": "cosine"},
    "location": {"attention": "location", "max_length": 9, "wiring": "luong"},
}
every = pytest.mark.parametrize("options", MODELS.values(), ids=list(MODELS))
SOURCES = [[4, 7, 5, 8, 3], [6], [5, 5, 8]]
TARGETS = [[1, 3, 2], [1, 6, 4, 5, 2], [1, 2]]


def made(**options):
    torch.manual_seed(0)
    return Seq2Seq(9, 7, 4, 6, **options).double()


def padded(rows):
    return torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


@every
def test_a_batch_of_unequal_lengths_is_one_by_one(options):
    model = made(**options)
    weights = options.get("attention", "additive") is not None
    results = model(padded(SOURCES), padded(TARGETS), need_weights=weights)
    logits, alpha = results if weights else (results, None)
    assert logits.shape == (3, 5, 7)
    for b, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        alone = model(torch.tensor([source]), torch.tensor([target]), need_weights=weights)
        one, its_alpha = alone if weights else (alone, None)
        torch.testing.assert_close(logits[b, : len(target)], one[0], **CLOSE)
        if weights:
            kept = alpha[b, : len(target)]
            torch.testing.assert_close(kept[:, : len(source)], its_alpha[0], **CLOSE)
            assert not kept[:, len(source) :].any()
            torch.testing.assert_close(kept.sum(1), torch.ones_like(kept[:, 0]), **CLOSE)


@every
def test_every_weight_is_trained(options):
    model, targets = made(**options), padded(TARGETS)
    logits = model(padded(SOURCES), targets[:, :-1])
    F.cross_entropy(logits.mT, targets[:, 1:], ignore_index=0).backward()
    for name, weight in model.named_parameters():
        assert weight.grad.any(), name


@every
def test_step_by_step_is_the_whole_target(options):
    model = made(**options)
    source, target = padded(SOURCES), torch.tensor([[1, 3, 4], [1, 6, 5], [1, 1, 2]])
    state, steps, alphas = model.encode(source), [], []
    for ids in target.T:
        logits, state = model.step(ids, state)
        steps.append(logits)
        alphas.append(state.alpha)
    if options.get("attention", "additive") is None:
        assert state.alpha is None
        torch.testing.assert_close(torch.stack(steps, dim=1), model(source, target), **CLOSE)
    else:
        whole = model(source, target, need_weights=True)
        by_step = (torch.stack(steps, dim=1), torch.stack(alphas, dim=1))
        torch.testing.assert_close(by_step, whole, **CLOSE)


@pytest.mark.parametrize("name", ["no attention", "residual", "luong with LSTM", "location"])
def test_greedy_and_beam_of_a_batch_are_those_of_one_by_one(name):
    model = made(**MODELS[name])
    prompt = [[1]] * 3
    new = greedy(model.step, prompt, 6, state=model.encode(padded(SOURCES)), stop=2)
    trees = beam(
        model.step, prompt, 6, state=model.encode(padded(SOURCES)), stop=2, select=model.select
    )
    for source, ids, tree in zip(SOURCES, new, trees, strict=True):
        source = torch.tensor([source])
        assert ids == greedy(model.step, [1], 6, state=model.encode(source), stop=2)
        alone = beam(model.step, [1], 6, state=model.encode(source), stop=2, select=model.select)
        assert tree.best == alone.best
        assert tree.token.tolist() == alone.token.tolist()


def test_the_decoder_without_attention_is_torchs_gru_that_reads_c_at_each_step():
    model = made(attention=None)
    source, target = (
        torch.tensor([[4, 7, 5], [3, 6, 8]]),
        torch.tensor([[1, 5, 3, 6], [1, 2, 2, 4]]),
    )
    encoder = torch.nn.GRU(4, 6, batch_first=True).double()
    encoder.load_state_dict(model.encoder.rnn.state_dict())
    decoder = torch.nn.GRU(10, 6, batch_first=True).double()
    decoder.load_state_dict(model.decoder.rnn.state_dict())
    _, last = encoder(model.encoder.embedding(source))
    c = last[0].unsqueeze(1).expand(-1, 4, -1)
    s, _ = decoder(torch.cat([model.decoder.embedding(target), c], dim=-1), last)
    torch.testing.assert_close(model(source, target), model.decoder.output(s), **CLOSE)


@pytest.mark.parametrize("wiring", ["bahdanau", "luong"])
@pytest.mark.parametrize("residual", [False, True])
def test_a_wiring_is_its_equations(wiring, residual):
    model = made(wiring=wiring, residual=residual, attention="general")
    source, target = torch.tensor([[4, 7, 5]]), torch.tensor([[1, 5, 3, 6]])
    x = model.encoder.embedding(source)
    h, last = model.encoder.rnn(x)
    if residual:
        h = h + x @ model.encoder.residual.weight.T
    W, s, expected, looked = model.decoder.attention.score.W.weight, last[0, 0], [], []

    def look(s):
        alpha = torch.softmax(torch.stack([s @ W @ h_i for h_i in h[0]]), dim=0)
        looked.append(alpha)
        return alpha @ h[0]

    for y in model.decoder.embedding(target)[0]:
        if wiring == "bahdanau":
            s = model.decoder.rnn(torch.cat([y, look(s)])[None], s[None])[0][0]
            expected.append(model.decoder.output(s))
        else:
            s = model.decoder.rnn(y[None], s[None])[0][0]
            c = look(s)
            combined = torch.tanh(model.decoder.combine.weight @ torch.cat([c, s]))
            expected.append(model.decoder.output(combined))
    logits, alpha = model(source, target, need_weights=True)
    torch.testing.assert_close(logits[0], torch.stack(expected), **CLOSE)
    torch.testing.assert_close(alpha[0], torch.stack(looked), **CLOSE)


@pytest.mark.parametrize("layers", [1, 2])
def test_dropout_is_of_vectors_and_only_while_training(layers):
    """All dropped: without any x and y, no output depends on a token. In eval nothing is."""
    model = made(dropout=1.0, num_layers=layers)
    one, other = torch.tensor([[4, 5]]), torch.tensor([[7, 3]])
    target, same_length = torch.tensor([[1, 3, 5]]), torch.tensor([[1, 4, 6]])
    torch.testing.assert_close(model(one, target), model(other, same_length), **CLOSE)
    model.eval()
    assert not torch.allclose(model(one, target), model(other, target))
    plain = made(num_layers=layers)
    plain.load_state_dict(model.state_dict())
    torch.testing.assert_close(model(one, target), plain(one, target), **CLOSE)


def test_other_ids_of_padding_and_start():
    model = made(padding_idx=8 - 2, start_idx=0)
    plain = model(torch.tensor([[3, 0]]), torch.tensor([[0, 1]]))
    longer = model(torch.tensor([[3, 0, 6, 6]]), torch.tensor([[0, 1]]))
    torch.testing.assert_close(longer, plain, **CLOSE)


def test_the_embedding_of_padding_stays_zero():
    model = made(residual=True)
    F.cross_entropy(
        model(padded(SOURCES), padded(TARGETS)).flatten(0, 1), padded(TARGETS).flatten()
    ).backward()
    for half in (model.encoder, model.decoder):
        assert not half.embedding.weight[0].any()
        assert not half.embedding.weight.grad[0].any()


def test_what_does_not_fit():
    model, S, T = made(), torch.tensor([[4, 5]]), torch.tensor([[1, 3]])
    state = model.encode(S)
    wrong = {
        r"source must be \(batch, time\) and not empty, got shape \(2,\)": lambda: model(S[0], T),
        "source must lie between 0 and 8 .vocabulary of 9.*got 9": lambda: model(S + 5, T),
        "row 1 begins with padding, id 0": lambda: model(torch.tensor([[4, 5], [0, 0]]), T),
        "a row for each of the 1 sources, got 2": lambda: model(S, T.expand(2, 2)),
        "begin with START, id 1, in each row, got 3: put": lambda: model(S, T[:, 1:]),
        "one for each of the 1 sources, got 2": lambda: model.step(T[0], state),
        r"need_weights must be False.*attention=None": lambda: made(attention=None)(S, T, True),
        "cell must be one of 'RNN', 'LSTM', 'GRU', got 'gru'": lambda: made(cell="gru"),
        "got attention=None: drop": lambda: made(attention=None, residual=True),
        "start_idx must differ from padding_idx": lambda: made(start_idx=0),
        "at most 9 steps": lambda: made(**MODELS["location"]).encode(torch.full((1, 10), 3)),
    }
    refused(ValueError, wrong)
    wrong = {
        "source must be a torch.long tensor .*got list": lambda: model([[4]], T),
        r"state must be what model.encode": lambda: model.step(torch.tensor([1]), None),
    }
    refused(TypeError, wrong)
