"""What the attention explorer shows equals the arrays; hover previews, a click locks."""

import base64
import io
import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from seqviz.view import attention
from seqviz.views.shared.page import fragment
from tests.browser.attention_shown import (
    POSSIBLE,
    SOURCE,
    TARGET,
    TEXT,
    Shown,
    blocks,
    long,
    same_numbers,
    screen,
    sentence,
    softmax,
    text_of,
    three_kinds,
    translation,
    words,
)

pytestmark = pytest.mark.browser
N = len(TEXT)
WEIGHTS = softmax(3, 4, N, N)
NUMBER = re.compile(r"(<0\.001|\d+(\.\d+)?)")
STATES = [(merge, s) for merge in (False, True) for s in ("shown", "hidden", "renormalised")]


def close(got, want, share=0.004):
    """Within the stated error: 0.4 % of the row's maximum."""
    most = want.max(axis=1, keepdims=True)
    return (np.abs(got - want) <= share * most + 1e-12).all()


# ---- the numbers


@pytest.mark.parametrize("precision", ["byte", "half"])
def test_every_head_on_screen_is_the_array(explore, precision):
    shown = explore(attention(WEIGHTS, TEXT, precision=precision))
    for layer, head in [(0, 0), (2, 3), (1, 2)]:
        shown.click(shown.head(layer, head))
        got, rows, columns = shown.values
        assert (shown["layer"], shown["head"], rows, columns) == (str(layer), str(head), TEXT, TEXT)
        assert close(got, WEIGHTS[layer, head], 0.0005 if precision == "half" else 0.004)


def rollout(upto):
    mixed = np.eye(N)
    for layer in WEIGHTS[: upto + 1]:
        mixed = (layer.mean(0) / 2 + np.eye(N) / 2) @ mixed
    return mixed


ROLLUPS = {
    ("mean", 1, "mean"): WEIGHTS[1].mean(0),
    ("mean", "mean", 2): WEIGHTS[:, 2].mean(0),
    ("mean", "mean", "mean"): WEIGHTS.mean((0, 1)),
    ("max", 1, "max"): WEIGHTS[1].max(0),
    ("max", "max", 2): WEIGHTS[:, 2].max(0),
    ("max", "max", "max"): WEIGHTS.max((0, 1)),
    ("rollout", 2, "rollout"): rollout(2),
}


@pytest.mark.parametrize("place", ROLLUPS, ids=str)
def test_rollups(explore, place):
    rollup, layer, head = place
    shown = explore(sentence())
    shown.choose("Roll up", rollup)
    shown.click(shown.head(layer, head))
    assert (shown["layer"], shown["head"]) == (str(layer), str(head))
    assert close(shown.values[0], ROLLUPS[place])


@pytest.mark.filterwarnings("ignore:weights. layer 0, head 0, query")
@pytest.mark.parametrize("tokens", [70, 260], ids="{} tokens".format)
@pytest.mark.parametrize("kind", ["peaky", "causal", "dropped"])
def test_a_rollout_through_many_layers_is_pythons(explore, kind, tokens):
    a = softmax(12 if tokens == 70 else 3, 2, tokens, tokens) ** (3 if kind == "peaky" else 1)
    if kind == "causal":
        a = np.tril(a)
    if kind != "dropped":
        a /= a.sum(-1, keepdims=True)
    a[..., 0] *= 0.5 if kind == "dropped" else 1
    names = ["[CLS]", *words(tokens - 2), "[SEP]"]
    shown = explore(attention(a, names, layer=len(a) - 1, head="rollout"))
    mixed = np.eye(tokens)
    for layer in a:
        mixed = (layer.mean(0) + np.eye(tokens)) / 2 @ mixed
    assert close(shown.values[0], mixed)


def test_words_are_merged(explore):
    shown = explore(sentence())
    shown.check("Pieces as words")
    got, rows, _ = shown.values
    assert rows == ["[CLS]", "the", "animal", "was", "unbelievably", "tired", "the", "[SEP]"]
    want = screen(WEIGHTS[0, 0], True, "shown")
    assert np.abs(got - want).max() < 0.02
    np.testing.assert_allclose(got.sum(1), 1, atol=0.02)
    assert "unbelievably" in shown.drawn
    assert "##bel" not in shown.drawn


def test_specials_leave_and_what_they_took_is_said(explore):
    view = sentence()
    shown = explore(view)
    shown.choose("Special tokens", "hidden")
    got, rows, columns = shown.values
    assert rows == columns == TEXT[1:-1]
    assert close(got, WEIGHTS[0, 0, 1:-1, 1:-1])
    row = int(shown["query"]) - 1
    taken = WEIGHTS[0, 0, row, [0, -1]].sum()
    assert "hidden" in shown.list
    said = float(shown.list[-1].replace("<", ""))
    assert abs(said - taken) < 0.02
    shown.choose("Special tokens", "renormalised")
    scaled = shown.values[0]
    left = WEIGHTS[0, 0, 1:-1, 1:-1]
    assert close(scaled, left / left.sum(1, keepdims=True))
    assert shown.sentence.endswith("of what is left without special tokens")
    assert "hidden" not in shown.list


@pytest.mark.parametrize("precision", ["byte", "half"])
@pytest.mark.parametrize("place", [(1, 2), (1, "mean"), ("mean", 2), ("mean", "mean")], ids=str)
def test_what_is_left_is_as_exact_as_the_whole(explore, place, precision):
    a = WEIGHTS.copy()
    a[..., [0, -1]] += np.geomspace(1, 1000, N)[:, None]  # up to 0.999 of a row
    a /= a.sum(-1, keepdims=True)
    layer, head = place
    view = attention(a, TEXT, layer=layer, head=head, precision=precision)
    view.specials = "hidden"
    shown = explore(view)
    of = tuple(slice(None) if at == "mean" else slice(at, at + 1) for at in place)
    want = a[of].mean((0, 1))[1:-1, 1:-1]
    bound = 0.0005 if precision == "half" else 0.004
    assert close(shown.values[0], want, bound)
    shown.choose("Special tokens", "renormalised")
    assert close(shown.values[0], want / want.sum(1, keepdims=True), bound)


def test_many_weights_rounded_to_the_same_side_keep_their_sum(explore):
    row = np.full(102, 0.02 * (50.49 / 255) ** 2)
    row[1] = 0.02
    row[0] = 1 - row[1:].sum()
    view = attention(row[None], "a", key_tokens=["[CLS]", *words(101)])
    view.specials = "renormalised"
    want = row[None, 1:] / row[1:].sum()
    shown = explore(view)
    got = shown.values[0]
    assert close(got, want)
    assert not close(got / got.sum(), want, 0.01)  # by the sum of what was decoded
    same_numbers(shown.csv, view)


def control(shown, merge, specials):
    shown.choose("Special tokens", specials)
    shown.control("Pieces as words").set_checked(merge, force=True)
    shown.settle()


@pytest.mark.parametrize("rollup", ["mean", "max", "rollout"])
def test_thumbnails_are_of_what_is_shown(explore, rollup):
    shown = explore(sentence())
    shown.choose("Roll up", rollup)
    whole = "max" if rollup == "max" else "mean"
    for state in STATES:
        control(shown, *state)
        if rollup == "max":  # of what is on screen of the heads
            a = screen(WEIGHTS, *state)
            want = [a[:, 2].max(0), a.max((0, 1)), a[1].max(0)]
        else:
            means = [WEIGHTS[:, 2].mean(0), WEIGHTS.mean((0, 1)), WEIGHTS[1].mean(0)]
            rolled = [*means[:2], rollout(1) if rollup == "rollout" else means[2]]
            want = [screen(one, *state) for one in rolled]
        want.append(screen(WEIGHTS[2, 1], *state))
        places = [(whole, 2), (whole, whole), (1, rollup), (2, 1)]
        for place, a in zip(places, want, strict=True):
            assert np.abs(shown.thumb(*place) - blocks(a)).max() <= 2, (state, place)


@pytest.mark.parametrize("state", STATES, ids=str)
def test_a_maximum_is_of_what_is_on_screen_of_the_heads(explore, state):
    view = sentence(layer=1, head="max")
    view.words, view.specials = state
    shown = explore(view)
    want = screen(WEIGHTS[1], *state).max(0)
    assert close(shown.values[0], want, 0.012 if view.words else 0.004)
    same_numbers(shown.csv, view)


@pytest.mark.parametrize("precision", ["byte", "half"])
def test_a_thumbnail_is_of_weights_with_special_keys_anywhere(explore, precision):
    a = softmax(1, 2, 70, 131)
    keys = words(131)
    for k in (0, 40, 41, 130):
        keys[k] = "[SEP]"
        a[..., k] *= 3
    a /= a.sum(-1, keepdims=True)
    shown = explore(attention(a, words(70), key_tokens=keys, precision=precision))
    for head in (0, 1):
        assert np.abs(shown.thumb(0, head) - blocks(a[0, head])).max() <= 2


def test_a_thumbnail_of_many_tokens_is_of_those_that_are_shown(explore):
    n = 100
    a = softmax(1, 2, n, n)
    a[..., 0] += 5
    a /= a.sum(-1, keepdims=True)
    shown = explore(attention(a, ["[CLS]", *words(n - 1)]))
    assert shown.thumb(0, 1)[:, 0].min() > 2 * shown.thumb(0, 1)[:, 1:].max()
    shown.choose("Special tokens", "hidden")
    assert np.abs(shown.thumb(0, 1) - blocks(a[0, 1, 1:, 1:])).max() <= 2
    shown.choose("Roll up", "max")
    assert np.abs(shown.thumb(0, "max") - blocks(a[0].max(0)[1:, 1:])).max() <= 2


def test_the_list_adds_up_to_the_row(explore):
    shown = explore(sentence())
    shown.press("stage", "Enter")
    numbers = [float(text) for text in shown.list if text.replace(".", "").isdigit()]
    assert len(numbers) == 6  # the strongest five and the others
    assert sum(numbers) == pytest.approx(1, abs=0.02)
    values = WEIGHTS[0, 0, int(shown["query"]) - 1]
    assert numbers[:5] == pytest.approx(sorted(values)[:-6:-1], abs=0.006)


def numbers(shown):
    """The numbers of the list, those too small to tell as 0."""
    return [0.0 if t == "<0.001" else float(t) for t in shown.list[2:] if NUMBER.fullmatch(t)]


def one_sided(n=512):
    """A row of one large weight and many equal ones that are all rounded up."""

    def gain(k, at):
        return 1 + (n - 1) * ((k + at) / 255) ** 2

    k = max(range(3, 40), key=lambda k: gain(k, 1) / gain(k, 0.52))
    most = 1 / gain(k, 0.52)
    row = np.full(n, (1 - most) / (n - 1))
    row[0] = most
    return row


@pytest.mark.parametrize("precision", ["byte", "half"])
def test_sums_are_not_of_the_bytes(explore, precision):
    row = one_sided()
    n, most, each = len(row), row[0], row[1]
    weights = np.stack([np.roll(row, q) for q in range(n)]).astype("f4")
    view = attention(weights, words(n), precision=precision)
    view.query = 1
    assert explore(view).list[-2:] == ["507 others", text_of(507 * each)]
    view.side, view.query, view.key = "key", 0, 1
    shown = explore(view)
    assert "sum 1.00" in shown.list
    assert shown.list[-2:] == ["507 others", text_of(507 * each)]
    view = attention(weights, [*words(256), *["[PAD]"] * 256], precision=precision)
    view.query, view.specials = 1, "hidden"
    shown = explore(view)
    assert shown.list[-2:] == ["hidden", text_of(256 * each)]
    assert sum(numbers(shown)) == pytest.approx(1, abs=0.01)
    assert numbers(shown)[0] == pytest.approx(most, abs=0.006)


def test_a_column_of_largest_weights_keeps_its_sum(explore):
    """To scale the rows by their totals would take from the largest what the others gained."""
    row = one_sided()
    shown = explore(attention(np.tile(row, (20, 1)), words(20), key_tokens=words(512)))
    shown.hover(shown.token("key", 0))
    assert f"sum {text_of(20 * row[0])}" in shown.list


def test_few_small_weights_beside_a_large_one_keep_their_sum(explore):
    row = np.float64([0, *[3e-3] * 5, *[4e-4] * 12])
    row[0] = 1 - row.sum()
    for special, last in (("w0", "13 others"), ("[CLS]", "12 others")):
        view = attention(np.tile(row, (18, 1)), [special, *words(17)])
        view.query, view.specials = 2, "hidden"
        rest = 12 * 4e-4 + (0.003 if last == "13 others" else 0)
        shown = explore(view).list
        assert float(shown[shown.index(last) + 1]) == pytest.approx(rest, rel=0.1)


def test_a_preview_is_listed_beside_the_sums_of_the_head_in_focus(explore):
    weights = np.array([softmax(6, 6), 0.5 * softmax(6, 6)])
    with pytest.warns(UserWarning, match="sums to"):
        shown = explore(attention(weights, "abcdef", head=0))
    shown.hover(shown.head(0, 1))
    assert numbers(shown)[-2] == pytest.approx(2 * numbers(shown)[-1], abs=0.011)
    assert not any(text.startswith("sum") for text in shown.list)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("gap", [60, 90, 100, 120, 300])
def test_a_sink_leaves_little_or_nothing(explore, gap, dtype):
    scores = np.random.default_rng(0).normal(size=(12, 12))
    scores[:, 0] += gap
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    view = attention(weights.astype(dtype), ["[CLS]", *words(11)])
    for view.specials in ("hidden", "renormalised"):
        shown = explore(view)
        assert sum(numbers(shown)) == pytest.approx(1, abs=0.02)
        assert max(numbers(shown)) <= 1
        same_numbers(shown.csv, view)
        assert ("attends to nothing" in shown.sentence) is ("attends to nothing" in view.alt)
        assert ("attends to nothing" in view.alt) is (gap > (90 if dtype == np.float64 else 110))


def test_the_grid_is_the_arrays(explore):
    shown = explore(sentence(layer=1, head=2))
    weights = WEIGHTS[1, 2]
    entropy = -(weights * np.log2(weights)).sum(1).mean()
    assert shown.scores.startswith(f"entropy {entropy:.1f} of {np.log2(N):.1f} bits")
    for name, value in {
        "previous": np.diagonal(weights, -1).sum() / (N - 1),
        "itself": np.diagonal(weights).mean(),
        "first": weights[:, 0].mean(),
        "special": weights[:, [0, -1]].sum(1).mean(),
    }.items():
        assert f"{name} {text_of(value)}" in shown.scores, name
    # the strongest cell of the head is the darkest of its thumbnail
    dark = shown.root.evaluate(
        """root => {
            const {x, y, width, height} = root.cellOf(1, 2);
            const canvas = root.querySelector('.layers canvas'), pen = canvas.getContext('2d');
            const ratio = canvas.width / canvas.clientWidth;
            const data = pen.getImageData(x * ratio, y * ratio, width * ratio, height * ratio);
            let best = [999, 0, 0];
            for (let i = 0; i < data.width * data.height; i++) {
                const [r, g, b] = data.data.slice(4 * i, 4 * i + 3);
                if (r + g + b < best[0])
                    best = [r + g + b, (i % data.width) / data.width,
                        Math.floor(i / data.width) / data.height];
            }
            return best.slice(1);
        }"""
    )
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    assert (int(dark[1] * N + 0.3), int(dark[0] * N + 0.3)) == (row, column)


@pytest.mark.parametrize("scale", ["Linear", "Log", "Per row"])
def test_the_heatmap_is_coloured_by_the_scale(explore, scale):
    weights = np.array([[1, 0, 0], [0.1, 0.9, 0], [0.4, 0.2, 0.4]])
    shown = explore(attention(weights, words(3)))
    shown.check(scale)
    address = shown.root.locator(".heat canvas").evaluate("canvas => canvas.toDataURL()")
    image = Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))).convert("L")
    side = image.width / 6
    got = [[image.getpixel((int(c * side), int(r * side))) for c in (1, 3, 5)] for r in (1, 3, 5)]
    share = {
        "Linear": weights,
        "Log": 1 + np.log10(np.maximum(weights, 1e-4)) / 4,
        "Per row": weights / weights.max(1, keepdims=True),
    }[scale]
    steps = [241, 220, 186, 151, 117, 84, 58, 31]  # grey of the eight steps, light to dark
    want = np.interp(7 * share, range(8), steps)
    assert np.abs(got - want).max() < 5


def test_the_threshold_hides_lines_only(explore):
    shown = explore(sentence())
    lines = "s => s.querySelectorAll('.lines path').length"
    before, values = shown.stage.evaluate(lines), shown.values[0]
    shown.control("Hide lines below").fill("0.3")
    shown.settle()
    row = int(shown["query"]) - 1
    assert shown.stage.evaluate(lines) == (WEIGHTS[0, 0, row] >= 0.3).sum() < before
    assert (shown.values[0] == values).all()


def test_a_weight_is_never_a_round_zero(explore):
    weights = np.array([[0.9999, 0.0001], [1, 0]])
    shown = explore(attention(weights, ["a", "b"]))
    shown.hover(shown.cell(0, 1))
    assert shown.sentence == "a attends to b <0.001"
    assert shown.reading == "query 1 “a”, key 2 “b”: 0.0001"
    shown.hover(shown.cell(1, 1))
    assert shown.reading.endswith(": 0")


def test_a_row_that_is_masked(explore):
    weights = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]])
    shown = explore(attention(weights, ["pad", "a", "b"]))
    shown.hover(shown.token("query", 0))
    assert shown.sentence.startswith("pad attends to nothing")


# ---- the hand


def test_hover_previews_and_a_click_locks(explore):
    shown = explore(sentence())
    start = shown.sentence
    shown.hover(shown.cell(2, 5))
    assert (shown["query"], shown["key"], shown["locked"]) == ("3", "6", "false")
    assert shown.sentence == f"animal attends to ##bel {text_of(shown.values[0][2, 5])}"
    shown.hover((2, 2))
    assert shown.sentence == start
    shown.click(shown.cell(2, 5))
    shown.hover((2, 2))
    assert (shown["query"], shown["key"], shown["locked"]) == ("3", "6", "true")
    assert shown.state == "Esc frees animal"
    shown.click(shown.cell(2, 5))
    assert shown["locked"] == "false"


def test_a_locked_token_is_compared_with_the_one_under_the_pointer(explore):
    shown = explore(sentence())
    shown.click(shown.token("query", 2))
    locked = shown.sentence
    shown.hover(shown.token("query", 8))
    assert shown["compare"] == "query 9"
    assert shown.sentence == locked
    values = shown.values[0]
    assert shown.list[1].startswith("“tired” attends to “")
    assert shown.list[1].endswith(text_of(values[8].max()))
    assert text_of(values[2].max()) in shown.list
    assert text_of(values[8].max()) in shown.list


def test_a_key_answers_who_looks_at_it(explore):
    shown = explore(sentence())
    shown.hover(shown.token("key", 8))
    values = shown.values[0][:, 8]
    best = int(values.argmax())
    assert shown["side"] == "key"
    assert shown.sentence.startswith("tired is attended to by ")
    assert shown.sentence.endswith(text_of(values[best]))
    assert shown["query"] == str(best + 1)
    x, y = shown.cell(0, 8)
    shown.hover((x, y - 24))  # the name over the column
    assert (shown["side"], shown["key"]) == ("key", "9")


def test_a_head_is_previewed_beside_the_one_in_focus(explore):
    shown = explore(sentence())
    shown.hover(shown.head(2, 1))
    assert (shown["layer"], shown["head"], shown["preview"]) == ("2", "1", "true")
    assert shown.state == "head 2.1 · click opens"
    assert "head 2.1 beside 0.0" in shown.list
    assert close(shown.values[0], WEIGHTS[2, 1])
    shown.hover((2, 2))
    assert (shown["layer"], shown["head"], shown["preview"]) == ("0", "0", "false")


@pytest.mark.parametrize("where", ["heat", "lines", "grid"])
def test_a_press_that_moves_into_the_next_cell_is_a_click(explore, where):
    """The move redraws what was pressed; a node that went with it would take the click along."""
    shown = explore(sentence())
    mouse, taken = shown.page.mouse, []
    for k in range(8):
        pair = {
            "heat": lambda k=k: (shown.cell(k, 3 * k % N), shown.cell(k + 1, 0)),
            "lines": lambda k=k: (shown.token("query", k), shown.token("query", k + 1)),
            "grid": lambda k=k: (shown.head(0, (k + 1) % 4), shown.head(1, 0)),
        }[where]()
        x, y = pair[0][0], (pair[0][1] + pair[1][1]) / 2 - 0.5
        shown.hover((x, y))
        mouse.down()
        shown.hover((x, y + 1))
        mouse.up()
        shown.hover((2, 2))
        opened = shown["head"] == str((k + 1) % 4)  # each time another one
        taken.append(opened if where == "grid" else shown["locked"] == "true")
        shown.press("stage", "Escape")
    assert taken == [True] * 8


# ---- kinds, gold, order


def test_the_switch_of_kinds_with_unequal_depths(explore):
    view = three_kinds()
    shown = explore(view)
    shown.click(shown.head(5, 7))
    assert (shown["kind"], shown["layer"], shown["head"]) == ("encoder", "5", "7")
    shown.check("cross")
    assert (shown["kind"], shown["layer"], shown["head"]) == ("cross", "1", "3")
    got, rows, columns = shown.values
    assert (rows, columns) == (TARGET, SOURCE)
    assert close(got, softmax(2, 4, 5, 9, seed=1)[1, 3])
    shown.check("decoder")
    got, _, _ = shown.values
    assert close(got, softmax(2, 4, 5, 5, seed=2, causal=True)[1, 3])
    assert (got[np.triu_indices(5, 1)] == 0).all()


def test_gold_links(explore):
    view = translation()
    shown = explore(view)
    count = "s => ['.heat', '.lines'].flatMap(pane => ['sure', 'possible'].map(kind =>"
    count += " s.querySelectorAll(`${pane} [data-gold=${kind}]`).length))"
    assert shown.stage.evaluate(count) == [4, 2, 4, 2]
    dashed = shown.root.locator(".heat [data-gold=possible]").first
    assert dashed.get_attribute("stroke-dasharray")
    assert "alignment error rate" in shown.scores
    assert any(text.startswith("error rate 0.") for text in shown.drawn)
    assert "outlines: given links, dashed for possible ones" in shown.root.inner_text()


def test_one_head_has_no_grid(explore):
    shown = explore(
        attention({name: [softmax(1, 4, 5)] for name in "ab"}, "abcd", key_tokens="vwxyz")
    )
    assert not shown.root.locator(".grid").is_visible()
    assert not shown.root.get_by_text("All heads").is_visible()
    assert "thumbnail" not in shown.root.locator(".foot").inner_text()
    assert shown.root.locator(".list").is_visible()
    drawn = shown.root.evaluate("root => root.exported.svg()")
    assert "All heads" not in drawn
    assert explore(sentence()).root.locator(".grid").is_visible()


def test_heads_in_the_order_of_a_score(explore):
    shown = explore(sentence())
    first = WEIGHTS[..., 0].mean(-1)
    shown.choose("Order by", "first")
    assert shown.order == in_order(-first)
    shown.control("At least").fill(str(round(float(np.median(first)), 2)))
    shown.settle()
    assert shown.root.locator('.layers text.strong[opacity="0.55"]').count() >= 5
    shown.press("stage", "ArrowDown", "Enter")
    shown.choose("Order by", "cell")
    q, k = int(shown["query"]) - 1, int(shown["key"]) - 1
    assert shown.order == in_order(-WEIGHTS[..., q, k])


def in_order(values):
    """Names of the heads, the lowest first."""
    return [f"{k // 4}.{k % 4}" for k in np.argsort(values, axis=None)]


def test_sharp_heads_come_first_and_blunt_ones_are_faded(explore):
    shown = explore(sentence())
    entropy = -(WEIGHTS * np.log2(WEIGHTS)).sum(-1).mean(-1)
    shown.choose("Order by", "entropy")
    assert shown.order == in_order(entropy)
    assert "lowest entropy first" in shown.drawn
    slider, faded = shown.control("At most"), '.layers text.strong[opacity="0.55"]'
    assert shown.root.locator(faded).count() == 0
    assert slider.get_attribute("aria-valuetext") == "all"
    assert slider.input_value() == slider.get_attribute("max")
    limit = round(float(np.median(entropy)), 2)
    slider.fill(str(limit))
    shown.settle()
    assert shown.root.locator(faded).count() == (entropy > limit).sum()
    slider.press("End")  # back to all
    shown.settle()
    assert shown.root.locator(faded).count() == 0
    shown.choose("Order by", "first")
    assert shown.control("At least").input_value() == "0"


@pytest.mark.parametrize("limit", [0.3, 0.7])
def test_a_head_at_the_limit_is_not_faded(explore, limit):
    heads = [own * np.eye(4) + (1 - own) / 3 * (1 - np.eye(4)) for own in (limit, limit - 0.01)]
    view = attention([heads], "abcd")
    view.sort, view.least = "itself", limit
    shown = explore(view)
    assert shown.root.locator('.layers text.strong[opacity="0.55"]').count() == 1


@pytest.mark.parametrize("state", STATES, ids=str)
def test_heads_are_sorted_by_what_is_shown(explore, state):
    view = sentence()
    view.words, view.specials = state
    shown = explore(view)
    a = screen(WEIGHTS, *state)
    shown.choose("Order by", "itself")
    assert shown.order == in_order(-np.diagonal(a, axis1=-2, axis2=-1).mean(-1))
    p = a / a.sum(-1, keepdims=True)
    entropy, most = -(p * np.log2(p)).sum(-1).mean(-1)[0, 0], np.log2(a.shape[-1])
    assert shown.scores.startswith(f"entropy {entropy:.1f} of {most:.1f} bits · ")
    assert ("hidden special" in shown.scores) is (state[1] != "shown")
    shown.press("stage", "ArrowDown", "ArrowRight", "Enter")
    shown.choose("Order by", "cell")
    starts = [k for k, token in enumerate(TEXT) if not (state[0] and token.startswith("##"))]
    starts = starts if state[1] == "shown" else starts[1:-1]
    q, k = (starts.index(int(shown[side]) - 1) for side in ("query", "key"))
    assert shown.order == in_order(-a[..., q, k])


def test_the_error_rate_is_of_what_is_shown(explore):
    rows = np.array([[0.2, 0.3, 0.5], [0.5, 0.4, 0.1]])  # the first attends to the special token
    view = attention(rows, "ab", key_tokens=["x", "y", "</s>"], sure={(0, 1), (1, 0)})
    shown = explore(view)
    assert "error rate 0.33" in shown.drawn
    shown.choose("Special tokens", "hidden")
    assert "error rate 0.00" in shown.drawn
    assert "alignment error rate 0.00" in shown.scores


def test_a_roll_up_says_the_mean_entropy_of_its_heads(explore):
    shown = explore(sentence())
    entropy, most = -(WEIGHTS * np.log2(WEIGHTS)).sum(-1).mean(-1), np.log2(N)
    said = {
        (1, "mean"): f"layer 1's heads: {entropy[1].mean():.1f}",
        ("mean", 2): f"head 2 in all layers: {entropy[:, 2].mean():.1f}",
        ("mean", "mean"): f"all heads: {entropy.mean():.1f}",
    }
    for place, text in said.items():
        shown.hover(shown.head(*place))
        assert shown.scores.endswith(f" · mean entropy of {text} of {most:.1f} bits"), place
    shown.hover((2, 2))
    shown.press(".grid", *["ArrowRight"] * 4)
    assert shown.scores.startswith("Layer 0 · mean over heads · mean entropy of layer 0's heads")


def test_the_threshold_reaches_what_is_given(explore):
    view = sentence()
    view.threshold = 0.9
    slider = explore(view).control("Hide lines below")
    assert (slider.input_value(), slider.get_attribute("aria-valuetext")) == ("0.9", "0.90")


@pytest.mark.parametrize("width", [480, 1000])
def test_no_option_is_cut(explore, width):
    shown = explore(translation(), width=width)
    for label in ("Roll up", "Order by", "Special tokens"):
        for option in shown.control(label).locator("option").all():
            shown.choose(label, option.get_attribute("value"))
            room = shown.control(label).evaluate(
                """select => {
                    const pen = document.createElement('canvas').getContext('2d');
                    const {font, paddingLeft} = getComputedStyle(select);
                    pen.font = font;
                    const text = pen.measureText(select.selectedOptions[0].textContent).width;
                    return select.clientWidth - 2 * parseFloat(paddingLeft) - text;
                }"""
            )
            assert room >= 12  # the arrow


@pytest.mark.parametrize("rollup", ["mean", "max", "rollout"])
def test_names_above_the_grid_stand_apart(explore, rollup):
    view = attention(softmax(12, 12, 9, 9), words(9))
    view.rollup = rollup
    shown = explore(view)
    for width in shown.at_widths(480, 700, 1000, 1200, 1600):
        boxes = shown.stage.evaluate(
            """stage => [...stage.querySelectorAll('.grid svg text[y="13"]')].map(node => {
                const {left, right} = node.getBoundingClientRect();
                return [left, right, node.textContent];
            })"""
        )
        boxes.sort()
        assert {"0", rollup} <= {name for *_, name in boxes}
        for (_, end, before), (start, _, after) in pairwise(boxes):
            assert start >= end + 2, f"{before} and {after} at {width}"


# ---- what Python and the page agree on


def settings():
    plain = {"layer": 2, "head": 1}
    yield "plain", sentence, plain
    yield "words", sentence, {**plain, "words": True}
    yield "renormalised", sentence, {"words": True, "specials": "renormalised"}
    yield "mean", sentence, {"layer": 1, "head": "mean"}
    yield "max", sentence, {"layer": "max", "head": 3, "specials": "hidden"}
    yield "max of words", sentence, {"layer": "max", "head": "max", "words": True}
    yield "max of rescaled", sentence, {"head": "max", "words": True, "specials": "renormalised"}
    yield "rollout", sentence, {"layer": 2, "head": "rollout"}
    yield "cross", three_kinds, {"kind": "cross"}
    yield "gold", translation, {}


@pytest.mark.parametrize(("make", "controls"), [s[1:] for s in settings()], ids=lambda x: "")
def test_the_same_csv_from_python_and_page(explore, make, controls):
    view = make()
    for name, value in controls.items():
        setattr(view, name, value)
    shown = explore(view)
    same_numbers(shown.csv, view)
    before = shown.csv
    shown.press("stage", "ArrowDown", "ArrowRight", "Enter")
    assert shown.csv == before  # the cursor changes nothing in it


def test_the_svg_opens_alone(explore):
    shown = explore(long(20))
    drawn = shown.root.evaluate("root => root.exported.svg()")
    tree = ElementTree.fromstring(drawn)
    images = [node for node in tree.iter() if node.tag.endswith("}image")]
    assert len(images) == 3  # grid, heatmap, lines
    assert all(node.get("href").startswith("data:image/png;base64,") for node in images)
    assert "Layer 0 · head 0" in drawn
    assert not [node for node in tree.iter() if node.tag.endswith("}script")]


def svg_texts(shown):
    tree = ElementTree.fromstring(shown.root.evaluate("root => root.exported.svg()"))
    return [node.text for node in tree.iter() if node.tag.endswith("}text")]


def test_a_saved_picture_says_its_title_and_its_state(explore):
    view = sentence(title="Heads of a small model")
    shown = explore(view)
    texts = svg_texts(shown)
    assert texts[0] == "Heads of a small model"
    assert texts[1] == shown.root.locator(".say").text_content()
    assert texts[2] == "Layer 0 · head 0 · lines from 0.02 · colour linear"
    control(shown, True, "renormalised")
    shown.check("Log")
    shown.choose("Order by", "entropy")
    shown.control("At most").fill("1.5")
    shown.control("Hide lines below").fill("0")
    shown.settle()
    assert (
        "Layer 0 · head 0 · pieces merged into words · special tokens hidden, rescaled · "
        "colour log · heads by entropy, faded above 1.50"
    ) in " ".join(svg_texts(shown)[2:5])
    assert svg_texts(explore(three_kinds()))[2].startswith("encoder · Layer 0 · head 0 · ")


@pytest.mark.slow
def test_the_picture_from_code_is_that_of_the_button(tmp_path):
    view = sentence(title="Heads")
    drawn = ElementTree.fromstring(view.to_svg(width=900))
    picture = Image.open(io.BytesIO(view.to_png(tmp_path / "a.png", width=900, scale=2)))
    assert picture.size == (1800, round(2 * float(drawn.get("height"))))
    assert (tmp_path / "a.png").stat().st_size > 20_000
    assert len(picture.convert("RGB").getcolors(1 << 24)) > 200


# ---- places


PIXEL = """s => [...s.querySelector('.heat canvas').getContext('2d')
    .getImageData(2, 2, 1, 1).data].join()"""


@pytest.mark.parametrize("dark", [False, True])
def test_the_theme_changes_while_the_view_is_there_or_hidden(explore, dark):
    shown = explore(sentence(), dark=dark)
    page, old = shown.page, shown.stage.evaluate(PIXEL)
    themes = ["dark", "light"] if dark else ["light", "dark"]
    page.emulate_media(color_scheme=themes[1])
    page.wait_for_selector(f'.seqviz[data-theme="{themes[1]}"]')
    shown.settle()
    assert shown.stage.evaluate(PIXEL) != old
    hidden = "way => { document.querySelector('.seqviz').parentNode.style.display = way; }"
    page.evaluate(hidden, "none")
    page.emulate_media(color_scheme=themes[0])
    page.wait_for_selector(f'.seqviz[data-theme="{themes[0]}"]', state="attached")
    page.evaluate(hidden, "")
    shown.settle()
    assert shown.stage.evaluate(PIXEL) == old


CUT_OR_TINY = """s => {
    const wrong = [], inside = s.getBoundingClientRect();
    for (const t of s.querySelectorAll('text')) {
        if (!t.getClientRects().length) continue;
        const {left, right} = t.getBoundingClientRect();
        if (parseFloat(getComputedStyle(t).fontSize) < 10.9) wrong.push('tiny: ' + t.textContent);
        if (left < inside.left - 3 || right > inside.right + 4) wrong.push('cut: ' + t.textContent);
    }
    return wrong;
}"""
SIZES = {
    "one": lambda: attention(np.ones((1, 1)), ["a"]),
    "sentence": sentence,
    "translation": translation,
    "kinds": three_kinds,
    "60": lambda: long(60),
    "128": long,
    "many heads": lambda: attention(softmax(24, 16, 6, 6), words(6)),
    "12 on 200": lambda: attention(softmax(1, 2, 12, 200), words(12), key_tokens=words(200)),
}


@pytest.mark.parametrize("name", SIZES)
def test_no_text_is_cut_or_tiny(explore, name):
    shown = explore(SIZES[name]())
    for width in shown.at_widths(400, 480, 800, 1000, 1400):
        assert shown.stage.evaluate(CUT_OR_TINY) == [], width
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width


OVERLAPS = """s => [...s.querySelectorAll('svg')].flatMap(drawing => {
    const level = [...drawing.querySelectorAll('text')].filter(t => t.getClientRects().length
        && t.textContent.trim() && !t.getAttribute('transform')?.includes('rotate'));
    const boxes = level.map(t => t.getBoundingClientRect());
    return boxes.flatMap((a, i) => boxes.slice(0, i).flatMap((b, j) => {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return wide > 1 && high > 4 ? [level[j].textContent + ' | ' + level[i].textContent] : [];
    }));
})"""


def test_one_head_has_room_for_its_map_and_its_words(explore):
    english = "the agreement on the european economic area was signed in august 1992"
    french = "l' accord sur la zone économique européenne a été signé en août 1992"
    weights, links = softmax(1, 1, 13, 12), {(k, k) for k in range(12)}
    view = attention(weights, french.split(), key_tokens=english.split(), sure=links)
    shown = explore(view)
    for width in shown.at_widths(400, 480, 600, 870, 900, 960, 1000, 1400):
        heat = shown.root.locator(".heat").bounding_box()
        assert heat["width"] >= (100 if width < 480 else 180)  # of twelve columns
        assert shown.stage.evaluate(OVERLAPS) == [], width


def test_nothing_moves_under_the_pointer(explore):
    shown = explore(sentence())
    where = """root => ['.heat', '.lines', '.grid', '.foot'].map(name => {
        const {x, y, width, height} = root.querySelector(name).getBoundingClientRect();
        return [x, y, width, height].map(Math.round).join();
    }).join(' ')"""
    places = set()
    for k in range(N):
        shown.hover(shown.cell(k, (5 * k) % N))
        places.add(shown.root.evaluate(where))
        shown.hover(shown.head(k % 3, k % 4))
        places.add(shown.root.evaluate(where))
    assert len(places) <= 2  # the foot gives way once, to the longest sentence


def test_a_hidden_view_is_drawn_when_it_is_shown(open_page):
    page = open_page(f'<div id="tab" style="display:none">{fragment(sentence())}</div>')
    page.wait_for_selector(".seqviz", state="attached")
    assert page.locator('.seqviz[data-ready="true"]').count() == 0
    page.evaluate("document.getElementById('tab').style.display = 'block'")
    page.wait_for_selector('.seqviz[data-ready="true"]')


def test_two_on_a_page_know_nothing_of_each_other(open_page):
    page = open_page(fragment(sentence()) + fragment(translation()))
    page.wait_for_function("document.querySelectorAll('.seqviz[data-ready]').length === 2")
    Shown(page).press("stage", "ArrowDown", "Enter")
    locked = page.locator(".seqviz").evaluate_all("all => all.map(root => root.dataset.locked)")
    assert locked == ["true", "false"]
    page.get_by_label("Log", exact=True).nth(1).check(force=True)
    scales = page.get_by_label("Linear", exact=True).evaluate_all("all => all.map(r => r.checked)")
    assert scales == [True, False]


def test_a_weight_of_0_beside_others_is_said_as_0(explore):
    shown = explore(attention([[1.0, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]], "abc"))
    shown.hover(shown.cell(1, 2))
    assert shown.sentence == "b attends to c 0"


def test_no_weight_above_0_is_shown_as_0(explore):
    shown = explore(attention([[1 - 1e-6, 1e-6], [0.5, 0.5]], "ab"))
    got, _, _ = shown.values
    assert (got > 0).all()


def test_others_above_0_are_not_listed_as_0(explore):
    row = [0.4299, 0.19, 0.15, 0.14, 0.09, 0.00005, 0.00005]
    shown = explore(attention(np.array([row] * 7), "abcdefg"))
    shown.press("stage", "Enter")
    assert shown.list[-2:] == ["2 others", "<0.001"]


def test_a_preview_ends_with_its_kind(explore):
    shown = explore(three_kinds())
    shown.press(".grid", "ArrowDown", "ArrowDown", "ArrowDown")
    assert (shown["preview"], shown["layer"]) == ("true", "3")
    shown.page.evaluate(
        """() => {
            const cross = [...document.querySelectorAll('input[type=radio]')]
                .find(radio => radio.value === 'cross');
            cross.click();
        }"""
    )
    shown.settle()
    assert (shown["kind"], shown["preview"]) == ("cross", "false")


# ---- step by step, and another text


def test_a_decoder_step_veils_what_is_not_written_yet(explore):
    view = translation()
    view.step = 2
    shown = explore(view)
    veil, heat = (shown.root.locator(w).bounding_box() for w in (".veil", ".heat canvas"))
    assert veil["y"] - heat["y"] == pytest.approx(heat["height"] * 2 / len(TARGET), abs=1)
    assert veil["y"] + veil["height"] >= heat["y"] + heat["height"] - 1
    gold = shown.root.locator(".lines [data-gold]")
    written = sum(query < 2 for query, _ in POSSIBLE)
    assert gold.count() == written
    faint = "texts => texts.filter(t => t.getAttribute('opacity')).map(t => t.textContent)"
    names = shown.root.locator('.pair text[data-side="query"]')
    assert names.evaluate_all(faint) == TARGET[2:]
    assert "2 of 5 steps" in view.to_svg()
    slider = shown.control("Decoder step")
    slider.fill("5")
    shown.settle()
    assert shown.root.locator(".veil").count() == 0
    assert (shown["step"], gold.count()) == ("5", len(POSSIBLE))
    assert "sleeps" in TARGET
    assert shown.sentence.startswith("</s> attends to")


def test_the_step_goes_along_to_a_word_that_is_not_written_yet(explore):
    view = translation()
    view.step = view.query = 2
    shown = explore(view)
    shown.root.locator(".stage").press("ArrowDown")
    shown.settle()
    assert (shown["step"], shown["compare"]) == ("3", "query 3")
    shown.page.keyboard.press("ArrowUp")
    shown.settle()
    assert (shown["step"], shown["compare"]) == ("3", "")  # the locked one again
    name = shown.root.locator('.pair text[data-side="query"]').last.bounding_box()
    shown.page.mouse.click(name["x"] + name["width"] / 2, name["y"] + name["height"] / 2)
    shown.settle()
    assert (shown["step"], shown["query"]) == ("5", "5")
    assert shown.root.locator(".veil").count() == 0


def test_self_attention_has_no_decoder_step(explore):
    assert explore(sentence()).control("Decoder step").is_hidden()
