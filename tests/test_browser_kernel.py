"""A browser's Python, as JupyterLite's: without torch, without compiled libraries, one thread.

A process of ours plays it. Pyodide itself was not tried: NumPy is built for it in no registry that
the tests reach.
"""

import subprocess
import sys
import threading

import pytest
import torch

from seqviz import checks
from tests.views.views import VIEWS

OF_A_MODEL = {"cause", "machine"}  # the others are made of arrays
WITHOUT = """
import sys, threading
for name in {missing!r}:
    sys.modules[name] = None  # an import of it fails
def start(self):
    raise RuntimeError("can't start new thread")
threading.Thread.start = start
"""
PAGES = """
from tests.views.views import VIEWS
for name in {names!r}:
    print(name, len(VIEWS[name]().to_html()) > 10_000, flush=True)
"""
ROOMS = """
import seqviz as sv
for name in sv.__all__:
    getattr(sv, name)
model, words = sv.nn.BERT(4, 8, 1, 2), sv.data.Vocabulary(["he", "sat", "[CLS]", "<unk>"])
print(sv.explore(model, words, "he sat").alt)
sv.data.train_wordpiece(["he sat"], vocab_size=20)
"""


def run(missing, code):
    script = WITHOUT.format(missing=missing) + code
    command = [sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


def test_each_view_of_arrays_is_made_without_torch_libraries_and_threads():
    names = sorted(VIEWS.keys() - OF_A_MODEL)
    missing = ["torch", "tokenizers", "safetensors", "sacrebleu", "pooch", "transformers"]
    ran = run(missing, PAGES.format(names=names))
    assert ran.stdout.splitlines() == [f"{name} True" for name in names], ran.stderr


def test_only_who_uses_the_library_of_tokenizers_needs_it():
    ran = run(["tokenizers"], ROOMS)
    assert ran.stdout.startswith("Attention of 1 layer"), ran.stderr
    assert "train_wordpiece" in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith("ModuleNotFoundError")


def right(x, h, W_xh, W_hh, b):
    return torch.tanh(W_hh @ h + W_xh @ x + b)


def wrong(x, h, W_xh, W_hh, b):
    return W_hh @ h + W_xh @ x + b


@pytest.mark.parametrize(("step", "says"), [(right, "right for three"), (wrong, "tanh is missing")])
def test_an_answer_is_checked_where_no_thread_can_be_started(monkeypatch, step, says):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert says in str(checks.rnn_step(step))
