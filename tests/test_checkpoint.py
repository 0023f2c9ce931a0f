"""Checkpoints: exact resumption, whole files, and what does not fit is refused."""

import errno
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler

from seqviz.training import fit
from tests.small_run import Crash, crash_at, draws, loss, make, state_of

torch.set_num_threads(1)


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


PROGRAM = """
import sys, time
from seqviz.training import fit
from tests.small_run import loss, make
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
        cwd=Path(__file__).parents[1],
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


@pytest.mark.slow
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


def untouched(path, match):
    """Whatever `fit` refuses at `path`, it changes nothing."""
    model, batches = make(seed=9)
    before, drawn = state_of(model), draws()
    model, batches = make(seed=9)
    optimizer = torch.optim.Adam(model.parameters())
    with pytest.raises(ValueError, match=match):
        fit(model, loss, batches, 8, progress=False, checkpoint=path, optimizer=optimizer)
    torch.testing.assert_close(state_of(model), before, rtol=0, atol=0)
    assert not optimizer.state_dict()["state"]
    assert draws() == drawn


def test_a_flipped_bit_is_never_resumed(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    good = path.read_bytes()
    with ZipFile(path) as archive:
        data = [entry for entry in archive.infolist() if entry.file_size]
    draw = random.Random(0)
    for entry in data:
        name, extra = good[entry.header_offset + 26 :][:2], good[entry.header_offset + 28 :][:2]
        first = entry.header_offset + 30 + sum(int.from_bytes(n, "little") for n in (name, extra))
        place = first + draw.randrange(entry.file_size)
        flipped = bytearray(good)
        flipped[place] ^= 1 << draw.randrange(8)
        path.write_bytes(flipped)
        untouched(path, r"run\.pt is damaged")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[(name, None) for name in ("model", "optimizer", "optimizer_name", "loss", "seconds")],
        ("pass", None),
        ("pass", ()),
        ("pass", ({}, 3, {})),
        ("optimizer", {}),
        ("optimizer", {"state": {}, "param_groups": []}),
    ],
)
def test_content_that_is_not_fits_changes_nothing(tmp_path, name, value):
    path = tmp_path / "run.pt"
    saved(path)
    content = torch.load(path, weights_only=True)
    torch.save(content | {name: value}, path)
    untouched(path, r"run\.pt (is damaged|does not fit the optimizer).*delete it")
    del content[name]
    torch.save(content, path)
    untouched(path, r"run\.pt is damaged.*delete it")


def test_batches_that_do_not_fit_leave_the_generators(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    make(seed=9)
    drawn, (model, _) = draws(), make(seed=9)
    with pytest.raises(ValueError, match="those of the checkpoint, where 4 were read"):
        fit(model, loss, [None], 8, progress=False, checkpoint=path)
    assert draws() == drawn


def test_a_full_disk_names_disk_and_path(tmp_path, monkeypatch):
    path = tmp_path / "run.pt"
    saved(path)
    old = path.read_bytes()

    def full(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    model, batches = make()
    with pytest.raises(OSError, match=r"No space left on device") as caught:
        fit(model, loss, batches, 8, progress=False, checkpoint=path)
    assert caught.value.errno == errno.ENOSPC
    assert f"checkpoint {path} could not be written" in str(caught.value)
    assert re.search(rf"needs [\d.]+ MB, and the disk of {tmp_path} has .* left", str(caught.value))
    assert path.read_bytes() == old


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


def test_no_checkpoint_with_infinite_weights(tmp_path):
    model, batches = make()
    options = {"checkpoint": tmp_path / "run.pt", "checkpoint_every": 1, "progress": False}
    sgd = torch.optim.SGD(model.parameters(), 3e38)

    def steep(model, batch):
        return loss(model, batch) * 1e3

    with pytest.raises(FloatingPointError, match="weights after step 1 are not finite"):
        fit(model, steep, batches, 3, optimizer=sgd, **options)
    assert list(tmp_path.iterdir()) == []


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
