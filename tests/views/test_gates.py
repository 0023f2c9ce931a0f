import numpy as np
import pytest
import torch
from traitlets import TraitError

from seqviz.recording import record
from seqviz.view import gates
from seqviz.views.gates.cells import KINDS

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


def test_the_arrays_of_these_tests_are_torchs_own():
    for cell in CELLS:
        if "before" not in cell:
            module, x, h, c = layer(cell)
            want = module(x, (h[None], c[None]) if cell == "LSTM" else h[None])[0].detach()
            np.testing.assert_allclose(recorded(cell)["h"], want, atol=1e-12, err_msg=cell)


def test_any_layer_is_taken_and_tabled():
    for cell in CELLS:
        for reverse in (False, True):
            traces = recorded(cell, 3, 4, reverse=reverse)
            view = gates(traces, words(4))
            header, *rows = view.table()
            assert header == ["model", "step", "token", "quantity", "unit", "value"]
            assert len(rows) == len(KINDS[cell].rows) * 3 * 4
            for name, t, token, quantity, unit, value in rows:
                assert (name, token) == (cell, f"w{t}")
                want = traces[quantity][int(t) - 1, int(unit) - 1]
                assert value == pytest.approx(want, rel=1e-6, abs=1e-6)
            curves = {name: traces[name] for name in KINDS[cell].rows}
            starts = {name: traces[name] for name in ("h_0", "c_0") if name in traces}
            alone = gates({"cell": cell, **curves, **starts, "reverse": reverse}, words(4))
            assert alone.table() == view.table(), "only the curves are enough to look"


def test_the_plain_line():
    pair = gates({"a": recorded("LSTM"), "b": recorded("RNN tanh", 1)}, words())
    cells = "Gates of an LSTM with 5 units and an RNN (tanh) with 1 unit over 7 tokens"
    pair.unit = 2
    assert pair.alt == f"{cells}; 'a', step 7 'w7', unit 2"
    pair.hold, pair.since, pair.value, pair.step = True, 3, 0.25, 1
    held = "f of all units held at 0.25 from step 3"
    assert pair.alt == f"{cells}; 'a', step 1 'w1', unit 2; {held}"
    pair.model = "b"
    assert pair.alt == f"{cells}; 'b', step 1 'w1', unit 1"


def test_it_opens_at_the_last_step_that_is_asked_and_controls_stay_inside():
    traces, out, rest = recorded("GRU"), read_out(), [None] * 4
    assert gates(traces, words()).step == 7
    targets = [None, "yes", "no", *rest]
    assert gates(traces, words(), read_out=out, targets=targets).step == 3
    assert gates(recorded("GRU", reverse=True), words()).step == 1
    view = gates({"a": recorded("LSTM"), "b": recorded("RNN tanh")}, words())
    view.gate, view.value, view.hold = "g", -0.5, True
    view.gate = "f"
    assert view.value == 0
    view.row = "i"
    view.model = "b"
    assert (view.gate, view.hold, view.row) == ("", False, "h")
    view.set_state({"model": "a", "gate": "g", "value": -0.25, "hold": True})
    assert (view.model, view.gate, view.value, view.hold) == ("a", "g", -0.25, True)


def test_a_hold_needs_gates_and_weights():
    view = shown("RNN relu")
    with pytest.raises(TraitError, match="hold: an RNN has no gate"):
        view.hold = True
    curves = {k: v for k, v in recorded("GRU").items() if k in ("cell", "h_0", *"rznh")}
    view = gates(curves, words())
    with pytest.raises(TraitError, match=r"hold: the layer cannot run again.*from_input"):
        view.hold = True
    assert view.hold is False


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_fits_roughly(dtype):
    traces = recorded("LSTM")
    del traces["cell"]
    half = {name: torch.as_tensor(array).to(dtype) for name, array in traces.items()}
    assert gates(half | {"cell": "LSTM"}, words()).layer.curves.shape[1:] == (7, 5)
    rough = {name: array.float() for name, array in half.items()} | {"cell": "LSTM"}
    if dtype == torch.bfloat16:  # known by its bits
        assert gates(rough, words()).layer.live
        rough["h"] = rough["h"] + 1e-4
    with pytest.raises(ValueError, match="do not belong together"):
        gates(rough, words())
    module = torch.nn.GRU(3, 5).to(dtype)
    with record(module) as rec:
        module(torch.randn(6, 2, 3, dtype=dtype))
    assert gates(rec.traces(item=1), list("abcdef")).to_csv()


def changed(cell="LSTM", **changes):
    return {k: v for k, v in (recorded(cell) | changes).items() if v is not None}


def test_wrong_traces_are_named():
    for traces, message in [
        (changed(f=recorded("LSTM")["i"]), r"traces: these arrays do not belong together: . of"),
        (changed(h_0=np.zeros(5)), "at step 1 is .*one and the same call"),
        (recorded("GRU") | {"cell": "GRU reset before"}, "'cell': 'GRU' fits"),
        (recorded("LSTM", reverse=True) | {"reverse": False}, "'reverse': True fits"),
        (changed(W_hh=None, from_input=None, b_hh=None, h_0=None, c_0=None), "hand in h_0"),
        (changed(W_hh=None), "traces lacks W_hh: to run the layer again, hand in from_input"),
        (changed(g=None), "traces lacks g; 'LSTM' has i, f, g, o, c, h"),
        (changed("GRU", c_0=np.zeros(5)), "traces has c_0, which 'GRU' does not know"),
        (recorded("LSTM") | {"cell": "Lstm"}, r"\['cell'\]: expected one of LSTM, GRU, .*'Lstm'"),
        (changed(h=np.zeros((2, 7, 5))), r"\['h'\].*came \(2, 7, 5\): pick one layer"),
        ({str(k): recorded("GRU") for k in range(3)}, "at most two models, came 3"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            gates(traces, words())


def test_sizes_beyond_the_view_name_the_way_out():
    for units, steps, message in [
        (257, 2, r"257 units, this view draws 1 to 256: .*sv\.view\.text"),
        (2, 201, r"tokens: expected 1 to 200, came 201: .*tokens\[:200\]"),
    ]:
        with pytest.raises(ValueError, match=message):
            gates({"cell": "RNN tanh", "h": np.zeros((steps, units))}, words(steps))
    largest = {"cell": "RNN tanh", "h": np.zeros((200, 256)), "h_0": np.zeros(256)}
    assert gates(largest, words(200)).facts["models"][0]["units"] == 256


def test_wrong_extras_are_named():
    for more, message in [
        ({"read_out": {"W": 1}}, "read_out: expected a mapping with W, b and labels"),
        ({"read_out": read_out(4)}, r"read_out\['W'\]: expected shape \(3, 5\)"),
        ({"read_out": read_out(labels="aa")}, "2 with 1 that differ"),
        ({"read_out": {"x": read_out()}}, "'x' is no label of traces"),
        ({"targets": ["a"] * 7}, "targets: need read_out"),
        ({"read_out": read_out(), "targets": "ab"}, "expected 7, one for each token"),
        (
            {"read_out": read_out(), "targets": [None, "si", *[None] * 5]},
            r"targets\[1\] is 'si', expected None or a label of read_out: yes, no, maybe",
        ),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            shown(**more)
