import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_pair(symbols, start, stop):
    first, last = torch.full_like(symbols[:1], start), torch.full_like(symbols[:1], stop)
    return torch.cat([first, symbols]), torch.cat([symbols, last])


def right_likelihood(scores, symbols):
    log_p = scores.log_softmax(dim=-1)
    return log_p.gather(-1, symbols.unsqueeze(-1)).squeeze(-1).sum(dim=0)


def right_mix(step, before, state, true, coin, ratio, draw):
    scores, state = step(before, state)
    return scores, state, torch.where(coin < ratio, true, draw(scores))


def pair_by_columns(symbols, start, stop):
    columns = symbols.T.tolist()
    inputs = [[start, *column] for column in columns]
    targets = [[*column, stop] for column in columns]
    return [torch.tensor(rows).T for rows in (inputs, targets)]


def likelihood_by_cross_entropy(scores, symbols):
    loss = torch.nn.functional.cross_entropy(scores.permute(1, 2, 0), symbols.T, reduction="none")
    return -loss.sum(dim=1)


def mix_by_loop(step, before, state, true, coin, ratio, draw):
    scores, state = step(before, state)
    own = draw(scores)
    chosen = [t if c < ratio else o for t, c, o in zip(true, coin, own, strict=True)]
    return [scores, state, torch.stack(chosen)]


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.inputs_and_targets, right_pair),
        (checks.inputs_and_targets, pair_by_columns),
        (checks.sequence_log_likelihood, right_likelihood),
        (checks.sequence_log_likelihood, likelihood_by_cross_entropy),
        (checks.mixed_step, right_mix),
        (checks.mixed_step, mix_by_loop),
    ],
)
def test_right_answers_pass(check, answer):
    accept(check, answer)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda y, start, stop: right_pair(y, start, stop)[::-1], "the wrong way round"),
        (lambda y, start, stop: right_pair(y, stop, start), "start and stop are exchanged"),
        (
            lambda y, start, stop: (
                right_pair(y, start, stop)[0],
                right_pair(y, stop, start)[1],
            ),
            "start and stop are exchanged",
        ),
        (lambda y, start, stop: (y, right_pair(y, start, stop)[1]), "start is missing"),
        (lambda y, start, stop: (right_pair(y, start, stop)[0], y), "stop is missing"),
        (lambda y, start, stop: (right_pair(y, start, stop)[0][:-1], y), "must say stop"),
        (lambda y, start, stop: (right_pair(y, start, stop)[0],) * 2, "nothing was shifted"),
        (
            lambda y, start, stop: (
                torch.cat([*right_pair(y, start, stop)])[[0, 1, 2, 3, 4, 9]],
                y,
            ),
            "nobody reads it",
        ),
        (
            lambda y, start, stop: (
                right_pair(y, start, stop)[0],
                torch.cat([torch.full_like(y[:1], start), right_pair(y, start, stop)[1]]),
            ),
            "never said",
        ),
        (
            lambda y, *ends: right_pair(y.T if len(y) == len(y.T) else y, *ends),
            "(inputs) is off by up to",
        ),
        (lambda y, start, stop: right_pair(y, 0, stop), "(inputs) is off by up to 10"),
        (lambda y, start, stop: right_pair(y, start, 0), "(targets) is off by up to 11"),
        (lambda y, start, stop: right_pair(y.T, start, stop), "shape (3, 4), expected (5, 2)"),
        (
            lambda y, start, stop: [x.float() for x in right_pair(y, start, stop)],
            "holds torch.float32, expected whole numbers",
        ),
        (lambda y, start, stop: right_pair(y, start, stop)[0], "two things"),
        (
            lambda y, start, stop: right_pair(y[:, :2], start, stop),
            "has shape (4, 2), expected (4, 3)",
        ),
        (
            lambda y, start, stop: right_pair(y, 10, 11),
            "(inputs) is off by up to 3; first at [0, 0]",
        ),
    ],
)
def test_wrong_inputs_or_targets_fail_with_their_cause(wrong, words):
    refuse(checks.inputs_and_targets, wrong, words)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda s, y: -right_likelihood(s, y), "this is the loss"),
        (lambda s, y: right_likelihood(s, y) / len(y), "the mean over time"),
        (lambda s, y: right_likelihood(s, y).sum(), "one number for each sequence"),
        (lambda s, y: right_likelihood(s, y).exp(), "take its log"),
        (lambda s, y: s.gather(2, y[..., None])[..., 0].sum(0), "take log_softmax first"),
        (
            lambda s, y: s.log_softmax(2).gather(2, y[..., None])[..., 0],
            "add them over time",
        ),
        (
            lambda s, y: s.log_softmax(2).gather(2, y[..., None])[..., 0].sum(1),
            "the sum runs over the batch",
        ),
        (
            lambda s, y: s.softmax(2).gather(2, y[..., None])[..., 0].sum(0),
            "probabilities were added",
        ),
        (
            lambda s, y: s.softmax(2).log().gather(2, y[..., None])[..., 0].sum(0),
            "too small to be told from 0",
        ),
        (
            lambda s, y: s.softmax(2).gather(2, y[..., None])[..., 0].prod(0).log(),
            "too small to be told from 0",
        ),
        (
            lambda s, y: s.log_softmax(1).gather(2, y[..., None])[..., 0].sum(0),
            "softmax runs over the batch",
        ),
        (
            lambda s, y: s.log_softmax(0).gather(2, y[..., None])[..., 0].sum(0),
            "softmax runs over time",
        ),
        (
            lambda s, y: s.softmax(2).clamp(min=1e-12).log().gather(2, y[..., None]).sum((0, 2)),
            "off by up to",
        ),
        (
            lambda s, y: right_likelihood(s, y.T if len(y) == len(y.T) else y),
            "off by up to",
        ),
        (lambda s, y: right_likelihood(s[:-1], y[:-1]), "last symbol is left out"),
        (lambda s, y: right_likelihood(s[1:], y[1:]), "first symbol is left out"),
    ],
)
def test_a_wrong_likelihood_fails_with_its_cause(wrong, words):
    refuse(checks.sequence_log_likelihood, wrong, words)


def mix(choose, keep_state=True):
    def student(step, before, state, true, coin, ratio, draw):
        scores, after = step(before, state)
        read = choose(scores, before, true, coin, ratio, draw)
        return scores, after if keep_state else state, read

    return student


def right_choice(scores, before, true, coin, ratio, draw):
    return torch.where(coin < ratio, true, draw(scores))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (mix(right_choice, keep_state=False), "the state before the step"),
        (mix(lambda s, b, true, coin, r, draw: torch.where(coin < r, draw(s), true)), "wrong way"),
        (
            mix(lambda s, b, true, coin, r, draw: torch.where(1 - coin <= r, true, draw(s))),
            "off by up to",
        ),
        (mix(lambda s, b, true, coin, r, draw: true), "all read the true symbol"),
        (mix(lambda s, b, true, coin, r, draw: draw(s)), "all read their own"),
        (mix(lambda s, b, true, coin, r, draw: b), "read at this step"),
        (
            mix(lambda s, b, true, coin, r, draw: torch.where(coin < r, true, s.argmax(1))),
            "call draw(scores)",
        ),
        (
            mix(lambda s, b, true, coin, r, draw: torch.where(coin < 0.5, true, draw(s))),
            "ratio 0.25, is off",
        ),
        (
            mix(lambda s, b, true, coin, r, draw: torch.where(coin <= r, true, draw(s))),
            "coin < ratio, not <=",
        ),
        (
            mix(lambda s, b, true, c, r, draw: torch.where(c < r, true, draw(s.softmax(1)))),
            "takes the scores as they are",
        ),
        (
            mix(lambda s, b, true, coin, r, draw: true if coin[0] < r else draw(s)),
            "each sequence has its own coin",
        ),
        (lambda *given: right_mix(*given)[:2], "three things"),
        (lambda *given: (0, *right_mix(*given)[1:]), "mixed_step's scores"),
        (
            lambda *given: (right_mix(*given)[0].log_softmax(1), *right_mix(*given)[1:]),
            "more than once",
        ),
        (
            lambda *given: [x.double() for x in right_mix(*given)],
            "next input, a batch of 5, ratio 0.25, holds torch.float64",
        ),
        (
            mix(lambda s, b, true, c, r, draw: torch.where(c < r, true, draw(s.log_softmax(1)))),
            "draw takes the scores as they are, all 5 at once",
        ),
        (
            mix(lambda s, b, true, c, r, draw: torch.where(c < r, true, [draw(s), draw(s)][1])),
            "calls draw more than once",
        ),
        (
            lambda step, before, state, *others: (
                step(before, state)[0],
                *right_mix(step, before, state, *others)[1:],
            ),
            "calls step more than once",
        ),
    ],
)
def test_a_wrong_mix_fails_with_its_cause(wrong, words):
    refuse(checks.mixed_step, wrong, words)
