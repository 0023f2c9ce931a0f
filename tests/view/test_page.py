import json
import re
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqviz.view import attention, curves, text
from seqviz.view.shared import blocks

PART = re.compile(r'<script type="text/plain" data-size="(\d+)">([^<]*)</script>')


def scripts_end_where_the_page_ends_them(text):
    """Whether nothing but the page itself ends a script: its values, its parts and its code."""
    return text.count("</script>") == text.count('<script type="text/plain"') + 2


def bytes_of(text, size):
    """What `lettered` wrote, read back letter by letter."""
    bits = ""
    for k in range(0, len(text), 7):
        number = 0
        for letter in text[k : k + 7].encode():
            number = 96 * number + blocks.LETTERS.index(letter)
        bits += f"{number:046b}"
    return bytes(int(bits[k : k + 8], 2) for k in range(0, 8 * size, 8))


def opened(text):
    """The page's own values, those of its view, and its blocks."""
    plain = json.loads(
        re.search(r'<script type="application/json">(.*?)</script>', text, re.S).group(1)
    )
    found = [bytes_of(letters, int(size)) for size, letters in PART.findall(text)]
    if plain["deflated"]:
        found = [zlib.decompress(data) for data in found]
    block, start, size = plain["content"]
    return plain, json.loads(found[block][start : start + size]), found


@given(st.binary(max_size=300))
def test_bytes_come_back_from_letters(data):
    text = blocks.lettered(data)
    assert bytes_of(text, len(data)) == data
    assert len(text) == 7 * -(-8 * len(data) // 46)


def test_letters_are_what_html_takes_as_it_is():
    ends = bytes(23) + b"\xff" * 23  # the smallest number and the largest
    text = blocks.lettered(ends + np.random.default_rng(0).bytes(23 * 2**10))
    assert set(text) == set(blocks.LETTERS.decode())
    assert len(blocks.LETTERS) == len(set(blocks.LETTERS)) == 96
    assert not {"<", "\r", "\0"} & set(text)
    assert all(letter.isprintable() or letter in "\t\n" for letter in text)


@pytest.mark.parametrize("deflate", [True, False])
def test_every_part_stands_in_the_page_once(deflate):
    even = np.full((2, 2), 0.5)
    view = attention(np.stack([even, even, np.eye(2)])[None], ["a", "b"])
    plain, content, found = opened(view.to_html(deflate=deflate))
    parts = {
        name: found[block][start : start + size]
        for name, (block, start, size) in content["parts"].items()
    }
    assert parts == {name: b"".join(pieces) for name, pieces in view.pieces()}
    assert content["parts"]["0 0 0"] == content["parts"]["0 0 1"] != content["parts"]["0 0 2"]
    code = {str(view._esm).encode(), str(view._css).encode()}
    once = sum(map(len, {*parts.values(), *code})) + plain["content"][2]
    assert sum(map(len, found)) == once
    assert plain["deflated"] is deflate


def test_a_page_is_ascii_whatever_the_tokens_are():
    tokens = ["猫", "🙂", "<é>", "مرحبا"]
    text = attention(np.eye(4)[None, None], tokens, title="où & <b>").to_html()
    assert text.isascii()
    _, content, _ = opened(text)
    assert content["facts"]["kinds"][0]["queries"] == tokens
    assert "&#" in re.search(r"<title>(.*?)</title>", text).group(1)


VIEWS = {
    "attention": lambda: attention(np.eye(4)[None, None], ["a", "猫", "<b>", "d"]),
    "curves": lambda: curves({"one": [0.0, 0.5]}),
    "text": lambda: text("ab", [1.0, 2.0], run=lambda given: (given, [0.0] * len(given))),
}


@pytest.mark.parametrize("make", VIEWS.values(), ids=list(VIEWS))
def test_the_html_button_gets_the_page(make, monkeypatch):
    view, sent = make(), []
    monkeypatch.setattr(view, "send", lambda *answer: sent.append(answer))
    view._handle_custom_msg({"page": True}, [])
    assert sent == [({"page": True}, [view.to_html().encode()])]


def test_a_deflated_page_is_smaller():
    view = curves({"one": np.tile([0.0, 0.5], 1000)})
    assert len(view.to_html()) < len(view.to_html(deflate=False)) - 8_000
    assert scripts_end_where_the_page_ends_them(view.to_html())


def test_a_large_page_has_several_blocks():
    weights = np.random.default_rng(0).dirichlet(np.ones(100), (1, 60, 100)).astype(np.float32)
    plain, content, found = opened(attention(weights, ["a"] * 100).to_html())
    assert len(found) > 3
    assert all(blocks.SIZE <= len(block) < 2 * blocks.SIZE for block in found[:-2])
    texts = [content["script"], content["style"], plain["content"]]
    assert {block for block, _, _ in texts} == {len(found) - 1}  # a block of their own
    assert len(found) - 1 not in {block for block, _, _ in content["parts"].values()}
    assert {block for block, _, _ in content["parts"].values()} <= set(range(len(found)))
