"""A page that holds a worker: opened from a file, without a network, under its own policy."""

import re

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

import seqviz as sv
from seqviz.site.frame import POLICY_BESIDE
from seqviz.views.shared import answering
from seqviz.views.shared import page as pages
from tests.browser.answering import Tiny
from tests.browser.attention_shown import Shown
from tests.browser.conftest import offline
from tests.browser.shown import CONTRAST
from tests.browser.test_saved_page import saved
from tests.views.test_page import opened

pytestmark = pytest.mark.browser

# Sends messages; then all that the view is told, until an answer to each has come.
ASK = """(root, messages) => new Promise((done, failed) => {
    setTimeout(() => failed(JSON.stringify(root.log)), 5000);
    root.log.length = 0;
    for (const message of messages) root.model.send(message);
    const holds = (told, message) => JSON.stringify({...told, ...message}) === JSON.stringify(told);
    const answers = (message, told) => told.part ? told.part === message.want :
        told.problem !== undefined && holds(told, message);
    const answered = message => root.log.some(([told]) => answers(message, told));
    const look = () => messages.every(answered) ? done(root.log) : setTimeout(look, 10);
    look();
})"""
HEARD = [{"heard": True}, []]
STATE = {"facts": {"text": "ab"}, "silent": [], "step": 1}
SAVE = """root => new Promise(done => {
    root.model.on('msg:custom', (message, texts) => message.page && done(texts.join('')));
    root.model.send({page: true});
})"""


@pytest.fixture
def open_file(browser, tmp_path):
    """What opens a page as a file, see `offline`; the pages are closed after the test."""
    with offline(browser, tmp_path) as open_file:
        yield open_file


def ask(page, *messages, at=0):
    return page.locator(".seqviz").nth(at).evaluate(ASK, list(messages))


def send(page, message):
    """Send a message and do not wait."""
    page.locator(".seqviz").first.evaluate("({model}, message) => model.send(message)", message)


def worker(page, at=0):
    """What the worker was given, and what it heard before it was asked for that."""
    return ask(page, {"tell": True}, at=at)[-1][0]


def state(page):
    return page.locator(".seqviz").evaluate(
        """({model, bytes}) => [model.get('facts').text, bytes(model.get('first').own),
            model.get('step')]"""
    )


def save(page, at=0):
    return page.locator(".seqviz").nth(at).evaluate(SAVE)


def says(page):
    return page.locator(".seqviz-says")


def problem(page):
    return page.locator(".seqviz-problem")


def folder(*fragments):
    """A page with fragments, under the policy of a site's pages."""
    head = pages.HEAD.replace(pages.POLICY, POLICY_BESIDE)
    return "".join([head, "many", pages.BODY, *fragments, pages.END])


def test_a_worker_answers_in_pythons_place(open_file):
    view = Tiny()
    page = open_file(view.to_html(answers=True, precision="small"))
    expect(page.locator(".say")).to_have_text("alive")
    told = worker(page)
    assert told["numbers"] == [*view.net.numbers[-3:]]
    assert (told["size"], told["told"]) == (3_000_000, {"version": 1})
    assert told["facts"] == {"precision": "small"}
    assert (told["state"], told["heard"]) == (STATE, [])
    # what the page holds comes from there, all else from the worker, and each is heard at once
    assert ask(page, {"want": "late"}) == [[{"part": "late"}, [[4, 5]]]]
    assert ask(page, {"want": "far"}) == [HEARD, [{"part": "far"}, [[7, 8]]]]
    # whoever hears of one name finds all of them set, and no more is told than what changed
    told = ask(page, {"text": "xyz", "run": 1})
    after = ["xyz", 3]
    names = [[name, after] for name in ("facts", "first", "step")]
    assert told == [HEARD, *names, [{"text": "xyz", "run": 1, "problem": ""}, []]]
    # other parts take the place of all that the page held
    assert ask(page, {"want": "late"}) == [HEARD, [{"part": "late"}, [[7, 8]]]]
    assert [one["text"] for one in worker(page)["heard"] if "text" in one] == ["xyz"]


def test_the_worker_begins_when_the_page_is_seen(open_file):
    view = Tiny()
    page = open_file(view.to_html(answers=True))
    page.wait_for_function("() => workers.length === 1")
    far = '<div style="height:3000px"></div>' + pages.fragment(*asked(view))
    below = open_file(far)
    below.wait_for_timeout(200)
    assert below.evaluate("workers.length") == 0
    below.mouse.wheel(0, 3000)
    below.wait_for_function("() => workers.length === 1")


def asked(view):
    return view, True, view._answering("half")


def test_what_goes_wrong_is_told_and_a_new_worker_begins(open_file):
    page = open_file(Tiny().to_html(answers=True))
    told = ask(page, {"text": "wrong"}, {"want": "nothing"})
    assert told[-2:] == [
        [{"text": "wrong", "problem": "Error: text: wrong"}, []],
        [{"part": "nothing", "problem": "no such part"}, []],
    ]
    expect(problem(page)).to_be_hidden()
    send(page, {"text": "slow", "run": 0})  # overtaken by the next one
    ask(page, {"text": "xyz", "run": 1})
    told = ask(page, {"text": "deadly", "run": 2}, {"silent": [], "text": "slow"})
    assert [one for one, _ in told if "problem" in one] == [
        {"text": "deadly", "run": 2, "problem": "it fell"},
        {"silent": [], "text": "slow", "problem": "it fell"},
    ]
    expect(problem(page)).to_have_text(re.compile(r"^✗ .*stopped \(it fell\)"))
    # the next one begins where that one was
    page.locator(".seqviz").evaluate("({model}) => model.set('step', 2)")
    ask(page, {"want": "far"}, {"want": "farther"})
    expect(problem(page)).to_be_hidden()
    assert state(page) == ["xyz", [3], 2]
    assert worker(page)["state"] == {**STATE, "facts": {"text": "xyz"}, "step": 2}


def test_a_worker_that_does_not_bear_its_start(open_file):
    page = open_file(Tiny(dies=True).to_html(answers=True))
    for _ in range(2):
        told = ask(page, {"text": "xyz"})
        assert told[-1] == [{"text": "xyz", "problem": "no start"}, []]
        expect(problem(page)).to_contain_text("stopped (no start)")


def test_a_copy_opens_as_it_was_and_a_copy_of_it_too(open_file):
    view = Tiny()
    page = open_file(view.to_html(answers=True))
    plain, _, blocks = opened(save(page))
    assert "now" not in plain
    assert len(blocks) == len(opened(view.to_html(answers=True))[2])
    ask(page, {"text": "gone", "run": 1}, {"text": "<é>!", "run": 2}, {"text": "wrong", "run": 3})
    page.locator(".seqviz").evaluate("({model}) => model.set('step', 5)")
    one = save(page)
    assert one.isascii()
    for _ in range(2):
        copy = open_file(one)
        assert state(copy) == ["<é>!", [4], 5]
        assert worker(copy)["state"] == {**STATE, "facts": {"text": "<é>!"}, "step": 5}
        assert ask(copy, {"want": "late"})[-1] == [{"part": "late"}, [[7, 8]]]
        assert says(copy).inner_text() == view.says
        one, before = save(copy), one
        assert one == before


def test_a_page_that_cannot_run_a_worker_says_so(open_file):
    text = Tiny().to_html(answers=True)
    page = open_file(text, init="delete globalThis.Worker")
    expect(page.locator(".say")).to_have_text("grey")
    expect(problem(page)).to_contain_text("This browser cannot run the model")
    assert ask(page, {"want": "late"}) == [[{"part": "late"}, [[4, 5]]]]
    assert "cannot run" in ask(page, {"want": "far"})[-1][0]["problem"]
    expect(open_file(save(page)).locator(".say")).to_have_text("alive")

    page = open_file(text.replace("worker-src blob:", "worker-src 'none'"), due="worker")
    expect(problem(page)).to_contain_text("this place does not let it run: save the page")

    page = open_file(text, init="delete globalThis.DecompressionStream", ready=False)
    expect(page.locator(".seqviz-page")).to_contain_text("This browser cannot unpack the page")
    old = Tiny().to_html(deflate=False, answers=True)
    page = open_file(old, init="delete DecompressionStream, delete Uint8Array.fromBase64")
    assert worker(page)["size"] == 3_000_000


def test_views_of_a_page_share_blocks_and_have_a_worker_each(open_file):
    there, views = set(), [Tiny(), Tiny(which="second")]
    fragments = [pages.fragment(*asked(view), there=there) for view in views]
    assert len(fragments[0]) > 3_000_000 > 100_000 > len(fragments[1])
    page = open_file(folder(*fragments))
    for at in (0, 1):
        assert worker(page, at)["numbers"] == [*views[0].net.numbers[-3:]]
    assert worker(page, 1)["facts"]["which"] == "second"
    ask(page, {"text": "xyz"}, at=1)
    assert not any("text" in one for one in worker(page, 0)["heard"])
    copy = open_file(save(page, at=1))
    assert worker(copy)["state"]["facts"] == {"text": "xyz"}


def test_a_page_does_not_hold_more_workers_than_it_has_room_for(open_file):
    """Of two of 60 MB one begins by itself; the other one takes its place, unless it is busy."""
    views, there = [Tiny(numbers=bytes(60_000_000), which=which) for which in range(2)], set()
    shown = [pages.fragment(*asked(view), there=there) for view in views]
    page = open_file(folder(*shown))
    page.wait_for_function("() => workers.length > 0")
    page.wait_for_timeout(300)
    assert page.evaluate("workers.length") == 1
    for at in (0, 1, 0):
        assert worker(page, at)["facts"]["which"] == at
    before = page.evaluate("workers.length")
    assert before in (3, 4)  # either of them began
    send(page, {"text": "slow"})
    worker(page, 1)
    assert {"text": "slow"} in worker(page, 0)["heard"]
    assert page.evaluate("workers.length") == before + 1


def test_numbers_beside_a_page_are_loaded_when_they_are_asked_for(open_file, tmp_path):
    view, there = Tiny(), set()
    lies = {"net": "net.js"}.get
    fragments = [pages.fragment(*asked(view), there=there, lies=lies) for _ in range(2)]
    assert sum(map(len, fragments)) < 100_000
    page = open_file(folder(*fragments), due="net.js|ERR_")
    button = page.get_by_role("button", name="Load the model, 3 MB")
    expect(button).to_have_count(2)
    expect(page.locator(".say")).to_have_text(["grey", "grey"])
    assert page.locator(".seqviz").first.evaluate("({model}) => model.offers")
    button.first.click()
    expect(problem(page).first).to_contain_text("net.js does not come")
    expect(open_file(save(page)).locator(".say")).to_have_text("grey")

    (tmp_path / "net.js").write_text(answering.put(answering.beside(view.net)), encoding="ascii")
    button.last.click()
    expect(page.locator(".say")).to_have_text(["alive", "alive"])
    expect(button).to_have_count(0)
    for at in (0, 1):
        assert worker(page, at)["numbers"] == [*view.net.numbers[-3:]]
    (tmp_path / "net.js").unlink()
    copy = open_file(save(page))
    assert worker(copy)["size"] == 3_000_000


def test_the_page_says_what_is_in_it(open_file):
    text = Tiny(says="In this page: <b>a</b> " + "long" * 60).to_html(answers=True)
    for theme, paper in {"light": "255,255,255", "dark": "18,18,18"}.items():
        options = {"color_scheme": theme, "viewport": {"width": 390, "height": 700}}
        page = open_file(text, **options)
        line = says(page)
        assert line.bounding_box()["y"] >= 200  # under the view
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert line.inner_html().startswith("In this page: &lt;b&gt;a")
        seen = f"""line => {{ {CONTRAST}
            const faded = numbers(getComputedStyle(line).color).slice(0, 3)
                .map((v, k) => v * 0.8 + numbers('{paper}')[k] * 0.2);
            return contrast(faded, numbers('{paper}'));
        }}"""
        assert line.evaluate(seen) > 4.5
    plain = open_file(text, java_script_enabled=False, ready=False)
    expect(says(plain)).to_be_visible()


def test_an_explorer_reads_a_text_and_silences_a_head_in_its_page(open_page, tmp_path):
    torch.manual_seed(1)
    words = sv.data.Vocabulary(["<unk>", "the", "animal", "it", "was", "tired"])
    view = sv.explore(sv.nn.GPT(len(words), 16, 12, 2, 2).eval(), words, "the animal was tired")
    shown = Shown(open_page(view.to_html(answers=True, precision="full")))
    field = shown.root.get_by_label("text that the model reads")
    assert "needs a running kernel" not in shown.root.inner_text()
    view.text = "it was tired"
    field.fill(view.text)
    field.press("Enter")
    shown.page.wait_for_function(
        "() => document.querySelector('.seqviz').shown().rows.length === 3"
    )
    assert shown.values[1] == ["it", "was", "tired"]
    field.fill(" ")
    field.press("Enter")
    expect(shown.root.locator(".problem")).to_contain_text("Is empty")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill(view.text)
    shown.click(shown.head(0, 1))
    shown.press("stage", "s")
    view.silent = [(view.kind, 0, 1)]
    silent = f"{view.kind} 0.1"
    expect(shown.root).to_have_attribute("data-silent", silent)
    shown.click(shown.head(1, 1))
    shown.settle()
    copy = Shown(open_page(saved(shown.page, tmp_path / "copy.html")))
    copy.settle()
    assert copy["silent"] == silent
    assert copy.values[1] == ["it", "was", "tired"]
    for page in (shown, copy):
        np.testing.assert_allclose(page.values[0], view.parts.kinds[1].layers[1][1], atol=1e-5)


def test_views_ask_whether_a_kernel_is_needed(script):
    for answers in (False, True):
        model = {"kernel": False, "answers": answers}
        assert script("shared/kernel.js", "needsKernel", model) is not answers
        assert "running kernel" in script("shared/kernel.js", "lackOf", model)
    assert "load it below" in script("shared/kernel.js", "lackOf", {**model, "offers": True})
