"""Wrong answers whose cause no slip tells, but how a check reads them, and what it hands out."""

import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import refuse

RIGHT = of_lectures()


def test_masks_and_columns():
    def shown(e, ids, padding):
        return e.masked_fill(ids != padding, -torch.inf).softmax(1)

    def a_little(e, ids, padding):
        return e.masked_fill(ids == padding, -30).softmax(1)

    def product(W, k):
        return W @ torch.eye(W.shape[1], dtype=W.dtype)[k]

    refuse(checks.padded_weights, shown, "wrong way round")
    refuse(checks.padded_weights, a_little, "exactly 0")
    refuse(checks.one_hot_column, product, "a product was used")


def test_a_slip_that_right_parts_speak_against_is_a_guess():
    def unbalanced(predicted, gold, kinds):
        precision, recall, _ = RIGHT["kind_scores"](predicted, gold, kinds)
        cut = ([[span[:2] for span in one] for one in two] for two in (predicted, gold))
        return precision, recall, RIGHT["kind_scores"](*cut, kinds)[2]

    refuse(checks.kind_scores, unbalanced, "perhaps the end must agree, too")


def test_norms():
    def norm_of(gradients):
        return torch.cat([g.flatten() for g in gradients]).norm()

    def always_divided(gradients, threshold):
        norm = norm_of(gradients)
        return [g * min(norm, threshold) / norm for g in gradients]

    def of_the_long(gradients, threshold):
        long = norm_of(gradients) >= threshold
        return always_divided(gradients, threshold) if long else gradients

    def by_powers(W, steps):
        v = torch.linalg.matrix_power(W, steps) @ torch.ones(len(W), dtype=W.dtype)
        return (v.norm() / len(W) ** 0.5) ** (1 / steps)

    refuse(checks.clip_by_norm, always_divided, "0 was divided")
    refuse(checks.clip_by_norm, of_the_long, "norm is inf, and no factor mends that; give back")
    refuse(checks.clip_by_norm, lambda g, threshold: norm_of(g), "list of tensors")
    refuse(checks.clip_by_norm, lambda g, threshold: [g[0], g[0]], "gives shapes")
    refuse(checks.spectral_radius, by_powers, "overflows")


def test_truncated():
    def as_handed_out(chunks, state, run, learn):
        total = 0.0
        for number, chunk in enumerate(chunks, start=1):
            loss, state = run(chunk, state)
            total = total + loss
            state = state.detach()
            if number % 2 == 0:
                learn(total)
        return state

    def hanging(chunks, state, run, learn):
        for one, two in zip(chunks[::2], chunks[1::2], strict=True):
            first, state = run(one, state)
            second, state = run(two, state)
            learn(first + second)
        return state

    def every_chunk(chunks, state, run, learn):
        for chunk in chunks:
            loss, state = run(chunk, state.detach())
            learn(loss)
        return state

    def never_ending(chunks, state, run, learn):
        while chunks:
            _, state = run(chunks[0], state)

    def learning(kind):
        def student(chunks, state, run, learn):
            return RIGHT["truncated"](chunks, state, run, lambda loss: learn(kind(loss)))

        return student

    for wrong, words in (
        (as_handed_out, "second time: the total holds its losses"),
        (hanging, "second time: the state hangs on it"),
        (every_chunk, "calls learn 4 times"),
        (never_ending, "runs on: there are 4 chunks"),
        (learning(torch.Tensor.detach), "not the loss"),
        (learning(torch.Tensor.item), "learn wants the sum"),
    ):
        refuse(checks.truncated, wrong, words)


def test_sampling_loop():
    def generate(begin=None, given=lambda scores: scores, twice=False):
        def student(step, first, length, choose):
            tokens, token, state = [], first, begin
            for _ in range(length):
                scores, state = step(token, state)
                token = choose(given(scores))
                tokens.append(choose(scores) if twice else token)
            return tokens

        return student

    for wrong, words in (
        (generate(begin=0), "the first state is None; step was given 0"),
        (generate(given=lambda scores: scores.softmax(0)), "takes the scores of the step as they"),
        (generate(twice=True), "choose was called 12 times for 6 tokens"),
    ):
        refuse(checks.sampling_loop, wrong, words)


def test_mixed_step():
    def mix(of_step=lambda step: step, of_draw=lambda draw: draw):
        def student(step, before, state, true, coin, ratio, draw):
            others = (before, state, true, coin, ratio)
            return RIGHT["mixed_step"](of_step(step), *others, of_draw(draw))

        return student

    def twice(function):
        return lambda *given: (function(*given), function(*given))[1]

    def of_probabilities(draw):
        return lambda scores: draw(scores.softmax(1))

    for wrong, words in (
        (mix(of_draw=of_probabilities), "takes the scores as they are"),
        (mix(of_draw=twice), "calls draw more than once"),
        (mix(of_step=twice), "calls step more than once"),
    ):
        refuse(checks.mixed_step, wrong, words)


def test_greedy_decode():
    decode = RIGHT["greedy_decode"]

    def student(step=None, state=None, start=None, stop=None, most=lambda most: most):
        """The right one, on something else than it was given."""

        def wrong(given_step, given_state, given_start, given_stop, given_most):
            return decode(
                step(given_step, given_start) if step else given_step,
                state or given_state,
                given_start if start is None else start,
                given_stop if stop is None else stop,
                most(given_most),
            )

        return wrong

    def first_again(step, start):
        return lambda ids, state: step(torch.tensor([start]), state)

    def least(step, start):
        return lambda ids, state: (-step(ids, state)[0], state + 1)

    for wrong, words in (
        (lambda *given: [given[2], *decode(*given)], "START is read, not written"),
        (lambda *given: decode(*given)[:-1], "STOP belongs to the list"),
        (student(stop=-1), "it goes on after STOP"),
        (student(most=lambda most: most + 1), "it goes beyond the bound"),
        (student(most=lambda most: most - 1), "one more id fits"),
        (student(most=lambda most: most + 1000, stop=-1), "runs on: stop after 20 ids"),
        (student(step=first_again), "the id just written"),
        (student(step=least), "least probable"),
        (student(start=0), "reads is start"),
        (student(state="s"), "takes the state that"),
        (
            student(step=lambda step, start: lambda ids, state: step(ids.item(), state)),
            "step reads one id, a tensor of shape (1,) and type torch.int64; it was given int",
        ),
    ):
        refuse(checks.greedy_decode, wrong, words)


def test_places_names_and_states():
    def divided(scores, log_p, k):
        score, place = (scores[:, None] + log_p).flatten().topk(k)
        return place / log_p.shape[1], place % log_p.shape[1], score

    def stripped(tags):
        return {(kind.lstrip("BI-"), a, e) for kind, a, e in RIGHT["bio_names"](tags)}

    for check, wrong, words in (
        (checks.beam_step, divided, "// keeps numbers whole, / does not"),
        (checks.bio_names, stripped, "BIBLE"),
        (checks.bio_names, lambda tags: ["PER"], "must give a set"),
        (checks.from_the_right, lambda step, X, h: step(X, h), "step reads one row of X, (2,)"),
        (
            checks.from_the_right,
            lambda step, X, h: [step(X[0], h) for _ in iter(int, 1)],
            "runs on: X has 4 rows",
        ),
    ):
        refuse(check, wrong, words)


def test_a_words_key_and_value_come_first():
    def late(x, past, memory, weights):  # the old cache is attended to where it holds a word
        _, K, V = RIGHT["next_word"](x, past, memory, weights)
        used = past if len(past[0]) else (K, V)
        W_q, _, _, W_c, W_1, W_2 = weights
        for q, (keys, values) in ((W_q, used), (W_c, memory)):
            x = x + (keys @ (x @ q) / len(x) ** 0.5).softmax(0) @ values
        return x + (x @ W_1).relu() @ W_2, K, V

    refuse(checks.next_word, late, "come first into the cache")
    refuse(checks.next_word, lambda *given: RIGHT["next_word"](*given)[0], "y, K, V")


def test_best_pair():
    best = RIGHT["best_pair"]
    for wrong, words in (
        (lambda words, counts: "+".join(best(words, counts)), "gives 'a+d'"),
        (lambda words, counts: best(words, counts)[::-1], "expected ['a', 'd']"),
        (lambda words, counts: [best(words, counts)], "a list of strings"),
    ):
        refuse(checks.best_pair, wrong, words)
    assert checks.best_pair(lambda words, counts: tuple(best(words, counts)))
