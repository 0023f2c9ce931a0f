"""Next words of a model as a graph or as steps, and behind a text of the reader's own."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz.running.tokenizing import reader_of
from seqviz.running.writing_models import Prompts, WritingModel
from tests.views.asking import answers
from tests.views.test_generation import LETTERS, Model

LINES = ["the animal was tired", "the street was wide", "a mask was on the face", "i am in it"]
PIECES = sv.data.train_wordpiece(LINES, vocab_size=60)
NAMES = PIECES.vocabulary.tokens
PROMPT = "the animal was"
BAD = {
    "": "Is empty: write at least one word",
    " \t\u2003": "Is empty: write at least one word",
    "the " * 30: "The text has 31 tokens, the model reads at most 24",
    "was " * 1250: "Has 1,251 tokens, at most 1,000 are read: shorten it",
    "a\ud800": "Text is 'a\\ud800', half a character: decode bytes with errors='replace'",
}


@cache
def model():
    """A small GPT that is sure of some things."""
    torch.manual_seed(5)
    net = sv.nn.GPT(len(PIECES), n_positions=24, n_embd=16, n_layer=1, n_head=2).eval()
    for weight in net.parameters():
        weight.data *= 3
    return net


@cache
def steps():
    return sv.graphs.stepped(model())


@cache
def graph():
    return sv.graphs.exported(model(), (torch.tensor([[1, 2, 3, 4]]),))


def writing(given=None, prompt=PROMPT, **more):
    more = {"tokenizer": PIECES, "steps": 12, "depth": 1, "branch": 2, "keep": 20, **more}
    return sv.view.generation(given or steps(), NAMES, prompt, **more)


@torch.no_grad()
def expected(ids):
    return model()(torch.tensor([ids]))[0, -1].double().softmax(-1).numpy()


# ---- the model


@pytest.mark.parametrize("given", [steps, graph])
def test_what_comes_next_is_what_the_model_says(given):
    view = writing(given())
    prompt = view.writer.prompt
    assert [NAMES[k] for k in prompt] == ["[CLS]", "the", "animal", "was"]  # no [SEP] ends it
    for path, place in view.writer.places.items():
        p = expected([*prompt, *path])
        np.testing.assert_allclose(place.p, np.sort(p)[::-1][:20], atol=1e-6, err_msg=str(path))
    assert len(view.writer.places) > 20
    run = view.writer.runs["run greedy 0 0 12 after"]
    for step, id in enumerate(run.ids):
        assert id == expected([*prompt, *run.ids[:step]]).argmax()


def test_a_step_reads_a_token_once_and_what_is_kept_is_bounded(monkeypatch):
    read = []
    given = steps()
    monkeypatch.setattr(type(given), "__call__", _counted(type(given).__call__, read))
    says = WritingModel(given, len(NAMES))
    one = [says([3, 4, 5, *range(k)]) for k in range(6)]
    assert read == [3, 4, 5, 0, 1, 2, 3, 4]
    says([3, 4, 9])
    assert read[8:] == [9]
    monkeypatch.setattr("seqviz.running.writing_models.KEPT", 0)  # all is forgotten but the last
    for k in range(6):
        np.testing.assert_allclose(says([3, 4, 5, *range(k)]), one[k], atol=1e-6)
        says([6, k])
        assert len(says._known) == 1


def _counted(call, read):
    def counted(self, id, state):
        read.append(id)
        return call(self, id, state)

    return counted


def test_a_text_beyond_the_models_positions_stops_there():
    for given in (steps(), graph()):
        view = writing(given, [2] * 20)
        run = view.writer.runs["run greedy 0 0 12 after"]
        assert (len(run.ids), run.problem) == (
            5,
            "the text has 25 tokens, the model reads at most 24",
        )
        view.written = run.ids
        assert view.place is None
    with pytest.raises(ValueError, match="does not answer to the prompt: the text has 25 tokens"):
        writing(prompt=[2] * 25)


def test_what_cannot_write_is_refused():
    pairs = replace(steps(), encode=graph())
    for change, error, message in (
        ({"given": model()}, TypeError, r"the model GPT: hand in sv\.graphs\.stepped\(model\), or"),
        ({"given": pairs}, ValueError, "GPT reads a source before it writes"),
        ({"given": [1]}, TypeError, "a graph, or steps; came list"),
        ({"tokenizer": "bert"}, TypeError, "tokenizer: expected a tokenizer of transformers"),
        ({"tokenizer": None}, TypeError, "prompt: expected a list of ids or of tokens, came 'the"),
    ):
        with pytest.raises(error, match=message):
            writing(**change)
    with pytest.raises(ValueError, match=r"logits over the 40 tokens .* GPT gives \(1, 60\), "):
        sv.view.generation(steps(), LETTERS, [1])
    with pytest.raises(ValueError, match=r"logits over the 40 tokens .* GPT gives \(1, s\d+, 60\)"):
        sv.view.generation(graph(), LETTERS, [1])
    with pytest.raises(ValueError, match=r"the model has no token '.+': leave it out"):
        Prompts(reader_of(PIECES)).ids("streets", NAMES.index("##s"))


# ---- a text of the reader's own


def test_another_text_is_the_prompt_and_all_is_anew():
    view = writing()
    view.compare, view.method, view.luck = True, "sample", 4
    view.written, view.focus = view.place.ids[:1].tolist(), 3
    view.text = "I am"
    fresh = writing(prompt="I am")
    assert view.text == "I am"
    assert (view.written, view.focus, view.method, view.luck) == ([], 1, "sample", 4)
    for name in ("text", "ids", "prompt"):
        assert view.facts[name] == fresh.facts[name], name
    assert {*view.first} >= {"prompt", "after", "run greedy 0 0 12 after"}
    for name, part in view.parts.items():
        assert part == fresh.parts[name], name
    assert view.start == view.controls()
    assert view.alt == "Next word after '[CLS] i am'; sample"
    view.to_html()
    for known in ("places", "runs"):
        assert {*view.facts[known]} == {*fresh.facts[known]}, "a saved page has what one ever has"


def test_the_page_is_told_what_is_wrong_and_the_picture_stays():
    view = writing()
    before = view.facts, view.first, view.parts
    for text, problem in BAD.items():
        assert answers(view, text=text, run="1") == [
            ({"text": text, "run": "1", "problem": problem}, None)
        ]
    assert (view.facts, view.first, view.parts) == before
    assert answers(view, text="it", run="2") == [({"text": "it", "run": "2", "problem": ""}, None)]
    with pytest.raises(TypeError, match="text: expected a string, came int"):
        view.text = 3
    with pytest.raises(AttributeError, match="this view has no tokenizer"):
        writing(tokenizer=None, prompt=[3]).text = "it"


def test_a_page_answers_only_with_a_graph_and_what_splits_there():
    plain = sv.view.generation(Model(60), NAMES, PROMPT, tokenizer=PIECES, steps=3, depth=0)
    plain.text = "it"
    with pytest.raises(ValueError, match=r"answers: this view asks a function of Python, .*hand"):
        plain.to_html(answers=True)
    assert plain.to_html()
    view = writing()
    told = view._answering("half")
    assert (
        told.says
        == f"Runs in this page: GPT with {steps().step.size:,} weights, 0.0 MB in float16."
    )
    assert told.facts["longest"] == 24
    assert "seqviz-says" in view.to_html(answers=True)
