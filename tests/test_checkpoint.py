"""Checkpoints: exact resumption, whole files, and what does not fit is refused."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler

from seqviz.training import fit
from tests.refusing import refused
from tests.small_run import Crash, crash_at, draws, loss, make, state_of

torch.set_num_threads(1)


@pytest.mark.parametrize(
    ("generator", "every", "crash"), [(None, 7, 8), (5, 5, 11), (None, 3, 10), (5, 4, 19)]
)
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


def test_kill_loses_at_most_the_steps_since_the_checkpoint(tmp_path):
    path = tmp_path / "run.pt"
    command = [sys.executable, "-c", PROGRAM, str(path)]
    root = Path(__file__).parents[1]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert "37\n" in process.stdout, "the program ended early"
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


def saved(path, **options):
    model, batches = make()
    fit(model, loss, batches, 4, progress=False, checkpoint=path, **options)


def test_damaged_and_foreign_checkpoints(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    good = path.read_bytes()
    torch.save({"something": "else"}, tmp_path / "foreign.pt")
    torch.save({"format": "later"}, tmp_path / "later.pt")
    foreign, later = ((tmp_path / f"{n}.pt").read_bytes() for n in ("foreign", "later"))
    with ZipFile(path) as archive:
        entry = next(entry for entry in archive.infolist() if entry.file_size > 99)
    flipped = bytearray(good)
    flipped[entry.header_offset + 150] ^= 1
    for content in (b"", b"hello", good[: len(good) // 2], foreign, later, bytes(flipped)):
        path.write_bytes(content)
        untouched(path, r"run\.pt (is damaged|has another).*delete it")
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


def test_content_that_is_not_fits_changes_nothing(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    content = torch.load(path, weights_only=True)
    wrong = [(name, None) for name in content if name != "format"]
    wrong += [("pass", ()), ("pass", ({}, 3, {})), ("optimizer", {"state": {}, "param_groups": []})]
    for name, value in wrong:
        torch.save(content | {name: value}, path)
        untouched(path, r"run\.pt (is damaged|does not fit the optimizer).*delete it")
    del content["loss"]
    torch.save(content, path)
    untouched(path, r"run\.pt is damaged.*delete it")


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
    assert list(tmp_path.iterdir()) == [path]


def test_checkpoint_of_another_run(tmp_path):
    path = tmp_path / "run.pt"
    saved(path)
    model, batches = make()
    _, drawing = make(generator=3)
    few, sgd = list(batches)[:2], torch.optim.SGD(model.parameters(), 0.1)
    doubled = make()[0].double()

    def fitted(model=model, batches=batches, steps=8, **options):
        return lambda: fit(model, loss, batches, steps, progress=False, checkpoint=path, **options)

    before, wide = state_of(model), nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))
    wrong = {
        r"another model \(.*shape.*delete it": fitted(wide),
        r"another model .*torch\.float32 there.*torch\.float64": fitted(doubled),
        "the optimizer Adam, not SGD": fitted(optimizer=sgd),
        "those of the checkpoint, where 4 were read": fitted(batches=few),
        r"those of the checkpoint, with 0 generators.*got 1": fitted(batches=drawing),
        r"steps must be at least 4.*run\.pt.*got 3": fitted(steps=3),
    }
    refused(ValueError, wrong)
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
