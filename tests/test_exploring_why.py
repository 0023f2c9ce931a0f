"""Why a weight: what the explorer hands out of a model's graph makes the weights that it shows."""

import numpy as np
import pytest

import seqviz as sv
from tests.recording.small_models import t5
from tests.test_exploring import (
    ENGLISH,
    FRENCH,
    PIECES,
    TEXT,
    drawn,
    of_transformers,
    own_bert,
    translator,
)


def numbers(view, kind, layer, head, query):
    """The numbers of a part by name, and the row of the map that they are behind."""
    kinds = list(view.kinds)
    after = len(kinds) if view.silent else 0
    g = after + kinds.index(kind)
    part = np.frombuffer(view.part_of(f"why {g} {layer} {head} {query}"), "<f4")
    keys, width, across = part[:3].astype(int)
    sizes = [width, keys * width, keys * across, keys, keys, keys, across]
    pieces = np.split(part[4:], np.cumsum(sizes)[:-1])
    names = ["query", "key", "value", "scores", "masked", "weights", "context"]
    found = dict(zip(names, pieces, strict=True))
    found |= {"key": found["key"].reshape(keys, -1), "value": found["value"].reshape(keys, -1)}
    at = view.kinds[kind]
    row = at.layers[at.numbers.index(layer)][head][query]
    return found | {"scale": part[3], "row": row}


def near(a, b):
    np.testing.assert_allclose(a, b, atol=2e-5, rtol=1e-4)


def check(view, added=False):
    """The first and last row of the last head of each layer of each kind."""
    for name, kind in view.kinds.items():
        for layer in kind.numbers:
            for query in (0, kind.shape[0] - 1):
                of = numbers(view, name, layer, kind.heads - 1, query)
                count = len(of["weights"])
                near(of["weights"], of["row"][:count])
                assert not of["row"][count:].any()
                near(
                    np.exp(of["masked"] - of["masked"].max())
                    / np.exp(of["masked"] - of["masked"].max()).sum(),
                    of["weights"],
                )
                near(of["weights"] @ of["value"], of["context"])
                if len(of["query"]):
                    near(of["key"] @ of["query"], of["scores"])
                seen = of["masked"] > -1e4
                if not added:
                    near(of["scores"][seen] / of["scale"], of["masked"][seen])


@pytest.fixture(scope="module")
def bert():
    return own_bert()


def test_the_numbers_of_a_model_of_the_course(bert):
    check(sv.explore(bert, PIECES, TEXT))


@pytest.mark.slow
def test_the_numbers_of_a_model_that_writes_and_of_transformers():
    check(sv.explore(drawn(sv.nn.GPT(len(ENGLISH), 9, 8, 2, 2)), ENGLISH, TEXT))
    check(sv.explore(drawn(t5()), of_transformers(), TEXT, target="a cat"), added=True)


def test_a_translator_that_writes_step_by_step():
    for attention in ("additive", "general"):
        view = sv.explore(translator(attention=attention), (ENGLISH, FRENCH), TEXT)
        check(view)
        of = numbers(view, view.kind, view.layer, 0, 0)
        assert bool(len(of["query"])) == (attention != "additive"), attention


def test_a_silenced_head_hands_on_zeros_and_others_see_that(bert):
    view = sv.explore(bert, PIECES, TEXT)
    name = view.kind
    before = numbers(view, name, 1, 0, 2)
    view.silent = [(name, 0, 1)]
    assert not numbers(view, name, 0, 1, 2)["context"].any()
    after = numbers(view, name, 1, 0, 2)
    assert not np.allclose(after["query"], before["query"], atol=1e-3)
    with sv.ablate(bert, layer=0, head=1):
        again = sv.explore(bert, PIECES, TEXT)
    near(after["weights"], again.kinds[name].layers[1][0][2])
    view.silent = []
    near(numbers(view, name, 1, 0, 2)["query"], before["query"])


def test_another_text_and_a_second_one(bert):
    view = sv.explore(bert, PIECES, TEXT)
    view.second = "the street"
    check(view)
    view.text = "the street was wide"
    check(view)


def test_what_has_no_graph_says_why():
    view = sv.explore(own_bert().double(), PIECES, TEXT)
    sent = []
    view.send = lambda message, buffers=None: sent.append(message)
    view._answer(view, {"want": "why 0 0 0 0"}, [])
    assert sent[-1]["part"] == "why 0 0 0 0"
    assert sent[-1]["problem"].endswith("take model.float()")


def test_weights_without_a_model_have_no_why(bert):
    view = sv.view.attention([[0.5, 0.5], [0.2, 0.8]], ["a", "b"])
    with pytest.raises(ValueError, match=r"why: .* without their model.*sv\.explore"):
        view.why = True
    view = sv.explore(bert, PIECES, TEXT, why=True, query=2, key=3)
    assert view.why
