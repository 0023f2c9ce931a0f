"""Every view that shows tokens shows what they say, of each kind of tokenizer."""

import json

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz import view

KINDS = [
    ["Ġun", "seen", "ĠcafÃ©", "ĠðŁĺĢ"],
    ["un@@", "seen", "café", "😀"],
    ["un", "##seen", "café", "😀"],
]
BARE = ["un", "seen", "café", "😀"]
UNIFORM = np.full((4, 4), 0.25)
pytestmark = pytest.mark.parametrize("tokens", KINDS, ids=["byte", "fast", "word"])


def test_words_of_the_explorer(tokens):
    shown = view.attention(UNIFORM, tokens, words=True)
    assert shown.facts["kinds"][0]["wordTextKeys"] == ["unseen", "café", "😀"]
    whole = view.attention(UNIFORM[:2, :2] * 2, tokens[2:], words=tokens[2] != "café")
    assert "Ã" not in json.dumps(whole.facts, ensure_ascii=False)


def test_guesses_of_the_explorer(tokens):
    guesses = [[(token, 0.5)] for token in tokens]
    run = {"weights": UNIFORM, "tokens": tokens, "guesses": guesses}
    shown = view.attention(lambda text, silent=(): run, text="x", silent=[("self", 0, 0)])
    before = shown.facts["silence"]["guesses"]["before"]
    assert [token for ((token, _),) in before] == BARE


def test_a_coloured_text(tokens):
    vocabulary = [*tokens, "other"]
    shown = view.text(tokens, [0.1, 0.2, 0.9, 0.1], probabilities=np.eye(5)[[1, 2, 3, 4]],
                      vocabulary=vocabulary)  # fmt: skip
    assert shown.facts["tokens"] == BARE
    assert shown.facts["joined"] == [False, True, False, False]
    assert "token 3 'café'" in shown.alt
    sure = [row[3] for row in shown.table()[1:] if row[2] == "expected" and row[4] == 1]
    assert sure[:3] == BARE[1:]


def test_masked_words(tokens):
    both = np.eye(4)
    shown = view.masking([{"tokens": tokens, "both": both}], tokens)
    (told,) = shown.facts["sentences"]
    assert told["bare"] == BARE
    assert told["starts"] == [True, False, True, True]
    shown.mask = 2
    assert shown.alt.endswith("mask 2, 'seen'")


def test_the_next_word(tokens):
    shown = view.generation(lambda ids: np.full(4, 0.25), tokens, prompt=tokens[:3])
    assert "".join(shown.facts["prompt"]).split() == ["unseen", "café"]
    assert shown.facts["joiner"] == ""


def test_curves_and_an_unrolled_net(tokens):
    for shown in (view.curves({"a": [1, 2, 3, 4]}, labels=tokens),
                  view.gradients({"a": [1, 2, 3, 4]}, labels=tokens)):  # fmt: skip
        assert shown.facts["tokens"][1] == BARE
    shown = view.unroll(
        {"W_xh": np.eye(4), "W_hh": np.eye(4), "b": [0] * 4, "W_hy": np.eye(4), "b_y": [0] * 4},
        tokens,
        tokens,
        step=3,
    )
    assert shown.facts["shown"] == BARE
    shown.text = "café 😀"  # as it reads
    assert shown.text == " ".join(tokens[2:])


def test_gates_and_embedding(tokens):
    lstm = sv.nn.LSTM(3, 2)
    with sv.record(lstm) as rec:
        lstm(torch.ones(4, 1, 3))
    assert view.gates({"LSTM": rec.traces()}, tokens).facts["tokens"] == BARE
    shown = view.embedding(tokens, np.eye(4) + 0.1)
    assert list(shown.shown.lexicon.words) == BARE
