import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from seqviz.recording import record
from seqviz.view import gates
from seqviz.views.gates.cells import KINDS
from tests.views.test_page import scripts_end_where_the_page_ends_them

CELLS = list(KINDS)
GATED = [cell for cell in CELLS if KINDS[cell].holds]


def step(cell, x, h, c, W, b, held=lambda name, gate: gate):
    """One step in float64 torch, written out gate by gate, on torch's packed weights."""
    if cell == "LSTM":
        i, f, g, o = (x + W @ h + b).chunk(4)
        gates = {"i": i.sigmoid(), "f": f.sigmoid(), "g": g.tanh(), "o": o.sigmoid()}
        gates = {name: held(name, gate) for name, gate in gates.items()}
        c = gates["f"] * c + gates["i"] * gates["g"]
        return gates | {"c": c, "h": gates["o"] * c.tanh()}
    if cell.startswith("RNN"):
        return {"h": getattr(torch, cell[4:])(x + W @ h + b)}
    (x_r, x_z, x_n), (W_r, W_z, W_n), (b_r, b_z, b_n) = (a.chunk(3) for a in (x, W, b))
    r = held("r", (x_r + W_r @ h + b_r).sigmoid())
    z = held("z", (x_z + W_z @ h + b_z).sigmoid())
    old = W_n @ (r * h) + b_n if "before" in cell else r * (W_n @ h + b_n)
    n = held("n", (x_n + old).tanh())
    return {"r": r, "z": z, "n": n, "h": (1 - z) * n + z * h}


def layer(cell, units=5, steps=7, seed=0):
    """A torch module and what it reads: module, input (T, 3), h_0 and c_0."""
    torch.manual_seed(seed)
    kind = getattr(torch.nn, cell.split()[0])
    more = {"nonlinearity": cell[4:]} if cell.startswith("RNN") else {}
    module = kind(3, units, **more).double()
    for weight in module.parameters():
        torch.nn.init.uniform_(weight, -1, 1)
    if "before" in cell:
        torch.nn.init.zeros_(module.bias_hh_l0)
    return module, torch.randn(steps, 3).double(), *torch.randn(2, units).double().unbind()


def recorded(cell, units=5, steps=7, seed=0, reverse=False, held=lambda t, name, gate: gate):
    """Plain arrays of one layer and one sequence, as a record gives them."""
    module, x, h, c = layer(cell, units, steps, seed)
    W, b = module.weight_hh_l0.detach(), module.bias_hh_l0.detach()
    from_input = (x @ module.weight_ih_l0.T + module.bias_ih_l0).detach()
    rows = {name: torch.zeros(steps, units).double() for name in KINDS[cell].rows}
    arrays = {"from_input": from_input, "W_hh": W, "b_hh": b, "h_0": h}
    arrays |= {"c_0": c} if cell == "LSTM" else {}
    for t in range(steps)[:: -1 if reverse else 1]:
        now = step(cell, from_input[t], h, c, W, b, lambda n, g, t=t: held(t, n, g))
        h, c = now["h"], now.get("c", c)
        for name, values in now.items():
            rows[name][t] = values
    arrays = {name: a.numpy() for name, a in (rows | arrays).items()}
    return {"cell": cell, **arrays, **({"reverse": True} if reverse else {})}


def words(steps=7):
    return [f"w{t}" for t in range(1, steps + 1)]


def shown(cell="LSTM", units=5, steps=7, **options):
    return gates(recorded(cell, units, steps), words(steps), **options)


def read_out(units=5, labels=("yes", "no", "maybe"), seed=3):
    rng = np.random.default_rng(seed)
    W, b = rng.normal(size=(len(labels), units)), rng.normal(size=len(labels))
    return {"W": W, "b": b, "labels": list(labels)}


@pytest.mark.parametrize("cell", [c for c in CELLS if "before" not in c])
def test_the_arrays_of_these_tests_are_torchs_own(cell):
    module, x, h, c = layer(cell)
    start = (h[None], c[None]) if cell == "LSTM" else h[None]
    np.testing.assert_allclose(recorded(cell)["h"], module(x, start)[0].detach(), atol=1e-12)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("everywhere", [True, False])
@pytest.mark.parametrize(
    ("cell", "gate"), [(cell, gate) for cell in GATED for gate in KINDS[cell].holds]
)
def test_a_held_gate_gives_what_torch_gives(cell, gate, everywhere, reverse):
    at = (0.35, 4) if gate in "gn" else (0.8, 4)
    downstream = range(4) if reverse else range(3, 7)

    def held(t, name, values):
        values = values.clone()
        if name == gate and t in downstream:
            values[slice(None) if everywhere else 2] = at[0]
        return values

    want = recorded(cell, reverse=reverse, held=held)
    view = gates(recorded(cell, reverse=reverse), words())
    view.gate, view.value, view.since = gate, *at
    view.units, view.unit = "all units" if everywhere else "this unit", 3
    view.hold = True
    after = view.after("")
    for name, values in zip(KINDS[cell].rows, after, strict=True):
        np.testing.assert_allclose(values, want[name], atol=1e-5)
    assert np.abs(after - view.layer.curves).max() > 0.01
    upstream = [t for t in range(7) if t not in downstream]
    np.testing.assert_array_equal(after[:, upstream], view.layer.curves[:, upstream])


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(CELLS),
    st.integers(1, 6),
    st.integers(1, 9),
    st.integers(0, 99),
    st.booleans(),
)
def test_any_layer_is_taken_and_tabled(cell, units, steps, seed, reverse):
    traces = recorded(cell, units, steps, seed, reverse)
    view = gates(traces, words(steps))
    _, *rows = view.table()
    assert len(rows) == len(KINDS[cell].rows) * units * steps
    for name, t, token, quantity, unit, value in rows:
        assert (name, token) == (cell, f"w{t}")
        want = traces[quantity][int(t) - 1, int(unit) - 1]
        assert abs(value - want) < 1e-6 * max(1, abs(want))
    assert str(steps) in view.alt
    assert view.alt.endswith(".")


def test_the_table_follows_show():
    view = shown(read_out=read_out())

    def values(quantity):
        return np.array([row[5] for row in view.table()[1:] if row[3] == quantity])

    before = values("h"), values("p(no)")
    view.gate, view.hold, view.value, view.since = "o", True, 0.5, 4
    after = values("h"), values("p(no)")
    view.show = "before"
    for now, then in zip((values("h"), values("p(no)")), before, strict=True):
        np.testing.assert_array_equal(now, then)
    view.show = "change"
    for now, new, old in zip((values("h"), values("p(no)")), after, before, strict=True):
        np.testing.assert_allclose(now, new - old, atol=1e-12)
        assert np.abs(now).max() > 0.01
    view.hold = False
    np.testing.assert_array_equal(values("h"), before[0])


def test_answers_are_softmax_of_the_read_out():
    traces, out = recorded("GRU"), read_out()
    view = gates(traces, words(), read_out=out)
    logits = torch.tensor(traces["h"]) @ torch.tensor(out["W"]).T + torch.tensor(out["b"])
    for k, label in enumerate(out["labels"]):
        p = [row[5] for row in view.table()[1:] if row[3] == f"p({label})"]
        np.testing.assert_allclose(p, logits.softmax(-1)[:, k], atol=1e-6)


def flat(cell, **gates):
    """A layer of one unit whose gates we choose: nothing but the curves."""
    c, h, rows = 0.0, 0.0, {name: [] for name in KINDS[cell].rows}
    for t in range(len(next(iter(gates.values())))):
        now = {name: values[t] for name, values in gates.items()}
        if cell == "LSTM":
            c = now["f"] * c + now["i"] * now["g"]
            h = now["o"] * np.tanh(c)
            now |= {"c": c, "h": h}
        else:
            h = (1 - now["z"]) * now["n"] + now["z"] * h
            now |= {"h": h}
        for name, value in now.items():
            rows[name].append([value])
    return {"cell": cell, **{name: np.array(values) for name, values in rows.items()}}


@pytest.mark.parametrize(
    ("f", "step", "sentence"),
    [
        ([0.5, 0.9, 0.8], 3, "At “b” unit 1 still has 0.72 of its cell of “a”."),
        ([0.5, 0.4, 0.8], 3, "At “b” unit 1 still has 0.80 of its cell of “n”."),
        ([0.5, 0.9, 0.25], 3, "At “b” unit 1 lets go: 0.25 of its cell stays."),
        ([0.5, 0.9, 0.8], 1, "At “a” unit 1 starts: its cell is 0.30."),
    ],
)
def test_the_sentence_of_an_lstm(f, step, sentence):
    view = gates(flat("LSTM", i=[0.5] * 3, f=f, g=[0.6] * 3, o=[1, 1, 1]), "anb")
    view.step = step
    assert view.alt == f"Gates of an LSTM with 1 unit over 3 tokens: {sentence}"


def test_the_sentence_of_a_gru_an_rnn_and_of_two():
    gru = flat("GRU", r=[1, 1, 1], z=[0.2, 0.9, 0.9], n=[0.5, 0.4, 0.3])
    assert gates(gru, "anb").alt.endswith("At “b” unit 1 still has 0.81 of its state of “a”.")
    assert gates(gru, "aba").alt.endswith("At “a”₃ unit 1 still has 0.81 of its state of “a”₁.")
    rnn = {"cell": "RNN tanh", "h": [[0.1], [0.2], [-0.3]]}
    pair = gates({"gated": gru, "plain": rnn}, "anb")
    start = "Gates of a GRU with 1 unit and an RNN (tanh) with 1 unit over 3 tokens: "
    assert pair.alt == f"{start}gated: at “b” unit 1 still has 0.81 of its state of “a”."
    pair.model = "plain"
    assert pair.alt == f"{start}plain: at “b” unit 1 is −0.30: no gate, rewritten at every step."


def test_the_sentence_of_a_hold():
    view = gates(recorded("LSTM"), words())
    view.hold, view.since, view.step, view.unit, view.units = True, 3, 6, 2, "this unit"
    before, after = (view.layer.curves[4, 5, 1], view.after("")[4, 5, 1])
    numbers = f"{before:.2f} → {after:.2f}".replace("-", "−")
    assert view.alt.endswith(
        f": f of unit 2 held at 0 from “w3” on: c of unit 2 at “w6” {numbers}."
    )


def asked(targets):
    """An LSTM of one unit that says a, a, b, b, b, as its h grows beyond one half."""
    steps = len(targets)
    traces = flat("LSTM", i=[0.5] * steps, f=[0.8] * steps, g=[0.6] * steps, o=[1.0] * steps)
    x = np.array([[0, np.log(4), np.arctanh(0.6), 40]] * steps)
    again = {"from_input": x, "W_hh": np.zeros((4, 1)), "b_hh": np.zeros(4), "h_0": [0.0]}
    out = {"W": [[-40], [40]], "b": [20, -20], "labels": ["a", "b"]}
    traces |= {**again, "c_0": [0.0]}
    return gates(traces, words(steps), read_out=out, targets=list(targets))


@pytest.mark.parametrize(
    ("targets", "held", "said"),
    [
        ("aabbb", {"gate": "o"}, "o held at 0 from “w3” on: “b” is lost, 2 of 5 right."),
        ("aabbb", {"since": 5}, "f held at 0 from “w5” on: “b” is lost, 4 of 5 right."),
        ("aabbb", {"value": 1.0}, "f held at 1 from “w3” on: no answer turns wrong, 5 of 5 right."),
        ("aabbb", {"gate": "i", "since": 4}, " on: 1 answer turns wrong, 4 of 5 right."),
        ("aabaa", {"gate": "o", "since": 4}, " on: 2 answers turn right, 5 of 5 right."),
    ],
)
def test_the_sentence_says_what_a_hold_breaks(targets, held, said):
    view = asked(targets)
    for name, value in {"value": 0.0, "since": 3, **held, "hold": True}.items():
        setattr(view, name, value)
    assert said in view.alt


def test_the_sentence_counts_the_answers():
    traces = recorded("LSTM")
    out = read_out()
    said = (traces["h"] @ out["W"].T + out["b"]).argmax(1)
    targets = [out["labels"][k] for k in said]
    free = gates(traces, words(), read_out=out)
    assert free.alt.endswith(f", it answers “{targets[6]}”.")
    free.hold = True
    assert free.alt.endswith((" answers change.", "no answer changes."))
    targets[2] = None
    targets[4] = next(x for x in out["labels"] if x != targets[4])
    view = gates(traces, words(), read_out=out, targets=targets)
    assert view.alt.endswith(", 5 of 6 right.")
    view.hold = True
    assert view.alt.endswith(" of 6 right.")


def test_it_opens_at_the_last_step_that_is_asked():
    traces, out, rest = recorded("GRU"), read_out(), [None] * 4
    assert gates(traces, words()).step == 7
    targets = [None, "yes", "no", *rest]
    assert gates(traces, words(), read_out=out, targets=targets).step == 3
    assert gates(recorded("GRU", reverse=True), words()).step == 1


def test_two_models_keep_a_unit_each_and_the_hold_acts_on_the_one_in_focus():
    view = gates({"a": recorded("LSTM", 5), "b": recorded("GRU", 3)}, words())
    view.unit, view.second_unit, view.hold = 5, 3, True
    assert np.abs(view.after("a") - view.layers["a"].curves).max() > 0.01
    assert view.after("b") is view.layers["b"].curves
    view.model = "b"
    assert (view.gate, view.hold) == ("z", True)
    assert view.after("a") is view.layers["a"].curves
    assert np.abs(view.after("b") - view.layers["b"].curves).max() > 0.01


def test_the_controls_stay_inside_when_the_model_changes():
    view = gates(
        {
            "a": recorded("LSTM"),
            "b": recorded("RNN tanh"),
        },
        words(),
    )
    view.gate, view.value, view.hold = "g", -0.5, True
    view.gate = "f"
    assert view.value == 0
    view.row = "i"
    view.model = "b"
    assert (view.gate, view.hold, view.row) == ("", False, "h")
    view.set_state({"model": "a", "gate": "g", "value": -0.25, "hold": True})
    assert (view.model, view.gate, view.value, view.hold) == ("a", "g", -0.25, True)


@pytest.mark.parametrize(
    ("control", "value"),
    [
        ("step", 8),
        ("step", 0),
        ("since", 8),
        ("unit", 6),
        ("unit", "2"),
        ("second_unit", 0),
        ("model", "other"),
        ("gate", "z"),
        ("gate", "h"),
        ("units", "some"),
        ("value", 1.01),
        ("value", -0.1),
        ("value", float("nan")),
        ("show", "later"),
        ("row", "z"),
        ("order", "by name"),
    ],
)
def test_a_wrong_value_is_refused_and_the_old_one_kept(control, value):
    view = shown()
    before = view.controls()
    with pytest.raises(TraitError, match=control):
        setattr(view, control, value)
    assert view.controls() == before


def test_a_hold_needs_gates_and_weights():
    view = shown("RNN relu")
    with pytest.raises(TraitError, match="hold: an RNN has no gate"):
        view.hold = True
    curves = {k: v for k, v in recorded("GRU").items() if k in ("cell", "h_0", *"rznh")}
    view = gates(curves, words())
    with pytest.raises(TraitError, match=r"hold: the layer cannot run again.*from_input"):
        view.hold = True
    assert view.hold is False


@pytest.mark.parametrize("cell", CELLS)
def test_only_the_curves_are_enough_to_look(cell):
    names = ("cell", "h_0", "c_0", *KINDS[cell].rows)
    whole = recorded(cell)
    view = gates({k: v for k, v in whole.items() if k in names}, words())
    np.testing.assert_allclose(view.layer.curves[-1], whole["h"], atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("cell", GATED)
def test_half_precision_fits_roughly(cell, dtype):
    half = {
        k: torch.as_tensor(v).to(dtype) if k != "cell" else v for k, v in recorded(cell).items()
    }
    assert gates(half, words()).layer.curves.shape[1:] == (7, 5)
    rough = {k: v.float() if k != "cell" else v for k, v in half.items()}
    if dtype == torch.bfloat16:  # known by its bits
        assert gates(rough, words()).layer.live
        rough["h"] = rough["h"] + 1e-4
    with pytest.raises(ValueError, match="do not belong together"):
        gates(rough, words())


def changed(cell="LSTM", **changes):
    return {k: v for k, v in (recorded(cell) | changes).items() if v is not None}


@pytest.mark.parametrize(
    ("traces", "message"),
    [
        (changed(f=recorded("LSTM")["i"]), r"traces: these arrays do not belong together: . of"),
        (changed(h_0=np.zeros(5)), "at step 1 is .*one and the same call"),
        (changed(W_hh=recorded("LSTM")["W_hh"] * 1.1), "do not belong together"),
        (recorded("GRU") | {"cell": "GRU reset before"}, "'cell': 'GRU' fits"),
        (recorded("GRU reset before") | {"cell": "GRU"}, "'cell': 'GRU reset before' fits"),
        (recorded("LSTM", reverse=True) | {"reverse": False}, "'reverse': True fits"),
        (changed(W_hh=None, from_input=None, b_hh=None, h_0=None, c_0=None), "hand in h_0"),
        (changed(W_hh=None), "traces lacks W_hh: to run the layer again, hand in from_input"),
        (changed(c_0=None), "traces lacks c_0"),
        (changed(g=None), "traces lacks g; 'LSTM' has i, f, g, o, c, h"),
        (changed("GRU", c_0=np.zeros(5)), "traces has c_0, which 'GRU' does not know"),
        (changed(W=np.zeros(5)), "traces has W, which"),
        (recorded("LSTM") | {"cell": "Lstm"}, r"\['cell'\]: expected one of LSTM, GRU, .*'Lstm'"),
        ({"h": np.zeros((7, 5))}, "came None"),
        ({}, "came None"),
        (changed(i=np.zeros((6, 5))), r"\['i'\]: expected shape \(7, 5\) for 7 tokens and 5 units"),
        (changed(h=np.zeros((2, 7, 5))), r"\['h'\].*came \(2, 7, 5\): pick one layer"),
        (changed(h=np.zeros(7)), r"\['i'\]: expected shape \(7, 7\)"),
        (changed(h=0.5), r"\['i'\]: expected shape \(7, 0\)"),
        (changed(b_hh=np.zeros(5)), r"\['b_hh'\]: expected shape \(20,\).*came \(5,\)"),
        (changed(c=np.full((7, 5), np.nan)), r"\['c'\]\[0, 0\] is nan, expected numbers"),
        ({str(k): recorded("GRU") for k in range(3)}, "at most two models, came 3"),
        ({"a": changed(g=None)}, r"traces\['a'\] lacks g"),
    ],
)  # fmt: skip
def test_wrong_traces_are_named(traces, message):
    with pytest.raises(ValueError, match=message):
        gates(traces, words())


@pytest.mark.parametrize(
    ("traces", "message"),
    [
        ([1], "traces: expected a mapping of arrays, came list"),
        (changed(i=[["a"] * 5] * 7), r"traces\['i'\]: expected floats"),
        ({"a": recorded("GRU"), "b": np.zeros(3)}, r"traces\['b'\]: expected a mapping"),
        ({"a": recorded("GRU"), 2: recorded("GRU")}, "traces: expected a string, came int"),
    ],
)
def test_traces_of_the_wrong_kind_are_named(traces, message):
    with pytest.raises(TypeError, match=message):
        gates(traces, words())


def test_sizes_beyond_the_view_name_the_way_out():
    with pytest.raises(ValueError, match=r"257 units, this view draws 1 to 256: .*sv\.view\.text"):
        gates({"cell": "RNN tanh", "h": np.zeros((2, 257))}, "ab")
    with pytest.raises(ValueError, match=r"tokens: expected 1 to 200, came 201: .*tokens\[:200\]"):
        gates({"cell": "RNN tanh", "h": np.zeros((201, 2))}, ["a"] * 201)
    with pytest.raises(ValueError, match="tokens: expected 1 to 200, came 0"):
        gates({"cell": "RNN tanh", "h": np.zeros((0, 2))}, [])
    assert gates(recorded("LSTM", 256, 200), words(200)).facts["models"][0]["units"] == 256


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"read_out": {"W": 1}}, ValueError, "read_out: expected a mapping with W, b and labels"),
        ({"read_out": 3}, TypeError, "read_out: expected a mapping of arrays, came int"),
        ({"read_out": read_out(4)}, ValueError, r"read_out\['W'\]: expected shape \(3, 5\)"),
        ({"read_out": read_out() | {"b": [1]}}, ValueError, r"\['b'\]: expected shape \(3,\)"),
        ({"read_out": read_out(labels="aa")}, ValueError, "2 with 1 that differ"),
        ({"read_out": read_out(labels="a")}, ValueError, "expected 2 to 200 strings"),
        ({"read_out": {"x": read_out()}}, ValueError, "'x' is no label of traces"),
        ({"targets": ["a"] * 7}, ValueError, "targets: need read_out"),
        ({"read_out": read_out(), "targets": "ab"}, ValueError, "expected 7, one for each token"),
        (
            {"read_out": read_out(), "targets": [None, "si", *[None] * 5]},
            ValueError,
            r"targets\[1\] is 'si', expected None or a label of read_out: yes, no, maybe",
        ),
        ({"title": "two\nlines"}, ValueError, "title"),
        ({"title": 3}, TypeError, "title"),
    ],
)
def test_wrong_extras_are_named(more, error, message):
    with pytest.raises(error, match=message):
        shown(**more)


def test_wrong_tokens_are_named():
    with pytest.raises(TypeError, match=r"tokens\[6\]: expected a string, came int 3"):
        gates(recorded("GRU"), [*words(6), 3])


def test_hostile_tokens_and_labels_stay_text():
    bad = ["<script>x()</script>", "</script>", "=1+1", 'a,"b', "שלום", "\u202e!", "\n"]
    view = gates(
        {"</script>": recorded("GRU")},
        bad,
        read_out={"</script>": read_out(labels=bad[:3])},
        title="</script>",
    )
    assert scripts_end_where_the_page_ends_them(view.to_html())
    assert "'=1+1" in view.to_csv()
    assert "\u202e" not in view.alt


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_a_record_of_a_half_precision_net_opens(kind, dtype):
    module = getattr(torch.nn, kind)(3, 5).to(dtype)
    with record(module) as rec:
        module(torch.randn(6, 2, 3, dtype=dtype))
    view = gates(rec.traces(item=1), list("abcdef"))
    assert view.to_csv()
