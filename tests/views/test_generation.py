"""Next words: distributions, cuts and lessons by hand; what is refused; a model that stops."""

import json
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from seqviz.decoding import filters
from seqviz.view import generation
from seqviz.views.generation.sentence import chance, headline, period, shown
from seqviz.views.generation.stops import NUCLEUS, TEMPERATURES, kept_by_mass, luck, ranks_of_tail
from seqviz.views.generation.values import chances_of, place_of, rank_of
from seqviz.views.generation.writing import Draw, fallen
from tests.views.test_page import scripts_end_where_the_page_ends_them

LETTERS = [f"w{k}" for k in range(40)]


def zipf(V=40, power=1.3):
    p = 1 / np.arange(1, V + 1) ** power
    return p / p.sum()


class Model:
    """A model of 40 words: sure after even ids, in doubt after odd ones; it counts its calls."""

    def __init__(self, V=40, positions=math.inf):
        self.V, self.positions, self.calls = V, positions, []

    def __call__(self, ids):
        self.calls.append(list(ids))
        if len(ids) > self.positions:
            raise IndexError(f"{len(ids)} tokens, {self.positions} positions")
        sharp = zipf(self.V, 3.0 if ids[-1] % 2 == 0 else 0.4)
        return np.roll(sharp, ids[-1] + 1)


def view_of(model=None, prompt=(3, 4), **more):
    return generation(model or Model(), LETTERS, prompt, **{"steps": 12, "seed": 1, **more})


def everything():
    """Words in a line, with a tail below the named ones."""
    return view_of(keep=20, title="A model of forty words")


def closed():
    """Words of which every next one is computed."""
    rows = np.random.default_rng(3).dirichlet(np.full(12, 0.5), 12)
    names = [f"word{k}" for k in range(12)]
    return generation(lambda ids: rows[ids[-1]], names, [2, 5], branch=12, depth=1, steps=8)


def letters():
    """Characters, that bring their own blanks."""
    rng = np.random.default_rng(0)
    rows = rng.dirichlet(np.full(16, 0.3), 16)
    return generation(
        lambda ids: rows[ids[-1]], "etaoinshrdlu \n.,", [*"nation"], joiner="", steps=30
    )


@pytest.fixture
def view():
    return view_of()


# ---- what is kept


ranked = st.lists(st.floats(1e-6, 1), min_size=1, max_size=60).map(
    lambda x: np.sort(np.array(x) / sum(x))[::-1]
)


@settings(max_examples=60, deadline=None)
@given(ranked, st.integers(5, 100))
def test_nucleus_keeps_the_fewest_that_have_p_together(p, percent):
    stop = percent / 100
    n = kept_by_mass(np.cumsum(p), stop)
    assert 1 <= n <= len(p)
    if stop == 1:
        assert n == len(p)
    else:
        assert p[:n].sum() >= stop - 1e-9 or n == len(p)
        assert n == 1 or p[: n - 1].sum() < stop + 1e-9


@pytest.mark.parametrize("V", [5, 40, 300])
@pytest.mark.parametrize(
    ("method", "knob", "like"),
    [
        ("top-k", 5, lambda x: filters.top_k(x, 5)),
        ("nucleus", 0.9, lambda x: filters.nucleus(x, 0.9)),
        ("nucleus", 0.35, lambda x: filters.nucleus(x, 0.35)),
        ("temperature", 0.7, lambda x: filters.with_temperature(x, 0.7)),
        ("sample", 0, lambda x: x),
    ],
)
def test_what_is_kept_is_what_sv_decoding_keeps(V, method, knob, like):
    p = np.random.default_rng(V).dirichlet(np.full(V, 0.3))
    names = [f"t{k}" for k in range(V)]
    view = generation(lambda ids: p, names, [0], depth=0, steps=1, keep=12)
    if knob:
        setattr(view, {"top-k": "k", "nucleus": "p"}.get(method, "temperature"), knob)
    view.method = method
    want = like(torch.tensor(p).log()).softmax(-1).numpy()
    order = np.argsort(-p, kind="stable")
    assert view.kept.n == (want > 0).sum() or method == "temperature"
    assert view.kept.mass == pytest.approx(p[want > 0].sum() if method != "temperature" else 1)
    np.testing.assert_allclose(view.kept.after, want[order][:12], atol=1e-12)


def test_a_number_falls_where_the_cumulated_probability_passes_it():
    p = np.array([0.5, 0.3, 0.2])
    u = luck(0, 0)
    assert u == pytest.approx(0.6890, abs=1e-3)
    assert fallen(p, Draw("sample", 0, 0), 0) == 1  # 0.5 < u < 0.8
    assert fallen(p, Draw("greedy", 0, 0), 0) == 0
    assert fallen(p, Draw("top-k", 2, 0), 0) == 1  # 0.625 < u
    assert fallen(p, Draw("nucleus", 0.5, 0), 0) == 0
    cold = p**10 / (p**10).sum()
    assert fallen(p, Draw("temperature", 0.1, 0), 0) == int((np.cumsum(cold) > u).argmax())


def test_luck_is_uniform_and_of_its_seed():
    u = np.array([[luck(seed, step) for step in range(200)] for seed in range(40)])
    assert abs(u.mean() - 0.5) < 0.01
    assert abs(u.std() - 12**-0.5) < 0.01
    assert len(set(u.ravel())) == u.size
    assert max(abs(np.corrcoef(u[:-1].ravel(), u[1:].ravel())[0, 1]),
               abs(np.corrcoef(u[:, :-1].ravel(), u[:, 1:].ravel())[0, 1])) < 0.05  # fmt: skip


def test_the_tail_goes_from_the_named_tokens_to_the_last():
    ranks = ranks_of_tail(1500, 100)
    assert ranks[0] > 100
    assert ranks[-1] == 1500
    assert (np.diff(ranks) > 0).all()
    assert ranks_of_tail(100, 100).size == 0
    place = place_of(zipf(1500), 100, 1, 0.5)
    assert place.tail[-1] == pytest.approx(1)
    assert place.tail[0] == pytest.approx(zipf(1500)[: ranks[0]].sum())


def test_ranks_of_equals_go_by_id():
    p = np.array([0.25, 0.4, 0.25, 0.1])
    assert [rank_of(p, k) for k in range(4)] == [2, 1, 3, 4]


# ---- runs and places


def test_the_runs_of_all_methods_have_the_same_numbers(view):
    runs = {draw.method: (draw, run) for draw, _, run in view.beside()}
    for method, (draw, run) in runs.items():
        ids = list(view.writer.prompt)
        for step, token in enumerate(run.ids):
            p = chances_of("p", Model()(ids), 40)
            order = np.argsort(-p, kind="stable")
            assert order[fallen(p[order], draw, step)] == token, method
            assert run.ranks[step] == rank_of(p, token)
            ids.append(token)
    greedy = runs["greedy"][1]
    assert set(greedy.ranks) == {1}
    assert greedy.surprise == pytest.approx(-np.log2(greedy.p).mean())
    assert max(runs["top-k"][1].ranks) <= view.k


def test_methods_write_from_here_when_they_are_told_to(view):
    view.written, view.k, view.luck = [30], 3, 5
    assert [path for _, path, _ in view.beside()] == [()] * 5
    assert [draw.knob for draw, _, _ in view.beside()] == [0, 0, 1.5, 10, 0.9]
    view.write()
    assert [path for _, path, _ in view.beside()] == [(30,)] * 5
    draw, _, run = view.beside()[3]
    assert (draw.method, draw.knob, draw.seed) == ("top-k", 3, 5)
    assert max(run.ranks) <= 3
    view.k = 4
    assert [path for _, path, _ in view.beside()] == [(30,)] * 3 + [()] + [(30,)]


def test_a_view_holds_the_tree_and_every_way_of_a_run(view):
    places = view.writer.places
    assert len({path for path in places if len(path) == 1}) >= 4
    first = places[()].ids[:4].tolist()
    assert all((a, int(b)) in places for a in first for b in places[(a,)].ids[:4])
    for run in view.starting.values():
        assert all(run.ids[:k] in places for k in range(len(run.ids)))


def test_the_model_runs_once_a_place():
    model = Model()
    view_of(model)
    assert len(model.calls) == len({tuple(ids) for ids in model.calls})


def test_what_is_written_is_run_and_ranked(view):
    view.written = ["w9", "w30"]
    assert view.written == [9, 30]
    assert [rank for _, rank, _ in view.history()[-2:]] == [
        rank_of(Model()([3, 4]), 9),
        rank_of(Model()([9]), 30),
    ]
    p = Model()([3, 4])
    assert view.history()[-2][0] == pytest.approx(-(p * np.log2(p)).sum())
    assert view.place.p[0] == pytest.approx(Model()([30]).max())


def test_a_model_that_stops_is_told_and_the_rest_stands():
    model = Model(positions=6)
    view = view_of(model)
    run = view.starting["sample"]
    assert len(run.ids) == 5  # a prompt of 2, 6 positions
    assert run.problem == "IndexError: 7 tokens, 6 positions"
    view.written = run.ids
    assert view.place is None
    assert view.alt.endswith("Here the model stops: IndexError: 7 tokens, 6 positions")
    assert [row for row in view.table() if row[0] == "next"] == []
    with pytest.raises(TraitError, match=r"written: the model stops after .*7 tokens"):
        view.written = [*run.ids, 0]
    assert view.written == list(run.ids)
    assert view.to_html()
    with pytest.raises(ValueError, match="does not answer to the prompt: IndexError: 2 tokens"):
        view_of(Model(positions=1))


# ---- the lessons


@pytest.mark.parametrize(
    ("controls", "said"),
    [
        ({"method": "nucleus"}, "p = 0.90 keeps 2 of 40 tokens here, 34 after “w5”: nucleus "
            "follows the model’s doubt, top-k does not."),
        ({"p": 1}, "p = 1.00 keeps all 40 tokens: nothing is cut, this is plain sampling."),
        ({"method": "top-k", "k": 40}, "k = 40 keeps all 40 tokens: nothing is cut, this is plain "
            "sampling."),
        ({"method": "top-k", "k": 5}, "k = 5 keeps 0.99 of the probability here, 0.25 after “w5”: "
            "top-k cuts by rank, whatever the doubt."),
        ({"method": "temperature", "temperature": 1}, "Temperature 1 leaves the model as it is: "
            "1.0 bits of doubt, no cut."),
        ({"method": "temperature", "temperature": 0.4}, "Temperature 0.4 feeds the first: “w5” "
            "from 0.83 to 0.99, nearly greedy."),
        ({"method": "temperature", "temperature": 2}, "Temperature 2.0 feeds the tail: the tokens "
            "below rank 12 go from 0.002 to 0.11."),
        ({"method": "sample"}, "Plain sampling cuts nothing: the 28 tokens below rank 12 have "
            "0.002 together, the likeliest of them <0.001."),
    ],
)  # fmt: skip
def test_each_lesson_is_made_of_its_numbers(view, controls, said):
    for name, value in controls.items():
        setattr(view, name, value)
    assert headline(view) == said


def test_greedy_says_from_where_it_goes_round():
    view = generation(lambda ids: np.roll([0.9, 0.1, 0], ids[-1] + 1), "abc", [0], joiner="")
    view.method = "greedy"
    assert "(0.90) and always the first: from the prompt it repeats the same 3 tokens" in view.alt
    rng = np.random.default_rng(0)
    rows = {}
    never = generation(
        lambda ids: rows.setdefault(tuple(ids), rng.dirichlet(np.ones(40))), LETTERS, [0], depth=0
    )
    never.method = "greedy"
    assert never.alt.endswith("no luck, so every run is the same.")


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        ([1, 2, 1, 2], (2, 0)),
        ([5, 1, 1], (1, 1)),
        ([1, 2, 3, 4, 2, 3, 4, 2], (3, 1)),
        ([1, 2, 3, 1, 2], None),
        ([], None),
        ([7], None),
    ],
)
def test_a_round_stands_there_twice(ids, found):
    assert period(ids) == found


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0, "0.00"),
        (1e-9, "<0.001"),
        (0.0094, "0.009"),
        (0.5, "0.50"),
        (0.9999, ">0.99"),
        (1, "1.00"),
    ],
)
def test_no_probability_is_a_round_one_that_it_is_not(p, text):
    assert chance(p) == text


@pytest.mark.parametrize(
    ("token", "text"), [(" the", "␣the"), ("the", "the"), ("\n", "↵"), ("  ", "␣␣"), ("", "∅")]
)
def test_blanks_at_the_ends_are_marked(token, text):
    assert shown(token) == text


# ---- what goes in


@pytest.mark.parametrize("make", [torch.tensor, np.array, list, lambda x: torch.tensor(x).half()])
def test_arrays_tensors_and_lists_are_taken(make):
    view = generation(lambda ids: make([0.25, 0.75]), ["a", "b"], ["a"], steps=3)
    assert view.place.p.tolist() == [0.75, 0.25]


def test_a_gradient_does_not_hinder():
    logits = torch.zeros(2, requires_grad=True)
    view = generation(lambda ids: logits.softmax(-1), ["a", "b"], ["a"], steps=3)
    assert view.place.p.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([2.0, -1.0], r"probabilities\(\[0\]\): expected probabilities, came numbers from -1 to 2, "
            "as logits are: take the softmax of the logits at the last position"),
        ([0.6, 0.6], r"probabilities\(\[0\]\): sums to 1.2, expected 1: take the softmax"),
        ([0.5, np.nan], r"probabilities\(\[0\]\)\[1\] is nan, expected finite"),
        ([1.0], r"expected shape \(2,\), .*came \(1,\)"),
        ([[0.5, 0.5]], r"expected shape \(2,\), .*came \(1, 2\): return those of the last"),
    ],
)  # fmt: skip
def test_what_is_no_distribution_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        generation(lambda ids: np.array(given), ["a", "b"], ["a"])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"vocabulary": []}, ValueError, "vocabulary: expected at least one token, came none"),
        ({"vocabulary": [1, 2]}, TypeError, r"vocabulary\[0\]: expected a string"),
        ({"prompt": []}, ValueError, "prompt: expected at least one token, came none: begin with"),
        ({"prompt": [40]}, ValueError, r"prompt\[0\]: expected 0 to 39, came 40"),
        ({"prompt": ["w40"]}, ValueError, r"prompt\[0\] is 'w40', which is none of the 40 tokens"),
        ({"prompt": "w1"}, TypeError, "prompt: expected a list of ids or of tokens"),
        ({"probabilities": [0.5]}, TypeError, "probabilities: expected a function"),
        ({"steps": 0}, ValueError, "steps: expected 1 to 200, came 0"),
        ({"depth": True}, TypeError, "depth"),
        ({"branch": 13}, ValueError, "branch: expected 1 to 12"),
        ({"keep": 5}, ValueError, "keep: expected 12 to 1000, came 5"),
        ({"seed": -1}, ValueError, "seed: expected 0 to"),
        ({"joiner": "\n"}, ValueError, "joiner: expected one line"),
        ({"title": 3}, TypeError, "title: expected a string"),
    ],
)
def test_bad_arguments_are_named(change, error, message):
    given = {"probabilities": Model(), "vocabulary": LETTERS, "prompt": [3], **change}
    with pytest.raises(error, match=message):
        generation(**given)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("method", "beam", "method: expected one of"),
        ("k", 0, "k: expected 1 to 40, came 0"),
        ("k", 41, "k: expected 1 to 40, came 41"),
        ("k", True, "k: expected a whole number"),
        ("p", 0, "p: expected a probability above 0 and at most 1, came 0"),
        ("p", 1.5, "p: expected a probability above 0 and at most 1"),
        ("p", 0.905, "p: expected 0.05 to 1 in steps of 0.01, came 0.905"),
        ("temperature", 0, 'temperature: expected above 0, came 0: its limit is method "greedy"'),
        ("temperature", 3, "temperature: expected 0.1 to 2 in steps of 0.1"),
        ("written", [40], r"written\[0\]: expected 0 to 39"),
        ("written", ["no"], r"written\[0\] is 'no'"),
        ("written", "w1", "written: expected a list"),
        ("focus", 13, "focus: expected 1 to 12, came 13"),
        ("luck", -1, "luck: expected 0 to"),
    ],
)
def test_a_control_keeps_its_value_when_another_is_refused(view, name, value, message):
    before = getattr(view, name)
    with pytest.raises(TraitError, match=message):
        setattr(view, name, value)
    assert getattr(view, name) == before


def test_two_ids_may_have_one_text():
    view = generation(lambda ids: [0.5, 0.3, 0.2], ["a", "b", "a"], [2], steps=3)
    assert view.place.ids.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match=r"prompt\[0\] is 'a', which has 2 ids .* 0 and 2: hand"):
        generation(lambda ids: [0.5, 0.3, 0.2], ["a", "b", "a"], ["a"])


def test_a_vocabulary_of_one_is_no_error():
    view = generation(lambda ids: [1.0], ["a"], ["a"], steps=3)
    for method in ("greedy", "sample", "top-k", "nucleus", "temperature"):
        view.method = method
        assert view.alt
        assert view.table()
    assert view.k == 1


# ---- what travels, what is asked for


class Sent:
    def __init__(self, view):
        self.messages = []
        view.send = lambda content, buffers=None: self.messages.append((content, buffers))


@pytest.mark.parametrize(
    "name", ["after 20 21", "run nucleus 0.5 7 12 after 20", "run sample 0 3 1 after"]
)
def test_the_kernel_computes_what_a_page_asks_for(view, name):
    sent = Sent(view)
    assert name not in view.parts
    view._answer(view, {"want": name}, [])
    ((content, buffers),) = sent.messages
    assert content == {"part": name}
    assert buffers == [view.parts[name]]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("after 99", "ValueError: written"),
        ("run beam 0 1 12 after", "ValueError"),
        ("run top-k 0 1 12 after", "ValueError: k: expected 1 to 40"),
        ("run nucleus 0.5 1 13 after", "ValueError: length"),
        ("nothing", "ValueError"),
        ("after x", "ValueError"),
    ],
)
def test_a_page_that_asks_for_nonsense_is_told(view, name, problem):
    sent = Sent(view)
    view._answer(view, {"want": name}, [])
    ((content, _),) = sent.messages
    assert content["part"] == name
    assert content["problem"].startswith(problem)


def test_a_page_is_told_where_the_model_stops():
    view = view_of(Model(positions=6))
    sent = Sent(view)
    view._answer(view, {"want": "after 1 2 3 4 5"}, [])
    assert sent.messages[0][0]["problem"] == "IndexError: 7 tokens, 6 positions"


def test_a_model_that_failed_runs_again_when_it_is_asked_again(view):
    model, sent = view.writer.probabilities, Sent(view)
    model.positions = 3
    view._answer(view, {"want": "after 20 21"}, [])
    assert sent.messages.pop()[0]["problem"] == "IndexError: 4 tokens, 3 positions"
    model.positions = 9
    view._answer(view, {"want": "after 20 21"}, [])
    assert sent.messages.pop()[0] == {"part": "after 20 21"}


def test_a_part_is_float64_then_whole_numbers_then_words(view):
    place, part = view.place, view.part("after")
    K, N, T = 40, len(NUCLEUS), len(TEMPERATURES)
    reals = np.frombuffer(part, "<f8", 2 + K + N + T)
    assert reals[0] == place.doubt
    assert (reals[2 : 2 + K] == place.p).all()
    whole = np.frombuffer(part, "<u4", 1 + K + N, 8 * reals.size)
    assert whole[1 : 1 + K].tolist() == place.ids.tolist()
    words = json.loads(part[8 * reals.size + 4 * whole.size :])
    assert words == ["w4", *(LETTERS[k] for k in place.ids)]


def test_needs_are_parts_and_a_saved_page_knows_what_was_explored(view):
    view.compare = True
    view.k = 3
    view.written = [30, 31]
    view.write()
    assert set(view.needs()) <= view.parts.keys()
    view._make_ready()
    assert view.start == view.controls(), "for these the first parts are enough"
    assert sum(name.startswith("run") for name in view.needs()) >= 5
    view.to_html()
    assert {"after 30", "after 30 31"} <= set(view.facts["places"])
    assert set(view.facts["runs"]) <= view.parts.keys()


def test_the_table_has_the_numbers_of_python(view):
    view.compare = True
    rows = view.table()
    assert rows[0] == ["pane", "item", "token", "quantity", "value"]
    firsts = [row for row in rows if row[:2] == ["next", "1"]]
    assert firsts[0][2:] == ["w5", "model", float(view.place.p[0])]
    assert firsts[1][4] == view.place.p[0] / view.kept.mass
    own = [row for row in rows if row[0] == "next" and row[3] == "model"]
    assert sum(row[4] for row in own) == pytest.approx(1)
    assert sum(row[0] == "greedy" for row in rows) == 2 * 12


def test_hostile_tokens_stay_inside_the_page():
    bad = ["</script><script>window.hit=1</script>", "<!--", "a"]
    page = generation(lambda ids: [0.2, 0.3, 0.5], bad, [0], steps=2).to_html()
    scripts_end_where_the_page_ends_them(page)


def test_bytes_that_stand_side_by_side_are_a_character():
    tokens = ["Ġthe", "ðŁ", "ĺ", "Ģ", "Ġcat"]
    shown = generation(lambda ids: np.eye(5)[(ids[-1] + 1) % 5] * 0.6 + 0.08, tokens, prompt=[0, 1])
    assert shown.alt.startswith("What comes after “the\ufffd\ufffd”?")
    shown.written = [2, 3]
    assert shown.alt.startswith("What comes after “the😀”?")
    rows = [row for row in shown.table() if row[0] == "text" and row[3] == "rank"]
    assert [row[2] for row in rows] == ["1/3 of 😀", "2/3 of 😀", "3/3 of 😀"]
    shown.compare = True
    told = [row[2] for row in shown.table() if row[0] == "greedy" and row[3] == "rank"]
    assert told[:3] == ["byte 98", "byte 80", " cat"]
    assert told[4:7] == ["1/3 of 😀", "2/3 of 😀", "3/3 of 😀"]
