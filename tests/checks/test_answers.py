"""The answers beside the assignments before their visible checks: what a student would read."""

import pytest

from seqviz.checks.cases import CHECKS
from tests.checks.solutions import EXERCISES, answered, run_without_hidden_tests

SEEN_LATER = {  # wrong answers that only a hidden test finds
    ("masked_states", "a word of zeros is taken for padding"),
    ("lstm_states", "a word that comes twice is taken for padding"),
    ("both_ways", "only the first net's empty rows are left out"),
    ("grouped_attention", "exp without the largest taken off is infinite"),
    ("best_span", "the best pair is cut to the length"),
    ("joint_loss", "exp of a large score is infinite"),
    ("tidy_tags", "a kind ends at the second dash"),
}

# Of answers whose cause is no slip of the check: what is said to them.
SAID = """
masked_softmax | shown, not given back | gives back nothing
masked_softmax | a row that is all hidden is NaN | It must be all 0
masked_softmax | a large number is taken off, and NaN stays NaN | 0 times NaN
masked_softmax | exp of a large score is infinite | differences of scores
masked_softmax | the scores are changed in place | changed its input e
local_weights | an empty window is NaN | no word in it
both_ways | the number of links is given | expected a set of links
coverage_penalty | the log of padding is multiplied by 0 | 0 times the log of 0
filtered | each token that has at least p alone is kept | keeps its likeliest token
filtered | at p = 1 the sum reaches 1 before the last token | very small probability
filtered | the scores are changed in place | changed its input scores
filtered | exp of large scores | scores of 900
grow | the sums are written over log_p | changed its input log_p
beam_search | the search ends with the first that finishes | the search ended too early
beam_search | each continuation gets a state before the best are chosen | rows of the state
best_sentence | the sentence has `most` tokens, not fewer | fewer tokens than `most`
best_sentence | the sentence need not end | only a sentence that ends counts
best_sentence | STOP's row is closed in log_p itself | changed its input log_p
repeats | lists of the forbidden ids | lists of ids
step_backward | what arrives is changed in place | changed its input dc
surviving | the product of all is divided by that of the front | a gate may be 0
token_loss | exp overflows | scores up to 1,000
token_loss | 0 / 0 without a token | no token at all
numeric_gradient | loss gets the single number that was pushed | loss wants all of w
update_windows | two numbers for each update | three numbers
rotate | x itself is changed | changed its input x
grouped_attention | nobody may attend to its own position | its own position
absorb | a row that has seen nothing is nan | seen nothing yet
in_blocks | the last block is not read | reads block 4 0 times
in_blocks | all keys are held, and the softmax is taken at the end | still holds
in_blocks | all scores first, then the values are read again | reads block 0 2 times
in_blocks | the scores of all blocks are few, but their values are held | still holds
in_blocks | keys are held as numpy's, whose memory is torch's | still holds
in_blocks | exp of the scores themselves is infinite | exp of a large score is inf
previous_head | the query asks for its own position | to itself
previous_head | the query asks for the position after its own | the mask hides
previous_head | it asks for two positions before | the one before that
previous_head | it writes into the slot next | the slot 'next'
previous_head | the matrices stand on their sides | W_q has shape (16, 31)
previous_head | the scores are too close together in a long text | too close
induction_head | the query's word is compared with the word itself | the copies
induction_head | it writes into the slot of the token | the slot 'token'
induction_head | the last copy wins, by its position | evenly
induction_head | only the first six words are found | the same weight
to_pixels | the weights are added to the grid that was handed in | changed its input alpha
motif_head | 0 is divided by 0 where nothing is found | It must be all 0
"""


def slips_of(name):
    """The sentences of an exercise's check."""
    return {slip for case in CHECKS[name].cases() for slip in case.slips}


def is_slip(answer, slips):
    return answer.kind != "right" and any(answer.cause in slip for slip in slips)


def said():
    """{(exercise, cause): words} of the table."""
    rows = [line.split(" | ") for line in SAID.strip().split("\n")]
    return {(name, cause): words for name, cause, words in rows}


@pytest.mark.parametrize("name", EXERCISES)
def test_right_answers_pass_and_wrong_ones_are_told_their_cause(name):
    exercise, check, told = EXERCISES[name], CHECKS[name], said()
    slips = slips_of(name)
    for answer in exercise.answers()[0]:
        verdict = check(answered(exercise, answer.code))
        words = told.get((name, answer.cause), answer.cause)
        if answer.kind == "right":
            assert verdict, (answer.cause, verdict)
        elif (name, answer.cause) in told or is_slip(answer, slips):
            assert words in verdict.message
        else:
            assert not verdict or (name, answer.cause) in SEEN_LATER, answer.cause


def test_the_table_names_answers():
    known = {(one.name, answer.cause) for one in EXERCISES.values() for answer in one.answers()[0]}
    assert set(said()) | SEEN_LATER <= known


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ["A5", "A6"])  # those that say a result have tests of it
def test_no_cell_given_to_students_leans_on_a_hidden_test(assignment):
    run_without_hidden_tests(assignment)
