"""fit: one loop, safe interruption, clear failure."""

import copy
import math
import signal
import threading

import pytest
import torch
from torch import nn

from seqviz.training import History, fit
from tests.refusing import refused
from tests.small_run import loss, make, state_of

torch.set_num_threads(1)


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


def test_works_in_another_thread():
    (model, batches), result = make(), []
    thread = threading.Thread(
        target=lambda: result.append(fit(model, loss, batches, 3, progress=False))
    )
    thread.start()
    thread.join()
    assert result[0].steps == 3


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


def test_bad_arguments():
    model, batches = make()
    given = {"model": model, "loss": loss, "batches": batches, "steps": 3, "progress": False}
    sgd = torch.optim.SGD(model.parameters(), 0.1)

    def but(**change):
        return lambda: fit(**(given | change))

    wrong = {
        "checkpoint_every must be at least 1": but(checkpoint_every=0),
        "lr must be finite and above 0, got -1.0": but(lr=-1.0),
        r"lr must not be given with an optimizer.*got 0\.5": but(lr=0.5, optimizer=sgd),
        "scalar.*got shape .2,.": but(loss=lambda m, b: torch.zeros(2)),
        "requires_grad=False": but(loss=lambda m, b: torch.zeros(())),
    }
    refused(ValueError, wrong)
    wrong = {
        "model must be a torch module, got function": but(model=loss),
        r"loss must be a function loss\(model, batch\)": but(loss=1.0),
        "many times, got list_iterator: use a list": but(batches=iter([1])),
        r"on_step .*on_step\(step, loss\)": but(on_step=5),
        "loss must return a tensor, got float": but(loss=lambda m, b: 1.0),
    }
    refused(TypeError, wrong)
