"""The picture of a whole model and that of a block: where things stand, and which numbers."""

import json
import math
from functools import cache

import numpy as np
import pytest

from tests.browser.machine_made import MADE, Made
from tests.browser.machine_worlds import world

pytestmark = pytest.mark.browser

FILES = {
    "machine/cells.js": ["Numbers"],
    "machine/stages.js": ["stagesOf"],
    "shared/scene/names.js": ["labelsOf"],
    "machine/whole.js": ["wholeScene", "wholePlan"],
    "machine/block.js": ["blockScene", "blockPlan"],
}
KEEP = """names => { window.machine ??= {known: {}};
    for (const [name, one] of Object.entries(names)) machine[name] = one; }"""
# Of a model that nobody made, numbers of chance; weights that look back only, if it is causal.
KNOWN = """(name, {facts, parts}) => {
    const made = node => {
        const shape = facts.shapes[node];
        const [queries, keys] = shape.slice(-2);
        const hidden = facts.causal && node.endsWith('self weights');
        let seed = 1 + node.length;
        const values = new Float32Array(shape.reduce((all, length) => all * length, 1));
        for (let at = 0; at < values.length; at++) {
            seed = (seed * 16807) % 2147483647;
            const ahead = at % keys > Math.floor(at / keys) % queries;
            values[at] = hidden ? (ahead ? 0 : 0.1) : seed / 1073741824 - 1;
        }
        return values;
    };
    const found = {};
    const get = part => (found[part] ??= parts
        ? new Float32Array(parts[part].buffer) : made(part.slice(2)));
    machine.known[name] = {facts, get};
}"""
SCENE = """(name, state, size) => {
    const {facts, get} = machine.known[name];
    const measure = (text, font) => 0.6 * parseFloat(font.match(/([\\d.]+)px/)[1]) * text.length;
    const whole = {...size, measure};
    const labels = machine.labelsOf(facts.tokens);
    const stages = machine.stagesOf(facts.anatomy);
    const kind = state.depth ? 'block' : 'whole';
    const plan = machine[kind + 'Plan'](whole, facts, state, labels);
    const asked = new Set();
    const numbers = new machine.Numbers(facts, name => asked.add(name) && get(name));
    const world = {facts, stages, numbers, labels, state, over: null, plan, size: whole};
    return JSON.stringify({...machine[kind + 'Scene'](world), plan, stages, asked: [...asked]});
}"""
SIZES = ((809, 376), (860, 300), (1256, 520), (366, 476))
REAL = ("bert", "gpt", "translator")
TOUCH = 0.8  # pixels


@cache
def real(name):
    """The facts of a world, and the arrays of its run by name."""
    one = world(name)
    nodes = one["facts"]["shapes"]
    return one["facts"], {node: np.float32(one["parts"][f"0 {node}"]) for node in nodes}


@pytest.fixture(scope="module")
def scene(script):
    """What makes the scene of a world: its name, depth, size, changes of the state."""
    for file, names in FILES.items():
        script(file, f"() => ({KEEP})({{{', '.join(names)}}})")

    @cache
    def told(name):
        facts, arrays = real(name) if name in REAL else (Made(**MADE[name]).facts, None)
        parts = arrays and {f"0 {node}": values.tobytes() for node, values in arrays.items()}
        script("machine/cells.js", KNOWN, name, {"facts": facts, "parts": parts})
        return facts

    def scene(name, depth, size=SIZES[0], **changes):
        state = focus(told(name), depth) | changes
        width, height = size
        room = {"width": width, "height": height}
        found = json.loads(script("machine/cells.js", SCENE, name, state, room))
        return found | {"facts": told(name), "state": state, "size": size}

    return scene


def focus(facts, depth):
    """The middle of everything in the last stream."""
    stream = len(facts["anatomy"]["streams"]) - 1
    one = facts["anatomy"]["streams"][stream]
    block = len(one["blocks"]) // 2
    parts = one["blocks"][block]["parts"]
    part = max(k for k, one in enumerate(parts) if one["is"] == "attention")
    at = {"stream": stream, "block": block, "part": part, "head": parts[part]["heads"] // 2}
    token = len(facts["tokens"][one["tokens"]]) // 2
    stage = f"{stream}.{block}.{part}.update"
    return at | {"depth": depth, "token": token, "key": 1, "stage": stage, "number": ""}


# ---- what stands where


def words(found):
    return [
        text.get("text") or "".join(span["text"] for span in text["spans"])
        for text in found["texts"]
    ]


def corners(text, word):
    """The box of a text as it is drawn, turned around its anchor."""
    size, width = text["size"], 0.6 * text["size"] * len(word)
    left = {"start": 0, "middle": -width / 2, "end": -width}[text["anchor"]]
    right, top, low = left + width, -0.74 * size, 0.2 * size
    angle = math.radians(text.get("rotate", 0))
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    box = np.array([(left, top), (right, top), (right, low), (left, low)])
    return box @ turn + (text["x"], text["y"])


def overlap(one, other):
    """How far two turned boxes lie in each other."""
    depths = []
    for side in (one[1] - one[0], one[2] - one[1], other[1] - other[0], other[2] - other[1]):
        a, b = (box @ (side / np.linalg.norm(side)) for box in (one, other))
        depths.append(min(a.max(), b.max()) - max(a.min(), b.min()))
    return min(depths)


def faults(found):
    """What is wrong with how a scene is laid out."""
    size, names = np.array(found["size"]), words(found)
    boxes = np.array([corners(*one) for one in zip(found["texts"], names, strict=True)])
    lows, highs = boxes.min(axis=1), boxes.max(axis=1)
    wrong = [f"{text} is small" for text in found["texts"] if text["size"] < 12]
    painted = {f"0 {heat['node']}" for heat in found["heats"]}
    wrong += [f"{name} is painted and was not asked for" for name in painted - {*found["asked"]}]
    outside = (lows < -1).any(axis=1) | (highs > size + 1).any(axis=1)
    wrong += [f"text {names[k]!r} stands outside" for k in np.flatnonzero(outside)]
    shared = np.minimum(highs[:, None], highs) - np.maximum(lows[:, None], lows)
    for k, n in np.argwhere(np.triu((shared > TOUCH).all(axis=2), 1)):
        if overlap(boxes[k], boxes[n]) > TOUCH:
            wrong.append(f"{names[k]!r} and {names[n]!r} overlap")
    wrong += covered(found, names, boxes)
    for what in ("heats", "rects", "hits"):
        places = np.array([[one[side] for side in "xywh"] for one in found[what]])
        low, high = places[:, :2], places[:, :2] + places[:, 2:]
        bad = (low < -1.5).any(axis=1) | (high > size + 1.5).any(axis=1) | (high < low).any(axis=1)
        wrong += [f"one of {what} stands outside: {places[k]}" for k in np.flatnonzero(bad)]
    return wrong


def covered(found, names, boxes):
    """Texts that stand on numbers; only a box may bear its name."""
    heats = np.array([[one[side] for side in "xywh"] for one in found["heats"]])
    low, high = heats[:, :2], heats[:, :2] + heats[:, 2:]
    lows, highs = boxes.min(axis=1)[:, None], boxes.max(axis=1)[:, None]
    shared = np.minimum(highs, high) - np.maximum(lows, low)
    wrong = []
    for k, n in np.argwhere((shared > 2).all(axis=2)):
        (left, top), (right, bottom) = low[n], high[n]
        heat = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        if overlap(boxes[k], heat) > 2 and not names[k].startswith(("Conv", "12 ×")):
            wrong.append(f"{names[k]!r} stands on numbers")
    return wrong


@pytest.mark.parametrize("depth", [0, 1])
def test_nothing_overlaps_is_small_or_outside(scene, depth):
    for k, name in enumerate((*REAL, *MADE)):
        for size in (SIZES[k % 3], SIZES[3]):
            assert faults(scene(name, depth, size)) == [], (name, size)


def test_the_first_and_last_of_everything_have_room_too(scene):
    for name in ("BERT base", "BART", "translator"):
        facts = scene(name, 0)["facts"]
        for stream, one in enumerate(facts["anatomy"]["streams"]):
            tokens, blocks = len(facts["tokens"][one["tokens"]]), len(one["blocks"])
            for block, token, head in ((0, 0, 0), (blocks - 1, tokens - 1, -1)):
                heads = one["blocks"][block]["parts"][0].get("heads", 1)
                place = {"stream": stream, "token": token, "block": block, "part": 0}
                place |= {"head": head % heads, "stage": f"{stream}.x"}
                for depth in (0, 1):
                    assert faults(scene(name, depth, **place)) == [], (name, place, depth)


# ---- which numbers


def cells(heat):
    """The indices that a heat shows, as rows of columns."""
    rows, columns = np.arange(heat["rows"]), np.arange(heat["cols"])
    return heat["base"] + rows[:, None] * heat["rowStep"] + columns * heat["colStep"]


def under(found, x, y):
    """The node and index of the number that is drawn at a point."""
    for heat in reversed(found["heats"]):
        across, down = (x - heat["x"]) / heat["w"], (y - heat["y"]) / heat["h"]
        if 0 <= across < 1 and 0 <= down < 1:
            return heat["node"], cells(heat)[int(down * heat["rows"]), int(across * heat["cols"])]
    return None, None


def indices(facts, place):
    """Where the numbers of a place lie in its node: (token, number), head after head."""
    shape = facts["shapes"][place["node"]]
    axes = [place[name] for name in ("token", "head", "number") if place[name] is not None]
    others = [axis for axis in range(len(shape)) if axis not in axes]
    every = np.arange(math.prod(shape)).reshape(shape).transpose(*others, *axes)
    return every.reshape(shape[place["token"]], -1)


def part_of(found, place):
    stream = found["facts"]["anatomy"]["streams"][place["stream"]]
    return stream["blocks"][place["block"]]["parts"][place["part"]]


def points(hit):
    """The middles of what a hit consists of, each with the place that it is."""
    down, across = hit.get("down", ["", 0, 1]), hit.get("across", ["", 0, 1])
    for row in range(0, down[2], 1 + down[2] // 9):
        for column in range(0, across[2], 1 + across[2] // 9):
            x = hit["x"] + hit["w"] * (column + 0.5) / across[2]
            y = hit["y"] + hit["h"] * (row + (0.5 if down[0] else 0.3)) / down[2]
            more = {down[0]: down[1] + row, across[0]: across[1] + column}
            yield x, y, {**hit["place"], **{name: k for name, k in more.items() if name}}


@pytest.mark.parametrize("depth", [0, 1])
def test_a_hit_leads_to_what_is_drawn_there(scene, depth):
    for name in (*REAL, "T5", "box", "GPT-2"):
        found = scene(name, depth)
        shapes, stages = found["facts"]["shapes"], {one["id"]: one for one in found["stages"]}
        led = dict.fromkeys(("stage", "head", "key"), 0)
        for hit in found["hits"]:
            for x, y, place in points(hit):
                node, index = under(found, x, y)
                if node is None or not {"stage", "head"} & {*place}:
                    continue
                where = np.unravel_index(index, shapes[node])
                if "stage" in place:
                    stage, token = stages[place["stage"]], place.get("key", place.get("token"))
                    assert (node, where[stage["place"]["token"]]) == (stage["place"]["node"], token)
                    known = {
                        axis: stage[axis] for axis in ("stream", "block") if axis in hit["does"]
                    }
                    assert known.items() <= hit["does"].items(), (name, hit)
                    led["stage"] += 1
                else:
                    part = part_of(found, place)
                    sides = {"head": "head", "token": "query", "key": "key"}
                    at = {axis: where[part["maps"][side]] for axis, side in sides.items()}
                    known = {axis: k for axis, k in at.items() if axis in place}
                    assert node == part["weights"], (name, place)
                    assert known.items() <= place.items(), (name, place)
                    assert hit["does"]["depth"] == depth + 1
                    led["key" if "key" in place else "head"] += 1
        assert led["stage"] > 50, name
        assert led["key" if depth else "head"] > 3, name


def test_a_patch_and_a_column_show_all_numbers_of_their_tokens(scene):
    for name in (*REAL, "T5", "BERT base"):
        for depth in (0, 1):
            found = scene(name, depth)
            groups = {}
            for heat in found["heats"]:
                if depth == 0 or heat["rows"] > 1:  # the row in focus is drawn a second time
                    groups.setdefault(heat.get("group"), []).append(cells(heat))
            shown = 0
            for stage in found["stages"]:
                wanted = indices(found["facts"], stage["place"])
                for token, row in enumerate(wanted):
                    for cell in groups.get(f"{stage['id']} {token}", []):
                        assert np.array_equal(cell.ravel(), row), (name, stage["id"], token)
                        shown += 1
                if depth and stage["id"] in groups:
                    rows = np.concatenate(groups[stage["id"]], axis=1)
                    first = int(np.flatnonzero(wanted[:, 0] == rows[0, 0])[0])
                    assert np.array_equal(rows, wanted[first : first + len(rows)]), (name, stage)
                    shown += 1
            assert shown >= 8, (name, depth)


def test_a_bead_says_how_long_an_update_is_over_what_it_is_added_to(scene):
    facts, arrays = real("bert")
    found = scene("bert", 0)
    beads = [hit for hit in found["hits"] if "update" in str(hit["place"].get("stage"))]
    assert len(beads) == 2 * 2 * 12
    for hit in beads:
        token, part = hit["place"]["token"], part_of(found, hit["place"])
        update, before = (
            np.linalg.norm(arrays[part[role]["node"]][indices(facts, part[role])[token]])
            for role in ("update", "before")
        )
        inside = [
            one
            for one in (*found["texts"], *found["rects"])
            if 0 < one["x"] - hit["x"] < hit["w"] and 0 < one["y"] - hit["y"] < hit["h"]
        ]
        [text] = [one["text"] for one in inside if "text" in one]
        assert abs(float(text) - update / before) < 0.006
        tone = f"tone {min(1, update / before / 2.2):.3f}"
        assert tone in [one.get("fill") for one in inside], (hit, tone)


# ---- windows, streams, masks


def test_of_many_tokens_blocks_and_heads_those_around_the_focus_are_in_sight(scene):
    found = scene("BERT base", 0, token=100, block=9, head=11, stage="0.9.0.update")
    tokens, blocks = found["plan"]["columns"][0]["tokens"], found["plan"]["blocks"]
    assert tokens["from"] < 91 < 109 < tokens["from"] + tokens["count"]
    assert blocks["from"] < 9 < blocks["from"] + blocks["count"]
    assert f"{tokens['from'] + 1}–{tokens['from'] + tokens['count']} of 128" in words(found)
    steps = [hit["does"] for hit in found["hits"] if not hit["place"]]
    assert [one["token"] for one in steps if "token" in one] == [*range(128)]
    assert [one["block"] for one in steps if "token" not in one] == [*range(12)]
    found = scene("BERT base", 1, token=100, head=11)
    assert {hit["place"].get("head") for hit in found["hits"]} >= {*range(12)}
    columns = [one["cols"] for one in found["heats"] if one.get("group") == "0.6.0.update"]
    assert columns == [768, 768]
    heads = scene("wide heads", 1, head=30)["plan"]["maps"]["0"]["heads"]
    assert heads["from"] < 30 < heads["from"] + heads["count"] < 41
    assert not any(" of " in word for word in words(scene("bert", 0)) + words(scene("bert", 1)))


def test_two_streams_stand_side_by_side_and_the_decoder_reads_the_encoder(scene):
    for stream, beads in ((0, 2), (1, 3)):
        found = scene("T5", 0, (809, 520), stream=stream, block=0, part=0, token=3)
        assert {"encoder", "decoder", "cross-attends"} < {*words(found)}
        places = [hit["place"] for hit in found["hits"]]
        own = [one for one in places if (one.get("stream"), one.get("token")) == (stream, 3)]
        mine = [one for one in own if one.get("stage", "").startswith(f"{stream}.0.")]
        assert len(mine) == beads + 1
        assert {one["stream"] for one in places if "head" in one} == {stream}
    found = scene("T5", 1, stream=1, block=0, part=1, token=3, key=8)
    rows = {one["group"]: one["rows"] for one in found["heats"][::-1] if one.get("group")}
    assert (rows["1.0.1.key"], rows["1.0.1.query"], len(found["plan"]["bands"])) == (9, 7, 3)
    keys = [hit for hit in found["hits"] if hit["place"].get("stage") == "1.0.1.key"]
    assert keys[0]["down"] == ["key", 0, 9]


def test_what_a_mask_hides_is_hatched_and_what_is_silenced_struck_out(scene):
    for name, hidden in (("gpt", 4), ("bert", 0), ("GPT-2", 12), ("classes", 0)):
        stairs = [one for one in scene(name, 1)["marks"] if one["is"] == "stairs"]
        assert len(stairs) == hidden, name
        assert {one["from"] for one in stairs} <= {scene(name, 1)["plan"]["rows"]["from"]}
    for depth in (0, 1):
        found = scene("two tokens", depth, head=2)
        assert [one["is"] for one in found["marks"]].count("strike") == 1
    assert "silenced" in words(found)


def to_the_answers(found):
    """How many tokens' lines lead to the answers."""
    ends = [float(one["d"].split("V")[1]) for one in found["lines"] if " V" in one["d"]]
    return sum(end == found["plan"]["answers"]["y"] for end in ends)


def test_what_a_head_reads_leads_to_its_answer(scene):
    for name, count in (("one row", 1), ("classes", 5), ("span", 20)):
        assert to_the_answers(scene(name, 0, token=1)) == count, name
    found = scene("one row", 0)
    assert {"positive 0.64", "answer, read at .8"} < {*words(found)}
    assert sum(heat["node"] == "pooled" for heat in found["heats"]) == 1
    said = words(scene("span", 0, token=5, block=5))
    assert [said.count(word) for word in ("start", "end")] == [2, 2]  # at a token, and on the right
    assert said.count("says .5 … .8") == 1
    assert "says one3" in said
    assert "answer at .5" in said


def test_a_text_has_one_answer_and_a_model_without_answers_none(scene):
    assert "positive 0.64" in words(scene("classes", 0))
    found = words(scene("box", 0))
    assert not any("answer" in word or "say" in word for word in found)
    assert "Conv1d" in found
    assert {"Conv1d", "12 × 64"} < {*words(scene("box", 1))}
    found = words(scene("bert", 0, token=9))
    assert "answer at [MASK]" in found
    places = [found.index(word) for word in ("token", "+ segment", "+ position", "= x, normed")]
    assert places == sorted(places)
    assert found.count("purred") > 1
