import numpy as np
import pytest

from seqviz.data.performance import EVENTS, Note, events_to_notes, notes_to_events, sound
from tests.refusing import refused

FIFTH = [Note(60, 0, 50), Note(67, 50, 180, 31), Note(60, 100, 180)]


def test_two_keys_as_events_and_back():
    assert len(EVENTS) == len(set(EVENTS)) == 388
    events = notes_to_events(FIFTH)
    assert events == [
        *("VELOCITY 20", "ON 60", "SHIFT 50", "OFF 60", "VELOCITY 31", "ON 67", "SHIFT 50"),
        *("VELOCITY 20", "ON 60", "SHIFT 80", "OFF 60", "OFF 67"),
    ]
    assert events_to_notes(events) == FIFTH
    assert notes_to_events([Note(1, 250, 260)])[:3] == ["SHIFT 100", "SHIFT 100", "SHIFT 50"]
    assert events_to_notes(["ON 5", "SHIFT 3"]) == [Note(5, 0, 3)]


def test_a_note_sounds_at_its_pitch_and_fades():
    wave = sound([Note(69, 0, 100)], rate=8000)
    assert len(wave) == 2 * 8000
    assert np.abs(wave).max() == pytest.approx(1)
    loudest = np.abs(np.fft.rfft(wave[:8000])).argmax()
    assert loudest == pytest.approx(440, abs=1)
    assert np.abs(wave[8000:]).max() < 0.1
    octave = sound([Note(81, 0, 100)], rate=8000)
    assert np.abs(np.fft.rfft(octave[:8000])).argmax() == pytest.approx(880, abs=1)


def test_what_cannot_be_played():
    wrong = {
        "must end after it starts": lambda: notes_to_events([Note(1, 5, 5)]),
        "overlap on a key": lambda: notes_to_events([Note(1, 0, 9), Note(1, 5, 12)]),
        "that key is not down": lambda: events_to_notes(["OFF 60"]),
        r"events\[0\] must be .*got 'ON 200'": lambda: events_to_notes(["ON 200"]),
        "one note at least": lambda: sound([]),
    }
    refused(ValueError, wrong)
