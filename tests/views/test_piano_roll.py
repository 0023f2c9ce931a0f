"""A piano roll: what is computed of a piece, what is said, what is refused."""

import io
import wave

import numpy as np
import pytest
import torch
from traitlets import TraitError

from seqviz.data import Note, sound
from seqviz.view import piano_roll
from seqviz.views.piano_roll.sentence import note_name, seconds
from seqviz.views.piano_roll.values import pieces_of
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


def test_note_names_and_seconds():
    assert [note_name(pitch) for pitch in (0, 60, 61, 69, 127)] == ["C-1", "C4", "C♯4", "A4", "G9"]
    assert [seconds(t) for t in (0, 5, 50, 150, 1205)] == [
        "0.0 s",
        "0.05 s",
        "0.5 s",
        "1.5 s",
        "12.05 s",
    ]


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
    triangle = np.frombuffer(view.part("piece 1 head 2"), "<f4")
    expected = np.concatenate([row[: i + 1] for i, row in enumerate(tune()["weights"][1])])
    assert triangle == pytest.approx(expected)
    assert [name for name in view.parts if name.startswith("sound")] == ["sound 1"]
    assert view.part("sound 1")[:4] == b"RIFF"


def test_it_opens_at_the_return_that_attends_most():
    given = tune()
    view = piano_roll(given)
    earlier = np.tril(given["weights"][0], -1)
    returns = [k for statement in given["motifs"]["theme"][1:] for k in statement]
    assert view.note - 1 == max(returns, key=lambda k: earlier[k].max())
    assert piano_roll({**given, "motifs": None}).note - 1 == 18 + earlier[18:].max(axis=1).argmax()
    assert piano_roll(plain()).note == 0


def test_a_piece_comes_with_its_note_and_head():
    view = everything()
    view.locked, view.head = True, 2
    view.piece = 2
    assert (view.note, view.head, view.locked) == (0, 1, False)
    view.set_state({"piece": 1, "note": 5, "head": 2, "locked": True})
    assert view.controls() == {"piece": 1, "note": 5, "head": 2, "locked": True}


# ---- what is said

SAID = {
    "a return": (tune, {"note": 21}, "In head 1, F4 at 6.6 s (note 3 of theme 3) attends most to "
        "D♯5 at 3.9 s (note 4 of theme 2): .87. The model says G4: wrong."),
    "another head": (tune, {"note": 2, "head": 2}, "In head 2, E4 at 0.3 s (note 2 of theme 1) "
        "attends most to C4 at 0.0 s (note 1 of theme 1): .62."),
    "a bass note": (tune, {"note": 36}, "In head 1, F3 at 11.45 s attends most to F4 at 9.0 s "
        "(note 1 of theme 4): .87. The model says G3: wrong."),
    "no note": (tune, {"note": 0}, "36 notes in 11.9 s, from A♯2 to F5. theme comes 4 times. "
        "The model says 14 of 18 notes right."),
    "nothing attends": (plain, {"note": 1}, "C4 at 0.0 s sounds for 0.28 s, velocity 12."),
    "one note": (lambda: {"notes": [(61, 5, 9, 0)]}, {}, "1 note in 0.09 s, on C♯4."),
    "one head": (lambda: {**tune(), "weights": tune()["weights"][0]}, {"note": 21},
        "F4 at 6.6 s (note 3 of theme 3) attends most to D♯5 at 3.9 s (note 4 of theme 2): .87. "
        "The model says G4: wrong."),
    "a named head": (lambda: {**tune(), "head_names": ["copies", "rests"]}, {"note": 20},
        "In head copies, D4 at 6.3 s (note 2 of theme 3) attends most to A♯4 at 3.6 s (note 3 of "
        "theme 2): .86. The model says it, too."),
    "itself": (lambda: {**plain(), "weights": np.eye(36)}, {"note": 3},
        "G4 at 0.6 s attends most to itself: 1.00."),
    "a head that is called so": (lambda: {**tune(), "head_names": ["Head A", "b"]}, {"note": 36},
        "In Head A, F3 at 11.45 s attends most to F4 at 9.0 s (note 1 of theme 4): .87. The model "
        "says G3: wrong."),
    "on no note": (lambda: {**plain(), "weights": np.zeros((36, 36))}, {"note": 3},
        "G4 at 0.6 s attends to no earlier note."),
    "a motif that comes once": (lambda: {**plain(), "motifs": {"head": [[0, 1]]}}, {"note": 2},
        "E4 at 0.3 s (note 2 of head) sounds for 0.28 s, velocity 14."),
}  # fmt: skip


@pytest.mark.parametrize(("piece", "controls", "said"), SAID.values(), ids=list(SAID))
def test_headlines(piece, controls, said):
    view = piano_roll(piece())
    for name, value in controls.items():
        setattr(view, name, value)
    assert view.headline == said
    assert view.alt.endswith(said)


def test_alt_names_the_piece():
    view = everything()
    assert view.alt.startswith("Piano roll “a tune”, piece 1 of 3, 36 notes. In head 1, ")
    view.piece = 3
    assert view.alt == "Piano roll “one note”, piece 3 of 3. 1 note in 0.09 s, on C♯4."
    assert view._repr_mimebundle_()[0]["text/plain"] == view.alt


def test_the_table_holds_what_is_on_screen():
    given = tune()
    view = piano_roll(given)
    view.note, view.head = 21, 2
    header, *rows = view.table()
    assert header[-2:] == ["model says", "weight from note 21"]
    assert [row[-1] for row in rows] == pytest.approx(given["weights"][1, 20], abs=1e-7)
    assert rows[20][:6] == ["21", "F4", 6.6, pytest.approx(0.28), 16.0, "theme 3, note 3"]
    assert [row[6] for row in rows[17:21]] == ["", "A♯3", "D4", "G4"]
    view.note = 0
    assert view.table()[0][-1] == "model says"
    assert piano_roll(plain()).table()[0][-1] == "motif"


# ---- what is refused

NAN = np.full((36, 36), np.nan)
UPPER = np.full((36, 36), 1 / 36)


def with_(**more):
    return lambda: piano_roll({**tune(), **more})


def notes(*rows):
    return lambda: piano_roll({"notes": rows})


BAD = {
    "no mapping": (lambda: piano_roll([1]), TypeError, "pieces: expected a mapping with 'notes'"),
    "no piece": (lambda: piano_roll({}), ValueError, "pieces: expected 1 to 12 pieces, came 0"),
    "a piece that is none": (lambda: piano_roll({"a": 3}), ValueError,
        r"pieces\['a'\]: expected a mapping with 'notes', came 3"),
    "a name that is none": (lambda: piano_roll({3: plain()}), TypeError,
        "pieces, a name: expected a string"),
    "an unknown key": (with_(labels=1), ValueError, "pieces has 'labels', expected notes, weights"),
    "no notes": (notes(), ValueError, r"pieces\['notes'\]: expected 1 to 400 notes, came 0$"),
    "too many": (notes(*[(60, k, k + 1, 1) for k in range(401)]), ValueError,
        r"came 401: take notes\[:400\]"),
    "notes that are none": (lambda: piano_roll({"notes": 3}), TypeError, "expected a list of"),
    "three numbers": (notes((60, 0, 1)), ValueError,
        r"\['notes'\]\[0\]: expected \(pitch, start, end, velocity\), came \(60, 0, 1\)"),
    "a high key": (notes((128, 0, 1, 1)), ValueError, r"\[0\], pitch: expected 0 to 127, came 128"),
    "half a key": (notes((60.5, 0, 1, 1)), TypeError, "pitch: expected a whole number"),
    "a loud note": (notes((60, 0, 1, 32)), ValueError, "velocity: expected 0 to 31, came 32"),
    "no length": (notes((60, 5, 5, 1)), ValueError, "expected 0 <= start < end <= 60000 .* 5 to 5"),
    "no order": (notes((60, 5, 9, 1), (62, 0, 3, 1)), ValueError,
        r"\[1\] starts at tick 0, before note 0 at 5: sort the notes"),
    "two on a key": (notes((60, 0, 9, 1), (62, 1, 3, 1), (60, 8, 12, 1)), ValueError,
        r"\[2\] starts at tick 8 on key 60, which note 0 holds until 9"),
    "another shape": (with_(weights=np.zeros((2, 3, 3))), ValueError,
        r"expected shape \(36, 36\) or \(heads, 36, 36\) for 36 notes, came \(2, 3, 3\)"),
    "no head": (with_(weights=np.zeros((0, 36, 36))), ValueError, "1 to 16 heads, came 0"),
    "NaN": (with_(weights=NAN), ValueError, r"\['weights'\]\[0, 0\] is nan"),
    "scores": (with_(weights=-np.eye(36)), ValueError, r"\[0, 0, 0\] is -1, expected 0 or more"),
    "the future": (with_(weights=UPPER), ValueError,
        r"\[0, 0, 1\] is 0.02778, but note 1 comes after note 0: expected 0 there"),
    "more than 1": (with_(weights=np.eye(36) * 1.01), ValueError, r"\[0, 0\] sums to 1.01"),
    "heads": (with_(head_names=["a"]), ValueError, r"\['head_names'\]: expected 2, one for each"),
    "motifs": (with_(motifs=[[0]]), TypeError, r"\['motifs'\]: expected a mapping"),
    "many motifs": (with_(motifs={c: [[0]] for c in "abcde"}), ValueError, "at most 4 motifs"),
    "no statement": (with_(motifs={"a": []}), ValueError,
        r"\['a'\]: expected a list of statements"),
    "an empty one": (with_(motifs={"a": [[]]}), ValueError,
        r"\['a'\]\[0\]: expected a list of notes"),
    "a note outside": (with_(motifs={"a": [[0, 36]]}), ValueError,
        r"\['a'\]\[0\]\[1\]: expected 0 to 35, came 36"),
    "a note twice": (with_(motifs={"a": [[4, 4]]}), ValueError, "expected each note once"),
    "predicted": (with_(predicted=[1]), TypeError, r"\['predicted'\]: expected a mapping"),
    "nowhere": (with_(predicted={36: 60}), ValueError, "a place: expected 0 to 35, came 36"),
    "no key": (with_(predicted={3: 128}), ValueError, r"\['predicted'\]\[3\]: expected 0 to 127"),
    "no rate": (with_(sound=np.zeros(9)), TypeError, r"\['sound'\]: expected \(samples, rate\)"),
    "a low rate": (with_(sound=(np.zeros(9), 10)), ValueError, "rate: expected 3000 to 96000"),
    "stereo": (with_(sound=(np.zeros((2, 9)), 8000)), ValueError, r"shape \(N,\) .* came \(2, 9\)"),
    "too loud": (with_(sound=(np.full(99999, 2.0), 8000)), ValueError, "expected -1 to 1, came 2"),
    "too short": (with_(sound=(np.zeros(80000), 8000)), ValueError,
        r"\['sound'\] lasts 10.00 s, but the last note begins at 11.45 s"),
    "no sound": (with_(sound=(np.full(9, np.nan), 8000)), ValueError, r"samples\[0\] is nan"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), BAD.values(), ids=list(BAD))
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("name", "value"), [("piece", 4), ("note", 37), ("head", 3), ("note", True)]
)
def test_a_control_keeps_its_value(name, value):
    view = everything()
    before = view.controls()
    with pytest.raises(TraitError):
        setattr(view, name, value)
    assert view.controls() == before


def test_half_precision_and_tensors_are_taken():
    weights = torch.tensor(tune()["weights"]).to(torch.bfloat16)
    piece = pieces_of({**tune(), "weights": weights * 1.11})[0]
    assert piece.weights.sum(axis=2).max() > 1
    assert piece.weights.dtype == np.float32
