import base64
import json
import re
import zlib

import numpy as np
import pytest

from seqviz.view import attention, curves, generation
from seqviz.views.shared import answering, blocks, page
from tests.browser.answering import Tiny
from tests.views.views import VIEWS

PART = re.compile(r'<script type="text/plain"(?: data-block="\w+")?>([^<]*)</script>')
SHARED = re.compile(r'<script type="text/plain" data-block="(\w+)">([^<]*)</script>')


def opened(text):
    """The page's own values, those of its view, and its blocks."""
    plain = json.loads(
        re.search(r'<script type="application/json">(.*?)</script>', text, re.S).group(1)
    )
    found = [*map(base64.b64decode, PART.findall(text))]
    if plain["deflated"]:
        found = [zlib.decompress(data) for data in found]
    block, start, size = plain["content"]
    return plain, json.loads(found[block][start : start + size]), found


@pytest.mark.parametrize("deflate", [True, False])
def test_every_part_stands_in_the_page_once(deflate):
    even = np.full((2, 2), 0.5)
    view = attention(np.stack([even, even, np.eye(2)])[None], ["a", "b"])
    plain, content, found = opened(view.to_html(deflate=deflate))
    parts = {
        name: found[block][start : start + size]
        for name, (block, start, size) in content["parts"].items()
    }
    assert parts == dict(view.parts.items())
    assert content["parts"]["0 0 0"] == content["parts"]["0 0 1"] != content["parts"]["0 0 2"]
    code = {str(view._esm).encode(), str(view._css).encode()}
    once = sum(map(len, {*parts.values(), *code})) + plain["content"][2]
    assert sum(map(len, found)) == once
    assert plain["deflated"] is deflate


def test_a_page_is_ascii_whatever_the_tokens_are():
    tokens = ["猫", "🙂", "<é>", "مرحبا"]
    text = attention(np.eye(4)[None, None], tokens, title="où & <b>", query=3).to_html()
    assert text.isascii()
    _, content, _ = opened(text)
    assert content["facts"]["kinds"][0]["queries"] == tokens
    assert "&lt;&#233;&gt;" in re.search(r"<title>(.*?)</title>", text).group(1)


def test_the_html_button_gets_the_page(monkeypatch):
    view, sent = attention(np.eye(4)[None, None], ["a", "猫", "<b>", "d"]), []
    monkeypatch.setattr(view, "send", lambda *answer: sent.append(answer))
    view._handle_custom_msg({"page": True}, [])
    assert sent == [({"heard": True},), ({"page": True}, [view.to_html().encode()])]


def test_a_deflated_page_is_smaller():
    view = curves({"one": np.tile([0.0, 0.5], 1000)})
    assert len(view.to_html()) < len(view.to_html(deflate=False)) - 8_000


def test_a_large_page_has_several_blocks():
    weights = np.random.default_rng(0).dirichlet(np.ones(100), (1, 60, 100)).astype(np.float32)
    plain, content, found = opened(attention(weights, ["a"] * 100).to_html())
    assert len(found) > 2
    assert all(blocks.SIZE <= len(block) < 2 * blocks.SIZE for block in found[:-1])
    assert {block for block, _, _ in content["parts"].values()} <= set(range(len(found)))
    assert plain["content"][0] == len(found) - 1


# ---- pages that answer


def shared(text):
    """The blocks that views of a page share, by name."""
    return {name: zlib.decompress(base64.b64decode(data)) for name, data in SHARED.findall(text)}


def answers_of(text):
    return opened(text)[1]["answers"]


def test_a_page_that_answers_holds_script_facts_and_numbers():
    view = Tiny()
    text = view.to_html(answers=True)
    assert text.isascii()
    told, held = answers_of(text), shared(text)
    given = view._answering("half")
    assert held[told["script"]].decode() == given.script
    assert told["facts"] == {"precision": "half"}
    graph = told["graphs"]["net"]
    assert json.loads(held[graph["told"]]) == view.net.told
    assert b"".join(held[name] for name in graph["numbers"]) == view.net.numbers
    assert (graph["size"], graph["beside"]) == (len(view.net.numbers), None)
    assert max(map(len, held.values())) <= answering.SLICE
    assert answers_of(view.to_html(answers=True, precision="full"))["facts"]["precision"] == "full"
    assert "&lt;b&gt;net" in text
    assert "<b>net" not in text


def test_fragments_of_a_page_share_what_is_the_same():
    one, two, there = Tiny(), Tiny(which=2), set()
    pieces = [page.fragment(v, True, v._answering("half"), there=there) for v in (one, two, one)]
    assert [len(shared(piece)) for piece in pieces] == [5, 0, 0]
    assert there == {*shared(pieces[0])}
    assert answers_of(pieces[1])["facts"]["which"] == 2
    assert answers_of(pieces[1])["graphs"] == answers_of(pieces[0])["graphs"]


def test_numbers_may_lie_beside_a_page():
    view = Tiny()
    given = view._answering("half")
    text = page.fragment(view, True, given, lies=lambda name: f"shared/{name}.js")
    graph = answers_of(text)["graphs"]["net"]
    assert graph["beside"] == "shared/net.js"
    assert len(shared(text)) == 2  # the script, and what is told of the graph
    file = answering.beside(view.net)
    assert [*file] == graph["numbers"]
    assert answering.put(file).isascii()


@pytest.mark.parametrize("name", sorted(VIEWS.keys() - {"cause", "machine"}))
def test_a_view_without_a_model_says_why_it_does_not_answer(name):
    with pytest.raises(ValueError, match=r"^answers: this view .*model"):
        VIEWS[name]().to_html(answers=True)


def test_what_a_page_cannot_be_is_refused(monkeypatch, tmp_path):
    view = Tiny(numbers=bytes(10))
    with pytest.raises(ValueError, match=r'precision: expected "full".*came .quarter.'):
        view.to_html(answers=True, precision="quarter")
    with pytest.raises(TypeError, match="answers: expected True or False, came 'yes'"):
        view.to_html(answers="yes")
    monkeypatch.setattr(answering, "LARGEST", 9)
    with pytest.raises(ValueError, match=r'answers: .*precision="small".*notebook'):
        view.to_html(tmp_path / "page.html", answers=True)
    assert not [*tmp_path.iterdir()]


def test_a_large_model_is_refused_with_its_size():
    class Net:
        told, numbers = {}, range(150_000_000)  # no more than its length is asked for

    given = answering.Answering("", {}, {"a": Net, "b": Net}, "")
    with pytest.raises(ValueError, match="at most 100 MB, came one of 300 MB"):
        given.check_size()


def test_a_page_that_does_not_answer_pays_nothing():
    """Beside its values it has no more than before pages answered: 6,046 letters of script."""
    text = generation(lambda ids: [0.3, 0.7], ["he", "sat"], [0], steps=4).to_html()
    assert "seqviz-says" not in text
    assert "answers" not in opened(text)[1]
    assert len(re.search(r"<script>(.*)</script></div>", text, re.S)[1]) < 6046
