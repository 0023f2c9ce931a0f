import math

import pytest
import torch

from seqviz.decoding import greedy, sample
from seqviz.nn import LanguageModel
from tests.refusing import refused

torch.set_num_threads(1)


def count_up(ids, state):
    """A model that is sure of the next number modulo 5, and counts what it has read."""
    logits = torch.full((len(ids), 5), -50.0)
    logits[torch.arange(len(ids)), (ids + 1) % 5] = 50.0
    return logits, (state or 0) + 1


def always(row):
    return lambda ids, state: (torch.tensor([row] * len(ids)), None)


@pytest.mark.parametrize("decode", [greedy, sample])
def test_gives_the_new_ids_only(decode):
    assert decode(count_up, [0, 1], 4) == [2, 3, 4, 0]
    assert decode(count_up, torch.tensor([3]), 1) == [4]


@pytest.mark.parametrize("decode", [greedy, sample])
def test_stops_after_the_stop_token(decode):
    assert decode(count_up, [0], 10, stop=3) == [1, 2, 3]
    assert decode(count_up, [3], 2, stop=3) == [4, 0], "a stop in the prompt does not count"


def test_each_id_is_read_once_and_the_state_is_carried():
    read = []

    def step(ids, state):
        read.append((ids.tolist(), state))
        return count_up(ids, state)

    greedy(step, [0, 1], 3, state=10)
    assert read == [([0], 10), ([1], 11), ([2], 12), ([3], 13)]


@pytest.mark.parametrize("decode", [greedy, sample])
def test_a_batch_gives_a_list_for_each_row_up_to_its_own_stop(decode):
    assert decode(count_up, [[0], [2], [3]], 6, stop=3) == [[1, 2, 3], [3], [4, 0, 1, 2, 3]]
    assert decode(count_up, torch.tensor([[4, 0], [4, 3]]), 3) == [[1, 2, 3], [4, 0, 1]]
    assert decode(count_up, [[1]], 2) == [[2, 3]], "a batch of one stays a batch"


@pytest.mark.parametrize("decode", [greedy, sample])
def test_what_a_model_gives_after_stop_is_not_looked_at(decode):
    def step(ids, state):
        logits, _ = count_up(ids, state)
        logits[ids == 3] = math.nan
        return logits, None

    assert decode(step, [[0], [2]], 10, stop=3) == [[1, 2, 3], [3]]


def test_a_batch_of_a_language_model_is_one_by_one():
    torch.manual_seed(0)
    model = LanguageModel(6, 8, num_layers=2)
    prompt = torch.tensor([[1, 2], [3, 3], [0, 5]])
    together = greedy(model.step, prompt, 5, stop=4)
    assert together == [greedy(model.step, row, 5, stop=4) for row in prompt]


def test_sample_draws_from_the_softmax():
    row = [0.0, 1.0, 2.0]
    step = always(row)
    for temperature in (0.5, 1.0, 2.0):
        generator = torch.Generator().manual_seed(0)
        new = sample(step, [[0]] * 300, 10, temperature=temperature, generator=generator)
        counts = torch.bincount(torch.tensor(new).flatten(), minlength=3) / 3000
        expected = torch.softmax(torch.tensor(row) / temperature, 0)
        assert (counts - expected).abs().max() < 0.03  # 3.3 standard errors at most
        assert len(set(map(tuple, new))) > 1, "each row is drawn by itself"


def test_a_seed_fixes_the_sample():
    step = always([0.0] * 9)
    one, two = (sample(step, [0], 20, generator=torch.Generator().manual_seed(7)) for _ in "ab")
    torch.manual_seed(7)
    assert one == two == sample(step, [0], 20)


@pytest.mark.parametrize("decode", [greedy, sample])
def test_no_gradient_is_kept(decode):
    weight = torch.ones(1, 3, requires_grad=True)

    def step(ids, state):
        assert not torch.is_grad_enabled()
        return weight * 2, None

    with torch.enable_grad():
        assert len(decode(step, [0], 3)) == 3
        assert torch.is_grad_enabled()


def test_a_tiny_temperature_is_greedy():
    assert sample(always([1.0, 3.0, -math.inf, 2.9]), [0], 5, temperature=5e-324) == [1] * 5


def test_what_does_not_fit():
    for decode in (greedy, sample):

        def decoded(prompt=(0,), length=1, step=count_up, decode=decode, **options):
            return lambda: decode(step, prompt, length, **options)

        wrong = {
            "at least one id": decoded([]),
            "length must be at least 1, got 0": decoded(length=0),
            "logits .*no finite maximum": decoded(step=always([0.0, math.nan])),
            "no finite maximum": decoded(step=always([-math.inf, -math.inf])),
            r"logits \(1, vocab\), got shape \(5,\)": decoded(
                step=lambda ids, state: (torch.zeros(5), None)
            ),
            r"logits \(3, vocab\), got shape \(1, 5\)": decoded(
                [[0]] * 3, step=lambda ids, state: (torch.zeros(1, 5), None)
            ),
        }
        refused(ValueError, wrong)
        wrong = {
            "'hel': encode it first": decoded("hel"),
            "list of integers, or lists of one length": decoded([0.5]),
            "prompt must be a list of integers, or lists of one len": decoded([[0], [1, 2]]),
            r"step must be a function step\(ids, state\), got int": decoded(step=1),
        }
        refused(TypeError, wrong)
    for temperature in (0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match=r"finite and above 0.*greedy"):
            sample(count_up, [0], 3, temperature=temperature)
    with pytest.raises(TypeError, match="temperature must be a number, got"):
        sample(count_up, [0], 3, temperature="1")
