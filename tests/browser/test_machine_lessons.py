"""The sentence over a machine, at each depth and in each case, from numbers made by hand."""

import math
from array import array

import pytest

from tests.browser.test_machine_words import SHOWN

pytestmark = pytest.mark.browser

INF = float("inf")
HOSTILE = '<img src="x" onerror="window.hit = 1">'


def place(node, token=0, head=None, number=1):
    return {"node": node, "token": token, "head": head, "number": number}


SUM = {"before": place("x"), "update": place("adds"), "after": place("sum")}
HEADS = {"query": place("q", 1, 0, 2), "key": place("k", 2, 0, 1)}
MAPS = {"masked": "masked", "mask": "mask", "weights": "weights"}
ATTENTION = {"is": "attention", "cross": False, "attention": 4, "heads": 2, "scale": 2.0}
ATTENTION |= SUM | HEADS | MAPS | {"maps": {"head": 0, "query": 1, "key": 2}}
FEED = SUM | {"is": "feed", "update": place("more"), "hidden": place("hidden")}
STREAM = {"side": "", "tokens": "source", "blocks": [{"number": 0, "parts": [ATTENTION, FEED]}]}
SHAPES = {"x": [3, 2], "adds": [3, 2], "more": [3, 2], "hidden": [3, 4], "q": [2, 3, 2]}
SHAPES |= {"k": [2, 2, 3], "masked": [2, 3, 3], "weights": [2, 3, 3]}
# q and k of three tokens: of head 0, then of head 1; k lies number by number
PARTS = {
    "x": [3, 4] * 3,
    "adds": [0, 1] * 3,
    "more": [6, 8] * 3,
    "hidden": [1, -1, 0, 2] * 3,
    "q": [1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1],
    "k": [1, -3, 2, 1, 1, 2, 1, 1, 1, 1, 0, -1],
    "weights": [1, 0, 0, 0.7, 0.3, 0, 0.004, 0.3, 0.696, 1, 0, 0, 0.2, 0.8, 0, 0, 0, 0],
    # q · k ÷ 2, and the mask
    "masked": [1, -INF, -INF, 1.5, -2.5, -1e9, 1, -1, 2, 1.5, -INF, -INF, 1, 0.5, -INF, 1, 0.5, 0],
}
FACTS = {"run": "0", "graph": {"nodes": [], "weights": {}}, "shapes": SHAPES, "silent": []}
FACTS |= {"anatomy": {"streams": [STREAM], "probabilities": "tokens"}, "kind": "masked"}
FACTS |= {"mask": "[MASK]", "tokens": {"source": ["a", "b", "a"]}, "before": None}
FACTS |= {"answers": [[["c", 0.9]], [["b", 0.97]], [["a", 0.5]]]}
FACTS |= {"lens": [[["d", 0.5], ["b", 0.6], ["a", 0.2]], [["c", 0.9], ["b", 0.97], ["a", 0.5]]]}
STATE = {"depth": 0, "stream": 0, "block": 0, "part": 0, "token": 0, "head": 0, "key": 0}
LESSON = """(changes, state, without, missing) => {
    const facts = {...window.worlds.hand.facts, ...changes};
    const {constructor, ask} = window.worlds.hand;
    const numbers = new constructor(facts, name => (missing === name ? null : ask(name)));
    const labels = labelsOf(facts.tokens);
    const paragraph = document.createElement('p');
    say(paragraph, lessonOf({facts, numbers, labels, state, without}));
    return [paragraph.textContent, paragraph.querySelectorAll('img').length];
}"""


@pytest.fixture
def lesson(script):
    parts = {f"0 {name}": array("f", values).tobytes() for name, values in PARTS.items()}
    script("machine/cells.js", SHOWN, "hand", FACTS, parts)

    def call(state, without=None, missing="", **changes):
        text, images = script("machine/lesson.js", LESSON, changes, STATE | state, without, missing)
        assert images == 0
        return text

    def own(values):
        run = "own"
        of = {f"{run} {name}": array("f", one).tobytes() for name, one in values.items()}
        script("machine/cells.js", SHOWN, "hand", FACTS, parts | of)
        return run

    call.own = own
    return call


def test_the_model_says_from_which_block_on_its_answer_stands(lesson):
    text = {"anatomy": {"streams": [STREAM], "probabilities": "text"}}
    text |= {"answers": [[["good", 0.93]]], "lens": [[["bad", 0.6]], [["good", 0.93]]]}
    none = {"answers": None, "lens": None}
    before = "“d” 0.50"
    for token, changes, said in (
        (0, {}, f"“a₁” becomes “c” 0.90: block 0 says so; before it, {before}"),
        (1, {}, "“b” stays “b” 0.97, as its embedding says already"),
        (2, {}, "“a₃” stays “a” 0.50, as its embedding says already"),
        (0, {"kind": "next"}, f"After “a₁” comes “c” 0.90: block 0 says so; before it, {before}"),
        (1, {"kind": "next"}, "After “b” comes “b” 0.97: the token alone says so"),
        (1, {"kind": "other"}, "“b” is “b” 0.97, as its embedding says already"),
        (2, text, "The text is “good” 0.93: block 0 says so; before it, “bad” 0.60"),
        (1, {"answers": [[], [], []]}, ""),
    ):
        assert lesson({"token": token}, **changes) == said
    spans = {"spans": [[0, 0, 0.4], [1, 2, 0.5], [1, 2, 0.9]]}
    said = "The answer is “b … a₃” 0.90, from block 0 on; before it, “a₁” 0.40"
    assert lesson({}, **spans) == said
    spans = {"spans": [[1, 1, 0.3], [1, 1, 0.8]]}
    assert lesson({}, **spans) == "The answer is “b” 0.80, as the embeddings say already"
    said = "The text is “good” 0.93, as the embeddings say already"
    assert lesson({}, **{**text, "lens": [[["good", 0.8]]] * 2}) == said
    said = "is changed most by the feed-forward layer of block 0: it adds 2.00 times its length"
    assert lesson({"token": 1}, **none) == f"“b” {said}"
    assert lesson({}, missing="0 adds", **none) == ""


def test_a_head_says_what_it_attends_to_and_what_it_is_for(lesson):
    b = {"depth": 1, "token": 1}
    start = "Head 0: “b” attends to “a₁” 0.70"
    for without, end in (
        (None, ""),
        (["x", 0.4], "; without the head the answer is “x” 0.40"),
        (["b", 0.6], "; without the head “b” falls to 0.60"),
        (["b", 0.96], "; without the head the answer is the same"),
        (["b", 0.93], "; without the head the answer is the same"),
    ):
        assert lesson(b, without and [[], [without], []]) == start + end
    faint = lesson(b, [[], [["b", 0.01]], []], answers=[[], [["b", 0.04]], []])
    assert faint == f"{start}; without the head “b” falls to 0.01"
    rises = lesson({"depth": 1, "token": 2}, [[], [], [["a", 0.8]]])
    assert rises == "Head 0: “a₃” attends to “a₃” 0.70; without the head “a” rises to 0.80"
    assert (
        lesson({"depth": 1, "head": 1, "token": 2})
        == "Head 1: “a₃” attends to nothing: all is masked"
    )
    assert lesson(b, missing="0 weights") == ""
    assert lesson(b, answers=None) == start


def test_a_head_beside_the_answers_says_how_many_change(lesson):
    target = {**STREAM, "side": "decoder", "tokens": "target"}
    two = {"anatomy": {"streams": [STREAM, target], "probabilities": "tokens"}}
    two |= {"tokens": {"source": ["a", "b", "c"], "target": ["d", "e", "f"]}}
    start = "Head 0: “b” attends to “a” 0.70; without the head "
    same = FACTS["answers"]
    other = [[["x", 0.4]]]
    for without, end in (
        (same, "no answer changes"),
        ([*other, *same[1:]], "1 of 3 answers changes"),
        (other * 3, "3 of 3 answers change"),
    ):
        assert lesson({"depth": 1, "token": 1}, without, **two) == start + end
    crossing = {**target, "blocks": [{"number": 0, "parts": [{**ATTENTION, "cross": True}]}]}
    two["anatomy"] = {"streams": [STREAM, crossing], "probabilities": "tokens"}
    found = lesson({"depth": 1, "token": 1, "stream": 1}, **two)
    assert found == "Cross-attention, head 0: “e” attends to “a” 0.70"


def test_a_silent_head_says_before_and_after(lesson):
    b = {"depth": 1, "token": 1}
    one, two = [[4, 0]], [[4, 0], [4, 1]]
    for silent, before, said in (
        (one, ["b", 0.5], "Head 0 is silent: “b” goes from 0.50 to 0.97"),
        (two, ["x", 0.5], "2 heads are silent: “x” 0.50 becomes “b” 0.97"),
        ([[3, 0]], ["x", 0.5], "Head 0: “b” attends to “a₁” 0.70"),
    ):
        answers = {"answers": [[], [before], []]}
        assert lesson(b, silent=silent, before=answers) == said


def test_another_layer_says_how_much_it_adds(lesson):
    said = "The feed-forward layer adds 2.00 times the length of “b”: "
    found = lesson({"depth": 1, "part": 1, "token": 1})
    assert found == f"{said}2 of 4 hidden numbers are above 0"
    assert lesson({"depth": 1, "part": 1}, missing="0 more") == ""
    box = {
        "streams": [
            {**STREAM, "blocks": [{"number": 0, "parts": [SUM | {"is": "box", "name": "GRU"}]}]}
        ]
    }
    assert lesson({"depth": 1}, anatomy=box) == "The GRU adds 0.20 times the length of “a₁”"


def test_a_weight_says_which_numbers_make_it(lesson):
    cases = {  # token, head and key, and a key that is compared
        (0, 0, 0): "“a₁” attends to “a₁” 1.00: the mask hides all others",
        (1, 0, 0): "“b” attends to “a₁” 0.70: number 0 alone gives 67 % of the score",
        (1, 0, 1): "“b” attends to “b” 0.30: q and k point apart, the score is −2.50",
        (2, 0, 0): "“a₃” hardly attends to “a₁” 0.004: number 0 alone gives half of the score",
        (1, 1, 1): "“b” attends to “b” 0.80: number 0 alone gives the whole score",
        (0, 0, 1): "“a₁” must not see “b”: the mask makes its score −∞",
        (1, 0, 2): "“b” must not see “a₃”: the mask makes its score −10⁹",
        (1, 0, 0, 1): "“a₁” 0.70 beats “b” 0.30 by 4.00: number 0 gives all of it",
        (2, 0, 0, 2): "“a₁” 0.004 loses to “a₃” 0.70 by 1.00: number 0 gives 50 %",
        (2, 0, 2, 1): "“a₃” 0.70 beats “b” 0.30 by 3.00: number 0 gives 83 %",
        (1, 1, 1, 0): "“b” 0.80 loses to “a₁” 0.20 by 0.50: number 1 gives all of it",
        (1, 0, 0, 2): "“b” attends to “a₁” 0.70: number 0 alone gives 67 % of the score",
    }
    for state, said in cases.items():
        named = dict(zip(("token", "head", "key", "compared"), state, strict=False))
        assert lesson({"depth": 2, **named}) == said
    assert lesson({"depth": 2}, missing="0 k") == ""
    assert lesson({"depth": 2}, missing="0 masked") == ""


def test_many_numbers_make_a_score_together(lesson):
    part = {**ATTENTION, "mask": "", "key": HEADS["query"]}  # (1, 1, 2, 1, 1, 1) times itself
    one = {"streams": [{**STREAM, "blocks": [{"number": 0, "parts": [part]}]}]}
    shapes = {"q": [1, 1, 6], "weights": [1, 1, 1], "masked": [1, 1, 1]}
    found = lesson({"depth": 2}, anatomy=one, shapes=shapes)
    assert found == "“a₁” attends to “a₁” 1.00: 2 of 6 numbers give half of the score"


def one_score(lesson, products, reads, weights=(0.9, 0.1), **more):
    """What is said of two keys whose products with q, all ones, are given."""
    count = len(products[0])
    part = {**ATTENTION, "heads": 1, "scale": 1.0, **more.pop("part", {})}
    one = {"streams": [{**STREAM, "blocks": [{"number": 0, "parts": [part]}]}]}
    by_number = [of[n] for n in range(count) for of in products]
    own = {"q": [1] * count, "k": by_number, "masked": reads, "weights": weights}
    shapes = {"q": [1, 1, count], "k": [1, count, 2], "masked": [1, 1, 2], "weights": [1, 1, 2]}
    tokens = {"source": ["a", "b"]}
    return lesson(
        {"depth": 2, **more}, anatomy=one, shapes=shapes, tokens=tokens, run=lesson.own(own)
    )


def test_numbers_that_take_from_a_score_are_told(lesson):
    none = {"part": {"mask": ""}}
    said = one_score(lesson, [(7.14, -4.83), (0, 0)], [2.31, 0], **none)
    assert said.endswith("number 0 gives 7.14, the others −4.83")
    said = one_score(lesson, [(2, 1.6, 0.5, 0.0), (0, 0, 0, 0)], [4.1, 0], **none)
    assert said.endswith("2 of 4 numbers give 88 % of the score")
    said = one_score(lesson, [(math.nan, 1), (0, 0)], [math.nan, 0], [math.nan] * 2, **none)
    assert said == "“a” attends to “a” no number: the score is no number"


def test_a_mask_is_one_however_low_and_what_else_is_added_is_told(lesson):
    products, second = [(2, 1), (1, 1)], {"key": 1}
    for low, written in ((-1e4, "−10⁴"), (-9998, "−10⁴"), (-1e9, "−10⁹"), (-3.4e38, "−∞")):
        said = one_score(lesson, products, [3, low], [1, 0], **second)
        assert said == f"“a” must not see “b”: the mask makes its score {written}"
    for weight, said in ((0.5, "0.50"), (math.nan, "no number")):
        found = one_score(lesson, products, [-1e9, -1e9], [weight] * 2, **second)
        assert found == f"The mask hides all from “a”: “b” has {said} all the same"
    found = one_score(lesson, products, [-2, 2], [0.02, 0.98])
    assert found == "“a” attends to “a” 0.02: number 0 alone gives 67 % of q · k; −5.00 is added"
    found = one_score(lesson, products, [-2, 2], [0.02, 0.98], compared=1)
    assert found == "“a” 0.02 loses to “b” 0.98 by 4.00: q · k gives 1.00, what is added −5.00"
    cap = {"part": {"mask": "", "cap": 2.0}}
    found = one_score(lesson, products, [1.81, 1.52], [0.57, 0.43], **cap)
    assert found.endswith("number 0 alone gives 67 % of q · k; capped, 1.81")
    found = one_score(lesson, products, [1.81, 1.52], [0.57, 0.43], compared=1, **cap)
    assert found == "“a” 0.57 beats “b” 0.43 by 0.29"


def test_what_is_read_and_said_stays_text(lesson):
    hostile = {"tokens": {"source": [HOSTILE] * 3}, "answers": [[[HOSTILE, 0.9]]] * 3}
    for depth in (0, 1, 2):
        found = lesson({"depth": depth}, [[["x", 0.1]]] * 3, **hostile)
        assert "<img src" in found
