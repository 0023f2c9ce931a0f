"""How a language model writes in a page without Python: the numbers of the worker, and by hand."""

import pytest
from playwright.sync_api import expect

import seqviz as sv
from seqviz.views.generation.writing import Draw
from tests.browser.page_workers import ask, same
from tests.views.asking import answers
from tests.views.test_generation_models import BAD, NAMES, PIECES, graph, steps, writing

pytestmark = pytest.mark.browser

PATHS = ((), (7,), (20, 8, 3, 50))
DRAWS = (
    *[Draw("greedy", 0, 0), Draw("sample", 0, 3), Draw("temperature", 0.3, 4)],
    *[Draw("temperature", 2.0, 5), Draw("top-k", 13, 7), Draw("nucleus", 0.62, 9)],
)


@pytest.fixture(scope="module")
def written(open_file):
    """A view whose model goes by steps, and its page, which the tests use in turn."""
    view = writing(prompt="the animal")
    return view, open_file(view.to_html(answers=True, precision="full"))


@pytest.mark.parametrize(("given", "draws"), [(steps, DRAWS), (graph, DRAWS[1:2])])
def test_the_worker_says_what_python_says(open_file, given, draws):
    view = writing(given(), depth=0)
    page = open_file(view.to_html(answers=True, precision="full"))
    names = ["prompt", *(" ".join(["after", *map(str, path)]) for path in PATHS)]
    names += [draw.name(path, 12) for draw in draws for path in PATHS[::2]]
    beyond = "after " + " ".join(["9"] * 21)
    found = ask(page, *[{"want": name} for name in (*names, beyond)])["answers"]
    assert found.pop() == ["the text has 25 tokens, the model reads at most 24", None]
    for name, (problem, part) in zip(names, found, strict=True):
        ((told, (own,)),) = answers(view, want=name)
        assert (problem, told) == ("", {"part": name})
        same(own, part, name)


def test_a_text_of_the_readers_own_is_read_as_python_reads_it(written):
    view, page = written
    field = page.get_by_label("text that the model writes on from")
    heard = []
    for text in (*[text for text in BAD if "\ud800" not in text], "<b>[MASK]</b> é 😀", "i [SEP]"):
        field.fill(text)
        field.press("Enter")
        ((told, _),) = answers(view, text=text, run="1")
        expect(page.locator(".problem")).to_have_text(told["problem"])
        expect(field).to_have_attribute("aria-invalid", str(bool(told["problem"])).lower())
        expect(page.locator(".runs")).to_have_text("")
        heard.append(bool(told["problem"]))
        ((_, part),) = ask(page, {"want": "after"})["answers"]
        ((_, (own,)),) = answers(view, want="after")
        same(own, part, text[:20])
    assert heard == [True] * 4 + [False] * 2
    assert [NAMES[k] for k in view.writer.prompt] == ["[CLS]", "i"]


def test_by_hand_nothing_is_grey_and_a_worker_that_fell_begins_again(written):
    view, page = written
    root, field = page.locator(".seqviz"), page.locator("input[type=text]")
    assert "needs a" not in root.inner_text()
    for name in ("Back", "Take", "Sample"):
        assert root.get_by_role("button", name=name).is_disabled() == (name == "Back")
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("it was")
    page.keyboard.press("Enter")
    expect(page.locator("div.text")).to_contain_text("was")
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
    ((_, part),) = ask(page, {"want": "after 3"})["answers"]
    ((_, (own,)),) = answers(view, want="after 3")
    same(own, part)
    overtaken = "run sample 0 1 3000 after 3"
    page.evaluate("want => workers[0].postMessage({message: {want}})", overtaken)
    heard = ask(page, {"text": "was " * 900, "run": "a"}, {"text": "it", "run": "b"})
    heard["said"] += ask(page, {"want": "run sample 0 2 3000 after"})["said"]
    assert (heard["facts"]["text"], heard["answers"][1]) == ("it", ["", None])
    said = [one.get("run", one.get("part")) for one in heard["said"]]
    assert said.count("b") == 1
    assert not {"a", overtaken} & {*said}


@pytest.mark.alone
@pytest.mark.slow
def test_a_token_of_the_courses_model_costs_at_most_ten_milliseconds(open_file):
    net = sv.nn.GPT(1003, n_positions=128, n_embd=96, n_layer=4, n_head=4).eval()
    assert sum(one.numel() for one in net.parameters()) == 556_128
    names = [f"w{k}" for k in range(1003)]
    view = sv.view.generation(sv.graphs.stepped(net), names, [1, 2, 3], depth=0, steps=1)
    page = open_file(view.to_html(answers=True))
    times = [ask(page, {"want": f"run sample 0 {k} 100 after"})["time"] / 100 for k in range(4)]
    assert min(times) < 10, f"{times} ms a token"
