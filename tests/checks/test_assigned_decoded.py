"""The visible checks of assignment A3, and its solutions beside the package."""

import pytest
import torch

import seqviz as sv
from seqviz import checks
from tests.checks.assigned import Assignment
from tests.checks.styles import accept, refuse

A3 = Assignment("A3", "given-ngrams")


@pytest.mark.parametrize("name", A3.exercises)
def test_solutions_pass_in_every_style(name):
    accept(getattr(checks, name), A3.solutions[name])


@pytest.mark.parametrize(("name", "cause"), A3.right_ones())
def test_right_answers_pass(name, cause):
    verdict = getattr(checks, name)(A3.named(name, cause))
    assert verdict, verdict


SLIPS = """
filtered | k is not used | k was not used
filtered | p is not used | p was not used
filtered | the token that reaches p is dropped | it is kept
filtered | the rows no longer add up to 1 | no longer add up to 1
filtered | the logs of the probabilities are given | give probabilities
filtered | the lowest scores are kept | the lowest scores
filtered | each token that has at least p alone is kept | keeps its likeliest token
filtered | the probabilities stand in the order of their rank | back in its place
filtered | of equal scores at the k-th place all are kept | exactly k are
filtered | tokens as likely as the last of the nucleus are kept | as likely as the last one
filtered | p counts the probabilities of all tokens | only the k best share it
filtered | the nucleus comes first, and k of it are kept | only the k best share it
filtered | at p = 1 the sum reaches 1 before the last token | very small probability
filtered | the scores are changed in place | changed its input scores
filtered | exp of large scores | scores of 900
grow | a finished hypothesis holds its place | holds a place
grow | those that end are thrown away | those that end are missing
grow | the scores of the hypotheses are missing | so far are missing
grow | parent and token are exchanged | exchanged
grow | every end is kept | each end is kept
grow | those that end come first | before the others
grow | an end counts if it beats the last that goes on | better than the last that goes on
grow | an end counts if it is among the k best ends | the k best ends are kept
grow | each hypothesis keeps k of its own | they all compete
grow | impossible continuations are kept | impossible, -inf
grow | only one hypothesis may end in a step | only the best end is kept
grow | the sums are written over log_p | changed its input log_p
beam_search | greedy: the likeliest token each time | greedy's sentence
beam_search | START stands in front of the ids | read, not written
beam_search | STOP is left out of the ids | STOP belongs
beam_search | the net is asked until `most`, though nothing can win any more | still the net
beam_search | the state is not brought into the order of the parents | rows of the parents
beam_search | n to the power of alpha is the penalty | to the power of alpha
beam_search | STOP is not counted in n | n counts stop as well
beam_search | the sums are multiplied by the penalty | divide by it
beam_search | the search ends with the first that finishes | the search ended too early
beam_search | the search ends when k have finished | the search ended too early
beam_search | what goes on at the end competes | only if nothing has finished
beam_search | the divided sums are carried on | carried on
beam_search | the ends of the last step are missing | the last step's ends
best_sentence | greedy: the likeliest word each time | greedy's sentence
best_sentence | START stands in front of the ids | read, not written
best_sentence | the ids stand the wrong way round | the wrong way round
best_sentence | rows and columns are exchanged | rows and columns are exchanged
best_sentence | the probability is given, not its logarithm | give its logarithm
best_sentence | the score is the mean | give the sum
best_sentence | the sentence has `most` tokens, not fewer | fewer tokens than `most`
best_sentence | the sentence need not end | only a sentence that ends counts
best_sentence | the first end that is possible is taken | the first end that was found
best_sentence | STOP is not counted among the tokens | more tokens than `most`
best_sentence | one token too few | counts STOP as well
best_sentence | all ways to a word are added up | only the best counts
best_sentence | each place gets its best word | go back from STOP
best_sentence | the step from START is not counted | without the step from START
best_sentence | STOP's row is closed in log_p itself | changed its input log_p
repeats | every token that has come is forbidden | only those that complete
repeats | it says what may come | give what must not
repeats | lists of the forbidden ids | lists of ids
repeats | n tokens must match, not n - 1 | n + 1 tokens
repeats | the end itself is forbidden, not what came after it | what came after them
repeats | only the last token must match | n - 1 tokens
repeats | with n = 1 the slice from -0 on is everything | nothing has to match
repeats | the first row's past is taken for all | the past of the first
repeats | the rows share what they have written | each row has its own
repeats | what overlaps the end does not count | may overlap the end
repeats | only the first place counts | only the first place
repeats | only the latest place counts | only the last place
repeats | the order of the tokens does not matter | in their order
corpus_bleu | a share is given, not 0 to 100 | give 0 to 100
corpus_bleu | the brevity penalty is missing | penalty is missing
corpus_bleu | the precisions are averaged plainly | geometric
corpus_bleu | the precisions are multiplied, without the root | the root of the product
corpus_bleu | each n-gram counts once | not once
corpus_bleu | the mean of the sentences' BLEUs | before you divide
corpus_bleu | the precisions of the sentences are averaged | then divide
corpus_bleu | nothing is clipped | nothing is clipped
corpus_bleu | the counts of all references are added up | not by the sum
corpus_bleu | only the first reference is read | only the first reference
corpus_bleu | the n-grams are clipped by one best reference | by itself
corpus_bleu | the n-grams of all references of the text are one store | its own references
corpus_bleu | the sentences are joined into one | into the next
corpus_bleu | r takes the shortest reference | the shortest reference
corpus_bleu | r takes the longest reference | the longest reference
corpus_bleu | r takes the mean length | the mean length
corpus_bleu | of two equally close references the longer counts | takes the shorter
corpus_bleu | a long text has a bonus | has no bonus
corpus_bleu | r and c change places | exchanged
corpus_bleu | each sentence has a penalty of its own | the text has one
corpus_bleu | precisions that are 0 are left out | no precision is left out
corpus_bleu | sentences of fewer than four words are left out | counts too
"""


@pytest.mark.parametrize(
    ("name", "cause", "words"), [line.split(" | ") for line in SLIPS.strip().split("\n")]
)
def test_slips_are_named(name, cause, words):
    refuse(getattr(checks, name), A3.named(name, cause), words)


@pytest.mark.parametrize(
    ("ids_of", "rows_of", "words"),
    [
        (lambda ids: ids.tolist(), lambda rows: rows, "a tensor (n,) of torch.int64"),
        (lambda ids: ids[:, None], lambda rows: rows, "a tensor (n,) of torch.int64"),
        (lambda ids: ids, lambda rows: rows[:1], "one id for each row"),
        (lambda ids: ids, lambda rows: rows.tolist(), "select reads rows"),
        (lambda ids: ids, lambda rows: rows + 50, "not in the batch"),
    ],
)
def test_what_the_net_is_given_is_watched(ids_of, rows_of, words):
    def student(step, select, state, *rest):
        return A3.solutions["beam_search"](
            lambda ids, own: step(ids_of(ids), own),
            lambda own, rows: select(own, rows_of(rows)),
            state,
            *rest,
        )

    refuse(checks.beam_search, student, words)


def test_filtered_is_softmax_if_nothing_is_cut_off():
    scores = torch.randn(4, 9, dtype=torch.float64)
    torch.testing.assert_close(A3.solutions["filtered"](scores, 9, 1), scores.softmax(dim=1))
    best = A3.solutions["filtered"](scores, 3, 1)
    torch.testing.assert_close(best.topk(3).indices, scores.topk(3).indices)
    assert ((best > 0).sum(dim=1) == 3).all()


@pytest.fixture
def net():
    torch.manual_seed(3)
    net = sv.nn.Seq2Seq(12, 9, 8, 16, attention="dot").double()
    with torch.no_grad():
        net.decoder.output.weight.mul_(4)
        yield net


def searched(net, source, k, alpha, most=12):
    start, stop = 1, 2
    search = A3.solutions["beam_search"]
    return search(net.step, net.select, net.encode(source), start, stop, k, alpha, most)


def test_a_beam_of_one_is_the_package_s_greedy(net):
    for source in torch.randint(4, 12, (6, 1, 5)):
        ids, score = searched(net, source, 1, 0.0)
        greedy = sv.decoding.greedy(net.step, [1], 12, state=net.encode(source), stop=2)
        assert ids == greedy[: len(ids)]
        log_p = net(source, torch.tensor([[1, *ids[:-1]]])).log_softmax(dim=2)[0]
        assert score == pytest.approx(log_p[torch.arange(len(ids)), ids].sum().item())


def test_a_beam_that_holds_all_finds_what_the_package_s_finds(net):
    for source in torch.randint(4, 12, (4, 1, 5)):
        ids, score = searched(net, source, 9**3, 0.0, 4)
        given = {"width": 9**4, "stop": 2, "select": net.select, "state": net.encode(source)}
        tree = sv.decoding.beam(net.step, [1], 4, **given)
        assert ids == tree.best
        assert score == pytest.approx(tree.hypotheses[0].score)


def test_no_beam_beats_the_exact_best():
    torch.manual_seed(5)
    for log_p in (2 * torch.randn(8, 7, 7).double()).log_softmax(dim=2):
        ids, score = A3.solutions["best_sentence"](log_p, 6, 0, 5)
        step = {"step": lambda ids, state, p=log_p: (p[ids], state), "prompt": [6], "length": 5}
        tree = sv.decoding.beam(**step, width=7**5, stop=0)
        assert ids == tree.best
        assert score == pytest.approx(tree.hypotheses[0].score)


def test_corpus_bleu_is_the_package_s_with_one_reference_each():
    pairs = sv.data.load("en-fr").test[:30]
    right = [list(pair.target) for pair in pairs]
    written = [[*words[:5], *words[6:]] for words in right]
    bleu = A3.solutions["corpus_bleu"](written, [[words] for words in right])
    assert bleu == pytest.approx(sv.metrics.bleu(written, right))


@pytest.mark.slow
def test_no_cell_given_to_students_leans_on_a_hidden_test():
    names = {}
    for cell in A3.cells:
        code = cell.source.split("### BEGIN HIDDEN TESTS")[0]
        exec(compile(code, cell.id, "exec"), names)
    ends = {way: sum(map(len, texts)) for way, (texts, _) in names["written"].items()}
    bleu = {
        way: names["corpus_bleu"](texts, names["references"])
        for way, (texts, _) in names["written"].items()
    }
    assert ends[10, 0.0, False] < ends[3, 0.0, False] < ends[1, 0.0, False]
    assert bleu[3, 1.0, False] > bleu[3, 0.0, False] + 1
    assert bleu[3, 3.0, False] < bleu[3, 3.0, True] < bleu[3, 1.0, False] - 2
    assert names["blame"][3][0] <= 1
    assert names["blame"][3][1] > 80
