"""`sv.atlas`: any model over many sentences, stopped and resumed, and what it cannot take."""

import csv
import signal
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import seqviz as sv
from seqviz.exploring import sentences as running
from seqviz.view import atlas as shown
from tests.views.test_atlas import net, sentences

TEXTS = sentences(30)


def pieces(texts=TEXTS):
    return sv.data.train_wordpiece(texts, vocab_size=80)


def values(view):
    return view.found.arrays["values"]


def test_examples_hold_what_the_model_did():
    """Each example's rows, by a record of its sentence alone."""
    read = pieces()
    model = net(len(read)).eval()
    view = sv.atlas(model, read, TEXTS, progress=False)
    told, arrays = view.found.told, view.found.arrays
    by_words = {tuple(text): k for k, text in enumerate(told["texts"])}
    checked = 0
    for text in TEXTS:
        encoded = read.encode(text)
        with sv.record(model) as rec, torch.no_grad():
            model(encoded.ids[None])
        number = by_words.get(("[CLS]", *text.split(), "[SEP]"))
        if number is None or len(encoded.ids) != len(told["texts"][number]):
            continue
        maps = np.concatenate([calls[0].values[0] for calls in rec.attention.values()])
        for head, rank in np.argwhere(arrays["sentence"] == number):
            begin = arrays["begins"][head, rank]
            keys, weights = arrays["rows"][:, begin : begin + len(encoded.ids)]
            for query in range(len(encoded.ids)):
                kept = keys[query] != 255
                exact = maps[head, query, keys[query][kept]]
                np.testing.assert_allclose(weights[query][kept] / 255, exact, atol=0.0021)
                checked += kept.sum()
    assert checked > 1000


class Own(nn.Module):
    """A model of one's own, which keeps its heads apart."""

    def __init__(self, causal):
        super().__init__()
        self.embedding, self.causal = nn.Embedding(80, 8), causal
        self.heads = nn.ModuleList(nn.Linear(8, 24) for _ in range(3))

    def forward(self, ids):
        x = self.embedding(ids)
        for head in self.heads:
            q, k, v = head(x).chunk(3, -1)
            raw = q @ k.transpose(1, 2)
            if self.causal:
                raw = raw.masked_fill(torch.ones(raw.shape[1:]).triu(1) == 1, -torch.inf)
            x = x + raw.softmax(-1) @ v
        return x


def test_any_model_that_attends():
    torch.manual_seed(0)
    words = sv.data.Vocabulary(
        ["<unk>", *sorted({word for text in TEXTS for word in text.split()})]
    )
    gpt = sv.nn.GPT(len(words), 32, 16, 2, 2)
    translator = sv.nn.TransformerSeq2Seq(len(words), 200, 16, 2, 2, 2, 16)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    stacked = nn.Sequential(nn.Embedding(len(words), 8), nn.TransformerEncoder(layer, 2))
    cases = {
        "causal": (gpt, words, "0.0 0.1 1.0 1.1", True),
        "translator": (translator, words, "0.0 0.1 1.0 1.1", False),
        "torch.nn": (stacked, words, "0.0 0.1 1.0 1.1", False),
        "own": (Own(False), words, "0.0 1.0 2.0", False),
        "own causal": (Own(True), words, "0.0 1.0 2.0", True),
    }
    for name, (model, read, heads, causal) in cases.items():
        modes = [module.training for module in model.modules()]
        view = sv.atlas(model, read, TEXTS[:12], progress=False)
        assert " ".join(view.found.heads) == heads, name
        assert view.found.told["causal"] is causal, name
        assert [module.training for module in model.modules()] == modes
        nexts = view.found.told["scores"].index("next")
        assert np.isnan(values(view)[:, nexts]).all() == causal, "nobody sees what comes"
        assert ("next" in view.axes) != causal
        assert view.to_html()


def test_a_function_of_a_text_tells_what_the_model_reads():
    model = Own(False)
    asked = []

    def inputs(text):
        asked.append(text)
        words = text.split()
        return torch.tensor([[hash(w) % 80 for w in words]]), {"tokens": words, "special": ["a"]}

    view = sv.atlas(model, None, TEXTS[:4], inputs=inputs, progress=False)
    assert asked[:4] == TEXTS[:4]
    assert view.found.told["sentences"] == 4
    with pytest.raises(ValueError, match=r"sentences\[0\]: has 300 tokens, expected at most 250"):
        sv.atlas(model, None, ["b " * 300], inputs=inputs, progress=False)


def test_what_is_left_out_and_what_is_cut_is_counted():
    read = pieces()
    texts = ["", "  ", *TEXTS[:5], "a film " * 60, "\u200b"]
    view = sv.atlas(net(len(read)), read, texts, progress=False)
    told = view.found.told
    assert (told["given"], told["run"], told["cut"]) == (9, 9, 1)
    assert told["sentences"] == 6, "what cannot be seen is no word"
    longest = max(told["texts"], key=len)
    assert (longest[0], longest[-1]) == ("[CLS]", "[SEP]")
    assert len(read.encode("a film " * 60).ids) > 64


def test_one_sentence_and_one_word_are_shown():
    read = pieces()
    one = sv.atlas(net(len(read)), read, ["a film"], progress=False)
    assert one.found.told["ranks"] == [0]
    assert not one.found.arrays["held"].any(), "one sentence is no habit"
    word = sv.atlas(net(len(read), 1, 1), read, ["film"], progress=False, head="0.0")
    assert word.alt == "Atlas of BERT: 1 head in 1 layer over 1 sentence; head 0.0"
    assert word.to_html()


def test_bad_input_is_told_with_a_fix():
    read, model = pieces(), net(80)
    lstm = nn.Sequential(nn.Embedding(80, 8), nn.LSTM(8, 8))
    recurrent = sv.nn.Seq2Seq(80, 80, 8, 8)
    larger = sv.data.WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *map(str, range(99))])
    cases = {
        "sentences: missing": (model, read, None),
        "put it into a list": (model, read, "a film"),
        r"sentences\[1\] must be a text": (model, read, ["a", 3]),
        "valid Unicode": (model, read, ["a", "\ud800"]),
        "got none": (model, read, []),
        "all of them empty": (model, read, ["", " "]),
        "has a word behind its first": (Own(False), sv.data.Vocabulary(["a"]), ["a", "a"]),
        "tokenizer: missing": (model, None, TEXTS),
        "does not fit": (model, larger, TEXTS),
        "never attends": (lstm, read, TEXTS),
        "do not attend to": (recurrent, read, TEXTS),
        "model must be": (3, read, TEXTS),
        r"sentences\[1\]: has what is not in": (Own(False), sv.data.Vocabulary(["a"]), ["a", "b"]),
    }
    for message, given in cases.items():
        with pytest.raises((TypeError, ValueError), match=message):
            sv.atlas(*given, progress=False)
    with pytest.raises(ValueError, match="control must be one of"):
        sv.atlas(model, read, TEXTS, layer=3)


def test_ten_thousand_sentences_are_stopped_and_go_on(tmp_path, monkeypatch, capsys):
    """Ctrl-C shows what was seen up to there; the same call goes on, and ends as one run."""
    monkeypatch.setattr(running, "EVERY", 5)
    read, texts = pieces(), sentences(60, seed=3)
    model, path = net(len(read)), tmp_path / "folder" / "atlas.npz"
    whole = sv.atlas(model, read, texts, progress=False)
    add = running.Sentences._add

    def stopped(self, k):
        add(self, k)
        if k == 22:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(running.Sentences, "_add", stopped)
    half = sv.atlas(model, read, texts, checkpoint=path, progress=False)
    assert "Interrupted after sentence 23 of 60; saved in" in capsys.readouterr().out
    assert (half.found.told["run"], half.found.told["given"]) == (23, 60)
    monkeypatch.setattr(running.Sentences, "_add", add)
    again = sv.atlas(model, read, texts, checkpoint=path, progress=False)
    assert "Resumed from" in capsys.readouterr().out
    assert again.found.told == whole.found.told
    for name, array in whole.found.arrays.items():
        np.testing.assert_array_equal(array, again.found.arrays[name], err_msg=name)

    def killed(self, k):
        raise AssertionError("nothing is left to do")

    monkeypatch.setattr(running.Sentences, "_add", killed)
    assert sv.atlas(model, read, texts, checkpoint=path, progress=False).table() == again.table()
    for other in ((net(len(read), seed=1), texts), (model, texts[:-1])):
        with pytest.raises(ValueError, match="is of another model or of other sentences"):
            sv.atlas(other[0], read, other[1], checkpoint=path, progress=False)
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"is damaged, or none of sv\.atlas"):
        sv.atlas(model, read, texts, checkpoint=path, progress=False)


def test_it_is_the_view_of_what_was_saved(tmp_path):
    read = pieces()
    view = sv.atlas(net(len(read)), read, TEXTS, progress=False, title="All", y="entropy")
    view.save(tmp_path / "a.npz")
    again = shown(tmp_path / "a.npz", title="All", y="entropy")
    assert again.to_html() == view.to_html()


def test_the_study_of_the_real_encoder_is_shown_and_its_control_claims_nothing():
    studies = Path(__file__).parents[1] / "notebooks" / "studies"
    view = shown(studies / "explore_atlas.npz")
    assert view.alt == "Atlas of BERT: 72 heads in 6 layers over 1000 sentences; first by distance"
    with (studies / "explore_atlas.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    trained, control = ([r for r in rows if r["net"] == net] for net in ("trained", "shuffled"))
    assert [row["kinds"] for row in trained[:72]] == [
        ", ".join(view.found.kinds(k)) for k in range(72)
    ]
    assert len(control) == 73
    assert {row["kinds"] for row in control} == {""}
