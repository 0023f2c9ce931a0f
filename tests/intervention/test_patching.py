"""patch: a state replaced is what a forward hook written by hand would replace."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from torch import nn

import seqviz as sv
from tests.intervention.streams import CASES, IDS, OTHER, PAIR, Mix, Twice, Words, albert, made, run
from tests.refusing import refused

torch.set_num_threads(1)
VECTOR = torch.linspace(-1, 1, 16)


def by_hand(model, case, token, value, ids=IDS):
    """The output with a state replaced by a hook; `value` maps the states (batch, token, unit)."""

    def replace(module, given, output):
        first = output if isinstance(output, torch.Tensor) else output[0]
        rows = first.clone() if case.time else first.transpose(0, 1).clone()
        rows[:, token] = value(rows[:, token])
        rows = rows if case.time else rows.transpose(0, 1)
        return rows if isinstance(output, torch.Tensor) else (rows, *output[1:])

    handle = model.get_submodule(case.block).register_forward_hook(replace)
    try:
        return run(model, ids, **case.more)
    finally:
        handle.remove()


def hooks(model):
    """All hooks of a model, and forwards that stand in."""
    return [
        (path, name)
        for path, module in model.named_modules()
        for name, found in vars(module).items()
        if name == "forward" or ("hook" in name and isinstance(found, dict) and found)
    ]


def states_of(model, case, ids):
    """The record of a run, and the rows behind the case's block."""
    with sv.record(model, keep="states") as rec:
        run(model, ids, **case.more)
    states = rec.states[case.stack][0]
    number = int(str(case.layer).rpartition(".")[2])
    return rec, torch.tensor(states.at(layer=str(number)).values)


@pytest.mark.parametrize("name", CASES)
def test_a_state_is_replaced_as_by_hand(name):
    model, case = made(name), CASES[name]
    plain, before = run(model, IDS, **case.more), hooks(model)
    rec, other = states_of(model, case, OTHER)
    each = torch.stack([VECTOR, -VECTOR])
    options = {
        "a vector": (2, {"value": VECTOR}, lambda rows: VECTOR),
        "a list": (2, {"value": VECTOR.tolist()}, lambda rows: VECTOR),
        "one for each token": ([0, -1], {"value": each}, lambda rows: each),
        "the mean": ([1, 3], {"value": "mean"}, lambda rows: rows.mean(0)),
        "another run": ([1, 2], {"from_": rec}, lambda rows: other[:, [1, 2]]),
        "another token": (
            2, {"from_": rec.states[case.stack][0], "from_token": 0}, lambda rows: other[:, 0],
        ),
    }  # fmt: skip
    for what, (token, given, value) in options.items():
        expected = by_hand(model, case, token, value)
        with sv.patch(model, layer=case.layer, token=token, **given):
            patched = run(model, IDS, **case.more)
        torch.testing.assert_close(patched, expected, rtol=0, atol=1e-6, msg=what)
        assert (patched - plain).abs().max() > 1e-4, what
    torch.testing.assert_close(run(model, IDS, **case.more), plain, rtol=0, atol=0)
    assert hooks(model) == before


@pytest.mark.parametrize("name", CASES)
def test_what_is_recorded_is_what_the_blocks_read_and_give(name):
    model, case = made(name), CASES[name]
    seen, pattern = [], case.block.replace(".", r"\.")[:-1] + "[0-9]+"
    kind = type(model.get_submodule(case.block))
    handles = [
        block.register_forward_hook(lambda m, args, out: seen.append((args[0], out)))
        for path, block in model.named_modules()
        if re.fullmatch(pattern, path) and type(block) is kind
    ]
    with sv.record(model, keep="states") as rec:
        run(model, IDS, **case.more)
        run(model, OTHER, **case.more)
    for handle in handles:
        handle.remove()
    states, _ = rec.states[case.stack]
    assert states.dims == ("layer", "batch", "time", "unit")
    assert states.labels["layer"] == ("embeddings", *map(str, range(case.blocks)))
    rows = [seen[0][0], *(out if torch.is_tensor(out) else out[0] for _, out in seen)]
    rows = rows[: case.blocks + 1]
    expected = np.stack([row.numpy() if case.time else row.transpose(0, 1).numpy() for row in rows])
    np.testing.assert_array_equal(states.values, expected)


def test_what_the_first_block_reads_is_replaced():
    for name, layer in {"GPT-2": "embeddings", "T5": "decoder.block.embeddings"}.items():
        model, case = made(name), CASES[name]
        first = model.get_submodule(f"{case.stack}.0")

        def replace(module, args):
            rows = args[0].clone()
            rows[:, 1] = VECTOR
            return rows, *args[1:]

        handle = first.register_forward_pre_hook(replace)
        expected = run(model, IDS, **case.more)
        handle.remove()
        with sv.patch(model, layer=layer, token=1, value=VECTOR):
            torch.testing.assert_close(run(model, IDS, **case.more), expected, rtol=0, atol=1e-6)


def contexts_of(projection, call):
    """What an output projection reads in a call."""
    seen = []
    handle = projection.register_forward_pre_hook(lambda m, x: seen.append(x[0]))
    call()
    handle.remove()
    return seen[0]


@pytest.mark.parametrize("name", ["GPT-2", "Llama", "sv BERT"])
def test_a_head_gives_what_it_gave_in_another_run(name):
    ends = {"GPT-2": "1.attn.c_proj", "Llama": "1.self_attn.o_proj"}
    model, own = made(name), slice(8, 12)
    (projection,) = (
        module
        for path, module in model.named_modules()
        if path.endswith(ends.get(name, "1.self_attn.out_proj"))
    )
    with sv.record(model, keep="contexts") as rec:
        other = contexts_of(projection, lambda: run(model, OTHER))
    (context,) = next(calls for path, calls in rec.contexts.items() if ".1." in path)
    assert context.dims == ("batch", "head", "query", "unit")
    np.testing.assert_array_equal(context.at(head=2), other[..., own])

    def replace(module, args):
        rows = args[0].clone()
        rows[:, 3, own] = other[:, 3, own]
        return (rows,)

    handle = projection.register_forward_pre_hook(replace)
    expected = run(model, IDS)
    handle.remove()
    with sv.patch(model, layer=1, token=3, head=2, from_=rec):
        found = run(model, IDS)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-6)
    assert (found - run(model, IDS)).abs().max() > 1e-5
    with sv.patch(model, layer=1, token=range(6), head=2, value=torch.zeros(4)):
        zero = run(model, IDS)
    with sv.ablate(model, layer=1, head=2):
        torch.testing.assert_close(run(model, IDS), zero, rtol=0, atol=0)


def test_a_layer_that_is_called_several_times():
    torch.manual_seed(0)
    for model, shared in [(Twice().eval(), "blocks.0"), (albert().eval(), None)]:
        with sv.record(model, keep="states") as rec:
            plain = run(model, IDS)
        ((states,),) = rec.states.values()
        calls = states.shape[0] - 1
        assert calls == (2 if shared else 3)
        for layer in range(calls):
            with (
                sv.patch(model, layer=layer, token=2, value=VECTOR),
                sv.record(model, keep="states") as inside,
            ):
                assert (run(model, IDS) - plain).abs().max() > 1e-3
            ((after,),) = inside.states.values()
            np.testing.assert_array_equal(after.at(layer=str(layer), time=2).values[0], VECTOR)
            np.testing.assert_array_equal(after.values[: layer + 1], states.values[: layer + 1])
        name = shared or "albert.encoder.albert_layer_groups.0"
        refused(ValueError, {r"is called several times, as calls 0 and 1 .*layer=0": patched(
            model, layer=name, token=0, value=VECTOR
        )})  # fmt: skip


def patched(model, ids=IDS, more=None, **options):
    def call():
        with sv.patch(model, **options):
            run(model, ids, **(more or {}))

    return call


def test_two_threads_that_run_a_patched_model_at_once_are_told_so():
    model, meet, problems = made("torch encoder"), threading.Barrier(2, timeout=20), []

    def stay(*_):  # the one that runs waits for the other's problem
        meet.wait()

    def in_thread(_):
        try:
            run(model, IDS)
        except ValueError as error:
            problems.append(str(error))
            meet.wait()

    with sv.patch(model, layer=1, token=2, value="mean"):
        hook = model.get_submodule("blocks.layers.0").register_forward_pre_hook(stay)
        with ThreadPoolExecutor() as threads:
            list(threads.map(in_thread, range(2)))
        hook.remove()
        run(model, IDS)
    (problem,) = problems
    assert problem.startswith("model: another thread runs")


def test_a_head_of_one_pass_is_refused_for_all_passes_of_tied_layers():
    model = albert().eval()
    with sv.record(model, keep="contexts") as rec:
        run(model, IDS)
    ((path, calls),) = rec.contexts.items()
    where = {"layer": path, "head": 0, "token": 2}
    refused(ValueError, {"attends several times in one run, as tied layers do": patched(
        model, **where, from_=calls[0]
    ), r"layers 0 \(tied layers are one\), or": patched(model, **where | {"layer": 1}, value="mean")
    })  # fmt: skip
    with sv.patch(model, **where, value=torch.zeros(calls[0].shape[-1])):
        run(model, IDS)
        run(model, IDS)  # each run begins anew


def test_a_state_is_replaced_behind_hooks_of_the_users_own():
    name = next(iter(CASES))
    model, case = made(name), CASES[name]
    block = model.get_submodule(case.block)

    def doubled(module, given, output):
        return 2 * output if torch.is_tensor(output) else (2 * output[0], *output[1:])

    handle = block.register_forward_hook(doubled)
    expected = by_hand(model, case, 2, lambda rows: VECTOR)
    with (
        sv.record(model, keep="states") as rec,
        sv.patch(model, layer=case.layer, token=2, value=VECTOR),
    ):
        patched = run(model, IDS, **case.more)
    handle.remove()
    torch.testing.assert_close(patched, expected, rtol=0, atol=1e-6)
    number = str(case.layer).rpartition(".")[2]
    after = rec.states[case.stack][0].at(layer=number, time=2)
    np.testing.assert_array_equal(after.values[0], VECTOR)


def test_blocks_nest_also_with_records_and_silence():
    model, case = made("GPT-2"), CASES["GPT-2"]
    outer, inner = {"layer": 0, "token": 1}, {"layer": 1, "token": 4}
    with sv.record(model) as plain:
        run(model, IDS)
    with (
        sv.record(model, keep="states") as before,
        sv.patch(model, **outer, value=VECTOR),
        sv.ablate(model, layer=1, head=0),
        sv.patch(model, **inner, value=-VECTOR),
        sv.record(model, keep=("states", "attention")) as after,
    ):
        found = run(model, IDS)
    states, other = before.states["transformer.h"][0], after.states["transformer.h"][0]
    np.testing.assert_array_equal(states, other)
    np.testing.assert_array_equal(states.at(layer="0", time=1, batch=0), VECTOR)
    np.testing.assert_array_equal(states.at(layer="1", time=4, batch=1), -VECTOR)
    first = plain.attention["transformer.h.0.attn"][0]
    np.testing.assert_array_equal(first, after.attention["transformer.h.0.attn"][0])
    with sv.ablate(model, layer=1, head=0):
        one = by_hand(model, case, 1, lambda rows: VECTOR)
    assert (one - found).abs().max() > 1e-4
    assert torch.equal(one[:, :4], found[:, :4])
    assert not hooks(model)


def test_an_exception_leaves_the_model_and_torch_as_they_were():
    model, fast = made("torch encoder"), torch.backends.mha.get_fastpath_enabled()
    with pytest.raises(IndexError), sv.patch(model, layer=0, token=0, value=VECTOR):
        run(model, IDS + 40)
    with pytest.raises(ValueError, match="value must end in the 16 numbers"):
        patched(model, layer=0, token=0, value=[1.0, 2.0])()
    assert not hooks(model)
    assert torch.backends.mha.get_fastpath_enabled() == fast
    patched(model, layer=0, token=0, value=VECTOR)()


def test_gradients_flow_to_a_vector_and_around_it():
    model, vector = made("own list"), VECTOR.clone().requires_grad_()
    with sv.patch(model, layer=0, token=2, value=vector):
        model(IDS).sum().backward()
    assert vector.grad.abs().sum() > 0
    assert model.words.weight.grad[IDS[0, 5]].abs().sum() > 0


def test_a_text_of_one_token_and_one_without_a_batch():
    model = made("own list")
    with sv.patch(model, layer=1, token=-1, value=VECTOR), sv.record(model, keep="states") as rec:
        run(model, IDS[:1, :1])
    np.testing.assert_array_equal(rec.states["blocks"][0].values[2, 0, 0], VECTOR)
    encoder = made("torch encoder").blocks
    one = {"layer": 1, "token": 3, "value": VECTOR}
    with sv.patch(encoder, **one), sv.record(encoder, keep="states") as rec, torch.no_grad():
        encoder(torch.randn(5, 16))
    assert rec.states["layers"][0].shape == (4, 1, 5, 16)
    np.testing.assert_array_equal(rec.states["layers"][0].at(layer="1", batch=0, time=3), VECTOR)


class Branches(nn.Module):
    """Attention and what follows it in lists of their own: no module gives the stream."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 16)
        self.parts = nn.ModuleList(nn.Sequential(nn.Linear(16, 8), nn.ReLU()) for _ in range(2))

    def forward(self, ids):
        x = self.words(ids)
        return x + torch.cat([part(x) for part in self.parts], -1)


def test_what_is_wrong_is_named():
    gpt, two = made("GPT-2"), {"layer": 0, "token": 0}
    with sv.record(gpt, keep="states") as rec:
        run(gpt, IDS)
    with sv.record(gpt, keep="states") as short:
        run(gpt, IDS[:, :3])
    with sv.record(gpt, keep="states") as one:
        run(gpt, IDS[:1])
    with sv.record(gpt) as maps:
        run(gpt, IDS)
    with sv.record(gpt, keep="states") as twice:
        run(gpt, IDS)
        run(gpt, IDS)
    t5 = made("T5")

    def of(model=gpt, ids=IDS, more=None, **options):
        given = {"value": VECTOR} if "from_" not in options else {}
        return patched(model, ids, more, **{**two, **given, **options})

    wrong = {
        "layer=2 did not run.* expected 'embeddings', or 0 to 1 of 'transformer.h'": of(layer=2),
        "layer must be at least 0": of(layer=-2),
        "one of 'transformer.h.0' to 'transformer.h.1', .*got 'h.0'": of(layer="h.0"),
        "token must name each token once, got 1 several times": of(token=[1, -5]),
        "token must be from 0 to 5: the model reads 6 tokens; got 6": of(token=6),
        "token must be 0: the model reads 1 token; got -2": of(ids=IDS[:1, :1], token=-2),
        "token must be a token's number or several, got none": of(token=[]),
        r"value must end in the 16 numbers .*got shape \(15,\)": of(value=VECTOR[:15]),
        r"one for each of 1 token.*got shape \(3, 16\)": of(value=VECTOR.expand(3, 16)),
        "value='mean' needs a batch of several": of(ids=IDS[:1], value="mean"),
        "value must be a vector, .*got 'noise'": of(value="noise"),
        "token must be from 0 to 2: the run of from_ has 3 tokens; got 4": of(token=4, from_=short),
        "from_ is a run of 1 text, and the model runs on 2: .*as value=": of(from_=one),
        "from_ keeps .*: record the other run with keep='states'": of(from_=maps),
        r"from_ has 2 runs .*choose one, as from_=rec.states\['transformer.h'\]\[0\]": of(
            from_=twice
        ),
        "from_token must name as many as token, 2; got 1": of(
            token=[0, 1], from_=rec, from_token=1
        ),
        r"from_ has 0 runs of 'encoder.block'.*it has .*rec.states\['transformer.h'\]\[0\]": of(
            t5, more=PAIR, layer="encoder.block.0", from_=rec
        ),
        "layer=0 is several, .*'encoder.block', 'decoder.block'.*as in layer='decoder.block.0'": of(
            t5, more=PAIR
        ),
        "layer='embeddings' is several, .*layer='decoder.block.embeddings'": of(
            t5, more=PAIR, layer="embeddings"
        ),
        "found no list of modules": of(nn.Sequential(nn.Embedding(40, 16), nn.Linear(16, 3))),
        r"found 'parts.0' \(Sequential\) gives \(2, 6, 8\) for \(2, 6, 16\)": of(Branches()),
        "head must be from 0 to 3": of(head=4),
    }
    refused(ValueError, wrong)
    refused(TypeError, {
        "value, from_: expected one of them, got neither": of(value=None),
        "value, from_: expected one of them, got both": of(value=VECTOR, from_=rec),
        "token must be an integer, got '1'": of(token="1"),
        "value must be a vector, .*got 3": of(value=3),
        "from_ must be what sv.record": of(from_=VECTOR),
        "from_token goes with from_=": of(from_token=1),
    })  # fmt: skip
    assert not hooks(gpt)
    words = Words(nn.ModuleList(Mix() for _ in range(2)))
    with pytest.raises(ValueError, match="keep='states'"):
        patched(words, layer=0, token=0, head=None, from_=maps)()
