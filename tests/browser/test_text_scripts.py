"""What a coloured text decides before it draws, as plain functions."""

ROOM = "text/"
SCENE = ROOM + "scene.js"
TEN = "text => 10 * [...text].length"  # every letter is ten pixels wide
ARRANGE = f"(tokens, width) => arrange({{tokens, joined: []}}, width, {TEN})"


# ---- where the tokens stand


def test_lines_break_after_a_new_line_and_before_a_word_that_does_not_fit(script):
    for tokens, width, lines in [
        ([*"ab cd"], 60, [[0, 5]]),
        ([*"ab cd"], 59, [[0, 3], [3, 5]]),  # ten pixels are for the frames
        ([*"abcde"], 40, [[0, 3], [3, 5]]),  # a word that is longer than a line
        ([*"a\n\nb"], 100, [[0, 2], [2, 3], [3, 4]]),
        (["ab", "cd", "ef"], 69, [[0, 2], [2, 3]]),
        (["ab", "c\n", "ef"], 200, [[0, 2], [2, 3]]),
    ]:
        placed = script(SCENE, ARRANGE, tokens, width)
        assert (placed["lines"], placed["height"]) == (lines, 30 * len(lines)), (tokens, width)
        for row, (first, end) in enumerate(lines):
            assert [cell["row"] for cell in placed["cells"][first:end]] == [row] * (end - first)
            assert placed["cells"][first]["x"] == 0


def test_letters_touch_words_stand_apart_and_what_is_too_long_is_cut(script):
    for tokens, width, cells in [
        ([*"abc"], 100, [("a", 0, 10), ("b", 10, 10), ("c", 20, 10)]),
        (["a", "bc", "d"], 100, [("a", 0, 18), ("bc", 21, 28), ("d", 52, 18)]),
        (["x" * 30], 121, [("x" * 9 + "…", 0, 108)]),
    ]:
        placed = script(SCENE, ARRANGE, tokens, width)
        assert [(cell["text"], cell["x"], cell["w"]) for cell in placed["cells"]] == cells


# ---- numbers


def test_one_scale_from_its_lowest_to_its_limit(script):
    scale = """(values, signed) => {
        const {low, limit, share} = valueScale({signed}, values);
        return [low, limit, values.map(share)];
    }"""
    for values, signed, *want in [
        ([0.5, -0.25], True, -1, 1, [0.75, 0.375]),  # the scale ends at 1 at the least
        ([0.5, 0.25], False, 0, 1, [0.5, 0.25]),
        ([-4, 2, 0], True, -4, 4, [0, 0.75, 0.5]),
        ([8, 2, 0], False, 0, 8, [1, 0.25, 0]),
    ]:
        assert script(SCENE, scale, values, signed) == want


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


def test_what_was_expected_what_came_and_which_units_are_busy(script):
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


def headline(script, t, values="scene.values", expected="reading.expected"):
    read = f"{{...reading, expected: {expected}}}"
    seen = f"{{...scene, t: given[0], values: {values}, reading: {read}}}"
    pieces = of_scene(script, "sentence.js", f"headline({seen})", t)
    return "".join(text if isinstance(text, str) else "".join(text.values()) for text in pieces)


def test_the_headline_tells_what_was_expected_and_what_came(script):
    for t, value, came in [
        (0, "0.50 at “a”", ", and it came."),
        (1, "−2.00 at “b”", ", but “z” came (unknown to it)."),
        (2, "0.00 at “z”", "."),
        (4, "0.25 at “c”", ", but “a” came (.19)."),
    ]:
        said = f"Unit 7 is {value}; next the model expects “b” (.75){came}"
        assert headline(script, t) == said


def test_the_headline_tells_how_many_carry_half(script):
    for values, said in [
        ("[0.5, -2, 0, 1, 0.25]", "1 of 5 characters carries half of unit 7: “b” (−2.00)."),
        ("[1, -2, 0, 1, 1]", "2 of 5 characters carry half of unit 7, most of all “b” (−2.00)."),
        ("[0, 0, 0, 0, 0]", "unit 7 is 0 at every character."),
    ]:
        assert headline(script, -1, values) == said
    for t, said in [
        (0, "Unit 7 is 0.50 at “a”, number 3 in size of 5 characters."),
        (1, "Unit 7 is −2.00 at “b”, the largest of 5 characters."),
    ]:
        assert headline(script, t, expected="() => null") == said


def test_the_table_leaves_empty_what_is_not_known(script):
    header, *rows = of_scene(script, "scene.js", "textTable(scene)")
    assert header[2:4] == ["unit 7", "expected next"]
    assert rows[0] == ["1", "a", 0.5, "b", 0.75, "b", 0.75]
    assert [row[5:] for row in rows[1:3]] == [["z", ""], ["", ""]]
    plain = of_scene(script, "scene.js", "[reading.expected = () => null, textTable(scene)][1]")
    assert plain[1] == ["1", "a", 0.5]


def test_the_chart_shows_the_range_in_sight(script):
    body = "JSON.parse(JSON.stringify(chartOf({...scene, t: given[1]}, given[0], 278)))"
    for reach, t, note, cursor in [
        ([0, 5], 1, "characters 1 to 5", {"x": 70 + 1.5 * 40, "y": 104, "token": "b"}),
        ([1, 3], 1, "characters 2 to 3 of 5", {"x": 70 + 0.5 * 100, "y": 104, "token": "b"}),
        ([0, 5], -1, "characters 1 to 5", None),
    ]:
        chart = of_scene(script, "chart_pane.js", body, reach, t)
        assert (chart["title"], chart["note"], chart["cursor"]) == ("unit 7", note, cursor)
        assert chart["line"].count("L") == reach[1] - reach[0] - 1
        assert [tick["text"] for tick in chart["ticks"]] == ["−2.00", "0", "2.00"]


def test_the_panel_marks_what_came(script):
    for t, notes, unknown in [
        (0, ["✓ came", False], None),
        (1, [False, False], "came: z, not in the vocabulary"),
        (2, [False, False], None),
        (3, [False, False, "✗ came"], None),  # what came is none of the guesses
        (4, [False, "✗ came"], None),
    ]:
        panel = of_scene(script, "panel.js", "panelOf({...scene, t: given[0]}, 256)", t)
        expected = panel["expected"]
        assert [row["note"] for row in expected["rows"]] == notes
        assert expected["unknown"] == unknown
        assert panel["height"] == 92 + 22 * 3 + 6  # the same for every token
        assert panel["place"] == f"character {t + 1} of 5"


# ---- names and numbers


def test_a_value_has_two_decimals_and_a_long_name_is_cut_in_front_of_its_number(script):
    for value, text in [
        *[(0.504, "0.50"), (-0.001, "0.00"), (-2.347, "−2.35"), (999.5, "999.50")],
        *[(0, "0.00"), (-7e9, "−7.0e+9")],
    ]:
        assert script(ROOM + "sentence.js", "number", value) == text
    for name, units, label in [
        *[("unit", 5, "unit 3"), ("attention head", 5, "atten… 3"), ("verdict", 1, "verdi…")]
    ]:
        found = script(ROOM + "sentence.js", "unitLabel", {"name": name, "units": units}, 3, 6)
        assert found == label
