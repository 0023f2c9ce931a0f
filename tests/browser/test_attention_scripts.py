"""What the explorer decides before it draws, as plain functions: cursors, sentences, zoom, plan."""

from itertools import product

import pytest

ROOM = "attention/"
SHEET = """const unit = (from, to) => ({from, to, text: 't' + from});
    const sheet = {rows: [unit(0, 1), unit(1, 3), unit(3, 4)], columns: [unit(0, 1), unit(1, 2)],
        n: 3, m: 2, values: Float64Array.of(0.9, 0.1, 0.2, 0.8, 0.5, 0.5)};"""


def test_what_is_locked_is_found_by_its_token(script):
    find = f"(written, controls) => {{ {SHEET} return lockOf(sheet, written, controls); }}"
    for side, query, key, written, lock in [
        ("query", 3, 0, 3, ("query", 1, None)),
        ("query", 3, 2, 3, ("query", 1, 1)),
        ("key", 4, 1, 3, ("key", 0, 2)),
        ("query", 4, 1, 2, None),  # not written yet
        ("query", 0, 2, 3, None),
        ("query", 1, 1, 0, None),
    ]:
        controls = {"side": side, "query": query, "key": key}
        assert script(ROOM + "cursor.js", find, written, controls) == cursor(lock)


def cursor(place):
    return place and dict(zip(("side", "at", "far"), place, strict=True))


FOCUS = f"""(written, focus) => {{
    {SHEET}
    const none = {{lock: null, over: null, pre: null}};
    const found = focusOf({{sheet, open: sheet, written}}, {{...none, ...focus}});
    return [found.A, found.B, [...found.values], found.lists.length];
}}"""


def test_the_lock_is_compared_with_what_is_previewed(script):
    lock = ("query", 1, 0)
    for written, focus, (A, B, *rest) in [
        (3, {"over": ("key", 1, None)}, [("key", 1, 1), None, [0.1, 0.8, 0.5], 1]),
        (2, {"over": ("key", 1, None)}, [("key", 1, 1), None, [0.1, 0.8], 1]),
        (3, {"lock": lock}, [lock, None, [0.2, 0.8], 1]),
        (3, {"lock": lock, "over": ("query", 2, None)}, [lock, ("query", 2, 0), [0.2, 0.8], 2]),
        (3, {"lock": lock, "over": ("key", 1, None)}, [lock, ("key", 1, 1), [0.2, 0.8], 1]),
        (0, {"over": lock}, [("query", -1, -1), None, [0, 0], 1]),
    ]:
        given = {name: cursor(place) for name, place in focus.items()}
        found = script(ROOM + "scene.js", FOCUS, written, given)
        assert found == [cursor(A), cursor(B), *rest], focus


# ---- the sentence

SAYS = """(weights, sides, controls) => {
    const {queries, keys, special = [], words = null, texts = null} = sides;
    const kind = {
        queries, keys: keys ?? queries, specialQueries: special, specialKeys: keys ? [] : special,
        wordQueries: words, wordTextQueries: texts, wordKeys: keys ? null : words,
        wordTextKeys: texts, pairings: [],
    };
    const given = {words: false, specials: 'shown', between: 'all', side: 'query', query: 0, key: 0,
        ...controls};
    const screen = stateOf(kind, given), K = kind.keys.length;
    const map = rows => ({values: Float64Array.from(rows.flat()),
        totals: Float64Array.from(rows, summed), lost: new Float64Array(rows.length)});
    const made = rows => sheetOf(map(rows), kind, axesOnScreen(kind, screen),
        screen.specials === 'renormalised');
    const sheet = controls.before ? differenceOf(made(weights), made(controls.before))
        : made(weights);
    const steps = controls.step || Infinity, written = writtenOf(sheet, steps);
    const lock = lockOf(sheet, written, given);
    const found = focusOf({sheet, open: sheet, written}, {lock, over: null, pre: null});
    const said = plainText(sentenceOf({sheet, screen, steps}, found.A, found.values));
    return said.replaceAll('\\u00a0', ' ');
}"""


def test_the_sentence_follows_the_cursor(script):
    a = [[0.6, 0.3, 0.1], [0.2, 0.16, 0.64], [0.0004, 0.9996, 0]]
    for controls, said in [
        ({"query": 1, "key": 3}, "“a” attends to “c” 0.10"),
        ({"query": 3, "key": 1}, "“c” attends to “a” <0.001"),
        ({"query": 3, "key": 3}, "“c” attends to “c” 0"),
        ({"query": 3, "key": 3, "side": "key"}, "“c” is attended to by “c” 0"),
        ({"key": 3, "side": "key"}, "“c” is attended to by “b” 0.64"),
        ({"side": "key"}, "“c” attends to “b” 1.00"),
    ]:
        assert script(ROOM + "explorer.js", SAYS, a, {"queries": [*"abc"]}, controls) == said
    # the strongest cell is one without special tokens, if there is one
    a = [[0.98, 0.01, 0.01], [0.2, 0.16, 0.64], [0.01, 0.6, 0.39]]
    for special, said in (([0], "“it” attends to “animal” 0.64"), ([0, 1, 2], "“[CLS]” att")):
        sides = {"queries": ["[CLS]", "it", "animal"], "special": special}
        assert script(ROOM + "explorer.js", SAYS, a, sides, {}).startswith(said)


def test_the_sentence_says_where_nothing_is_attended_to(script):
    for weights, controls, said in [
        ([[0.9, 0.1], [0, 0]], {"query": 2}, "“b” attends to nothing here: every weight is 0"),
        ([[0, 1], [0, 1]], {"side": "key", "key": 1}, "“a” is attended to by nothing: every wei"),
        ([[0, 1], [0.5, 0.5]], {"specials": "hidden", "query": 1}, "“a” attends to nothing here"),
    ]:
        sides = {"queries": [*"ab"], "special": [1] if "specials" in controls else []}
        assert script(ROOM + "explorer.js", SAYS, weights, sides, controls).startswith(said)


PIECES = {"queries": ["<s>", "un", "##kind", "cat"], "words": [0, 1, 1, 2], "special": [0]}
PIECES |= {"texts": ["<s>", "unkind", "cat"], "keys": [*"abc"]}
WRITTEN = [[0.4, 0.3, 0.3], [0.1, 0.6, 0.3], [0.2, 0.7, 0.1], [0.04, 0.01, 0.95]]


def test_the_sentence_is_of_words_and_of_what_is_written(script):
    by_c = {"key": 3, "side": "key"}
    for controls, said in [
        ({}, "“cat” attends to “c” 0.95"),
        ({"step": 2}, "“un” attends to “b” 0.60"),
        ({"step": 2, "query": 4}, "“un” attends to “b” 0.60"),
        ({"step": 2, **by_c}, "“c” is attended to by “<s>” 0.30"),
        ({"step": 4, **by_c}, "“c” is attended to by “cat” 0.95"),
        ({"words": True, "query": 3}, "“unkind” attends to “b” 0.65"),
        ({"words": True, "step": 2}, "“<s>” attends to “a” 0.40"),  # a word when all its pieces are
        ({"specials": "hidden", "query": 1}, "“cat” attends to “c” 0.95"),  # as if none were locked
        (
            {"specials": "renormalised", "query": 2},
            "“un” attends to “b” 0.60 of what is left without special tokens",
        ),
        (
            {"specials": "hidden", "step": 1},
            "no query is on screen at step 1: what is written is hidden",
        ),
        (
            {"specials": "hidden", "step": 2, "words": True},
            "no query is on screen at step 2: what is written is hidden or not yet a whole word",
        ),
    ]:
        assert script(ROOM + "explorer.js", SAYS, WRITTEN, PIECES, controls) == said, controls


def test_the_sentence_of_a_difference_says_more_or_less(script):
    before, after = [[0.5, 0.5], [0.2, 0.8]], [[0.5, 0.5], [0.33, 0.7]]
    for controls, said in [
        ({}, "“b” attends more to “a” +0.13"),
        ({"query": 2, "key": 2}, "“b” attends less to “b” −0.10"),
        ({"side": "key", "key": 2}, "“b” is attended to less by “b” −0.10"),
        ({"side": "key", "key": 2, "query": 1}, "“b” is attended to as before by “a” 0"),
        ({"query": 1}, "“a” attends as before: a silenced head changes only what is computed af"),
    ]:
        given = {**controls, "before": before}
        assert script(ROOM + "explorer.js", SAYS, after, {"queries": [*"ab"]}, given).startswith(
            said
        )


def test_numbers_are_never_a_round_zero_and_differences_have_a_sign(script):
    weights = {0: "0", 1e-30: "<0.001", 0.0009999: "<0.001", 0.001: "0.001", 0.0094: "0.009"}
    weights |= {0.0095: "0.01", 0.125: "0.13", 0.6449: "0.64", 0.999: "1.00", 1: "1.00"}
    changes = {0: "0", -0.0004: "−<0.001", 0.004: "+0.004", -0.125: "−0.13"}
    chances = {0: "0.00", 0.0049: "<0.01", 0.005: "0.01", 0.125: "0.13", 0.994: "0.99"}
    chances |= {0.996: ">0.99", 1: "1.00"}
    for file, name, cases in [
        ("weights.js", "weight", weights),
        ("weights.js", "change", changes),
        ("predictions.js", "portion", chances),
    ]:
        said = script(ROOM + file, f"values => values.map(v => {name}(v))", [*cases])
        assert said == [*cases.values()], name


# ---- what silencing changed

HEADS = [["self", 1, 1], ["self", 2, 0], ["self", 2, 1]]
GUESSES = {"before": [[("a", 0.5)], [("\t", 0.999)]], "after": [[("b", 0.001)], [("\t", 0.125)]]}
LESSON = """(silence, kinds, kind, token) =>
    (pieces => pieces && plainText(pieces))(lessonOfSilence({silence, kinds}, kind, token))"""


def test_the_sentence_says_what_silencing_changed(script):
    two = "layer 1, head 1 and {0}layer 2, head 0"
    for heads, several, said, kind, token, sentence in [
        (1, False, GUESSES, "self", 0, "Without layer 1, head 1, “it” says “b” with <0.01, before "
         "“a” with 0.50"),
        (1, True, GUESSES, "self", 1, "Without self layer 1, head 1, “↵” says “⇥” with 0.13, "
         "before >0.99"),
        (2, False, [0.0, 1.37], "self", 0, f"Without {two.format('')}, the state of “it” shifts "
         "by 0"),
        (3, False, GUESSES, "self", 0, "Without 3 heads, “it” says “b” with <0.01, before “a” with "
         "0.50"),
        (1, False, GUESSES, "cross", 0, None),
        (1, False, GUESSES, "self", None, None),
    ]:  # fmt: skip
        guesses, shifts = (said, None) if said is GUESSES else (None, said)
        facts = {"heads": HEADS[:heads], "predicts": ["self"], "tokens": ["it", "\n"]}
        facts |= {"guesses": guesses, "shifts": shifts}
        kinds = [{}] * (1 + several)
        assert script(ROOM + "explorer.js", LESSON, facts, kinds, kind, token) == sentence


# ---- two texts

ALIGNED = [  # first text, second text, columns
    ("", "", []),
    ("a", "", [(0, None)]),
    ("", "a b", [(None, 0), (None, 1)]),
    ("a b c", "a b c", [(0, 0), (1, 1), (2, 2)]),
    ("it was tired", "it was wide", [(0, 0), (1, 1), (2, 2)]),
    ("it was tired", "it was too wide", [(0, 0), (1, 1), (2, None), (None, 2), (None, 3)]),
    ("a x y b", "a u v b", [(0, 0), (1, 1), (2, 2), (3, 3)]),
    ("a b", "b a", [(0, None), (1, 0), (None, 1)]),
    ("the the", "the", [(0, 0), (1, None)]),
    ("It it", "it", [(0, None), (1, 0)]),
    ("a b c d", "b d", [(0, None), (1, 0), (2, None), (3, 1)]),
]


def test_words_are_lined_up_where_they_are_equal(script):
    for first, second, columns in ALIGNED:
        found = script(ROOM + "compared.js", "aligned", first.split(), second.split())
        assert [tuple(column) for column in found] == columns, (first, second)


def test_what_is_said_of_a_weight_in_two_texts(script):
    names = ("side", "word", "far", "weight", "word2", "far2", "weight2", "most2", "largest2")
    gap = "; in the second text no word is in the place of "
    for given, said in [
        (("query", "it", "animal", 0.67, "it", "animal", 0.56),
         "“it” attends to “animal” with 0.67; in the second text with 0.56"),
        (("query", "it", "tired", 0.3, "it", "wide", 0.0004),
         "“it” attends to “tired” with 0.30; in the second text to “wide”, in its place, with "
         "<0.001"),
        (("key", "a", "b", 0.005, "c", "d", 1.0),
         "“a” is attended to by “b” with 0.005; in the second text “c”, in its place, by “d”, in "
         "its place, with 1.00"),
        (("query", "it", "tired", 0.3, "she", None, None),
         f"“it” attends to “tired” with 0.30{gap}“tired”, and “she” attends most to “was” with "
         "0.90"),
        (("key", "it", "too", 0.3, "it", None, None),
         f"“it” is attended to by “too” with 0.30{gap}“too”, and “it” is attended to most by "
         "“was” with 0.90"),
        (("key", "it", "too", 0.3, "it", None, None, None, None),
         f"“it” is attended to by “too” with 0.30{gap}“too”"),
    ]:  # fmt: skip
        facts = dict(zip(names, [*given, "was", 0.9][:9], strict=True))
        assert script(ROOM + "compared.js", "lessonOfTwo", facts) == said


# ---- zoom and plan


def test_the_cell_under_the_hand_stays_under_it(script):
    whole = {"q0": 0, "qn": 100, "k0": 0, "kn": 40}
    size = {"n": 100, "m": 40}
    nearer = script(ROOM + "zoom.js", "zoomed", whole, size, 4, 75, 10)
    assert nearer == {"count": 25, "q0": 57, "k0": 4}
    view = script(ROOM + "zoom.js", "viewOf", size, nearer)
    assert view == {"q0": 57, "qn": 25, "k0": 4, "kn": 25}
    assert script(ROOM + "zoom.js", "zoomed", view, size, 1e-9, 3, 3)["count"] == 100
    assert script(ROOM + "zoom.js", "zoomed", view, size, 1e9, 0, 0)["count"] == 4
    for cell, at in (((99, 0), (75, 0)), ((None, 30), (57, 6))):
        seen = script(
            ROOM + "zoom.js", "broughtIn", view, size, {"row": cell[0], "column": cell[1]}
        )
        assert (seen["q0"], seen["k0"]) == at


PLAN = """(n, m, layers, heads, width, height, folded, beside, second) => {
    const units = count => Array.from({length: count}, (_, i) => ({from: i, text: 'w' + i}));
    const sheet = {rows: units(n), columns: units(m), n, m};
    const scene = {
        sheet, kind: {layers, heads}, single: layers * heads === 1, beside, zoom: null,
        facts: {second}, A: {side: 'query', at: 0, far: 0}, measure: text => 8 * text.length,
    };
    return plan(scene, {width, height, folded});
}"""


@pytest.mark.parametrize(
    ("n", "m", "layers", "heads"),
    [(2, 2, 1, 1), (15, 15, 6, 12), (28, 31, 1, 1), (10, 60, 4, 8), (512, 512, 24, 16)],
)
def test_the_plan_keeps_its_promise(script, n, m, layers, heads):
    widths = (320, 560, 801, 940, 1168, 1600)
    panes = ("heads", "lines", "texts")
    for width, folded, second, beside in product(widths, (False, True), (False, True), panes):
        size = width, 460, folded
        found = script(ROOM + "plan.js", PLAN, n, m, layers, heads, *size, beside, second)
        view = found["view"]
        assert found["broad"] == pytest.approx(found["cell"] * view["kn"])  # square
        assert found["high"] == pytest.approx(found["cell"] * view["qn"])
        most = max(found["broad"], found["high"])
        assert most >= min(360, 0.6 * width) - 1e-6 or n != m
        assert found["broad"] + found["q"] <= width
        if max(n, m) > 40:
            assert found["lens"]
            assert found["cell"] >= 12
        if found["lines"]:
            assert found["x1"] < found["x2"] < found["width"]
            before = 0 if found["stack"] else found["broad"] + found["q"]
            assert before + found["width"] <= found["main"] + 1e-6
        if found["heads"] and not found["stack"]:
            assert found["main"] + found["side"] <= width
            assert (heads + 1) * (found["tile"] + 2) + 50 <= found["side"] or heads > 12
        if found["texts"] and not found["stack"]:
            assert found["words"] >= 160
            assert found["main"] + found["heads"] * found["side"] + found["words"] <= width
        assert found["lines"] or found["heads"] or found["texts"]
