"""record: true states, live gradients, and a model that is left as it was."""

import copy
import io
import pickle
import warnings
import weakref

import numpy as np
import pytest
import torch
from torch import nn

import seqviz
from seqviz.nn import GRU, LSTM, RNN
from seqviz.nn.unrolling import unroll
from seqviz.recording import record, records
from tests.pairwise import pairwise
from tests.refusing import refused


class Tagger(nn.Module):
    """A model with two torch RNNs, one inside a list."""

    def __init__(self, **options):
        super().__init__()
        self.first = nn.RNN(3, 4, 2, **options)
        self.rest = nn.ModuleList([RNN(4, 5)])

    def forward(self, x):
        return self.rest[0](self.first(x)[0])[0]


def test_paths_and_the_order_of_axes():
    model, x = Tagger(batch_first=True, nonlinearity="relu"), torch.randn(6, 2, 3)
    expected = model(x)
    with record(model) as rec:
        torch.testing.assert_close(model(x), expected)
    assert list(rec.hidden) == ["first", "rest.0"]
    assert rec.hidden["first"][0].shape == (2, 2, 6, 4)
    assert rec.hidden["first"][0].values.dtype == "float32"


def saved_and_loaded(model):
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


@pytest.mark.parametrize("kind", [nn.LSTM, LSTM])
def test_a_copy_made_inside_the_block_is_not_recorded(kind):
    for make in (copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)), saved_and_loaded):
        model, x = nn.Sequential(kind(3, 4)), torch.randn(2, 1, 3)
        model[0].forward = model[0].forward  # set on the instance by someone before us
        with record(model) as rec:
            twin = make(model)
            expected, _ = model(x)
            assert twin[0].forward.__self__ is twin[0]
            torch.testing.assert_close(twin(x)[0], expected)
            with record(twin) as other:
                make(twin)(x)
                twin(x)
        twin(x)
        assert len(rec.hidden["0"]) == len(other.hidden["0"]) == 1


def test_a_model_within_a_recorded_model():
    model = Tagger()
    with record(model) as outer:
        with pytest.raises(ValueError, match=r"being recorded already"):
            record(model).__enter__()
        with pytest.raises(ValueError, match="being recorded already"):
            record(model.first).__enter__()
        model(torch.randn(2, 1, 3))
    assert len(outer.hidden["first"]) == 1
    with record(model) as again:
        model(torch.randn(2, 1, 3))
    assert len(again.hidden["first"]) == 1


def test_a_module_used_twice_has_two_calls_under_one_path():
    model = Tagger()
    model.second = model.first
    with record(model) as rec:
        model.second(torch.randn(2, 1, 3))
        model(torch.randn(4, 1, 3))
    assert [call.shape[1] for call in rec.hidden["first"]] == [2, 4]
    assert "second" not in rec.hidden


def test_what_cannot_be_recorded():
    def begin(model, keep=("hidden",)):
        return lambda: record(model, keep).__enter__()

    rnn, lstm = RNN(3, 3), LSTM(3, 3)
    wrong = {
        r"\(Linear\) has nothing to record: it needs": begin(nn.Linear(3, 3)),
        "a cell called in a loop of your own": begin(nn.LSTMCell(3, 3)),
        r"among .*'gates'.* got \['gate'\]": begin(rnn, ("hidden", "gate")),
        "keep must name kinds": begin(rnn, ()),
        r"got \['hiden'\]": begin(rnn, "hiden"),
        "'' has proj_size=2": begin(nn.LSTM(3, 3, proj_size=2)),
    }
    refused(ValueError, wrong)
    wrong = {
        "model must be a torch module, got function": begin(begin),
        "got list: put several into .*ModuleList": begin([rnn, rnn]),
        r"got LSTM: two models .*ModuleList\(\[a, b\]\)": begin(rnn, lstm),
        "keep must be a tuple of kinds .* got int": begin(rnn, 1),
    }
    refused(TypeError, wrong)


def test_a_warning_before_it_grows_too_large(monkeypatch):
    monkeypatch.setattr(records, "WARN_BYTES", 100)
    rnn = RNN(3, 4)
    with record(rnn, keep=("hidden",)), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rnn(torch.randn(5, 1, 3))  # 80 bytes
        assert not caught
        rnn(torch.randn(2, 1, 3))
        rnn(torch.randn(2, 1, 3))
    assert [w.filename for w in caught] == [__file__]
    assert "grows beyond" in str(caught[0].message)


class Shifted(RNN):
    """Our RNN with a forward of its own; a shift of 0 is none."""

    shift = (0.0, 0.0)

    def forward(self, input, hx=None):
        output, h_n = super().forward(input, hx)
        return output + self.shift[0], h_n + self.shift[1]


def test_the_tolerance_goes_with_the_dtype():
    bounds = {torch.float64: (1e-12, 1e-7), torch.float32: (1e-7, 1e-4)}
    bounds |= dict.fromkeys((torch.bfloat16, torch.float16), (1e-3, 0.1))
    for dtype, (near, far) in bounds.items():
        torch.manual_seed(0)
        model, x = Shifted(3, 4).to(dtype), torch.randn(2, 1, 3, dtype=dtype)
        model.shift = (0.0, near)
        with record(model) as rec:
            model(x)
        kept = {torch.bfloat16: "float32"}.get(dtype, str(dtype).split(".")[1])
        assert rec.hidden[""][0].values.dtype == kept
        for name, shift in (("output", (far, 0.0)), ("h_n", (0.0, far))):
            model.shift = shift
            with pytest.raises(AssertionError, match=f"''.* differ by .* in {name}"), record(model):
                model(x)
        assert "forward" not in model.__dict__


def test_nan_equals_nan_and_nothing_else():
    model, x = Shifted(3, 4), torch.randn(2, 2, 3)
    x[0, 1] = torch.nan
    with record(model) as rec:
        model(x)
    assert np.isnan(rec.hidden[""][0].values[0, :, 1]).all()
    assert not np.isnan(rec.hidden[""][0].values[0, :, 0]).any()
    model.shift = (torch.nan, 0.0)
    with pytest.raises(AssertionError, match=r"differ by nan.* in output"), record(model):
        model(x)


LENGTHS = [3, 7, 1, 5]
OPTIONS = {
    "layers": {"num_layers": 3},
    "two": {"num_layers": 2, "bidirectional": True},
    "batch_first": {"batch_first": True},
    "dropout": {"num_layers": 3, "dropout": 0.4, "bidirectional": True},
    "no bias": {"bias": False},
}


def one_by_one(module, x):
    """The states of each sequence alone: h and, of an LSTM, c, as lists over layers."""
    layers = unroll(module, x).layers
    return [[torch.stack([s[k] for s in layer.states])[:, 0] for layer in layers]
            for k in range(len(layers[0].start))]  # fmt: skip


@pytest.mark.parametrize(
    ("home", "kind", "name", "packed"),
    pairwise([nn, seqviz.nn], ["RNN", "LSTM", "GRU"], list(OPTIONS), [False, True]),
)
def test_every_kind_of_net(home, kind, name, packed):
    module = getattr(home, kind)(3, 5, **OPTIONS[name]).double()
    x = torch.randn(7, 4, 3, dtype=torch.float64)
    given = x.transpose(0, 1) if module.batch_first else x
    if packed:
        given = nn.utils.rnn.pack_padded_sequence(
            given, LENGTHS, batch_first=module.batch_first, enforce_sorted=False
        )
    torch.manual_seed(1)
    expected, _ = module(given)
    torch.manual_seed(1)
    with record(module) as rec:
        output, _ = module(given)
    torch.testing.assert_close(output, expected, rtol=0, atol=1e-10)
    places = module.num_layers * (1 + module.bidirectional)
    assert rec.hidden[""][0].shape == (places, 7, 4, 5)
    gates = {"RNN": "", "LSTM": "ifgo", "GRU": "rzn"}[kind]
    assert "".join(rec.gates[""][0].labels["gate"] if gates else ()) == gates
    assert set(rec.cell) == ({""} if kind == "LSTM" else set())
    if not module.dropout:
        for k, length in enumerate(LENGTHS if packed else [7] * 4):
            states = one_by_one(module, x[:length, k])
            for name, alone in zip(("hidden", "cell"), states, strict=False):
                kept = getattr(rec, name)[""][0].at(batch=k).values
                for layer, state in enumerate(alone):
                    np.testing.assert_allclose(kept[layer, :length], state.detach(), atol=1e-10)
                assert not kept[:, length:].any()


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU", "GRU reset before"])
@pytest.mark.parametrize("packed", [False, True])
def test_traces_are_the_equations(kind, packed):
    name, _, reset = kind.partition(" ")
    options = {"reset": "before"} if reset else {}
    module = getattr(seqviz.nn, name)(3, 5, 2, bidirectional=True, **options).double()
    x = torch.randn(7, 4, 3, dtype=torch.float64)
    start = tuple(torch.randn(4, 4, 5, dtype=torch.float64) for _ in range(1 + (name == "LSTM")))
    given = nn.utils.rnn.pack_padded_sequence(x, LENGTHS, enforce_sorted=False) if packed else x
    with record(module) as rec:
        module(given, start if name == "LSTM" else start[0])
    for layer in range(4):
        one = rec.traces(layer=layer, item=3)
        by_label = rec.traces(layer=f"{layer // 2}{' reverse' * (layer % 2)}", item=3)
        np.testing.assert_equal(by_label, one)
        T = LENGTHS[3] if packed else 7
        assert one["cell"] == ("RNN tanh" if name == "RNN" else kind)
        assert one["h"].shape == (T, 5)
        over_time = one.keys() - {"cell", "reverse", "h_0", "c_0", "W_hh", "b_hh"}
        assert {len(one[name]) for name in over_time} == {T}
        assert one.get("reverse", False) == (layer % 2 == 1)
        np.testing.assert_array_equal(one["h_0"], start[0][layer, 3])
        h, c = one["h_0"], one.get("c_0")
        for t in reversed(range(T)) if layer % 2 else range(T):
            h, c, gates = by_hand(kind, one["from_input"][t], one["W_hh"], one["b_hh"], h, c)
            np.testing.assert_allclose(one["h"][t], h, atol=1e-12)
            for letter, gate in gates.items():
                np.testing.assert_allclose(one[letter][t], gate, atol=1e-12)


def by_hand(kind, x, W, b, h, c):
    """One step in numpy, with the gates by letter."""

    def sigmoid(a):
        return 1 / (1 + np.exp(-a))

    if kind == "RNN":
        return np.tanh(x + W @ h + b), None, {}
    if kind == "LSTM":
        i, f, g, o = np.split(x + W @ h + b, 4)
        i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
        c = f * c + i * g
        return o * np.tanh(c), c, {"i": i, "f": f, "g": g, "o": o, "c": c}
    (x_r, x_z, x_n), (h_r, h_z, h_n) = np.split(x, 3), np.split(W @ h + b, 3)
    r, z = sigmoid(x_r + h_r), sigmoid(x_z + h_z)
    n = np.tanh(x_n + (W[-len(h) :] @ (r * h) if "before" in kind else r * h_n))
    return (1 - z) * n + z * h, None, {"r": r, "z": z, "n": n}


@pytest.mark.parametrize("home", [nn, seqviz.nn], ids=["torch", "sv"])
def test_gradients_are_those_of_a_perturbed_state(home):
    lstm = getattr(home, "LSTM")(3, 5).double()  # noqa: B009
    x = torch.randn(6, 2, 3, dtype=torch.float64)

    def loss(output, c_n):
        return (output[3] ** 2).sum() + output[5].sum() + (c_n**2).sum()

    with record(lstm) as rec:
        output, (_, c_n) = lstm(x)
        loss(output, c_n).backward()
    moves = torch.zeros(2, 6, 2, 5, dtype=torch.float64, requires_grad=True)  # of h and of c
    h, c, output = torch.zeros(2, 5).double(), torch.zeros(2, 5).double(), []
    for x_t, move_h, move_c in zip(x, *moves, strict=True):
        i, f, g, o = (
            x_t @ lstm.weight_ih_l0.T + lstm.bias_ih_l0 + h @ lstm.weight_hh_l0.T + lstm.bias_hh_l0
        ).chunk(4, dim=1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh() + move_c
        h = o.sigmoid() * c.tanh() + move_h
        output.append(h)
    loss(torch.stack(output), c).backward()
    for kind, expected in zip(("gradients", "cell_gradients"), moves.grad, strict=True):
        norms = getattr(rec, kind)[""][0]
        assert norms.dims == ("layer", "time", "batch")
        np.testing.assert_allclose(norms.values[0], expected.norm(dim=-1), rtol=1e-10)


def test_gradients_before_and_after_each_backward():
    rnn, x = RNN(3, 4), torch.randn(6, 2, 3)
    with record(rnn) as rec:
        with pytest.raises(ValueError, match=r"gradients: no gradient has come yet.*backward"):
            _ = rec.gradients
        output, _ = rnn(x)
        with pytest.raises(ValueError, match="no gradient has come yet"):
            _ = rec.gradients
        assert not hasattr(rec, "gradients")
    output[2].sum().backward(retain_graph=True)  # after the block, too
    assert hasattr(rec, "gradients")
    norms = rec.gradients[""][0].values
    assert (norms[0, :3] > 0).all()
    assert not norms[0, 3:].any(), "a later state is not reached"
    output[4].sum().backward()  # passes add up, as in .grad
    with record(rnn) as both:
        output, _ = rnn(x)
        (output[2].sum() + output[4].sum()).backward()
    np.testing.assert_allclose(rec.gradients[""][0], both.gradients[""][0], rtol=1e-5)


def test_gradients_that_came_and_are_nan(tmp_path):
    rnn = RNN(3, 4)
    with record(rnn) as rec:
        output, _ = rnn(torch.randn(2, 1, 3))
        assert not rec.backward
        (output * torch.nan).sum().backward()
    rec.save(tmp_path / "record")
    for one in (rec, records.Record.load(tmp_path / "record")):
        assert one.backward
        with pytest.raises(ValueError, match=r"gradients: a backward pass has come, .* is NaN"):
            _ = one.gradients
    rnn(torch.randn(2, 1, 3))[0].sum().backward()  # after the block: not recorded
    with pytest.raises(ValueError, match="is NaN"):
        _ = rec.gradients


def test_a_record_does_not_keep_the_graph():
    lstm = LSTM(3, 4)
    for backward in (False, True):
        x = torch.randn(6, 2, 3, requires_grad=True)  # the graph holds it
        with record(lstm) as rec:
            output, last = lstm(x)
            if backward:
                output.sum().backward()
        held = weakref.ref(x)
        del x, output, last
        assert held() is None
        assert rec.hidden[""][0].shape == (1, 6, 2, 4)


def test_a_call_without_gradients_is_nan_beside_one_with():
    rnn = RNN(3, 4)
    with record(rnn) as rec:
        with torch.no_grad():
            rnn(torch.randn(2, 1, 3))
        rnn(torch.randn(2, 1, 3))[0].sum().backward()
    without, with_it = rec.gradients[""]
    assert np.isnan(without.values).all()
    assert (with_it.values > 0).all()


def test_which_traces():
    model = nn.ModuleDict({"a": LSTM(3, 4), "b": GRU(4, 2)})
    with record(model) as rec:
        model["b"](model["a"](torch.randn(6, 2, 3))[0])
    assert rec.traces("b", item=1)["n"].shape == (6, 2)
    assert rec.cells == {"a": "LSTM", "b": "GRU"}
    with record(model, keep=("hidden",)) as hidden:
        pass
    wrong = {
        "traces need cell and gates as well: record with keep=": hidden.traces,
        r"path must be one of \['a', 'b'\]: there are several": lambda: rec.traces(),
        "call must be a number below 1, the calls made; got 1": lambda: rec.traces("a", call=1),
        "a number below 1, or one of 0; got '1'": lambda: rec.traces("a", layer="1"),
        "batch must be a number below 2; got 2": lambda: rec.traces("a", item=2),
    }
    refused(ValueError, wrong)


def test_dropout_of_torchs_on_another_device_is_refused():
    model = nn.LSTM(3, 4, 2, dropout=0.5)
    with record(model), pytest.raises(ValueError, match=r"only on the CPU.*model.eval\(\)"):
        model.to("meta")(torch.randn(2, 1, 3, device="meta"))


class TakesOnlyX(nn.LSTM):
    def forward(self, x):
        return super().forward(x)


class GivesOnlyTheOutput(nn.LSTM):
    def forward(self, input):
        return super().forward(input)[0]


def test_a_subclass_with_its_own_arguments():
    x = torch.randn(5, 2, 3)
    model = TakesOnlyX(3, 4)
    with record(model) as rec:
        model(x)
        with pytest.raises(TypeError, match=r"module '' \(TakesOnlyX\) does not take and give"):
            model(x=x)
    assert len(rec.hidden[""]) == 1
    other = GivesOnlyTheOutput(3, 4)
    with record(other), pytest.raises(TypeError, match="it gives a Tensor, not a pair"):
        other(x)


@pytest.mark.parametrize("kind", [nn.LSTM, LSTM])
def test_a_wrong_call_of_a_plain_net_blames_the_call(kind):
    model, names = kind(3, 4), "input, hx" + ", lengths" * (kind is LSTM)
    x = torch.randn(5, 2, 3)
    with record(model) as rec:
        wrong = {
            rf"module '' \(LSTM\) takes {names}: missing .* 'input'": lambda: model(),
            "too many positional arguments": lambda: model(x, None, None, None),
            "unexpected keyword argument 'h_0'": lambda: model(x, h_0=None),
        }
        refused(TypeError, wrong)
    assert not rec.hidden[""]


def test_a_relu_net_with_large_states_is_recorded():
    rnn = nn.RNN(1, 32, nonlinearity="relu")
    nn.init.eye_(rnn.weight_hh_l0)
    with record(rnn, ("hidden",)) as rec:
        rnn(torch.rand(784, 2, 1))
    assert rec.hidden[""][0].values.max() > 50


def test_padding_is_neither_recorded_nor_reached_by_gradients():
    model, x = LSTM(3, 4), torch.randn(7, 4, 3)
    packed = nn.utils.rnn.pack_padded_sequence(x, LENGTHS, enforce_sorted=False)
    for given, lengths in ((x, LENGTHS), (packed, None)):
        with record(model) as rec:
            output, (h_n, _) = model(given, lengths=lengths)
            h_n.sum().backward()
        if lengths:
            np.testing.assert_array_equal(rec.hidden[""][0].values[0], output.detach().numpy())
        np.testing.assert_array_equal(rec.lengths[""][0], LENGTHS)
        norms = rec.gradients[""][0].values
        for k, length in enumerate(LENGTHS):
            assert (norms[:, :length, k] > 0).all()
            assert not norms[:, length:, k].any()
