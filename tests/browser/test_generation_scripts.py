"""What the view of next words decides before it draws, as plain functions; beside Python's."""

from itertools import pairwise

import numpy as np
import pytest

from seqviz.views.generation.decoding import kept_at
from seqviz.views.generation.sentence import chance, period
from seqviz.views.generation.stops import NUCLEUS, TEMPERATURES, luck, ranks_of_tail
from seqviz.views.generation.values import place_of

pytestmark = pytest.mark.browser

ROOM = "generation/"


def place(V=300, keep=40, seed=0):
    p = np.random.default_rng(seed).dirichlet(np.full(V, 0.3))
    order = np.argsort(-p, kind="stable")
    facts = {
        "vocabulary": V,
        "keep": keep,
        "nucleus": NUCLEUS.tolist(),
        "temperatures": TEMPERATURES.tolist(),
        "tail": ranks_of_tail(V, keep).tolist(),
    }
    return p, order, place_of(p, keep, 3, 0.25), facts


READ = """(bytes, facts) => {
    const place = placeOf(new DataView(Uint8Array.from(bytes).buffer), facts);
    return {...place, ids: [...place.ids], p: [...place.p], cumulated: [...place.cumulated],
        tail: [...place.tail], masses: [...place.masses], sums: [...place.sums],
        counts: [...place.counts]};
}"""


def read(script, made, facts):
    words = [f"w{k}" for k in range(facts["vocabulary"])]
    return script(ROOM + "parts.js", READ, list(made.packed(words, "last")), facts)


def test_a_page_reads_all_that_python_packs(script):
    _, _, made, facts = place()
    seen = read(script, made, facts)
    assert seen["p"] == made.p.tolist()
    assert seen["ids"] == made.ids.tolist()
    assert seen["counts"] == made.counts.tolist()
    assert seen["masses"] == made.masses.tolist()
    assert seen["sums"] == made.sums.tolist()
    assert seen["tail"] == made.tail.tolist()
    assert seen["cumulated"] == made.cumulated.tolist()
    assert [seen["doubt"], seen["rank"], seen["chance"], seen["last"]] == [
        made.doubt,
        3,
        0.25,
        "last",
    ]
    assert seen["words"] == [f"w{k}" for k in made.ids]


KEPT = """(place, method, knob, facts) => {
    const floats = ['p', 'cumulated', 'sums', 'masses', 'counts'];
    const typed = Object.fromEntries(floats.map(name => [name, Float64Array.from(place[name])]));
    const {n, mass, after} = keptAt({...place, ...typed}, method, knob, facts);
    return [n, mass, [...after]];
}"""


@pytest.mark.parametrize(
    ("method", "knob"),
    [
        ("greedy", 0),
        ("sample", 0),
        ("top-k", 7),
        ("nucleus", 0.3),
        ("nucleus", 0.99),
        ("nucleus", 1),
        ("temperature", 0.1),
        ("temperature", 2),
    ],
)
@pytest.mark.parametrize("V", [5, 300])
def test_a_page_keeps_what_python_keeps(script, method, knob, V):
    _, _, made, facts = place(V, min(V, 40))
    knob = min(knob, V)
    n, mass, after = script(
        ROOM + "decoding.js", KEPT, read(script, made, facts), method, knob, facts
    )
    want = kept_at(made, method, knob, V)
    assert n == want.n
    assert mass == pytest.approx(want.mass, abs=1e-15)
    np.testing.assert_allclose(after, want.after, rtol=1e-12)


def test_a_page_has_the_same_luck(script):
    both = [[seed, step] for seed in (0, 1, 77, 2**31 - 1) for step in range(50)]
    numbers = script(ROOM + "decoding.js", "all => all.map(one => luckOf(...one))", both)
    assert numbers == [luck(*one) for one in both]


@pytest.mark.parametrize(
    "ids", [[1, 2, 1, 2], [5, 1, 1], [1, 2, 3, 4, 2, 3, 4, 2], [1, 2, 3, 1, 2], [], [7]]
)
def test_a_page_sees_the_same_rounds(script, ids):
    found = script(ROOM + "decoding.js", "periodOf", ids)
    assert (found and (found["size"], found["start"])) == period(ids)


@pytest.mark.parametrize("p", [0, 1e-9, 0.0094, 0.0096, 0.5, 0.125, 0.9949, 0.9999, 1])
def test_a_page_writes_the_same_probability(script, p):
    assert script(ROOM + "sentence.js", "chanceText", p) == chance(p)


@pytest.mark.parametrize(("u", "rank"), [(0, 0), (0.49, 0), (0.5, 1), (0.79, 1), (0.95, -1)])
def test_a_number_falls_on_the_token_whose_share_it_is_in(script, u, rank):
    fall = "u => fallenOn({after: Float64Array.of(0.5, 0.3, 0.1)}, u)"
    assert script(ROOM + "decoding.js", fall, u) == rank


@pytest.mark.parametrize(
    ("span", "marks"), [(2, [0, 0, 0, 1, 1]), (4, [0, 0, 0, 0, 0]), (1, [0, 0, 1, 1, 1])]
)
def test_what_has_stood_before_is_marked(script, span, marks):
    found = script(ROOM + "decoding.js", "repeatsIn", [1, 2, 1, 2, 1], span)
    assert found == [bool(mark) for mark in marks]


# ---- bars


BARS = """(place, more, facts, size) => {
    const floats = ['p', 'cumulated', 'sums', 'masses', 'counts', 'tail'];
    const typed = Object.fromEntries(floats.map(name => [name, Float64Array.from(place[name])]));
    const there = {...place, ...typed};
    const kept = keptAt(there, more.method, more.knob, facts);
    const scene = {place: there, kept, facts, open: id => id === 3, ...more};
    const bars = barsOf(scene, {...size, measure: text => 8 * text.length});
    const strip = stripOf(scene, {...size, measure: text => 8 * text.length});
    const warm = warmCurve(scene);
    const {rows, cut, others, scale, curves, legend} = bars;
    return {rows, cut, others, scale, curves, legend, strip, warm, y: [1, 12, 300].map(bars.yOf),
        at: [0, bars.top + 1, bars.top + 11.5 * bars.pitch, 1000].map(y => rowAt(bars, y))};
}"""
SIZE = {"em": 14, "small": 12, "dist": 470}


def bars(script, method, knob, V=300, keep=40, at=0):
    _, _, made, facts = place(V, keep)
    seen = read(script, made, facts)
    joined = {"method": method, "knob": knob, "at": at}
    return made, facts, script(ROOM + "scene.js", BARS, seen, joined, facts, SIZE)


def test_the_cut_stands_under_the_last_word_that_stays(script):
    made, _, seen = bars(script, "top-k", 5)
    assert [row["kept"] for row in seen["rows"]] == [True] * 5 + [False] * 7
    assert seen["cut"]["y"] == pytest.approx(seen["rows"][5]["y"])
    assert seen["cut"]["mass"] == pytest.approx(made.p[:5].sum())
    assert seen["cut"]["asks"] == "rank"
    assert [row["q"] for row in seen["rows"]][5:] == [0] * 7
    assert seen["others"]["q"] == 0
    assert not seen["others"]["kept"]
    assert seen["at"] == [None, 0, 11, None]


def test_what_nucleus_keeps_in_the_tail_is_cut_there(script):
    made, facts, seen = bars(script, "nucleus", 0.98)
    want = kept_at(made, "nucleus", 0.98, facts["vocabulary"])
    assert want.n > 40
    assert seen["cut"]["n"] == want.n
    assert seen["y"][1] < seen["cut"]["y"] < seen["y"][2]
    assert seen["others"]["kept"]
    assert seen["others"]["q"] == pytest.approx(1 - want.after[:12].sum())
    assert seen["legend"] == "kept, ÷ 0.98"


def test_all_that_stays_has_no_cut(script):
    for method, knob in (("sample", 0), ("nucleus", 1), ("temperature", 2)):
        assert bars(script, method, knob)[2]["cut"] is None


@pytest.mark.parametrize("T", [0.5, 2])
def test_a_warm_curve_ends_at_one_and_is_exact_among_the_named(script, T):
    made, facts, seen = bars(script, "temperature", T)
    warm = np.array(seen["warm"])
    after = kept_at(made, "temperature", T, facts["vocabulary"]).after
    np.testing.assert_allclose(warm[:40, 1], np.cumsum(after))
    assert warm[-1].tolist() == [300, pytest.approx(1)]
    assert (np.diff(warm[:, 1]) >= 0).all()


def test_a_warm_curve_in_the_tail_is_near_the_true_one(script):
    p, order, _, _ = place()
    _, _, seen = bars(script, "temperature", 1.5)
    true = np.cumsum(p[order] ** (1 / 1.5))
    for rank, q in seen["warm"]:
        assert q == pytest.approx(true[int(rank) - 1] / true[-1], abs=0.02)


def test_the_strip_is_as_wide_as_the_pane_and_joins_what_is_thin(script):
    _, _, seen = bars(script, "sample", 0, at=1)
    strip = seen["strip"]
    assert strip[0]["x"] == 0
    assert strip[-1]["x"] + strip[-1]["w"] == pytest.approx(470)
    assert all(b["x"] == pytest.approx(a["x"] + a["w"]) for a, b in pairwise(strip))
    assert strip[-1]["tail"]
    assert strip[1]["at"]
    assert min(one["w"] for one in strip[:-1]) > 3


def test_a_small_vocabulary_has_no_others(script):
    _, _, seen = bars(script, "nucleus", 0.5, V=5, keep=5)
    assert len(seen["rows"]) == 5
    assert seen["others"] is None
    assert [row["leads"] for row in seen["rows"]].count(True) == 1


# ---- the text, side by side, the tree


def test_the_end_of_a_long_text_is_shown(script):
    line = """(n, W) => {
        const text = Array.from({length: n}, (_, k) => ({word: `w${k}`, doubt: 1, rank: k + 1}));
        const place = {doubt: 2};
        const size = {em: 14, W, measure: t => 10 * t.length};
        const {columns, hidden, ghost} = textLineOf({text, place, at: 0, word: 'next'}, size);
        return [columns.map(c => c.k), hidden, ghost.x + ghost.w];
    }"""
    seen, hidden, end = script(ROOM + "text_line.js", line, 50, 800)
    assert seen == list(range(hidden, 50))
    assert hidden > 0
    assert end <= 800
    seen, hidden, _ = script(ROOM + "text_line.js", line, 3, 800)
    assert (seen, hidden) == ([0, 1, 2], 0)


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([" aa", " bb", " cc"], [0, 0, 1]),  # 3 letters a token, 6 a line
        (["un", "do", " ab", "cd"], [0, 0, 1, 1]),
        (["abcd", "efgh"], [0, 1]),  # a word longer than a line
    ],
)
def test_words_wrap_and_pieces_stay_together(script, pieces, lines):
    place_them = """texts => placedPieces(texts.map(text => ({text, mark: false})), 60,
        text => 10 * text.length).map(piece => piece.line)"""
    assert script(ROOM + "beside.js", place_them, pieces) == lines


def test_a_run_is_measured_before_decoding(script):
    run = {"p": [0.5, 0.25, 0.5, 0.25], "ids": [1, 2, 1, 2], "words": [*"abab"]}
    found = script(ROOM + "beside.js", "measuresOf", run, 2)
    assert found["surprise"] == 1.5
    assert found["distinct"] == pytest.approx(2 / 3)
    assert found["repeats"] == [False, False, False, True]


def test_a_branch_opens_where_it_was_left(script):
    walk = """() => {
        const visits = new Visits();
        visits.visit([1, 2, 3]);
        visits.visit([1, 5]);
        return [visits.after([1]), visits.depth([]), visits.end([1]), visits.end([1, 2])];
    }"""
    assert script(ROOM + "tree.js", walk) == [[2, 5], 3, [1, 5], [1, 2, 3]]


def test_the_tree_shows_what_was_taken_wherever_its_rank_is(script):
    tree = """(W, id, ranks) => {
        const place = n => ({ids: Uint32Array.from({length: 20}, (_, k) => (k + n) % 20),
            p: Float64Array.from({length: 20}, (_, k) => 1 / (k + 2)),
            words: Array.from({length: 20}, (_, k) => `w${(k + n) % 20}`)});
        const places = [place(0), {...place(4), rank: 80, last: 'far', chance: 0.002}];
        const made = path => (path.join() === String(id) ? places[1] : null);
        const scene = {places, written: [id], place: places[1], id: 6, following: place(7),
            visits: new Visits(), made};
        for (const path of [...ranks.map(rank => [rank]), [id]]) scene.visits.visit(path);
        const {nodes, edges} = treeOf(scene, {em: 14, side: W});
        return [nodes.map(n => [n.step, n.r, n.taken, n.at]), edges.length,
            Math.max(...nodes.map(n => n.x + n.w)),
            nodes.filter(n => n.taken).map(n => [n.word, n.p]),
            edges.every(({x1}) => !x1 || nodes.some(n => n.x + n.w === x1 && (n.taken || n.at)))];
    }"""
    nodes, edges, right, _, _ = script(ROOM + "tree.js", tree, 310, 15, [])
    assert edges == len(nodes)
    assert right <= 310
    assert [0, 15, True, False] in nodes
    assert [1, 2, False, True] in nodes
    assert [step for step, *_ in nodes].count(2) == 7  # what would come then
    nodes, *_ = script(ROOM + "tree.js", tree, 150, 15, [])
    assert {step for step, *_ in nodes} == {1, 2}
    for taken, been, word in (
        (500, [], ["far", 0.002]),  # below all that have a name
        (500, [7, 8, 9, 10, 11, 12, 13, 14], ["far", 0.002]),
        (0, [7, 8, 9, 10, 11, 12, 13, 14], ["w0", 0.5]),  # many were there before
    ):
        *_, found, joined = script(ROOM + "tree.js", tree, 310, taken, been)
        assert found == [word]
        assert joined, "each line begins at a node of the path"
