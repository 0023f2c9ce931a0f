"""Why a weight: what stands on the scene are the model's numbers, and it fits."""

import math
from itertools import combinations, pairwise

import pytest
import torch

pytestmark = pytest.mark.browser

ROOM = "machine/view.js"  # with it come all files of the room
SCENE = """world => {
    const made = part => part ? new Float32Array(part.buffer) : null;
    const measure = (text, font) =>
        (/^[67]00/.test(font) ? 0.58 : 0.54) * parseFloat(font.match(/([\\d.]+)px/)?.[1] ?? 12)
            * [...text].length;
    const size = {width: world.width, height: world.height, measure};
    const numbers = new Numbers(world.facts, name => made(world.parts[name]));

    const {facts, state, labels, over} = world;
    const plan = whyPlan(size, facts, state, labels);
    const given = {facts, state, labels, over, numbers, plan, size, stages: []};
    const scene = whyScene(given);
    for (const text of scene.texts) {
        const wide = (words, weight) => measure(words, `${weight} ${text.size}px`);
        text.wide = text.spans
            ? text.spans.reduce((sum, one) => sum + wide(one.text, one.weight ?? 400), 0)
            : wide(text.text, text.weight);
    }
    const product = part => facts.additive ? null : productEquation(given, part);
    return {scene, plan, product: product(1)};
}"""
WORDS = ["[CLS]", "one", "mouse", "lay", "near", "something", "the", "oven", "[MASK]", "."]


def given(
    keys=12, numbers=16, *, queries=None, mask="", scale=None, cap=None, additive=False, **more
):
    """The world of one attention of 3 heads, and its numbers; all axes are of another length."""
    torch.manual_seed(keys + numbers)
    queries = queries or keys
    q, k = torch.randn(3, queries, numbers), torch.randn(3, numbers, keys)
    v = torch.randn(keys, 3, numbers + 1)  # another order of axes
    scale = scale or math.sqrt(numbers)
    scores = q @ k
    masks = {
        "": torch.zeros(queries, keys),
        "causal": torch.full((queries, keys), -math.inf).triu(1),
        "low": torch.full((queries, keys), -3.4e38).triu(1),
        "bias": torch.randn(queries, keys),
        "blind": torch.full((queries, keys), -math.inf),
        "short": torch.full((queries, keys), -1e4).triu(1),
    }
    scaled = scores / scale
    masked = (cap * (scaled / cap).tanh() if cap else scaled) + masks[mask]
    weights = masked.softmax(-1)
    context = weights @ v.transpose(0, 1)
    values = {
        "q": q,
        "k": k,
        "scores": scores,
        "masked": masked[None],
        "weights": weights[None],
        "v": v,
        "context": context,
    }
    state = {"stream": 0, "block": 0, "part": 0, "token": queries - 1, "head": 1, "key": 0}
    state |= {"depth": 2, "number": "", "sort": False, **more.pop("state", {})}
    silent = more.pop("silent", [])
    if silent:
        context[state["head"]] = 0
    part = {
        "is": "attention",
        "cross": queries != keys,
        "attention": 4,
        "query": None if additive else place("q", 1, 0, 2),
        "key": None if additive else place("k", 2, 0, 1),
        "value": place("v", 0, 1, 2),
        "context": place("context", 1, 0, 2),
        "scores": "scores",
        "masked": "masked",
        "softmax": "weights",
        "weights": "weights",
        "mask": mask,
        "maps": {"head": 1, "query": 2, "key": 3},
        "scale": scale,
        "cap": cap,
    }
    streams = [{"tokens": "source", "blocks": []}] if queries != keys else []
    streams += [{"tokens": "target" if streams else "source", "blocks": [{"parts": [part]}]}]
    state["stream"] = len(streams) - 1
    names = [f"{WORDS[at % 10]}{at}" if at > 9 else WORDS[at] for at in range(max(keys, queries))]
    labels = {"source": names[:keys], "target": names[:queries]}
    facts = {
        "run": "0",
        "graph": {"weights": {}},
        "anatomy": {"streams": streams},
        "shapes": {name: list(value.shape) for name, value in values.items()},
        "silent": silent,
        "additive": additive,
    }
    parts = {f"0 {name}": value.contiguous().numpy().tobytes() for name, value in values.items()}
    world = {"facts": facts, "parts": parts, "labels": labels, "state": state, "over": None}
    return {**world, "width": 809, "height": 438, **more}, values


def place(node, token, head, number):
    return {"node": node, "token": token, "head": head, "number": number}


def cells(world, heat):
    """The numbers that a heat shows."""
    part = torch.frombuffer(bytearray(world["parts"][f"0 {heat['node']}"]), dtype=torch.float32)
    at = [heat["base"] + k * heat["colStep"] for k in range(heat["cols"])]
    return torch.tensor([heat.get("times", 1) * part[k] for k in at])


def shown(world, scene, row):
    """The numbers of a row of the picture, from left to right."""
    heats = [one for one in scene["heats"] if abs(one["y"] - row["y"] - 1) < 0.1]
    return torch.cat([cells(world, one) for one in sorted(heats, key=lambda one: one["x"])])


def bars(scene, row, fill):
    """The heights of the bars in a row, negative below zero."""
    found = [
        one
        for one in scene["rects"]
        if one.get("fill") == fill
        and row["y"] - 1 <= one["y"]
        and one["y"] + one["h"] <= row["y"] + row["height"] + 1
    ]
    return sorted(found, key=lambda one: one["x"])


def said(scene):
    return [
        one["text"] if "text" in one else "".join(span["text"] for span in one["spans"])
        for one in scene["texts"]
    ]


def near(a, b, off=1e-5):
    return torch.allclose(torch.as_tensor(a), torch.as_tensor(b).float(), atol=off, rtol=off)


def test_all_that_is_drawn_are_the_models_numbers(script):
    for keys, numbers, mask, queries in ((12, 16, "", 12), (22, 24, "causal", 22), (7, 64, "", 5)):
        case = f"{keys} keys, {numbers} numbers, {queries} queries"
        state = {"key": 2, "token": 4}
        world, of = given(keys, numbers, mask=mask, queries=queries, state=state)
        world["over"] = {"key": 3}
        got = script(ROOM, SCENE, world)
        scene, rows = got["scene"], got["plan"]["rows"]
        q, k, v = of["q"][1, 4], of["k"][1], of["v"][:, 1]
        weights = of["weights"][0, 1, 4]
        assert near(shown(world, scene, rows["query"]), q), case
        assert near(shown(world, scene, rows["key"]), k[:, 2]), case
        assert near(shown(world, scene, rows["other"]), k[:, 3]), case
        assert near(shown(world, scene, rows["score"]), of["scores"][1, 4] / numbers**0.5), case
        assert near(shown(world, scene, rows["value"]), weights[3] * v[3]), case
        assert near(shown(world, scene, rows["context"]), weights @ v), case
        product = q * k[:, 2]
        drawn = torch.tensor([one["h"] for one in bars(scene, rows["bars"], "focus")])
        high = drawn[product.abs().argmax()] / product.abs().max()
        assert near(drawn, (high * product.abs()).clamp(min=1), 1e-3), case
        heights = [
            one["h"]
            for fill in ("mark", "focus", "secondbg")
            for one in bars(scene, rows["weights"], fill)
        ]
        room = rows["weights"]["height"] - 16
        assert near(sorted(heights), (room * weights).clamp(min=1).sort().values, 1e-3), case
        equation = got["product"]
        assert abs(equation["value"] - product[1]) < 1e-5, case
        assert [of[one["node"]].flatten()[one["index"]] for one in equation["inputs"]] == [
            q[1],
            k[1, 2],
        ]


def test_the_names_of_q_and_k_are_whole_where_the_numbers_leave_room(script):
    for numbers, whole in ((2, True), (16, False)):
        world, _ = given(5, numbers, queries=4)
        world["labels"] = {"source": ["Thinking"] * 5, "target": ["Sinking"] * 4}
        scene = script(ROOM, SCENE, world)["scene"]
        found = {"q of Sinking", "k of Thinking"} <= set(said(scene))
        assert found == whole, numbers


def test_the_sum_says_how_a_score_becomes_a_weight(script):
    def line(**more):
        world, of = given(**more)
        return next(t for t in said(script(ROOM, SCENE, world)["scene"]) if "softmax" in t), of

    plain, of = line(state={"token": 4, "key": 2})
    score, weight = of["scores"][1, 4, 2], of["weights"][0, 1, 4, 2]
    assert f"÷ √16 = {score / 4:.2f}".replace("-", "−") in plain
    assert f"{weight:.2f}" in plain
    for mask in ("causal", "low"):
        hidden, _ = line(mask=mask, state={"token": 4, "key": 9})
        assert hidden.endswith("mask −∞, softmax over the keys: 0"), mask
    short, _ = line(mask="short", state={"token": 4, "key": 9})
    assert short.endswith("mask −10⁴, softmax over the keys: 0")
    assert line(mask="blind")[0].endswith("mask −∞, softmax over the keys: no number")
    assert "mask + 0," in line(mask="causal", state={"token": 4, "key": 3})[0]
    biased, of = line(mask="bias", scale=1, state={"token": 4, "key": 2})
    assert "÷" not in biased
    assert "added" in biased
    assert "mask" not in biased
    assert "÷ 3.00" in line(scale=3)[0]
    capped, of = line(mask="causal", cap=0.5, state={"token": 4, "key": 2})
    number = f"{of['masked'][0, 1, 4, 2]:.2f}".replace("-", "−")
    assert f"capped at 0.50 = {number}, mask + 0" in capped
    other, _ = line(state={"token": 4, "key": 2}, over={"key": 4})
    assert "near: " in other
    assert "near" not in line(state={"token": 4, "key": 4}, over={"key": 4})[0].split("softmax")[1]


def test_sorted_products_fall_from_left_to_right(script):
    world, of = given(state={"sort": True, "token": 3, "key": 5})
    got = script(ROOM, SCENE, world)
    order = (of["q"][1, 3] * of["k"][1, :, 5]).argsort(descending=True)
    assert near(shown(world, got["scene"], got["plan"]["rows"]["query"]), of["q"][1, 3][order])
    heads = [t["text"] for t in got["scene"]["texts"] if abs(t["y"] - 13.3) < 0.1][:16]
    assert heads == [str(int(c)) for c in order]


def test_a_number_in_focus_stands_out_in_its_column(script):
    base = {"token": 3, "key": 5}
    at = (1 * 12 + 3) * 16 + 6  # number 6 of q
    for how in (
        {"over": {"node": "q", "index": at}},
        {"over": {"dim": 6}},
        {"state": {**base, "number": f"q {at}"}},
    ):
        world, _ = given(**{"state": base, **how})
        got = script(ROOM, SCENE, world)
        strong = [
            one.get("alpha") == 1
            for one in bars(got["scene"], got["plan"]["rows"]["bars"], "focus")
        ]
        assert strong == [c == 6 for c in range(16)], how


def test_attention_without_q_and_k_shows_its_scores(script):
    world, of = given(additive=True, scale=1, state={"token": 4, "key": 2})
    got = script(ROOM, SCENE, world)
    assert near(shown(world, got["scene"], got["plan"]["rows"]["score"]), of["scores"][1, 4])
    assert any("no q and k" in text for text in said(got["scene"]))


def test_a_silenced_head_says_so(script):
    words = "head 1 is silent"
    for silent, told in (([[4, 1]], True), ([[4, 0]], False), ([[3, 1]], False)):
        world, _ = given(silent=silent)
        scene = script(ROOM, SCENE, world)["scene"]
        assert any(words in text for text in said(scene)) == told, silent
        assert [mark["is"] for mark in scene["marks"]] == (["strike"] if told else []), silent


def test_of_many_keys_the_others_are_summed_up_in_words(script):
    for key in (0, 60, 127):
        world, of = given(128, 32, state={"key": key, "token": 90})
        got = script(ROOM, SCENE, world)
        keys = got["plan"]["keys"]
        seen = range(keys["from"], keys["from"] + keys["count"])
        assert key in seen
        assert seen[0] >= 0
        assert seen[-1] < 128
        rest = 1 - of["weights"][0, 1, 90][seen[0] : seen[-1] + 1].sum()
        words = f"Keys {seen[0] + 1} to {seen[-1] + 1} of 128"
        told = next(text for text in said(got["scene"]) if text.startswith(words))
        assert f"the other {128 - len(seen)} have {rest:.2f} together" in told


def test_a_row_that_is_all_masked_has_places_and_sizes(script):
    world, _ = given(mask="blind")
    scene = script(ROOM, SCENE, world)["scene"]
    assert "no number" in said(scene)
    for kind, sizes in {"rects": "xywh", "texts": "xy"}.items():
        assert all(math.isfinite(one[size]) for one in scene[kind] for size in sizes), kind


def test_nothing_is_drawn_before_its_numbers_have_come(script):
    for name in ("q", "k", "scores", "masked", "weights", "v", "context"):
        world, _ = given()
        del world["parts"][f"0 {name}"]
        scene = script(ROOM, SCENE, world)["scene"]
        assert not any(scene.values()), name


def test_everything_stands_inside_and_no_text_on_another(script):
    sizes = [(keys, numbers) for keys in (2, 12, 22, 44, 128) for numbers in (8, 16, 64, 128)]
    looks = [(438, ""), (380, "causal"), (620, "bias")]
    for k, (keys, numbers) in enumerate(sizes):
        height, mask = looks[k % 3]
        case = f"{keys} keys, {numbers} numbers, {height} high, {mask}"
        more = {"mask": mask, "height": height, "over": {"key": 1}}
        world, _ = given(keys, numbers, state={"token": keys // 2, "key": keys // 2}, **more)
        check_place(script(ROOM, SCENE, world)["scene"], world, case)


def check_place(scene, world, case):
    width, height = world["width"] + 2, world["height"] + 2
    for kind in ("heats", "rects", "hits"):
        for box in scene[kind]:
            assert -2 <= box["x"] <= width - box["w"], (case, kind, box)
            assert -2 <= box["y"] <= height - box["h"], (case, kind, box)
    assert all(text["size"] >= 12 for text in scene["texts"]), case
    flat = [(frame(text), text) for text in scene["texts"] if not text.get("rotate")]
    for (left, top, right, bottom), text in flat:
        assert min(left, top, width - right, height - bottom) >= -1, (case, text)
    for (a, one), (b, other) in combinations(flat, 2):
        apart = a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1
        assert apart, (case, one, other)
    slanted = [text for text in scene["texts"] if text.get("rotate")]
    sine, cosine = math.sin(math.radians(50)), math.cos(math.radians(50))
    for one, other in pairwise(slanted):
        assert (other["x"] - one["x"]) * sine >= 12, case
    for text in slanted:
        assert text["x"] + cosine * text["wide"] + 9 <= width, (case, text)
        top = text["y"] - sine * text["wide"] - 9 * cosine
        above = [box for box, _ in flat if box[1] < text["y"] - 20 and box[0] > 90]
        assert all(top >= box[3] - 3 for box in above if box[3] < text["y"]), (case, text)


def frame(text):
    start = {"start": 0, "middle": 0.5, "end": 1}[text["anchor"]]
    left = text["x"] - start * text["wide"]
    return (
        left,
        text["y"] - 0.75 * text["size"],
        left + text["wide"],
        text["y"] + 0.2 * text["size"],
    )
