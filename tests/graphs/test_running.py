"""A graph in the page: loaded, run, looked into, changed, stopped, refused."""

import numpy as np
import pytest
import torch

pytestmark = pytest.mark.browser

FILE = "shared/graph/running.js"


def node(name, op, *args, kind="float", module=""):
    return {"name": name, "op": op, "args": list(args), "kind": kind, "module": module}


def of(name):
    return {"value": name}


def graph(*nodes, inputs=("ids",), output="out", table=None, version=1):
    """What travels of a graph, which may have one weight, `table`."""
    weight = {"name": "table", "shape": [*np.shape(table)], "form": "float32", "start": 0}
    parts = {"inputs": list(inputs), "output": [of(output)], "nodes": list(nodes)}
    parts["weights"] = [] if table is None else [weight]
    numbers = b"" if table is None else table.astype("<f4").tobytes()
    return {"version": version, **parts}, numbers


TABLE = np.arange(12, dtype=float).reshape(6, 2)
LOOKUP = graph(
    node("rows", "embedding", of("table"), of("ids"), module="embedding"),
    node("half", "mul.Scalar", of("rows"), 0.5, module="scale"),
    node("out", "sum.dim_IntList", of("half"), [1], False, module="pool"),
    table=TABLE,
)
# Runs on one input of ids; gives output and what is kept, or the error's message.
RUN = """async (told, numbers, shape, ids, options = {}) => {
    const numbersOf = a => Array.from(flat(a));
    try {
        const net = load(told, numbers.buffer);
        const {output, kept} = await run(net, {ids: tensor(shape, ids)}, options);
        return [output.map(numbersOf), Object.fromEntries(
            Object.entries(kept).map(([name, a]) => [name, [a.shape, numbersOf(a)]]))];
    } catch (error) {
        return error.message;
    }
}"""


def test_a_graph_gives_its_output_and_what_is_kept(script):
    output, kept = script(FILE, RUN, *LOOKUP, [1, 3], [0, 2, 5], {"keep": ["rows", "ids", "table"]})
    assert output == [[7.0, 8.5]]
    assert kept["rows"] == [[1, 3, 2], [0, 1, 4, 5, 10, 11]]
    assert kept["ids"] == [[1, 3], [0, 2, 5]]
    assert kept["table"][0] == [6, 2]
    again = script(FILE, RUN, *LOOKUP, [1, 1], [3])
    assert again == [[[3.0, 3.5]], {}]


def test_a_graph_of_one_length_refuses_others(script):
    told, numbers = LOOKUP
    told = {**told, "lengths": {"ids": 3}}
    assert script(FILE, RUN, told, numbers, [1, 3], [0, 2, 5]) == [[[7.0, 8.5]], {}]
    refused = script(FILE, RUN, told, numbers, [1, 2], [0, 2])
    assert refused == "ids: the model reads 3 tokens here, 2 came"
    told = {**told, "lengths": {}, "limits": {"ids": [1, 2, 3]}}
    for length, words in ((1, "1 came"), (3, None), (4, "4 came")):
        found = script(FILE, RUN, told, numbers, [1, length], [0] * length)
        assert (words is None) == isinstance(found, list)
        assert words is None or found == f"ids: the model reads 2 to 3 tokens here, {words}"


def test_a_value_is_changed_before_others_read_it(script):
    changed = """async (told, numbers) => {
        const twice = a => tensor(a.shape, flat(a).map(x => 2 * x), 'float');
        const net = load(told, numbers.buffer);
        const ids = tensor([1, 2], [1, 2]);
        const out = async changes => Array.from(flat((await run(net, {ids}, {changes})).output[0]));
        return [await out({rows: twice}), await out({rows: twice, half: twice}), await out({})];
    }"""
    assert script(FILE, changed, *LOOKUP) == [[6, 8], [12, 16], [3, 4]]


def test_values_go_after_their_last_use(script):
    last = "(told, numbers) => load(told, numbers.buffer).done.map(names => [...names].sort())"
    assert script(FILE, last, *LOOKUP) == [["ids", "table"], ["rows"], ["half"]]
    unread = graph(node("out", "clone", of("ids")), node("unread", "clone", of("out")))
    assert script(FILE, last, *unread) == [["ids"], ["unread"]]


def test_numbers_travel_in_every_form(script):
    halves = np.arange(2**16, dtype=np.uint16)
    arrays = {  # by form; scales of the columns and lengths stand behind
        "float16": halves,
        "int8": np.array([[1, -127, 5], [0, 2, 127]], dtype=np.int8),
        "scales": np.array([0.5, 2.0, 3.0], dtype=np.float32),
        "float64": np.array([7.0, -(2.0**40)]),
        "uint8": np.array([1, 0], dtype=np.uint8),
    }
    numbers, starts = bytearray(), {}
    for form, array in arrays.items():
        numbers += b"\0" * (-len(numbers) % 8)
        starts[form] = len(numbers)
        numbers += array.tobytes()

    def weight(name, form, shape):
        place = {"start": starts[form], "scales": starts["scales"]}
        return {"name": name, "form": form, "shape": shape, **place}

    weights = [weight(f, f, [*arrays[f].shape]) for f in arrays if f != "scales"]
    weights += [weight("tied", "float16", [2**16]), weight("nothing", "float16", [0, 3])]
    told = {"version": 1, "inputs": [], "output": [], "weights": weights, "nodes": []}
    read = """(told, numbers) => {
        const {weights} = load(told, numbers.buffer);
        const seen = a => [a.values.constructor.name, Array.from(flat(a))];
        const isOne = weights.get('tied').values === weights.get('float16').values;
        return [isOne, Object.fromEntries([...weights].map(([name, a]) => [name, seen(a)]))];
    }"""
    is_one, found = script(FILE, read, told, bytes(numbers))
    assert is_one
    expected = halves.view(np.float16).astype(np.float32)
    np.testing.assert_array_equal(np.float32(found["float16"][1]), expected)
    assert found["int8"] == ["Float32Array", [0.5, -254, 15, 0, 4, 381]]
    assert found["float64"] == ["Float64Array", [7, -(2**40)]]
    assert found["uint8"] == ["Uint8Array", [1, 0]]
    assert found["nothing"] == ["Float32Array", []]


def test_arguments_are_values_numbers_and_lists_of_them(script):
    infinities = graph(
        node("a", "full", [2], {"number": "-inf"}),
        node("b", "full", [1], {"number": "inf"}),
        node("out", "cat", [of("a"), of("b"), of("ids")]),
    )
    assert script(FILE, RUN, *infinities, [1], [7])[0] == [[-np.inf, -np.inf, np.inf, 7]]


def test_silenced_heads_are_zero(script):
    call = """(heads, order) => {
        const a = tensor([2, 3, 4, 5], Array.from({length: 120}, (_, i) => i + 1), 'float');
        return [silenced(heads)(inOrder(a, order)), a].map(one => Array.from(flat(one)));
    }"""
    a = torch.arange(1.0, 121).view(2, 3, 4, 5)
    for order in ([0, 1, 2, 3], [1, 0, 3, 2]):
        for heads in ([1, 5], [], [0]):
            found, before = script("shared/graph/silencing.js", call, heads, order)
            expected = a.permute(order).flatten(0, 1).index_fill(0, torch.tensor(heads).long(), 0)
            assert found == expected.flatten().tolist()
            assert before == a.flatten().tolist()


def test_what_is_wrong_is_told_by_name(script):
    ids = [1, 2], [0, 5]
    unknown = graph(node("out", "fft_fft", of("ids"), module="encoder.mixer"))
    newer = graph(node("out", "clone", of("ids")), version=2)
    refused = {
        "operation fft_fft of module encoder.mixer is not known here": (unknown, *ids),
        "reads graphs of version 1, version 2 came": (newer, *ids),
        "ids (1, 2): operation embedding of module embedding stopped: place 6 is outside of ": (
            LOOKUP,
            [1, 2],
            [0, 6],
        ),
    }
    for words, (travels, *given) in refused.items():
        assert words in str(script(FILE, RUN, *travels, *given))


def test_inputs_that_were_done_with_are_named(script):
    late = graph(
        node("rows", "embedding", of("table"), of("ids"), module="embedding"),
        node("sums", "add.Tensor", of("rows"), of("rows")),
        node("out", "mm", of("sums"), of("table"), module="head"),
        table=TABLE,
    )
    told = script(FILE, RUN, *late, [3], [0, 1, 5])
    assert told.startswith("ids (3): operation mm of module head stopped: shapes (1, 3, 2) and")


def test_the_first_operation_that_makes_nan_is_named(script):
    def one(*nodes, table=TABLE):
        return graph(node("rows", "embedding", of("table"), of("ids")), *nodes, table=table)

    logs = one(
        node("shifted", "sub.Scalar", of("rows"), 3, module="shift"),
        node("masked", "full_like", of("rows"), {"number": "nan"}, module="mask"),
        node("logs", "log", of("shifted"), module="encoder.logs"),
        node("sums", "add.Tensor", of("logs"), 1.0, module="sum"),
        node("out", "_softmax", of("sums"), -1, False, module="head"),
        node("unread", "add.Tensor", of("masked"), 1.0),
    )
    found = script(FILE, RUN, *logs, [1, 2], [0, 1])
    first = "operation log of module encoder.logs made the first"
    assert found == f"output: it holds NaN, of which {first}"
    assert isinstance(script(FILE, RUN, *logs, [1, 1], [5]), list)
    broken = TABLE.copy()
    broken[2, 1] = np.nan
    sums = one(node("out", "mul.Scalar", of("rows"), 2.0), table=broken)
    assert "table: this weight holds NaN" in script(FILE, RUN, *sums, [1, 2], [0, 2])
    assert isinstance(script(FILE, RUN, *sums, [1, 2], [0, 1]), list)  # not of that row
    assert "ids: this input holds NaN" in script(
        FILE, RUN, *graph(node("out", "add.Scalar", of("ids"), 1)), [1], [float("nan")]
    )


LONG = graph(
    node("0", "mm", of("table"), of("table")),
    *(node(str(i), "mm", of(str(i - 1)), of("table")) for i in range(1, 60)),
    output="59",
    inputs=(),
    table=np.eye(220),
)


def test_messages_are_heard_while_a_run_goes_on(script):
    heard = """async (told, numbers) => {
        const net = load(told, numbers.buffer);
        const {port1, port2} = new MessageChannel();
        const times = [];
        port1.onmessage = () => { times.push(performance.now()); port2.postMessage(0); };
        port2.postMessage(0);
        const start = performance.now();
        await run(net, {});
        port1.close();
        const all = [start, ...times, performance.now()];
        return [all.at(-1) - start, Math.max(...all.slice(1).map((time, i) => time - all[i]))];
    }"""
    whole, longest = script(FILE, heard, *LONG)
    assert whole > 60
    assert longest < max(whole / 3, 40)


def test_a_run_is_dropped_when_it_is_not_wanted_any_more(script):
    dropped = """async (told, numbers) => {
        const net = load(told, numbers.buffer);
        const ends = new AbortController();
        const late = run(net, {}, {signal: ends.signal}).then(() => 'ran', error => error.message);
        setTimeout(() => ends.abort(new Error('a newer text')));
        const early = run(net, {}, {signal: AbortSignal.abort(new Error('before'))});
        return [await late, await early.catch(error => error.message)];
    }"""
    assert script(FILE, dropped, *LONG) == ["a newer text", "before"]
