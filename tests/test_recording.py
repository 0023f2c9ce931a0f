"""record: true states, live gradients, and a model that is left as it was."""

import copy
import warnings

import numpy as np
import pytest
import torch
from torch import nn

from seqviz import recording
from seqviz.nn import RNN, LanguageModel
from seqviz.nn.recurrent import hidden_states
from seqviz.recording import NamedArray, Record, record

torch.set_num_threads(1)


class Tagger(nn.Module):
    """A model with two torch RNNs, one inside a list."""

    def __init__(self, **options):
        super().__init__()
        self.first = nn.RNN(3, 4, 2, **options)
        self.rest = nn.ModuleList([RNN(4, 5)])

    def forward(self, x):
        return self.rest[0](self.first(x)[0])[0]


@pytest.mark.parametrize("kind", [RNN, nn.RNN])
def test_the_model_may_be_the_rnn(kind):
    rnn, x = kind(3, 4, 2), torch.randn(6, 2, 3)
    expected = rnn(x)
    with record(rnn) as rec:
        output, h_n = rnn(x)
    torch.testing.assert_close((output, h_n), expected)
    assert list(rec.hidden) == [""]
    (states,) = rec.hidden[""]
    assert states.dims == ("layer", "time", "batch", "unit")
    assert states.shape == (2, 6, 2, 4)
    np.testing.assert_array_equal(states.values[-1], output.detach().numpy())
    np.testing.assert_array_equal(states, hidden_states(rnn, x).detach().numpy())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("options", [{}, {"batch_first": True}, {"nonlinearity": "relu"}])
def test_paths_and_equal_outputs(options, dtype):
    model, x = Tagger(**options).to(dtype), torch.randn(6, 2, 3, dtype=dtype)
    expected = model(x)
    with record(model) as rec:
        output = model(x)
    torch.testing.assert_close(output, expected)
    assert list(rec.hidden) == ["first", "rest.0"]
    batch_first = options.get("batch_first", False)
    assert rec.hidden["first"][0].shape == ((2, 2, 6, 4) if batch_first else (2, 6, 2, 4))
    assert rec.hidden["first"][0].values.dtype == str(dtype).split(".")[1]


def test_a_language_model_step_by_step():
    model, state = LanguageModel(4, 5), None
    ids = torch.tensor([[0], [1], [2]])
    with record(model) as rec:
        for row in ids:
            _, state = model.step(row, state)
        model(ids)
    steps = rec.hidden["rnn"]
    assert [call.shape for call in steps] == [(1, 1, 1, 5)] * 3 + [(1, 3, 1, 5)]
    together = np.concatenate(steps[:3], axis=1)
    np.testing.assert_allclose(together, steps[3], atol=1e-6)


@pytest.mark.parametrize("kind", [RNN, nn.RNN])
def test_gradients_flow_as_without(kind):
    rnn, x = kind(3, 4, 2).double(), torch.randn(6, 2, 3, dtype=torch.float64)
    h_0 = torch.randn(2, 2, 4, dtype=torch.float64)
    gradients = []
    for recording_it in (False, True):
        rnn.zero_grad()
        if recording_it:
            with record(rnn):
                rnn(x, h_0)[0].sum().backward()
        else:
            rnn(x, h_0)[0].sum().backward()
        gradients.append([p.grad.clone() for p in rnn.parameters()])
    torch.testing.assert_close(gradients[1], gradients[0], rtol=0, atol=1e-10)


def test_the_record_is_a_copy():
    rnn, x = RNN(3, 4), torch.randn(2, 1, 3)
    with record(rnn) as rec, torch.no_grad():
        output, _ = rnn(x)
        kept = output.clone()
        output.zero_()
    np.testing.assert_array_equal(rec.hidden[""][0].values[0], kept.numpy())


def test_dropout_of_our_rnn_draws_as_without():
    rnn, x = RNN(3, 4, 2, dropout=0.5), torch.randn(6, 2, 3)
    torch.manual_seed(0)
    expected = rnn(x)[0]
    torch.manual_seed(0)
    with record(rnn):
        assert torch.equal(rnn(x)[0], expected)


def test_the_model_is_left_as_it_was():
    model = Tagger()
    own = model.first.forward
    model.first.forward = own  # set on the instance by someone before us
    before = [dict(m.__dict__) for m in model.modules()]

    def run():
        with record(model):
            model(torch.randn(2, 1, 3))
            assert model.first.forward is not own
            raise KeyError

    with pytest.raises(KeyError):
        run()
    after = [dict(m.__dict__) for m in model.modules()]
    assert [list(a) for a in after] == [list(b) for b in before]
    assert model.first.__dict__["forward"] is own
    assert "forward" not in model.rest[0].__dict__
    copy.deepcopy(model)


def test_hooks_still_run():
    rnn, seen = nn.RNN(3, 4), []
    rnn.register_forward_hook(lambda *a: seen.append(a[2][0].shape))
    with record(rnn):
        rnn(torch.randn(2, 1, 3))
    assert seen == [(2, 1, 4)]


def test_a_model_within_a_recorded_model():
    model = Tagger()
    with record(model) as outer:
        with pytest.raises(ValueError, match=r"being recorded already \(module 'first'"):
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


def test_unequal_equations_are_refused():
    class Odd(nn.RNN):
        def forward(self, input, hx=None):
            output, h_n = super().forward(input, hx)
            return output + 1e-4, h_n

    model = Odd(3, 4)
    with (
        pytest.raises(AssertionError, match=r"module '' differ by 1\.0e-04, more than 1e-05"),
        record(model),
    ):
        model(torch.randn(2, 1, 3))
    assert "forward" not in model.__dict__


@pytest.mark.parametrize(
    ("model", "keep", "error", "words"),
    [
        (lambda x: x, ("hidden",), TypeError, "model must be a torch module, got function"),
        (nn.LSTM(3, 3), ("hidden",), ValueError, r"\(LSTM\) has nothing to record.*sv.nn.RNN"),
        (RNN(3, 3), "hidden", TypeError, r"such as \('hidden',\)"),
        (RNN(3, 3), ("hidden", "gate"), ValueError, r"among \['hidden'\], got \['gate'\]"),
        (RNN(3, 3), (), ValueError, "keep must name kinds"),
        (nn.RNN(3, 3, bidirectional=True), ("hidden",), ValueError, "'' is bidirectional"),
    ],
)
def test_what_cannot_be_recorded(model, keep, error, words):
    with pytest.raises(error, match=words), record(model, keep):
        pytest.fail("should not begin")


def test_calls_that_cannot_be_recorded():
    rnn = nn.RNN(3, 4, 2, dropout=0.5)
    with record(rnn) as rec:
        with pytest.raises(ValueError, match=r"uses dropout; call model.eval\(\)"):
            rnn(torch.randn(2, 1, 3))
        rnn.eval()
        rnn(torch.randn(2, 1, 3))
        packed = nn.utils.rnn.pack_sequence([torch.randn(2, 3)])
        with pytest.raises(ValueError, match="packed sequence"):
            rnn(packed)
    assert len(rec.hidden[""]) == 1


def test_kinds_not_kept():
    with record(RNN(3, 4)) as rec:
        pass
    assert rec.hidden == {"": []}
    with pytest.raises(AttributeError, match="no 'gates'; it keeps hidden"):
        _ = rec.gates
    copy.deepcopy(rec)


def test_a_warning_before_it_grows_too_large(monkeypatch):
    monkeypatch.setattr(recording, "WARN_BYTES", 100)
    rnn = RNN(3, 4)
    with record(rnn):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rnn(torch.randn(5, 1, 3))  # 80 bytes
        with pytest.warns(UserWarning, match="grows beyond .* GB"):
            rnn(torch.randn(2, 1, 3))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rnn(torch.randn(2, 1, 3))


def test_named_array():
    array = NamedArray(np.arange(6.0).reshape(2, 3), ("time", "unit"))
    assert repr(array) == "NamedArray(time=2, unit=3; float64)"
    assert array.ndim == 2
    assert np.asarray(array) is array.values
    assert np.asarray(array, dtype="float32").dtype == "float32"
    assert np.array(array) is not array.values
    assert np.add(array, np.ones(3)).shape == (2, 3)
    with pytest.raises(ValueError, match=r"dims must name 2 axes of shape \(2, 3\)"):
        NamedArray(array.values, ("time",))
    with pytest.raises(AttributeError):
        array.dims = ()


def test_save_and_load(tmp_path):
    model = Tagger()
    with record(model) as rec:
        model(torch.randn(2, 1, 3))
        model.first(torch.randn(3, 1, 3))
    path = tmp_path / "record"  # no ending is added
    rec.save(path)
    back = Record.load(path)
    assert list(tmp_path.iterdir()) == [path]
    assert repr(back) == repr(rec)
    assert repr(rec) == "Record(hidden['first']: 2 calls; hidden['rest.0']: 1 call)"
    assert back.nbytes == rec.nbytes
    for name, calls in rec.hidden.items():
        for ours, theirs in zip(back.hidden[name], calls, strict=True):
            assert ours.dims == theirs.dims
            np.testing.assert_array_equal(ours, theirs)


def test_load_of_something_else(tmp_path):
    path = tmp_path / "record.npz"
    with record(RNN(3, 4)) as rec:
        pass
    rec.save(path)
    good = path.read_bytes()
    np.savez(tmp_path / "other.npz", a=np.ones(2))
    other = (tmp_path / "other.npz").read_bytes()
    for content in (b"", b"hello", good[:50], other):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"record\.npz is not a record, or it is damaged"):
            Record.load(path)
    with pytest.raises(FileNotFoundError):
        Record.load(tmp_path / "none")


def test_bfloat16_and_half():
    for dtype, expected in ((torch.bfloat16, "float32"), (torch.float16, "float16")):
        rnn = RNN(3, 4).to(dtype)
        with record(rnn) as rec:
            rnn(torch.randn(2, 1, 3, dtype=dtype))
        assert rec.hidden[""][0].values.dtype == expected


class Shifted(RNN):
    """Our RNN with a forward of its own; a shift of 0 is none."""

    shift = (0.0, 0.0)

    def forward(self, input, hx=None):
        output, h_n = super().forward(input, hx)
        return output + self.shift[0], h_n + self.shift[1]


@pytest.mark.parametrize("shift", [(1e-4, 0.0), (0.0, 1e-4)])
def test_a_subclass_of_ours_is_held_to_its_own_forward(shift):
    model, x = Shifted(3, 4), torch.randn(2, 1, 3)
    with record(model) as rec:
        assert torch.equal(model(x)[0], RNN.forward(model, x)[0])
    assert len(rec.hidden[""]) == 1
    model.shift = shift
    name = "output" if shift[0] else "h_n"
    with (
        pytest.raises(AssertionError, match=rf"module '' differ by 1\.0e-04.*in {name}"),
        record(model),
    ):
        model(x)


def test_a_subclass_with_another_shape_or_dropout_is_named():
    class Last(RNN):
        def forward(self, input, hx=None):
            output, h_n = super().forward(input, hx)
            return output[-1], h_n

    model = Last(3, 4)
    with (
        pytest.raises(AssertionError, match=r"module ''.*output.*shape \(1, 4\), not \(2, 1, 4\)"),
        record(model),
    ):
        model(torch.randn(2, 1, 3))
    noisy = Shifted(3, 4, 2, dropout=0.5)
    with record(noisy), pytest.raises(ValueError, match="uses dropout"):
        noisy(torch.randn(2, 1, 3))


def test_the_size_warning_points_to_the_users_line(monkeypatch):
    monkeypatch.setattr(recording, "WARN_BYTES", 10)
    model = LanguageModel(4, 5)
    with record(model), pytest.warns(UserWarning, match="grows beyond") as caught:
        model(torch.tensor([[0], [1]]))
    assert caught[0].filename == __file__
