"""What the attention explorer shows equals the arrays; hover previews, a click locks."""

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from seqviz.view import attention
from tests.browser.attention_shown import (
    POSSIBLE,
    SOURCE,
    TARGET,
    TEXT,
    Shown,
    blocks,
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
STATES = [(False, "hidden"), (True, "shown"), (True, "renormalised")]
FADED = '.layers text.strong[opacity="0.55"]'


@pytest.fixture
def shown(once):
    """A sentence, opened once for all tests of this file."""
    return once(Shown, sentence).again()


def close(got, want, share=0.004):
    """Within the stated error: 0.4 % of the row's maximum."""
    most = want.max(axis=1, keepdims=True)
    return (np.abs(got - want) <= share * most + 1e-12).all()


def control(shown, merge, specials):
    shown.choose("Special tokens", specials)
    shown.control("Pieces as words").set_checked(merge, force=True)
    shown.settle()


def in_order(values):
    """Names of the heads, the lowest first."""
    return [f"{k // 4}.{k % 4}" for k in np.argsort(values, axis=None)]


# ---- the numbers


def rollout(upto):
    mixed = np.eye(N)
    for layer in WEIGHTS[: upto + 1]:
        mixed = (layer.mean(0) / 2 + np.eye(N) / 2) @ mixed
    return mixed


MAPS = {
    ("mean", 0, 0): WEIGHTS[0, 0],
    ("mean", 2, 3): WEIGHTS[2, 3],
    ("mean", 1, "mean"): WEIGHTS[1].mean(0),
    ("mean", "mean", 2): WEIGHTS[:, 2].mean(0),
    ("mean", "mean", "mean"): WEIGHTS.mean((0, 1)),
    ("max", 1, "max"): WEIGHTS[1].max(0),
    ("max", "max", 2): WEIGHTS[:, 2].max(0),
    ("max", "max", "max"): WEIGHTS.max((0, 1)),
    ("rollout", 2, "rollout"): rollout(2),
}


def test_every_head_and_roll_up_on_screen_is_the_array_and_so_is_the_csv(explore):
    view = attention(WEIGHTS, TEXT)
    shown = explore(view)
    for (rollup, layer, head), want in MAPS.items():
        shown.choose("Roll up", rollup)
        shown.click(shown.head(layer, head))
        assert (shown["layer"], shown["head"]) == (str(layer), str(head))
        got, rows, columns = shown.values
        assert (rows, columns) == (TEXT, TEXT)
        assert close(got, want)
        same_numbers(shown.csv, view, want)
    before = shown.csv
    shown.press("stage", "ArrowDown", "ArrowRight", "Enter")
    assert shown.csv == before  # the cursor changes nothing in it


@pytest.mark.filterwarnings("ignore:weights. layer 0, head 0, query")
def test_a_rollout_goes_through_many_layers(explore):
    a = softmax(12, 2, 70, 70)
    a[..., 0] *= 0.5  # as dropout does
    names = ["[CLS]", *words(68), "[SEP]"]
    shown = explore(attention(a, names, layer=11, head="rollout"))
    mixed = np.eye(70)
    for layer in a:
        mixed = (layer.mean(0) + np.eye(70)) / 2 @ mixed
    assert close(shown.values[0], mixed)


def test_words_and_special_tokens_change_every_part(shown):
    view = sentence()
    for state in STATES:
        merge, specials = state
        control(shown, *state)
        a = screen(WEIGHTS, *state)
        share = 0.012 if merge else 0.004
        got, rows, _ = shown.values
        names = TEXT if not merge else [*TEXT[:4], "unbelievably", *TEXT[8:]]
        assert rows == (names if specials == "shown" else names[1:-1])
        assert close(got, a[0, 0], share)
        view.words = merge
        same_numbers(shown.csv, view, a[0, 0])
        for rollup in ("mean", "max", "rollout"):
            shown.choose("Roll up", rollup)
            whole = "max" if rollup == "max" else "mean"
            if rollup == "max":  # of what is on screen of the heads
                want = [a[:, 2].max(0), a.max((0, 1)), a[1].max(0)]
            else:
                means = [WEIGHTS[:, 2].mean(0), WEIGHTS.mean((0, 1)), WEIGHTS[1].mean(0)]
                rolled = [*means[:2], rollout(1) if rollup == "rollout" else means[2]]
                want = [screen(one, *state) for one in rolled]
            places = [(whole, 2), (whole, whole), (1, rollup), (2, 1)]
            for place, one in zip(places, [*want, a[2, 1]], strict=True):
                assert np.abs(shown.thumb(*place) - blocks(one)).max() <= 2, (state, place)
        shown.choose("Roll up", "max")
        shown.click(shown.head(1, "max"))
        assert close(shown.values[0], a[1].max(0), share)
        shown.click(shown.head(0, 0))
        shown.choose("Order by", "itself")
        assert shown.order == in_order(-np.diagonal(a, axis1=-2, axis2=-1).mean(-1))
        p = a / a.sum(-1, keepdims=True)
        entropy, most = -(p * np.log2(p)).sum(-1).mean(-1)[0, 0], np.log2(a.shape[-1])
        assert shown.scores.startswith(f"entropy {entropy:.1f} of {most:.1f} bits · ")
        assert ("hidden special" in shown.scores) is (specials != "shown")
        shown.press("stage", "ArrowDown", "ArrowRight", "Enter")
        shown.choose("Order by", "cell")
        starts = [k for k, token in enumerate(TEXT) if not (merge and token.startswith("##"))]
        starts = starts if specials == "shown" else starts[1:-1]
        q, k = (starts.index(int(shown[side]) - 1) for side in ("query", "key"))
        assert shown.order == in_order(-a[..., q, k])
        shown.press("stage", "Enter")  # frees
        shown.choose("Order by", "place")


def test_a_thumbnail_of_many_tokens_is_of_those_that_are_shown(explore):
    a = softmax(1, 2, 70, 131)
    keys = words(131)
    for k in (0, 40, 41, 130):
        keys[k] = "[SEP]"
        a[..., k] += 5
    a /= a.sum(-1, keepdims=True)
    shown = explore(attention(a, words(70), key_tokens=keys))
    left = np.delete(a, (0, 40, 41, 130), axis=-1)
    for head in (0, 1):
        assert np.abs(shown.thumb(0, head) - blocks(a[0, head])).max() <= 2
    shown.choose("Special tokens", "hidden")
    assert np.abs(shown.thumb(0, 1) - blocks(left[0, 1])).max() <= 2
    shown.choose("Roll up", "max")
    assert np.abs(shown.thumb(0, "max") - blocks(left[0].max(0))).max() <= 2


# ---- the list


def test_the_list_adds_up_to_the_row_and_says_what_special_tokens_took(shown):
    row = int(shown["query"]) - 1
    shown.choose("Special tokens", "hidden")
    taken = WEIGHTS[0, 0, row, [0, -1]].sum()
    assert "hidden" in shown.list
    assert abs(float(shown.list[-1].replace("<", "")) - taken) < 0.02
    shown.choose("Special tokens", "renormalised")
    assert shown.sentence.endswith("of what is left without special tokens")
    assert "hidden" not in shown.list
    shown.choose("Special tokens", "shown")
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


def test_sums_are_not_of_the_bytes(explore):
    row = one_sided()
    n, most, each = len(row), row[0], row[1]
    weights = np.stack([np.roll(row, q) for q in range(n)]).astype("f4")
    names = [*words(256), *["[PAD]"] * 256]
    shown = explore(attention(weights, names, query=1))
    assert shown.list[-2:] == ["507 others", text_of(507 * each)]
    shown.choose("Special tokens", "hidden")
    assert shown.list[-2:] == ["hidden", text_of(256 * each)]
    assert sum(numbers(shown)) == pytest.approx(1, abs=0.01)
    assert numbers(shown)[0] == pytest.approx(most, abs=0.006)
    shown = explore(attention(weights, names, key=1, side="key"))
    assert "sum 1.00" in shown.list
    assert shown.list[-2:] == ["507 others", text_of(507 * each)]


def test_a_preview_is_listed_beside_the_sums_of_the_head_in_focus(explore):
    weights = np.array([softmax(6, 6), 0.5 * softmax(6, 6)])
    with pytest.warns(UserWarning, match="sums to"):
        shown = explore(attention(weights, "abcdef", head=0))
    shown.hover(shown.head(0, 1))
    assert numbers(shown)[-2] == pytest.approx(2 * numbers(shown)[-1], abs=0.011)
    assert not any(text.startswith("sum") for text in shown.list)


@pytest.mark.parametrize(("dtype", "nothing"), [(np.float32, False), (np.float64, True)])
def test_a_sink_leaves_little_or_nothing(explore, dtype, nothing):
    scores = np.random.default_rng(0).normal(size=(12, 12))
    scores[:, 0] += 100
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    view = attention(weights.astype(dtype), ["[CLS]", *words(11)], specials="hidden")
    shown = explore(view)
    for specials in ("hidden", "renormalised"):
        shown.choose("Special tokens", specials)
        assert sum(numbers(shown)) == pytest.approx(1, abs=0.02)
        assert max(numbers(shown)) <= 1
        assert ("attends to nothing" in shown.sentence) is nothing


# ---- colours, lines, order


def test_the_grid_is_the_arrays(explore):
    shown = explore(sentence(layer=1, head=2))
    weights, most = WEIGHTS[1, 2], np.log2(N)
    entropy = -(WEIGHTS * np.log2(WEIGHTS)).sum(-1).mean(-1)
    assert shown.scores.startswith(f"entropy {entropy[1, 2]:.1f} of {most:.1f} bits")
    for name, value in {
        "previous": np.diagonal(weights, -1).sum() / (N - 1),
        "itself": np.diagonal(weights).mean(),
        "first": weights[:, 0].mean(),
        "special": weights[:, [0, -1]].sum(1).mean(),
    }.items():
        assert f"{name} {text_of(value)}" in shown.scores, name
    said = {
        (1, "mean"): f"layer 1's heads: {entropy[1].mean():.1f}",
        ("mean", 2): f"head 2 in all layers: {entropy[:, 2].mean():.1f}",
        ("mean", "mean"): f"all heads: {entropy.mean():.1f}",
    }
    for place, text in said.items():
        shown.hover(shown.head(*place))
        assert shown.scores.endswith(f" · mean entropy of {text} of {most:.1f} bits"), place
    shown.hover((2, 2))
    slider = shown.control("Hide lines below")
    assert (slider.input_value(), slider.get_attribute("aria-valuetext")) == ("0.02", "0.02")
    lines = "s => s.querySelectorAll('.lines path').length"
    before, values = shown.stage.evaluate(lines), shown.values[0]
    slider.fill("0.3")
    shown.settle()
    row = int(shown["query"]) - 1
    assert shown.stage.evaluate(lines) == (weights[row] >= 0.3).sum() < before
    assert (shown.values[0] == values).all()


def test_the_heatmap_is_coloured_by_the_scale(explore):
    weights = np.array([[1, 0, 0], [0.1, 0.9, 0], [0.4, 0.2, 0.4]])
    shown = explore(attention(weights, words(3)))
    shares = {
        "Linear": weights,
        "Log": 1 + np.log10(np.maximum(weights, 1e-4)) / 4,
        "Per row": weights / weights.max(1, keepdims=True),
    }
    for scale, share in shares.items():
        shown.check(scale)
        address = shown.root.locator(".heat canvas").evaluate("canvas => canvas.toDataURL()")
        image = Image.open(io.BytesIO(base64.b64decode(address.split(",")[1]))).convert("L")
        side, at = image.width / 6, (1, 3, 5)
        got = [[image.getpixel((int(c * side), int(r * side))) for c in at] for r in at]
        steps = [241, 220, 186, 151, 117, 84, 58, 31]  # grey of the eight steps, light to dark
        want = np.interp(7 * share, range(8), steps)
        assert np.abs(got - want).max() < 5, scale


def test_heads_in_the_order_of_a_score_and_those_beyond_a_limit_faded(explore, shown):
    first = WEIGHTS[..., 0].mean(-1)
    shown.choose("Order by", "first")
    assert shown.order == in_order(-first)
    assert shown.control("Roll up").is_disabled()
    shown.control("At least").fill(str(round(float(np.median(first)), 2)))
    shown.settle()
    assert shown.root.locator(FADED).count() >= 5
    entropy = -(WEIGHTS * np.log2(WEIGHTS)).sum(-1).mean(-1)
    shown.choose("Order by", "entropy")  # sharp heads come first, blunt ones are faded
    assert shown.order == in_order(entropy)
    assert "lowest entropy first" in shown.drawn
    slider = shown.control("At most")
    assert shown.root.locator(FADED).count() == 0
    assert slider.get_attribute("aria-valuetext") == "all"
    assert slider.input_value() == slider.get_attribute("max")
    limit = round(float(np.median(entropy)), 2)
    slider.fill(str(limit))
    shown.settle()
    assert shown.root.locator(FADED).count() == (entropy > limit).sum()
    slider.press("End")  # back to all
    shown.settle()
    assert shown.root.locator(FADED).count() == 0
    for limit in (0.3, 0.7):  # one at the limit is not
        heads = [own * np.eye(4) + (1 - own) / 3 * (1 - np.eye(4)) for own in (limit, limit - 0.01)]
        at = explore(attention([heads], "abcd", sort="itself", least=limit))
        assert at.root.locator(FADED).count() == 1, limit
    shown.choose("Order by", "first")
    assert shown.control("At least").input_value() == "0"
    shown.choose("Order by", "place")
    assert shown.control("Roll up").is_enabled()


def test_gold_links_and_the_error_rate_of_what_is_shown(explore):
    shown = explore(translation())
    count = "s => ['.heat', '.lines'].flatMap(pane => ['sure', 'possible'].map(kind =>"
    count += " s.querySelectorAll(`${pane} [data-gold=${kind}]`).length))"
    assert shown.stage.evaluate(count) == [4, 2, 4, 2]
    dashed = shown.root.locator(".heat [data-gold=possible]").first
    assert dashed.get_attribute("stroke-dasharray")
    rows = np.array([[0.2, 0.3, 0.5], [0.5, 0.4, 0.1]])  # the first attends to the special token
    view = attention(rows, "ab", key_tokens=["x", "y", "</s>"], sure={(0, 1), (1, 0)})
    shown = explore(view)
    assert "error rate 0.33" in shown.drawn
    shown.choose("Special tokens", "hidden")
    assert "error rate 0.00" in shown.drawn
    assert "alignment error rate 0.00" in shown.scores


# ---- the hand


def test_hover_previews_and_a_click_locks(shown):
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
    # a locked token is compared with the one under the pointer
    shown.click(shown.token("query", 2))
    locked = shown.sentence
    shown.hover(shown.token("query", 8))
    assert shown["compare"] == "query 9"
    assert shown.sentence == locked
    values = shown.values[0]
    assert shown.list[1].startswith("“tired” attends to “")
    assert shown.list[1].endswith(text_of(values[8].max()))
    assert {text_of(values[2].max()), text_of(values[8].max())} <= set(shown.list)
    shown.click(shown.token("query", 2))
    # a key answers who looks at it
    shown.hover(shown.token("key", 8))
    best = int(values[:, 8].argmax())
    assert shown["side"] == "key"
    assert shown.sentence.startswith("tired is attended to by ")
    assert shown.sentence.endswith(text_of(values[best, 8]))
    assert shown["query"] == str(best + 1)
    x, y = shown.cell(0, 8)
    shown.hover((x, y - 24))  # the name over the column
    assert (shown["side"], shown["key"]) == ("key", "9")
    # a head is previewed beside the one in focus
    shown.hover(shown.head(2, 1))
    assert (shown["layer"], shown["head"], shown["preview"]) == ("2", "1", "true")
    assert shown.state == "head 2.1 · click opens"
    assert "head 2.1 beside 0.0" in shown.list
    assert close(shown.values[0], WEIGHTS[2, 1])
    shown.hover((2, 2))
    assert (shown["layer"], shown["head"], shown["preview"]) == ("0", "0", "false")


def test_a_press_that_moves_into_the_next_cell_is_a_click(shown):
    """The move redraws what was pressed; a node that went with it would take the click along."""
    for where, place, end, name, taken in [
        ("heat", shown.cell(2, 6), shown.cell(3, 0), "locked", "true"),
        ("lines", shown.token("query", 5), shown.token("query", 6), "locked", "true"),
        ("grid", shown.head(0, 2), shown.head(1, 0), "head", "2"),
    ]:
        x, y = place[0], (place[1] + end[1]) / 2 - 0.5
        shown.hover((x, y))
        shown.page.mouse.down()
        shown.hover((x, y + 1))
        shown.page.mouse.up()
        shown.hover((2, 2))
        assert shown[name] == taken, where
        shown.press("stage", "Escape")


def test_the_switch_of_kinds_with_unequal_depths_ends_a_preview(explore):
    shown = explore(three_kinds())
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
    shown.check("encoder")
    shown.press(".grid", "ArrowDown", "ArrowDown", "ArrowDown")
    assert (shown["preview"], shown["layer"]) == ("true", "4")
    shown.page.evaluate(
        """() => [...document.querySelectorAll('input[type=radio]')]
            .find(radio => radio.value === 'cross').click()"""
    )
    shown.settle()
    assert (shown["kind"], shown["preview"]) == ("cross", "false")


def test_one_head_has_no_grid(explore):
    shown = explore(
        attention({name: [softmax(1, 4, 5)] for name in "ab"}, "abcd", key_tokens="vwxyz")
    )
    assert not shown.root.locator(".grid").is_visible()
    assert not shown.root.get_by_text("All heads").is_visible()
    assert "thumbnail" not in shown.root.locator(".foot").inner_text()
    assert shown.root.locator(".list").is_visible()
    assert "All heads" not in shown.root.evaluate("root => root.exported.svg()")


# ---- a decoder's steps


def test_a_decoder_step_veils_what_is_not_written_yet(explore):
    shown = explore(translation(step=2))
    veil, heat = (shown.root.locator(w).bounding_box() for w in (".veil", ".heat canvas"))
    assert veil["y"] - heat["y"] == pytest.approx(heat["height"] * 2 / len(TARGET), abs=1)
    assert veil["y"] + veil["height"] >= heat["y"] + heat["height"] - 1
    gold = shown.root.locator(".lines [data-gold]")
    assert gold.count() == sum(query < 2 for query, _ in POSSIBLE)
    faint = "texts => texts.filter(t => t.getAttribute('opacity')).map(t => t.textContent)"
    names = shown.root.locator('.pair text[data-side="query"]')
    assert names.evaluate_all(faint) == TARGET[2:]
    assert "2 of 5 steps" in " ".join(svg_texts(shown))
    shown.control("Decoder step").fill("5")
    shown.settle()
    assert shown.root.locator(".veil").count() == 0
    assert (shown["step"], gold.count()) == ("5", len(POSSIBLE))
    assert shown.sentence.startswith("</s> attends to")


# ---- pictures and places


def svg_texts(shown):
    tree = ElementTree.fromstring(shown.root.evaluate("root => root.exported.svg()"))
    return [node.text for node in tree.iter() if node.tag.endswith("}text")]


def test_a_saved_picture_opens_alone_and_says_its_title_and_its_state(explore):
    shown = explore(sentence(title="Heads of a small model"))
    tree = ElementTree.fromstring(shown.root.evaluate("root => root.exported.svg()"))
    images = [node for node in tree.iter() if node.tag.endswith("}image")]
    assert len(images) == 3  # grid, heatmap, lines
    assert all(node.get("href").startswith("data:image/png;base64,") for node in images)
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
    "kinds": three_kinds,
    "many heads": lambda: attention(softmax(24, 16, 6, 6), words(6)),
    "12 on 200": lambda: attention(softmax(1, 2, 12, 200), words(12), key_tokens=words(200)),
}


@pytest.mark.parametrize("name", SIZES)
def test_no_text_is_cut_or_tiny(explore, name):
    shown = explore(SIZES[name]())
    for width in shown.at_widths(400, 800, 1400):
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


def test_names_and_numbers_stand_clear_of_each_other(explore):
    pair = attention(softmax(1, 1, 13, 12), words(13), key_tokens=words(12), sure={(0, 0)})
    shown = explore(pair)
    for width in shown.at_widths(400, 900, 1400):
        assert shown.root.locator(".heat").bounding_box()["width"] >= (100 if width < 480 else 180)
        assert shown.stage.evaluate(OVERLAPS) == [], width
    view = attention(softmax(1, 1, 128, 128), words(128), side="key", key=64, query=64)
    shown = explore(view)  # numbers beside queries stand clear of their names
    for width in shown.at_widths(420, 1000):
        assert shown.stage.evaluate(OVERLAPS) == [], width
    view = attention(softmax(12, 12, 24, 24, sharp=5), words(24), sort="cell", query=3, key=4)
    shown = explore(view)  # names of sorted heads stand clear of their values
    for width in shown.at_widths(400, 1400):
        assert shown.stage.evaluate(OVERLAPS) == [], width
