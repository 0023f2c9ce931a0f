"""What a piano roll decides before it is drawn, as plain functions."""

import numpy as np
import pytest

from seqviz.view import piano_roll
from tests.views.test_piano_roll import plain, tune

pytestmark = pytest.mark.browser
ROOM = "piano_roll/"
SCENE = """(facts, bytes, head, focus, size) => {
    const piece = pieceOf(facts, bytes);
    const row = head && focus.note !== null ? rowsOf(head)(focus.note) : null;
    return sceneOf({piece, row, focus, size});
}"""


def scene(script, view, note, head=1, W=801, tall=None):
    """The scene of the first piece in a size."""
    facts, part = view.facts["pieces"][0], view.part_of("piece 1")
    weights = view.part_of(f"piece 1 head {head}") if facts["heads"] else None
    focus = {"note": note, "locked": False, "previewing": False}
    return script(ROOM + "view.js", SCENE, facts, part, weights, focus, {"W": W, "tall": tall})


# ---- what is in focus


def test_names_and_seconds_and_the_note_that_sounds(script):
    names = script(ROOM + "sentence.js", "pitches => pitches.map(noteName)", [0, 60, 61, 69, 127])
    assert names == ["C-1", "C4", "C♯4", "A4", "G9"]
    said = script(ROOM + "sentence.js", "ticks => ticks.map(secondsOf)", [0, 5, 50, 150, 1205])
    assert said == ["0.0 s", "0.05 s", "0.5 s", "1.5 s", "12.05 s"]
    notes = [{"start": start} for start in (10, 20, 20, 50)]
    call = "(notes, ticks) => ticks.map(tick => soundingAt({notes}, tick))"
    assert script(ROOM + "scene.js", call, notes, [0, 10, 19, 20, 49, 999]) == [None, 0, 0, 2, 2, 3]


# ---- what is said

SAID = [
    (tune, {"note": 21}, "In head 1, F4 at 6.6 s (note 3 of theme 3) attends most to "
        "D♯5 at 3.9 s (note 4 of theme 2): .87. The model says G4: wrong."),
    (tune, {"note": 2, "head": 2}, "In head 2, E4 at 0.3 s (note 2 of theme 1) "
        "attends most to C4 at 0.0 s (note 1 of theme 1): .62."),
    (tune, {"note": 0}, "36 notes in 11.9 s, from A♯2 to F5. theme comes 4 times. "
        "The model says 14 of 18 notes right."),
    (plain, {"note": 1}, "C4 at 0.0 s sounds for 0.28 s, velocity 12."),
    (lambda: {"notes": [(61, 5, 9, 0)]}, {"note": 0}, "1 note in 0.09 s, on C♯4."),
    (lambda: {**tune(), "weights": tune()["weights"][0]}, {"note": 21},
        "F4 at 6.6 s (note 3 of theme 3) attends most to D♯5 at 3.9 s (note 4 of theme 2): .87. "
        "The model says G4: wrong."),
    (lambda: {**tune(), "head_names": ["copies", "rests"]}, {"note": 20},
        "In head copies, D4 at 6.3 s (note 2 of theme 3) attends most to A♯4 at 3.6 s (note 3 of "
        "theme 2): .86. The model says it, too."),
    (lambda: {**plain(), "weights": np.eye(36)}, {"note": 3},
        "G4 at 0.6 s attends most to itself: 1.00."),
    (lambda: {**plain(), "weights": np.zeros((36, 36))}, {"note": 3},
        "G4 at 0.6 s attends to no earlier note."),
    (lambda: {**plain(), "motifs": {"head": [[0, 1]]}}, {"note": 2},
        "E4 at 0.3 s (note 2 of head) sounds for 0.28 s, velocity 14."),
]  # fmt: skip
ARRIVED = """(facts, bytes, weights, note, head) => {
    const piece = pieceOf(facts, bytes);
    const row = weights && note !== null ? rowsOf(weights)(note) : null;"""


def arrived(script, view, call, note, head=1):
    """What a function of a piece on the page gives, at a note from 1, 0 for none."""
    facts, part = view.facts["pieces"][0], view.part_of("piece 1")
    weights = view.part_of(f"piece 1 head {head}") if facts["heads"] else None
    given = facts, part, weights, note - 1 if note else None, head - 1
    return script(ROOM + "view.js", f"{ARRIVED} return {call}; }}", *given)


def test_sentences(script):
    say = "spoken(headline(piece, {note, head, row}))"
    for piece, at, said in SAID:
        assert arrived(script, piano_roll(piece()), say, **at) == said


def test_the_table_of_what_is_on_screen(script):
    given = tune()
    call = "tableRows(piece, note, row)"
    header, *rows = arrived(script, piano_roll(given), call, 21, head=2)
    assert header[-2:] == ["model says", "weight from note 21"]
    assert [row[-1] for row in rows] == pytest.approx(given["weights"][1, 20], abs=1e-7)
    assert rows[20][:6] == ["21", "F4", 6.6, pytest.approx(0.28), 16, "theme 3, note 3"]
    assert [row[6] for row in rows[17:21]] == ["", "A♯3", "D4", "G4"]
    assert arrived(script, piano_roll(given), call, 0)[0][-1] == "model says"
    assert arrived(script, piano_roll(plain()), call, 3)[0][-1] == "motif"


# ---- what is drawn


def test_a_bar_stands_at_its_key_and_time(script):
    given = tune()
    made = scene(script, piano_roll(given), 20)
    layout, boxes = made["layout"], [bar["box"] for bar in made["bars"]]
    left, per_tick = layout["x0"], (layout["x1"] - layout["x0"]) / 1190
    rows = {round(key["y"], 3): pitch for pitch, key in enumerate(made["keys"], layout["low"])}
    for note, box in zip(given["notes"], boxes, strict=True):
        assert box["x"] == pytest.approx(left + note.start * per_tick)
        assert box["width"] == pytest.approx((note.end - note.start) * per_tick - 1)
        middle = box["y"] + box["height"] / 2
        assert rows[round(middle - layout["row"] / 2, 3)] == note.pitch


def test_arcs_are_as_wide_as_weights(script):
    view = piano_roll(tune())
    row = view.here.weights[0, 20, :21]
    made = scene(script, view, 20)
    faint = row[:20][row[:20] >= 0.1 * row.max()]
    assert sorted(arc["width"] for arc in made["arcs"]) == pytest.approx(
        sorted(np.maximum(0.75, 9 * faint)), rel=1e-5
    )
    best = [arc for arc in made["arcs"] if arc["best"]]
    assert len(best) == 1
    target = made["bars"][int(row.argmax())]["box"]
    assert best[0]["end"]["x"] == pytest.approx(target["x"])
    stems = [stem["height"] for stem in made["lane"]["stems"]]
    assert np.array(stems) / max(stems) == pytest.approx(row / row.max(), abs=1e-6)
    assert made["lane"]["most"] == ".87"
    assert [bar["look"] for bar in made["bars"][20:]] == ["focus"] + ["later"] * 15


def test_statements_are_bracketed_and_numbered(script):
    made = scene(script, piano_roll(tune()), 20)
    assert [one["text"] for one in made["brackets"]] == [f"theme {k}" for k in (1, 2, 3, 4)]
    assert [one["own"] for one in made["brackets"]] == [False, False, True, False]
    boxes = [bar["box"] for bar in made["bars"]]
    assert made["brackets"][1]["x"] == pytest.approx(boxes[9]["x"])
    assert made["brackets"][1]["end"] == pytest.approx(boxes[16]["x"] + boxes[16]["width"])
    assert [bar["motif"] for bar in made["bars"]] == ([0] * 8 + [None]) * 4


def test_what_a_model_said_is_marked(script):
    made = scene(script, piano_roll(tune()), None)
    marks = [bar["mark"] for bar in made["bars"]]
    assert marks == [None] * 18 + ["wrong" if k % 5 == 0 else "right" for k in range(18, 36)]
    high = made["bars"][20]["box"]["y"] - made["ghosts"][0]["y"]
    assert high == pytest.approx(2 * made["layout"]["row"]), "two half-tones higher"
    assert made["ghosts"][0]["x"] == made["bars"][20]["box"]["x"]
