"""How a machine's numbers are explained, and what its equations and sentences say."""

import math
import random
import re
from array import array

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from seqviz.graphs import exported
from seqviz.running.machine_values import filled
from tests.browser.machine_worlds import world

pytestmark = pytest.mark.browser

ROOM = "machine/"
SHOWN = """(name, facts, parts) => {
    const arrays = Object.fromEntries(
        Object.entries(parts).map(([part, {buffer}]) => [part, new Float32Array(buffer)]));
    window.worlds = {...window.worlds, [name]: new Numbers(facts, part => arrays[part] ?? null)};
}"""
# What a number is by its explanation, and the largest term of it.
RECOMPUTED = """
    const sums = terms => [terms.reduce((a, b) => a + b, 0), Math.max(...terms.map(Math.abs))];
    const logistic = a => 1 / (1 + Math.exp(-a));
    function normal(x) { // the share of a normal distribution below x, by its series
        let [term, sum] = [x, x];
        for (let k = 1; k < 120; k++) sum += (term *= (x * x) / (2 * k + 1));
        return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }
    const functions = {
        div: (a, b) => a / b, neg: a => -a, relu: a => Math.max(a, 0), exp: Math.exp,
        gelu: a => a * normal(a), silu: a => a * logistic(a), sigmoid: logistic, tanh: Math.tanh,
        gelu_tanh: a => a * logistic(2 * Math.sqrt(2 / Math.PI) * (a + 0.044715 * a ** 3)),
        cos: Math.cos, sin: Math.sin, rsqrt: a => 1 / Math.sqrt(a), pow: (a, b) => a ** b,
        eq: (a, b) => +(a === b), ne: (a, b) => +(a !== b), ge: (a, b) => +(a >= b),
        gt: (a, b) => +(a > b), le: (a, b) => +(a <= b), lt: (a, b) => +(a < b),
        logical_not: a => +!a, logical_and: (a, b) => +(a && b), bitwise_and: (a, b) => a & b,
        any: (...all) => +all.some(Boolean), amax: Math.max, abs: Math.abs, log: Math.log,
        minimum: Math.min, maximum: Math.max,
        _to_copy: a => (Number.isFinite(a) ? Math.trunc(a) : -(2 ** 63)), // as torch has it
    };
    const recomputed = {
        product: ({pairs, bias, times, biasTimes}) => sums(
            [...pairs.map(([a, b]) => times * a.value * b.value), biasTimes * (bias?.value ?? 0)]),
        sum: ({terms, over}) => sums(terms.map(one => one.times * one.value / over)),
        norm({row, at, eps, gain, shift, root, ...said}) {
            const values = row.map(one => one.value);
            const mean = root ? 0 : sums(values)[0] / row.length;
            const variance = sums(values.map(x => (x - mean) ** 2))[0] / row.length;
            const deviation = Math.sqrt(variance + eps);
            const isSaid = mean === said.mean && deviation === said.deviation;
            const own = [values[at], -mean].map(x => x / deviation * (gain?.value ?? 1));
            return isSaid ? sums([...own, shift?.value ?? 0]) : [NaN, 1];
        },
        softmax({row, at, log, most, sum}) {
            const all = row.map(one => Math.exp(one.value - Math.max(...row.map(x => x.value))));
            const share = all[at] / sums(all)[0];
            const isSaid = share === Math.exp(row[at].value - most) / sum;
            return [isSaid ? (log ? Math.log(share) : share) : NaN, 1];
        },
        function: ({name, of}) => [functions[name](...of.map(one => one.value)), 1],
    };
"""
CHECKED = (
    "(name, wanted) => {"
    + RECOMPUTED
    + """
    const numbers = window.worlds[name];
    const kinds = {};
    const wrong = [];
    for (const [node, index] of wanted) {
        const found = explain(numbers.facts.graph, numbers, node, index);
        kinds[found.kind] = (kinds[found.kind] ?? 0) + 1;
        const own = numbers.value(node)[index];
        const [value, size] = recomputed[found.kind]?.(found) ?? [own, 1];
        const isRead = one => numbers.value(one.node)[one.index] === one.value;
        const isNear = value === own || Math.abs(value - own) <= 1e-5 * Math.max(size, 1e-3);
        const isRight = isNear && found.inputs.every(isRead) && found.value === own;
        if (!isRight) wrong.push([node, index, own, value, found.kind]);
    }
    return [wrong, kinds];
}"""
)


@pytest.fixture(scope="module")
def shown(script):
    """What brings a world's numbers to the page, once, and returns its facts."""
    known = {}

    def show(name, make=None):
        if name not in known:
            one = make() if make else world(name)
            parts = {part: array("f", values).tobytes() for part, values in one["parts"].items()}
            script(ROOM + "cells.js", SHOWN, name, one["facts"], parts)
            known[name] = one["facts"]
        return known[name]

    return show


def drawn(facts, count, seed=3):
    """Numbers of all nodes by chance: [node, index]."""
    draw = random.Random(seed)
    sizes = {node: math.prod(shape) for node, shape in facts["shapes"].items()}
    nodes = sorted(node for node, size in sizes.items() if size)
    return [[node, draw.randrange(sizes[node])] for node in draw.choices(nodes, k=count)]


def own_world(model, *inputs):
    """Facts and parts of a graph that need not have an anatomy."""
    graph = exported(model.eval(), inputs)
    _, values = graph.run(inputs, [node.name for node in graph.nodes])
    values |= dict(zip(graph.inputs, inputs, strict=True))
    lengths = {name: one for name, one in values.items() if isinstance(one, bool | int | float)}
    tensors = {name: one for name, one in values.items() if isinstance(one, torch.Tensor)}
    nodes = [
        {"name": node.name, "op": node.op, "args": filled(node.arguments, lengths)}
        | {"kind": node.kind, "module": node.module}
        for node in graph.nodes
    ]
    weights = {name: list(one.shape) for name, one in graph.weights.items()}
    facts = {"run": "0", "graph": {"nodes": nodes, "weights": weights}}
    facts["shapes"] = {name: list(one.shape) for name, one in tensors.items()}
    parts = {f"0 {name}": one for name, one in tensors.items()}
    parts |= {f"w {name}": one for name, one in graph.weights.items()}
    return {
        "facts": facts,
        "parts": {name: one.float().flatten().tolist() for name, one in parts.items()},
    }


# ---- how a number was made


@pytest.mark.parametrize("name", ["bert", "gpt", "translator"])
def test_numbers_are_what_is_made_of_their_inputs(script, shown, name):
    wrong, kinds = script(ROOM + "explaining.js", CHECKED, name, drawn(shown(name), 1000))
    assert wrong == []
    assert {"product", "norm", "softmax", "row", "function", "sum", "input"} <= {*kinds}
    assert "other" not in kinds


class Llama(nn.Module):
    """Rotary positions, a root mean square norm, grouped keys, a gated layer; sums, a product."""

    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(12)
        nn.init.uniform_(self.norm.weight)
        self.q, self.k = nn.Linear(12, 12, bias=False), nn.Linear(12, 4)
        self.up, self.gate = nn.Linear(12, 10), nn.Linear(12, 10)
        self.conv = nn.Conv1d(10, 3, 2)
        self.register_buffer("rates", 1 / 10 ** torch.arange(2.0))

    def turned(self, x):
        angle = torch.arange(x.shape[2]).float()[:, None] * self.rates
        cos, sin = (f(torch.cat([angle, angle], -1)) for f in (torch.cos, torch.sin))
        return x * cos + torch.cat([-x[..., 2:], x[..., :2]], -1) * sin

    def forward(self, x):
        y, time = self.norm(x), x.shape[1]
        q = self.turned(self.q(y).view(1, time, 3, 4).transpose(1, 2))
        k = self.turned(self.k(y).view(1, time, 1, 4).transpose(1, 2)).expand(1, 3, time, 4)
        future = torch.ones(time, time).triu(1).bool()
        weights = (q @ k.mT / 2).masked_fill(future, -math.inf).softmax(-1)
        hidden = F.silu(self.gate(y)) * self.up(y)
        a, b = hidden.chunk(2, -1)
        sums = hidden.sum((1, 2)), x.mean(), weights.amax(-1).log_softmax(-1)
        return (
            weights,
            F.gelu(hidden, approximate="tanh"),
            a * b.sigmoid(),
            *sums,
            self.conv(hidden.mT),
        )


def test_newer_layers_are_explained(script, shown):
    torch.manual_seed(1)
    facts = shown("llama", lambda: own_world(Llama(), torch.randn(1, 5, 12)))
    wrong, kinds = script(ROOM + "explaining.js", CHECKED, "llama", drawn(facts, 1500))
    assert wrong == []
    assert {*kinds} >= {"product", "norm", "softmax", "fixed", "function", "sum", "input", "other"}
    call = """name => {
        const numbers = window.worlds[name];
        const seen = ({name}) => name in numbers.facts.shapes;
        return numbers.facts.graph.nodes.filter(seen).map(({name, op}) => {
            const {kind, root, name: of} = explain(numbers.facts.graph, numbers, name, 0);
            return [op, kind, of ?? null, Boolean(root)];
        });
    }"""
    found = script(ROOM + "explaining.js", call, "llama")
    assert ["mul.Tensor", "norm", None, True] in found
    assert ["mul.Tensor", "function", "silu", False] in found
    assert ["convolution", "other", "convolution", False] in found


def test_a_number_waits_for_what_it_was_made_of(script, shown):
    shown("llama", lambda: own_world(Llama(), torch.randn(1, 5, 12)))
    call = """() => {
        const {facts} = window.worlds.llama;
        const known = name => window.worlds.llama.ask(name);
        const own = facts.graph.nodes.find(({op}) => op === 'addmm').name;
        const numbers = new window.worlds.llama.constructor(facts, name =>
            name === `0 ${own}` ? known(name) : null);
        return [explain(facts.graph, numbers, own, 0), numbers.missing, own];
    }"""
    found, missing, own = script(ROOM + "explaining.js", call)
    assert found is None
    assert f"0 {own}" not in missing
    assert {name[0] for name in missing} == {"0", "w"}


class Moves(nn.Module):
    """Every way to move numbers; no two lengths are alike."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(3, 4, 7))
        self.register_buffer("picked", torch.tensor([[2, 0], [1, -1], [0, 2]]))
        self.register_buffer("chosen", torch.tensor([[[6], [0]], [[1], [5]]]))

    def forward(self, x):  # (1, 5, 6)
        a = self.table.permute(2, 0, 1)[:, None].expand(7, 2, 3, 4).clone()
        b, c = self.table.split([1, 3], 1)
        d = torch.cat([b, c.flip(0, 2)[:, 1:], c[:, ::2]], 1).reshape(21, 5)
        e = self.table[self.picked].squeeze(0).select(2, 3).transpose(0, 1)
        h = F.pad(x.view(5, 3, 2).mT, (1, 2, 0, 1)).contiguous().repeat(2, 1, 3)
        g = self.table.gather(2, self.chosen)
        i = torch.stack([x[0, :, 2:5], x[0, :, -3:]]).unsqueeze(2).squeeze(-2)
        j = torch.diagonal(self.table, 1, 0, 2).unfold(0, 3, 1)
        return a, d, e, g, h, i, j, x.to(torch.float32).detach()


def test_moves_are_followed_index_by_index(script, shown):
    shown("moves", lambda: own_world(Moves(), torch.randn(1, 5, 6)))
    call = """() => {
        const numbers = window.worlds.moves;
        const found = [];
        for (const [node, shape] of Object.entries(numbers.facts.shapes)) {
            const size = shape.reduce((a, b) => a * b, 1);
            for (let index = 0; index < size; index++) {
                const [origin, at] = resolve(numbers.facts.graph, numbers, node, index);
                const own = numbers.value(node)[index];
                if (numbers.value(origin)[at] !== own) found.push([node, index, origin, at]);
                const made = numbers.facts.graph.nodes.find(({name}) => name === origin);
                if (made && own) found.push([node, index, made.op]);
            }
        }
        return found;
    }"""
    assert script(ROOM + "explaining.js", call) == []


# ---- its equation

EQUATIONS = """(name, wanted, stages, labels) => {
    const numbers = window.worlds[name];
    const world = {facts: numbers.facts, numbers, stages, labels};
    return wanted.map(([node, index]) => {
        const {inputs, best, ...found} = equationOf(world, node, index);
        return {...found, inputs: inputs.length, best: best.length};
    });
}"""


def equations(script, name, facts, wanted):
    stages = script(ROOM + "stages.js", "stagesOf", facts["anatomy"])
    labels = script("shared/scene/names.js", "labelsOf", facts["tokens"])
    return script(ROOM + "equation.js", EQUATIONS, name, wanted, stages, labels)


def text_of(equation):
    return "".join(text for text, _ in equation["pieces"])


def slack(digits):
    """By how much a number may differ from what is written."""
    return 0.0005 if digits == "0" else 0.5 * 10 ** -len(digits.partition(".")[2])


def test_what_is_written_is_true_to_its_digits(script, shown):
    signs = str.maketrans("−×÷", "-*/")
    tried = 0
    for name in ("bert", "gpt", "translator"):
        wanted = drawn(facts := shown(name), 200, seed=5)
        for place, one in zip(wanted, equations(script, name, facts, wanted), strict=True):
            pieces = [text for text, look in one["pieces"] if look != "quiet" or "where" in text]
            plain = "".join(pieces).partition("   where ")[0]
            value, *steps = plain.translate(signs).split(" = ")
            made = steps[-1] if steps else "nothing"
            if re.search(r"[^-+*/(). \d]", made):
                continue
            parts = re.split(r"(\d+(?:\.\d+)?)", made)
            exact, allowed = eval(made), slack(value.lstrip("-"))
            for k in range(1, len(parts), 2):
                step = slack(parts[k])
                near = [*parts[:k], str(float(parts[k]) + step), *parts[k + 1 :]]
                allowed += 1.1 * abs(eval("".join(near)) - exact)
            assert abs(float(value) - exact) <= allowed, (name, place, plain)
            assert abs(float(value) - one["value"]) <= slack(value.lstrip("-")), (name, plain)
            tried += 1
    assert tried > 300


def test_equations_say_what_a_number_is_and_how_it_was_made(script, shown):
    facts = shown("bert")
    [stream] = facts["anatomy"]["streams"]
    attends, feeds = stream["blocks"][1]["parts"]
    width = 64
    wanted = {
        (stream["embedded"][0]["place"]["node"], 2 * width + 5): (
            "token, mouse, number 5",
            r"^\S+: row \d+ of the table of tokens, number 5; learned$",
        ),
        (stream["start"]["node"], 2 * width + 5): (
            "x: summed, normed, mouse, number 5",
            r"÷ \S+ × .*where \S+ = .*\(token, segment, position\)$",
        ),
        (attends["query"]["node"], 12 * 16 + 2 * 16 + 3): (
            "block 1 · Q, mouse, number 19, head 1",
            r"^\S+ = \S+ × \S+ [+−] .* \(61 more\) [+−] \S+ \(bias\)$",
        ),
        (attends["masked"], 144 + 2 * 12 + 6): ("score, head 1: mouse to oven", r"÷ 4\.00$"),
        (attends["weights"], 144 + 2 * 12 + 6): (
            "weight, head 1: mouse to oven",
            r"= exp\(\S+\) ÷ Σ exp = .*\(each less the largest, \S+\)$",
        ),
        (feeds["act"]["node"], 128): ("block 1 · GELU, one, number 0", r"= GELU\(\S+\)$"),
        (feeds["after"]["node"], 64): (
            "block 1 · sum, one, number 0",
            r"\(Norm, feed-forward adds\)$",
        ),
        (facts["anatomy"]["logits"]["node"], 188 + 9): ("score of answer 9, one", r"\(bias\)$"),
    }
    found = equations(script, "bert", facts, [*map(list, wanted)])
    for one, (title, text) in zip(found, wanted.values(), strict=True):
        assert one["title"] == title
        assert re.search(text, text_of(one)), text_of(one)
    _, _, query, score, weight, *_ = found
    assert query["inputs"] == 2 * width + 1
    assert query["best"] == 3
    assert score["inputs"] == 1 + 2 * 16  # and the products behind it
    assert weight["inputs"] == 12


def test_a_masked_score_says_that_a_mask_is_added(script, shown):
    facts = shown("gpt")
    part = facts["anatomy"]["streams"][0]["blocks"][0]["parts"][0]
    wanted = [[part["masked"], 5], [part["weights"], 5]]
    score, weight = map(text_of, equations(script, "gpt", facts, wanted))
    assert re.fullmatch(r"−∞ = \S+ − ∞   \(q · k ÷ 4.90, mask\)", score)
    assert weight.startswith("0 = exp(−∞) ÷ Σ exp = 0 ÷ ")


# ---- names


def test_tokens_that_are_alike_get_their_places(script):
    tokens = {"source": ["the", "▁cat", ",", "the", ",", "<b>", "\n", "the₀"], "target": []}
    labels = script("shared/scene/names.js", "labelsOf", tokens)
    assert labels["source"] == ["the₁", "cat", "“,”₃", "the₄", "“,”₅", "<b>", "↵", "the₀"]
    assert script("shared/scene/names.js", "() => ['a', '“,”₂', '“'].map(inMarks)") == [
        "“a”",
        "“,”₂",
        "““”",
    ]


def test_numbers_are_written_in_three_figures(script):
    values = [2.738, -1.72, 0.0213, -0.0004, 0, 9.994, 9.996, 131.4, 1e9]
    call = "values => [values.map(written), [-Infinity, NaN].map(written)]"
    found, others = script("shared/scene/names.js", call, values)
    expected = ["2.74", "−1.72", "0.021", "0", "0", "9.99", "10.0", "131", "1000000000"]
    assert (found, others) == (expected, ["−∞", "no number"])
    shares = script("shared/scene/names.js", "() => [1, 0.9996, 0.96, 0.003, 0.0001].map(probable)")
    assert shares == ["1.00", "1.00", "0.96", "0.003", "0"]


# ---- stages and their numbers


def test_stages_stand_in_the_order_of_the_computation(script, shown):
    stages = script(ROOM + "stages.js", "stagesOf", shown("bert")["anatomy"])
    own = ["query", "key", "value", "context", "update", "after", "post"]
    feed = ["up", "act", "update", "after"]
    blocks = [
        [*(f"0.{k}.0.{role}" for role in own), *(f"0.{k}.1.{role}" for role in feed), f"0.{k}.end"]
        for k in (0, 1)
    ]
    ids = ["0.e0", "0.e1", "0.e2", "0.x", *blocks[0], *blocks[1], "0.last"]
    assert [stage["id"] for stage in stages] == ids
    whole = [stage["id"] for stage in stages if stage["depth0"]]
    beads = [f"0.{k}.{row}" for k in (0, 1) for row in ("0.update", "1.update", "end")]
    assert whole == [*ids[:4], *beads, "0.last"]
    both = script(ROOM + "stages.js", "stagesOf", shown("translator")["anatomy"])
    assert len({stage["id"] for stage in both}) == len(both)
    cross = {stage["role"]: stage["tokens"] for stage in both if "cross" in stage["name"]}
    assert cross["key"] == cross["value"] == "source"
    assert cross["query"] == cross["context"] == "target"


def test_a_number_of_a_token_is_found_and_placed_again(script, shown):
    call = """(name, stages) => {
        const numbers = window.worlds[name];
        const wrong = [];
        for (const {id, place} of stages) {
            for (const token of [0, 2]) {
                const row = numbers.row(place, token);
                for (let k = 0; k < row.length; k++) {
                    const index = numbers.at(place, token, k);
                    const back = numbers.placed(place, index);
                    const same = numbers.value(place.node)[index] === row[k];
                    if (!same || back.k !== k || back.token !== token) wrong.push([id, token, k]);
                }
            }
        }
        return wrong;
    }"""
    for name in ("bert", "translator"):
        stages = script(ROOM + "stages.js", "stagesOf", shown(name)["anatomy"])
        assert script(ROOM + "cells.js", call, name, stages) == []
