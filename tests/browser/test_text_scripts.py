"""What a coloured text decides before it draws, as plain functions."""

import pytest

from seqviz.views.text import sentence

ROOM = "text/"
SCENE = ROOM + "scene.js"
TEN = "text => 10 * [...text].length"  # every letter is ten pixels wide


# ---- where the tokens stand
def plain(tokens):
    return {"tokens": tokens, "joined": [False] * len(tokens)}


@pytest.mark.parametrize(
    ("tokens", "width", "lines"),
    [
        ([*"ab cd"], 60, [[0, 5]]),
        ([*"ab cd"], 59, [[0, 3], [3, 5]]),  # ten pixels are for the frames
        ([*"abcde"], 40, [[0, 3], [3, 5]]),  # a word that is longer than a line
        ([*"a\n\nb"], 100, [[0, 2], [2, 3], [3, 4]]),
        (["ab", "cd", "ef"], 69, [[0, 2], [2, 3]]),
        (["ab", "c\n", "ef"], 200, [[0, 2], [2, 3]]),
    ],
)
def test_lines_break_after_a_new_line_and_before_a_word_that_does_not_fit(
    script, tokens, width, lines
):
    placed = script(SCENE, f"(...given) => arrange(...given, {TEN})", plain(tokens), width)
    assert placed["lines"] == lines
    assert placed["height"] == 30 * len(lines)
    for row, (first, end) in enumerate(lines):
        assert [cell["row"] for cell in placed["cells"][first:end]] == [row] * (end - first)
        assert placed["cells"][first]["x"] == 0


@pytest.mark.parametrize(
    ("tokens", "width", "cells"),
    [
        ([*"abc"], 100, [("a", 0, 10), ("b", 10, 10), ("c", 20, 10)]),
        (["a", "bc", "d"], 100, [("a", 0, 18), ("bc", 21, 28), ("d", 52, 18)]),
        (["x" * 30], 121, [("x" * 9 + "…", 0, 108)]),
    ],
)
def test_letters_touch_words_stand_apart_and_what_is_too_long_is_cut(script, tokens, width, cells):
    placed = script(SCENE, f"(...given) => arrange(...given, {TEN})", plain(tokens), width)
    assert [(cell["text"], cell["x"], cell["w"]) for cell in placed["cells"]] == cells


@pytest.mark.parametrize(
    ("top", "height", "seen"), [(0, 60, [0, 4]), (0, 61, [0, 6]), (29, 2, [2, 4]), (90, 99, [6, 8])]
)
def test_the_range_in_sight_holds_whole_lines(script, top, height, seen):
    place = {"lines": [[0, 2], [2, 4], [4, 6], [6, 8]]}
    assert script(SCENE, "rangeInSight", place, top, height) == seen


@pytest.mark.parametrize(("row", "top", "want"), [(3, 0, 20), (3, 90, 90), (1, 60, 30), (2, 9, 9)])
def test_the_window_moves_as_little_as_it_can(script, row, top, want):
    assert script(SCENE, "revealing", row, top, 100) == want


@pytest.mark.parametrize(
    ("x", "y", "token"),
    [(6, 1, 0), (14.9, 29, 0), (15, 1, 1), (26, 1, None), (6, 31, 2), (6, 61, None)],
)
def test_the_token_under_a_point(script, x, y, token):
    find = (
        f"(x, y) => tokenUnder(arrange({{tokens: ['a', '\\n', 'b'], joined: []}}, 99, {TEN}), x, y)"
    )
    assert script(SCENE, find, x, y) == token


# ---- numbers


@pytest.mark.parametrize(
    ("values", "signed", "low", "limit", "shares"),
    [
        ([0.5, -0.25], True, -1, 1, [0.75, 0.375]),  # the scale ends at 1 at the least
        ([0.5, 0.25], False, 0, 1, [0.5, 0.25]),
        ([-4, 2, 0], True, -4, 4, [0, 0.75, 0.5]),
        ([8, 2, 0], False, 0, 8, [1, 0.25, 0]),
    ],
)
def test_one_scale_from_its_lowest_to_its_limit(script, values, signed, low, limit, shares):
    scale = """(values, signed) => {
        const {low, limit, share} = valueScale({signed}, values);
        return [low, limit, values.map(share)];
    }"""
    assert script(SCENE, scale, values, signed) == [low, limit, shares]


# Two likeliest tokens, their probabilities, probability and rank of what came: after each of three.
PARTS = """({
    next: [1, 0, 0.75, 0.25, 0.75, 1, 0, 1, 0.5, 0.5, NaN, NaN, 0, 1, 0.875, 0.125, NaN, NaN],
    busiest: [2, 1, -3, 0.5, 1, 2, -2, 1, 2, 1, 0, 0],
})"""


def of_parts(script, units, forecast, body):
    facts = {"tokens": [*"abz"], "words": [*"ab"], "units": units, "forecast": forecast}
    get = f"name => Float32Array.from({PARTS}[name] ?? [])"
    read = f"facts => {{ const reading = new Reading(facts, {get}); return {body}; }}"
    return script(ROOM + "reading.js", read, facts)


def test_what_was_expected_and_what_came(script):
    guesses = of_parts(script, 2, True, "[0, 1, 2].map(t => reading.expected(t).guesses[0])")
    assert guesses == [
        {"token": "b", "p": 0.75}, {"token": "a", "p": 0.5}, {"token": "a", "p": 0.875},
    ]  # fmt: skip
    known = (
        "[0, 1, 2].map(t => reading.expected(t)).map(({came, p, rank}) => [came, `${p} ${rank}`])"
    )
    assert of_parts(script, 2, True, known) == [
        ["b", "0.75 1"],
        ["z", "NaN NaN"],
        [None, "NaN NaN"],
    ]
    assert of_parts(script, 2, False, "reading.expected(0)") is None


def test_the_busiest_units_of_a_token(script):
    busy = [{"unit": 1, "value": -2}, {"unit": 2, "value": 1}]
    assert of_parts(script, 2, False, "reading.busy(1)") == busy
    assert of_parts(script, 1, False, "reading.busy(1)") == []


# ---- what is said, drawn and saved, of five tokens with a forecast

SEEN = """const next = [
    {came: 'b', p: 0.75, rank: 1}, {came: 'z', p: NaN, rank: NaN}, {p: NaN, rank: NaN},
    {came: 'c', p: 0.0625, rank: 9}, {came: 'a', p: 0.1875, rank: 2},
].map(came => ({guesses: [{token: 'b', p: 0.75}, {token: 'a', p: 0.1875}], ...came}));
const reading = {
    tokens: ['a', 'b', 'z', 'a', 'c'], T: 5, name: 'unit', units: 12,
    kind: 'character', signed: true,
    forecast: true, expected: t => next[t], busy: t => busy,
};
const scene = {
    reading, values: [0.5, -2, 0, 1, 0.25], unit: 7, measure: TEN,
    scale: {signed: true, low: -2, limit: 2},
};"""


def of_scene(script, file, body, *given, busy="[]"):
    seen = SEEN.replace("TEN", TEN).replace("busy: t => busy", f"busy: t => {busy}")
    return script(ROOM + file, f"(...given) => {{ {seen} return {body}; }}", *given)


def headline(script, t):
    pieces = of_scene(script, "sentence.js", "headline({...scene, t: given[0]})", t)
    return "".join(text if isinstance(text, str) else "".join(text.values()) for text in pieces)


@pytest.mark.parametrize(
    ("t", "value", "came"),
    [
        (0, "0.50 at “a”", ", and it came."),
        (1, "−2.00 at “b”", ", but “z” came (unknown to it)."),
        (2, "0.00 at “z”", "."),
        (3, "1.00 at “a”", ", but “c” came (.06)."),
        (4, "0.25 at “c”", ", but “a” came (.19)."),
    ],
)
def test_the_headline_tells_what_was_expected_and_what_came(script, t, value, came):
    said = f"Unit 7 is {value}; next the model expects “b” (.75){came}"
    assert headline(script, t) == said


def test_without_a_token_in_focus_the_headline_tells_the_range(script):
    said = "Unit 7 goes from −2.00 to 1.00; it is strongest at “b”, character 2."
    assert headline(script, -1) == said


def test_the_table_leaves_empty_what_is_not_known(script):
    header, *rows = of_scene(script, "scene.js", "textTable(scene)")
    assert header[2:4] == ["unit 7", "expected next"]
    assert rows[0] == ["1", "a", 0.5, "b", 0.75, "b", 0.75]
    assert [row[5:] for row in rows[1:3]] == [["z", ""], ["", ""]]
    plain = of_scene(script, "scene.js", "[reading.expected = () => null, textTable(scene)][1]")
    assert plain[1] == ["1", "a", 0.5]


@pytest.mark.parametrize(
    ("reach", "t", "note", "cursor"),
    [
        ([0, 5], 1, "characters 1 to 5", {"x": 70 + 1.5 * 40, "y": 104, "token": "b"}),
        ([1, 3], 1, "characters 2 to 3 of 5", {"x": 70 + 0.5 * 100, "y": 104, "token": "b"}),
        ([1, 3], 3, "characters 2 to 3 of 5", None),
        ([0, 5], -1, "characters 1 to 5", None),
    ],
)
def test_the_chart_shows_the_range_in_sight(script, reach, t, note, cursor):
    body = "chartOf({...scene, t: given[1]}, given[0], 278)"
    chart = of_scene(script, "chart_pane.js", f"JSON.parse(JSON.stringify({body}))", reach, t)
    assert (chart["title"], chart["note"], chart["cursor"]) == ("unit 7", note, cursor)
    assert chart["line"].count("L") == reach[1] - reach[0] - 1
    assert [tick["text"] for tick in chart["ticks"]] == ["−2.00", "0", "2.00"]


def test_the_token_along_the_chart(script):
    body = "given.map(chartOf({...scene, t: 0}, [1, 3], 238).tokenAt)"
    assert of_scene(script, "chart_pane.js", body, 61, 62, 149, 150, 999) == [None, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("t", "notes", "unknown"),
    [
        (0, ["✓ came", False], None),
        (1, [False, False], "came: z, not in the vocabulary"),
        (2, [False, False], None),
        (3, [False, False, "✗ came"], None),  # what came is none of the guesses
        (4, [False, "✗ came"], None),
    ],
)
def test_the_panel_marks_what_came(script, t, notes, unknown):
    panel = of_scene(script, "panel.js", "panelOf({...scene, t: given[0]}, 256)", t)
    expected = panel["expected"]
    assert [row["note"] for row in expected["rows"]] == notes
    assert expected["unknown"] == unknown
    assert [row["y"] for row in expected["rows"]] == [114 + 22 * k for k in range(len(notes))]
    assert panel["height"] == 92 + 22 * 3 + 6  # the same for every token
    assert panel["place"] == f"character {t + 1} of 5"


def test_the_panel_puts_the_busiest_units_below(script):
    busy = "[{unit: 7, value: -4}, {unit: 12, value: 2}]"
    panel = of_scene(script, "panel.js", "panelOf({...scene, t: 0}, 256)", busy=busy)
    first, second = panel["busy"]["rows"]
    assert (first["label"], first["shown"], second["shown"]) == ("unit 7", True, False)
    assert (first["share"], second["share"]) == (0, 0.75)
    assert first["bar"]["x"] + first["bar"]["width"] == pytest.approx(panel["busy"]["zero"])
    assert second["bar"]["x"] == panel["busy"]["zero"]
    assert second["y"] - first["y"] == 30
    assert panel["height"] == second["y"] + 36


def test_a_long_token_stands_in_lines_over_its_colour(script):
    long = "[reading.tokens[0] = 'abcdefgh'.repeat(5), panelOf({...scene, t: 0}, 140).token][1]"
    token = of_scene(script, "panel.js", long)
    assert "".join(token["lines"]) == "abcdefgh" * 5
    assert token["chip"]["y"] > 24 + 18 * len(token["lines"])
    assert of_scene(script, "panel.js", "panelOf({...scene, t: 0}, 140).token")["letters"] == "a"


def test_without_a_token_in_focus_the_panel_gives_a_hint(script):
    panel = of_scene(script, "panel.js", "panelOf({...scene, t: -1}, 256)")
    assert panel["hint"] == ["Point at a character,", "or press an arrow key."]


# ---- names and numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.504, "0.50"), (-0.001, "0.00"), (-2.347, "−2.35"), (999.5, "999.50"), (0, "0.00")],
)
def test_page_and_alt_text_write_a_number_alike(script, value, text):
    assert script(ROOM + "sentence.js", "number", value) == text
    assert sentence.number(value) == text


@pytest.mark.parametrize(
    ("name", "units", "label"),
    [("unit", 5, "unit 3"), ("attention head", 5, "atten… 3"), ("verdict", 1, "verdi…")],
)
def test_a_long_name_is_cut_in_front_of_its_number(script, name, units, label):
    assert script(ROOM + "sentence.js", "unitLabel", {"name": name, "units": units}, 3, 6) == label
