import base64
import json
import re
import zlib

import numpy as np
import pytest

from seqviz.view import attention, curves
from seqviz.views.shared import blocks

PART = re.compile(r'<script type="text/plain">([^<]*)</script>')


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
