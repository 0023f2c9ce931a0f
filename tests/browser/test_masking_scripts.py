"""What masked words decide before they are drawn, and what their sentences say."""

import pytest

from seqviz.pieces import bare, pieces_of, together
from seqviz.view import masking
from seqviz.views.masking.facts import told_of_pieces
from tests.views.test_masking import (
    IN_BYTES,
    PIECES,
    RATES,
    TOKENS,
    VOCABULARY,
    by_the_bank,
    everything,
    in_bytes,
    row,
    uniform,
)

pytestmark = pytest.mark.browser

ROOM = "masking/"
ALL = ROOM + "view.js"  # with it come all files of the room
SIZE = """{W, em: 14, small: 12,
    measure: (text, font) => 0.6 * parseFloat(font.match(/([\\d.]+)px/)[1]) * text.length}"""


# ---- tokens, as Python names them


def test_pieces_make_words(script):
    for tokens, special, words in (
        (PIECES, [0, 5], [[0], [1], [2, 3], [2, 3], [4], [5]]),
        (["a", "##b", "##c", "d"], [], [[0, 1, 2]] * 3 + [[3]]),
        (["##a", "##b"], [], [[0, 1]] * 2),
        (["[CLS]", "##a", "##"], [0], [[0], [1], [2]]),
        (["#", "##", "###"], [], [[0], [1], [2]]),
        (["Ġun", "seen", "Ġca", "fÃ©"], [], [[0, 1]] * 2 + [[2, 3]] * 2),
        (["un@@", "seen", "cat"], [], [[0, 1]] * 2 + [[2]]),
    ):
        starts = pieces_of(tokens, special).starts
        assert script(ROOM + "chips.js", "wordsOf", starts) == words, tokens


def test_both_languages_leave_out_the_same_marks_and_put_the_same_bytes_together(script):
    tokens = ["cat", "##s", "##", "un@@", "@@", "cat</w>", "</w>", "Ġcat", "Ġ", "▁cat", "▁", ""]
    call = "(tokens, marks) => tokens.map(token => bare(token, marks))"
    for marks in ("", "##", "@@", "</w>", "Ġ", "▁"):
        found = script("shared/pieces.js", call, tokens, marks)
        assert found == [bare(token, marks) for token in tokens], marks
    for names in (
        [" cat", " byte F0 + byte 9F", "byte 98", "byte 80", "s"],
        ["bytes E7 94", "byte B7 + a", "bytes E2 80", "byte 8B"],
        ["byte 80", "byte E7", "no", "bytes E7 94", "byte 41 + byte ED"],
        ["bytes of a + b", "byte", "", "我 + byte E7", "bytes 94 B7"],
        ["bytes F0 9F 91 A8 E2", "bytes 80 8D F0", "bytes 9F 91 A9 20", "byte 20 + byte C3"],
    ):
        found = script("shared/pieces.js", "together", names)
        assert (found["told"], found["letters"]) == together(names), names


def told(tokens, special=()):
    return {**told_of_pieces(pieces_of(tokens, special)), "special": [*special], "marks": "##"}


# ---- guesses in their place


GUESS = """(given, at, guess) => {
    const {before, word, after} = guessTexts(sentenceOf(given), at, guess);
    return [before, word, after];
}"""


def test_a_guess_is_shown_joined_to_its_word(script):
    pieces, hebrew, hindi = (PIECES, [0, 5]), ["הי", "##לד", "הלך"], ["ल", "##ड", "##़", "##का"]
    for (tokens, *special), at, guess, texts in (
        (pieces, 3, "##ed", ["play", "ed", ""]),
        (pieces, 2, "walk", ["", "walk", "ing"]),
        (pieces, 2, "##s", ["he", "s", "ing"]),
        (pieces, 1, "##s", ["", "##s", ""]),
        (pieces, 4, "", ["", "∅", ""]),
        ([hebrew], 0, "ה", ["", "\u2068ה", "לד\u2069"]),  # one word, one direction
        ([hebrew], 1, "##ום", ["\u2068הי", "ום\u2069", ""]),
        ([hindi], 1, "##प", ["ल", "प", "़का"]),  # a vowel's sign on its letter
        ([hindi[:3]], 2, "##ा", ["लड", "ा", ""]),
    ):
        assert script(ROOM + "scene.js", GUESS, told(tokens, *special), at, guess) == texts


# ---- all that is to be seen


SCENE = f"""(facts, k, parts, state, W) => {{
    const sentence = sentenceOf(facts.sentences[k]);
    const [single, pair] = parts.map(part => new Answer(unpacked(part), facts.heads));
    const size = {SIZE};
    const layout = chipLayout(sentence, size);
    const scene = sceneOf({{facts, sentence, answers: {{single, pair}}, state, layout, size}});
    return {{...scene, said: spoken(headline(scene)), csv: tableOf(scene, null),
        single: sentence.tokens.map((_, k) => single.row(k))}};
}}"""


@pytest.fixture
def seen(script):
    """What is to be seen of a sentence as the controls stand; positions count from 1."""

    def seen(view, mask=0, second=0, *, over=None, sentence=1):
        masks = [k - 1 if k else None for k in (mask, second)]
        state = {"mask": masks[0], "second": masks[1], "over": over, "head": view.head}
        parts = [view.part_of(f"sentence {sentence}")]
        if second:
            both = f"{min(mask, second)} {max(mask, second)}"
            parts.append(view.part_of(f"sentence {sentence}: {both}"))
        state["compare"] = view.compare
        return script(ALL, SCENE, view.facts, sentence - 1, parts, state, 800)

    return seen


@pytest.fixture(scope="module")
def view():
    return everything()


def test_each_sentence_is_chosen_by_its_numbers(seen, view):
    for mask, said in enumerate([
        "Nothing is masked. The right side helps “bank” most: 0.03 from left only, 0.91 from both "
        "sides.",
        "",
        "Both sides leave “he” open: 0.05 from left only, 0.30 from both sides.",
        "The left side already tells “sat”: 0.60 from left only, 0.90 from both sides.",
        "The right side helps “by”: 0.10 from left only, 0.50 from both sides.",
        "Many tokens fit: the true “the” has rank 2 with 0.30, the best guess is “by” with 0.40.",
        "The right side gives “bank” away: 0.03 from left only, 0.91 from both sides.",
        "✗ Wrong: the best guess is “bank” with 0.70; the true “.” has rank 15 with 0.008.",
    ]):  # fmt: skip
        assert not said or seen(view, mask)["said"] == said
    same = by_the_bank()
    equal = masking([{**same, "both": same["left"]}], VOCABULARY, names=["BERT", "GPT"])
    assert seen(equal)["said"] == "Nothing is masked. No token gains from the right side."
    assert seen(equal, 3)["said"].endswith("“sat”: 0.60 from GPT, 0.60 from BERT.")


def test_without_the_second_model_nothing_is_compared(seen):
    alone = everything()
    alone.compare = False
    for mask, said in {
        6: "The words around it give “bank” away: 0.91.",
        4: "The words around it favour “by”: 0.50.",
        0: "Nothing is masked. Easiest to guess is “bank”: 0.91.",
    }.items():
        found = seen(alone, mask)
        assert found["said"] == said
        assert {line[3] for line in found["csv"][1:]} <= {"both sides", "mean"}


def test_a_second_mask_hides_evidence_helps_or_changes_little(seen):
    view = everything()
    view.mask, view.second = 6, 3
    found = seen(view, 6, 3)
    assert found["said"] == "Masking “sat” too hides evidence: “bank” falls from 0.91 to 0.20."
    assert not found["compared"], "the left-to-right model would read “sat”"
    assert "would read the token masked before it" in found["note"]
    assert seen(view, 3, 6)["compared"]
    view.mask = 2
    view.second = 3
    said = "Masking “sat” too changes little: “he” had 0.30, now 0.20."
    assert seen(view, 2, 3)["said"] == said
    sure = masking([by_the_bank()], VOCABULARY, run=lambda tokens, k: {"both": [row(he=0.9)] * 2})
    sure.mask = 2
    sure.second = 3
    found = seen(sure, 2, 3)
    assert found["said"] == "Masking “sat” too helps: “he” rises from 0.30 to 0.90."
    assert found["csv"][-1][0] == "true token", "this answer has no attention"


def test_pieces_are_named_with_their_word(seen, view):
    assert seen(view, 4, sentence=2)["said"] == (
        "The words around it give “ing” of “playing” away: 0.60."
    )
    both = [uniform(), row(), row(walk=0.4, play=0.2), row(__ed=0.9), row(), uniform()]
    other = masking([{"tokens": PIECES, "both": both}], VOCABULARY)
    assert seen(other, 4)["said"].startswith(
        "✗ Wrong: the best guess is “ed” of “played” with 0.90; the "
    )
    assert seen(other, 3)["said"] == (
        "Many tokens fit: the true “play” of “playing” has rank 2 with 0.20, the best guess is "
        "“walk” of “walking” with 0.40."
    )
    for tokens, mask, own, guess in IN_BYTES:
        said = seen(in_bytes(tokens, 0), mask)["said"]
        assert said == f"The words around it give {own} away: 0.70."
        said = seen(in_bytes(tokens, -1), mask)["said"]
        start = f"✗ Wrong: the best guess is {guess} with 0.70; the true {own} has "
        assert said.startswith(start)


def test_the_page_reads_what_python_packs(seen, view):
    held, rows = view.here.guesses, seen(view)["single"]
    for k in view.here.maskable:
        found = rows[k]
        assert [g["word"] for g in found["guesses"]] == [VOCABULARY[i] for i in held.ids[k]]
        assert [g["both"] for g in found["guesses"]] == held.p[k].tolist()
        assert [g["left"] for g in found["guesses"]] == held.q[k].tolist()
        truth = found["truth"]
        assert [truth["both"], truth["left"]] == held.truth[k].tolist()
        assert [truth["rank"], truth["rankLeft"]] == held.ranks[k].tolist()
        assert found["best"]["word"] == VOCABULARY[int(held.best[k, 0])]
        weights = [line[4] for line in seen(view, k + 1)["csv"] if line[0] == "attention"]
        assert weights == held.attention["mean"][k].tolist()


def test_rows_are_the_five_guesses_the_true_token_and_the_rest(seen, view):
    found = seen(view, 6)
    rows = found["rows"]
    assert [row["kind"] for row in rows] == ["true", "", "", "", "", "rest", "best"]
    assert [row["word"] for row in rows[:2]] == ["bank", "bed"]
    for name in ("both", "left"):
        assert sum(row[name] for row in rows[:6]) == pytest.approx(1, abs=1e-5)
    assert (rows[-1]["lead"], rows[-1]["word"], rows[-1]["both"]) == ("left only", "bed", None)
    csv = found["csv"]
    assert csv[1] == ["guess", "1", "bank", "both sides", pytest.approx(0.91)]
    assert ["true token", "rank 15", "bank", "left only", pytest.approx(0.03)] in csv
    assert ["best of the second", "rank 1", "bed", "left only", pytest.approx(0.14)] in csv
    found = seen(view, 7)
    assert [row["kind"] for row in found["rows"]][5:] == ["true", "rest", "best"]
    assert found["note"] == "✓ true token: rank 15 of 15 from both sides, rank 15 from left only"


def test_weights_and_feet(seen, view):
    view = everything()
    found = seen(view, 2)
    bank = found["chips"][5]
    assert (bank["weight"], bank["shade"]) == ("0.50", pytest.approx(0.5 / 0.55))
    assert len(found["arcs"]) == 7, "one for each other token, special ones too"
    assert found["chips"][1]["weight"] == "", "that which attends has no number"
    view.head = "head 1.2"
    other = seen(view, 6)["chips"]
    assert [chip["weight"] for chip in other[:4]] == ["0.12", "0.25", "0.12", ""]
    assert other[1]["shade"] == pytest.approx(0.25 / 0.55)
    chips = seen(view, 4)["chips"]
    assert [chip["readLeft"] for chip in chips] == [True] * 3 + [False] * 5
    assert [chip["readBoth"] for chip in chips] == [True] * 3 + [False] + [True] * 4


def test_nothing_masked_is_an_overview(seen, view):
    found = seen(view)
    assert [row["word"] for row in found["rows"]] == ["bank", "by", "sat", "he", "the"]
    assert found["title"] == "Where the right side helps most"
    assert found["arcs"] == []
    assert [chip["mini"] is None for chip in found["chips"]] == [True] + [False] * 6 + [True]
    assert len(found["csv"]) == 1 + 2 * 6


# ---- the second pane


TRAINING = """(facts, parts, rate, draw) => {
    const {draws, hump} = facts.training;
    const drawn = draws && new Drawn(unpacked(parts[0]), draws.tokens.length);
    const curve = parts[1] ? humpOf(unpacked(parts[1]), hump) : null;
    return trainingScene({draws: draws && {...draws, drawn}, hump: curve, rate, draw});
}"""


def trained(script, view, rate, draw=0):
    draws = view.part_of(view.draws.part(rate)) if view.draws else None
    rates = view.part_of("rates") if view.rates is not None else None
    found = script(ALL, TRAINING, view.facts, [draws, rates], rate, draw)
    return {**found, "lesson": found["lesson"].replace("\u00a0", " ")}


def test_the_lesson_of_the_second_pane(script, view):
    still = {"fates": [[0, 1, 0, 0, 2, 0, 3, 0]], "inputs": [[0, 2, 4, 5, 9, 7, 14, 1]]}
    none = {"fates": [0] * 8, "inputs": [VOCABULARY.index(token) for token in TOKENS]}
    masked = {0.15: still, 0.3: none}
    few = masking([by_the_bank()], VOCABULARY, draws={"tokens": TOKENS, "masked": masked})
    found = trained(script, few, 0.15, 1)
    assert found["lesson"] == "Of 3 chosen tokens 1 become [MASK], 1 another token, 1 stay."
    assert trained(script, few, 0.3, 1)["lesson"] == "No token is chosen yet."
    curve = masking([by_the_bank()], VOCABULARY, rates=RATES)
    for rate, said in {
        0.15: "With 15.0 % chosen 80.0 % are guessed right, the most of all.",
        0.5: "With 50.0 % chosen 79.0 % are guessed right; the most, 80.0 % with 15.0 %, lie "
        "within the error.",
        0.8: "With 80.0 % chosen 30.0 % are guessed right; the most are 80.0 % with 15.0 %.",
    }.items():
        assert trained(script, curve, rate)["lesson"] == said
    found = trained(script, view, 0.5, 20)
    masked, replaced, kept = ((view.draws.fates[0.5] == fate).sum() for fate in (1, 2, 3))
    n = masked + replaced + kept
    shares = [f"{100 * k / n:.1f} %" for k in (masked, replaced, kept)]
    assert found["lesson"].startswith(
        "Of {} chosen tokens {} become [MASK], {} another token, {} stay. ".format(n, *shares)
    )
    assert [row[4] for row in found["table"][1:4]] == [masked, replaced, kept]
