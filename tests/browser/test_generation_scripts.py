"""What the view of next words decides before it draws, and what its sentences say."""

import numpy as np
import pytest
import torch

from seqviz.decoding import filters
from seqviz.view import generation
from seqviz.views.generation.stops import NUCLEUS, TEMPERATURES, luck, ranks_of_tail
from seqviz.views.generation.values import place_of
from seqviz.views.generation.writing import Draw, fallen
from tests.views.test_generation import LETTERS, view_of

pytestmark = pytest.mark.browser

ROOM = "generation/"
ALL = ROOM + "view.js"  # with it come all files of the room


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
    words = [f"w{k}" for k in range(V)]
    return p, order, facts, place_of(p, keep, 3, 0.25).packed(words, "last")


# ---- what is kept, where a number falls


BARS = """(bytes, more, facts, size) => {
    const place = placeOf(bytes);
    const kept = keptAt(place, more.method, more.knob, facts);
    const scene = {place, kept, facts, open: id => id === 3, ...more};
    const sized = {...size, measure: text => 8 * text.length};
    const bars = barsOf(scene, sized);
    const {rows, cut, others, scale, curves, legend} = bars;
    return {rows, cut, others, scale, curves, legend,
        n: kept.n, mass: kept.mass, after: [...kept.after],
        warm: warmCurve(scene), y: [1, 12, 300].map(bars.yOf),
        at: [0, bars.top + 1, bars.top + 11.5 * bars.pitch, 1000].map(y => rowAt(bars, y))};
}"""


def bars(script, method, knob, V=300, keep=40, at=0):
    p, order, facts, part = place(V, keep)
    more = {"method": method, "knob": knob, "at": at}
    size = {"em": 14, "small": 12, "dist": 470}
    return p[order], script(ALL, BARS, part, more, facts, size)


@pytest.mark.parametrize("V", [5, 40, 300])
def test_what_is_kept_is_what_sv_decoding_keeps(script, V):
    for method, knob, like in (
        ("greedy", 0, lambda x: filters.top_k(x, 1)),
        ("top-k", 5, lambda x: filters.top_k(x, 5)),
        ("nucleus", 0.9, lambda x: filters.nucleus(x, 0.9)),
        ("nucleus", 0.35, lambda x: filters.nucleus(x, 0.35)),
        ("nucleus", 0.99, lambda x: filters.nucleus(x, 0.99)),
        ("nucleus", 1, lambda x: x),
        ("temperature", 0.1, lambda x: filters.with_temperature(x, 0.1)),
        ("temperature", 2, lambda x: filters.with_temperature(x, 2)),
        ("sample", 0, lambda x: x),
    ):
        keep = min(V, 40)
        p, found = bars(script, method, knob, V, keep)
        want = like(torch.tensor(p).log()).softmax(-1).numpy()
        np.testing.assert_allclose(found["after"], want[:keep], atol=1e-12)
        if method != "temperature":
            assert found["n"] == (want > 0).sum(), (method, knob)
            assert found["mass"] == pytest.approx(p[want > 0].sum())


def test_luck_rounds_and_repeats(script):
    both = [[seed, step] for seed in (0, 1, 77, 2**31 - 1) for step in range(50)]
    numbers = script(ROOM + "decoding.js", "all => all.map(one => luckOf(...one))", both)
    assert numbers == [luck(*one) for one in both]
    for ids, found in (
        ([1, 2, 1, 2], {"size": 2, "start": 0}),
        ([5, 1, 1], {"size": 1, "start": 1}),
        ([1, 2, 3, 4, 2, 3, 4, 2], {"size": 3, "start": 1}),
        ([1, 2, 3, 1, 2], None),
        ([], None),
        ([7], None),
    ):
        assert script(ROOM + "decoding.js", "periodOf", ids) == found
    fall = "all => all.map(u => fallenOn({after: Float64Array.of(0.5, 0.3, 0.1)}, u))"
    found = script(ROOM + "decoding.js", fall, [0, 0.49, 0.5, 0.79, 0.95])
    assert found == [0, 0, 1, 1, -1]


# ---- the sentence


SAID = """(facts, parts, method, knob) => {
    const [place, following] = [placeOf(parts.here), placeOf(parts.next)];
    const kept = keptAt(place, method, knob, facts);
    const greedy = unpacked(parts.greedy);
    const scene = {facts, place, following, method, knob, kept, greedy, word: place.words[0]};
    return spoken(headline(scene));
}"""


def said(script, view, method, knob=0):
    first = f"after {view.place.ids[0]}"
    greedy = view.draws["greedy"].name((), view.steps)
    parts = {"here": "after", "next": first, "greedy": greedy}
    given = {name: view.part_of(part) for name, part in parts.items()}
    return script(ALL, SAID, view.facts, given, method, knob)


def test_each_sentence_is_made_of_its_numbers(script):
    view, all_ = view_of(), "keeps all 40 tokens: nothing is cut, this is plain sampling."
    for method, knob, text in (
        ("nucleus", 0.9, "p = 0.90 keeps 2 of 40 tokens here, 34 after “w5”: nucleus follows the "
            "model’s doubt, top-k does not."),
        ("nucleus", 1, f"p = 1.00 {all_}"),
        ("top-k", 40, f"k = 40 {all_}"),
        ("top-k", 5, "k = 5 keeps 0.99 of the probability here, 0.25 after “w5”: top-k cuts by "
            "rank, whatever the doubt."),
        ("temperature", 1, "Temperature 1 leaves the model as it is: 1.0 bits of doubt, no cut."),
        ("temperature", 0.4, "Temperature 0.4 feeds the first: “w5” from 0.83 to 0.99, nearly "
            "greedy."),
        ("temperature", 0.8, "Temperature 0.8 feeds the first: “w5” from 0.83 to 0.91, and thins "
            "out the tail."),
        ("temperature", 2, "Temperature 2.0 feeds the tail: the tokens below rank 12 go from 0.002 "
            "to 0.11."),
        ("sample", 0, "Plain sampling cuts nothing: the 28 tokens below rank 12 have 0.002 "
            "together, the likeliest of them <0.001."),
    ):  # fmt: skip
        assert said(script, view, method, knob) == text
    few = generation(lambda ids: np.roll([0.9, 0.1, 0], ids[-1] + 1), "abc", [0], joiner="")
    assert said(script, few, "greedy") == (
        "Greedy takes “b” (0.90) and always the first: from the prompt it repeats the same 3 "
        "tokens from token 1 on."
    )
    assert said(script, few, "sample").startswith("Plain sampling draws from all 3 tokens, as the ")
    assert said(script, few, "nucleus", 0.5) == (
        "p = 0.50 keeps 1 of 3 tokens here, 1 after “b”: about the same doubt, about as many "
        "tokens."
    )
    rng, rows = np.random.default_rng(0), {}
    never = generation(
        lambda ids: rows.setdefault(tuple(ids), rng.dirichlet(np.ones(40))), LETTERS, [0], depth=1
    )
    assert said(script, never, "greedy").endswith("no luck, so every run is the same.")


# ---- bars


def test_the_cut_stands_under_the_last_word_that_stays(script):
    p, seen = bars(script, "top-k", 5)
    assert [row["kept"] for row in seen["rows"]] == [True] * 5 + [False] * 7
    assert seen["cut"]["y"] == pytest.approx(seen["rows"][5]["y"])
    assert seen["cut"]["mass"] == pytest.approx(p[:5].sum())
    assert seen["cut"]["asks"] == "rank"
    assert [row["q"] for row in seen["rows"]][5:] == [0] * 7
    assert (seen["others"]["q"], seen["others"]["kept"]) == (0, False)
    assert seen["at"] == [None, 0, 11, None]
    p, seen = bars(script, "nucleus", 0.98)
    n = 1 + int((np.cumsum(p) < 0.98).sum())
    assert n > 40
    assert seen["cut"]["n"] == n
    assert seen["y"][1] < seen["cut"]["y"] < seen["y"][2], "in the tail"
    assert seen["others"]["kept"]
    assert seen["others"]["q"] == pytest.approx(p[12:n].sum() / p[:n].sum())
    assert seen["legend"] == "kept, ÷ 0.98"
    for method, knob in (("sample", 0), ("nucleus", 1), ("temperature", 2)):
        assert bars(script, method, knob)[1]["cut"] is None


def test_a_warm_curve_ends_at_one_and_is_exact_among_the_named(script):
    for T, near in (0.5, 0.01), (1.5, 0.02), (2, 0.03):
        p, seen = bars(script, "temperature", T)
        warm = np.array(seen["warm"])
        true = np.cumsum(p ** (1 / T)) / (p ** (1 / T)).sum()
        np.testing.assert_allclose(warm[:40, 1], true[:40])
        np.testing.assert_allclose(warm[:, 1], true[warm[:, 0].astype(int) - 1], atol=near)
        assert warm[-1].tolist() == [300, pytest.approx(1)]
        assert (np.diff(warm[:, 1]) >= 0).all()


# ---- the text, side by side, the tree


def test_runs_are_measured_side_by_side(script):
    run = {"p": [0.5, 0.25, 0.5, 0.25], "ids": [1, 2, 1, 2], "words": [*"abab"]}
    found = script(ROOM + "beside.js", "measuresOf", run, 2)
    assert found["surprise"] == 1.5
    assert found["distinct"] == pytest.approx(2 / 3)
    assert found["repeats"] == [False, False, False, True]


HELD = """(p, facts, draws) => {
    const all = Float64Array.from(p);
    const values = Object.entries(placeValues(all, facts))
        .map(([name, value]) => [name, value.length === undefined ? value : [...value]]);
    const {ranked} = rankedTokens(all);
    return {
        place: Object.fromEntries(values),
        fallen: draws.map(({u, ...draw}) => fallenRank(ranked, draw, u)),
    };
}"""


def test_the_worker_holds_of_a_distribution_what_python_holds(script):
    random = np.random.default_rng(4)
    draws = [
        *[Draw("greedy", 0, 1), Draw("sample", 0, 2), Draw("temperature", 0.1, 3)],
        *[Draw("temperature", 2.0, 4), Draw("top-k", 3, 5), Draw("nucleus", 0.05, 6)],
        *[Draw("nucleus", 0.9, 7), Draw("nucleus", 1.0, 8)],
    ]
    for V, keep in ((1500, 100), (40, 40), (13, 12)):
        p = random.dirichlet(np.full(V, 0.3))
        p[V // 2 : V // 2 + 4] = p[:4] = 0.01  # equal ones
        p[-1] = 0
        p /= p.sum()
        stops = {"nucleus": NUCLEUS.tolist(), "temperatures": TEMPERATURES.tolist()}
        facts = {**stops, "keep": keep, "tail": ranks_of_tail(V, keep).tolist()}
        lucks = [{**vars(draw), "u": luck(draw.seed, 0)} for draw in draws]
        found = script("generation/held.js", HELD, p.tolist(), facts, lucks)
        ours = vars(place_of(p, keep, 0, 0.0))
        assert found["place"].keys() == ours.keys() - {"rank", "chance"}
        for name, value in found["place"].items():
            np.testing.assert_allclose(value, ours[name], rtol=1e-11, atol=1e-13, err_msg=name)
        ranked = np.sort(p)[::-1]
        assert found["fallen"] == [fallen(ranked, draw, 0) for draw in draws]
