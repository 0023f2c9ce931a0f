import csv
import json
import re
import time
import tracemalloc

import numpy as np
import pytest
from traitlets import TraitError

from seqviz.view import attention
from seqviz.views.attention import widget
from seqviz.views.attention.sentence import weight
from tests.views.attention.arrays import read, read_back, uniform, weights, words

TOKENS = ["[CLS]", "the", "un", "##tir", "##ed", "cat", "[SEP]"]
MAPS = weights(3, 2, 7, 7)
MIXED = MAPS.mean(1) / 2 + np.eye(7) / 2


def shown(**options):
    return attention(MAPS, TOKENS, **options)


def translation(**options):
    given = {"encoder": weights(3, 4, 5, 5), "cross": weights(2, 3, 4, 5), "decoder": uniform(4, 4)}
    tokens = {"encoder_tokens": words(5), "decoder_tokens": list("abcd")}
    return attention(**given, **tokens, **options)


# ---- the sentence


def test_the_sentence_names_the_strongest_cell_without_special_tokens():
    a = np.full((1, 2, 3, 3), 0.01)
    a[0, 1] = [[0.98, 0.01, 0.01], [0.2, 0.16, 0.64], [0.01, 0.6, 0.39]]
    a[0, 0] = 1 / 3
    view = attention(a, ["[CLS]", "it", "animal"], head=1)
    assert view.alt == (
        "Attention of 1 layer with 2 heads over 3 tokens; layer 0, head 1: “it”, token 2, attends "
        "most to “animal”, token 3, 0.64."
    )
    for tokens in (["[CLS]"] * 3, ["a", "b", "c"]):
        view = attention(a, tokens, head=1)
        first = tokens[0]
        assert view.alt.endswith(f"“{first}”, token 1, attends most to “{first}”, token 1, 0.98.")


def test_the_sentence_follows_the_cursor():
    a = [[[0.6, 0.3, 0.1], [0.2, 0.16, 0.64], [0.0004, 0.9996, 0]]]
    view = attention(a, "abc")

    def says(**controls):
        for name, value in controls.items():
            setattr(view, name, value)
        return view.alt.partition(": ")[2]

    assert says(query=1) == "“a”, token 1, attends most to “a”, token 1, 0.60."
    assert says(query=1, key=3) == "“a”, token 1, attends to “c”, token 3, 0.10."
    assert says(query=3, key=1) == "“c”, token 3, attends to “a”, token 1, <0.001."
    assert says(query=3, key=3) == "“c”, token 3, attends to “c”, token 3, 0."
    assert says(side="key") == "“c”, token 3, is attended to by “c”, token 3, 0."
    assert says(query=0) == "“c”, token 3, is attended to most by “b”, token 2, 0.64."
    assert says(key=0) == "“b”, token 2, is attended to most by “c”, token 3, 1.00."


def test_the_sentence_says_where_a_row_is_masked():
    view = attention([[0.9, 0.1], [0, 0]], "ab")
    view.query = 2
    assert view.alt.endswith(": “b”, token 2, attends to nothing as its row is fully masked.")
    view = attention([[1, 0], [0.5, 0.5]], "ab")
    view.side, view.key = "key", 1
    assert view.alt.endswith(": “a”, token 1, is attended to most by “a”, token 1, 1.00.")
    view = attention([[0, 1], [0, 1]], "ab")
    view.side, view.key = "key", 1
    assert view.alt.endswith(": “a”, token 1, is attended to by nothing.")
    view = attention([[0, 1], [0.5, 0.5]], ["a", "[SEP]"], special=["[SEP]"])
    view.specials, view.query = "hidden", 1
    assert view.alt.endswith(" tokens hidden: “a”, token 1, attends to nothing that is shown.")


@pytest.mark.parametrize(
    ("layer", "head", "where", "want"),
    [
        (2, 1, "layer 2, head 1", MAPS[2, 1]),
        (2, "mean", "layer 2, mean of heads", MAPS[2].mean(0)),
        (2, "max", "layer 2, max of heads", MAPS[2].max(0)),
        ("mean", 1, "mean of layers, head 1", MAPS[:, 1].mean(0)),
        ("max", 0, "max of layers, head 0", MAPS[:, 0].max(0)),
        ("mean", "mean", "mean of all heads", MAPS.mean((0, 1))),
        ("max", "max", "max of all heads", MAPS.max((0, 1))),
        (1, "rollout", "rollout to layer 1", MIXED[1] @ MIXED[0]),
    ],
)
def test_the_sentence_and_the_table_say_which_map(layer, head, where, want):
    view = shown(layer=layer, head=head)
    assert view.alt.startswith(f"Attention of 3 layers with 2 heads over 7 tokens; {where}: “")
    _, *rows = view.table()
    assert {tuple(row[:3]) for row in rows} == {("self", str(layer), str(head))}
    values = np.array([row[7] for row in rows]).reshape(7, 7)
    np.testing.assert_allclose(values, want, rtol=1e-14)
    assert values.max() > 0.2


def test_the_sentence_names_the_kind_where_there_are_several():
    view = translation()
    assert view.alt.startswith("Attention (encoder) of 3 layers with 4 heads over 5 tokens; ")
    view.kind = "cross"
    assert view.alt.startswith(
        "Attention (cross) of 2 layers with 3 heads over 4 queries and 5 keys; layer 0, head 0: "
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (1e-30, "<0.001"), (0.0009999, "<0.001"), (0.001, "0.001"), (0.0094, "0.009"),
        (0.0095, "0.01"), (0.125, "0.13"), (0.6449, "0.64"), (0.999, "1.00"), (1.0, "1.00"),
    ],
)  # fmt: skip
def test_a_weight_is_never_a_round_zero(value, text):
    assert weight(value) == text


# ---- the table


def plain(values, tokens, special, words, specials):
    """The cells on screen, by loops over tokens: (query, key) positions from 1 to weight."""
    words = list(range(len(tokens))) if words is None else words
    members = {w: [k for k, x in enumerate(words) if x == w] for w in words}
    hidden = [w for w, m in members.items() if specials != "shown" and all(k in special for k in m)]
    rest = [m for w, m in members.items() if w not in hidden] or list(members.values())
    cells = {}
    for rows in rest:
        line = {}
        for columns in rest:
            total = 0.0
            for q in rows:
                part = 0.0
                for k in columns:
                    part += values[q][k]
                total += part
            line[rows[0] + 1, columns[0] + 1] = total / len(rows)
        if specials == "renormalised" and sum(line.values()) > 0:
            whole = sum(line.values())
            line = {at: value / whole for at, value in line.items()}
        cells |= line
    return cells


@pytest.mark.parametrize("specials", ["shown", "hidden", "renormalised"])
@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("tokens", [TOKENS, ["[SEP]"] * 7, list("abcdefg")])
def test_the_table_holds_what_is_on_screen(tokens, merged, specials):
    view = attention(MAPS, tokens, layer=1)
    view.words, view.specials = merged, specials
    facts = view.facts["kinds"][0]
    header, *rows = view.table()
    assert header == [
        "kind", "layer", "head", "query position", "query", "key position", "key", "weight",
        "tokens", "special tokens",
    ]  # fmt: skip
    leave = 0 < len(facts["specialQueries"]) < len(tokens)
    state = "words" if merged and facts["wordQueries"] else "pieces"
    assert {tuple(row[8:]) for row in rows} == {(state, specials if leave else "shown")}
    values = MAPS[1, 0].tolist()
    numbers = facts["wordQueries"] if merged else None
    want = plain(values, tokens, facts["specialQueries"], numbers, specials if leave else "shown")
    assert {(int(row[3]), int(row[5])): row[7] for row in rows} == want
    assert [(int(row[3]), int(row[5])) for row in rows] == sorted(want)
    if tokens is TOKENS and merged:
        texts = dict(zip((row[3] for row in rows), (row[4] for row in rows), strict=True))
        assert texts["3"] == "untired"
        assert ("1" in texts) is (specials == "shown")
        assert [row[6] for row in rows[: len(texts)]] == list(texts.values())
    if specials == "renormalised" and leave:
        n = int(len(want) ** 0.5)
        np.testing.assert_allclose(np.array(list(want.values())).reshape(n, n).sum(1), 1)


def test_the_cursor_names_a_token_and_stands_for_its_word():
    view = shown()
    view.words, view.query, view.key = True, 4, 5
    assert "“untired”, token 3, attends" in view.alt
    assert " to “untired”, token 3, " in view.alt
    view.query, view.specials = 1, "hidden"  # hidden: as if nothing were locked
    assert "[CLS]" not in view.alt
    assert ", pieces merged into words, special tokens hidden: " in view.alt


def test_half_precision_is_closer():
    exact = MAPS[0, 0]
    errors = {}
    for precision in ("byte", "half"):
        view = shown(precision=precision)
        assert view.facts["precision"] == precision
        errors[precision] = (np.abs(read(view, 0, 0, 0)[0] - exact) / exact.max(1)).max()
    assert errors["half"] <= 5e-4 < errors["byte"] <= 4e-3


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
    assert dict(view.parts.items()) == {name: view.part(name) for name in view.parts}


@pytest.mark.parametrize(("tokens", "sent"), [(256, False), (257, True)])
def test_a_rollout_stands_in_a_page_where_that_cannot_multiply(tokens, sent):
    view = attention(uniform(2, 1, tokens, tokens), words(tokens))
    assert ("0 1 rollout" in list(view.parts)) == sent
    assert "0 1 rollout" in view.parts  # a kernel is asked for it
    cross = attention(uniform(300, 300), words(300), key_tokens=words(300))
    assert not [name for name in cross.parts if "rollout" in name]


def asked(view, name):
    sent = []
    view.send = lambda content, buffers=None: sent.append((content, buffers))
    view._answer(view, {"want": name}, [])
    ((content, buffers),) = sent
    assert content["part"] == name
    return buffers and buffers[0]


def test_a_live_view_gives_rows():
    view = translation()
    row = np.frombuffer(asked(view, "1 row 3"), "<f4").reshape(2, 3, 5)
    np.testing.assert_array_equal(row, weights(2, 3, 4, 5)[:, :, 3].astype(np.float32))


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


def test_a_live_view_gives_thumbnails():
    view = translation()
    encoder, cross = weights(3, 4, 5, 5), weights(2, 3, 4, 5)
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
    scaled = left / left.sum(-1, keepdims=True)
    got = asked(view, "0 thumbs renormalised")[: 6 * 48 * 48]
    thumbs_are(got, blocked(scaled.reshape(-1, n - 1, n - 1)))


WHOLE = np.eye(7)[[0, 1, 2, 2, 2, 3, 4]][:, :5]  # pieces to words


def merged(maps):
    return (WHOLE / WHOLE.sum(0)).T @ maps @ WHOLE


def test_thumbnails_of_words():
    got = asked(shown(), "0 thumbs words")
    thumbs_are(got[: 6 * 25], merged(MAPS).reshape(-1, 5, 5))
    thumbs_are(got[-4 * 25 : -3 * 25], [merged(MAPS).max((0, 1))])  # the maximum of words


@pytest.mark.parametrize("precision", ["byte", "half"])
@pytest.mark.parametrize("head", [1, "mean"])
def test_what_is_left_without_special_tokens_is_as_exact_as_the_whole(head, precision):
    a = weights(2, 3, 60, 60)
    a[..., [0, -1]] += 200  # 0.97 of each row and more
    a /= a.sum(-1, keepdims=True)
    view = attention(a, ["[CLS]", *words(58), "[SEP]"], head=head, precision=precision)
    want = (a[0, 1] if head == 1 else a[0].mean(0))[1:-1, 1:-1]
    bound = 4e-3 if precision == "byte" else 5e-4
    for specials in ("hidden", "renormalised"):
        view.specials = specials
        if specials == "renormalised":
            want = want / want.sum(-1, keepdims=True)
        error = np.abs(read_back(view) - want).max(-1) / want.max(-1)
        assert error.max() <= bound, specials


@pytest.mark.parametrize(
    "name",
    [
        "0 3 0", "0 0 2", "3 0 0", "0 row 7", "1 row 0", "1 thumbs", "0 thumbs shown",
        "0 0 0 rest", "0 mean mean rest ", "0 mean rollout", "0 0 max", "0 row -1",
        "0 row 00000001", "0 scores hidden words", "", "x",
    ],
)  # fmt: skip
def test_what_is_not_there_is_said(name):
    view = shown()
    assert name not in view.parts
    assert asked(view, name) is None
    with pytest.raises(KeyError):
        view.parts[name]


@pytest.mark.parametrize("precision", ["byte", "half"])
def test_a_page_gets_what_a_live_view_gets(precision):
    for view in (shown(precision=precision), translation(precision=precision)):
        assert dict(view.parts.items()) == {name: view.part(name) for name in view.parts}


@pytest.mark.parametrize("name", [None, 3, ["0 0 0"], {"a": 1}])
def test_a_name_that_is_no_string_is_not_there(name):
    assert name not in shown().parts


# ---- controls


@pytest.mark.parametrize(
    ("control", "value", "message"),
    [
        (
            "layer",
            3,
            "layer: expected a number from 0 to 2, or 'mean' or 'max', came 3: there",
        ),
        ("layer", "rollout", "layer: "),
        ("head", 2, "head: expected a number from 0 to 1"),
        ("head", "1", "head: .*came '1'"),
        ("head", None, "head: .*came None"),
        ("kind", "cross", "kind: expected one of self; came 'cross'"),
        ("query", 8, "query: expected 0 to 7, came 8"),
        ("key", -1, "key: expected 0 to 7, came -1"),
        ("side", "both", "side"),
        ("threshold", 1.5, "threshold: expected 0 to 1, came 1.5"),
        ("threshold", float("nan"), "threshold: "),
        ("scale", "sqrt", "scale"),
        ("specials", "gone", "specials"),
        ("rollup", "sum", "rollup"),
        ("sort", "error", "sort: expected one of place, entropy, .*, cell; came 'error'"),
        ("least", float("inf"), "least: expected a finite number"),
        ("words", "yes", "words"),
    ],
)
def test_a_wrong_value_is_refused_and_the_old_one_kept(control, value, message):
    view = shown()
    before = view.controls()
    with pytest.raises(TraitError, match=message):
        setattr(view, control, value)
    assert view.controls() == before


def test_rollout_of_cross_attention_is_refused():
    view = translation()
    view.kind = "cross"
    with pytest.raises(TraitError, match=r"head: no rollout of cross-attention.*'mean'"):
        view.head = "rollout"


def test_numbers_of_numpy_are_taken():
    view = shown()
    view.layer, view.head, view.query = np.int64(2), np.int32(1), 3
    assert (view.layer, view.head) == (2, 1)
    assert json.dumps(view.controls())


def test_the_controls_stay_inside_when_the_kind_changes():
    view = translation(layer=2, head=3)
    view.query, view.key, view.sort = 5, 5, "itself"
    view.kind = "cross"
    assert (view.layer, view.head, view.query, view.key, view.sort) == (1, 2, 0, 5, "place")
    view.kind = "encoder"
    view.head = "rollout"
    view.kind = "cross"
    assert (view.layer, view.head) == (1, "mean")
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


# ---- the rest of the promises


HOSTILE = [
    "<script>x()</script>", "</script>", "<!--", "=1+1", 'a,"b', "שלום", "\u202e!", "\n", "",
    "a\u0301", "\u0301", "漢字", "x" * 10_000, "&lt;", "\\u003c", "##", "Ġ", "\x00",
]  # fmt: skip


def test_hostile_tokens_stay_text():
    n = len(HOSTILE)
    view = attention(weights(1, 2, n, n), HOSTILE, title="</script><script>x()</script>")
    page = view.to_html()
    assert page.count("</script>") == 3  # content, block, stub
    assert "<script>x()" not in page
    text = view.to_csv()
    assert ",'=1+1," in text
    assert not re.search(r"(^|,)[=+@]", text, re.M)
    for query in range(1, n + 1):
        view.query = query
        assert "\u202e!" not in view.alt.replace("\u2068\u202e!\u2069", "")
        assert len(view.alt) < 300
    assert view.facts["kinds"][0]["queries"] == HOSTILE


def test_bytes_that_do_not_deflate_stay_below_3_700_000():
    rng = np.random.default_rng(0)
    given = rng.random((12, 12, 128, 128)) ** 2  # every byte as likely
    given[..., 0] = rng.uniform(1, 5, given.shape[:-1])  # a sink has the maximum of every row
    given /= given.sum(axis=-1, keepdims=True)
    tokens = ["[CLS]", *["un", "##able"] * 63, "[SEP]"]
    assert len(attention(given.astype("f4"), tokens).to_html()) < 3.7e6


def test_a_csv_has_all_heads_as_they_stand_on_screen():
    view = attention(weights(2, 3, 7, 7), TOKENS, layer=1, head=2, specials="hidden")
    table, place = [], (view.layer, view.head)
    for view.layer in range(2):
        for view.head in range(3):
            header, *rows = csv.reader(view.to_csv(heads="open").splitlines())
            table += rows
    view.layer, view.head = place
    assert list(csv.reader(view.to_csv().splitlines())) == [header, *table]
    view.layer = view.head = "mean"
    assert view.to_csv().startswith(view.to_csv(heads="open"))
    assert len(view.to_csv().splitlines()) == 1 + len(table) * 7 // 6
    with pytest.raises(ValueError, match="heads: expected one of all, open; came 'every'"):
        view.to_csv(heads="every")


def test_a_csv_of_too_many_heads_is_refused():
    view = attention(np.full((12, 12, 120, 120), 1 / 120, "f2"), words(120))
    with pytest.raises(ValueError, match=r"heads: all are 2,073,600 rows.* heads='open'"):
        view.to_csv()
    assert view.to_csv(heads="open").count("\n") == 14401


def test_equal_heads_stand_in_a_page_once():
    once = attention(weights(1, 2, 64, 64), words(64)).to_html()
    twice = attention(np.tile(weights(1, 2, 64, 64), (2, 1, 1, 1)), words(64)).to_html()
    assert len(twice) < 1.6 * len(once)
    assert len(attention(weights(2, 2, 64, 64), words(64)).to_html()) > len(twice) + 5_000


def test_one_token():
    view = attention([[[[1.0]]]], ["a"])
    assert view.alt == (
        "Attention of 1 layer with 1 head over 1 token; layer 0, head 0: “a”, token 1, attends "
        "most to “a”, token 1, 1.00."
    )
    assert view.to_csv().splitlines()[1] == "self,0,0,1,a,1,a,1.000000,pieces,shown"
    assert view.to_html()


def test_two_thousand_tokens():
    n = 2048
    a = np.random.default_rng(0).random((2, 2, n, n), np.float32) ** 8
    a /= a.sum(axis=-1, keepdims=True)
    view = attention(a, words(n))
    view._repr_mimebundle_()  # as Jupyter shows it
    assert len(view.first["0 thumbs"]) == (4 + 2 * 5 + 2) * 48 * 48
    assert sum(map(len, view.first.values())) < n * n + 4 * n + 50_000
    assert "over 2048 tokens" in view.alt
    start = time.perf_counter()
    assert len(view.part("0 1 1")) == 4 * n + n * n
    assert time.perf_counter() - start < 2
    back = read(view, 0, 1, 1)[0]
    assert (np.abs(back - a[1, 1]).max(axis=1) <= 4e-3 * a[1, 1].max(axis=1)).all()


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
    view.part("0 7 7"), view.part("0 7 mean"), view.part("0 7 rollout"), view.alt
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < a.nbytes / 2


def test_a_word_is_special_only_if_all_its_tokens_are():
    view = attention(uniform(3, 3), ["[CLS]", "a", "[SEP]"], words=[0, 0, None])
    view.words, view.specials = True, "hidden"
    assert [row[4] for row in view.table()[1:]] == ["[CLS]a"]


@pytest.mark.parametrize("precision", ["byte", "half"])
def test_what_python_tells_is_of_the_floats(precision):
    row = np.array([0.289292, 0.0004, 0.710308])
    view = attention(row[None], "a", key_tokens="xyz", precision=precision)
    assert [row[7] for row in view.table()[1:]] == row.tolist()
    assert [line.split(",")[7] for line in view.to_csv().splitlines()[1:]] == [
        "0.289292", "0.000400", "0.710308",
    ]  # fmt: skip
    view = attention([[0.20405, 0.79095, 0.005]], "a", key_tokens="xyz", precision=precision)
    view.query, view.key = 1, 1  # of the byte it is 0.2056
    assert view.alt.endswith("“x”, token 1, 0.20.")
