import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from seqviz import decoding
from seqviz.view import beam
from seqviz.views.beam.sentence import headline, path_text
from seqviz.views.beam.values import FIELDS
from seqviz.views.shared.widget import cell
from tests.views.test_page import scripts_end_where_the_page_ends_them

# log P of the next word after each path. The deck prints the first two; the others are ours.
TABLE = {
    (): {"he": -0.7, "I": -0.9},
    ("he",): {"hit": -1.0, "struck": -2.2},
    ("I",): {"was": -0.7, "got": -0.9},
    ("he", "hit"): {"me": -0.8, "a": -1.1},
    ("I", "was"): {"hit": -1.3, "struck": -2.2},
    ("he", "hit", "me"): {"with": -0.8, "<END>": -1.6},
    ("he", "hit", "a"): {"pie": -0.6, "tart": -1.2},
    ("he", "hit", "me", "with"): {"a": -0.4, "one": -1.0},
    ("he", "hit", "a", "pie"): {"<END>": -0.3, "with": -1.9},
    ("he", "hit", "me", "with", "a"): {"pie": -0.6, "tart": -0.9},
    ("he", "hit", "me", "with", "a", "pie"): {"<END>": -0.2, "in": -2.0},
}
WORDS = sorted({word for row in TABLE.values() for word in row})


def search(after, width, steps, stop):
    """Return the whole tree of a beam search over a function from path to {token id: log P}."""
    nodes, live, places = [], [((), -1, 0.0)], width
    for step in range(1, steps + 1):
        found = [
            (path, parent, token, log_p, score + log_p)
            for path, parent, score in live
            for token, log_p in after(path).items()
        ]
        best = sorted(range(len(found)), key=lambda k: -found[k][-1])[:places]
        live = []
        for k, (path, parent, token, log_p, score) in enumerate(found):
            ends = k in best and token == stop
            nodes.append((step, parent, token, log_p, score, k in best, ends))
            places -= ends
            if k in best and not ends:
                live.append(((*path, token), len(nodes) - 1, score))
        if not live:
            break
    columns = map(np.array, zip(*nodes, strict=True))
    return dict(zip(FIELDS, columns, strict=True))


def table_tree(width):
    """The table's tree, in word ids."""
    ids = {word: k for k, word in enumerate(WORDS)}

    def after(path):
        row = TABLE.get(tuple(WORDS[k] for k in path), {"<END>": -0.5})
        return {ids[word]: log_p for word, log_p in row.items()}

    return search(after, width, 7, ids["<END>"])


def pie(widths=(1, 2, 3), **options):
    return beam({k: table_tree(k) for k in widths}, WORDS, prompt="<START>", **options)


def random_tree(seed, width=3, steps=6, children=4, vocabulary=8, ends=1.0):
    """A search over a random language model; token 0 stops, the more likely the longer."""

    def after(path):
        logits = np.random.default_rng([seed, *path]).normal(size=vocabulary) * 2
        logits[0] += ends * len(path) - 3
        log_p = logits - np.log(np.exp(logits).sum())
        return {int(k): float(log_p[k]) for k in np.argsort(-log_p)[:children]}

    return search(after, width, steps, 0)


def letters(n):
    return ["<END>", *"abcdefghijklmnopqrstuvwxyz"[: n - 1]]


def test_the_sentence_at_every_step_by_hand():
    view = pie()
    assert (view.width, view.step, view.node) == (2, 7, -1)
    said = []
    for step in (0, 1, 2, 3, 7):
        view.step = step
        said.append(headline(view))
    assert said == [
        "Step 0 of width 2: nothing is chosen yet.",
        "Step 1 of width 2: “he” leads with −0.70; nothing is pruned.",
        "Step 2 of width 2: “I was” leads with −1.60; “I got” pruned at −1.80, 0.10 too low.",
        "Step 3 of width 2: “he hit me” leads with −2.50; “I was hit” pruned at −2.90, "
        "0.10 too low.",
        "After 7 steps of width 2 “he hit a pie <END>” is best with −3.70; greedy’s “he hit me "
        "with a pie <END>” is number 2 with −4.50.",
    ]
    assert view.alt == f"Beam search of width 2, 22 tokens looked at in 7 steps. {said[-1]}"
    assert view._repr_mimebundle_()[0]["text/plain"] == view.alt


def test_a_length_penalty_ranks_again():
    view = pie(length_penalty=1)
    assert headline(view) == (
        "After 7 steps of width 2 “he hit me with a pie <END>” is best with −0.64 (−4.50 over "
        "7^1.00), as greedy finds too."
    )
    view.width, view.length_penalty = 3, 0
    assert [node for node, _ in view.tree.ranked(7, 0.0)] == [10, 17, 21]
    assert [node for node, _ in view.tree.ranked(7, 1.0)] == [21, 17, 10]
    assert headline(view).endswith("greedy’s “he hit me with a pie <END>” is number 3 with −4.50.")


def test_the_ranking_opens_at_the_penalty_of_the_search():
    def step(ids, state):
        return torch.zeros(len(ids), 3), state

    half, one = (decoding.beam(step, [2], 2, width=2, length_penalty=p) for p in (0.5, 1))
    assert beam(half, "abc").length_penalty == 0.5
    assert beam({2: half, 3: half}, "abc").length_penalty == 0.5
    assert beam({2: half, 3: one}, "abc").length_penalty == 0
    assert beam(half, "abc", length_penalty=0).length_penalty == 0
    assert beam(decoding.beam(step, [2], 2, length_penalty=9), "abc").length_penalty == 9
    with pytest.raises(ValueError, match="expected 0 to 10, came 11"):
        beam(decoding.beam(step, [2], 2, length_penalty=11), "abc")


def test_with_the_penalty_of_the_search_its_best_is_best():
    """The page used to open at 1.5 at most, where another hypothesis may be first."""
    logits = torch.tensor([[1.6, 0, 2.9], [0.2, 1.0, 0.1], [0.4, 2.0, 0.9]])
    tree = decoding.beam(
        lambda ids, state: (logits[ids], state),
        [0],
        6,
        width=3,
        stop=2,
        length_penalty=4,
    )
    view = beam(tree, "abc")
    assert view.facts["most_penalty"] == view.length_penalty == 4
    best, at_most_before = (view.tree.ranked(view.step, penalty)[0][0] for penalty in (4, 1.5))
    assert best == tree.hypotheses[0].node != at_most_before


def test_a_search_tells_its_width():
    """Of three tokens no more than three can be kept at a step."""
    tree = decoding.beam(lambda ids, state: (torch.zeros(len(ids), 3), state), [0], 1, width=50)
    assert tree.width == 50
    assert beam(tree, "abc").alt.startswith("Beam search of width 50, 3 tokens ")


def test_the_sentence_of_a_node():
    view = pie()
    said = []
    for node in (3, 4, 16):
        view.node = node
        said.append(headline(view))
    view.length_penalty = 0.5
    said.append(headline(view))
    assert said == [
        "“he struck” is pruned at −2.90, 1.20 too low; probability of “struck” .11.",
        "“I was” stays with −1.60; probability of “was” .50.",
        "“he hit a pie <END>” is finished with −3.70, rank 1 of 2; probability of “<END>” .74.",
        "“he hit a pie <END>” is finished with −1.65 (−3.70 over 5^0.50), rank 1 of 2; "
        "probability of “<END>” .74.",
    ]


def test_a_search_that_was_cut_and_one_step():
    view = beam(random_tree(0, steps=2, vocabulary=4), letters(9))
    assert not view.tree.finished.any()
    assert headline(view).startswith("After 2 steps of width 3 nothing is finished; “")
    view = beam(search(lambda _: {0: -0.7, 1: -0.7 - 1e-3}, 1, 1, 0), "ab")
    view.node = 1
    assert headline(view) == "“b” is pruned at −0.70, <0.01 too low; probability of “b” .50."
    view = beam(search(lambda _: {0: -0.7, 1: -0.7}, 1, 1, 0), "ab")
    view.node = 1
    assert "pruned at −0.70, level with the last that stays" in headline(view)


def test_greedys_choice_is_named_where_it_is_pruned():
    late = {(): {1: -0.6, 2: -0.8}, (1,): {1: -3, 2: -3.5}, (2,): {1: -0.3, 2: -1.5}}
    view = beam(search(lambda path: late.get(path, {0: -0.1}), 2, 3, 0), "abc")
    view.step = 2
    assert view.tree.greedy == [0, 2]
    assert headline(view) == (
        "Step 2 of width 2: “cb” leads with −1.10; greedy’s “bb” pruned at −3.60, 1.30 too low."
    )


def test_the_table_holds_what_is_shown():
    view = pie()
    view.step = 2
    header, *rows = view.table()
    assert header == ["step", "node", "parent", *FIELDS[2:], "width"]
    low = [float(np.float32(v)) for v in (-0.9, -1.8)]
    assert rows[0][:4] == ["1", "0", "", "he"]
    assert rows[5] == ["2", "5", "1", "got", *low, "no", "no", "2"]
    assert len(rows) == 6
    lines = [line.split(",") for line in view.to_csv().splitlines()]
    assert lines == [[cell(value) for value in row] for row in view.table()]


@pytest.mark.parametrize("penalty", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("width", [1, 2, 5])
def test_it_takes_and_ranks_what_the_search_returns(width, penalty):
    def step(ids, state):
        logits = torch.tensor([[1.0, 0, 2, 0.5, 1.2], [0, 1, 0.3, 2, 1], [1.5, 0, 1, 1, 0.2]])
        return logits[ids % 3], state

    tree = decoding.beam(step, [2], 5, width=width, stop=0, length_penalty=penalty)
    view = beam(tree, "abcde", length_penalty=penalty)
    ranked = view.tree.ranked(view.step, penalty)
    assert [node for node, _ in ranked] == [hypothesis.node for hypothesis in tree.hypotheses]
    np.testing.assert_allclose(
        [value for _, value in ranked], [hypothesis.score for hypothesis in tree.hypotheses], 1e-6
    )
    greedy = decoding.greedy(step, [2], 5, stop=0)
    taken = view.tree.token[view.tree.greedy].tolist()
    assert taken == greedy[: len(taken)]
    assert len(taken) == len(greedy) or not view.tree.kept[view.tree.greedy[-1]]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 5),
    st.integers(1, 8),
    st.integers(2, 8),
    st.floats(0, 1.5),
)
def test_any_search_is_shown_as_it_is(seed, width, steps, children, penalty):
    given_tree = random_tree(seed, width, steps, children)
    view = beam({width: given_tree}, letters(8), length_penalty=penalty)
    for step in range(view.step, -1, -1):
        view.step = step
        shown = given_tree["step"] <= step
        _, *rows = view.table()
        assert [int(row[1]) for row in rows] == np.flatnonzero(shown).tolist()
        assert [float(row[5]) for row in rows] == pytest.approx(
            given_tree["score"][shown], abs=1e-4
        )
        assert view.alt.endswith(".")
        ends = given_tree["finished"] & shown
        by = given_tree["score"] / given_tree["step"] ** penalty
        if ends.any():
            ranked = view.tree.ranked(step, penalty)
            assert sorted(node for node, _ in ranked) == np.flatnonzero(ends).tolist()
            assert by[ranked[0][0]] == pytest.approx(by[ends].max(), abs=1e-5)
    view.node = int(np.random.default_rng(seed).integers(shown.size))
    assert view.step == view.tree.step[view.node]
    assert f"“{path_text(view, view.node)}”" in headline(view)
    totals = view.tree.log_probability[view.tree.path(view.node)].sum()
    assert totals == pytest.approx(view.tree.score[view.node], abs=1e-3)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["<END>", "he", "hit"], "he hit <END>"),
        (["<END>", " he", " hit"], "he hit<END>"),
        (["<END>", "h", "i"], "hi<END>"),
        (["<END>", "h", " "], "h␣<END>"),
        (["<END>", "\n", "hit"], "↵ hit <END>"),
        (["", "a b", "שלום"], "\u2067a b \u2068שלום\u2069 ∅\u2069"),
        (["<END>", "x" * 10_000, "hit"], f"{'x' * 23}… hit <END>"),
        (["<END>", "x" * 30, "y" * 24], f"… {'y' * 24} <END>"),
    ],
)
def test_the_text_of_a_path(tokens, text):
    log_p = {(): {1: -0.1}, (1,): {2: -0.1}, (1, 2): {0: -0.1}}
    assert path_text(beam(search(log_p.get, 1, 3, 0), tokens), 2) == text


def test_tokens_may_be_a_function_and_only_the_words_used_travel():
    asked = []

    def name(token):
        asked.append(token)
        return f"w{token}"

    view = beam(random_tree(3, steps=3, vocabulary=8), name)
    used = np.unique(random_tree(3, steps=3, vocabulary=8)["token"])
    assert asked == used.tolist()
    assert view.facts["words"] == [f"w{token}" for token in used]
    vocabulary = [f"w{k}" for k in range(50_000)]
    assert beam(random_tree(3, steps=3), vocabulary).facts["words"] == view.facts["words"]


def test_numbers_travel_as_binary_and_one_width_at_first():
    view = pie()
    assert list(view.first) == ["width 2"]
    assert list(view.parts) == ["width 1", "width 2", "width 3"]
    values = np.frombuffer(view.first["width 2"], "<f4").reshape(len(FIELDS), -1)
    tree = table_tree(2)
    for name, row in zip(FIELDS, values, strict=True):
        want = [view.facts["words"].index(WORDS[k]) for k in tree["token"]]
        np.testing.assert_array_equal(row, np.float32(want if name == "token" else tree[name]))
    view.width = 3
    view._repr_mimebundle_()
    assert list(view.first) == ["width 3"]


def test_hostile_tokens_stay_text():
    tokens = ["<END>", "</script>", "=1+1", 'a,"b', "שלום", "👍🏽", "\u202e!", "\n"]
    view = beam(random_tree(1, steps=8), tokens, prompt="</script>", title="</script>")
    assert scripts_end_where_the_page_ends_them(view.to_html())
    assert '"a,""b"' in view.to_csv()
    assert "'=1+1" in view.to_csv()


def test_a_single_tree_has_the_width_that_it_kept():
    assert beam(table_tree(3), WORDS).width == 3
    assert pie([1]).width == 1
    assert pie([5, 4]).width == 4


def test_another_width_stays_at_the_end_or_at_the_step():
    view = beam({k: random_tree(4, k, 4 + k) for k in (1, 2, 3)}, letters(8))
    assert (view.width, view.step) == (2, view.trees[2].steps)
    view.node = 3
    view.width = 3
    assert (view.step, view.node) == (view.trees[3].steps, -1)
    view.step = 2
    view.width = 1
    assert view.step == 2
    view.set_state({"width": 3, "step": 5, "node": -1})
    assert (view.width, view.step) == (3, 5)


def test_a_node_comes_with_its_step_and_goes_with_it():
    view = pie()
    view.step = 1
    view.node = 16
    assert view.step == 5
    view.step = 4
    assert view.node == -1


@pytest.mark.parametrize(
    ("control", "value"),
    [
        ("width", 4),
        ("step", 8),
        ("step", -1),
        ("node", 22),
        ("node", -2),
        ("length_penalty", 1.6),
        ("length_penalty", float("nan")),
        ("step", "2"),
    ],
)
def test_a_wrong_value_is_refused_and_the_old_one_kept(control, value):
    view = pie()
    before = view.controls()
    with pytest.raises(TraitError, match=control):
        setattr(view, control, value)
    assert view.controls() == before


def wrong(**changes):
    """The tree of width 2 with some numbers of some fields changed."""
    tree = {name: array.copy() for name, array in table_tree(2).items()}
    for name, (node, value) in changes.items():
        tree[name][node] = value
    return tree


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (wrong(parent=(0, 0)), r"trees.parent\[0\] is 0, expected an earlier node, -1 to -1"),
        (wrong(parent=(3, 9)), r"trees.parent\[3\] is 9, expected an earlier node, -1 to 2"),
        (wrong(parent=(3, -2)), r"trees.parent\[3\] is -2"),
        (wrong(step=(0, 0)), r"trees.step\[0\] is 0, expected 1, one more.*steps count from 1"),
        (wrong(step=(2, 3)), r"trees.step\[2\] is 3, expected 2"),
        (wrong(log_probability=(1, 0.2)), r"log_probability\[1\] is 0.2.*log_softmax"),
        (wrong(score=(6, -1.0)), r"score\[6\] is -1, expected -2.5.*without a length penalty"),
        (wrong(score=(6, np.nan)), r"trees.score\[6\] is nan"),
        (wrong(log_probability=(6, -np.inf)), r"trees.log_probability\[6\] is -inf"),
        (wrong(kept=(0, False)), "node 0 is pruned, expected no children"),
        (wrong(finished=(0, True)), "node 0 is finished, expected no children"),
        (wrong(kept=(slice(20, None), False)), "no node of step 7 is kept"),
        (table_tree(2) | {"kept": [True]}, "expected arrays of one length"),
        (
            {name: [] for name in FIELDS[:5]} | {name: np.zeros(0, bool) for name in FIELDS[5:]},
            "expected 1 to 20,000 nodes, came 0",
        ),
        (wrong() | {"parent": np.linspace(-1, 0, 22)}, "whole numbers, came"),
        ({}, "expected at least one tree"),
        ({2: table_tree(3)}, r"trees\[2\]: 3 nodes of one step are kept, expected at most the 2"),
        ({0: table_tree(3)}, "trees, a width: expected 1 to 100, came 0"),
        ({2: wrong(step=(0, 0))}, r"trees\[2\].step\[0\]"),
    ],
)
def test_a_wrong_tree_is_named(tree, message):
    with pytest.raises((ValueError, TypeError), match=message):
        beam(tree, WORDS)


def test_nodes_out_of_order_are_named():
    tree = {name: np.append(array, array[5]) for name, array in table_tree(2).items()}
    with pytest.raises(
        ValueError, match=r"step\[22\] is 2 after 7: expected the nodes in the order"
    ):
        beam(tree, WORDS)


@pytest.mark.parametrize(
    ("trees", "tokens", "options", "error", "message"),
    [
        ([1, 2], WORDS, {}, TypeError, "expected a tree with step, parent.*came list"),
        ({"step": [1]}, WORDS, {}, TypeError, "came dict .'parent'"),
        (wrong() | {"kept": np.ones(22)}, WORDS, {}, TypeError, "kept: expected True and False"),
        (wrong() | {"score": ["x"] * 22}, WORDS, {}, TypeError, "score: expected floats"),
        ({2.5: table_tree(2)}, WORDS, {}, TypeError, "a width: expected a whole number"),
        (
            table_tree(2),
            WORDS[:4],
            {},
            ValueError,
            "came 4 strings and the id 13: hand in the whole",
        ),
        (table_tree(2), 3, {}, TypeError, "tokens: expected a string or a sequence"),
        (table_tree(2), lambda k: k, {}, TypeError, r"tokens\[0\]: expected a string, came int"),
        (table_tree(2), WORDS, {"title": 3}, TypeError, "title: expected a string"),
        (table_tree(2), WORDS, {"prompt": "a\nb"}, ValueError, "prompt: expected one line"),
        (
            table_tree(2),
            WORDS,
            {"length_penalty": "1"},
            TypeError,
            "length_penalty: expected a num",
        ),
        (
            table_tree(2),
            WORDS,
            {"length_penalty": True},
            TypeError,
            "length_penalty: expected a num",
        ),
        (table_tree(2), WORDS, {"length_penalty": 11}, ValueError, "expected 0 to 10, came 11"),
    ],
)
def test_wrong_arguments_are_named(trees, tokens, options, error, message):
    with pytest.raises(error, match=message):
        beam(trees, tokens, **options)


def test_too_many_nodes_are_refused():
    n = 20_001
    tree = {name: np.full(n, -0.5) for name in ("log_probability", "score")}
    tree |= {"step": np.ones(n), "parent": -np.ones(n), "token": np.zeros(n)}
    tree |= {"kept": np.ones(n, bool), "finished": np.zeros(n, bool)}
    with pytest.raises(ValueError, match="expected 1 to 20,000 nodes, came 20,001"):
        beam(tree, "a")
    steps = 201
    chain = search(lambda _: {0: -0.1}, 1, steps, 5)
    with pytest.raises(ValueError, match="expected at most 200 steps, came 201"):
        beam(chain, "a")
