"""What the curves decide before they draw, as plain functions."""

NAN = float("nan")
ROOM = "curves/"
# A scene of curves; a text is six pixels a letter.
SCENE = """const sceneOf = ({curves, tokens = null, marks = [], old = null, ...more}) => {
    const pointOf = curves => ({
        models: Object.values(curves).map(curve => [Float32Array.from(curve)]),
        T: Object.values(curves)[0].length, tokens, marks,
    });
    const facts = {models: Object.keys(curves), choices: [], x: 'step', y: 'value'};
    Object.assign(facts, {range: [0, 3]}, more.facts);
    return {
        t: 0, W: 800, tone: {cat: [...'0123456']}, measure: text => 6 * text.length, ...more, facts,
        point: pointOf(curves), before: old && {point: pointOf(old)},
    };
};"""


def of_scene(script, function, scene):
    call = f"(given) => {{ {SCENE} return ({function})(sceneOf(given)); }}"
    return script(ROOM + "scene.js", call, scene)


def test_a_value_has_the_places_of_its_axis_in_the_sentence_at_the_cursor(script):
    cases = [
        (0.2236, [0, 1], "0.224"),
        (-0.0004, [0, 1], "0.000"),
        (-2, [0, 1000], "−2"),
        (2.5, [0, 1000], "3"),
        (NAN, [0, 3], "no value"),
        (12345.0, [0, 2e4], "1.2e4"),
        (-0.0625, [0, 1e-4], "−0.0625"),
    ]
    call = "cases => cases.map(([value, range]) => valueText(value, range))"
    assert script(ROOM + "scene.js", call, cases) == [text for *_, text in cases]
    say = "scene => spoken(curveSentence(scene))"
    for curves, t, tokens, x, text in [
        ({"a": [1, 2]}, 1, None, "step", "At step 2: a 2.00."),
        ({"a": [1], "b": [NAN]}, 0, None, "word", "At word 1: a 1.00, b no value."),
        ({"a": [1, 2]}, 0, [" ", "x"], "word", "At word 1, ␣: a 1.00."),
        ({"": [1, 2]}, 1, ["x", ""], "a\tb", "At a⇥b 2, ∅: ∅ 2.00."),
    ]:
        scene = {"curves": curves, "t": t, "tokens": tokens, "facts": {"x": x}}
        assert of_scene(script, say, scene) == text


def test_a_label_says_what_its_curve_was_if_that_reads_otherwise(script):
    texts = "scene => curveLabels(scene).map(({more}) => more.map(([text]) => text))"
    for case, old, more in [
        ("nothing before", None, [["0.50"], ["0.25"]]),
        ("one moved", [[0.5, 1], [0.75, 1]], [["0.50"], ["0.25", "was 0.75"]]),
        ("too little to read", [[0.501, 1], [NAN, 1]], [["0.50"], ["0.25", "was no value"]]),
        ("another length", [[0.9], [0.8]], [["0.50"], ["0.25"]]),
    ]:
        scene = {"curves": {"a": [0.5, 1], "b": [0.25, 1]}}
        if old:
            scene["old"] = dict(zip("ab", old, strict=True))
        assert of_scene(script, texts, scene) == more, case
