import numpy as np
import pytest
import torch

import seqviz as sv
from tests.refusing import refused

WORDS = ["man", "king", "woman", "queen", "bread"]
VECTORS = torch.tensor([[1.0, 0, 0.1], [1, 1, 0], [-1, 0, 0], [-1, 1, 0], [0, 0, 3]])


@pytest.fixture
def table():
    return sv.nn.WordVectors(WORDS, VECTORS)


def test_a_word_is_found_by_direction_and_not_by_length(table):
    assert len(table) == 5
    assert "king" in table
    assert "kong" not in table
    assert table.vector("bread").tolist() == [0, 0, 3]
    assert table.similarity("king", "king") == pytest.approx(1)
    assert table.similarity("man", "bread") == pytest.approx(0.1 / 1.01**0.5, rel=1e-6)
    longer = sv.nn.WordVectors(WORDS, VECTORS * torch.tensor([[1], [9], [1], [0.1], [2]]))
    assert [w for w, _ in longer.nearest("king", 4)] == [w for w, _ in table.nearest("king", 4)]


def test_the_word_itself_is_left_out_and_a_vector_leaves_none_out(table):
    assert table.nearest("king", 2)[0][0] == "man"
    assert table.nearest(VECTORS[1], 1) == [("king", pytest.approx(1))]
    assert len(table.nearest("king", 99)) == 4


def test_a_is_to_b_as_c_is_to(table):
    assert table.analogy("man", "king", "woman", 1)[0][0] == "queen"
    assert table.rank("man", "king", "woman", "queen") == 1
    assert table.rank("man", "king", "woman", "bread") == 2
    assert len(table.analogy("man", "king", "woman", 99)) == 2


def test_as_written_out():
    words, dim = 30, 9
    vectors = np.random.default_rng(0).normal(size=(words, dim))
    names = [f"w{k}" for k in range(words)]
    table = sv.nn.WordVectors(names, torch.tensor(vectors))
    unit = vectors / np.sqrt((vectors**2).sum(1))[:, None]
    total = unit[1] - unit[0] + unit[2]
    cosines = {n: u @ total / np.linalg.norm(total) for n, u in zip(names, unit, strict=True)}
    left = sorted(names[3:], key=lambda n: -cosines[n])
    answers = table.analogy("w0", "w1", "w2", words)
    assert [c for _, c in answers] == pytest.approx([cosines[n] for n in left])
    place = 1 + [n for n, _ in answers].index("w3")
    assert table.rank("w0", "w1", "w2", "w3") >= place


def test_what_all_words_share_is_taken_off():
    shifted = sv.nn.WordVectors(WORDS, VECTORS + 7)
    assert shifted.similarity("man", "woman") > 0.9
    centred = shifted.centred()
    assert torch.allclose(centred.vectors.norm(dim=1), torch.ones(5))
    assert centred.similarity("man", "woman") < 0


def test_equal_words_share_the_worse_place():
    table = sv.nn.WordVectors(["a", "b", "c", "d", "e"], torch.eye(4)[[0, 1, 2, 3, 3]])
    assert table.rank("a", "b", "c", "d") == table.rank("a", "b", "c", "e") == 2


def test_what_is_no_table():
    make, two = sv.nn.WordVectors, ["a", "b"]
    wrong = {
        r"each of 5 words.*got \(3, 3\)": lambda: make(WORDS, VECTORS[:3]),
        "got 'a' twice": lambda: make(["a", "b", "a"], VECTORS[:3]),
        "for 'b': leave this word out": lambda: make(two, torch.tensor([[1.0, 0], [0, 0]])),
        "finite.*for 'b'": lambda: make(two, torch.tensor([[1.0, 0], [0, torch.nan]])),
    }
    refused(ValueError, wrong)
    wrong = {
        "words must be a list of words": lambda: make("king", VECTORS),
        "vectors must be a float tensor": lambda: make(WORDS, VECTORS.long()),
    }
    refused(TypeError, wrong)


def test_what_cannot_be_answered(table):
    wrong = {
        "word must be one.*got 'kings'.*: king": lambda: table.vector("kings"),
        r"float vector \(3,\)": lambda: table.nearest(torch.ones(2)),
        "an input word itself": lambda: table.analogy("man", "man", "woman"),
        "expected must be none": lambda: table.rank("man", "king", "woman", "king"),
    }
    refused(ValueError, wrong)
    refused(TypeError, {"word must be a word of the table, got 3": lambda: table.vector(3)})
