import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_mix = of_lectures()["mixed_step"]


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


def test_right_answers_pass():
    for check, answer in (
        (checks.inputs_and_targets, pair_by_columns),
        (checks.sequence_log_likelihood, likelihood_by_cross_entropy),
        (checks.mixed_step, mix_by_loop),
    ):
        accept(check, answer)


def mix(choose, keep_state=True):
    def student(step, before, state, true, coin, ratio, draw):
        scores, after = step(before, state)
        read = choose(scores, before, true, coin, ratio, draw)
        return scores, after if keep_state else state, read

    return student


def test_a_wrong_mix_fails_with_its_cause():
    for wrong, words in (
        (
            mix(lambda s, b, true, c, r, draw: torch.where(c < r, true, draw(s.softmax(1)))),
            "takes the scores as they are",
        ),
        (
            lambda *given: (right_mix(*given)[0].log_softmax(1), *right_mix(*given)[1:]),
            "more than once",
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
    ):
        refuse(checks.mixed_step, wrong, words)
