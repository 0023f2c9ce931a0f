"""record of recurrent nets under what else torch has: autocast, transforms, exports, threads."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
import pytest
import torch
from torch import nn
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.utils.rnn import pack_padded_sequence

from seqviz import nn as ours
from seqviz.recording import record
from seqviz.recording.records import Record


class Reader(nn.Module):
    """A recurrent net and what reads it."""

    def __init__(self, home, kind, **options):
        super().__init__()
        self.rnn = getattr(home, kind)(3, 4, **options)
        self.out = nn.Linear(4 * (1 + self.rnn.bidirectional), 2)

    def forward(self, x):
        output, _ = self.rnn(x)
        return self.out(output)


HOMES = pytest.mark.parametrize("home", [nn, ours], ids=["torch", "sv"])
NETS = pytest.mark.parametrize(
    ("home", "kind"), [(nn, "RNN"), (ours, "LSTM"), (nn, "GRU"), (ours, "GRU")]
)


def flat(results):
    """The tensors of what a net gives."""
    output, last = results
    packed = isinstance(output, nn.utils.rnn.PackedSequence)
    return [output.data if packed else output, *(last if isinstance(last, tuple) else [last])]


@NETS
@pytest.mark.parametrize(
    ("options", "packed"), [({}, False), ({"num_layers": 2, "bidirectional": True}, True)]
)
def test_autocast_gives_what_it_gives_without_recording(home, kind, options, packed):
    model, x = Reader(home, kind, **options), torch.randn(9, 2, 3)
    x = pack_padded_sequence(x, [9, 4]) if packed else x
    with torch.autocast("cpu", dtype=torch.bfloat16):
        expected = flat(model.rnn(x))
        with record(model) as rec:
            results = flat(model.rnn(x))
    assert [one.dtype for one in results] == [one.dtype for one in expected]
    for one, other in zip(results, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-2)
    results[0].sum().backward()
    assert (rec.gradients["rnn"][0].values[:, 0] > 0).all()


def test_autocast_does_not_hide_another_forward():
    class Odd(nn.GRU):
        def forward(self, input, hx=None):
            output, h_n = super().forward(input, hx)
            return output + 0.05, h_n

    model = Odd(3, 4)
    words = r"differ by .*, more than 1e-02, in output; .*double\(\), outside torch\.autocast"
    with (
        torch.autocast("cpu", dtype=torch.bfloat16),
        record(model),
        pytest.raises(AssertionError, match=words),
    ):
        model(torch.randn(2, 1, 3))


@NETS
def test_a_gradient_penalty(home, kind):
    """The first pass brings d loss / d h_t, the second d (loss + penalty) / d h_t."""
    model = Reader(home, kind).double()
    x = torch.randn(5, 2, 3, dtype=torch.float64, requires_grad=True)

    def penalized(output):
        loss = output.pow(2).sum()
        (slope,) = torch.autograd.grad(loss, x, create_graph=True)
        return loss, loss + slope.pow(2).sum()

    with record(model) as rec:
        penalized(model(x))[1].backward()
    found = {name: p.grad for name, p in model.named_parameters()} | {"x": x.grad}
    x.grad = None
    model.zero_grad()
    cell = getattr(nn, f"{kind}Cell")(3, 4)
    weights = {name.removesuffix("_l0"): p for name, p in model.rnn.named_parameters()}
    state, states = None, []
    for x_t in x:
        state = torch.func.functional_call(cell, weights, (x_t, state))
        states.append(state[0] if kind == "LSTM" else state)
    loss, both = penalized(model.out(torch.stack(states)))
    gradients = [torch.autograd.grad(what, states, retain_graph=True) for what in (loss, both)]
    both.backward()
    for name, p in (*model.named_parameters(), ("x", x)):
        torch.testing.assert_close(found[name], p.grad, rtol=0, atol=1e-10)
    first, second = map(torch.stack, gradients)
    norms = (first + second).norm(dim=-1)
    np.testing.assert_allclose(rec.gradients["rnn"][0].values[0], norms, atol=1e-10)


@NETS
def test_gradients_of_torch_func_are_recorded(home, kind):
    model, x = Reader(home, kind).double(), torch.randn(5, 2, 3, dtype=torch.float64)
    weights = dict(model.named_parameters())

    def loss(weights, x):
        return torch.func.functional_call(model, weights, (x,)).pow(2).sum()

    with record(model) as plain:
        loss(weights, x).backward()
    with record(model) as rec:
        slopes = torch.func.grad(loss)(weights, x)
    for name, p in weights.items():
        torch.testing.assert_close(slopes[name], p.grad, rtol=0, atol=1e-10)
    assert rec.kinds == plain.kinds
    for array in filter(lambda array: getattr(rec, array), rec.kinds):
        (one,), (other,) = getattr(rec, array)["rnn"], getattr(plain, array)["rnn"]
        np.testing.assert_allclose(one, other, atol=1e-12)


@HOMES
@pytest.mark.parametrize("keep", [("hidden",), ("gradients",)])
def test_vmap_is_refused_in_words(home, keep):
    model, words = (
        Reader(home, "LSTM"),
        r"inside torch\.func\.vmap came.*give the model the",
    )
    with record(model, keep):
        with pytest.raises(ValueError, match=words):
            torch.func.vmap(model)(torch.randn(5, 5, 2, 3))
        if "gradients" in keep:  # whose backward pass is what it maps
            with pytest.raises(ValueError, match=words):
                torch.func.jacrev(model)(torch.randn(5, 2, 3))
        else:
            torch.func.jacrev(model)(torch.randn(5, 2, 3))


@HOMES
@pytest.mark.parametrize("keep", [("hidden",), ("gradients",)])
def test_shapes_without_numbers_are_refused_in_words(home, keep):
    model, words = Reader(home, "LSTM"), "has a shape and no numbers .*leave the block to export it"
    with record(model, keep):
        with FakeTensorMode(allow_non_fake_inputs=True), pytest.raises(ValueError, match=words):
            model(torch.empty(5, 2, 3))
        with pytest.raises(ValueError, match="input must be on 'cpu' like the weights"):
            model(torch.empty(5, 2, 3, device="meta"))
        with pytest.raises(ValueError, match=words):
            model.to("meta")(torch.empty(5, 2, 3, device="meta"))


def exported(model, x, strict=False):
    module = torch.export.export(model, (x,), strict=strict).module()
    return module, [str(node.target) for node in module.graph.nodes]


def strictly_exported(model, x):
    return exported(model, x, strict=True)


def traced(model, x):
    module = torch.jit.trace(model, (x,), check_trace=False)
    return module, [node.kind() for node in module.inlined_graph.nodes()]


def seen_through(model, x):
    module = make_fx(model)(x)
    return module, [str(node.target) for node in module.graph.nodes]


@pytest.mark.filterwarnings("ignore")  # torch.jit's deprecation, and what tracing says of sizes
@pytest.mark.parametrize(
    ("export", "kind"),
    [
        *((exported, kind) for kind in ("RNN", "LSTM", "GRU")),
        *((export, "LSTM") for export in (strictly_exported, traced, seen_through)),
    ],
)
def test_what_leaves_the_block_is_the_model_itself(export, kind):
    model, x = Reader(nn, kind), torch.randn(5, 2, 3)
    with record(model, keep=("hidden",)) as rec:
        module, steps = export(model, x)
        expected = model(x)
    torch.testing.assert_close(module(x), expected)
    assert steps == export(model, x)[1], "not the equations, unrolled for this length"
    assert len(rec.hidden["rnn"]) == 1, "the export itself is no run to be recorded"


@HOMES
def test_two_threads_record_a_model_each(home):
    """Each is inside its block while the other runs."""
    meet, records = threading.Barrier(2, timeout=10), {}

    def run(kind, steps):
        model, x = Reader(home, kind), torch.randn(steps, 2, 3)
        expected = model(x)
        with record(model) as records[kind]:
            meet.wait()
            output = model(x)
            output.sum().backward()
            meet.wait()
        torch.testing.assert_close(output, expected)

    with ThreadPoolExecutor() as threads:
        list(threads.map(run, ("GRU", "LSTM"), (3, 5)))
    for kind, steps in (("GRU", 3), ("LSTM", 5)):
        (call,) = records[kind].gradients["rnn"]
        assert call.shape == (1, steps, 2)
        assert (call.values > 0).all()


def test_what_another_thread_runs_is_recorded_call_by_call(monkeypatch):
    """It runs when the first array of a call is kept, and waits until the last is."""
    model, keep, started = Reader(nn, "LSTM"), Record.keep, []

    def keep_and_let_another_run(self, *args, **kwargs):
        keep(self, *args, **kwargs)
        if not started:
            started.append(None)
            started[0] = thread.submit(model, torch.randn(7, 2, 3))
            wait(started, 0.05)

    monkeypatch.setattr(Record, "keep", keep_and_let_another_run)
    with ThreadPoolExecutor() as thread, record(model) as rec:
        model(torch.randn(5, 2, 3))
        started[0].result()
    for kind in ("hidden", "cell", "from_input"):
        times = [call.shape[call.dims.index("time")] for call in getattr(rec, kind)["rnn"]]
        assert times == [5, 7], kind


@pytest.mark.filterwarnings("ignore:LSTM with projections")  # torch's own words
def test_a_projection_does_not_block_the_other_nets():
    model = nn.ModuleDict({"small": nn.LSTM(3, 4, proj_size=2), "gru": nn.GRU(2, 3)})
    x = torch.randn(5, 2, 3)
    expected, _ = model["gru"](model["small"](x)[0])
    with (
        pytest.warns(UserWarning, match=r"module 'small' has proj_size=2; .*is not rec") as one,
        record(model) as rec,
    ):
        output, _ = model["gru"](model["small"](x)[0])
    assert one[0].filename == __file__
    assert list(rec.hidden) == ["gru"]
    torch.testing.assert_close(output, expected)
