"""Tokens that are markup, script or formulas stay text in the attention explorer."""

import csv
import io
from xml.etree import ElementTree

import pytest

from seqviz.view import attention
from tests.browser.attention_shown import Shown, same_numbers, softmax

pytestmark = pytest.mark.browser
STRANGE = [
    "<script>window.hit=1</script>",
    "<img/src=x/onerror=window.hit=1>",
    "</script><script>window.hit=1</script>",
    "]]><svg/onload=window.hit=1>",
    "&lt;b&gt;",
    "שלום",
    "\u202egnp",
    "👍🏽",
    "e\u0301",
    "\u0301",
    "中文字",
    "=HYPERLINK(1)",
    "+1",
    "a;=1+1",
    'x;"=1+1;',
    'x\t""=1',
    'x|"@a',
    "a\n=1",
    'a,"',
    "\n",
    "\x00",
    "\ufeff",
    "",
    "x" * 10_000,
]


def hostile(n):
    tokens = [f"{STRANGE[k % len(STRANGE)]}{k // len(STRANGE) or ''}" for k in range(n)]
    return tokens, attention(softmax(1, 2, n, n).astype("f4"), tokens, title=STRANGE[0])


def test_nothing_runs_and_names_are_cut_and_isolated(open_page):
    tokens, view = hostile(len(STRANGE))
    shown = Shown(open_page(view.to_html()))
    shown.press("stage", "Home", *["ArrowDown"] * len(STRANGE), "End", "Enter", "Enter")
    drawn = shown.root.evaluate("root => root.exported.svg()")
    assert shown.page.evaluate("window.hit") is None
    assert shown.root.locator("script, img, iframe, object").count() == 0
    tree = ElementTree.fromstring(drawn)
    assert {node.tag.split("}")[1] for node in tree.iter()} <= {
        *("svg", "title", "rect", "text", "line", "path", "image")
    }
    assert not [a for node in tree.iter() for a in node.attrib if a.startswith("on")]
    alone = shown.page.context.new_page()
    alone.set_content(drawn)
    assert alone.evaluate("window.hit") is None
    shown.hover(shown.token("query", tokens.index("x" * 10_000)))
    assert max(map(len, shown.drawn)) < 60
    assert "x" * 100 in shown.reading
    assert len(shown.sentence) < 120
    for token, read in [("שלום", "\u2068שלום\u2069"), ("\u202egnp", "‹U+202E›gnp")]:  # that turn
        shown.hover(shown.token("query", tokens.index(token)))
        said = shown.root.locator(".say").text_content()  # Firefox shows no isolates as inner text
        assert read in said
    shown.hover(shown.token("query", tokens.index("")))
    assert shown.sentence.startswith("∅ attends to ")
    no_formula(shown, view, tokens)


def no_formula(shown, view, tokens):
    """No cell of the CSV is one for a spreadsheet."""
    text = shown.csv
    same_numbers(text, view)
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len(rows) == len(tokens) ** 2 + 1
    assert not [cell for row in rows for cell in row if cell[:1] in set("=+@\t\r\n")]
    assert "a;'=1+1" in rows[1 + tokens.index("a;=1+1")]
    for separator in ";\t|":  # as where it stands between cells, whatever is quoted
        lines = text.splitlines()
        cells = [cell for line in lines for cell in line.split(separator)]
        cells += [cell for line in lines for cell in next(csv.reader([line], delimiter=separator))]
        assert not [cell for cell in cells if cell[:1] in set("=+@")]


def test_what_a_function_says_is_text_too(explore):
    bad = "<img/src=x/onerror=window.hit=1>"

    def read(text, silent=()):
        tokens = [bad, "</script>", "\u202eevil\n" if text == "b" else "b"]
        guesses = [[(bad, 0.5), ("\u202eevil\n", 0.004)]] * 3
        weights = softmax(4, 3, 3, 3, seed=len(silent))
        return {"weights": weights, "tokens": tokens, "guesses": guesses}

    shown = explore(attention(read, text="a", second="b", query=1, key=1, silent=[("self", 1, 1)]))
    assert shown.sentence == f"Without layer 1, head 1, {bad} says {bad} with 0.50, before 0.50"
    drawn = shown.drawn
    assert {"<0.01", "‹U+202E›evil↵"} <= set(drawn)
    words = shown.root.locator('.compared [data-word="second"]').all_text_contents()
    assert words[2] == "‹U+202…"
    assert shown.page.evaluate("window.hit") is None
    assert shown.root.locator("img").count() == 0
