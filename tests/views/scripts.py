"""Words of many scripts, and a view of each kind that shows six words wherever it names things."""

import json
from functools import cache

import numpy as np
import torch

from seqviz import data, nn
from seqviz.graphs import exported
from seqviz.view import (
    atlas,
    attention,
    beam,
    cause,
    curves,
    embedding,
    gates,
    generation,
    gradients,
    machine,
    masking,
    piano_roll,
    positions,
    race,
    regions,
    text,
    unroll,
)
from tests.views.test_embedding import sentences
from tests.views.test_gates import read_out, recorded
from tests.views.test_piano_roll import tune
from tests.views.test_unroll import weights
from tests.views.views import small_atlas

PILE = "Z" + "".join(chr(0x300 + k) for k in range(40)) + "algo\u0301\u0323"
FAMILY = "👩‍👩‍👧‍👦👨🏿‍🚀🧑🏽‍🚒🇩🇪🇫🇷❤️🏳️‍🌈"
TEXTS = {
    "to the right": [
        "中华人民共和国全国人民代表大会",
        "ありがとうガございました",
        "กรุงเทพมหานครอมรรัตนโกสินทร์น้ำ",
        "अंतर्राष्ट्रीयकरणक्षत्रिय",
        FAMILY,
        PILE,
    ],
    "to the left": [
        "הַמַּחְצֶלֶת",
        "وكشبهشتعشعويوتيهم",
        "أَفَاسْتَسْقَيْنَاكُمُوهَا",
        "על",
        FAMILY,
        "וכשבהשתעשעויותיהם",
    ],
}


@cache
def _model(sentence):
    torch.manual_seed(0)
    pieces = data.train_wordpiece([sentence] * 3, vocab_size=200)
    net = nn.BERTForMaskedLM(nn.BERT(len(pieces), 8, 1, 2)).eval()
    return exported(net, (pieces.encode(sentence).ids[None],)), pieces


def machine_of(words):
    """A machine that has all of its numbers at hand."""
    view = machine(*_model(" ".join(words)), " ".join(words))
    view.parts.whole = True
    return view


def cause_of(words):
    """Two texts, the second with its words turned around."""
    given = _model(" ".join(words))
    back = " ".join(words[::-1])
    return cause(*given, " ".join(words), back, carried=[{"stage": 1, "token": 1}])


def atlas_of(words):
    """The small atlas over a sentence of these words, open at its first head."""
    given = small_atlas()
    told = json.loads(bytes(given["told"]))
    told |= {"texts": [words[3:]], "separator": words[2], "first": words[1], "special": [[]]}
    told |= {"queries": [[[words[1], 0.5]], [[words[4], 0.25]]]}
    told |= {"keys": [[[words[4], 1.5]], [[words[0], 1.25]]]}
    view = atlas(given | {"told": np.frombuffer(json.dumps(told).encode(), np.uint8)})
    view.head = "0.0"
    return view


def masking_of(words):
    """A sentence whose words are guessed, and drawn masks of it."""
    even = np.full((6, 6), 1 / 6)
    guesses = np.random.default_rng(0).dirichlet(np.full(6, 0.5), 6)
    draws = {"fates": [[0, 2, 1, 3, 2, 1]], "inputs": [[0, 4, 1, 3, 0, 5]]}
    sentence = {"tokens": words, "both": guesses, "left": even, "attention": {words[1]: even}}
    return masking([sentence], words, draws={"tokens": words, "masked": {0.5: draws}})


def beam_of(words):
    """Two steps of a search."""
    tree = {
        "step": [1, 1, 2, 2, 2, 2],
        "parent": [-1, -1, 0, 0, 1, 1],
        "token": [0, 4, 1, 4, 2, 5],
        "kept": [True, True, True, True, False, False],
        "log_probability": [-0.7, -0.9, -0.5, -0.6, -0.9, -1],
        "score": [-0.7, -0.9, -1.2, -1.3, -1.8, -1.9],
        "finished": [False, False, True, True, False, False],
    }
    return beam(tree, words, prompt=words[4])


def embedding_of(words):
    """A map of twelve words, a sum, sentences with two senses."""
    names = [*words, *"abcdef"]
    table = np.random.default_rng(1).normal(size=(12, 6))
    told = [one | {"sentence": words, "at": 4, "sense": words[k // 3]}
            for k, one in enumerate(sentences())]  # fmt: skip
    groups = {words[0]: names[:6], words[4]: names[6:]}
    return embedding(
        names, table, groups=groups, analogies=[tuple(names[2:6])], senses={words[4]: told}
    )


def regions_of(words):
    """A picture with a caption."""
    caption = {
        "picture": np.linspace(0, 1, 81).reshape(9, 9),
        "words": words,
        "weights": np.random.default_rng(0).dirichlet(np.full(9, 0.4), 6).reshape(6, 3, 3),
        "boxes": {name: (k, k, k + 4, k + 4) for k, name in enumerate(words[:5])},
        "gold": [*words[:5], None],
        "alternatives": [[(words[4], 0.5), (words[1], 0.3)]] * 6,
        **{"question": " ".join(words), "title": words[4]},
    }
    return regions([caption])


def roll_of(words):
    """A tune whose heads and motifs have names."""
    motifs = {name: [[k, k + 1], [k + 9, k + 10]] for k, name in enumerate(words[3:])}
    return piano_roll({words[4]: tune() | {"head_names": words[:2], "motifs": motifs}})


def gates_of(words):
    """A cell that reads the words and answers with them."""
    answers = {words[4]: read_out(labels=words)}
    return gates({words[4]: recorded("GRU", steps=6)}, words, read_out=answers)


def text_of(words):
    """The words on colours, what is expected after each."""
    even, values = np.full((6, 6), 1 / 6), np.linspace(-1, 1, 12).reshape(6, 2)
    return text(words, values, vocabulary=words, probabilities=even, name=words[4])


def curves_of(words):
    """Two curves over the words."""
    models = {words[4]: np.arange(6.0)[::-1] + 1, words[1]: np.exp(-np.arange(6.0))}
    return curves(models, labels=words, x=words[4], y=words[3])


def gradients_of(words):
    """One gradient over the words."""
    return gradients({words[4]: np.geomspace(1e-3, 1, 6)}, labels=words)


def generation_of(words):
    """A text that goes on with the words."""
    chances = np.array([0.1, 0.2, 0.05, 0.15, 0.3, 0.2])
    return generation(lambda ids: np.roll(chances, ids[-1]), words, [0, 4, 1], steps=6)


MAPS = np.random.default_rng(0).dirichlet(np.full(6, 0.4), (2, 2, 6))
TABLE = np.sin(np.arange(32.0)).reshape(8, 4)
READS = {"layers": [np.ones((3, 3), bool)]}
VIEWS = {
    "atlas": atlas_of,
    "attention": lambda words: attention(MAPS, words),
    "beam": beam_of,
    "cause": cause_of,
    "curves": curves_of,
    "embedding": embedding_of,
    "gates": gates_of,
    "generation": generation_of,
    "gradients": gradients_of,
    "machine": machine_of,
    "masking": masking_of,
    "piano_roll": roll_of,
    "positions": lambda words: positions({words[3]: TABLE, words[4]: TABLE + 1}),
    "race": lambda words: race({words[3]: READS, words[4]: READS}),
    "regions": regions_of,
    "text": text_of,
    "unroll": lambda words: unroll(weights(4, 6), words, words),
}
