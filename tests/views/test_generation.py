"""Next words: distributions, runs and rows by hand; what is refused; a model that stops."""

import math

import numpy as np
import pytest
import torch
from traitlets import TraitError

from seqviz.view import generation
from seqviz.views.generation.stops import luck, ranks_of_tail
from seqviz.views.generation.values import chances_of, place_of, rank_of
from seqviz.views.generation.writing import Draw, fallen
from tests.views.asking import answers

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


def run_of(view, method, path=()):
    """What a method wrote, as the view's first knobs stand."""
    return view.writer.runs[view.draws[method].name(path, view.steps)]


@pytest.fixture
def view():
    return view_of()


# ---- what is kept


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


def test_the_tail_goes_from_the_named_tokens_to_the_last():
    ranks = ranks_of_tail(1500, 100)
    assert ranks[0] > 100
    assert ranks[-1] == 1500
    assert (np.diff(ranks) > 0).all()
    assert ranks_of_tail(100, 100).size == 0
    place = place_of(zipf(1500), 100, 1, 0.5)
    assert place.tail[-1] == pytest.approx(1)
    assert place.tail[0] == pytest.approx(zipf(1500)[: ranks[0]].sum())


# ---- runs and places


def test_the_runs_of_all_methods_have_the_same_numbers(view):
    for method, draw in view.draws.items():
        run, ids = run_of(view, method), list(view.writer.prompt)
        for step, token in enumerate(run.ids):
            p = chances_of("p", Model()(ids), 40)
            order = np.argsort(-p, kind="stable")
            assert order[fallen(p[order], draw, step)] == token, method
            assert run.ranks[step] == rank_of(p, token)
            ids.append(token)
    assert set(run_of(view, "greedy").ranks) == {1}
    assert max(run_of(view, "top-k").ranks) <= view.k


def test_methods_write_from_here_when_they_are_told_to(view):
    view.compare, view.written, view.k, view.luck = True, [30], 3, 5
    start = {draw.name((), 12) for draw in view.draws.values()}
    assert {name for name in view.needs() if name.startswith("run")} == start
    view.write()
    here = {name for name in view.needs() if name.startswith("run")} - start
    assert len(here) == 5
    assert "run top-k 3 5 12 after 30" in here
    assert max(view.writer.runs["run top-k 3 5 12 after 30"].ranks) <= 3
    view.k = 4
    assert here - set(view.needs()) == {"run top-k 3 5 12 after 30"}
    assert view.draws["top-k"].name((), 12) in view.needs()
    view.to_html()
    assert "after 30" in view.facts["places"], "a saved page knows what was explored"
    assert {*view.needs(), *view.facts["runs"]} <= view.parts.keys()


def test_a_view_holds_the_tree_and_every_way_of_a_run_and_runs_the_model_once_a_place():
    model = Model()
    view = view_of(model)
    assert len(model.calls) == len({tuple(ids) for ids in model.calls})
    places = view.writer.places
    first = places[()].ids[:4].tolist()
    assert all((a, int(b)) in places for a in first for b in places[(a,)].ids[:4])
    for method in view.draws:
        run = run_of(view, method)
        assert all(run.ids[:k] in places for k in range(len(run.ids)))


def test_what_is_written_is_run_and_ranked(view):
    view.written = ["w9", "w30"]
    assert view.written == [9, 30]
    places = view.writer.places
    assert (places[(9,)].rank, view.place.rank) == (
        rank_of(Model()([3, 4]), 9),
        rank_of(Model()([9]), 30),
    )
    p = Model()([3, 4])
    assert places[()].doubt == pytest.approx(-(p * np.log2(p)).sum())
    assert view.place.p[0] == pytest.approx(Model()([30]).max())
    before = Model()([3])
    (back,) = view.writer.look_back(5)
    assert (back["rank"], back["chance"]) == (rank_of(before, 4), pytest.approx(before[4]))
    assert back["doubt"] == pytest.approx(-(before * np.log2(before)).sum())


def test_a_model_that_stops_is_told_and_the_rest_stands():
    view = view_of(Model(positions=6))
    run = run_of(view, "sample")
    assert len(run.ids) == 5  # a prompt of 2, 6 positions
    assert run.problem == "IndexError: 7 tokens, 6 positions"
    view.written = run.ids
    assert view.place is None
    assert view.facts["stopped"]
    with pytest.raises(TraitError, match=r"written: the model stops after .*7 tokens"):
        view.written = [*run.ids, 0]
    assert view.written == list(run.ids)
    assert view.to_html()
    with pytest.raises(ValueError, match="does not answer to the prompt: IndexError: 2 tokens"):
        view_of(Model(positions=1))


# ---- rows


def test_the_table_has_all_numbers_whatever_is_on_screen(view):
    rows = view.table()
    assert rows[0] == ["after", "item", "token", "probability"]
    value = {tuple(row[:3]): row[3] for row in rows[1:]}
    assert value["w3 w4", "rank 1", "w5"] == pytest.approx(zipf(40, 3.0)[0])
    assert value["w3 w4 w5", "rank 2", "w7"] == pytest.approx(zipf(40, 0.4)[1])
    greedy = run_of(view, "greedy")
    third = LETTERS[greedy.ids[2]]
    assert value["run greedy 0 1 12 after", "token 3, rank 1", third] == greedy.p[2]
    view.method, view.compare = "greedy", True
    assert view.table() == rows


def test_alt_is_one_plain_line_of_data_and_controls(view):
    assert view.alt == "Next word after 'w3 w4'; nucleus 0.9"
    view.written, view.method, view.k = ["w9"], "top-k", 3
    assert view.alt == "Next word after 'w3 w4 w9'; top-k 3"
    tokens = ["Ġthe", "ðŁ", "ĺ", "Ģ", "Ġcat"]
    bytes_ = generation(lambda ids: [0.2] * 5, tokens, prompt=[0, 1])
    assert bytes_.alt.startswith("Next word after 'the\ufffd\ufffd'")
    bytes_.written, bytes_.method = [2, 3], "greedy"
    assert bytes_.alt == "Next word after 'the😀'; greedy"


# ---- what goes in


def test_arrays_tensors_and_lists_are_taken():
    logits = torch.tensor([0.25, 0.75]).log().requires_grad_()
    for made in (
        [0.25, 0.75],
        np.array([0.25, 0.75]),
        torch.tensor([0.25, 0.75]).half(),
        logits.softmax(-1),
    ):
        view = generation(lambda ids, made=made: made, ["a", "b"], ["a"], steps=3)
        assert view.place.p.tolist() == pytest.approx([0.75, 0.25])
    with pytest.raises(ValueError, match=r"prompt\[0\] is 'a', which has 2 ids .* 0 and 2: hand"):
        generation(lambda ids: [0.5, 0.3, 0.2], ["a", "b", "a"], ["a"])


def test_what_is_no_distribution_is_refused():
    for made, message in (
        ([2.0, -1.0], r"probabilities\(\[0\]\): expected probabilities, came numbers from -1 to 2, "
            "as logits are: take the softmax of the logits at the last position"),
        ([0.6, 0.6], r"probabilities\(\[0\]\): sums to 1.2, expected 1: take the softmax"),
        ([0.5, np.nan], r"probabilities\(\[0\]\)\[1\] is nan, expected finite"),
        ([[0.5, 0.5]], r"expected shape \(2,\), .*came \(1, 2\): return those of the last"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            generation(lambda ids, made=made: np.array(made), ["a", "b"], ["a"])


def test_bad_arguments_are_named():
    for change, error, message in (
        ({"vocabulary": []}, ValueError, "vocabulary: expected at least one token, came none"),
        ({"prompt": []}, ValueError, "prompt: expected at least one token, came none: begin with"),
        ({"prompt": [40]}, ValueError, r"prompt\[0\]: expected 0 to 39, came 40"),
        ({"prompt": ["w40"]}, ValueError, r"prompt\[0\] is 'w40', which is none of the 40 tokens"),
        ({"probabilities": [0.5]}, TypeError, "probabilities: expected a function"),
        ({"keep": 5}, ValueError, "keep: expected 12 to 1000, came 5"),
    ):
        given = {"probabilities": Model(), "vocabulary": LETTERS, "prompt": [3], **change}
        with pytest.raises(error, match=message):
            generation(**given)


def test_a_control_keeps_its_value_when_another_is_refused(view):
    before = view.controls()
    for name, value, message in (
        ("p", 0, "p: expected a probability above 0 and at most 1, came 0"),
        ("temperature", 0, 'temperature: expected above 0, came 0: its limit is method "greedy"'),
        ("temperature", 3, "temperature: expected 0.1 to 2 in steps of 0.1"),
    ):
        with pytest.raises(TraitError, match=message):
            setattr(view, name, value)
        assert view.controls() == before, name


# ---- what travels, what is asked for


def asked(view, name):
    """What the page hears that wants a part."""
    (answer,) = answers(view, want=name)
    return answer


def test_the_kernel_computes_what_a_page_asks_for(view):
    for name in ("after 20 21", "run nucleus 0.5 7 12 after 20", "run sample 0 3 1 after"):
        assert name not in view.parts
        assert asked(view, name) == ({"part": name}, [view.parts[name]])
    for name, problem in {
        "after 99": "ValueError: written",
        "run top-k 0 1 12 after": "ValueError: k: expected 1 to 40",
        "run nucleus 0.5 1 13 after": "ValueError: length",
        "after x": "ValueError",
    }.items():
        content, _ = asked(view, name)
        assert content["part"] == name
        assert content["problem"].startswith(problem)
    model = view.writer.probabilities
    model.positions = 3
    content, _ = asked(view, "after 22 21")
    assert content["problem"] == "IndexError: 4 tokens, 3 positions"
    model.positions = 9
    assert asked(view, "after 22 21")[0] == {"part": "after 22 21"}, "asked again, it runs again"
