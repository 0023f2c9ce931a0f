"""What the unrolled net decides before it draws, as plain functions."""

import numpy as np
import pytest

from seqviz.pieces import distinct
from seqviz.views.unroll.values import Lexicon

ROOM = "unroll/"
SCENE = ROOM + "scene.js"
PANES = ROOM + "plan.js"


def of(tokens, letters):
    return {"vocabulary": tokens, "shown": distinct(tokens), "letters": letters, "most": 9}


HELLO = of([*"helo"], letters=True)
WORDS = of(["the", "exams", "books"], letters=False)
PIECES = of(["Ġthe", "Ġcaf", "Ã©", "s", "Ġs"], letters=False)
# What each step reads, should say and says: h e l l o e e.
RUN = [
    {"id": 0, "target": 1, "chosen": 1},
    {"id": 1, "target": 2, "chosen": 2},
    {"id": 2, "target": 2, "chosen": 2},
    {"id": 2, "target": 3, "chosen": 3},
    {"id": 3, "target": 1, "chosen": 0},
    {"id": 1, "target": 3, "chosen": 2},
    {"id": 1, "target": 3, "chosen": 3},
]


# ---- a text and its tokens
@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (HELLO, "hello"),
        (WORDS, "the  books\tthe\n"),
        (PIECES, "the caf é s Ġs Ġthe"),
        (WORDS, "\x1fthe\x85books\u2003exams\u3000the\xa0books\x1c"),
    ],
)
def test_page_and_python_split_a_text_alike(script, facts, text):
    parse = "(facts, text) => new Lexicon(facts).parse(text)"
    found = script(ROOM + "lexicon.js", parse, facts, text)
    assert found["tokens"] == Lexicon(facts["vocabulary"]).split(text)
    assert found["ids"] == [facts["vocabulary"].index(token) for token in found["tokens"]]


def test_nothing_else_parts_words(script):
    signs = [chr(c) for c in range(0x3100) if len(f"a{chr(c)}b".split()) == 2]
    count = """signs => {
        const words = ['a', 'b'];
        const lexicon = new Lexicon({vocabulary: words, shown: words, letters: false, most: 9});
        const parts = c => lexicon.parse(`a${c}b`).tokens !== undefined;
        return [signs.every(parts), Array.from({length: 0x3100},
            (_, c) => String.fromCharCode(c)).filter(parts).length];
    }"""
    assert script(ROOM + "lexicon.js", count, signs) == [True, len(signs)]


@pytest.mark.parametrize(
    ("facts", "text", "problem"),
    [
        (HELLO, "help", "“\u2068p\u2069” is not in the vocabulary: h e l o"),
        (HELLO, "", "Nothing to read: type at least one token."),
        (WORDS, " \n ", "Nothing to read: type at least one token."),
        (HELLO, "hellohello", "10 tokens are too many: at most 9."),
    ],
)
def test_what_cannot_be_read_is_said(script, facts, text, problem):
    parse = "(facts, text) => new Lexicon(facts).parse(text)"
    assert script(ROOM + "lexicon.js", parse, facts, text) == {"problem": problem}


def test_a_long_vocabulary_is_not_listed_to_its_end(script):
    facts = of([f"w{k}" for k in range(45)], letters=False)
    parse = "facts => new Lexicon(facts).parse('no').problem"
    assert script(ROOM + "lexicon.js", parse, facts).endswith(" w38 w39 and 5 more")


@pytest.mark.parametrize(
    ("letters", "text", "line"),
    [
        ("ab\n", "a\nb", "a↵b"),
        ("ab\n↵", "a\nb", "a⏎b"),
        ("ab\r\n", "\r\n", "␍↵"),
        ("ab", "ab", "ab"),
    ],
)
def test_a_line_end_gets_a_mark_in_the_field_that_is_no_token(script, letters, text, line):
    there_and_back = """(vocabulary, text) => {
        const lexicon = new Lexicon({vocabulary, shown: vocabulary, letters: true, most: 9});
        return [lexicon.toField(text), lexicon.fromField(lexicon.toField(text))];
    }"""
    assert script(ROOM + "lexicon.js", there_and_back, [*letters], text) == [line, text]


# ---- which steps
@pytest.mark.parametrize(("t", "earlier"), [*[*enumerate([-1, -1, -1, 2, -1, 1, 5])]])
def test_a_step_is_compared_with_the_last_that_read_the_same_and_differs(script, t, earlier):
    assert script(SCENE, "twinOf", RUN, t) == earlier  # in what it should say, or says


def test_lanes_are_needed_where_twins_stand_apart(script):
    assert script(SCENE, "needsLanes", RUN)
    assert not script(SCENE, "needsLanes", RUN[:5])


@pytest.mark.parametrize(
    ("start", "t", "earlier", "want"),
    [
        (0, 3, -1, 0),  # in sight already
        (0, 4, -1, 0),
        (0, 5, -1, 1),  # as few steps as can be
        (9, 8, -1, 7),  # with the one before
        (9, 8, 5, 5),  # with the one that it is compared with
        (3, 8, 1, 4),  # too far back to be seen
        (0, 19, -1, 15),
        (99, 19, -1, 15),
    ],
)
def test_the_window_moves_as_little_as_it_can(script, start, t, earlier, want):
    place = {"t": t, "earlier": earlier, "n": 5, "steps": 20}
    assert script(SCENE, "firstInSight", start, place) == want


# ---- where the panes stand
PLAN = """(W, facts, steps, lanes, height, open) =>
    plan({W, facts, steps, lanes, height, open, measure: text => 6 * text.length})"""


def plan(
    script, width, steps=4, lanes=False, units=8, tokens=4, letters=True, height=None, opened=False
):
    facts = {"units": units, "vocabulary": ["a"] * tokens, "letters": letters}
    return script(PANES, PLAN, width, facts, steps, lanes, height, opened)


@pytest.mark.parametrize(
    ("width", "steps", "letters", "n"),
    [
        (380, 4, True, 2),
        (833, 4, True, 4),
        (833, 50, True, 6),
        (833, 50, False, 5),
        (200, 9, True, 1),
    ],
)
def test_as_many_steps_are_in_sight_as_fit(script, width, steps, letters, n):
    found = plan(script, width, steps, letters=letters)
    assert found["n"] == n
    chain = found["chain"]
    assert chain["pitch"] <= chain["room"] / n
    assert chain["startX"] + 46 / 2 < chain["left"]


@pytest.mark.parametrize("width", [380, 479, 480, 759, 760, 1200])
@pytest.mark.parametrize(("units", "tokens"), [(1, 2), (8, 4), (64, 200)])
def test_the_blocks_of_the_equation_stand_side_by_side(script, width, units, tokens):
    found = plan(script, width, units=units, tokens=tokens)["equation"]
    x = 4
    for name, block in found["blocks"].items():
        assert block["x"] == pytest.approx(x)
        x += block["width"] + 6 * (name in ("W_hh", "W_xh"))
    assert found["end"] == pytest.approx(x)
    assert x <= width


@pytest.mark.parametrize(("width", "beside"), [(500, False), (833, True), (1200, True)])
def test_the_trace_stands_beside_the_equation_where_there_is_room(script, width, beside):
    found = plan(script, width)
    trace, equation = found["trace"], found["equation"]
    assert (trace["y"] == equation["y"]) is beside
    assert (trace["y"] > equation["sumY"]) is not beside
    assert (trace["x"] > equation["end"]) is beside
    assert trace["x"] + trace["width"] <= width


def test_strip_and_lanes_push_the_chain_down(script):
    tops = [
        plan(script, 833, steps, lanes)["chain"]["top"]
        for steps, lanes in [(4, False), (50, False), (50, True)]
    ]
    assert tops[0] == 0
    assert 38 <= tops[1] < 52
    assert tops[2] >= 38 + 24


@pytest.mark.parametrize("lanes", [False, True])
@pytest.mark.parametrize("steps", [4, 50])
@pytest.mark.parametrize(("units", "tokens"), [(1, 2), (8, 4), (12, 6), (24, 24), (64, 200)])
def test_the_chain_is_no_higher_than_a_page_lets_it(script, steps, lanes, units, tokens):
    chain = plan(script, 801, steps, lanes, units, tokens)["chain"]
    assert chain["height"] <= (480 if lanes or steps > 6 else 450)
    order = ["top", "inputY", "feedY", "stateY", "readY", "outputY", "chosenY", "targetY", "height"]
    places = [chain[name] for name in order]
    assert places == sorted(places)
    assert chain["rowHeight"] >= 15
    assert chain["wordHeight"] >= 25


def test_a_row_of_states_has_numbers_in_all_cells_or_in_none(script):
    by_units = {units: plan(script, 801, units=units)["chain"] for units in (1, 8, 11, 12, 24, 64)}
    assert [units for units, chain in by_units.items() if chain["numbers"]] == [1, 8, 11]
    for chain in by_units.values():
        assert chain["numbers"] == (chain["unitHeight"] >= 13)


def test_a_screen_gives_the_chain_what_the_equation_leaves(script):
    small, large, shared = (
        plan(script, 840, height=height, opened=opened)
        for height, opened in [(380, False), (600, False), (600, True)]
    )
    page = [plan(script, 840, opened=opened)["chain"] for opened in (False, True)]
    assert page[0] == page[1]  # on a page what is opened below moves nothing
    assert small["chain"]["height"] < page[0]["height"] < large["chain"]["height"]
    trace, sum_y = shared["trace"], shared["equation"]["sumY"]
    below = max(sum_y + 20, trace["y"] + trace["height"] + 28)
    assert shared["chain"]["height"] + below <= 600


# ---- what the panes say
def test_all_tokens_are_answers_of_a_small_vocabulary_the_likeliest_of_a_large_one(script):
    step = {"p": [0.1, 0.2, 0.003, 0.697], "chosen": 3}
    few = script(SCENE, "answersOf", step, [*"abcd"], 4)
    assert [a["word"] + a["text"] for a in few] == ["a.10", "b.20", "c<.01", "d.70"]
    many = script(SCENE, "answersOf", step, [*"abcd"], 2)
    assert [(a["word"], a["chosen"]) for a in many] == [("d", True), ("b", False)]


def compared(script, **changes):
    given = {
        "now": {"h": [0.9, -0.25, 0], "chosen": 3},
        "then": {"h": [0.25, 0.25, 0], "chosen": 2},
        "t": 3,
        "earlier": 2,
        "from": 0,
        "facts": {"letters": True},
    }
    return script(SCENE, "comparisonOf", given | changes)


def test_a_comparison_says_what_is_equal_and_what_is_not(script):
    found = compared(script)
    assert (found["inSight"], found["beside"]) == (True, True)
    assert [c["differs"] for c in found["changes"]] == [True, False, False]  # 0.65, 0.5, 0
    assert found["differ"] == 1
    assert (found["input"]["sign"], found["input"]["text"]) == ("=", "same letter")
    assert (found["answer"]["sign"], found["answer"]["text"]) == ("≠", "other answer")
    assert found["title"] == "change from step 3"


def test_a_comparison_out_of_sight_names_the_step(script):
    found = compared(script, **{"from": 3, "facts": {"letters": False}})
    assert (found["inSight"], found["beside"]) == (False, False)
    assert found["input"]["text"] == "same word as at step 3"
    assert found["answer"]["text"] == "other answer than at step 3"
    apart = compared(script, t=4, then={"h": [0, 0, 0], "chosen": 3})
    assert (apart["inSight"], apart["beside"]) == (True, False)
    assert apart["answer"]["text"] == "same answer"


def test_the_strip_counts_right_answers_in_bins(script):
    found = script(SCENE, "stripOf", RUN[:6], 9.5)  # pixels, three for a bin
    assert found == {"bins": [1, 1, 0], "steps": "6 steps", "right": "67 % right"}
    assert len(script(SCENE, "stripOf", RUN, 900)["bins"]) == 7


def test_the_sums_of_a_unit_make_its_state(script):
    rng = np.random.default_rng(0)
    shapes = {"W_xh": 3 * 4, "W_hh": 3 * 3, "b": 3, "W_hy": 4 * 3, "b_y": 4, "h_0": 3}
    net = {name: rng.normal(size=size).tolist() for name, size in shapes.items()}
    read = """net => [true, false].map(learned => {
        const run = forward(net, [2, 0, 3], learned);
        return run.flatMap(step => [0, 1, 2].map(u => sumsOf(net, step, u)));
    })"""
    learned, zero = script(SCENE, read, net)
    for sums in learned + zero:
        total = sums["recurrence"] + sums["input"] + sums["b"]
        assert sums["h"] == pytest.approx(np.tanh(total))
    assert [sums["recurrence"] for sums in zero[:3]] == [0, 0, 0]
    W_hh = np.reshape(net["W_hh"], (3, 3))
    assert [sums["recurrence"] for sums in learned[:3]] == pytest.approx(W_hh @ net["h_0"])


# ---- words
@pytest.mark.parametrize(
    ("now", "then", "said"),
    [
        ((0, 1, 1), None, "Step 1: reads h, says e (p = .40), right."),
        ((0, 3, 1), None, "Step 1: reads h, says e (p = .40); right would be o (p < .01)."),
        ((0, -1, 1), None, "Step 1: reads h, says e (p = .40)."),
        ((2, 3, 3), 2, "Same letter, other state (1 of 2 units differ): it says l, then o."),
        ((2, 3, 3), 3, "Same letter, other state (1 of 2 units differ): it says o both times."),
        (
            (2, 1, 3),
            2,
            "Same letter, other state (1 of 2 units differ): it says l, then o; right would be e "
            "(p = .40).",
        ),
    ],
)
def test_the_sentence_over_a_step(script, now, then, said):
    read, target, chosen = now
    scene = {
        "t": 0,
        "now": {"id": read, "target": target, "chosen": chosen, "p": [0.2, 0.4, 0.398, 0.002]},
        "then": {"chosen": then},
        "comparison": None if then is None else {"differ": 1},
        "facts": {"shown": [*"helo"], "letters": True, "units": 2},
    }
    whole = "scene => sentence(scene).map(p => p.i ?? p.b ?? p).join('')"
    assert script(ROOM + "sentence.js", whole, scene).replace("\xa0", " ") == said


@pytest.mark.parametrize(
    ("steps", "title", "heading"),
    [
        (1, "", "One cell, used once"),
        (4, "", "One cell, used 4 times with the same weights"),
        (4, "From noise", "From noise"),
    ],
)
def test_the_heading(script, steps, title, heading):
    assert script(SCENE, "headingOf", {"title": title}, steps) == heading


# ---- the scene: "abbab", read by one unit
SEE = """(t, W) => {
    const words = ['a', 'b'];
    const facts = {units: 1, vocabulary: words, shown: words, letters: true};
    const net = unpack(Float32Array.of(1, -1, 0.5, 0, 1, -1, 0, 0), facts);
    const run = forward(net, [0, 1, 1, 0, 1], false);
    const read = {facts, net, run, lanes: false};
    const place = {W, height: null, open: false, t, u: 0, from: 0};
    const {X, ...scene} = sceneOf(read, place, text => 6 * text.length);
    return {...scene, xs: scene.columns.map(({k}) => X(k)), reading: readingOf(scene, true),
        table: tableOf(facts, run)};
}"""


def test_a_scene_has_all_steps_in_sight(script):
    wide = script(SCENE, SEE, 1, 833)
    assert [(c["token"], c["target"], c["right"]) for c in wide["columns"]] == [
        ("a", "b", False),
        ("b", "b", True),
        ("b", "a", False),
        ("a", "b", False),
    ]
    assert wide["strip"] is None
    assert wide["xs"] == sorted(wide["xs"])
    assert len(wide["states"]) == 5  # with that before the first step
    narrow = script(SCENE, SEE, 0, 380)
    assert (narrow["n"], len(narrow["columns"]), len(narrow["states"])) == (2, 2, 3)
    assert narrow["strip"]["steps"] == "4 steps"
    assert narrow["reading"] == "unit 1 = 0.76, locked"


def test_a_scene_compares_the_step_in_focus(script):
    alone, twin = script(SCENE, SEE, 1, 833), script(SCENE, SEE, 2, 833)
    assert (alone["comparison"], alone["earlier"]) == (None, -1)
    assert not any(c["compared"] for c in alone["columns"])
    assert (twin["comparison"]["beside"], twin["earlier"]) == (True, 1)
    assert [c["compared"] for c in twin["columns"]] == [False, True, True, False]
    # the gap after the step in focus shows what changed
    assert [c["recurrence"] for c in twin["columns"]] == [True, True, True, False]
    assert all(c["recurrence"] for c in alone["columns"])


def test_the_table_has_every_step_whatever_is_in_sight(script):
    assert [row[:4] for row in script(SCENE, SEE, 0, 380)["table"]] == [
        ["step", "input", "target", "chosen"],
        ["1", "a", "b", "a"],
        ["2", "b", "b", "b"],
        ["3", "b", "a", "b"],
        ["4", "a", "b", "a"],
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.004, "0.00"),
        (9.994, "9.99"),
        (-9.996, "−10.0"),
        (99.94, "99.9"),
        (99.96, "100"),
        (-9999.4, "−9999"),
        (9999.6, "1e4"),
        (-1.2e30, "−1e30"),
    ],
)
def test_a_number_has_five_signs_at_most(script, value, text):
    assert script(ROOM + "marks.js", "shortNumber", value) == text


def test_a_long_token_is_smaller_and_a_very_long_one_is_cut(script):
    short, long, longest = (
        script(ROOM + "marks.js", "fittedToken", text, 60, 20)
        for text in ("abcd", "abcdefgh", "abcdefghijkl")
    )
    assert short == {"label": "abcd", "size": 20}
    assert long["label"] == "abcdefgh"
    assert long["size"] == pytest.approx(60 / (8 * 0.61))
    assert longest == {"label": "abcdefg…", "size": 12}
