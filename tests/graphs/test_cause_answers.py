"""Jobs of a cause: Python and a page run them alike, and as hooks by hand do."""

import json

import pytest
import torch

import seqviz as sv
from seqviz.running.causes import CauseModel
from seqviz.views.cause import cause
from tests.browser.machine_worlds import ANIMAL, MOUSE, model
from tests.graphs.test_explorer_answers import page as page
from tests.graphs.test_writing import Bent
from tests.graphs.workers import asked

NEAR = 1e-4
TEXTS = {
    "bert": (MOUSE, MOUSE.replace("mouse", "bone")),
    "gpt": ("JULIET : / Romeo , I pray", "MENENIUS : / Romeo , I pray"),
    "translator": (ANIMAL, ANIMAL.replace("animal", "street")),
}


def view_of(name):
    return cause(CauseModel(model(name)), *TEXTS[name])


def jobs_of(view):
    """One job of every kind."""
    facts = view.facts
    stream = len(facts["streams"]) - 1
    (this, *_), (that, *_) = (grid["answers"][1] for grid in facts["grids"])
    plus, less = that[0], this[0]
    weigh = {"token": 1, "other": 1, "plus": plus, "less": less, "ids": [plus, less]}
    head = [facts["streams"][stream]["blocks"][0]["parts"][0]["attention"], 1]
    count = len(facts["tokens"][1][facts["streams"][stream]["tokens"]])

    def carried(stage, token, head=None, order=None):
        origin = {"text": 1, "stage": stage, "token": token, "order": order}
        return {"stream": stream, "stage": stage, "token": token, "head": head, "from": origin}

    def job(want, states=(), silent=(), of=0, shown=stream):
        return {
            "want": want,
            "states": list(states),
            "silent": list(silent),
            "of": of,
            "stream": shown,
            "weigh": weigh,
        }

    backwards = list(range(count))[::-1]
    return [
        job("answer", of=1),
        job("grid", [carried(1, 1)]),
        job("grid", [carried(1, 1, head)], shown=0),
        job("answer", [carried(0, 1), carried(1, 0, order=backwards)]),
        job("answer", silent=[head, ["part", stream, 0, 1]]),
        job("wrote"),
        job("wrote", [carried(1, 1), carried(0, 0)]),
    ]


def differences(a, b, place=""):
    """Where two results are not the same."""
    if isinstance(a, dict) and isinstance(b, dict):
        keys = [f"{place}: {a.keys()} {b.keys()}"] if a.keys() != b.keys() else []
        return keys + [
            w for k in a.keys() & b.keys() for w in differences(a[k], b[k], f"{place}/{k}")
        ]
    if isinstance(a, list) and isinstance(b, list):
        length = [f"{place}: {len(a)} {len(b)}"] if len(a) != len(b) else []
        pairs = enumerate(zip(a, b, strict=False))
        return length + [w for k, (x, y) in pairs for w in differences(x, y, f"{place}/{k}")]
    if isinstance(a, float) or isinstance(b, float):
        return [] if abs(a - b) < NEAR else [f"{place}: {a} {b}"]
    return [] if a == b else [f"{place}: {a} {b}"]


@pytest.mark.parametrize("name", TEXTS)
def test_a_page_runs_jobs_as_python_does(page, name):
    view = view_of(name)
    jobs = jobs_of(view)
    mine = json.loads(json.dumps([view.model(view._texts, job) for job in jobs]))
    other = {"texts": TEXTS[name][::-1]}
    gone = {"jobs": jobs[:1], "run": "0", "key": "b"}
    first, second, third = asked(page, view, {"jobs": jobs, "run": "0", "key": "a"}, other, gone)
    for job, here, there in zip(jobs, mine, first["sent"]["results"], strict=True):
        assert not differences(here, there), job["want"]
    view.texts = TEXTS[name][::-1]
    assert not differences(json.loads(json.dumps(view.facts["grids"])), second["facts"]["grids"])
    assert "not shown any more" in third["sent"]["problem"]


def test_a_page_leaves_to_the_rest_what_python_does(page):
    weigh = {"token": 1, "other": 1, "plus": 7, "less": 2, "ids": [7, 2]}
    job = {"want": "wrote", "states": [], "silent": [], "of": 0, "stream": 0, "weigh": weigh}
    functions = torch.nn.functional
    for bend in (functions.normalize, functions.softplus, torch.sigmoid):
        torch.manual_seed(0)
        tokenizer = sv.data.Vocabulary("abcdefghijkl")
        view = sv.cause(Bent(bend).eval(), tokenizer, "abcde", "abfde", precision="full")
        [got] = asked(page, view, {"jobs": [job], "run": "0", "key": "a"})
        mine = json.loads(json.dumps(view.model(view._texts, job)))
        assert not differences(mine, got["sent"]["results"][0]), bend.__name__


def test_a_carried_state_is_that_of_a_hook_by_hand():
    """At the same place, in the model itself, with a forward hook."""
    made = model("bert")
    view = view_of("bert")
    graph = made.graph
    job = jobs_of(view)[1]
    told = view.model(view._texts, job)
    end = made.anatomy["streams"][0]["blocks"][0]["end"]["node"]
    this, other = (run.values[end] for run in view._texts.runs)
    changed = this.clone()
    changed[0, 1] = other[0, 1]
    given = view._texts.runs[0].asked.given
    (logits, *_), _ = graph.run(given, changes={end: lambda value: changed})
    p = torch.softmax(logits[0, 1].double(), -1)
    assert told["answers"][1][0][2] == pytest.approx(p.max().item(), abs=1e-6)
    assert not any(told["reach"][0])
    assert [k for k, reached in enumerate(told["reach"][1]) if reached] in ([1], [])
