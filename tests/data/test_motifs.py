from collections import Counter

import pytest

import seqviz as sv
from seqviz.data.generators.returning_motifs import FARTHEST, FREE, LENGTHS, PITCHES, SIZE


def test_the_same_seed_gives_the_same_melodies():
    some = sv.data.motifs(7, seed=3)
    assert sv.data.motifs(5, seed=3) == some[:5] != sv.data.motifs(5, seed=4)


@pytest.mark.parametrize("control", [False, True])
@pytest.mark.parametrize("notes", [12, 42])
def test_notes_follow_each_other_and_are_three_events_each(notes, control):
    for melody in sv.data.motifs(50, control=control, notes=notes):
        assert len(melody.notes) == notes
        assert melody.notes[0].start == 0
        assert [one.end for one in melody.notes[:-1]] == [one.start for one in melody.notes[1:]]
        assert {note.pitch for note in melody.notes} <= {*PITCHES}
        assert {note.end - note.start for note in melody.notes} <= {*LENGTHS}
        events = melody.events
        assert len(events) == 3 * notes + 1
        assert sv.data.events_to_notes(events) == [*melody.notes]
        assert events[1::3] == [f"ON {note.pitch}" for note in melody.notes]


@pytest.mark.parametrize("transposed", [False, True])
def test_a_return_is_the_motif_moved(transposed):
    moves, gaps = Counter(), Counter()
    for melody in sv.data.motifs(400, notes=42, transposed=transposed):
        first, *returns = melody.statements
        gaps[first[0]] += 1
        for before, one in zip(melody.statements, returns, strict=False):
            assert [*one] == [*range(one[0], one[0] + len(one))]
            gaps[one[0] - before[-1] - 1] += 1
            pairs = [(melody.notes[a], melody.notes[b]) for a, b in zip(first, one, strict=False)]
            assert all(a.end - a.start == b.end - b.start for a, b in pairs)
            (move,) = {b.pitch - a.pitch for a, b in pairs}
            moves[move] += 1
        assert all(len(one) == SIZE for one in melody.statements[:-1])
        assert 1 <= len(melody.statements[-1]) <= SIZE
        assert melody.continued == [k for one in returns for k in one[2:]] != []
    assert {*gaps} == {*range(FREE + 1)}
    assert {*moves} == ({*range(-FARTHEST, FARTHEST + 1)} if transposed else {0})


def shares(melodies):
    """Of the notes that can be known, those that each of two rules names."""
    by_motif, by_count = [], []
    for melody in melodies:
        first, *returns = melody.statements
        for one in returns:
            by = melody.notes[one[0]].pitch - melody.notes[first[0]].pitch
            for k in one[2:]:
                pitch = melody.notes[k].pitch
                by_motif.append(pitch == melody.notes[first[k - one[0]]].pitch + by)
                heard = Counter(note.pitch for note in melody.notes[:k])
                by_count.append(pitch == heard.most_common(1)[0][0])
    return sum(by_motif) / len(by_motif), sum(by_count) / len(by_count)


@pytest.mark.parametrize(("transposed", "counted"), [(False, 1 / 5), (True, 1 / 9)])
def test_the_motif_tells_all_and_the_control_nothing(transposed, counted):
    told, by_count = shares(sv.data.motifs(400, transposed=transposed))
    assert told == 1
    assert by_count == pytest.approx(counted, abs=0.03)
    chance = 1 / len(PITCHES)
    told, by_count = shares(sv.data.motifs(400, control=True, transposed=transposed))
    assert told < chance + 0.02
    assert by_count == pytest.approx(chance, abs=0.02)


def test_what_cannot_be_drawn():
    for arguments, error, said in (
        ({"notes": 11}, ValueError, "notes must be at least 12"),
        ({"control": 1}, TypeError, "control must be True or False"),
    ):
        with pytest.raises(error, match=said):
            sv.data.motifs(**{"count": 1} | arguments)
