import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_loss = of_lectures()["masked_loss"]
right_words = of_lectures()["whole_words"]


def right_inputs(ids, chance, turn, other, mask_id, special, least=0.15, first=0.8, second=0.9):
    chosen = (chance < least) & ~special
    inputs = torch.where(chosen & (turn < second), other, ids)
    inputs = torch.where(chosen & (turn < first), mask_id, inputs)
    return inputs, torch.where(chosen, ids, -100)


def inputs_by_loop(ids, chance, turn, other, mask_id, special):
    inputs, labels = ids.clone(), torch.full_like(ids, -100)
    for b in range(len(ids)):
        for t in range(ids.shape[1]):
            if chance[b, t] >= 0.15 or special[b, t]:
                continue
            labels[b, t] = ids[b, t]
            if turn[b, t] < 0.8:
                inputs[b, t] = mask_id
            elif turn[b, t] < 0.9:
                inputs[b, t] = other[b, t]
    return [inputs, labels]


def loss_by_hand(logits, labels):
    chosen = labels != -100
    log_p = logits[chosen].log_softmax(-1)
    return -log_p.gather(1, labels[chosen][:, None]).mean()


def words_by_loop(words, chance):
    rows = zip(words.tolist(), chance.tolist(), strict=True)
    return [[w >= 0 and row[w] < 0.15 for w in line] for line, row in rows]


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.masked_inputs, inputs_by_loop),
        (checks.masked_loss, loss_by_hand),
        (checks.whole_words, words_by_loop),
    ):
        accept(check, answer)


def ends_are_special(*given):
    special = torch.zeros_like(given[-1])
    special[:, [0, -1]] = True
    return right_inputs(*given[:-1], special)


def one_at_least(ids, chance, *rest):
    if not ((chance < 0.15) & ~rest[-1]).any():
        chance = chance.masked_fill(chance == chance[~rest[-1]].min(), 0)
    return right_inputs(ids, chance, *rest)


def counted_words(words, chance):
    """The words of a text are not always 0, 1, 2 and so on."""
    begins = (words >= 0) & (words != words.roll(1, 1))
    return right_words(torch.where(words < 0, -1, begins.cumsum(1) - 1), chance)


def one_word_at_least(words, chance):
    right = right_words(words, chance)
    best = (words == chance.argmin(1, keepdim=True)) & ~right.any(1, keepdim=True)
    return right | best


def test_wrong_answers_are_refused_by_their_slip():
    for check, answer, words in (
        (checks.masked_inputs, lambda *g: right_inputs(*g[:4], 1, g[5]), "3 x 11 tokens"),
        (checks.masked_inputs, ends_are_special, "first at [0, 5]"),
        (checks.masked_inputs, one_at_least, "2 x 3 tokens"),
        (checks.masked_loss, lambda x, y: right_loss(x.softmax(-1).log(), y), "holds"),
        (
            checks.masked_loss,
            lambda x, y: right_loss(x, y) * (y >= 0).sum() / (y >= 0).sum().clamp(min=2),
            "1 chosen of 6",
        ),
        (
            checks.masked_loss,  # the first token, which is often [CLS]
            lambda x, y: right_loss(x[:, 1:], y[:, 1:]),
            "is off by",
        ),
        (checks.whole_words, counted_words, "words of 2 pieces"),
        (checks.whole_words, one_word_at_least, "words of 4 pieces"),
    ):
        refuse(check, answer, words)
