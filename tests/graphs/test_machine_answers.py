"""A machine's page answers as its kernel does: all facts, every value and weight."""

from functools import cache

import numpy as np
import pytest
import torch

from seqviz import machine, nn
from tests.graphs.test_explorer_answers import (
    LETTERS,
    OTHER,
    PIECES,
    SIZE,
    TEXT,
    WORD_LEVEL,
    lively,
    llama,
)
from tests.graphs.test_explorer_answers import page as page
from tests.graphs.workers import asked
from tests.views.test_machine import masked, translator

NEAR = 1e-5
LINE = "a dog [MASK] ."


@cache
def of_a_line():
    return machine(lively(masked()).eval(), PIECES, LINE)


def classes():
    return nn.BERTForSequenceClassification(nn.BERT(len(PIECES), 16, 1, 2, 32), 3)


def span():
    return nn.BERTForQuestionAnswering(nn.BERT(len(PIECES), 16, 1, 2, 32))


MODELS = {
    "masked": (masked, PIECES, {"text_pair": OTHER}),
    "translator": (translator, LETTERS, {}),
    "Llama": (llama, WORD_LEVEL, {}),
    "span": (span, PIECES, {"text_pair": OTHER}),
    "classes": (classes, PIECES, {"labels": ["dull", "<b>", "good"]}),
}


def alike(own, came, where=""):
    """Whether a page says what Python says, numbers nearly."""
    if isinstance(own, dict):
        assert own.keys() == came.keys(), where
        for name, one in own.items():
            alike(one, came[name], f"{where}.{name}")
    elif isinstance(own, list | tuple):
        assert len(own) == len(came), where
        for k, (one, other) in enumerate(zip(own, came, strict=True)):
            alike(one, other, f"{where}[{k}]")
    elif isinstance(own, int | float):
        assert own == pytest.approx(came, rel=1e-6, abs=NEAR), where
    else:
        assert own == came, where


def near(view, name, numbers):
    """Whether numbers are those of a part; large ones of one are as near as their size allows."""
    own = np.frombuffer(view.part_of(name), "<f4")
    own = np.where(own == -(2.0**63), -np.inf, own)  # as torch has a whole number of no size
    most = max(1, np.abs(own[np.isfinite(own)]).max(initial=0))
    np.testing.assert_allclose(numbers, own, rtol=NEAR, atol=NEAR * most, err_msg=name)


def equal(view, came):
    """Whether what a worker set is what the view holds."""
    facts = came["facts"]
    run, number = view.facts["run"], facts["run"]
    alike({**view.facts, "run": ""}, {**facts, "run": ""})
    assert {name.split()[1] for name in came["first"]} == {n.split()[1] for n in view.first}
    for name, numbers in came["first"].items():
        near(view, name.replace(number, run, 1), numbers)
    assert came["silent"] == view.facts["silent"]


def parts_are(page, view, *messages):
    """Ask for each value and each weight behind these messages, and compare."""
    view.parts.whole = True
    names = list(view.parts)
    view.parts.whole = False
    (*_, state) = asked(page, view, *messages)
    number = state["facts"]["run"]
    wanted = [n if n.startswith("w ") else f"{number} {n.split()[1]}" for n in names]
    found = asked(page, view, *messages, *[{"want": name} for name in wanted])[len(messages) :]
    for name, one in zip(names, found, strict=True):
        near(view, name, np.frombuffer(one["buffers"][0], "<f4"))
    return names


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("translator", "Llama")]


@pytest.mark.parametrize("name", ["masked", "classes", "span", *SLOW])
def test_a_page_answers_as_python_does(page, name):
    torch.manual_seed(1)
    make, tokenizer, more = MODELS[name]
    view = machine(lively(make()).eval(), tokenizer, TEXT, **more)
    last = len(view.model.graph.roles.attentions) - 1
    messages = [{"text": OTHER}, {"silent": [[last, 1]]}, {"text": TEXT}, {"silent": []}]
    for came, message in zip(asked(page, view, *messages), messages, strict=True):
        assert came["sent"]["problem"] == ""
        ((wish, value),) = message.items()
        setattr(view, wish, value)
        equal(view, came)
    names = parts_are(page, view, {"text": TEXT})
    assert len(names) > 60


def test_a_page_with_rounded_weights_has_one_run_of_its_own(page):
    view = of_a_line()
    node = view.facts["anatomy"]["logits"]["node"]
    wanted = {"want": f"0 {node}"}, {"want": f"p1 {node}"}
    first, again = asked(page, view, *wanted, precision="half")
    assert [first["facts"][name] for name in ("run", "kind")] == ["p1", view.facts["kind"]]
    assert first["facts"]["lens"][-1] == [best for best, *_ in first["facts"]["answers"]]
    assert first["buffers"] == again["buffers"]
    assert "facts" not in again
    logits = np.frombuffer(first["buffers"][0], "<f4").reshape(first["facts"]["shapes"][node])
    chances = torch.tensor(logits[0].copy()).double().softmax(-1).max(-1).values
    said = [p for ((_, p), *_) in first["facts"]["answers"]]
    np.testing.assert_allclose(said, chances, atol=1e-6)
    heads = [{"without": [1, k], "run": "0"} for k in range(2)]
    for message, came in zip(heads, asked(page, view, *heads), strict=True):
        assert came["sent"]["run"] == "0"
        assert came["sent"]["without"] == message["without"]
        alike(view._said_without(message["without"], "0"), came["sent"]["answers"])
    (exact,) = asked(page, view, {"want": f"0 {node}"})
    assert "facts" not in exact, "with all digits the run is Python's"
    own = np.frombuffer(view.part_of(f"0 {node}"), "<f4")
    np.testing.assert_allclose(np.frombuffer(exact["buffers"][0], "<f4"), own, atol=NEAR)


def test_a_page_says_what_is_wrong_as_python_does(page):
    view = of_a_line()
    texts = [" ", "a dog " * 70]
    for came, text in zip(asked(page, view, *({"text": t} for t in texts)), texts, strict=True):
        with pytest.raises(ValueError, match="text: ") as refused:
            view.text = text
        told = came["sent"]["problem"]
        assert told
        assert str(refused.value).lower() == f"text: {told}".lower()
    gone = {"want": "7 nothing"}, {"without": [0, 0], "run": "7"}
    lost, over = asked(page, view, *gone)
    assert "not in this view" in lost["sent"]["problem"]
    assert "not shown any more" in over["sent"]["problem"]


def test_a_nan_has_the_same_name_in_the_page(page):
    class Wrong(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.bert = (
                torch.nn.Embedding(SIZE, 16),
                nn.TransformerEncoderLayer(16, 2, 32, batch_first=True),
            )

        def forward(self, ids):
            x = self.bert(self.tokens(ids))
            return (x.mean(-1, keepdim=True) - 9).sqrt() * x @ self.tokens.weight.T

    view = machine(Wrong().eval(), LETTERS, TEXT)
    assert view.facts["nan"] == {**view.facts["nan"], "op": "sqrt", "module": ""}
    (came,) = asked(page, view, {"text": OTHER})
    view.text = OTHER
    equal(view, came)
    assert came["facts"]["answers"][0] == [["NaN", 0]]
