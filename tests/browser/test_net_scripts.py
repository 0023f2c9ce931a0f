"""What the unrolled net computes and decides before it draws, as plain functions."""

import numpy as np
import pytest
import torch

from seqviz.pieces import distinct
from seqviz.view import unroll
from seqviz.views.unroll.values import Lexicon

ROOM = "unroll/"
SCENE = ROOM + "scene.js"


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


# ---- the arithmetic


@pytest.mark.parametrize("learned", [True, False])
def test_states_probabilities_and_sums_equal_torch(script, learned):
    torch.manual_seed(0)
    rnn, out = torch.nn.RNN(5, 16), torch.nn.Linear(16, 5)
    torch.nn.init.normal_(rnn.weight_hh_l0, std=0.5)
    h_0 = torch.randn(1, 16)
    ids = torch.randint(5, (60,))
    h, _ = rnn(torch.eye(5)[ids[:-1]], h_0 * learned)
    p = out(h).softmax(-1).detach()
    net = {"W_xh": rnn.weight_ih_l0, "W_hh": rnn.weight_hh_l0, "W_hy": out.weight}
    net |= {"b": rnn.bias_ih_l0 + rnn.bias_hh_l0, "b_y": out.bias, "h_0": h_0[0]}
    view = unroll(net, "abcde", "".join("abcde"[i] for i in ids))
    read = """(net, facts, ids, learned) => {
        const run = forward(net, ids, learned);
        const sums = run.map(step => facts.vocabulary.map((_, u) => sumsOf(net, step, u)));
        const table = tableOf(facts, run);
        return {h: run.map(step => [...step.h]), p: run.map(step => step.p), sums, table};
    }"""
    arrays = {name: array.ravel().tolist() for name, array in view.nets[""].named().items()}
    found = script(SCENE, read, arrays, view.facts, ids.tolist(), learned)
    np.testing.assert_allclose(found["h"], h.detach(), atol=1e-5)
    np.testing.assert_allclose(found["p"], p, atol=1e-5)
    for step, sums in zip(h.detach(), found["sums"], strict=True):
        for state, parts in zip(step, sums, strict=False):
            total = parts["recurrence"] + parts["input"] + parts["b"]
            assert np.tanh(total) == pytest.approx(float(state), abs=1e-5)
    header, *rows = found["table"]
    assert header[:6] == ["step", "input", "target", "chosen", "p(chosen)", "h_1"]
    text = ["abcde"[i] for i in ids]
    chosen = ["abcde"[k] for k in p.argmax(1)]
    assert [row[:4] for row in rows] == [
        [str(t + 1), text[t], text[t + 1], said] for t, said in enumerate(chosen)
    ]
    np.testing.assert_allclose([row[4] for row in rows], p.max(1).values, atol=1e-5)


# ---- a text and its tokens
PARSE = "(facts, text) => new Lexicon(facts).parse(text)"


def test_page_and_python_split_a_text_alike(script):
    for facts, text in [
        (HELLO, "hello"),
        (WORDS, "the  books\tthe\n"),
        (PIECES, "the caf é s Ġs Ġthe"),
        (WORDS, "\x1fthe\x85books\u2003exams\u3000the\xa0books\x1c"),
    ]:
        found = script(ROOM + "lexicon.js", PARSE, facts, text)
        assert found["tokens"] == Lexicon(facts["vocabulary"]).split(text)
        assert found["ids"] == [facts["vocabulary"].index(token) for token in found["tokens"]]


def test_what_cannot_be_read_is_said(script):
    many = of([f"w{k}" for k in range(45)], letters=False)
    for facts, text, problem in [
        (HELLO, "help", "“\u2068p\u2069” is not in the vocabulary: h e l o"),
        (HELLO, "", "Nothing to read: type at least one token."),
        (WORDS, " \n ", "Nothing to read: type at least one token."),
        (HELLO, "hellohello", "10 tokens are too many: at most 9."),
        (many, "no", " w38 w39 and 5 more"),
    ]:
        assert script(ROOM + "lexicon.js", PARSE, facts, text)["problem"].endswith(problem)


def test_a_line_end_gets_a_mark_in_the_field_that_is_no_token(script):
    there_and_back = """(vocabulary, text) => {
        const lexicon = new Lexicon({vocabulary, shown: vocabulary, letters: true, most: 9});
        return [lexicon.toField(text), lexicon.fromField(lexicon.toField(text))];
    }"""
    for letters, text, line in [
        *[("ab\n", "a\nb", "a↵b"), ("ab\n↵", "a\nb", "a⏎b")],
        *[("ab\r\n", "\r\n", "␍↵"), ("ab", "ab", "ab")],
    ]:
        assert script(ROOM + "lexicon.js", there_and_back, [*letters], text) == [line, text]


# ---- which steps


def test_a_step_is_compared_with_the_last_that_read_the_same_and_differs(script):
    twins = [script(SCENE, "twinOf", RUN, t) for t in range(7)]
    assert twins == [-1, -1, -1, 2, -1, 1, 5]  # in what it should say, or says
    assert script(SCENE, "needsLanes", RUN)  # as twins stand apart
    assert not script(SCENE, "needsLanes", RUN[:5])


# ---- where the panes stand


# ---- what the panes say


def test_answers_bins_and_short_numbers(script):
    step = {"p": [0.1, 0.2, 0.003, 0.697], "chosen": 3}
    few = script(SCENE, "answersOf", step, [*"abcd"], 4)
    assert [a["word"] + a["text"] for a in few] == ["a.10", "b.20", "c<.01", "d.70"]
    many = script(SCENE, "answersOf", step, [*"abcd"], 2)
    assert [(a["word"], a["chosen"]) for a in many] == [("d", True), ("b", False)]
    found = script(SCENE, "stripOf", RUN[:6], 9.5)  # pixels, three for a bin
    assert found == {"bins": [1, 1, 0], "steps": "6 steps", "right": "67 % right"}
    assert len(script(SCENE, "stripOf", RUN, 900)["bins"]) == 7
    for value, text in [
        *[(-0.004, "0.00"), (9.994, "9.99"), (-9.996, "−10.0"), (99.94, "99.9"), (99.96, "100")],
        *[(-9999.4, "−9999"), (9999.6, "1e4"), (-1.2e30, "−1e30")],
    ]:
        assert script(ROOM + "marks.js", "shortNumber", value) == text


def test_a_comparison_says_what_is_equal_and_what_is_not(script):
    now, then = {"h": [0.9, -0.25, 0], "chosen": 3}, {"h": [0.25, 0.25, 0], "chosen": 2}
    given = {"now": now, "then": then, "t": 3, "earlier": 2, "from": 0, "facts": {"letters": True}}
    found = script(SCENE, "comparisonOf", given)
    assert (found["inSight"], found["beside"]) == (True, True)
    assert [c["differs"] for c in found["changes"]] == [True, False, False]  # 0.65, 0.5, 0
    assert found["differ"] == 1
    assert (found["input"]["sign"], found["input"]["text"]) == ("=", "same letter")
    assert (found["answer"]["sign"], found["answer"]["text"]) == ("≠", "other answer")
    assert found["title"] == "change from step 3"
    away = script(SCENE, "comparisonOf", given | {"from": 3, "facts": {"letters": False}})
    assert (away["inSight"], away["beside"]) == (False, False)
    assert away["input"]["text"] == "same word as at step 3"
    assert away["answer"]["text"] == "other answer than at step 3"
    apart = script(SCENE, "comparisonOf", given | {"t": 4, "then": now})
    assert (apart["inSight"], apart["beside"]) == (True, False)
    assert apart["answer"]["text"] == "same answer"


def test_the_sentence_over_a_step(script):
    same = "Same letter, other state (1 of 2 units differ): it says"
    whole = "scene => sentence(scene).map(p => p.i ?? p.b ?? p).join('')"
    for (read, target, chosen), then, said in [
        ((0, 1, 1), None, "Step 1: reads h, says e (p = .40), right."),
        ((0, 3, 1), None, "Step 1: reads h, says e (p = .40); right would be o (p < .01)."),
        ((0, -1, 1), None, "Step 1: reads h, says e (p = .40)."),
        ((2, 3, 3), 2, f"{same} l, then o."),
        ((2, 3, 3), 3, f"{same} o both times."),
        ((2, 1, 3), 2, f"{same} l, then o; right would be e (p = .40)."),
    ]:
        scene = {
            "t": 0,
            "now": {"id": read, "target": target, "chosen": chosen, "p": [0.2, 0.4, 0.398, 0.002]},
            "then": {"chosen": then},
            "comparison": None if then is None else {"differ": 1},
            "facts": {"shown": [*"helo"], "letters": True, "units": 2},
        }
        assert script(ROOM + "sentence.js", whole, scene).replace("\xa0", " ") == said


# ---- the scene: "abbab", read by one unit
SEE = """(t, W) => {
    const words = ['a', 'b'];
    const facts = {units: 1, vocabulary: words, shown: words, letters: true};
    const net = {W_xh: [1, -1], W_hh: [0.5], b: [0], W_hy: [1, -1], b_y: [0, 0]};
    const run = forward(net, [0, 1, 1, 0, 1], false);
    const read = {facts, net, run, lanes: false};
    const place = {W, height: null, open: false, t, u: 0, from: 0};
    const {X, ...scene} = sceneOf(read, place, text => 6 * text.length);
    return {...scene, xs: scene.columns.map(({k}) => X(k)), reading: readingOf(scene, true)};
}"""


def test_a_scene_has_all_steps_in_sight_and_compares_the_one_in_focus(script):
    wide = script(SCENE, SEE, 1, 833)
    assert [(c["token"], c["target"], c["right"]) for c in wide["columns"]] == [
        *[("a", "b", False), ("b", "b", True), ("b", "a", False), ("a", "b", False)]
    ]
    assert wide["strip"] is None
    assert wide["xs"] == sorted(wide["xs"])
    assert len(wide["states"]) == 5  # with that before the first step
    narrow = script(SCENE, SEE, 0, 380)
    assert (narrow["n"], len(narrow["columns"]), len(narrow["states"])) == (2, 2, 3)
    assert narrow["strip"]["steps"] == "4 steps"
    assert narrow["reading"] == "unit 1 = 0.76, locked"
    alone, twin = script(SCENE, SEE, 1, 833), script(SCENE, SEE, 2, 833)
    assert (alone["comparison"], alone["earlier"]) == (None, -1)
    assert not any(c["compared"] for c in alone["columns"])
    assert (twin["comparison"]["beside"], twin["earlier"]) == (True, 1)
    assert [c["compared"] for c in twin["columns"]] == [False, True, True, False]
    # the gap after the step in focus shows what changed
    assert [c["recurrence"] for c in twin["columns"]] == [True, True, True, False]
    assert all(c["recurrence"] for c in alone["columns"])
