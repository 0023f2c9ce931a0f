"""A piano roll: what is kept of a piece, where it opens, what is refused."""

import io
import wave

import numpy as np
import pytest
import torch

from seqviz.data import Note, sound
from seqviz.view import piano_roll
from seqviz.views.piano_roll.waveform import waveform

THEME = [60, 64, 67, 72, 71, 67, 64, 62]
SHIFTS = [0, 3, -2, 5]  # of each statement, in half-tones


def tune(heads=2):
    """A theme that returns, a bass note after each; head 1 attends to the note 8 places before."""
    notes, theme = [], []
    for statement, shift in enumerate(SHIFTS):
        at = 300 * statement
        theme.append([len(notes) + k for k in range(len(THEME))])
        for k, pitch in enumerate(THEME):
            notes.append(Note(pitch + shift, at + 30 * k, at + 30 * k + 28, 12 + 2 * k))
        notes.append(Note(48 + shift, at + 245, at + 290, 25))
    scores = np.random.default_rng(0).normal(size=(heads, len(notes), len(notes)))
    scores[0] += 7 * np.eye(len(notes), k=-8)
    weights = 0.9 * torch.softmax(torch.tensor(scores + np.triu(np.full_like(scores, -99), 1)), -1)
    predicted = {k: notes[k].pitch + 2 * (k % 5 == 0) for k in range(18, len(notes))}
    return {
        "notes": notes,
        "weights": np.tril(weights.numpy()),
        "motifs": {"theme": theme},
        "predicted": predicted,
        "sound": (sound(notes, 8000), 8000),
    }


def plain():
    """Notes and nothing else."""
    return {"notes": tune()["notes"]}


def chords():
    """400 notes, some at one time, over all keys."""
    keys = np.linspace(2, 120, 40).astype(int)
    notes = [(int(keys[k % 40]), 25 * (k // 4), 25 * (k // 4) + 20, k % 32) for k in range(400)]
    weights = np.tril(np.random.default_rng(1).dirichlet(np.full(400, 0.02), (3, 400)))
    motifs = {f"motif number {m}": [[9 * m, 9 * m + 1], [200 + m, 230 + m]] for m in range(4)}
    return {"notes": notes, "weights": weights, "motifs": motifs, "head_names": ["a", "b", "c"]}


def everything():
    """Pieces of every kind."""
    return piano_roll({"a tune": tune(), "plain": plain(), "one note": {"notes": [(61, 5, 9, 0)]}})


# ---- what is computed


def test_the_sound_is_a_wave_file():
    samples = np.array([0, 0.5, -1, 1])
    with wave.open(io.BytesIO(waveform("sound", (samples, 8000), 0))) as file:
        assert file.getparams()[:4] == (1, 2, 8000, 4)
        heard = np.frombuffer(file.readframes(4), "<i2")
    assert heard == pytest.approx(32767 * samples, abs=0.51)
    assert waveform("sound", None, 0) == b""


def test_what_travels_is_bytes_and_a_head_comes_when_it_is_shown():
    view = everything()
    assert "0." not in str(view.facts), "numbers do not travel as JSON"
    assert view.needs() == ["piece 1", "piece 1 head 1"]
    view.head = 2
    assert view.needs() == ["piece 1", "piece 1 head 2"]
    view.piece = 2
    assert view.needs() == ["piece 2"]
    triangle = np.frombuffer(view.part_of("piece 1 head 2"), "<f4")
    expected = np.concatenate([row[: i + 1] for i, row in enumerate(tune()["weights"][1])])
    assert triangle == pytest.approx(expected)
    assert [name for name in view.parts if name.startswith("sound")] == ["sound 1"]
    assert view.part_of("sound 1")[:4] == b"RIFF"


def test_it_opens_at_the_return_that_attends_most_and_a_piece_comes_with_its_note():
    given = tune()
    view = piano_roll(given)
    earlier = np.tril(given["weights"][0], -1)
    returns = [k for statement in given["motifs"]["theme"][1:] for k in statement]
    assert view.note - 1 == max(returns, key=lambda k: earlier[k].max())
    assert piano_roll({**given, "motifs": None}).note - 1 == 18 + earlier[18:].max(axis=1).argmax()
    assert piano_roll(plain()).note == 0
    view = everything()
    view.locked, view.head = True, 2
    view.piece = 2
    assert (view.note, view.head, view.locked) == (0, 1, False)
    view.set_state({"piece": 1, "note": 5, "head": 2, "locked": True})
    assert view.controls() == {"piece": 1, "note": 5, "head": 2, "locked": True}


def test_alt_names_piece_note_and_head():
    view = everything()
    assert view.alt == f"Piano roll 'a tune' of 36 notes; piece 1 of 3, note {view.note}, head '1'"
    assert piano_roll(plain()).alt == "Piano roll of 36 notes; piece 1 of 1, note 0"


def test_the_table_holds_notes_and_weights_of_every_piece():
    given = tune()
    header, *rows = everything().table()
    assert header == ["piece", "note", "quantity", "head", "on note", "value"]
    of = [row[2:] for row in rows if row[:2] == ["a tune", "21"]]
    assert of[:5] == [
        ["pitch", "", "", 65.0],
        ["start, ticks", "", "", 660.0],
        ["end, ticks", "", "", 688.0],
        ["velocity", "", "", 16.0],
        ["pitch that the model says", "", "", 67.0],
    ]
    assert [row[:3] for row in of[5 + 21 :]] == [["weight", "2", str(k)] for k in range(1, 22)]
    assert [row[3] for row in of[5 + 21 :]] == pytest.approx(given["weights"][1, 20, :21])
    assert [row[:2] for row in rows[-4:]] == [["one note", "1"]] * 4


# ---- what is refused

UPPER = np.full((36, 36), 1 / 36)


TUNE = tune()


def with_(**more):
    return lambda: piano_roll({**TUNE, **more})


def notes(*rows):
    return lambda: piano_roll({"notes": rows})


BAD = [
    (lambda: piano_roll([1]), "pieces: expected a mapping with 'notes'"),
    (lambda: piano_roll({"a": 3}), r"pieces\['a'\]: expected a mapping with 'notes', came 3"),
    (with_(labels=1), "pieces has 'labels', expected notes, weights"),
    (notes(*[(60, k, k + 1, 1) for k in range(401)]), r"came 401: take notes\[:400\]"),
    (notes((60, 0, 1)),
        r"\['notes'\]\[0\]: expected \(pitch, start, end, velocity\), came \(60, 0, 1\)"),
    (notes((128, 0, 1, 1)), r"\[0\], pitch: expected 0 to 127, came 128"),
    (notes((60, 5, 5, 1)), "expected 0 <= start < end <= 60000 .* 5 to 5"),
    (notes((60, 5, 9, 1), (62, 0, 3, 1)),
        r"\[1\] starts at tick 0, before note 0 at 5: sort the notes"),
    (notes((60, 0, 9, 1), (62, 1, 3, 1), (60, 8, 12, 1)),
        r"\[2\] starts at tick 8 on key 60, which note 0 holds until 9"),
    (with_(weights=np.zeros((2, 3, 3))),
        r"expected shape \(36, 36\) or \(heads, 36, 36\) for 36 notes, came \(2, 3, 3\)"),
    (with_(weights=-np.eye(36)), r"\[0, 0, 0\] is -1, expected 0 or more"),
    (with_(weights=UPPER),
        r"\[0, 0, 1\] is 0.02778, but note 1 comes after note 0: expected 0 there"),
    (with_(weights=np.eye(36) * 1.01), r"\[0, 0\] sums to 1.01"),
    (with_(head_names=["a"]), r"\['head_names'\]: expected 2, one for each"),
    (with_(motifs={c: [[0]] for c in "abcde"}), "at most 4 motifs"),
    (with_(sound=(np.zeros((2, 9)), 8000)), r"shape \(N,\) .* came \(2, 9\)"),
    (with_(sound=(np.full(99999, 2.0), 8000)), "expected -1 to 1, came 2"),
    (with_(sound=(np.zeros(80000), 8000)),
        r"\['sound'\] lasts 10.00 s, but the last note begins at 11.45 s"),
]  # fmt: skip


def test_bad_input_is_refused():
    for call, message in BAD:
        with pytest.raises((TypeError, ValueError), match=message):
            call()
