"""What masked words decide before they are drawn, as plain functions."""

from itertools import pairwise

import pytest

from seqviz.pieces import bare, pieces_of, together
from seqviz.views.masking.facts import told_of_pieces
from seqviz.views.masking.values import words_at
from tests.views.test_masking import (
    IN_BYTES,
    PIECES,
    TOKENS,
    VOCABULARY,
    everything,
    in_bytes,
)

ROOM = "masking/"
SIZE = """{W, em: 14, small: 12,
    measure: (text, font) => 0.6 * parseFloat(font.match(/([\\d.]+)px/)[1]) * text.length}"""


@pytest.mark.parametrize(
    ("tokens", "special", "words"),
    [
        (PIECES, [0, 5], [[0], [1], [2, 3], [2, 3], [4], [5]]),
        (["a", "##b", "##c", "d"], [], [[0, 1, 2]] * 3 + [[3]]),
        (["##a", "##b"], [], [[0, 1]] * 2),
        (["[CLS]", "##a", "##"], [0], [[0], [1], [2]]),
        (["#", "##", "###"], [], [[0], [1], [2]]),
        (["Ġun", "seen", "Ġca", "fÃ©"], [], [[0, 1]] * 2 + [[2, 3]] * 2),
        (["un@@", "seen", "cat"], [], [[0, 1]] * 2 + [[2]]),
    ],
)
def test_pieces_make_words(script, tokens, special, words):
    starts = pieces_of(tokens, special).starts
    assert script(ROOM + "chips.js", "wordsOf", starts) == words
    assert [list(word) for word in words_at(starts)] == words


@pytest.mark.parametrize("marks", ["", "##", "@@", "</w>", "Ġ", "▁"])
def test_both_languages_leave_out_the_same_marks(script, marks):
    tokens = ["cat", "##s", "##", "un@@", "@@", "cat</w>", "</w>", "Ġcat", "Ġ", "▁cat", "▁", ""]
    call = "(tokens, marks) => tokens.map(token => bare(token, marks))"
    found = script("shared/pieces.js", call, tokens, marks)
    assert found == [bare(token, marks) for token in tokens]


@pytest.mark.parametrize(
    "names",
    [
        [" cat", " byte F0 + byte 9F", "byte 98", "byte 80", "s"],
        ["bytes E7 94", "byte B7 + a", "bytes E2 80", "byte 8B"],
        ["byte 80", "byte E7", "no", "bytes E7 94", "byte 41 + byte ED"],
        ["bytes of a + b", "byte", "", "我 + byte E7", "bytes 94 B7"],
        ["bytes F0 9F 91 A8 E2", "bytes 80 8D F0", "bytes 9F 91 A9 20", "byte 20 + byte C3"],
    ],
)
def test_both_languages_put_the_same_bytes_together(script, names):
    found = script("shared/pieces.js", "together", names)
    assert (found["told"], found["letters"]) == together(names)


def test_page_and_python_say_a_character_in_pieces_once(script):
    said = "(given, at) => quoted(given, ...at).map(p => p.i ?? p).join('')"
    for tokens, mask, own, guess in IN_BYTES:
        view = in_bytes(tokens, mask, 0)
        of = view.facts["sentences"][0]
        token = view.vocabulary.shown[mask % len(tokens)]
        for at, right in (([mask - 1], own), ([mask - 1, token], guess)):
            given = {**of, "words": [list(word) for word in view.here.words]}
            assert script(ROOM + "sentence.js", said, given, at) == right


LAYOUT = f"""(given, W) => {{
    const layout = chipLayout(sentenceOf(given), {SIZE});
    return {{...layout, texts: sentenceOf(given).texts}};
}}"""


def laid_out(script, tokens, W=800, special=()):
    return script(ROOM + "chips.js", LAYOUT, told(tokens, special), W)


GUESS = """(given, at, guess) => {
    const {before, word, after} = guessTexts(sentenceOf(given), at, guess);
    return [before, word, after];
}"""


def told(tokens, special=()):
    return {**told_of_pieces(pieces_of(tokens, special)), "special": [*special], "marks": "##"}


def test_a_short_sentence_stands_in_large_type_on_one_line(script):
    found = laid_out(script, TOKENS, special=[0, 7])
    assert found["lines"] == 1
    assert found["chips"][2]["size"] == pytest.approx(14 * 2.1)
    assert found["chips"][0]["size"] == 12
    assert found["texts"] == TOKENS


@pytest.mark.parametrize("W", [200, 400, 800, 1200])
@pytest.mark.parametrize("n", [1, 7, 16, 40, 64])
def test_no_chip_leaves_the_page_or_covers_another(script, n, W):
    tokens = [f"{'##' if k % 5 == 3 else ''}{'abcdefghij'[: 1 + k % 9]}" for k in range(n)]
    found = laid_out(script, tokens, W)
    chips = found["chips"]
    for a, b in pairwise(chips):
        assert b["line"] == a["line"] + 1 or b["x"] >= a["x"] + a["w"] - 1e-6
        assert b["line"] in (a["line"], a["line"] + 1)
    for chip in chips:
        assert 0 <= chip["x"] <= chip["x"] + chip["w"] <= W + 1e-6
        assert chip["mask"] >= 12
        assert chip["y"] + chip["h"] < found["height"]
    assert min(chip["size"] for chip in chips) >= 12


def test_pieces_stand_side_by_side_and_wrap_as_a_word(script):
    tokens = ["walk"] * 9 + ["play", "##ing"]
    for W in range(300, 900, 50):
        chips = laid_out(script, tokens, W)["chips"]
        play, ing = chips[-2:]
        assert ing["line"] == play["line"]
        assert ing["x"] - play["x"] - play["w"] == pytest.approx(1)
    assert laid_out(script, tokens)["texts"][-2:] == ["play", "ing"]


def test_every_point_over_a_chip_and_beside_it_is_its_own(script):
    at = f"""(given, W) => {{
        const layout = chipLayout(sentenceOf(given), {SIZE});
        const {{chips}} = layout;
        const first = chips[0];
        return [[first.cx, first.y + 3], [first.x + first.w + 1, first.y], [799, first.y], [1, 1]]
            .map(point => chipAt(layout, ...point));
    }}"""
    assert script(ROOM + "chips.js", at, told(["he", "sat"]), 800) == [0, 0, None, None]


@pytest.mark.parametrize(
    ("at", "guess", "texts"),
    [
        (3, "##ed", ["play", "ed", ""]),
        (3, "he", ["", "he", ""]),
        (2, "walk", ["", "walk", "ing"]),
        (2, "##s", ["he", "s", "ing"]),
        (1, "##s", ["", "##s", ""]),
        (4, "##s", ["playing", "s", ""]),
        (4, "", ["", "∅", ""]),
    ],
)
def test_a_guess_is_shown_joined_to_its_word(script, at, guess, texts):
    assert script(ROOM + "scene.js", GUESS, told(PIECES, [0, 5]), at, guess) == texts


@pytest.mark.parametrize(
    ("tokens", "at", "guess", "texts"),
    [
        (["הי", "##לד", "הלך"], 0, "ה", ["", "\u2068ה", "לד\u2069"]),  # one word, one direction
        (["הי", "##לד", "הלך"], 1, "##ום", ["\u2068הי", "ום\u2069", ""]),
        (["ल", "##ड", "##़", "##का"], 1, "##प", ["ल", "प", "़का"]),  # a vowel's sign on its letter
        (["ल", "##ड", "##़"], 2, "##ा", ["लड", "ा", ""]),
    ],
)
def test_a_word_with_a_guess_runs_as_one(script, tokens, at, guess, texts):
    assert script(ROOM + "scene.js", GUESS, told(tokens), at, guess) == texts


@pytest.mark.parametrize(
    ("mask", "second", "over", "focus"),
    [
        (None, None, None, [None, None, False]),
        (3, None, None, [3, None, False]),
        (3, None, 5, [5, None, True]),
        (3, 6, None, [3, 6, False]),
        (3, 6, 5, [5, None, True]),
        (3, 6, 3, [3, 6, False]),
    ],
)
def test_a_preview_stands_before_both_masks(script, mask, second, over, focus):
    call = """state => {
        const {at, other, previewing} = focusOf(state);
        return [at, other, previewing];
    }"""
    state = {"mask": mask, "second": second, "over": over}
    assert script(ROOM + "scene.js", call, state) == focus


ANSWER = """(part, shape) => {
    const answer = new Answer(readPart(new DataView(Uint8Array.from(part).buffer)), shape);
    const places = [...Array(shape.rows).keys()];
    const weights = places.map(k =>
        shape.heads.map(head => [head, [...(answer.weights(head, k) ?? [])]]));
    return {rows: places.map(k => answer.row(k)), weights: weights.map(Object.fromEntries)};
}"""
SCENE = f"""(facts, {{rows, weights}}, state, W) => {{
    const single = {{row: k => rows[k], weights: (head, k) => weights[k][head]}};
    const sentence = sentenceOf(facts.sentences[0]);
    const size = {SIZE};
    const layout = chipLayout(sentence, size);
    return sceneOf({{facts, sentence, answers: {{single, pair: null}}, state, layout, size}});
}}"""


@pytest.fixture(scope="module")
def answer(script):
    """What the page reads of the sentence by the bank, and the view."""
    view = everything()
    shape = {"rows": 8, "tokens": 8, "guesses": 5, "heads": ["mean", "head 1.2"]}
    return script(ROOM + "view.js", ANSWER, list(view.part("sentence 1")), shape), view


def test_the_page_reads_what_python_packs(answer):
    found, view = answer
    held = view.here.guesses
    for k in view.here.maskable:
        row = found["rows"][k]
        assert [g["word"] for g in row["guesses"]] == [VOCABULARY[i] for i in held.ids[k]]
        assert [g["both"] for g in row["guesses"]] == held.p[k].tolist()
        assert [g["left"] for g in row["guesses"]] == held.q[k].tolist()
        truth = row["truth"]
        assert [truth["both"], truth["left"]] == held.truth[k].tolist()
        assert [truth["rank"], truth["rankLeft"]] == held.ranks[k].tolist()
        assert row["best"]["word"] == VOCABULARY[int(held.best[k, 0])]
        assert row["compared"] is True
        for label, weights in held.attention.items():
            assert found["weights"][k][label] == weights[k].tolist()


@pytest.fixture
def seen(script, answer):
    """What is to be seen of it as the controls stand."""
    found, view = answer

    def seen(mask, over=None, compare=True, head="mean"):
        state = {"mask": mask, "second": None, "over": over, "compare": compare, "head": head}
        return script(ROOM + "scene.js", SCENE, view.facts, found, state, 800)

    return seen


def test_the_five_guesses_and_the_rest_sum_to_one(seen):
    rows = seen(5)["rows"]
    assert [row["kind"] for row in rows] == ["true", "", "", "", "", "rest", "best"]
    assert [row["word"] for row in rows[:2]] == ["bank", "bed"]
    for name in ("both", "left"):
        assert sum(row[name] for row in rows[:6]) == pytest.approx(1, abs=1e-5)
    assert (rows[-1]["lead"], rows[-1]["word"], rows[-1]["both"]) == ("left only", "bed", None)


def test_a_true_token_outside_the_five_follows_with_its_rank(seen):
    found = seen(6)
    kinds = [row["kind"] for row in found["rows"]]
    assert kinds == ["", "", "", "", "", "true", "rest", "best"]
    assert found["rows"][5]["rank"] == "15"
    assert found["note"] == ("✓ true token: rank 15 of 15 from both sides, rank 15 from left only")


def test_weights_are_arcs_shades_and_numbers(seen):
    found = seen(1)
    bank = found["chips"][5]
    assert (bank["weight"], bank["shade"]) == ("0.50", pytest.approx(0.5 / 0.55))
    assert len(found["arcs"]) == 7, "one for each other token, special ones too"
    assert found["chips"][1]["weight"] == "", "that which attends has no number"
    other = seen(5, head="head 1.2")["chips"]
    assert [chip["weight"] for chip in other[:4]] == ["0.12", "0.25", "0.12", ""]
    assert other[1]["shade"] == pytest.approx(0.25 / 0.55)


def test_the_feet_say_which_model_reads_what(seen):
    chips = seen(3)["chips"]
    assert [chip["readLeft"] for chip in chips] == [True] * 3 + [False] * 5
    assert [chip["readBoth"] for chip in chips] == [True] * 3 + [False] + [True] * 4
    assert not any(chip["readLeft"] for chip in seen(3, compare=False)["chips"])


def test_nothing_masked_is_an_overview(seen):
    found = seen(None)
    assert [row["word"] for row in found["rows"]] == ["bank", "by", "sat", "he", "the"]
    assert found["title"] == "Where the right side helps most"
    assert found["arcs"] == []
    assert [chip["mini"] is None for chip in found["chips"]] == [True] + [False] * 6 + [True]
    assert seen(None, compare=False)["title"] == "What is easiest to guess"


def test_shares_lie_around_their_targets(script):
    shares = """(fates, draw) => {
        const tokens = ['a', 'b', 'c', 'd'];
        const drawn = new Drawn(
            {numbers: Float32Array.from([...fates, 0]), words: ['x']}, {tokens, count: 2});
        const told = {tokens, bare: tokens, starts: tokens.map(() => true), special: []};
        const draws = {...told, shares: [0.8, 0.1, 0.1], drawn};
        const scene = trainingScene({draws, hump: null, rate: 0.5, draw});
        return [scene.shares.map(one => [one.value, one.beside, one.at, one.outside]),
            scene.tokens.map(one => one.text), scene.total, scene.lesson];
    }"""
    call = ROOM + "training_pane.js"
    first, texts, total, said = script(call, shares, [1, 1, 3, 0, 1, 2, 0, 0], 1)
    assert texts == ["[MASK]", "[MASK]", "= c", "d"]
    assert total == "3 tokens in 1 draw"
    assert said == "Of 3 chosen tokens 2 become [MASK], 0 another token, 1 stay."
    assert [one[0] for one in first] == ["75.0", "66.7", "0.0", "33.3"]
    assert first[0][2:] == [1, True]
    assert first[2][1] == "± 23.1 of 10 %", "0 of 3 is no proof of 0"
    second, texts, total, _ = script(call, shares, [1, 1, 3, 0, 1, 2, 0, 0], 2)
    assert texts == ["[MASK]", "≠ x", "c", "d"]
    assert total == "5 tokens in 2 draws"
    assert [one[0] for one in second] == ["62.5", "60.0", "20.0", "20.0"]


def test_the_scale_of_the_hump_holds_its_whiskers(script):
    hump = [
        {"rate": 0.1, "accuracy": 0.5, "error": 0.03},
        {"rate": 0.3, "accuracy": 0.99, "error": 0.05},
    ]
    axes = script(ROOM + "training_picture.js", "humpAxes", hump)
    assert (axes["low"], axes["high"]) == (0.4, 1)
