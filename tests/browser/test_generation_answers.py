"""How a language model writes in a page without Python: the numbers of the worker, and by hand."""

import json

import numpy as np
import pytest
from playwright.sync_api import expect

import seqviz as sv
from seqviz.views.generation.stops import NUCLEUS, luck
from seqviz.views.generation.writing import Draw
from tests.views.asking import answers
from tests.views.test_generation_models import BAD, NAMES, PIECES, graph, steps, writing

pytestmark = pytest.mark.browser

# What the worker answers to messages, in their order: what it says, and the bytes of a part.
INIT = """globalThis.workers = [];
globalThis.Worker = class extends Worker {
    constructor(...given) { super(...given); workers.push(this); }
};
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const answers = (message, send) => message.want !== undefined
    ? message.want === (send?.part ?? send?.want)
    : send && Object.keys(message).every(name => same(message[name], send[name]));
globalThis.ask = messages => Promise.all(messages.map(message => new Promise(done => {
    const worker = workers.at(-1);
    const start = performance.now();
    const hear = ({data: {send, buffers}}) => {
        if (!answers(message, send)) return;
        worker.removeEventListener('message', hear);
        const bytes = buffers?.length ? [...new Uint8Array(buffers[0])] : null;
        done([send.problem ?? '', bytes, performance.now() - start]);
    };
    worker.addEventListener('message', hear);
    worker.postMessage({message});
})));"""
PATHS = ((), (7,), (20, 8), (20, 8, 3, 50))
DRAWS = (
    *[Draw("greedy", 0, 0), Draw("sample", 0, 3), Draw("temperature", 0.3, 4)],
    *[Draw("temperature", 2.0, 5), Draw("top-k", 1, 6), Draw("top-k", 13, 7)],
    *[Draw("nucleus", 0.05, 8), Draw("nucleus", 0.62, 9), Draw("nucleus", 1.0, 10)],
)


@pytest.fixture
def open_file(browser, tmp_path):
    """Open a page as a file, without a network; what it complains of is a failure."""
    contexts, problems = [], []

    def open_file(text, **options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        context.add_init_script(INIT)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda m: m.type == "error" and problems.append(m.text))
        page.on("request", lambda r: r.url.startswith("http") and problems.append(r.url))
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(text, encoding="ascii")
        page.goto(file.as_uri())
        expect(page.locator('.seqviz[data-ready="true"]')).to_be_visible()
        page.wait_for_timeout(100)  # in which its worker begins
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert problems == []


def ask(page, *messages):
    return page.evaluate("messages => ask(messages)", list(messages))


def read(part):
    """A part's arrays and values, as codec.js reads it."""
    part = bytes(part)
    told = int.from_bytes(part[:4], "little")
    head, rows = json.loads(part[4 : 4 + told]), part[4 + told :]
    return {
        name: one["is"]
        if "is" in one
        else np.frombuffer(rows, "<" + one["kind"], one["count"], one["from"])
        for name, one in head.items()
    }


def same_place(ours, theirs, atol):
    """Compare places; tokens and counts where numbers that are alike do not decide."""
    assert [*theirs] == [*ours], "the same names in the same order"
    for name in ("p", "doubt", "tail", "chance"):
        np.testing.assert_allclose(theirs[name], ours[name], atol=10 * atol)
    np.testing.assert_allclose(theirs["sums"], ours["sums"], rtol=100 * atol)
    gaps = -np.diff(ours["p"], prepend=2)
    clear = (gaps > 4 * atol) & (np.roll(gaps, -1) > 4 * atol)
    clear[-1] = False  # the next one is not known
    assert clear.mean() > 0.3
    for name in ("ids", "words"):
        assert [*np.array(theirs[name])[clear]] == [*np.array(ours[name])[clear]]
    every = np.cumsum(ours["p"])
    sure = [np.abs(every - stop).min() > 4 * atol for stop in NUCLEUS]
    assert (theirs["counts"] == ours["counts"])[sure].mean() == 1
    assert theirs["last"] == ours["last"]


def margin(p, draw, step):
    """By how much probabilities may differ, so that the same token is drawn."""
    ranked = np.sort(p)[::-1]
    ranked = ranked ** (1 / draw.knob) if draw.method == "temperature" else ranked
    every = np.cumsum(ranked) / ranked.sum()
    kept = {"greedy": 1, "top-k": int(draw.knob)}.get(draw.method, len(p))
    least = []
    if draw.method == "nucleus" and draw.knob < 1:
        kept = int((every < draw.knob).sum()) + 1
        least = [np.abs(every - draw.knob).min()]
    fallen = luck(draw.seed, step) * every[kept - 1]
    rank = int((every > fallen).argmax())
    return min(
        np.abs(every[:kept] - fallen).min(), *-np.diff(ranked[max(0, rank - 1) : rank + 2]), *least
    )


def same_run(view, path, draw, ours, theirs, atol):
    """Compare runs up to where numbers that are alike decide; return how many tokens that are."""
    prompt, ids = view.writer.prompt, list(ours["ids"])
    p = [view.writer.chances((*prompt, *path, *ids[:k])) for k in range(len(ids))]
    clear = [margin(p[k], draw, len(path) + k) > 4 * atol for k in range(len(ids))]
    n = clear.index(False) if False in clear else len(ids)
    for name in ("ids", "ranks", "words"):
        assert [*theirs[name][:n]] == [*ours[name][:n]], (name, draw)
    np.testing.assert_allclose(theirs["p"][:n], ours["p"][:n], atol=10 * atol)
    if n == len(ids):
        assert theirs["problem"] == ours["problem"]
        assert len(theirs["ids"]) == n
    return n


@pytest.mark.parametrize(
    ("given", "precision", "atol"),
    [(steps, "full", 1e-6), (steps, "half", 1e-4), (graph, "full", 1e-6)],
)
def test_the_worker_says_what_python_says(open_file, given, precision, atol):
    view = writing(given())
    page = open_file(view.to_html(answers=True, precision=precision))
    asked = {("after", path): " ".join(["after", *map(str, path)]) for path in PATHS}
    asked |= {(draw, path): draw.name(path, 12) for draw in DRAWS for path in PATHS[::3]}
    asked |= {"prompt": "prompt", "stop": "after " + " ".join(["9"] * 21)}
    said = dict(zip(asked, ask(page, *[{"want": n} for n in asked.values()]), strict=True))
    assert said.pop("stop")[0] == "the text has 25 tokens, the model reads at most 24"
    clear = 0
    for key, (problem, part, _) in said.items():
        assert problem == ""
        ((told, (own,)),) = answers(view, want=asked[key])
        assert told == {"part": asked[key]}
        ours, theirs = read(own), read(part)
        if key == "prompt":
            assert len(theirs["back"]) == 3
            for one, other in zip(ours["back"], theirs["back"], strict=True):
                assert one == pytest.approx(other, abs=10 * atol)
        elif key[0] == "after":
            same_place(ours, theirs, atol)
        else:
            clear += same_run(view, key[1], key[0], ours, theirs, atol)
    assert clear > (180 if precision == "full" else 50)


def test_a_text_of_the_readers_own_is_read_as_python_reads_it(open_file):
    view = writing()
    page = open_file(view.to_html(answers=True, precision="full"))
    field, problem = (
        page.get_by_label("text that the model writes on from"),
        page.locator(".problem"),
    )
    heard = []
    for text in (*[text for text in BAD if "\ud800" not in text], "<b>[MASK]</b> é 😀", "i [SEP]"):
        field.fill(text)
        field.press("Enter")
        ((told, _),) = answers(view, text=text, run="1")
        expect(problem).to_have_text(told["problem"])
        expect(field).to_have_attribute("aria-invalid", str(bool(told["problem"])).lower())
        heard.append(told["problem"])
        expect(page.locator(".runs")).to_have_text("")
        state = page.evaluate("() => workers.length")
        assert state == 1
        (_, part, _) = ask(page, {"want": "after"})[0]
        ((_, (own,)),) = answers(view, want="after")
        same_place(read(own), read(part), 1e-6)
    assert [bool(one) for one in heard] == [True] * 4 + [False] * 2
    assert [NAMES[k] for k in view.writer.prompt] == ["[CLS]", "i"]


def test_by_hand_nothing_is_grey_and_a_worker_that_fell_begins_again(open_file):
    view = writing(prompt="the animal")
    page = open_file(view.to_html(answers=True, precision="full"))
    root, field = page.locator(".seqviz"), page.locator("input[type=text]")
    assert "needs a" not in page.content().split("<script")[0]
    for name in ("Back", "Take", "Sample"):
        assert root.get_by_role("button", name=name).is_disabled() == (name == "Back")
    page.keyboard.press("Tab")
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("it was")
    page.keyboard.press("Enter")
    expect(page.locator("div.text")).to_contain_text("was")
    expect(page.locator("div.text")).not_to_contain_text("animal")
    view.text = "it was"
    page.locator(".stage").focus()
    for rank in (5, 9):  # places that are in no page
        for _ in range(rank):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        view.written = [*view.written, int(view.place.ids[rank])]
        expect(root).to_have_attribute("data-written", " ".join(map(str, view.written)))
        expect(root).to_have_attribute("data-place", "here")
        expect(root).to_have_attribute("aria-busy", "false")
    page.evaluate("() => workers[0].onerror(new ErrorEvent('error', {message: 'it fell'}))")
    page.locator("label.seg", has_text="Side by side").click()
    page.get_by_role("button", name="Other luck").click()
    expect(page.locator(".lines")).not_to_contain_text("the model writes", timeout=9000)
    assert page.evaluate("() => workers.length") == 2
    view.compare, view.luck = True, 1
    view.write()
    path = " ".join(["after", *map(str, view.written)])
    words = [view.vocabulary.shown[k] for k in view.writer.runs[f"run greedy 0 1 12 {path}"].ids]
    written = page.locator(".lines").inner_text().replace("\n", "")
    assert all(word.strip() in written for word in words[-3:])


def test_an_overtaken_text_says_nothing_and_what_was_wanted_behind_it_neither(open_file):
    net = sv.nn.LanguageModel(len(PIECES), 16).eval()
    view = writing(sv.graphs.stepped(net), depth=0)
    page = open_file(view.to_html(answers=True, precision="full"))
    (_, part, _) = ask(page, {"want": "after 3"})[0]
    ((_, (own,)),) = answers(view, want="after 3")
    same_place(read(own), read(part), 1e-6)
    long, wanted = "was " * 900, "run sample 0 1 3000 after 3"
    page.evaluate(
        """([long, wanted]) => {
            globalThis.told = [];
            workers[0].addEventListener('message', ({data}) => told.push(data));
            for (const message of [{text: long, run: 'a'}, {want: wanted}, {text: 'it', run: 'b'}])
                workers[0].postMessage({message});
        }""",
        [long, wanted],
    )
    expect(page.locator(".seqviz")).to_have_attribute("data-place", "here")
    expect(page.locator("div.text")).not_to_contain_text("animal")
    ask(page, {"want": "run sample 0 2 3000 after"})
    told = page.evaluate(
        "() => told.map(({set, send}) => set?.facts.text ?? send?.run ?? send?.part)"
    )
    assert told.count("it") == 1
    assert "b" in told
    assert not {"a", long, wanted} & {*told}


@pytest.mark.alone
def test_a_token_of_the_courses_model_costs_at_most_ten_milliseconds(open_file):
    net = sv.nn.GPT(1003, n_positions=128, n_embd=96, n_layer=4, n_head=4).eval()
    assert sum(one.numel() for one in net.parameters()) == 556_128
    names = [f"w{k}" for k in range(1003)]
    view = sv.view.generation(sv.graphs.stepped(net), names, [1, 2, 3], depth=0, steps=1)
    page = open_file(view.to_html(answers=True))
    runs = [{"want": f"run sample 0 {seed} 100 after"} for seed in range(4)]
    times = [ask(page, run)[0][2] / 100 for run in runs]
    assert min(times) < 10, f"{times} ms a token"
