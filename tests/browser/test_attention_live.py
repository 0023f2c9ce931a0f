"""The attention explorer with a kernel: thumbnails first, maps on request, nothing twice."""

import base64
import itertools

import numpy as np
import pytest

from tests.browser.attention_shown import TEXT, Shown, long, sentence, softmax

pytestmark = pytest.mark.browser

# A stand-in for anywidget's model. Parts come as DataViews at an odd byte, as Jupyter sends them.
MODEL = """({content, first, parts}) => {
    const unpack = text => {
        const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
        const all = new Uint8Array(bytes.length + 3);
        all.set(bytes, 3);
        return new DataView(all.buffer, 3, bytes.length);
    };
    const state = {...content.state}, heard = [];
    state.first = Object.fromEntries(Object.entries(first).map(([n, t]) => [n, unpack(t)]));
    const tell = (event, ...given) =>
        heard.filter(h => h[0] === event).forEach(h => h[1](...given));
    const model = {
        asked: [], sent: [], gone: false, delay: 20, heard,
        get: name => state[name],
        set(name, value) {
            state[name] = value;
            model.sent.push([name, value]);
            tell('change:' + name);
        },
        on: (event, action) => heard.push([event, action]),
        off: (event, action) => {
            const at = heard.findIndex(h => h[0] === event && h[1] === action);
            if (at >= 0) heard.splice(at, 1);
        },
        save_changes() { if (model.gone) throw new Error('closed'); },
        send({want}) {
            if (model.gone) throw new Error('closed');
            model.asked.push(want);
            setTimeout(() => tell('msg:custom', {part: want}, [unpack(parts(want))]), model.delay);
        },
    };
    return model;
}"""

OPEN = """async ([script, content, first, parts]) => {
    const address = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
    window.view = await import(address);
    window.model = standIn({content, first, parts: name => parts[name]});
    window.end = view.default.render({model, el: document.getElementById('here')});
}"""


@pytest.fixture
def live(open_page):
    def live(view, **options):
        page = open_page(
            f'<div id="here"></div><style>{view._css}</style>',
            **options,
        )
        needed = {name: base64.b64encode(part).decode() for name, part in view.first.items()}
        sides = (range(min(12, side)) for side in view.here.shape)
        cells = [f"0 cell {q} {k}" for q, k in itertools.product(*sides)]
        means = [f"0 {layer} mean" for layer in range(view.here.depth)]
        heads = [
            f"0 {layer} {h}" for layer in range(view.here.depth) for h in range(view.here.heads)
        ]
        parts = {n: base64.b64encode(view.part(n)).decode() for n in [*heads, *means, *cells]}
        content = {"state": {"facts": view.facts, **view.controls()}}
        page.evaluate(f"() => {{ window.standIn = {MODEL}; }}")
        page.evaluate(OPEN, [str(view._esm), content, needed, parts])
        page.wait_for_selector('.seqviz[data-ready="true"]')
        return Shown(page)

    return live


def asked(shown):
    return shown.page.evaluate("model.asked")


def test_the_first_paint_asks_for_nothing(live):
    shown = live(sentence(layer=1, head=2))
    assert asked(shown) == []
    weights = softmax(3, 4, len(TEXT), len(TEXT))
    got = shown.values[0]
    assert np.abs(got - weights[1, 2]).max() <= 0.004 * weights[1, 2].max()


def test_a_map_comes_when_it_is_asked_for_and_once(live):
    shown = live(sentence())
    for _ in range(3):
        for place in [(1, 2), (2, 3)]:
            shown.hover(shown.head(*place))
            shown.page.wait_for_function(
                "([l, h]) => document.querySelector('.seqviz').dataset.head === String(h)",
                arg=place,
            )
        shown.hover((2, 2))
    shown.click(shown.head(1, 2))
    assert asked(shown) == ["0 1 2", "0 2 3"]
    weights = softmax(3, 4, len(TEXT), len(TEXT))
    assert np.abs(shown.values[0] - weights[1, 2]).max() <= 0.004 * weights[1, 2].max()
    assert ["layer", 1] in shown.page.evaluate("model.sent")


def test_rollups_and_cells_ask_for_what_they_need(live):
    shown = live(sentence())
    shown.click(shown.head(1, "mean"))
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.head === 'mean'")
    assert asked(shown) == ["0 1 mean"]
    shown.choose("Roll up", "max")
    shown.click(shown.head(2, "max"))
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.head === 'max'")
    assert asked(shown)[1:] == [f"0 2 {h}" for h in range(4)]
    shown.choose("Order by", "cell")
    cell = f"0 cell {int(shown['query']) - 1} {int(shown['key']) - 1}"
    shown.page.wait_for_function("document.querySelectorAll('.layers text.strong').length === 12")
    assert asked(shown)[5:] == [cell]


def test_python_sets_a_control(live):
    shown = live(sentence())
    shown.page.evaluate("model.set('query', 3); model.set('scale', 'log')")
    shown.settle()
    assert (shown["query"], shown["locked"]) == ("3", "true")
    assert shown.lowest == "0.0001"


def test_a_kernel_that_is_gone_is_said(live):
    shown = live(sentence())
    shown.page.evaluate("model.gone = true")
    shown.click(shown.head(2, 2))
    problem = shown.root.locator(".problem").inner_text()
    assert "needs a running kernel" in problem
    shown.hover(shown.cell(2, 2))  # what is here still answers
    assert (shown["query"], shown["layer"]) == ("3", "0")
    shown.page.evaluate("model.gone = false")  # a new kernel: it is asked again
    shown.hover(shown.cell(3, 2))
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.layer === '2'")


def test_while_a_map_is_under_way_the_one_before_answers(live):
    shown = live(sentence())
    shown.page.evaluate("model.delay = 400")
    shown.page.mouse.click(*shown.head(2, 2))
    shown.page.mouse.move(*shown.token("query", 4))
    shown.page.wait_for_function("document.querySelector('.seqviz').dataset.query === '5'")
    assert (shown["layer"], shown.root.get_attribute("aria-busy")) == ("0", "true")
    shown.settle()
    assert (shown["layer"], shown["head"], asked(shown)) == ("2", "2", ["0 2 2"])


def test_a_view_that_is_closed_leaves_nothing(live):
    shown = live(sentence())
    assert shown.page.evaluate("model.heard.length") > 10
    left = shown.page.evaluate(
        "() => { end(); return [model.heard.length, here.childElementCount]; }"
    )
    assert left == [0, 0]


@pytest.mark.slow
def test_two_hundred_openings_leave_the_heap_as_it_is(live):
    shown = live(long(128))
    session = shown.page.context.new_cdp_session(shown.page)

    def heap():
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"]

    cycles = """async count => {
        const el = document.getElementById('here');
        for (let k = 0; k < count; k++) {
            end();
            window.end = view.default.render({model, el});
            await new Promise(requestAnimationFrame);
        }
    }"""
    shown.page.evaluate(cycles, 20)
    before = heap()
    shown.page.evaluate(cycles, 200)
    assert heap() <= 1.1 * before


HOVER = """async () => {
    const node = document.querySelector('.heat'), list = document.querySelector('.list');
    const box = node.getBoundingClientRect(), best = Array(60).fill(Infinity);
    const frame = () => new Promise(requestAnimationFrame);
    for (let round = 0; round < 6; round++) {        // what else the machine does is not measured
        for (let k = 0; k < best.length; k++) {
            await frame();
            const at = {clientX: box.x + box.width * (k * 37 % 101) / 101,
                clientY: box.y + 90 + (box.height - 110) * (k * 53 % 97) / 97, bubbles: true};
            let start;
            requestAnimationFrame(() => { start = performance.now(); });
            node.dispatchEvent(new PointerEvent('pointermove', at));
            await frame();
            list.getBoundingClientRect();
            best[k] = Math.min(best[k], performance.now() - start);
        }
    }
    return best.sort((a, b) => a - b)[Math.floor(0.95 * best.length)];
}"""


@pytest.mark.alone
def test_a_hover_is_drawn_within_a_frame(live):
    shown = live(long(128, 12, 12))
    assert shown.page.evaluate(HOVER) <= 16
    assert shown.page.evaluate("document.querySelectorAll('*').length") <= 3000
