"""The view of all heads: its line, its table, what travels, its controls."""

import json
import re
import time
import tracemalloc

import numpy as np
import pytest
import torch
from traitlets import TraitError

import seqviz as sv
from seqviz.view import attention
from seqviz.views.attention import widget
from tests.views.asking import answers
from tests.views.attention.arrays import read, uniform, weights, words

TOKENS = ["[CLS]", "the", "un", "##tir", "##ed", "cat", "[SEP]"]
MAPS = weights(3, 2, 7, 7)


def shown(**options):
    return attention(MAPS, TOKENS, **options)


def translation(**options):
    given = {"encoder": weights(3, 4, 5, 5), "cross": weights(2, 3, 4, 5), "decoder": uniform(4, 4)}
    tokens = {"encoder_tokens": words(5), "decoder_tokens": list("abcd")}
    return attention(**given, **tokens, **options)


# ---- the line and the table


def test_the_line_tells_what_there_is_and_what_is_in_focus():
    places = {
        (2, 1): "layer 2, head 1",
        (2, "mean"): "layer 2, mean of heads",
        ("max", 0): "max of layers, head 0",
        ("mean", "mean"): "mean of all heads",
        (1, "rollout"): "rollout to layer 1",
    }
    for (layer, head), said in places.items():
        view = shown(layer=layer, head=head, query="cat", key=2)
        assert view.alt == (
            f"Attention of 3 layers with 2 heads over 7 tokens; {said}, query 'cat', key 'the'"
        )
    view = translation(kind="cross")
    assert view.alt == (
        "Attention (cross) of 2 layers with 3 heads over 4 queries and 5 keys; layer 0, head 0"
    )


def test_the_table_holds_all_that_was_handed_in_whatever_is_on_screen():
    view = shown(layer="max", head=1, words=True, specials="renormalised")
    header, *rows = view.table()
    assert header == [
        "kind", "layer", "head", "query position", "query", "key position", "key", "weight",
    ]  # fmt: skip
    for (layer, head, q, k), row in zip(np.ndindex(MAPS.shape), rows, strict=True):
        place = ["self", str(layer), str(head), str(q + 1), TOKENS[q], str(k + 1), TOKENS[k]]
        assert row == [*place, MAPS[layer, head, q, k]]
    lines = view.to_csv().splitlines()
    assert (len(lines), lines[0]) == (1 + MAPS.size, ",".join(header))
    assert lines[1] == f"self,0,0,1,[CLS],1,[CLS],{MAPS[0, 0, 0, 0]:.6f}"
    rows, cross = translation().table()[1:], weights(2, 3, 4, 5)[1, 2]
    cells = [row[4:8] for row in rows if row[:3] == ["cross", "1", "2"]]
    assert cells == [
        ["abcd"[q], str(k + 1), f"w{k}", cross[q, k]] for q in range(4) for k in range(5)
    ]
    assert [row[0] for row in rows] == [
        *["encoder"] * 3 * 4 * 25, *["cross"] * 2 * 3 * 20, *["decoder"] * 16,
    ]  # fmt: skip


def test_a_table_of_too_many_weights_is_refused():
    view = attention(np.full((12, 12, 120, 120), 1 / 120, "f2"), words(120))
    for write in (view.table, view.to_csv):
        with pytest.raises(ValueError, match=r"2,073,600 weights.*np\.savez"):
            write()


# ---- what travels


def test_what_is_sent_first_and_what_is_asked_for(monkeypatch):
    view = shown(layer=2, head=1)
    assert set(view.first) == {"0 scores", "0 2 1"}
    view._repr_mimebundle_()  # as Jupyter shows it
    assert set(view.first) == {"0 thumbs", *view.parts}  # as they are few bytes
    monkeypatch.setattr(widget, "SAVED", 100)
    view = shown(layer=2, head=1)
    view._repr_mimebundle_()
    assert set(view.first) == {"0 scores", "0 thumbs", "0 2 1"}
    assert view.needs() == ["0 scores", "0 2 1"]
    view.head = "mean"
    assert view.needs() == ["0 scores"]
    view.head = "rollout"
    assert view.needs() == ["0 scores"]
    view.words, view.specials = True, "hidden"
    assert view.needs() == ["0 scores words hidden"]
    view = translation()
    view.kind, view.specials = "cross", "hidden"  # there are none
    assert view.needs() == ["1 scores", "1 0 0"]


def test_a_page_holds_every_head_once_and_no_thumbnails():
    view = shown()
    heads = {f"0 {layer} {head}" for layer in range(3) for head in range(2)}
    states = ["", " hidden", " renormalised"]
    scores = {f"0 scores{words}{state}" for words in ("", " words") for state in states}
    assert set(view.parts) == heads | scores
    assert len(view.parts) == len(list(view.parts))
    assert dict(view.parts.items()) == {name: view.part_of(name) for name in view.parts}


@pytest.mark.parametrize(("tokens", "sent"), [(256, False), (257, True)])
def test_a_rollout_stands_in_a_page_where_that_cannot_multiply(tokens, sent):
    view = attention(uniform(2, 1, tokens, tokens), words(tokens))
    assert ("0 1 rollout" in list(view.parts)) == sent
    assert "0 1 rollout" in view.parts  # a kernel is asked for it
    cross = attention(uniform(300, 300), words(300), key_tokens=words(300))
    assert not [name for name in cross.parts if "rollout" in name]


def asked(view, name):
    ((content, buffers),) = answers(view, want=name)
    assert content["part"] == name
    return buffers and buffers[0]


def thumbs_are(got, maps):
    """Thumbnails of maps of at most 48 tokens."""
    got = np.frombuffer(got, np.uint8).astype(int).reshape(len(maps), -1)
    for k, want in enumerate(maps):
        want = np.rint(255 * np.sqrt(want / want.max())).astype(int).ravel()
        assert np.abs(got[k] - want).max() <= 1, k


def rolled_up(a):
    """What stands beside the heads."""
    means = [*a.mean(1), *a.mean(0), a.mean((0, 1))]
    return [*means, *a.max(1), *a.max(0), a.max((0, 1))]


def test_a_live_view_gives_rows_and_thumbnails():
    view = translation()
    encoder, cross = weights(3, 4, 5, 5), weights(2, 3, 4, 5)
    row = np.frombuffer(asked(view, "1 row 3"), "<f4").reshape(2, 3, 5)
    np.testing.assert_array_equal(row, cross[:, :, 3].astype(np.float32))
    rollouts = [view.parts.rollups[0].rollout(layer) for layer in range(3)]
    thumbs_are(
        asked(view, "0 thumbs"), [*encoder.reshape(-1, 5, 5), *rolled_up(encoder), *rollouts]
    )
    thumbs_are(asked(view, "1 thumbs"), [*cross.reshape(-1, 4, 5), *rolled_up(cross)])


def test_thumbnails_are_of_what_is_shown():
    n = 120
    a = weights(2, 3, n, n)
    a[..., 0] += 5  # beside it the others are nothing
    a /= a.sum(-1, keepdims=True)
    view = attention(a, ["[CLS]", *words(n - 1)])
    left = a[..., 1:, 1:]
    starts = np.searchsorted(np.arange(n - 1) * 48 // (n - 1), range(48))

    def blocked(maps):
        return np.maximum.reduceat(np.maximum.reduceat(maps, starts, -1), starts, -2)

    got = asked(view, "0 thumbs hidden")
    want = [*left.reshape(-1, n - 1, n - 1), *rolled_up(left)]
    thumbs_are(got[: len(want) * 48 * 48], blocked(np.array(want)))
    whole = np.eye(7)[[0, 1, 2, 2, 2, 3, 4]][:, :5]  # pieces to words
    merged = (whole / whole.sum(0)).T @ MAPS @ whole
    got = asked(shown(), "0 thumbs words")
    thumbs_are(got[: 6 * 25], merged.reshape(-1, 5, 5))
    thumbs_are(got[-4 * 25 : -3 * 25], [merged.max((0, 1))])  # the maximum of words


def test_what_is_not_there_is_said():
    view = shown()
    for name in ("0 3 0", "3 0 0", "0 row 7", "1 thumbs", "0 mean rollout", "0 row 00000001", ""):
        assert name not in view.parts
        assert asked(view, name) is None
        with pytest.raises(KeyError):
            view.parts[name]
    assert ["0 0 0"] not in view.parts


# ---- controls


@pytest.mark.parametrize(
    ("control", "value", "message"),
    [
        ("layer", 3, "layer: expected a number from 0 to 2, or 'mean' or 'max', came 3: there"),
        ("query", 8, "query: expected 0 to 7, came 8"),
        ("threshold", float("nan"), "threshold: "),
        ("sort", "error", "sort: expected one of place, entropy, .*, cell; came 'error'"),
    ],
)
def test_a_wrong_value_is_refused_and_the_old_one_kept(control, value, message):
    view = shown()
    before = view.controls()
    with pytest.raises(TraitError, match=message):
        setattr(view, control, value)
    assert view.controls() == before


def test_the_controls_stay_inside_when_the_kind_changes():
    view = translation(layer=2, head=3)
    view.query, view.key, view.sort = 5, 5, "itself"
    view.kind = "cross"
    assert (view.layer, view.head, view.query, view.key, view.sort) == (1, 2, 0, 5, "place")
    view.kind = "encoder"
    view.head = "rollout"
    view.kind = "cross"
    assert (view.layer, view.head) == (1, "mean")
    with pytest.raises(TraitError, match=r"head: no rollout of cross-attention.*'mean'"):
        view.head = "rollout"
    view.set_state({"kind": "encoder", "layer": 2, "head": 3, "query": 5})
    assert (view.kind, view.layer, view.head, view.query) == ("encoder", 2, 3, 5)


def test_of_two_words_the_last_counts():
    view = shown()
    view.layer, view.head = "mean", "max"
    assert (view.layer, view.head) == ("max", "max")
    view.layer = "mean"
    assert (view.layer, view.head) == ("mean", "mean")
    view.head = "rollout"
    assert (view.layer, view.head) == (2, "rollout")
    view.layer = "mean"
    assert (view.layer, view.head) == ("mean", "mean")
    assert (shown(layer="max", head="rollout").layer) == 2


# ---- what is typed: places from the end, a word for a token; plain mistakes

TYPED = ["[CLS]", "un", "##believ", "##able", "the", "cat", "the", "[SEP]"]


def test_places_count_from_the_end_and_a_token_or_a_word_is_set_by_its_text():
    wish = {"scale": "log", "sort": "entropy", "specials": "hidden", "rollup": "max", "words": True}
    view = attention(weights(3, 4, 8, 8), TYPED, layer=-1, head=-2, query="cat", **wish)
    assert (view.layer, view.head, view.query) == (2, 2, 6)
    assert view.controls().items() >= wish.items()
    view.layer, view.head, view.key = np.int64(-3), -1, "unbelievable"
    assert (view.layer, view.head, view.key) == (0, 3, 2)
    assert json.dumps(view.controls())
    with pytest.raises(TraitError, match="query: 'the' stands at tokens 5, 7: give one of"):
        view.query = "the"
    with pytest.raises(TraitError, match=r"query: no token is 'dog'; there are .CLS., un"):
        view.query = "dog"
    assert view.query == 6


def test_what_is_no_weights_is_named():
    model = torch.nn.MultiheadAttention(8, 2)
    x = torch.ones(3, 1, 8)
    with pytest.raises(TypeError, match=r"came a model, MultiheadAttention: record it: with sv"):
        attention(model, TYPED)
    with pytest.raises(TypeError, match=r"came a block that was not entered: write with sv.record"):
        attention(sv.record(model), TYPED)
    with sv.record(model) as rec:
        model(x, x, x)
    with pytest.raises(TypeError, match=r"came a record: hand in rec\.attention"):
        attention(rec, TYPED[:3])
    assert attention(rec.attention, TYPED[:3]).here.heads == 2
    with pytest.raises(ValueError, match="came 9: a string stands for its characters: hand in"):
        attention(weights(2, 2, 3, 3), "the cat s")


# ---- chosen heads

HEADS = [(2, 1), (0, 3), (1, 0)]


def of_heads(**controls):
    return attention(weights(3, 4, 5, 5), words(5), **controls)


def test_chosen_heads_stand_in_the_models_order_and_are_named_or_counted():
    view = of_heads(head=HEADS)
    assert (view.layer, view.head) == ("mean", [[0, 3], [1, 0], [2, 1]])
    assert view.alt.endswith("; mean of heads 0.3, 1.0 and 2.1")
    assert of_heads(head=[(k, h) for k in range(3) for h in range(2)]).alt.endswith("of 6 heads")
    assert of_heads(layer="max", head=HEADS).alt.endswith("; max of heads 0.3, 1.0 and 2.1")
    view.layer = 1  # which turns the list to a head
    assert (view.layer, view.head) == (1, 3)


def test_another_kind_keeps_the_heads_that_it_has():
    view = attention(
        encoder=weights(3, 4, 5, 5),
        decoder=weights(1, 4, 3, 3),
        encoder_tokens=words(5),
        decoder_tokens=words(3),
        head=[(0, 1), (0, 2), (2, 3)],
    )
    view.kind = "decoder"
    assert (view.layer, view.head) == ("mean", [[0, 1], [0, 2]])
    view.kind, view.head = "encoder", [(1, 1), (2, 3)]
    view.kind = "decoder"
    assert (view.layer, view.head) == (0, 1)


def test_what_is_no_list_of_heads_is_refused_and_the_heads_stay():
    view = of_heads(head=HEADS)
    for heads, message in [
        ([(0, 1)], "at least two heads"),
        ([(0, 1), (0, "mean")], r"head\[1\]: head: expected a whole number, came 'mean'"),
    ]:
        with pytest.raises(TraitError, match=message):
            view.head = heads
        assert view.head == [[0, 3], [1, 0], [2, 1]]


# ---- the rest of the promises


HOSTILE = [
    "<script>x()</script>", "</script>", "<!--", "=1+1", 'a,"b', "שלום", "\u202e!", "\n", "",
    "a\u0301", "\u0301", "漢字", "x" * 10_000, "&lt;", "\\u003c", "##", "Ġ", "\x00",
]  # fmt: skip


def test_hostile_tokens_stay_text():
    n = len(HOSTILE)
    view = attention(weights(1, 2, n, n), HOSTILE, title="</script><script>x()</script>")
    page = view.to_html()
    assert page.count("</script>") == 5  # content, two blocks, stub, what prints it
    assert "<script>x()" not in page
    text = view.to_csv()
    assert ",'=1+1," in text
    assert not re.search(r"(^|,)[=+@]", text, re.M)
    for query in range(1, n + 1):
        view.query = query
        assert "\u202e!" not in view.alt.replace("\u2068\u202e!\u2069", "")
        assert len(view.alt) < 300
    assert view.facts["kinds"][0]["queries"] == HOSTILE


def test_two_thousand_tokens():
    n = 2048
    a = np.random.default_rng(0).random((1, 2, n, n), np.float32) ** 8
    a /= a.sum(axis=-1, keepdims=True)
    view = attention(a, words(n))
    view._repr_mimebundle_()  # as Jupyter shows it
    assert len(view.first["0 thumbs"]) == (2 + 2 * 4 + 1) * 48 * 48
    assert sum(map(len, view.first.values())) < n * n + 4 * n + 50_000
    assert "over 2048 tokens" in view.alt
    start = time.perf_counter()
    assert len(view.part_of("0 0 1")) == 4 * n + n * n
    assert time.perf_counter() - start < 2
    back = read(view, 0, 0, 1)[0]
    assert (np.abs(back - a[0, 1]).max(axis=1) <= 4e-3 * a[0, 1].max(axis=1)).all()


@pytest.mark.alone
@pytest.mark.slow
def test_a_page_is_soon_built():
    given, tokens = weights(12, 12, 128, 128).astype(np.float32), ["[CLS]", *words(126), "##s"]
    took = []
    for _ in range(4):
        start = time.thread_time()
        attention(given, tokens).to_html()
        took.append(time.thread_time() - start)
    assert min(took) < 0.45, took


def test_the_arrays_are_never_copied_as_a_whole():
    a = uniform(8, 8, 256, 256).astype(np.float32)
    tracemalloc.start()
    view = attention(a, words(256))
    view.part_of("0 7 7"), view.part_of("0 7 mean"), view.part_of("0 7 rollout"), view.alt
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < a.nbytes / 2
