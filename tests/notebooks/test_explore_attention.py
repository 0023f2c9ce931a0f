"""The page to play with: the real heads, and a small net in their place where there is none."""

from collections import Counter
from itertools import product

import pytest
import torch

from seqviz.data import DownloadError
from seqviz.nn import weight_files
from tests.nn.saved_models import encoder_folder
from tests.notebooks.parts import Notebook, script, table

NOTEBOOK = Notebook("explore_attention")


def test_the_real_heads_are_those_of_the_course():
    encoder_folder()
    scope = NOTEBOOK.names("ENCODER =")
    assert scope["REAL"]
    exec(NOTEBOOK.cell("def attention_of(").split("\n\n\ndef habits")[0], scope)
    tokens, a = scope["attention_of"](
        "The animal didn't cross the street because it was too tired."
    )
    assert a.shape == (6, 12, len(tokens), len(tokens))
    it, animal, tired = (tokens.index(word) for word in ("it", "animal", "tired"))
    for (layer, head), key, weight in (
        ((3, 1), animal, 0.64),
        ((5, 11), animal, 0.65),
        ((2, 1), tired, 0.69),
    ):
        assert a[layer, head, it, key].item() == pytest.approx(weight, abs=0.05)


def test_each_state_and_each_head_was_carried_once_beside_others():
    study = script("explore_cause")
    rows = table("explore_cause")
    found = Counter((row["other"], row["layer"], row["head"], row["token"]) for row in rows)
    layers, heads, tokens = ("embeddings", *"012345"), range(12), range(16)
    states = product(study.OTHERS, layers, [""], map(str, tokens))
    single = product(study.OTHERS, layers[1:], map(str, heads), ["10"])
    assert found == Counter([*states, *single])
    for row in rows:
        assert int(row["places"]) == study.EACH
        assert 5 < int(row["shuffles"]) <= study.EACH


def test_without_the_encoder_a_shipped_net_is_taken(monkeypatch, capsys):
    def refuse(*_):
        raise DownloadError("there is no network")

    monkeypatch.setattr(weight_files, "_find", refuse)
    scope = NOTEBOOK.names("ENCODER =")
    assert not scope["REAL"]
    assert "there is no network" in capsys.readouterr().out
    exec(NOTEBOOK.cell("TIRED ="), scope)
    assert scope["view"].here.heads == 4
    assert scope["view"].here.queries.tokens[scope["view"].query - 1] == "it"


@pytest.fixture
def scope():
    torch.manual_seed(0)
    return NOTEBOOK.names("class Mine(")


def test_only_positions_tell_the_places_of_a_letter_apart(scope):
    for positions in (False, True):
        model = scope["Mine"](positions=positions)
        first, _, second = model(scope["letters"]("aba")[0])
        assert torch.allclose(first, second, atol=1e-6) != positions


def test_a_model_of_a_dozen_lines_is_explored(scope):
    view = scope["view"]
    view.text = "another"
    assert view.here.queries.tokens == [*"another"]
