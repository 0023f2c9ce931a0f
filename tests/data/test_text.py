"""A vocabulary, and windows cut from a long text."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import seqviz as sv
from tests.refusing import refused

tokens = st.lists(st.text(max_size=4), min_size=1, max_size=20, unique=True)


def test_hello():
    vocabulary = sv.data.Vocabulary("helo")
    ids = vocabulary.encode("hello")
    assert ids.tolist() == [0, 1, 2, 2, 3]
    assert ids.dtype == torch.long
    assert vocabulary.tokens == ("h", "e", "l", "o")
    assert len(vocabulary) == 4
    assert "h" in vocabulary
    assert "x" not in vocabulary
    for many in (range(300), [chr(i) for i in range(300, 600)]):
        assert len(repr(sv.data.Vocabulary([str(token) for token in many]))) < 120


@given(tokens, st.data())
def test_decode_undoes_encode(tokens, data):
    vocabulary = sv.data.Vocabulary(tokens)
    sequence = data.draw(st.lists(st.sampled_from(tokens)))
    assert vocabulary.decode(vocabulary.encode(sequence)) == sequence
    assert vocabulary.decode(vocabulary.encode(sequence).tolist()) == sequence


def test_unknown_tokens_are_named_with_their_first_positions_and_what_is_near():
    with pytest.raises(ValueError, match="'a' at position 1") as error:
        sv.data.Vocabulary("helo").encode("hallo abcdef")
    message = str(error.value)
    assert message.count("at position") == 5
    assert "' ' at position 5, 'b' at position 7" in message
    assert "and 1 more" in message
    assert "4 tokens: 'h' 'e' 'l' 'o'" in message
    words = sv.data.Vocabulary(["the", "green", "greek", "minister", "signed"])
    with pytest.raises(ValueError, match=r"'gree' at position 1 \(near it: 'green', 'greek'\)"):
        words.encode(["the", "gree", "minister"])
    with pytest.raises(ValueError, match="split it into words"):
        words.encode("the minister")


def test_bad_tokens():
    make = sv.data.Vocabulary
    wrong = {"^tokens .*'l'": lambda: make("hello"), "'a'": lambda: make(["a", "b", "a"])}
    refused(ValueError, wrong)
    wrong = {"^tokens .*sorted": lambda: make({"a", "b"}), "bytes": lambda: make(b"helo")}
    refused(TypeError, wrong)


def test_bad_sequences_and_ids():
    vocabulary = sv.data.Vocabulary("helo")
    for sequence in (3, [["h"]], [0, 1], None):
        with pytest.raises(TypeError, match=r"^sequence must be"):
            vocabulary.encode(sequence)
    for ids in ([4], torch.tensor([-1])):
        with pytest.raises(ValueError, match=r"^ids must lie between"):
            vocabulary.decode(ids)
    for ids in (1, None, [0.5], torch.tensor(2), torch.zeros(2, 2, dtype=torch.long)):
        with pytest.raises(TypeError, match=r"^ids must be a line of integers"):
            vocabulary.decode(ids)


@given(st.integers(2, 60), st.integers(1, 12), st.integers(1, 7), st.integers(0, 2**31))
def test_a_pass_reads_every_window_once(time, length, batch_size, seed):
    length = min(length, time - 1)
    batches = sv.data.windows(torch.arange(time), length, batch_size)
    torch.manual_seed(seed)
    seen = list(batches)
    assert len(seen) == len(batches)
    for x, y in seen:
        assert x.shape == y.shape
        assert x.shape[0] == length
        assert x.dtype == torch.long
        assert torch.equal(y, x + 1)  # ids are their own places, so y is one step later
    assert all(x.shape[1] == batch_size for x, _ in seen[:-1])
    starts = sorted(torch.cat([x[0] for x, _ in seen]).tolist())
    assert starts == list(range(0, time - length, length))


def test_the_order_comes_from_torchs_generator_when_a_pass_begins():
    batches = sv.data.windows(torch.arange(500), length=5, batch_size=4)

    def passes(seed):
        torch.manual_seed(seed)
        return [[x.tolist() for x, _ in batches] for _ in range(2)]

    first, second = passes(0)
    assert first != second
    assert passes(0) == [first, second]
    assert passes(1) != [first, second]
    torch.manual_seed(0)
    assert [(x.tolist(), torch.rand(3))[0] for x, _ in batches] == first


def test_bad_windows():
    windows, ids = sv.data.windows, torch.arange(8)
    wrong = {
        r"^ids .*\(2, 4\)": lambda: windows(ids.view(2, 4), 4, 1),
        "^ids .*at least 2": lambda: windows(ids[:1], 1, 1),
        "^ids .*at most 3": lambda: windows(ids[:4], 4, 1),
    }
    refused(ValueError, wrong)
    refused(TypeError, {"^ids .*encode": lambda: windows("hello", 4, 1)})
