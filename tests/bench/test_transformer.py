"""The transformer built in the open: near torch's when it trains, and faster with its cache."""

import time
from statistics import median

import pytest
import torch

import seqviz as sv


def seconds(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


@pytest.mark.alone
def test_a_training_step_has_at_least_0_8_of_torchs_tokens_a_second():
    sv.setup(seed=0)
    source, target = torch.randn(64, 12, 128), torch.randn(64, 14, 128)
    padding = torch.zeros(64, 12, dtype=torch.bool)
    padding[::2, -3:] = True
    masks = {"src_key_padding_mask": padding, "memory_key_padding_mask": padding}
    masks["tgt_mask"] = sv.nn.causal_mask(14)
    ours, theirs = (
        room.Transformer(128, 4, 2, 2, 256, dropout=0.1, batch_first=True)
        for room in (sv.nn, torch.nn)
    )

    def step(model):
        model.zero_grad()
        model(source, target, **masks).square().sum().backward()

    ratios = []
    while len(ratios) < 5 and max(ratios, default=0) < 0.8:  # other work only disturbs
        times = [[seconds(lambda m=m: step(m)) for m in (ours, theirs)] for _ in range(12)]
        mine, torchs = (median(column[2:]) for column in zip(*times, strict=True))
        ratios.append(torchs / mine)
    assert max(ratios) >= 0.8, f"{ratios} of torch's tokens a second, the goal is 0.8"


@pytest.mark.alone
def test_decoding_with_the_cache_is_six_times_as_fast():
    sv.setup(seed=0)
    model = sv.nn.TransformerSeq2Seq(250, 250, 128, 4, dim_feedforward=512).eval()
    source = torch.randint(4, 250, (32, 20))
    prompt = torch.ones(32, 1, dtype=torch.long)

    def whole_again(ids, target):
        target = torch.cat([target, ids.unsqueeze(1)], dim=1)
        return model(source, target)[:, -1], target

    def cached():
        return sv.decoding.greedy(model.step, prompt, 60, state=model.encode(source))

    def uncached():
        return sv.decoding.greedy(whole_again, prompt, 60, state=prompt[:, :0])

    with torch.no_grad():
        assert cached() == uncached()
        ratios = []
        while len(ratios) < 4 and max(ratios, default=0) < 6:
            ratios.append(seconds(uncached) / min(seconds(cached) for _ in range(3)))
    assert max(ratios) >= 6, f"{ratios} times as fast, the goal is 6"
