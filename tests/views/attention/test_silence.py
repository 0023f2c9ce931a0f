"""Heads that are silenced: the function runs again, and both answers are held."""

import numpy as np
import pytest
import traitlets

from seqviz.view import attention
from seqviz.views.attention.guesses import shifts
from seqviz.views.attention.silence import takes_silent
from tests.views.asking import answers
from tests.views.attention.silencing import TEXT, guesses, run, speaker

HEAD = ("self", 1, 1)


@pytest.fixture
def calls():
    return []


@pytest.fixture
def view(calls):
    return attention(speaker(calls=calls), text=TEXT, layer=3, head=2)


def test_the_function_runs_without_the_heads_and_both_answers_are_held(view, calls):
    before, _ = run(TEXT.split())
    after, _ = run(TEXT.split(), [(1, 1), (0, 2)])
    view.silent = [["self", 1, 1], ("self", 0, 2), ("self", 1, 1)]
    assert calls == [(TEXT, []), (TEXT, [HEAD, ("self", 0, 2)])]
    assert view.silent == [HEAD, ("self", 0, 2)]
    header, *rows = view.table()
    assert header[-1] == "silent"
    for maps, silent in ((before, ""), (after, "self 1.1; self 0.2")):
        assert [row[7] for row in rows if row[-1] == silent] == maps.ravel().tolist()
    for show, said in (("after", "after"), ("before", "before"), ("difference", "change by")):
        view.show = show
        assert view.alt.endswith(f"; layer 3, head 2, {said} silencing self 1.1; self 0.2")
    view.silent = []
    assert len(calls) == 2  # the answer with all heads was kept
    assert [row[7] for row in view.table()[1:]] == before.ravel().tolist()
    silence = view.facts["silence"]
    assert (silence["heads"], silence["predicts"]) == ([], ["self"])
    assert silence["guesses"] == {"before": guesses(run(TEXT.split())[1]), "after": None}


def test_the_page_is_told_of_guesses_or_of_shifts(view):
    (_, before), (_, after) = run(TEXT.split()), run(TEXT.split(), [(1, 1)])
    view.silent = [HEAD]
    silence = view.facts["silence"]
    assert silence["heads"] == [list(HEAD)]
    assert silence["guesses"] == {"before": guesses(before), "after": guesses(after)}
    assert silence["shifts"] is None
    states = attention(speaker("states"), text=TEXT)
    states.silent = [HEAD]
    want = shifts(before, after)
    np.testing.assert_allclose(states.facts["silence"]["shifts"], want, atol=1e-12)
    nothing = attention(speaker(""), text=TEXT)
    nothing.silent = [HEAD]
    assert (nothing.facts["silence"]["guesses"], nothing.facts["silence"]["shifts"]) == (None, None)


def test_a_saved_page_has_both_runs(view):
    alone = set(view.parts)
    view.silent = [HEAD]
    assert {name for name in view.parts if name.startswith("1 ")} == {
        "1" + name[1:] for name in alone
    }
    assert view.facts["precision"] == "half"  # a difference needs the digits
    assert {"1 scores", "1 thumbs", "0 3 2", "1 3 2"} <= set(view.first)
    view.show = "before"
    assert view.needs() == ["0 scores", "0 3 2", "1 3 2"]
    view.silent = []
    assert view.facts["precision"] == "byte"
    assert set(view.parts) == alone


def test_another_text_keeps_the_heads_and_runs_twice(view, calls):
    view.silent, view.query = [HEAD], 3
    calls.clear()
    view.text = "it was wide"
    assert calls == [("it was wide", []), ("it was wide", [HEAD])]
    assert (view.silent, view.query) == ([HEAD], 0)
    assert view.facts["text"] == "it was wide"
    assert view.facts["silence"]["tokens"] == ["it", "was", "wide"]
    maps = run(["it", "was", "wide"], [(1, 1)])[0]
    assert [row[7] for row in view.table() if row[-1] == "self 1.1"] == maps.ravel().tolist()


def test_heads_that_a_text_has_not_are_let_go():
    depth = {"deep": 3, "flat": 1}

    def read(text, silent=()):
        return {"weights": run(["a", "b"], layers=depth[text])[0], "tokens": ["a", "b"]}

    view = attention(read, text="deep", layer=2)
    view.silent = [("self", 2, 1), ("self", 0, 1)]
    with pytest.warns(UserWarning, match=r"silent: self 2\.1 of the text before"):
        view.text = "flat"
    assert view.silent == [("self", 0, 1)]


def test_a_model_that_raises_changes_nothing(view):
    view.silent = [HEAD]

    def state():
        return view.facts, view.silent, view.parts, view.first, view.show

    before = state()
    read = view._read
    view._read = lambda *given: (_ for _ in ()).throw(RuntimeError("out of memory"))
    for name, wish in (("silent", [("self", 2, 2)]), ("text", "other")):
        with pytest.raises(RuntimeError, match="out of memory"):
            setattr(view, name, wish)
        assert all(one is other or one == other for one, other in zip(state(), before, strict=True))
    with pytest.raises(RuntimeError):
        view.set_state({"silent": [["self", 2, 2]]})
    assert view.silent == [HEAD]
    view._read = read
    view.silent = [("self", 2, 2)]
    assert view.facts["silence"]["heads"] == [["self", 2, 2]]


def test_the_page_gets_its_wish_back(view):
    ((told, _),) = answers(view, silent=[["self", 1, 1]], run="a 1")
    assert told == {"silent": [["self", 1, 1]], "run": "a 1", "problem": ""}
    ((told, _),) = answers(view, silent=[["self", 9, 1]], run="a 2")
    assert told["run"] == "a 2"
    assert "expected as layer one of 0, 1, 2, 3; came 9" in told["problem"]
    ((told, _),) = answers(view, text="boom", run="a 3")
    assert told["problem"] == "RuntimeError: out of memory"
    assert view.silent == [HEAD]


@pytest.mark.parametrize(
    ("silent", "message"),
    [
        ([("cross", 1, 1)], r"silent\[0\]: expected as kind one of 'self'; came 'cross'"),
        ([HEAD, ("self", 4, 1)], r"silent\[1\]: expected as layer one of 0, 1, 2, 3; came 4"),
        ([("self", 1, 3)], r"silent\[0\]: expected as head 0 to 2, came 3"),
        (HEAD, r"silent\[0\]: expected \(kind, layer, head\).* came 'self': one head goes into"),
    ],
)
def test_wrong_heads_are_named(view, silent, message):
    with pytest.raises(traitlets.TraitError, match=message):
        view.silent = silent
    assert view.silent == []


def test_a_view_that_cannot_silence_says_what_to_do():
    still = attention([[1.0]], ["a"])
    with pytest.raises(ValueError, match="silent: this view shows weights that were handed in"):
        still.silent = [("self", 0, 0)]
    deaf = attention(lambda text: {"weights": [[1.0]], "tokens": ["a"]}, text="a")
    assert "silence" not in deaf.facts
    with pytest.raises(ValueError, match=r"no keyword silent.*def f\(text, silent=\(\)\)"):
        deaf.silent = [("self", 0, 0)]


def test_whether_a_function_takes_silent():
    assert takes_silent(lambda text, silent=(): 0)
    assert takes_silent(lambda text, **more: 0)
    assert not takes_silent(lambda *silent: 0)


def test_a_record_is_silenced_by_its_family():
    asked = []

    def read(text, silent=()):
        asked.append(list(silent))
        maps = {f"layers.{k}.self_attn": [run(["a", "b"])[0][:1]] for k in (1, 3)}
        more = {f"decoder.{k}.cross_attn": [run(["a", "b"])[0][:1]] for k in (0, 1)}
        return {"weights": {**maps, **more}, "tokens": ["a", "b"]}

    view = attention(read, text="x")
    names = list(view.kinds)
    view.silent = [(names[0], 3, 0), (names[1], 0, 2)]
    assert asked[-1] == [("layers.*.self_attn", 3, 0), ("decoder.*.cross_attn", 0, 2)]


def test_what_is_said_belongs_to_the_text_that_is_written():
    def read(text, silent=()):
        maps = run(["a", "b", "c"])[0]
        return {
            "encoder": maps,
            "cross": maps[:, :, :2],
            "decoder": maps[:, :, :2, :2] / maps[:, :, :2, :2].sum(-1, keepdims=True),
            "encoder_tokens": ["a", "b", "c"],
            "decoder_tokens": ["x", "y"],
            "states": np.eye(2) + len(silent),
        }

    view = attention(read, text="x")
    view.silent = [("cross", 0, 0)]
    silence = view.facts["silence"]
    assert (silence["predicts"], silence["tokens"]) == (["cross", "decoder"], ["x", "y"])


PLAIN = {"weights": np.eye(2), "tokens": ["a", "b"]}


def test_what_a_function_may_not_say():
    for said, error, message in [
        ({"guesses": "abc"}, TypeError, "guesses: expected a list of .* came str"),
        ({"guesses": [[("x", 1.0)]]}, ValueError, "guesses: expected 2 lists.*came 1"),
        ({"guesses": [[("x", 1.2)]] * 2}, ValueError, "probability from 0 to 1, came 1.2"),
        ({"guesses": [[("x", 0.1), ("y", 0.5)]] * 2}, ValueError, "the likeliest first"),
        ({"states": np.zeros(2)}, ValueError, r"states: expected an array \(2, width\)"),
        ({"said": 1}, TypeError, "with some of .*guesses, states, reads; came"),
    ]:
        with pytest.raises(error, match=message):
            attention(lambda text, said=said: {**PLAIN, **said}, text="x")


def test_both_answers_must_be_of_one_text():
    def read(text, silent=()):
        n = 3 if silent else 2
        return {"weights": np.eye(n), "tokens": "abc"[:n]}

    view = attention(read, text="x")
    with pytest.raises(ValueError, match=r"silent: .*\(queries, keys\) of 'self': \(3, 3\), with"):
        view.silent = [("self", 0, 0)]
    assert view.silent == []


def test_a_state_shifts_by_1_minus_the_cosine():
    before = np.array([[1.0, 0], [0, 0], [0, 0], [1, 1]])
    after = np.array([[-3.0, 0], [0, 0], [1, 0], [2, 2]])
    np.testing.assert_allclose(shifts(before, after), [2, 0, 1, 0], atol=1e-15)


def test_a_function_may_tell_words_and_special_tokens():
    def read(text):
        return {"weights": np.eye(3), "tokens": ["un", "do", "!"], "words": [0, 0, 1],
                "special": ["!"]}  # fmt: skip

    kind = attention(read, text="x").here
    assert (kind.queries.texts, kind.queries.special) == (["undo", "!"], [2])
