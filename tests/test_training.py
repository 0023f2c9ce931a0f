"""fit: exact resumption, safe interruption, clear failure."""

import copy
import math
import os
import random
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

from seqviz.training import History, fit

torch.set_num_threads(1)


def make(seed=0, shuffle=True, generator=None):
    """A net with dropout, and shuffled batches: five in a pass."""
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - the generator that setup() seeds
    model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.3), nn.Tanh(), nn.Linear(8, 1))
    x = torch.linspace(-1, 1, 54).reshape(18, 3)
    data = TensorDataset(x, x.sum(-1, keepdim=True).sin())
    own = None if generator is None else torch.Generator().manual_seed(generator)
    return model, DataLoader(data, batch_size=4, shuffle=shuffle, generator=own)


def loss(model, batch):
    x, y = batch
    return F.mse_loss(model(x), y)


class Crash(Exception):
    pass


def crash_at(step):
    def on_step(now, _):
        if now == step:
            raise Crash

    return on_step


def state_of(model):
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def draws():
    return torch.rand(3).tolist(), random.random(), np.random.rand()  # noqa: NPY002


def test_it_learns_and_tells():
    model, batches = make()
    model[1].p = 0.0
    seen = []
    history = fit(model, loss, batches, 200, progress=False, on_step=lambda *a: seen.append(a))
    assert isinstance(history, History)
    assert history.steps == len(history.loss) == 200
    assert seen == list(enumerate(history.loss, 1))
    assert sum(history.loss[-20:]) < 0.5 * sum(history.loss[:20])
    assert history.seconds > 0
    assert not history.interrupted


def test_equal_to_the_plain_loop():
    model, batches = make()
    reference = copy.deepcopy(model)
    batches = list(batches)
    model[1].p = reference[1].p = 0.0
    fit(model, loss, batches, 12, lr=0.1, clip_norm=0.5, progress=False)
    optimizer = torch.optim.Adam(reference.parameters(), 0.1)
    for step in range(12):
        optimizer.zero_grad()
        loss(reference, batches[step % 5]).backward()
        nn.utils.clip_grad_norm_(reference.parameters(), 0.5)
        optimizer.step()
    torch.testing.assert_close(state_of(model), state_of(reference), rtol=0, atol=0)


@pytest.mark.parametrize("generator", [None, 5])
@pytest.mark.parametrize(("every", "crash"), [(1, 2), (7, 8), (5, 11), (3, 10), (4, 19)])
def test_resumed_is_bit_equal(tmp_path, generator, every, crash):
    model, batches = make(generator=generator)
    whole = fit(model, loss, batches, 20, progress=False)
    after = draws()

    path = tmp_path / "run.pt"
    options = {"progress": False, "checkpoint": path, "checkpoint_every": every}
    broken, batches = make(generator=generator)
    with pytest.raises(Crash):
        fit(broken, loss, batches, 20, on_step=crash_at(crash), **options)
    again, batches = make(seed=99, generator=None if generator is None else 99)
    resumed = fit(again, loss, batches, 20, **options)
    assert resumed.loss == whole.loss
    assert draws() == after
    torch.testing.assert_close(state_of(again), state_of(model), rtol=0, atol=0)


class Windows:
    """Re-iterable; draws a part of each batch from Python's and NumPy's generators."""

    def __iter__(self):
        for i in torch.randperm(4).tolist():
            yield torch.tensor([[i, *draws()[1:]]]), torch.ones(1, 1)


def test_resumed_is_bit_equal_when_batches_draw_too(tmp_path):
    model, _ = make()
    whole = fit(model, loss, Windows(), 14, progress=False)
    path = tmp_path / "run.pt"
    options = {"progress": False, "checkpoint": path, "checkpoint_every": 3}
    broken, _ = make()
    with pytest.raises(Crash):
        fit(broken, loss, Windows(), 14, on_step=crash_at(8), **options)
    again, _ = make(seed=99)
    assert fit(again, loss, Windows(), 14, **options).loss == whole.loss


def test_a_learning_rate_set_by_on_step_survives(tmp_path):
    def run(crash=None, seed=0):
        model, batches = make(seed)
        optimizer = torch.optim.SGD(model.parameters(), 0.5, momentum=0.9)

        def on_step(step, _):
            optimizer.param_groups[0]["lr"] = 0.5 / step
            if step == crash:
                raise Crash

        fit(model, loss, batches, 9, optimizer=optimizer, on_step=on_step, progress=False, **file)
        return state_of(model)

    file = {}
    whole = run()
    file = {"checkpoint": tmp_path / "run.pt", "checkpoint_every": 4}
    with pytest.raises(Crash):
        run(crash=6)
    torch.testing.assert_close(run(seed=99), whole, rtol=0, atol=0)


def test_more_steps_later_and_none_when_done(tmp_path, capsys):
    path = tmp_path / "deep" / "folder" / "run.pt"
    model, batches = make()
    first = fit(model, loss, batches, 6, progress=False, checkpoint=path)
    assert "Resumed" not in capsys.readouterr().out
    other, batches = make(seed=99)
    calls = []
    done = fit(other, lambda *a: calls.append(a), batches, 6, checkpoint=path)
    assert calls == []
    assert done.loss == first.loss
    assert capsys.readouterr().out == f"Resumed from {path} after step 6.\n"
    torch.testing.assert_close(state_of(other), state_of(model))
    longer = fit(other, loss, batches, 8, progress=False, checkpoint=path)
    assert longer.steps == 8
    assert longer.loss[:6] == first.loss


def test_ctrl_c_finishes_the_step_and_saves(tmp_path, capsys):
    model, batches = make()
    whole = fit(model, loss, batches, 20, progress=False)
    path = tmp_path / "run.pt"
    before = signal.getsignal(signal.SIGINT)

    def press(model, batch):
        presses.append(1)
        if len(presses) == 8:
            signal.raise_signal(signal.SIGINT)
        return loss(model, batch)

    presses = []
    model, batches = make()
    history = fit(model, press, batches, 20, checkpoint=path)
    assert history.interrupted
    assert history.loss == whole.loss[:8]
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"Interrupted after step 8 of 20; saved in {path}."
    assert signal.getsignal(signal.SIGINT) is before
    again, batches = make(seed=99)
    resumed = fit(again, loss, batches, 20, progress=False, checkpoint=path)
    assert not resumed.interrupted
    assert resumed.loss == whole.loss


def test_second_ctrl_c_stops_at_once():
    def press(model, batch):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the second one should have stopped this step")

    before = signal.getsignal(signal.SIGINT)
    model, batches = make()
    model.eval()
    with pytest.raises(KeyboardInterrupt):
        fit(model, press, batches, 20, progress=False)
    assert signal.getsignal(signal.SIGINT) is before
    assert not model.training


def test_other_handlers_come_back():
    for handler in (signal.SIG_DFL, signal.SIG_IGN, lambda *a: None):
        before = signal.signal(signal.SIGINT, handler)
        try:
            fit(*make_args(), 1, progress=False)
            assert signal.getsignal(signal.SIGINT) == handler
        finally:
            signal.signal(signal.SIGINT, before)


def make_args():
    model, batches = make()
    return model, loss, batches


def test_works_in_another_thread():
    result = []
    thread = threading.Thread(target=lambda: result.append(fit(*make_args(), 3, progress=False)))
    thread.start()
    thread.join()
    assert result[0].steps == 3


PROGRAM = """
import sys, time
from test_training import fit, loss, make
model, batches = make()
def on_step(step, _):
    print(step, flush=True)
    time.sleep(0.01)
fit(model, loss, batches, 100000, checkpoint=sys.argv[1], checkpoint_every=10, progress=False,
    on_step=on_step)
"""


def start(path):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path)],
        cwd=os.path.dirname(__file__),
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


def read_to(process, step):
    for line in process.stdout:
        if line.strip() == str(step):
            return
    pytest.fail("the program ended early")


def test_kill_loses_at_most_the_steps_since_the_checkpoint(tmp_path):
    path = tmp_path / "run.pt"
    with start(path) as process:
        read_to(process, 37)
        process.kill()
        last = 37 + sum(1 for _ in process.stdout)
    steps = len(torch.load(path, weights_only=True)["loss"])
    assert last - 10 <= steps <= last
    model, batches = make()
    whole = fit(model, loss, batches, 60, progress=False)
    again, batches = make(seed=99)
    resumed = fit(again, loss, batches, 60, progress=False, checkpoint=path)
    assert resumed.loss == whole.loss
    torch.testing.assert_close(state_of(again), state_of(model), rtol=0, atol=0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends SIGINT to a whole group")
def test_ctrl_c_from_outside(tmp_path):
    path = tmp_path / "run.pt"
    with start(path) as process:
        read_to(process, 15)
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 0
    assert "Interrupted after step" in rest
    assert len(torch.load(path, weights_only=True)["loss"]) >= 15


@pytest.mark.parametrize("broken", ["os.fsync", "os.replace", "torch.save"])
def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch, broken):
    path = tmp_path / "run.pt"
    model, batches = make()
    fit(model, loss, batches, 4, progress=False, checkpoint=path)
    old = path.read_bytes()

    def fail(*args, **kwargs):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(broken, fail)
        with pytest.raises(OSError, match="no space left"):
            fit(model, loss, batches, 8, progress=False, checkpoint=path)
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


def saved(path, **options):
    model, batches = make()
    fit(model, loss, batches, 4, progress=False, checkpoint=path, **options)


def test_damaged_and_foreign_checkpoints(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    good = path.read_bytes()
    model, batches = make()
    torch.save({"something": "else"}, tmp_path / "foreign.pt")
    torch.save({"format": "later"}, tmp_path / "later.pt")
    foreign, later = ((tmp_path / f"{n}.pt").read_bytes() for n in ("foreign", "later"))
    for content in (b"", b"hello", os.urandom(500), good[: len(good) // 2], foreign, later):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"run\.pt (is damaged|has another).*delete it"):
            fit(model, loss, batches, 8, progress=False, checkpoint=path)
        assert path.read_bytes() == content


def test_checkpoint_of_another_model_or_optimizer(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    _, batches = make()
    for model in (nn.Linear(3, 1), nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))):
        before = state_of(model)
        with pytest.raises(ValueError, match=r"another model \(.*shape.*delete it"):
            fit(model, loss, batches, 8, progress=False, checkpoint=path)
        torch.testing.assert_close(state_of(model), before, rtol=0, atol=0)
    model, _ = make()
    sgd = torch.optim.SGD(model.parameters(), 0.1)
    with pytest.raises(ValueError, match="the optimizer Adam, not SGD"):
        fit(model, loss, batches, 8, progress=False, checkpoint=path, optimizer=sgd)
    with pytest.raises(ValueError, match="those of the checkpoint, where 4 were read"):
        fit(model, loss, list(batches)[:2], 8, progress=False, checkpoint=path)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_bad_loss_stops_before_the_step(tmp_path, bad):
    def breaks(model, batch):
        calls.append(state_of(model))
        return loss(model, batch) * (bad if len(calls) == 5 else 1)

    calls, path = [], tmp_path / "run.pt"
    model, batches = make()
    with pytest.raises(
        FloatingPointError, match=r"loss of step 5 is (nan|inf).*last finite loss was.*Lower lr"
    ) as caught:
        fit(model, breaks, batches, 20, progress=False, checkpoint=path, checkpoint_every=2)
    assert caught.value.history.steps == 4
    torch.testing.assert_close(state_of(model), calls[-1], rtol=0, atol=0)
    assert len(torch.load(path, weights_only=True)["loss"]) == 4


def test_a_bad_gradient_stops_before_the_step():
    model, batches = make()
    before = state_of(model)
    with pytest.raises(FloatingPointError, match="gradient of step 1 is nan; no step is done"):
        fit(model, lambda m, b: (m(b[0]) * 0).sqrt().sum(), batches, 3, progress=False)
    torch.testing.assert_close(state_of(model), before, rtol=0, atol=0)


def test_no_checkpoint_with_infinite_weights(tmp_path):
    model, batches = make()
    options = {"checkpoint": tmp_path / "run.pt", "checkpoint_every": 1, "progress": False}
    sgd = torch.optim.SGD(model.parameters(), 3e38)

    def steep(model, batch):
        return loss(model, batch) * 1e3

    with pytest.raises(FloatingPointError, match="weights after step 1 are not finite"):
        fit(model, steep, batches, 3, optimizer=sgd, **options)
    assert list(tmp_path.iterdir()) == []


def test_modes_are_left_as_they_were():
    model, batches = make()
    model.eval()
    model[0].train()
    modes = [m.training for m in model.modules()]

    def training(model, batch):
        assert all(m.training for m in model.modules())
        return loss(model, batch)

    fit(model, training, batches, 2, progress=False)
    assert [m.training for m in model.modules()] == modes


def test_the_bar_is_plain_text_and_small(capsys):
    model, batches = make()
    history = fit(model, loss, batches, 300)
    out, err = capsys.readouterr()
    assert err == ""
    assert f"loss {history.loss[-1]:.4f}" in out
    assert "300/300" in out
    assert out.endswith("\n")
    assert max(map(len, out.replace("\n", "\r").split("\r"))) <= 80
    assert out.count("\r") <= 4 + history.seconds / 0.5
    fit(model, loss, batches, 3, progress=False)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"model": loss}, TypeError, "model must be a torch module, got function"),
        ({"loss": 1.0}, TypeError, r"loss must be a function loss\(model, batch\)"),
        ({"batches": iter([1])}, TypeError, "many times, got list_iterator: use a list"),
        ({"batches": (b for b in [1])}, TypeError, "got generator"),
        ({"batches": 3}, TypeError, "got int"),
        ({"batches": []}, ValueError, "at least one batch"),
        ({"steps": 0}, ValueError, "steps must be at least 1, got 0"),
        ({"steps": 2.0}, TypeError, "steps must be an integer, got 2.0"),
        ({"checkpoint_every": 0}, ValueError, "checkpoint_every must be at least 1"),
        ({"lr": -1.0}, ValueError, "lr must be above 0, got -1.0"),
        ({"lr": math.nan}, ValueError, "lr must be above 0, got nan"),
        ({"lr": math.inf}, ValueError, "lr must be finite, got inf"),
        ({"lr": "0.1"}, TypeError, "lr must be a number, got '0.1'"),
        ({"lr": True}, TypeError, "lr must be a number, got True"),
        ({"clip_norm": [1]}, TypeError, r"clip_norm must be a number, got \[1\]"),
        ({"clip_norm": 0}, ValueError, "clip_norm must be above 0, got 0"),
        ({"loss": lambda m, b: 1.0}, TypeError, "loss must return a tensor, got float"),
        ({"loss": lambda m, b: torch.zeros(2)}, ValueError, "scalar.*got shape .2,."),
        ({"loss": lambda m, b: torch.zeros(())}, ValueError, "requires_grad=False"),
    ],
)
def test_bad_arguments(change, error, words):
    model, batches = make()
    arguments = {"model": model, "loss": loss, "batches": batches, "steps": 3, "progress": False}
    with pytest.raises(error, match=words):
        fit(**(arguments | change))


def test_one_must_not_give_lr_beside_an_optimizer():
    model, batches = make()
    sgd = torch.optim.SGD(model.parameters(), 0.1)
    with pytest.raises(ValueError, match=r"lr must not be given with an optimizer.*got 0\.5"):
        fit(model, loss, batches, 3, lr=0.5, optimizer=sgd, progress=False)


def test_without_lr_adam_has_a_hundredth():
    results = []
    for options in ({}, {"lr": 1e-2}):
        model, batches = make()
        fit(model, loss, batches, 5, progress=False, **options)
        results.append(state_of(model))
    torch.testing.assert_close(results[0], results[1], rtol=0, atol=0)


def test_infinite_weights_are_found_without_a_checkpoint():
    model, batches = make()
    sgd = torch.optim.SGD(model.parameters(), 3e38)
    with pytest.raises(FloatingPointError, match="weights after step 1 are not finite") as caught:
        fit(model, lambda m, b: loss(m, b) * 1e3, batches, 1, optimizer=sgd, progress=False)
    assert caught.value.history.steps == 1


def test_fewer_steps_than_the_checkpoint_has(tmp_path):
    path = tmp_path / "run.pt"
    model, batches = make()
    fit(model, loss, batches, 23, progress=False, checkpoint=path)
    other, batches = make(seed=9)
    before = state_of(other)
    with pytest.raises(ValueError, match=r"steps must be at least 23.*run\.pt.*got 5"):
        fit(other, loss, batches, 5, progress=False, checkpoint=path)
    torch.testing.assert_close(state_of(other), before, rtol=0, atol=0)


def test_a_checkpoint_that_does_not_fit_changes_nothing(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    model, batches = make(seed=9)
    before, optimizer = state_of(model), torch.optim.Adam(model.parameters())
    options = {"progress": False, "checkpoint": path, "optimizer": optimizer}
    with pytest.raises(ValueError, match="those of the checkpoint"):
        fit(model, loss, list(batches)[:2], 8, **options)
    torch.testing.assert_close(state_of(model), before, rtol=0, atol=0)
    assert not optimizer.state_dict()["state"]
    with pytest.raises(ValueError, match=r"another model .*torch\.float32 there.*torch\.float64"):
        fit(model.double(), loss, batches, 8, **options)


def test_the_generator_of_a_sampler_is_resumed(tmp_path):
    def run(seed, steps, **options):
        model, batches = make(seed)
        own = torch.Generator().manual_seed(seed)
        sampler = RandomSampler(batches.dataset, generator=own)
        return fit(
            model,
            loss,
            DataLoader(batches.dataset, batch_size=4, sampler=sampler),
            steps,
            progress=False,
            **options,
        )

    whole = run(0, 13)
    file = {"checkpoint": tmp_path / "run.pt"}
    run(0, 7, **file)
    assert run(99, 13, **file).loss == whole.loss


def test_batches_with_another_number_of_generators(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    model, batches = make(generator=3)
    with pytest.raises(ValueError, match=r"those of the checkpoint, with 0 generators.*got 1"):
        fit(model, loss, batches, 8, progress=False, checkpoint=path)


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def test_a_pickled_object_in_a_checkpoint_is_refused(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    content = torch.load(path, weights_only=True)
    content["trap"] = Trap(tmp_path / "sprung")
    torch.save(content, path)
    model, batches = make()
    with pytest.raises(ValueError, match=r"run\.pt is damaged or was not made by fit"):
        fit(model, loss, batches, 8, progress=False, checkpoint=path)
    assert not (tmp_path / "sprung").exists()
