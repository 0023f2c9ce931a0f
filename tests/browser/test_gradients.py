import numpy as np
import pytest

from seqviz.view import gradients

pytestmark = pytest.mark.browser


def matrix(radius, orthogonal, units=16):
    W = np.random.default_rng(1).normal(size=(units, units))
    W = np.linalg.qr(W)[0] if orthogonal else W / np.abs(np.linalg.eigvals(W)).max()
    return W * radius


def norms(W, steps):
    g, found = np.ones(len(W)), []
    for _ in range(steps):
        found.append(np.linalg.norm(g))
        g = W.T @ g
    return found[::-1]


def run(at):
    found = {}
    for label in ("orthogonal", "Gaussian"):
        W = matrix(at["radius"], label == "orthogonal")
        found[label] = {"norms": norms(W, at["length"]), "W": W}
    return found


OVER = {"radius": [0.5, 0.75, 1.0, 1.25], "length": [10, 60], "kind": ["linear", "also linear"]}


def spectra(**options):
    return gradients(run, over=OVER, **{"at": {"radius": 0.75, "length": 60}, **options})


def chunks():
    full = np.linspace(0.1, 5, 20)
    return gradients(
        lambda at: {"RNN": np.where(np.arange(20) < 20 - at["chunk"], 0, full)},
        over={"chunk": list(range(1, 21))},
        at={"chunk": 5},
        marks={12: "the bit to echo"},
    )


def test_every_point_says_its_own_and_a_table_holds_it(show_grid):
    shown = show_grid(spectra())
    for r, radius in enumerate(OVER["radius"]):
        for n, length in enumerate(OVER["length"]):
            shown.slide("radius", r)
            shown.slide("length", n)
            assert shown.sentence.startswith("orthogonal: from step ")
            assert f"the spectral radius is {radius:.3g}" in shown.sentence
            rows = shown.csv.splitlines()
            assert len(rows) == 1 + 2 * (length + 3 * 16)
            assert rows[-1].endswith(f",{radius:g},{length},linear")
    first = next(float(row.split(",")[4]) for row in rows if row.startswith("Gaussian,log10"))
    W = matrix(1.25, False)
    assert first == pytest.approx(np.log10(norms(W, 60)[0]), abs=1e-5)
    shown.press("ArrowDown")
    assert shown.sentence.startswith("Gaussian: ")
    shown.root.get_by_label("also linear").check(force=True)
    assert shown["settings"] == "1.25 60 also linear"


def test_truncation_is_hatched_and_said(show_grid):
    shown = show_grid(chunks())
    for chunk in (1, 2, 6, 7, 8, 9, 20):
        shown.slide("chunk", chunk - 1)
        assert ("no gradient reaches step 12" in shown.sentence) == (chunk < 9)
        assert ("no gradient reaches here" in shown.drawn) == (chunk < 15)
        assert shown.drawn.count("the bit to echo") == 1
        assert shown.csv.count("no gradient") == 20 - chunk


def test_keys_move_cursor_and_model(show_grid):
    shown = show_grid(spectra())
    arriving = norms(matrix(0.75, True), 60)
    for key, step in [("ArrowRight", 2), ("End", 60), ("ArrowRight", 60), ("Home", 1)]:
        shown.press(key)
        assert shown["step"] == str(step)
        start, norm = shown.value.split(": ")
        assert start == f"step {step} of 60"
        assert float(norm.replace("−", "-")) == pytest.approx(arriving[step - 1], rel=0.05)
        assert norm in shown.drawn
    for key, model in [("ArrowDown", "Gaussian"), ("ArrowUp", "orthogonal")]:
        shown.press(key)
        assert shown["model"] == model
    shown.press("End")
    shown.slide("length", 0)
    assert (shown["step"], "1" in shown.drawn, "60" in shown.drawn) == ("10", True, False)


def test_a_click_on_a_label_chooses_its_model_and_one_beside_everything_nothing(show_grid):
    shown = show_grid(spectra())
    box = shown.stage.bounding_box()
    shown.page.mouse.click(box["x"] + 2, box["y"] + box["height"] - 2)
    assert shown["locked"] == "false"
    box = shown.stage.locator("text", has_text="Gaussian").first.bounding_box()
    shown.page.mouse.click(box["x"] + 5, box["y"] + 5)
    assert (shown["model"], shown["step"], shown["locked"]) == ("Gaussian", "1", "true")


def test_eigenvalues_and_singular_values_stand_where_they_are(show_grid):
    W = np.array([[0.0, -0.5], [0.5, 0.0]])
    shown = show_grid(gradients({"a": {"norms": [1.0, 2.0], "W": W}}))
    unit, own, dots = shown.stage.evaluate(
        """s => {
            const [unit, own] = [...s.querySelectorAll('circle')].map(c =>
                ['cx', 'cy', 'r'].map(name => Number(c.getAttribute(name))));
            const path = [...s.querySelectorAll('path[stroke-linecap=round][stroke-width="6"]')];
            const dots = [...path[0].getAttribute('d').matchAll(/M(\\S+) ([\\d.]+)/g)];
            return [unit, own, dots.map(d => [Number(d[1]), Number(d[2])])];
        }"""
    )
    cx, cy, r = unit
    assert own[2] == pytest.approx(r / 2, abs=0.1)
    expected = [[cx, cy - r / 2], [cx, cy + r / 2]]
    np.testing.assert_allclose(sorted(dots, key=lambda d: d[1]), expected, atol=0.15)
    assert {"0.500", "spectral radius"} <= set(shown.drawn)


def test_odd_numbers_have_round_axes(show_grid):
    for norms, axis in [
        (np.geomspace(1e-300, 1e300, 30), {"1e−300", "1"}),
        ([0, 0, 0], set()),
    ]:
        drawn = set(show_grid(gradients({"a": norms})).drawn)
        assert axis <= drawn
        assert not {"Infinity", "NaN", "0e0"} & drawn
    shown = show_grid(gradients({"cut": [0.0] * 11 + [0.003]}))
    paths = "s => [...s.querySelectorAll('path')].map(p => p.getAttribute('d'))"
    marks = [path for path in shown.stage.evaluate(paths) if "a4 4" in path]
    assert marks, "a marker of radius 4, though its line is one point"
