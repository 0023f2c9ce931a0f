"""Scores against their definitions, word by word and query by query."""

import math
from collections import Counter

import numpy as np
import pytest
import torch

import seqviz as sv
from seqviz.heads import Survey, sentence_of
from seqviz.heads.examples import examples_of, ranks_of, rows_of
from seqviz.heads.scores import SCORES, scores_of, words_of
from seqviz.heads.sentences import PLACES
from seqviz.nn.weight_files import find_vocabulary

TEXTS = [
    ["[CLS]", "the", "film", ",", "the", "film", ".", "[SEP]"],
    ["[CLS]", "not", "very", "very", "good", "[SEP]"],
    ["[CLS]", "a", "story", "of", "a", "film", "and", "of", "the", "story", "!", "[SEP]"],
    ["[CLS]", "dumb", "[SEP]"],
]
SPECIAL = ("[CLS]", "[SEP]")


def maps_of(n, draw, causal=False, heads=3):
    raw = draw.normal(size=(heads, n, n)) * 2
    raw = np.where(np.tril(np.ones((n, n), bool)) | (not causal), raw, -np.inf)
    weights = np.exp(raw - raw.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def relation(name, words, i, j):
    """Whether the key j is in a relation to the query i."""

    def is_word(k):
        return k > 0 and words[k] not in SPECIAL

    mark = not any(c.isalnum() for c in words[j])
    twin = is_word(j) and i != j and words[i].lower() == words[j].lower()
    before = is_word(j - 1) and is_word(j) and words[j - 1].lower() == words[i].lower()
    return {
        "previous": j == i - 1 and is_word(j),
        "next": j == i + 1 and is_word(j),
        "itself": i == j,
        "first": j == 0,
        "separator": words[j] in SPECIAL and j > 0,
        "punctuation": is_word(j) and mark and i != j,
        "same": twin,
        "induction": before and j - 1 < i and j != i,
    }[name]


def place(words, i, j):
    order = [name for name in PLACES if name not in ("near", "far")]
    held = next((name for name in order if relation(name, words, i, j)), None)
    return held or ("near" if abs(i - j) <= 4 else "far")


def by_loops(samples, head, causal):
    """All scores of a head, as they are defined."""
    sums, counts, pairs, most = Counter(), Counter(), [], Counter()
    entropies, evens, queries = [], [], 0
    for words, maps in samples:
        n, weights, total = len(words), maps[head], Counter()
        inner = [k for k in range(1, n) if words[k] not in SPECIAL]
        for i in inner:
            sees = range(i + 1) if causal else range(n)
            queries += 1
            for name in SCORES[:8]:
                keys = [j for j in sees if relation(name, words, i, j)]
                if keys:
                    counts[name] += 1
                    sums[name] += sum(weights[i, j] for j in keys)
            bits = -sum(w * math.log2(w) for w in weights[i] if w > 0)
            entropies.append(bits)
            if len(sees) > 1:
                evens.append(bits / math.log2(len(sees)))
            for j in sees:
                total[place(words, i, j)] += weights[i, j]
                if j in inner:
                    pairs.append((j - i, weights[i, j]))
        most[max(PLACES, key=lambda name: total[name])] += 1
    whole = sum(w for _, w in pairs)
    found = {name: sums[name] / counts[name] if counts[name] else math.nan for name in SCORES[:8]}
    found |= {
        "distance": sum(abs(o) * w for o, w in pairs) / whole,
        "entropy": sum(entropies) / queries,
        "evenness": sum(evens) / len(evens),
        "usual": max(most.values()) / len(samples),
    }
    mean = whole / len(pairs)
    groups = {}
    for offset, weight in pairs:
        groups.setdefault(offset, []).append(weight)
    between = sum(len(g) * (sum(g) / len(g) - mean) ** 2 for g in groups.values())
    found["position"] = between / sum((w - mean) ** 2 for _, w in pairs)
    return found, most


@pytest.mark.parametrize("causal", [False, True])
def test_scores_are_what_plain_loops_say(causal):
    draw = np.random.default_rng(0)
    samples = [(words, maps_of(len(words), draw, causal)) for words in TEXTS * 3]
    survey = Survey(3)
    for words, maps in samples:
        assert survey.add(maps, sentence_of(words, SPECIAL))
    assert survey.causal == causal
    scores = scores_of(survey)
    for head in range(3):
        expected, most = by_loops(samples, head, causal)
        for name, value in expected.items():
            got = scores.values[head, SCORES.index(name)]
            np.testing.assert_allclose(got, value, atol=1e-9, err_msg=f"{head} {name}")
        assert dict(zip(PLACES, scores.most[head], strict=True)) == {
            name: most[name] for name in PLACES
        }
    expected, _ = by_loops([(w, even(len(w), causal)[None]) for w, _ in samples], 0, causal)
    for name in ("previous", "same", "distance", "entropy", "evenness", "position"):
        value = scores.even[SCORES.index(name)]
        np.testing.assert_allclose(value, expected[name], atol=1e-9, err_msg=name)


def even(n, causal):
    sees = np.tril(np.ones((n, n))) if causal else np.ones((n, n))
    return sees / sees.sum(axis=1, keepdims=True)


def test_errors_are_those_of_means_over_sentences():
    """As far as they spread between surveys of other sentences of the same head."""
    draw = np.random.default_rng(1)
    means, errors = [], []
    for _ in range(60):
        survey = Survey(1)
        for _ in range(40):
            n = int(draw.integers(4, 12))
            words = ["[CLS]", *(f"w{k}" for k in range(n - 2)), "[SEP]"]
            share = draw.uniform(0, 0.6)
            maps = np.full((1, n, n), (1 - share) / (n - 1))
            maps[0, range(1, n), range(n - 1)] = share
            maps[0, 0] = 1 / n
            survey.add(maps, sentence_of(words, SPECIAL))
        scores = scores_of(survey)
        means.append(scores.values[0, 0])
        errors.append(scores.error[0, 0])
    assert 0.7 < np.std(means) / np.mean(errors) < 1.4


def test_pieces_are_joined_and_special_tokens_stay_alone():
    tokens = ["[CLS]", "un", "##see", "##n", "film", "[SEP]"]
    sentence = sentence_of(tokens, SPECIAL)
    assert sentence.texts == ["[CLS]", "unseen", "film", "[SEP]"]
    assert sentence.special.tolist() == [True, False, False, True]
    maps = maps_of(6, np.random.default_rng(0))
    joined = sentence.joined(maps)
    np.testing.assert_allclose(joined.sum(axis=-1), 1)
    np.testing.assert_allclose(joined[1, 1, 1], maps[1, 1:4, 1:4].sum() / 3)
    told = sentence_of(["a", "b", "c", "d"], (), [0, 0, 1, 1])
    assert len(told) == 2
    assert sentence_of(["Ġthe", "Ġfil", "m", "Ġends"]).texts == ["the", "film", "ends"]
    assert sentence_of([]).texts == []


def test_a_survey_that_was_kept_goes_on_as_if_nothing_had_been():
    draw = np.random.default_rng(0)
    samples = [(sentence_of(w, SPECIAL), maps_of(len(w), draw)) for w in TEXTS * 2]
    whole, half = Survey(3), Survey(3)
    for k, (sentence, maps) in enumerate(samples):
        whole.add(maps, sentence)
        if k == 3:
            half = Survey.restored(**half.state())
        half.add(maps, sentence)
    a, b = scores_of(whole), scores_of(half)
    np.testing.assert_array_equal(a.values, b.values)
    assert words_of(whole) == words_of(half)


def test_examples_go_from_the_strongest_to_the_weakest():
    strongest = np.random.default_rng(0).random((95, 4)).astype(np.float32)
    chosen = examples_of(strongest)
    assert chosen.shape == (4, 12)
    links = strongest[chosen, np.arange(4)[:, None]]
    assert (np.diff(links, axis=1) <= 0).all()
    assert links[:, 0].tolist() == strongest.max(axis=0).tolist()
    assert links[:, -1].tolist() == strongest.min(axis=0).tolist()
    for n in (1, 2, 5, 12):
        assert ranks_of(n)[-1] == n - 1
        assert len(set(ranks_of(n))) == len(ranks_of(n))


def test_rows_keep_the_strongest_keys_within_half_a_byte():
    weights = maps_of(20, np.random.default_rng(0))[0]
    keys, bytes_ = rows_of(weights)
    for query in range(20):
        kept = keys[query] != 255
        at = keys[query][kept].astype(int)
        assert set(at) == set(
            np.argsort(-weights[query])[:8][np.sort(weights[query])[::-1][:8] >= 0.01]
        )
        np.testing.assert_allclose(bytes_[query][kept] / 255, weights[query][at], atol=0.00197)


def test_a_sentence_without_a_word_behind_the_first_is_none():
    survey = Survey(1)
    for words in (["[CLS]", "[SEP]"], ["alone"]):
        n = len(words)
        assert not survey.add(np.full((1, n, n), 1 / n), sentence_of(words, SPECIAL))
    assert len(survey) == 0


@pytest.mark.slow
def test_the_real_encoder_over_five_sentences_is_what_plain_loops_say():
    """All scores of its 72 heads; sentences without pieces, so that tokens are words."""
    name = "sentence-transformers/all-MiniLM-L6-v2"
    model = sv.nn.BERT.from_pretrained(name).eval()
    read = sv.data.WordPiece.from_vocab(find_vocabulary(name))
    texts = [
        "it is not funny , and the film is not good .",
        "a film of great heart",
        "the story is the story of a man and a film",
        "good , good , very good !",
        "too slow",
    ]
    view = sv.atlas(model, read, texts, progress=False)
    samples = []
    for text in texts:
        encoded = read.encode(text)
        with sv.record(model) as rec, torch.no_grad():
            model(encoded.ids[None])
        calls = [call.values[0].astype(float) for (call,) in rec.attention.values()]
        assert not any(token.startswith("##") for token in encoded.tokens)
        samples.append((list(encoded.tokens), np.concatenate(calls)))
    got = view.found.arrays["values"]
    for head in range(72):
        expected, _ = by_loops(samples, head, causal=False)
        values = [expected.get(score, math.nan) for score in SCORES]
        known = [k for k, score in enumerate(SCORES) if score in expected]
        np.testing.assert_allclose(got[head][known], np.array(values)[known], atol=1e-5)
