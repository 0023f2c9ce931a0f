"""The attention explorer on a page, as a person meets it, and arrays to show in it."""

import csv
import io
import re
from collections import defaultdict

import numpy as np

from seqviz.view import attention
from tests.browser.shown import Page

TEXT = ["[CLS]", "the", "animal", "was", "un", "##bel", "##iev", "##ably", "tired", "the", "[SEP]"]
SOURCE = ["le", "chat", "noir", "dort", "sur", "le", "tapis", "rouge", "</s>"]
TARGET = ["the", "black", "cat", "sleeps", "</s>"]
SURE = {(0, 0), (1, 2), (2, 1), (3, 3)}
POSSIBLE = SURE | {(3, 4), (4, 8)}


def softmax(*shape, seed=0, sharp=2.0, causal=False):
    scores = sharp * np.random.default_rng(seed).normal(size=shape)
    if causal:
        scores = np.where(np.tri(*shape[-2:]) > 0, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def sentence(layers=3, heads=4, **more):
    n = len(TEXT)
    return attention(softmax(layers, heads, n, n), TEXT, **more)


def translation(**more):
    weights = softmax(4, 3, len(TARGET), len(SOURCE), seed=1)
    return attention(weights, TARGET, key_tokens=SOURCE, sure=SURE, possible=POSSIBLE, **more)


def three_kinds():
    return attention(
        encoder=softmax(6, 8, 9, 9),
        cross=softmax(2, 4, 5, 9, seed=1),
        decoder=softmax(2, 4, 5, 5, seed=2, causal=True),
        encoder_tokens=SOURCE,
        decoder_tokens=TARGET,
    )


def words(n):
    return [f"w{k}" for k in range(1, n + 1)]


def long(n=128, layers=2, heads=2):
    return attention(softmax(layers, heads, n, n, sharp=3), words(n))


WHOLE = np.eye(len(TEXT))[[0, 1, 2, 3, 4, 4, 4, 4, 5, 6, 7]][:, :8]  # pieces to words


def screen(a, merge, specials):
    """What is on screen of maps (..., N, N) of TEXT."""
    a = (WHOLE / WHOLE.sum(0)).T @ a @ WHOLE if merge else a
    a = a if specials == "shown" else a[..., 1:-1, 1:-1]
    return a / a.sum(-1, keepdims=True) if specials == "renormalised" else a


def blocks(a):
    """A thumbnail: the largest of each block, 255 sqrt(share of the largest)."""
    for axis in (-2, -1):
        n = a.shape[axis]
        starts = np.searchsorted(np.arange(n) * min(n, 48) // n, range(min(n, 48)))
        a = np.maximum.reduceat(a, starts, axis)
    return np.rint(255 * np.sqrt(a / a.max()))


def text_of(value):
    """A weight as the page writes it."""
    if value == 0:
        return "0"
    return "<0.001" if value < 0.001 else f"{value:.{3 if value < 0.0095 else 2}f}"


def same_numbers(text, view, want=None):
    """A page's CSV has Python's weights, or those of the map `want`, as far as its digits tell."""
    page, own = ([*csv.DictReader(io.StringIO(t, newline=""))] for t in (text, view.to_csv()))
    places = "kind", "layer", "head", "query position", "query", "key position", "key", "checkpoint"

    def place(row):
        silent = "" if row.get("show") == "before" else row.get("silent")
        return (*map(row.get, places), silent)

    first = [row for row in own if row.get("text") != "second"]
    known = {place(row): float(row["weight"]) for row in first}
    wanted = [known[place(row)] for row in page] if want is None else np.ravel(want).tolist()
    rows = defaultdict(list)
    for row, value in zip(page, wanted, strict=True):
        rows[row["query position"]].append(value)
    if want is None and page and page[0]["special tokens"] == "renormalised":
        sums = {query: sum(values) for query, values in rows.items()}
        wanted = [v / sums[row["query position"]] for row, v in zip(page, wanted, strict=True)]
        rows = {query: [v / sums[query] for v in values] for query, values in rows.items()}
    most = {query: max(values) for query, values in rows.items()}
    share = (5e-4 if view.facts["precision"] == "half" else 4e-3) * (3 if view.words else 1)
    for row, value in zip(page, wanted, strict=True):
        got = float(row["weight"])
        unit = 10.0 ** -len(row["weight"].partition(".")[2])
        apart = abs(got - value) - 1e-6
        known_to = 1.5 if got >= 2 * unit else 3  # half of it is the rounding to these digits
        assert apart <= known_to * unit, (row, value)
        if view.between == "all":  # else the row's largest may be off screen
            assert apart <= share * most[row["query position"]] + unit / 2, (row, value)


class Shown(Page):
    """This view, and what is its own."""

    def press(self, where, *keys):
        (self.stage if where == "stage" else self.root.locator(where)).focus()
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def again(self):
        """Begin anew, as wide as `explore` shows it."""
        self.page.set_viewport_size({"width": 1240, "height": 900})
        self.page.mouse.move(2, 2)
        self.press("stage", "Escape", "Escape", "r")
        return self

    def settle(self):
        frames = (
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        self.page.evaluate(frames)
        self.page.wait_for_function("!document.querySelector('.seqviz[aria-busy=\"true\"]')")

    def control(self, label):
        return self.root.get_by_label(label, exact=True)

    def choose(self, label, value):
        self.control(label).select_option(value)
        self.settle()

    def check(self, label):
        self.control(label).check(force=True)
        self.settle()

    @property
    def values(self):
        """The weights on screen, with the texts of their rows and columns."""
        shown = self.root.evaluate("root => root.shown()")
        rows, columns = shown["rows"], shown["columns"]
        return np.reshape(shown["values"], (len(rows), len(columns))), rows, columns

    def thumb(self, layer, head):
        """A head's thumbnail, as it was made or sent."""
        picture = self.root.evaluate("(root, place) => root.thumb(...place)", [layer, head])
        return np.reshape(picture["bytes"], (picture["rows"], picture["columns"]))

    @property
    def order(self):
        """The heads as they stand, where they are sorted."""
        return self.root.locator(".layers text.strong").all_text_contents()

    @property
    def csv(self):
        return self.root.evaluate("root => root.exported.csv()")

    @property
    def table(self):
        return list(csv.reader(io.StringIO(self.csv)))[1:]

    @property
    def reading(self):
        return self.root.locator(".reading").inner_text()

    @property
    def scores(self):
        return self.root.locator(".scores").inner_text()

    @property
    def lowest(self):
        """Where the colour scale begins."""
        texts = self.root.locator(".main > svg").first.locator("text").all_text_contents()
        return texts[-2].removeprefix("weight ")

    @property
    def sentence(self):
        """The sentence; its tokens stand in quotation marks, which are taken off here."""
        return re.sub(r"“(.*?)”", r"\1", super().sentence)

    @property
    def state(self):
        return self.root.locator(".state").inner_text()

    @property
    def list(self):
        return self.root.locator(".list text").all_text_contents()

    def cell(self, row, column):
        """The middle of a cell of the heatmap on the page; rows and columns in sight from 0."""
        self.settle()
        box = self.root.locator(".heat canvas").bounding_box()
        first, last = map(int, self["rows"].split("-"))
        left, right = map(int, self["columns"].split("-"))
        x = box["x"] + (column + 0.5) * box["width"] / (right - left + 1)
        return x, box["y"] + (row + 0.5) * box["height"] / (last - first + 1)

    def token(self, side, at):
        """The middle of a token's name, beside the map or at the end of the lines."""
        name = self.root.locator(f'.pair text[data-side="{side}"][data-at="{at}"]')
        box = name.first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def column(self, at):
        """The middle of a column's name over the map."""
        box = self.root.locator(f'.heat text[data-column="{at}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def head(self, layer, head):
        """The middle of a head's thumbnail, in order of place."""
        return self.root.evaluate(
            """(root, [layer, head]) => {
                const {x, y} = root.querySelector('.layers').getBoundingClientRect();
                const at = root.cellOf(layer, head);
                return [x + at.x + at.width / 2, y + at.y + at.height / 2];
            }""",
            [layer, head],
        )

    def hover(self, place):
        self.page.mouse.move(*place)
        self.settle()

    def click(self, place):
        self.page.mouse.click(*place)
        self.settle()
