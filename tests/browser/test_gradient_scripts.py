"""What the gradient flow decides before it draws, as plain functions."""

import numpy as np
import pytest

ROOM = "gradients/"
INF, NAN = float("inf"), float("nan")
SPECTRUM = [[1.5, 0.5], [0.6, 0.6], [0.8, -0.8]]  # of a spectral radius of 1
# A scene of runs (each as its arrays) by their names; a text is six pixels a letter.
SCENE = """const sceneOf = ({runs, marks = [], ...more}) => {
    const models = Object.keys(runs);
    const arrays = models.map(name =>
        [0, 1, 2, 3].map(k => Float32Array.from(runs[name][k] ?? [])));
    const T = arrays[0][0].length;
    const point = {models: arrays, T, tokens: null, marks};
    const facts = {models, choices: [], ranges: {[T]: [-2, 0]}, radius: 1, top: 2, ...more.facts};
    const scene = {
        t: 0, W: 800, at: {}, model: models[0], tone: {cat: [...'0123456']},
        measure: text => 6 * text.length, ...more, facts, point,
    };
    const flows = flowsOf(scene);
    const flow = flows[models.indexOf(scene.model)];
    return {...scene, flows, flow, labels: gradientLabels({...scene, flows, flow})};
};"""


def of_scene(script, function, *given, **scene):
    call = f"(scene, ...given) => {{ {SCENE} return ({function})(sceneOf(scene), ...given); }}"
    return script(ROOM + "picture.js", call, scene, *given)


FALLING = [-3.0, -2.0, -1.0, 0.0, 0.0, 0.0]


SAY = "scene => spoken(gradientSentence(scene))"


def test_the_sentence_of_a_run(script):
    for arrays, marks, step, text in [
        ([[-INF, -INF, 0, 1]], {}, 1, "no gradient reaches steps 1 to 2"),
        ([[-INF, 0, -INF, 1]], {}, 1, "no gradient reaches 2 of 4 steps"),
        ([[0, 0, -INF]], {}, 1, "no gradient reaches step 3"),
        ([[-INF] * 3], {}, 1, "no gradient reaches steps 1 to 3"),
        ([[-INF, -INF, 0]], {2: "the bit"}, 1, "no gradient reaches step 2, the bit"),
        ([[-INF, 1, 0]], {2: "it"}, 1, "a gradient of 10.0 reaches step 2, it"),
        ([[1, -INF, 0]], {1: "x", 2: "y"}, 1, "no gradient reaches step 2, y"),
        ([[1, 2, 0]], {1: "x", 2: " "}, 3, "a gradient of 10.0 reaches step 1, x"),
        ([[0, 0.5]], {}, 2, "the gradient at step 2 is 3.16"),
        ([[-200, 0]], {}, 1, "the gradient at step 1 is 1.0e−200"),
        ([FALLING], {}, 1, "0.00100 of the gradient reaches step 1, ×0.100 a step back"),
        (
            [FALLING, *SPECTRUM],
            {},
            1,
            "from step 3 back to 1 each step multiplies the gradient by 0.100 on average; "
            "the spectral radius is 1.00, the largest singular value 1.50",
        ),
        ([[0], *SPECTRUM], {}, 1, "the gradient at step 1 is 1.00"),
    ]:
        scene = {"runs": {"a": arrays}, "marks": list(marks.items()), "t": step - 1}
        assert of_scene(script, SAY, **scene) == f"a: {text}."


RUNS = {
    "a": FALLING,
    "b": [1.0] * 6,
    "c": [*[-INF] * 2, *[0.0] * 4],
    "d": [2, 1.5, 1, 0.5, 0.25, 0],
}


def test_the_model_that_differs_most_is_named(script):
    for labels, marks, text in [
        ("ab", {}, "a: 0.00100 of the gradient reaches step 1, ×0.100 a step back; b 1.00."),
        (
            "da",
            {},
            "d: the gradient grows 100 times on the way to step 1, ×3.16 a step back; a 0.00100.",
        ),
        (
            "abc",
            {},
            "a: 0.00100 of the gradient reaches step 1, ×0.100 a step back; c no gradient.",
        ),
        ("ca", {}, "c: no gradient reaches steps 1 to 2."),
        ("bc", {1: "x"}, "b: a gradient of 10.0 reaches step 1, x; c no gradient."),
        ("ca", {1: "x"}, "c: no gradient reaches step 1, x; a 0.00100."),
    ]:
        runs = {label: [RUNS[label]] for label in labels}
        scene = {"runs": runs, "marks": list(marks.items()), "t": 0}
        assert of_scene(script, SAY, **scene) == text


def test_the_half_far_from_the_loss_is_fitted(script):
    for logs, steps, factor in [
        ([0, 1, 2, 3, 4, 5], (1, 3), 0.1),
        ([0, -1, -2, 9, 9, 9, 9], (1, 3), 10),
        ([5, 5, -INF, 0, 1, 2, 3, 4, 5, -INF], (4, 6), 0.1),
        ([0, 1, 2, 3, 4], None, None),
        ([-INF, -INF], None, None),
        ([0, 1, 2, -INF, 0, 1, 2], None, None),
    ]:
        found = script(ROOM + "slope.js", "logs => fitted(Float32Array.from(logs))", logs)
        if steps is None:
            assert found is None, logs
            continue
        assert (found["start"] + 1, found["end"] + 1) == steps
        assert found["factor"] == pytest.approx(factor)


def test_the_reference_runs_through_the_middle_of_the_fit_to_the_end_of_its_run(script):
    logs = [7, -INF, 0, 1, 2, 3, 4, 5, -INF]
    found = of_scene(script, "({flow}) => referenceOf(flow)", runs={"a": [logs, *SPECTRUM]})
    np.testing.assert_allclose(found, [NAN, NAN, 1, 1, 1, 1, 1, 1, NAN], atol=1e-6)
    wider = [[1], [0.1], [0]]
    found = of_scene(script, "({flow}) => referenceOf(flow)", runs={"a": [logs, *wider]})
    np.testing.assert_allclose(found[2:8], [0, 1, 2, 3, 4, 5], atol=1e-6)
    for arrays in ([logs], [[0, 1], *SPECTRUM]):
        assert of_scene(script, "({flow}) => referenceOf(flow)", runs={"a": arrays}) is None


def test_the_axis_is_that_of_the_words_of_the_settings(script):
    facts = {
        "choices": [{"name": n, "values": [], "texts": []} for n in ("radius", "kind")],
        "ranges": {"2\nwhole": [-4, 0], "2\ncut": [-9, -1]},
    }
    ends = "scene => { const {low, high} = plan(scene).chart.plot; return [low, high]; }"
    for kind, want in (("whole", [-4, 0]), ("cut", [-10, 0])):
        scene = {"runs": {"a": [[0, 1]]}, "facts": facts, "at": {"radius": 0.5, "kind": kind}}
        assert of_scene(script, ends, **scene) == want
