"""The transformer that translates: one run and step by step, shared matrices, bad input."""

import pytest
import torch

import seqviz as sv
from seqviz.nn import TransformerSeq2Seq
from tests.refusing import refused

SIZES = {"source_size": 9, "target_size": 7, "d_model": 8, "nhead": 2, "dim_feedforward": 12}
SOURCE = torch.tensor([[5, 8, 3, 1], [4, 2, 0, 0], [7, 0, 0, 0]])
TARGET = torch.tensor([[1, 3, 6, 2], [1, 5, 2, 0], [1, 4, 4, 4]])


def translator(**options):
    torch.manual_seed(0)
    return TransformerSeq2Seq(**(SIZES | options)).eval()


OPTIONS = [
    {},
    {"norm_first": True},
    {"positions": "learned"},
    {"share": "target"},
    {"share": "all", "source_size": 9, "target_size": 9},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_steps_give_what_one_run_gives(options):
    model = translator(**options)
    whole = model(SOURCE, TARGET)
    state, steps = model.encode(SOURCE), []
    for ids in TARGET.unbind(dim=1):
        logits, state = model.step(ids, state)
        steps.append(logits)
    torch.testing.assert_close(torch.stack(steps, dim=1), whole, rtol=0, atol=1e-6)


def test_nobody_sees_padding_or_the_future():
    model = translator()
    logits = model(SOURCE, TARGET)
    alone = model(SOURCE[1:2, :2], TARGET[1:2, :3])
    torch.testing.assert_close(logits[1, :3], alone[0], rtol=0, atol=1e-6)
    later = TARGET.clone()
    later[:, 3] = 5
    torch.testing.assert_close(model(SOURCE, later)[:, :3], logits[:, :3])


def test_beams_carry_their_caches():
    model, prompt = translator(), [[1], [1], [1]]
    search = {"state": model.encode(SOURCE), "stop": 2}
    greedy = sv.decoding.greedy(model.step, prompt, 6, **search)
    narrow, wide = (
        sv.decoding.beam(model.step, prompt, 6, width=k, select=model.select, **search)
        for k in (1, 4)
    )
    assert [tree.best for tree in narrow] == greedy
    for row, tree in enumerate(wide):
        for found in tree.hypotheses:
            target = torch.tensor([[1, *found.ids[:-1]]])
            log_p = model(SOURCE[row : row + 1, : SOURCE[row].count_nonzero()], target).log_softmax(
                -1
            )
            chosen = log_p[0].gather(1, torch.tensor(found.ids).unsqueeze(1))
            assert chosen.sum().item() == pytest.approx(found.score, abs=1e-5)


@pytest.mark.parametrize(("share", "matrices"), [("none", 3), ("target", 2), ("all", 1)])
def test_which_matrices_are_one(share, matrices):
    model = translator(share=share, source_size=7)
    used = (model.source_embedding.weight, model.target_embedding.weight, model.output.weight)
    assert len({weight.data_ptr() for weight in used}) == matrices
    whole = sum(weight.numel() for weight in translator(source_size=7).parameters())
    assert sum(weight.numel() for weight in model.parameters()) == whole - (3 - matrices) * 56


def test_what_does_not_fit():
    model, short = translator(max_len=12), translator(max_len=2)
    state = short.encode(SOURCE[:, :2].clamp(min=1))
    full = state
    for _ in range(2):
        _, full = short.step(TARGET[:, 0], full)
    wrong = {
        "d_model must be even": lambda: translator(d_model=7, nhead=1),
        "positions must be": lambda: translator(positions="rotary"),
        'one vocabulary.*=9 and target_size=7.*"target"': lambda: translator(share="all"),
        "a row for each of the 3 sources, got 2": lambda: model(SOURCE, TARGET[:2]),
        "target must begin with START, id 1": lambda: model(SOURCE, TARGET[:, 1:]),
        "the table's 12 positions, got 20": lambda: model(SOURCE, torch.ones(3, 20).long()),
        "one for each of the 3 sources, got 2": lambda: short.step(TARGET[:2, 0], state),
        "within the table's 2 positions, got 3": lambda: short.step(TARGET[:, 0], full),
    }
    refused(ValueError, wrong)
    wrong = {r"state must be what model\.encode": lambda: short.step(TARGET[:, 0], None)}
    refused(TypeError, wrong)
